//! The directory of a run: the recording, the tables, the summary.

use crate::error::RecordError;
use crate::header::Header;
use crate::recorder::{FrameInput, Recorder};
use crate::recording::Recording;
use crate::summary::Summary;
use crate::table::Tables;
use kreisel::model::{Model, State};
use std::path::{Path, PathBuf};

/// Name of the recording within the directory.
pub const RECORDING: &str = "recording.kreisel";
/// Name of the summary within the directory.
pub const SUMMARY: &str = "summary.json";

/// The directory of a run that is going on: `recording.kreisel`, `probes.csv`, `ledger.csv`, `events.csv`, and at the
/// end `summary.json`.
#[derive(Debug)]
pub struct RunDirectory {
    directory: PathBuf,
    recorder: Recorder,
    tables: Tables,
}

impl RunDirectory {
    /// Begins a run; makes the directory if there is none and replaces what an earlier run left in it.
    pub fn create(directory: &Path, header: Header) -> Result<Self, RecordError> {
        std::fs::create_dir_all(directory).map_err(RecordError::file(directory))?;
        let recorder = Recorder::create(&directory.join(RECORDING), header)?;
        remove_summary(directory)?;
        let tables = Tables::create(directory, recorder.header())?;
        Ok(Self { directory: directory.to_path_buf(), recorder, tables })
    }

    /// Writes the model, once, before the first frame.
    pub fn model(&mut self, model: &Model) -> Result<(), RecordError> {
        self.recorder.model(model)
    }

    /// Goes on with a run from its last keyframe, whose state it returns.
    ///
    /// What was recorded after the keyframe is dropped, and the tables are written anew from the rows of the recording,
    /// so that in the end they are those of a run that was never interrupted.
    pub fn resume(directory: &Path) -> Result<(Self, State), RecordError> {
        Self::resume_at(directory, f64::INFINITY)
    }

    /// Goes on with a run from its last keyframe at or before a time [s].
    pub fn resume_at(directory: &Path, latest: f64) -> Result<(Self, State), RecordError> {
        let path = directory.join(RECORDING);
        let (recorder, state) = Recorder::append_at(&path, latest)?;
        remove_summary(directory)?;
        let mut tables = Tables::create(directory, recorder.header())?;
        for row in Recording::open(&path)?.rows() {
            tables.append(&row?)?;
        }
        Ok((Self { directory: directory.to_path_buf(), recorder, tables }, state))
    }

    /// Header of the recording.
    pub fn header(&self) -> &Header {
        self.recorder.header()
    }

    /// The recording that is being written.
    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// Writes a frame to the recording and its rows to the tables. A frame that is refused is in neither.
    pub fn frame(&mut self, input: &FrameInput) -> Result<(), RecordError> {
        let row = self.recorder.row(input)?;
        self.recorder.row_and_frame(&row, input)?;
        self.tables.append(&row)
    }

    /// Writes the full state: from here the run can be resumed.
    pub fn keyframe(&mut self, state: &State) -> Result<(), RecordError> {
        self.recorder.keyframe(state)
    }

    /// Ends the run with a keyframe of its last recorded state and the summary.
    pub fn finish(self, state: &State, summary: &Summary) -> Result<(), RecordError> {
        self.recorder.finish(state)?;
        summary.write(&self.directory.join(SUMMARY))
    }
}

/// A summary of an earlier run must not stand beside the recording of this one.
fn remove_summary(directory: &Path) -> Result<(), RecordError> {
    let path = directory.join(SUMMARY);
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(RecordError::file(&path)(error)),
        _ => Ok(()),
    }
}
