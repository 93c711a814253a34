//! What is plotted: panels one below the other with a common time axis.

/// A line of numbers over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// What it is called in the legend.
    pub name: String,
    /// Time [s] and number.
    pub points: Vec<(f64, f64)>,
    /// Number of its colour.
    pub colour: usize,
    /// Number of its dashes; 0: none.
    pub dashes: usize,
}

/// Lines in one pair of axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// What is shown.
    pub title: String,
    /// Unit of the numbers; empty: none.
    pub unit: String,
    /// The lines.
    pub series: Vec<Series>,
}

/// Panels one below the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// What it is about.
    pub title: String,
    /// The panels.
    pub panels: Vec<Panel>,
}

impl Chart {
    /// From when to when the lines go [s].
    pub(crate) fn times(&self) -> (f64, f64) {
        span(self.panels.iter().flat_map(|p| &p.series).flat_map(|s| &s.points).map(|p| p.0))
    }
}

impl Panel {
    /// Between which numbers the lines lie.
    pub(crate) fn values(&self) -> (f64, f64) {
        span(self.series.iter().flat_map(|s| &s.points).map(|p| p.1))
    }
}

/// The smallest and the largest of some numbers, never the same.
fn span(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = numbers.filter(|a| a.is_finite()).fold((f64::MAX, f64::MIN), |(l, h), a| (l.min(a), h.max(a)));
    if low > high {
        (0.0, 1.0)
    } else if high - low <= 1e-9 * low.abs().max(high.abs()) {
        // A line that does not move lies in the middle.
        let room = if high == 0.0 { 1.0 } else { 0.1 * high.abs() };
        (low - room, high + room)
    } else {
        (low, high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_line_and_no_line_have_a_range_too() {
        assert_eq!(span([].into_iter()), (0.0, 1.0));
        assert_eq!(span([0.0, 0.0].into_iter()), (-1.0, 1.0));
        assert_eq!(span([10.0, f64::NAN].into_iter()), (9.0, 11.0));
        assert_eq!(span([2.0, -1.0].into_iter()), (-1.0, 2.0));
    }
}
