//! The summary of a run: `summary.json`.

use crate::contacting::Contacting;
use crate::error::RecordError;
use crate::header::Header;
use crate::process::{cpu_seconds, peak_bytes};
use crate::solving::Solving;
use crate::state::state_hash;
use kreisel::model::State;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What a run came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Name of the scene, or path it was read from.
    pub scene: String,
    /// How it ended: `done`, `interrupted`, or what failed.
    pub status: String,
    /// Simulated time [s].
    pub time: f64,
    /// Steps taken, substeps included.
    pub steps: u64,
    /// Frames taken.
    pub frames: u64,
    /// Processor time of all threads [s].
    pub cpu_seconds: f64,
    /// Time on the clock on the wall [s].
    pub wall_seconds: f64,
    /// Simulated time per time on the wall [1].
    pub real_time_factor: f64,
    /// Number of elements.
    pub elements: u64,
    /// Number of connections.
    pub connections: u64,
    /// Largest memory of the process [bytes]; 0 where the system does not tell.
    pub peak_bytes: u64,
    /// Yardstick of the residual [J].
    pub turnover: f64,
    /// Energy that the numerics invented (+) or lost (−) [J].
    pub residual: f64,
    /// The word for the integrator, as in a scene file.
    #[serde(default)]
    pub integrator: String,
    /// Why it was taken.
    #[serde(default)]
    pub integrator_reason: String,
    /// What implicit steps have cost; nothing if steps were explicit.
    #[serde(default)]
    pub implicit: Option<Solving>,
    /// What contact problems have cost; nothing under other laws than `constraint`.
    #[serde(default)]
    pub contact: Option<Contacting>,
    /// Hash of the exact bits of the last state, 16 hexadecimal digits.
    pub state_hash: String,
    /// What the user should know.
    pub warnings: Vec<String>,
}

impl Summary {
    /// The summary of a run that reached `state` from `start` [s] in `wall_seconds` [s].
    pub fn new(header: &Header, state: &State, status: &str, start: f64, wall_seconds: f64) -> Self {
        let real_time_factor = if wall_seconds > 0.0 { (state.time - start) / wall_seconds } else { 0.0 };
        Self {
            scene: header.scene.clone(),
            status: status.into(),
            time: state.time,
            steps: state.steps,
            frames: state.frames,
            cpu_seconds: cpu_seconds(),
            wall_seconds,
            real_time_factor,
            elements: header.elements() as u64,
            connections: header.connections,
            peak_bytes: peak_bytes(),
            turnover: state.ledger.turnover,
            residual: state.ledger.residual,
            integrator: String::new(),
            integrator_reason: String::new(),
            implicit: None,
            contact: None,
            state_hash: format!("{:016x}", state_hash(state)),
            warnings: Vec::new(),
        }
    }

    /// As JSON, for people and programs.
    pub fn to_json(&self) -> Result<String, RecordError> {
        serde_json::to_string_pretty(self).map_err(|e| RecordError::malformed("the summary", e))
    }

    /// Writes it to a file, whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), RecordError> {
        let beside = path.with_extension("json.part");
        std::fs::write(&beside, self.to_json()? + "\n").map_err(RecordError::file(&beside))?;
        std::fs::rename(&beside, path).map_err(RecordError::file(path))
    }
}
