//! Films as GIF: one palette, and of every picture only what changed.

use crate::error::RenderError;
use crate::palette::Palette;
use crate::picture::Picture;
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use std::borrow::Cow;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// Colours of the palette; one more number means that a pixel stays as it was.
const COLOURS: usize = 255;
/// The number of pixels that stay as they were.
const SAME: u8 = 255;

/// A GIF file that is being written; it repeats for ever.
pub struct GifFile {
    encoder: Encoder<BufWriter<File>>,
    palette: Palette,
    path: PathBuf,
    size: (usize, usize),
    fps: f64,
    /// What is on the screen, numbers of colours.
    shown: Vec<u8>,
    count: u64,
    /// What changed since, waiting until it is known how long it stays.
    waiting: Option<Change>,
}

/// A rectangle of pixels that changed.
struct Change {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
    pixels: Vec<u8>,
    /// When it appears [1/100 s].
    time: u64,
}

impl GifFile {
    /// Begins a film; its colours are chosen from some of its pictures.
    pub fn create(path: &Path, samples: &[Picture], fps: f64) -> Result<Self, RenderError> {
        let palette = Palette::new(samples, COLOURS);
        let size = samples.first().map_or((0, 0), |p| (p.width, p.height));
        let side =
            |a: usize| u16::try_from(a).map_err(|_| RenderError::Wish("a GIF has at most 65535 pixels a side".into()));
        let mut colours = palette.colours.clone();
        colours.resize(COLOURS + 1, [0; 3]);
        let file = File::create(path).map_err(RenderError::file(path))?;
        let encoder = Encoder::new(BufWriter::new(file), side(size.0)?, side(size.1)?, colours.as_flattened());
        let mut encoder = encoder.map_err(RenderError::file(path))?;
        encoder.set_repeat(Repeat::Infinite).map_err(RenderError::file(path))?;
        let path = path.to_path_buf();
        Ok(Self { encoder, palette, path, size, fps, shown: Vec::new(), count: 0, waiting: None })
    }

    /// Adds a picture. One that is the same as the last makes that one stay longer.
    pub fn add(&mut self, picture: &Picture) -> Result<(), RenderError> {
        if (picture.width, picture.height) != self.size {
            return Err(RenderError::Wish("the pictures of a film are of one size".into()));
        }
        let pixels: Vec<u8> = picture.bytes.as_chunks::<3>().0.iter().map(|p| self.palette.index(*p)).collect();
        if let Some(change) = self.change(&pixels) {
            let time = change.time;
            if let Some(before) = self.waiting.replace(change) {
                self.write(before, time)?;
            }
            self.shown = pixels;
        }
        self.count += 1;
        Ok(())
    }

    /// Ends the film.
    pub fn finish(mut self) -> Result<(), RenderError> {
        let end = self.time(self.count);
        match self.waiting.take() {
            Some(last) => self.write(last, end),
            None => Ok(()),
        }
    }

    /// When a picture appears [1/100 s]; rounded so that the film keeps time although single pictures do not.
    fn time(&self, picture: u64) -> u64 {
        (picture as f64 * 100.0 / self.fps).round() as u64
    }

    /// The rectangle around what differs from the screen; `None`: nothing does.
    fn change(&self, pixels: &[u8]) -> Option<Change> {
        let time = self.time(self.count);
        let (width, height) = self.size;
        if self.shown.is_empty() {
            return Some(Change { left: 0, top: 0, width, height, pixels: pixels.to_vec(), time });
        }
        let differs = |x: usize, y: usize| pixels[y * width + x] != self.shown[y * width + x];
        let rows = |y: &usize| (0..width).any(|x| differs(x, *y));
        let top = (0..height).find(rows)?;
        let bottom = (top..height).rev().find(rows)?;
        let columns = |x: &usize| (top..=bottom).any(|y| differs(*x, y));
        let left = (0..width).find(columns)?;
        let right = (left..width).rev().find(columns)?;
        let inside = (top..=bottom).flat_map(|y| (left..=right).map(move |x| (x, y)));
        let pixels = inside.map(|(x, y)| if differs(x, y) { pixels[y * width + x] } else { SAME }).collect();
        Some(Change { left, top, width: right - left + 1, height: bottom - top + 1, pixels, time })
    }

    fn write(&mut self, change: Change, until: u64) -> Result<(), RenderError> {
        let small = |a: usize| a.min(usize::from(u16::MAX)) as u16;
        let frame = Frame {
            delay: until.saturating_sub(change.time).clamp(1, u64::from(u16::MAX)) as u16,
            dispose: DisposalMethod::Keep,
            transparent: Some(SAME),
            left: small(change.left),
            top: small(change.top),
            width: small(change.width),
            height: small(change.height),
            buffer: Cow::Owned(change.pixels),
            ..Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(RenderError::file(&self.path))
    }
}
