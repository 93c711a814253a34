//! What the page says about the moment, in a few words and numbers.

use crate::session::hands::HandLook;
use serde::Serialize;

/// Time, speed, troubles.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Status {
    /// What is shown: "none", "live" or "recording".
    pub mode: &'static str,
    /// Name of the scene.
    pub scene: String,
    /// One line for people.
    pub title: String,
    /// Time [s].
    pub time: f64,
    /// Frames from the start.
    pub frame: u64,
    /// The latest frame that is known.
    pub latest: u64,
    /// How long the scene says it lasts [s].
    pub duration: f64,
    /// Time between frames [s].
    pub interval: f64,
    /// True while time goes on.
    pub running: bool,
    /// Wanted speed; 0: as fast as possible.
    pub speed: f64,
    /// Simulated over real time, as measured.
    pub pace: f64,
    /// Time that the last frame took [s].
    pub cost: f64,
    /// Steps in the last frame.
    pub substeps: u64,
    /// Contacts at the moment.
    pub contacts: usize,
    /// Energy [J].
    pub energy: f64,
    /// Residual of the ledger as a share of its turnover.
    pub residual: f64,
    /// Hash of the state, bit for bit; only while time stands still.
    pub hash: String,
    /// What went wrong, in plain words.
    pub error: Option<String>,
    /// What is wrong with the scene file on disk; the old scene goes on.
    pub problem: Option<String>,
    /// Line of that.
    pub line: Option<usize>,
    /// What hands hold.
    pub hands: Vec<HandLook>,
    /// Times of kept moments [s].
    pub snapshots: Vec<f64>,
    /// Entries of the journal.
    pub entries: usize,
    /// Memory of the history [bytes].
    pub memory: usize,
    /// Counts scenes that were opened.
    pub opened: u64,
}
