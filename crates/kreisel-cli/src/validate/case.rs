//! What a case is.

use super::check::Checks;

/// How thorough to be.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// A cheaper subset, for every change: the same physics with fewer variants and shorter runs.
    pub quick: bool,
}

impl Settings {
    /// The first of two in a quick run, the second otherwise.
    pub fn pick<T>(&self, quick: T, thorough: T) -> T {
        if self.quick { quick } else { thorough }
    }
}

/// A known answer: a scene, a reference, measures and tolerances.
#[derive(Debug)]
pub struct Case {
    /// What it is called on the command line.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// What it is compared with, and whose that is; keys are those of `book/src/bibliography.md`.
    pub reference: &'static str,
    /// Runs it; an error means that it could not be finished.
    pub run: fn(&Settings, &mut Checks) -> Result<(), String>,
}
