//! Rows: the numbers of a frame that do not grow with the elements, exact. The tables are written from them.

use crate::error::RecordError;
use kreisel::model::{Event, Ledger, State};
use serde::{Deserialize, Serialize};

/// Time, ledger, probes and events of one frame, bit for bit as they were.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Time [s].
    pub time: f64,
    /// Steps taken so far.
    pub steps: u64,
    /// Number of contact connections.
    pub contacts: u64,
    /// Energy and momentum accounts.
    pub ledger: Ledger,
    /// Probe values, one per probe column.
    pub probes: Vec<f64>,
    /// What happened since the frame before.
    pub events: Vec<Event>,
}

impl Row {
    /// The row of a frame; refuses numbers that are not finite.
    pub(crate) fn new(state: &State, events: &[Event], probes: &[f64]) -> Result<Self, RecordError> {
        let row = Self {
            time: state.time,
            steps: state.steps,
            contacts: state.contacts.len() as u64,
            ledger: state.ledger,
            probes: probes.to_vec(),
            events: events.to_vec(),
        };
        match row.first_not_finite() {
            Some(what) => Err(RecordError::NotFinite { what, time: row.time }),
            None => Ok(row),
        }
    }

    /// What is not finite in it, in words.
    pub(crate) fn first_not_finite(&self) -> Option<String> {
        if !self.time.is_finite() {
            return Some("the time".into());
        }
        if let Some((name, _)) = self.ledger.entries().into_iter().find(|(_, a)| !a.is_finite()) {
            return Some(format!("the ledger's {name}"));
        }
        if let Some((name, _)) = self.ledger.momenta().into_iter().find(|(_, a)| !a.is_finite()) {
            return Some(format!("the ledger's {name}"));
        }
        if let Some(i) = self.probes.iter().position(|a| !a.is_finite()) {
            return Some(format!("probe column {}", i + 1));
        }
        let bad = |e: &&Event| !(e.time.is_finite() && e.place.is_finite() && e.energy.is_finite());
        self.events.iter().find(bad).map(|e| format!("the event \"{} {}\"", e.kind.word(), e.kind.detail()))
    }
}
