//! One figure beside its reference, and the list of them that a case makes.

use std::time::Instant;

/// A measured figure; it passes if it is within `tolerance` of `reference`.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// The case it belongs to.
    pub case: &'static str,
    /// What was measured.
    pub measure: String,
    /// What came out.
    pub value: f64,
    /// What should come out.
    pub reference: f64,
    /// By how much it may differ, in the units of the value.
    pub tolerance: f64,
    /// Why so much.
    pub reason: String,
    /// What it took [s].
    pub seconds: f64,
    /// True if the value is made of times, which another machine, or the same one tomorrow, would not give.
    pub is_of_this_machine: bool,
}

impl Check {
    /// True if value and reference agree; a value that is no number never does.
    pub fn passes(&self) -> bool {
        (self.value - self.reference).abs() <= self.tolerance
    }
}

/// The checks of a case so far, with the time that each has taken.
#[derive(Debug)]
pub struct Checks {
    case: &'static str,
    since: Instant,
    /// The checks, in the order in which they were made.
    pub done: Vec<Check>,
}

impl Checks {
    /// No checks yet.
    pub fn new(case: &'static str) -> Self {
        Self { case, since: Instant::now(), done: Vec::new() }
    }

    /// The value must be within an absolute tolerance of the reference.
    pub fn near(&mut self, measure: impl Into<String>, value: f64, reference: f64, tolerance: f64, reason: &str) {
        let seconds = self.since.elapsed().as_secs_f64();
        self.since = Instant::now();
        let (measure, reason) = (measure.into(), reason.to_string());
        self.done.push(Check {
            case: self.case,
            measure,
            value,
            reference,
            tolerance,
            reason,
            seconds,
            is_of_this_machine: false,
        });
    }

    /// The value must be within a share of the reference.
    pub fn within(&mut self, measure: impl Into<String>, value: f64, reference: f64, share: f64, reason: &str) {
        self.near(measure, value, reference, share * reference.abs(), reason);
    }

    /// A value that is never negative must not exceed a limit: reference 0, tolerance the limit.
    pub fn at_most(&mut self, measure: impl Into<String>, value: f64, limit: f64, reason: &str) {
        self.near(measure, value, 0.0, limit, reason);
    }

    /// Like `at_most`, for a value that is made of times.
    pub fn takes_at_most(&mut self, measure: impl Into<String>, value: f64, limit: f64, reason: &str) {
        self.at_most(measure, value, limit, reason);
        self.done.iter_mut().last().into_iter().for_each(|check| check.is_of_this_machine = true);
    }

    /// The case could not be finished: a check that fails and says why.
    pub fn broke_off(&mut self, why: &str) {
        self.near(format!("could not be finished: {why}"), f64::NAN, 0.0, 0.0, "a case must run");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_passes_up_to_its_tolerance_and_not_beyond() {
        let mut checks = Checks::new("test");
        checks.near("inside", 1.5, 1.0, 0.5, "");
        checks.near("outside", 1.6, 1.0, 0.5, "");
        checks.within("a share", -103.0, -100.0, 0.02, "");
        checks.at_most("a limit", 0.3, 0.3, "");
        checks.broke_off("no number");
        let verdicts: Vec<bool> = checks.done.iter().map(Check::passes).collect();
        assert_eq!(verdicts, [true, false, false, true, false]);
    }
}
