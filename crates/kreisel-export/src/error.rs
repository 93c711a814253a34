//! What can go wrong with an export, with the facts.

use kreisel_record::RecordError;
use std::path::{Path, PathBuf};

/// Why a recording could not be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The recording cannot be read.
    #[error(transparent)]
    Recording(#[from] RecordError),
    /// There is nothing in it.
    #[error("the recording has no whole frame")]
    NoFrames,
    /// It was made without the model: tables can be exported, shapes cannot.
    #[error("the recording has no model, so nothing says what is connected to what")]
    NoModel,
    /// No body has this name.
    #[error("there is no body \"{name}\"; there are {there}")]
    NoBody {
        /// The name asked for.
        name: String,
        /// The names there are, for people.
        there: String,
    },
    /// The time asked for is not in the recording.
    #[error("{time} s is not in the recording, which goes from {first} s to {last} s")]
    NoSuchTime {
        /// The time asked for [s].
        time: f64,
        /// Time of the first frame [s].
        first: f64,
        /// Time of the last frame [s].
        last: f64,
    },
    /// A rate that is not a positive number.
    #[error("{0} frames per second cannot be had; the rate is a number above 0")]
    Rate(f64),
    /// The operating system refused.
    #[error("{path}: {source}")]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file of somebody else is where one of ours would go.
    #[error("{path} exists and was not written by an export; it is left as it is")]
    Foreign {
        /// Which file.
        path: PathBuf,
    },
    /// The result would not fit into the format.
    #[error("{what} takes {bytes} bytes, more than the format can hold")]
    TooLarge {
        /// What was written.
        what: &'static str,
        /// Its size.
        bytes: u64,
    },
    /// A library that writes a format refused.
    #[error("{path}: {reason}")]
    Writer {
        /// Which file.
        path: PathBuf,
        /// What it said.
        reason: String,
    },
}

impl ExportError {
    /// Names the file an error of the operating system is about.
    pub(crate) fn file(path: &Path) -> impl FnOnce(std::io::Error) -> Self + use<> {
        let path = path.to_path_buf();
        move |source| Self::File { path, source }
    }
}
