//! A bucket of tokens: who asks too often is told to go.

use std::time::Instant;

/// Requests per second in the long run.
const RATE: f64 = 400.0;
/// Requests at once.
const BURST: f64 = 800.0;

/// The allowance of one client.
#[derive(Debug)]
pub struct Allowance {
    left: f64,
    at: Instant,
}

impl Allowance {
    /// A full allowance.
    pub fn new(now: Instant) -> Self {
        Self { left: BURST, at: now }
    }

    /// Takes one; false if there is none left.
    pub fn take(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.at = now;
        self.left = (self.left + RATE * passed).min(BURST) - 1.0;
        self.left >= 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_steady_hand_is_let_in_and_a_flood_is_not() {
        let begin = Instant::now();
        let mut steady = Allowance::new(begin);
        assert!((0..10_000).all(|i| steady.take(begin + Duration::from_millis(3 * i))));
        let mut flood = Allowance::new(begin);
        assert!((0..2000).any(|_| !flood.take(begin)));
    }
}
