//! What an exporter is given: the model, the chosen frames, and the names.

use crate::error::ExportError;
use crate::{Options, place, sample};
use kreisel::model::Model;
use kreisel::readout::dress::dress;
use kreisel_record::{Frame, Recording};
use std::path::Path;
use std::sync::Arc;

/// A recording seen by an exporter of shapes.
#[derive(Debug)]
pub struct Story<'a> {
    recording: &'a mut Recording,
    /// The model; what is read from a recording has been checked.
    pub model: Arc<Model>,
    /// Numbers of the frames to export, ascending.
    pub frames: Vec<usize>,
    /// Frames per second of the export, for formats that count frames.
    pub rate: f64,
    /// Name for files.
    pub name: String,
    /// Only this body.
    pub body: Option<String>,
}

impl<'a> Story<'a> {
    /// Looks at a recording with the eyes of these options.
    pub fn new(recording: &'a mut Recording, options: &Options) -> Result<Self, ExportError> {
        let mut model = recording.model()?.ok_or(ExportError::NoModel)?;
        dress(&mut model);
        let frames = match options.format.is_still() {
            true => vec![sample::single(recording, options.time)?],
            false => sample::choose(recording, options.fps)?,
        };
        let interval = recording.header().frame_interval;
        let recorded = if interval.is_finite() && interval > 0.0 { 1.0 / interval } else { 1.0 };
        let name = name_of(recording);
        let rate = options.fps.unwrap_or(recorded);
        Ok(Self { recording, model: Arc::new(model), frames, rate, name, body: options.body.clone() })
    }

    /// Frame `k` of the export.
    pub fn frame(&mut self, k: usize) -> Result<Frame, ExportError> {
        Ok(self.recording.frame(self.frames[k])?)
    }

    /// Number of the only body to be shown.
    pub fn body_number(&self) -> Option<usize> {
        let name = self.body.as_ref()?;
        self.model.bodies.iter().position(|b| b.name == *name)
    }
}

/// The scene's name as a file name, without directories and endings.
pub fn name_of(recording: &Recording) -> String {
    let scene = Path::new(&recording.header().scene).file_stem().unwrap_or_default();
    place::file_name(&scene.to_string_lossy())
}
