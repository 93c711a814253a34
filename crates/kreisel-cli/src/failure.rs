//! Why a command ends early, and with which exit code.

use kreisel_record::RecordError;
use kreisel_render::RenderError;
use kreisel_scene::SceneError;

/// The exit code of bad input.
pub const BAD_INPUT: i32 = 2;
/// The exit code of a step that failed.
pub const STEP_FAILED: i32 = 3;
/// The exit code of a run that was interrupted.
pub const INTERRUPTED: i32 = 130;

/// What went wrong.
#[derive(Debug)]
pub struct Failure {
    /// Exit code.
    pub code: i32,
    /// What is printed.
    pub text: String,
}

impl Failure {
    /// Something is wrong with what the user gave: what, and what to do about it.
    pub fn input(what: impl Into<String>, help: &str) -> Self {
        let text = format!("error: {}\n = help: {help}", what.into());
        Self { code: BAD_INPUT, text }
    }
}

impl From<SceneError> for Failure {
    fn from(error: SceneError) -> Self {
        Self { code: BAD_INPUT, text: error.to_string() }
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        let help = match &error {
            RecordError::InUse { .. } => "wait until it ends, or give another directory with --out",
            RecordError::NoKeyframe => "run the scene again with `kreisel run`",
            RecordError::File { .. } => "see that the directory exists, may be written to and has room left",
            RecordError::NotARecording { .. } => "recordings are written by `kreisel run`",
            _ => return Self { code: BAD_INPUT, text: format!("error: {error}") },
        };
        Self::input(error.to_string(), help)
    }
}

impl From<RenderError> for Failure {
    fn from(error: RenderError) -> Self {
        let help = match error {
            RenderError::Record(error) => return error.into(),
            RenderError::Empty => "run the scene to its end with `kreisel run`",
            RenderError::NoModel => "run the scene again with `kreisel run`",
            RenderError::File { .. } => "see that the directory exists, may be written to and has room left",
            RenderError::NoEncoder(_) => "install ffmpeg (such as `apt install ffmpeg`), or write a .gif",
            RenderError::Wish(_) => return Self { code: BAD_INPUT, text: format!("error: {error}") },
        };
        Self::input(error.to_string(), help)
    }
}
