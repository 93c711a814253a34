//! A palette of few colours for many: median cut over a histogram, and the nearest of them for any colour.

use crate::picture::Picture;

/// Bits per channel of the histogram and of the table of nearest colours.
const BITS: u32 = 6;
/// Entries of such a table.
const CELLS: usize = 1 << (3 * BITS);

/// Few colours that stand for many.
#[derive(Clone, Debug)]
pub(crate) struct Palette {
    /// The colours.
    pub(crate) colours: Vec<[u8; 3]>,
    /// For every coarse colour the nearest of the palette, or [`UNKNOWN`].
    nearest: Vec<u16>,
}

const UNKNOWN: u16 = u16::MAX;

/// A box of colours with the number of pixels of each.
struct Bin {
    entries: Vec<([u8; 3], u64)>,
}

impl Bin {
    /// How much would be gained by splitting it, along which channel: pixels times the square of its extent.
    fn worth(&self) -> (f64, usize) {
        let extent = |c: usize| {
            let values = self.entries.iter().map(|(colour, _)| colour[c]);
            let (low, high) = values.fold((255, 0), |(l, h): (u8, u8), v| (l.min(v), h.max(v)));
            high.saturating_sub(low)
        };
        let channel = (0..3).max_by_key(|&c| (extent(c), 2 - c)).unwrap_or(0);
        let pixels: u64 = self.entries.iter().map(|e| e.1).sum();
        // Small things count too: a film's sky must not take all colours.
        ((pixels as f64).powf(0.4) * f64::from(extent(channel)).powi(2), channel)
    }

    /// Splits it where half of its pixels lie on either side.
    fn split(mut self, channel: usize) -> [Self; 2] {
        self.entries.sort_by_key(|(colour, _)| (colour[channel], *colour));
        let all: u64 = self.entries.iter().map(|e| e.1).sum();
        let mut sum = 0;
        let half = self.entries.iter().position(|e| {
            sum += e.1;
            2 * sum >= all
        });
        let at = (half.unwrap_or(0) + 1).clamp(1, self.entries.len().saturating_sub(1).max(1));
        let rest = self.entries.split_off(at);
        [self, Self { entries: rest }]
    }

    fn mean(&self) -> [u8; 3] {
        let all = self.entries.iter().map(|e| e.1).sum::<u64>().max(1);
        [0, 1, 2].map(|c| (self.entries.iter().map(|(k, n)| u64::from(k[c]) * n).sum::<u64>() / all) as u8)
    }
}

impl Palette {
    /// The palette of some pictures, of at most `count` colours.
    pub(crate) fn new(pictures: &[Picture], count: usize) -> Self {
        let mut histogram = vec![(0u64, [0u64; 3]); CELLS];
        for pixel in pictures.iter().flat_map(|p| p.bytes.as_chunks::<3>().0) {
            let (number, sum) = &mut histogram[cell(*pixel)];
            *number += 1;
            (0..3).for_each(|c| sum[c] += u64::from(pixel[c]));
        }
        let used = histogram.into_iter().filter(|(n, _)| *n > 0);
        let entries = used.map(|(n, sum)| (sum.map(|s| (s / n) as u8), n)).collect();
        let mut bins = vec![Bin { entries }];
        while bins.len() < count {
            let splittable = bins.iter().enumerate().filter(|(_, b)| b.entries.len() > 1);
            let best = splittable.map(|(i, b)| (i, b.worth())).max_by(|a, b| a.1.0.total_cmp(&b.1.0));
            let Some((i, (_, channel))) = best else { break };
            let bin = bins.swap_remove(i);
            bins.extend(bin.split(channel));
        }
        let colours = bins.iter().filter(|b| !b.entries.is_empty()).map(Bin::mean).collect();
        Self { colours, nearest: vec![UNKNOWN; CELLS] }
    }

    /// Number of the nearest colour.
    pub(crate) fn index(&mut self, colour: [u8; 3]) -> u8 {
        let at = cell(colour);
        if self.nearest[at] == UNKNOWN {
            let distance = |k: &[u8; 3]| {
                let d = [0, 1, 2].map(|c| i32::from(k[c]) - i32::from(middle(colour[c])));
                // Green counts most, blue least, as for the eye.
                3 * d[0] * d[0] + 6 * d[1] * d[1] + 2 * d[2] * d[2]
            };
            let nearest = self.colours.iter().enumerate().min_by_key(|(_, k)| distance(k));
            self.nearest[at] = nearest.map_or(0, |(i, _)| i as u16);
        }
        self.nearest[at] as u8
    }
}

/// The middle of a coarse colour.
fn middle(value: u8) -> u8 {
    (value >> (8 - BITS) << (8 - BITS)) + (1 << (8 - BITS)) / 2
}

fn cell(colour: [u8; 3]) -> usize {
    let [r, g, b] = colour.map(|c| (c >> (8 - BITS)) as usize);
    (r << (2 * BITS)) | (g << BITS) | b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_as_they_are_and_many_are_met_nearly() {
        let mut few = Picture::filled(4, 4, [10, 200, 30]);
        few.blend(2, 2, [250, 0, 0], 1.0);
        let mut palette = Palette::new(&[few], 255);
        assert_eq!(palette.colours.len(), 2);
        let red = palette.index([250, 0, 0]);
        assert_eq!(palette.colours[red as usize], [250, 0, 0]);
        let bytes = (0..64 * 64).flat_map(|i| [(i % 64 * 4) as u8, (i / 64 * 4) as u8, 128]).collect();
        let many = Picture { width: 64, height: 64, bytes };
        let mut palette = Palette::new(std::slice::from_ref(&many), 255);
        assert!(palette.colours.len() > 200 && palette.colours.len() <= 255);
        for pixel in many.bytes.as_chunks::<3>().0 {
            let index = palette.index(*pixel);
            let found = palette.colours[index as usize];
            assert!((0..3).all(|c| found[c].abs_diff(pixel[c]) <= 24), "{pixel:?} {found:?}");
        }
    }
}
