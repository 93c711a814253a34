//! A recording that is shown: any frame, at any speed, untouchable.

use crate::session::measure::{Measured, Measures, recorded_work};
use crate::session::touching::Touching;
use kreisel::model::Model;
use kreisel_record::{Frame, RecordError, Recording};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Rows that are read for plots at most.
const MOST_ROWS: usize = 3000;

/// A recording and the frame that is shown.
#[derive(Debug)]
pub struct Film {
    recording: Recording,
    /// The model.
    pub model: Model,
    /// The frame that is shown.
    pub shown: Frame,
    /// Its number.
    pub frame: u64,
    /// Counts jumps in time.
    pub jumps: u64,
    /// Counts changes of who carries what.
    pub epoch: u64,
}

impl Film {
    /// Opens a recording.
    pub fn open(path: &Path, measures: &Arc<Mutex<Measures>>) -> Result<Self, String> {
        let mut recording = Recording::open(path).map_err(|e| e.to_string())?;
        let model = recording.model().map_err(|e| e.to_string())?;
        let model = model.ok_or("the recording has no model: run the scene again with `kreisel run`")?;
        if recording.is_empty() {
            return Err("the recording has no frames".into());
        }
        let shown = recording.frame(0).map_err(|e| e.to_string())?;
        let mut film = Self { recording, model, shown, frame: 0, jumps: 0, epoch: 0 };
        film.read_rows(measures).map_err(|e| e.to_string())?;
        Ok(film)
    }

    /// The last frame.
    pub fn latest(&self) -> u64 {
        self.recording.len() as u64 - 1
    }

    /// What the scene was called.
    pub fn scene(&self) -> &str {
        &self.recording.header().scene
    }

    /// Goes to a frame.
    pub fn seek(&mut self, frame: u64) -> Result<(), String> {
        let frame = frame.min(self.latest());
        let next = self.recording.frame(frame as usize).map_err(|e| e.to_string())?;
        if frame != self.frame + 1 && frame != self.frame {
            self.jumps += 1;
        }
        if next.owner != self.shown.owner {
            self.epoch += 1;
        }
        (self.shown, self.frame) = (next, frame);
        Ok(())
    }

    /// Contacts of the frame: a recording knows where they are and how they push, and no more.
    pub fn contacts(&self) -> Vec<Touching> {
        let all = self.shown.contact_forces.iter();
        all.map(|c| Touching { point: c.point, force: c.force, ..Touching::default() }).collect()
    }

    fn read_rows(&mut self, measures: &Arc<Mutex<Measures>>) -> Result<(), RecordError> {
        let Ok(mut table) = measures.lock() else { return Ok(()) };
        table.begin(&self.model);
        let stride = self.recording.len().div_ceil(MOST_ROWS).max(1);
        for i in (0..self.recording.len()).step_by(stride) {
            let row = self.recording.row(i)?;
            table.add(&Measured {
                frame: i as u64,
                time: row.time,
                ledger: &row.ledger,
                probes: &row.probes,
                work: recorded_work(row.contacts),
                events: &row.events,
            });
        }
        Ok(())
    }
}
