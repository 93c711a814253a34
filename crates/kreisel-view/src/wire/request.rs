//! What the page may ask for: small JSON texts, read strictly.

use crate::session::action::Action;
use serde::Deserialize;

/// A request.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// Which sections are wanted: bits of [`crate::wire::wants`].
    Want {
        /// The bits.
        bits: u32,
    },
    /// The controls, please.
    Take,
    /// The holder gives the controls to whoever asks.
    Give,
    /// The holder keeps them.
    Keep,
    /// Comes back in the next message, to measure how long that takes.
    Ping {
        /// Any number.
        number: u32,
    },
    /// A scene that comes with Kreisel, by name.
    Open {
        /// Its name.
        scene: String,
    },
    /// Close the scene and show the gallery.
    Close,
    /// Let time go on.
    Run,
    /// Hold time.
    Pause,
    /// One frame forward.
    Step,
    /// One frame back.
    Back,
    /// Any frame.
    Seek {
        /// Its number.
        frame: u64,
    },
    /// How fast time goes, 1: as clocks do; 0: as fast as possible.
    Speed {
        /// Simulated time over time.
        factor: f64,
    },
    /// Back to the start, with nothing done.
    Reset,
    /// Keep the moment under a number.
    Snapshot,
    /// Go back to a kept moment.
    Restore {
        /// Its number, from 0.
        number: usize,
    },
    /// Do something to the scene.
    Act {
        /// What.
        action: Action,
    },
}

impl Request {
    /// Reads a request; the error says what is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|e| format!("this is no request: {e}"))
    }

    /// True if only the holder of the controls may ask this.
    pub fn needs_control(&self) -> bool {
        !matches!(self, Self::Want { .. } | Self::Take | Self::Give | Self::Keep | Self::Ping { .. })
    }
}
