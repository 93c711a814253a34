//! What can be wrong with a setup: where, what, and what to do.

use crate::model::Region;
use std::fmt;

/// A setup that cannot be built.
#[derive(Clone, Debug, PartialEq)]
pub struct BuildError {
    /// Where in the setup, e.g. `body[2].rigid`.
    pub path: String,
    /// What is wrong, with the facts.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl BuildError {
    /// An error at a place of the setup.
    pub fn new(path: &str, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into(), help: help.into() }
    }

    /// A region that selects nothing.
    pub fn empty(path: &str, region: &Region) -> Self {
        Self::new(
            path,
            format!("the region selects no element: {region}"),
            "regions are in world coordinates of the start configuration; check the numbers against the body's place",
        )
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.path, self.message, self.help)
    }
}

impl std::error::Error for BuildError {}
