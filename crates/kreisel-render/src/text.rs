//! Text in pictures: Noto Sans Mono, drawn beforehand.

use crate::picture::Picture;
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};

/// Size and weight of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Font {
    height: RasterHeight,
    weight: FontWeight,
}

impl Font {
    /// The font nearest to a height of a line [pixels].
    pub fn new(height: f64, bold: bool) -> Self {
        let sizes = [RasterHeight::Size16, RasterHeight::Size20, RasterHeight::Size24, RasterHeight::Size32];
        let nearest = |a: &RasterHeight, b: &RasterHeight| {
            (a.val() as f64 - height).abs().total_cmp(&(b.val() as f64 - height).abs())
        };
        let height = sizes.into_iter().min_by(nearest).unwrap_or(RasterHeight::Size16);
        Self { height, weight: if bold { FontWeight::Bold } else { FontWeight::Regular } }
    }

    /// Height of a line [pixels].
    pub fn line(self) -> usize {
        self.height.val()
    }

    /// Width of a text [pixels].
    pub fn width(self, text: &str) -> usize {
        text.chars().count() * get_raster_width(self.weight, self.height)
    }

    /// Draws a text with its upper left corner at a pixel.
    pub fn draw(self, picture: &mut Picture, at: (i64, i64), text: &str, colour: [u8; 3]) {
        self.each_pixel(text, |x, y, cover| picture.blend(at.0 + x, at.1 + y, colour, cover));
    }

    /// Draws a text that runs upwards, its beginning at the lower left corner of the place.
    pub fn draw_upwards(self, picture: &mut Picture, at: (i64, i64), text: &str, colour: [u8; 3]) {
        self.each_pixel(text, |x, y, cover| picture.blend(at.0 + y, at.1 - x, colour, cover));
    }

    /// Calls `paint(x, y, cover)` for every pixel with ink, `x` and `y` from the upper left corner.
    fn each_pixel(self, text: &str, mut paint: impl FnMut(i64, i64, f64)) {
        let step = get_raster_width(self.weight, self.height);
        for (k, letter) in text.chars().enumerate() {
            let known = get_raster(plain(letter), self.weight, self.height);
            let Some(glyph) = known.or_else(|| get_raster('?', self.weight, self.height)) else { continue };
            for (y, row) in glyph.rows().enumerate() {
                for (x, &ink) in row.iter().enumerate().filter(|(_, ink)| **ink > 0) {
                    paint((k * step + x) as i64, y as i64, f64::from(ink) / 255.0);
                }
            }
        }
    }
}

/// The nearest letter that the font has.
fn plain(letter: char) -> char {
    match letter {
        '−' | '–' | '—' | '‑' => '-',
        'μ' => 'µ',
        '’' | '‘' => '\'',
        '“' | '”' | '„' => '"',
        '…' => '.',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_puts_ink_inside_its_width_and_nowhere_else() {
        let font = Font::new(16.0, false);
        let mut picture = Picture::filled(100, 30, [255; 3]);
        font.draw(&mut picture, (10, 5), "t = 2 µs", [0; 3]);
        let inked = |x: usize, y: usize| picture.pixel(x, y) != [255; 3];
        let all: Vec<usize> = (0..100).filter(|&x| (0..30).any(|y| inked(x, y))).collect();
        assert!(all.len() > 20 && all[0] >= 10 && *all.last().unwrap_or(&0) < 10 + font.width("t = 2 µs"));
        font.draw(&mut picture, (95, 25), "outside", [0; 3]);
        font.draw_upwards(&mut picture, (-5, 3), "outside", [0; 3]);
    }
}
