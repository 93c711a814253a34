//! Pictures: rows of pixels, and the file they are kept in.

use crate::error::RenderError;
use std::path::Path;

/// A picture, red, green and blue bytes row after row from the top.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// Pixels across.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// `3 · width · height` bytes, encoded as sRGB.
    pub bytes: Vec<u8>,
}

impl Picture {
    /// A picture of one colour.
    pub fn filled(width: usize, height: usize, colour: [u8; 3]) -> Self {
        Self { width, height, bytes: colour.repeat(width * height) }
    }

    /// The colour of a pixel; black outside.
    pub fn pixel(&self, x: usize, y: usize) -> [u8; 3] {
        let at = 3 * (y * self.width + x);
        match self.bytes.get(at..at + 3) {
            Some(&[r, g, b]) if x < self.width => [r, g, b],
            _ => [0; 3],
        }
    }

    /// Lays a colour over a pixel; outside, nothing happens.
    pub fn blend(&mut self, x: i64, y: i64, colour: [u8; 3], cover: f64) {
        if x < 0 || y < 0 || x >= self.width as i64 || y >= self.height as i64 {
            return;
        }
        let at = 3 * (y as usize * self.width + x as usize);
        for (byte, new) in self.bytes[at..at + 3].iter_mut().zip(colour) {
            *byte = (f64::from(*byte) + cover * (f64::from(new) - f64::from(*byte)) + 0.5) as u8;
        }
    }

    /// Writes it as a PNG file.
    pub fn write_png(&self, path: &Path) -> Result<(), RenderError> {
        let file = std::fs::File::create(path).map_err(RenderError::file(path))?;
        let mut encoder = png::Encoder::new(std::io::BufWriter::new(file), self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header().map_err(RenderError::file(path))?;
        writer.write_image_data(&self.bytes).map_err(RenderError::file(path))?;
        writer.finish().map_err(RenderError::file(path))
    }
}
