//! What the sentences of a step cost, for those who ask: the clock never touches a result.

use std::time::Instant;

/// A sentence of the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Switches between rigid and soft, caches, fracture.
    Rewire,
    /// Who may touch whom.
    Detect,
    /// Forces, and the velocities that they lead to; implicit steps solve here.
    FreeMotion,
    /// Forces or impulses of contacts and joints.
    Contact,
    /// On to the next pose.
    Advance,
    /// Energy, momentum, events and checks.
    Report,
}

impl Stage {
    /// All of them, in the order of a step.
    pub const ALL: [Self; 6] =
        [Self::Rewire, Self::Detect, Self::FreeMotion, Self::Contact, Self::Advance, Self::Report];

    /// One word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Rewire => "rewire",
            Self::Detect => "detect",
            Self::FreeMotion => "free_motion",
            Self::Contact => "contact",
            Self::Advance => "advance",
            Self::Report => "report",
        }
    }
}

/// A clock that is read after every sentence; it stands still unless it is wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clock {
    wanted: bool,
    last: Option<Instant>,
    spent: [f64; 6],
}

impl Clock {
    /// Measures the frames to come, or not.
    pub fn set(&mut self, wanted: bool) {
        self.wanted = wanted;
    }

    /// A frame begins.
    pub(super) fn begin(&mut self) {
        self.last = self.wanted.then(Instant::now);
        self.spent = [0.0; 6];
    }

    /// A sentence has ended: the time since the one before was its.
    pub(super) fn lap(&mut self, stage: Stage) {
        let Some(last) = self.last else { return };
        let now = Instant::now();
        self.spent[stage as usize] += (now - last).as_secs_f64();
        self.last = Some(now);
    }

    /// Time that each stage took since the frame began [s], in the order of [`Stage::ALL`].
    pub(super) fn spent(&self) -> [f64; 6] {
        self.spent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_nobody_wants_stands_still() {
        let mut clock = Clock::default();
        clock.begin();
        clock.lap(Stage::Contact);
        assert_eq!(clock.spent(), [0.0; 6]);
    }

    #[test]
    fn the_time_since_the_last_sentence_belongs_to_the_next() {
        let mut clock = Clock::default();
        clock.set(true);
        clock.begin();
        let begin = Instant::now();
        while begin.elapsed().as_micros() < 200 {}
        clock.lap(Stage::FreeMotion);
        clock.lap(Stage::Report);
        let spent = clock.spent();
        assert!(spent[Stage::FreeMotion as usize] >= 2e-4 && spent[Stage::Contact as usize] == 0.0);
        clock.begin();
        assert_eq!(clock.spent(), [0.0; 6]);
    }
}
