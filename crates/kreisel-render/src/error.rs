//! What can go wrong with pictures.

use kreisel_record::RecordError;
use std::path::{Path, PathBuf};

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The recording has no frame.
    #[error("the recording has no frame")]
    Empty,
    /// The recording does not say what its elements are.
    #[error("the recording has no model; it was made by an earlier version")]
    NoModel,
    /// The recording cannot be read.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A file could not be written.
    #[error("{path}: {reason}")]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system or the format says.
        reason: String,
    },
    /// There is no program that makes films.
    #[error("films are made by ffmpeg, which cannot be started: {0}")]
    NoEncoder(String),
    /// Something that was asked for cannot be had.
    #[error("{0}")]
    Wish(String),
}

impl RenderError {
    /// Names the file an error is about.
    pub(crate) fn file<E: std::fmt::Display>(path: &Path) -> impl FnOnce(E) -> Self + use<E> {
        let path = path.to_path_buf();
        move |error| Self::File { path, reason: error.to_string() }
    }
}
