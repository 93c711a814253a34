//! Fields of numbers as integers of one to three bytes, ready to be compressed.
//!
//! A component `a_i` becomes `k_i = round((a_i − a_0)/s)`; what is stored is the difference `k_i − k_{i−1}`, because
//! neighbours in number are neighbours in space, folded so that small means few high bits, and all lowest bytes first,
//! then all second bytes, and so on, so that the compressor sees the nearly empty bytes together.

use crate::bytes::Reader;
use crate::error::RecordError;
use kreisel::linear::Vectors;

/// Where the integers are put.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Range {
    /// From the smallest to the largest value: positions.
    Spanning,
    /// From minus to plus the largest magnitude, such that zero stays zero: velocities.
    AroundZero,
}

/// `a = origin + (k − bias) step`, `0 ≤ k ≤ most`.
struct Grid {
    origin: f64,
    step: f64,
    bias: f64,
    most: f64,
}

impl Grid {
    fn new(range: Range, bytes: usize, origin: f64, step: f64) -> Self {
        let most = ((1_u32 << (8 * bytes)) - 1) as f64;
        match range {
            Range::Spanning => Self { origin, step, bias: 0.0, most },
            Range::AroundZero => Self { origin, step, bias: (most - 1.0) / 2.0, most: most - 1.0 },
        }
    }

    /// The finest grid that reaches all values, or `None` if their range is not finite.
    fn covering(range: Range, bytes: usize, values: &[f64]) -> Option<Self> {
        let fold = |start: f64, pick: fn(f64, f64) -> f64| values.iter().copied().fold(start, pick);
        let (low, high) = (fold(f64::INFINITY, f64::min), fold(f64::NEG_INFINITY, f64::max));
        let mut grid = Self::new(range, bytes, 0.0, 0.0);
        if !values.is_empty() {
            (grid.origin, grid.step) = match range {
                Range::Spanning => (low, (high - low) / grid.most),
                Range::AroundZero => (0.0, high.max(-low) / grid.bias),
            };
        }
        (grid.origin.is_finite() && grid.step.is_finite()).then_some(grid)
    }

    fn index(&self, a: f64) -> u32 {
        if self.step == 0.0 {
            return self.bias as u32;
        }
        (((a - self.origin) / self.step).round() + self.bias).clamp(0.0, self.most) as u32
    }

    fn value(&self, k: u32) -> f64 {
        self.origin + (k as f64 - self.bias) * self.step
    }
}

/// Appends a field given by its three components, `bytes` per component; `false` if its range is not finite.
pub(crate) fn write_field(
    out: &mut Vec<u8>,
    component: impl Fn(usize) -> Vec<f64>,
    range: Range,
    bytes: usize,
) -> bool {
    (0..3).all(|axis| write_component(out, &component(axis), range, bytes))
}

fn write_component(out: &mut Vec<u8>, values: &[f64], range: Range, bytes: usize) -> bool {
    let Some(grid) = Grid::covering(range, bytes, values) else { return false };
    out.extend_from_slice(&grid.origin.to_le_bytes());
    out.extend_from_slice(&grid.step.to_le_bytes());
    let (start, n) = (out.len(), values.len());
    out.resize(start + bytes * n, 0);
    let planes = &mut out[start..];
    let mut previous = 0;
    for (i, &a) in values.iter().enumerate() {
        let k = grid.index(a);
        let folded = fold(k.wrapping_sub(previous), bytes).to_le_bytes();
        for (b, &byte) in folded.iter().take(bytes).enumerate() {
            planes[b * n + i] = byte;
        }
        previous = k;
    }
    true
}

/// Reads a field of `n` vectors written by [`write_field`].
pub(crate) fn read_field(from: &mut Reader, n: usize, range: Range, bytes: usize) -> Result<Vectors, RecordError> {
    let x = read_component(from, n, range, bytes)?;
    let y = read_component(from, n, range, bytes)?;
    let z = read_component(from, n, range, bytes)?;
    Ok(Vectors { x, y, z })
}

fn read_component(from: &mut Reader, n: usize, range: Range, bytes: usize) -> Result<Vec<f64>, RecordError> {
    let grid = Grid::new(range, bytes, from.f64()?, from.f64()?);
    if !(grid.value(0).is_finite() && grid.value(grid.most as u32).is_finite()) {
        return Err(from.malformed("a range is not finite"));
    }
    let planes = from.take(n.saturating_mul(bytes))?;
    let mask = (1_u32 << (8 * bytes)) - 1;
    let mut k = 0_u32;
    let mut values = Vec::with_capacity(n);
    for i in 0..n {
        let folded = (0..bytes).fold(0, |d, b| d | (planes[b * n + i] as u32) << (8 * b));
        k = k.wrapping_add(unfold(folded)) & mask;
        values.push(grid.value(k));
    }
    Ok(values)
}

/// Takes a difference modulo 2^(8·bytes) as signed and folds it: 0, −1, 1, −2, … become 0, 1, 2, 3, ….
fn fold(difference: u32, bytes: usize) -> u32 {
    let shift = 32 - 8 * bytes;
    let signed = ((difference << shift) as i32) >> shift;
    ((signed << 1) ^ (signed >> 31)) as u32
}

fn unfold(folded: u32) -> u32 {
    (folded >> 1) ^ (folded & 1).wrapping_neg()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn round_trip(values: Vec<f64>, range: Range, bytes: usize) -> Vec<f64> {
        let mut out = Vec::new();
        assert!(write_component(&mut out, &values, range, bytes));
        let mut reader = Reader::new("test", &out);
        let back = read_component(&mut reader, values.len(), range, bytes).unwrap();
        reader.end().unwrap();
        back
    }

    #[test]
    fn every_value_comes_back_within_half_a_step() {
        let values: Vec<f64> = (0..5000).map(|i| 3.0 + (i as f64 * 0.7).sin() * (i as f64 * 0.01).exp2()).collect();
        for (range, bytes) in
            [(Range::Spanning, 3), (Range::Spanning, 2), (Range::AroundZero, 2), (Range::AroundZero, 1)]
        {
            let step = Grid::covering(range, bytes, &values).unwrap().step;
            for (a, b) in values.iter().zip(round_trip(values.clone(), range, bytes)) {
                assert!((a - b).abs() <= 0.5001 * step, "{a} {b} {step}");
            }
        }
    }

    #[test]
    fn zero_velocity_stays_exactly_zero() {
        let back = round_trip(vec![0.0, 3.7, -1.1, 0.0], Range::AroundZero, 2);
        assert_eq!((back[0], back[3]), (0.0, 0.0));
        assert_eq!(round_trip(vec![0.0; 4], Range::AroundZero, 2), vec![0.0; 4]);
    }

    #[test]
    fn equal_and_tiny_and_no_values_survive() {
        assert_eq!(round_trip(vec![7.25; 3], Range::Spanning, 3), vec![7.25; 3]);
        assert!(round_trip(vec![], Range::Spanning, 3).is_empty());
        let back = round_trip(vec![0.0, 5e-324], Range::Spanning, 3);
        assert!(back.iter().all(|a| a.abs() <= 5e-324));
    }

    #[test]
    fn a_range_that_overflows_is_refused() {
        assert!(!write_component(&mut Vec::new(), &[-1.7e308, 1.7e308], Range::Spanning, 3));
        assert!(!write_component(&mut Vec::new(), &[f64::NEG_INFINITY, 1.0], Range::Spanning, 3));
    }
}
