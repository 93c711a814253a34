//! Axes: where the marks are, and how the numbers are written.

use crate::captions::with_prefix;

/// Units that take prefixes.
const PREFIXED: [&str; 5] = ["m", "m/s", "N", "Pa", "J"];

/// An axis from one number to another.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Axis {
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Marks and what is written at them.
    pub(crate) marks: Vec<(f64, String)>,
    /// Unit with the prefix that the numbers at the marks are in.
    pub(crate) unit: String,
}

impl Axis {
    /// An axis with about `count` marks at round numbers; `grow` moves its ends to marks.
    pub(crate) fn new((low, high): (f64, f64), unit: &str, count: usize, grow: bool) -> Self {
        let step = round_step((high - low) / count.max(1) as f64);
        let (first, last) = match grow {
            true => ((low / step + 1e-9).floor() as i64, (high / step - 1e-9).ceil() as i64),
            false => ((low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64),
        };
        let (low, high) = if grow { (first as f64 * step, last as f64 * step) } else { (low, high) };
        let largest = low.abs().max(high.abs());
        let (factor, unit) = match PREFIXED.contains(&unit) {
            true => with_prefix(unit, largest),
            false => (1.0, unit.to_string()),
        };
        let last = last.min(first.saturating_add(50));
        let marks = (first..=last).map(|k| (k as f64 * step, written(k as f64 * step * factor, step * factor)));
        Self { low, high, marks: marks.collect(), unit }
    }

    /// Where a number lies between the ends, 0 to 1.
    pub(crate) fn share(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }
}

/// 1, 2 or 5 times a power of ten, at least `rough`.
fn round_step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.max(1e-300).log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|s| s * power).find(|s| *s >= rough * 0.999).unwrap_or(10.0 * power)
}

/// A number with as many digits as the step needs.
fn written(value: f64, step: f64) -> String {
    let value = if value.abs() < 1e-9 * step { 0.0 } else { value };
    if value.abs() >= 1e5 || step < 1e-4 {
        return if value == 0.0 { "0".into() } else { format!("{value:.1e}") };
    }
    let digits = (-(step * 1.0001).log10().floor()).max(0.0) as usize;
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_hold_the_numbers_between_them() {
        let axis = Axis::new((-0.013, 0.0272), "m", 5, true);
        let texts: Vec<&str> = axis.marks.iter().map(|m| m.1.as_str()).collect();
        assert_eq!((texts, axis.unit.as_str()), (vec!["-20", "-10", "0", "10", "20", "30"], "mm"));
        assert!(axis.low <= -0.013 && axis.high >= 0.0272);
        let time = Axis::new((0.0, 1.2), "s", 6, false);
        assert_eq!(time.marks.first().map(|m| m.1.as_str()), Some("0.0"));
        assert_eq!((time.low, time.high, time.marks.len()), (0.0, 1.2, 7));
        assert_eq!(Axis::new((0.0, 3.1e9), "kg m/s", 4, true).marks[1].1, "1.0e9");
    }
}
