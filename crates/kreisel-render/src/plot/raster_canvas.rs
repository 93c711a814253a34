//! Plots as pictures: lines by their distance from the middle of each pixel.

use crate::picture::Picture;
use crate::plot::canvas::{Anchor, Canvas, Letters, Place, Stroke};
use crate::text::Font;

/// Pixels of the picture per pixel of the plot.
const SCALE: f64 = 1.5;
/// Height of a line of text [pixels of the plot].
const LETTERS: f64 = 14.0;

/// A picture that is being drawn.
pub(crate) struct RasterCanvas {
    picture: Picture,
    /// How much of every pixel the line of the moment covers.
    cover: Vec<f32>,
}

impl RasterCanvas {
    pub(crate) fn new(width: f64, height: f64) -> Self {
        let (width, height) = ((width * SCALE) as usize, (height * SCALE) as usize);
        Self { picture: Picture::filled(width, height, [255; 3]), cover: vec![0.0; width * height] }
    }

    pub(crate) fn finish(self) -> Picture {
        self.picture
    }

    fn cover_segment(&mut self, a: Place, b: Place, radius: f64) {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let square = dx * dx + dy * dy;
        let range = |p: f64, q: f64, count: usize| {
            let from = (p.min(q) - radius - 1.0).max(0.0) as usize;
            from..((p.max(q) + radius + 2.0).max(0.0) as usize).min(count)
        };
        for y in range(a.1, b.1, self.picture.height) {
            for x in range(a.0, b.0, self.picture.width) {
                let (px, py) = (x as f64 + 0.5 - a.0, y as f64 + 0.5 - a.1);
                let s = if square > 0.0 { ((px * dx + py * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
                let distance = (px - s * dx).hypot(py - s * dy);
                let cover = &mut self.cover[y * self.picture.width + x];
                *cover = cover.max((radius + 0.5 - distance).clamp(0.0, 1.0) as f32);
            }
        }
    }

    /// Lays the line of the moment over the picture and forgets it.
    fn lay(&mut self, places: &[Place], radius: f64, colour: [u8; 3]) {
        let row = |y: f64| (y.max(0.0) as usize).min(self.picture.height);
        let low = places.iter().map(|p| p.1).fold(f64::MAX, f64::min) - radius - 2.0;
        let high = places.iter().map(|p| p.1).fold(0.0, f64::max) + radius + 3.0;
        let width = self.picture.width;
        for at in row(low) * width..row(high) * width {
            let cover = std::mem::take(&mut self.cover[at]);
            if cover > 0.0 {
                self.picture.blend((at % width) as i64, (at / width) as i64, colour, f64::from(cover));
            }
        }
    }
}

impl Canvas for RasterCanvas {
    fn line(&mut self, places: &[Place], stroke: Stroke) {
        let places: Vec<Place> = places.iter().map(|p| (p.0 * SCALE, p.1 * SCALE)).collect();
        let radius = 0.5 * stroke.width * SCALE;
        let dashes: Vec<f64> = stroke.dashes.iter().map(|d| d * SCALE).collect();
        for (a, b) in dashed(&places, &dashes) {
            self.cover_segment(a, b, radius);
        }
        self.lay(&places, radius, bytes(stroke.colour));
    }

    fn text(&mut self, at: Place, text: &str, letters: Letters) {
        let font = Font::new(LETTERS * SCALE, letters.bold);
        let (x, y) = ((at.0 * SCALE) as i64, (at.1 * SCALE) as i64);
        let (width, half) = (font.width(text) as i64, font.line() as i64 / 2);
        let colour = bytes(letters.colour);
        match letters.anchor {
            Anchor::Start => font.draw(&mut self.picture, (x, y - half), text, colour),
            Anchor::Middle => font.draw(&mut self.picture, (x - width / 2, y - half), text, colour),
            Anchor::End => font.draw(&mut self.picture, (x - width, y - half), text, colour),
            Anchor::Upwards => font.draw_upwards(&mut self.picture, (x - half, y + width / 2), text, colour),
        }
    }
}

fn bytes(hex: u32) -> [u8; 3] {
    [16, 8, 0].map(|shift| ((hex >> shift) & 255) as u8)
}

/// The segments of a line, or the dashes along it.
fn dashed(places: &[Place], dashes: &[f64]) -> Vec<(Place, Place)> {
    let segments = places.windows(2).map(|w| (w[0], w[1]));
    if dashes.is_empty() {
        return segments.collect();
    }
    let (mut drawn, mut which, mut left) = (Vec::new(), 0, dashes[0]);
    for (a, b) in segments {
        let length = (b.0 - a.0).hypot(b.1 - a.1);
        let mut from = 0.0;
        while from < length {
            let to = (from + left).min(length);
            let at = |s: f64| (a.0 + (b.0 - a.0) * s / length, a.1 + (b.1 - a.1) * s / length);
            if which % 2 == 0 {
                drawn.push((at(from), at(to)));
            }
            left -= to - from;
            from = to;
            if left <= 1e-9 {
                which += 1;
                left = dashes[which % dashes.len()].max(0.5);
            }
        }
    }
    drawn
}
