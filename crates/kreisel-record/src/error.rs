//! What can go wrong with a recording, with the facts.

use std::path::PathBuf;

/// Why a recording could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The operating system refused.
    #[error("{path}: {source}")]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file does not begin as a recording does.
    #[error("{path} is not a recording: it does not begin with the mark of one")]
    NotARecording {
        /// Which file.
        path: PathBuf,
    },
    /// The file was written in another version of the format.
    #[error("{path} has format version {found}; this program reads version {expected}")]
    Version {
        /// Which file.
        path: PathBuf,
        /// Version in the file.
        found: u32,
        /// Version of this program.
        expected: u32,
    },
    /// The checksum of a chunk does not agree with its contents.
    #[error("{what} at byte {offset} is damaged: its checksum does not agree with its contents")]
    Damaged {
        /// Kind of chunk.
        what: &'static str,
        /// Where its contents begin.
        offset: u64,
    },
    /// Bytes that cannot be what they claim to be.
    #[error("{what} cannot be read: {reason}")]
    Malformed {
        /// What was being read.
        what: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// There is no such frame.
    #[error("there is no frame {index}; the recording has {frames}")]
    NoFrame {
        /// The frame asked for, from 0.
        index: usize,
        /// How many there are.
        frames: usize,
    },
    /// No full state is left in the file: the run can only be started again from its scene.
    #[error("the recording has no intact keyframe to go on from")]
    NoKeyframe,
    /// A number that is infinite or not a number was about to be written.
    #[error("{what} is not finite at {time} s; the frame was not written")]
    NotFinite {
        /// Which number.
        what: String,
        /// Time of the frame [s].
        time: f64,
    },
    /// What is to be written does not go with the header.
    #[error("{what}: the header says {expected}, the frame has {found}")]
    Mismatch {
        /// What is counted.
        what: &'static str,
        /// How many the header says.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// Another process writes to the same recording.
    #[error("{path} is being written by another run")]
    InUse {
        /// Which file.
        path: PathBuf,
    },
}

impl RecordError {
    /// Names the file an error of the operating system is about.
    pub(crate) fn file(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Self + use<> {
        let path = path.to_path_buf();
        move |source| Self::File { path, source }
    }

    /// Bytes that cannot be what they claim to be.
    pub(crate) fn malformed(what: &'static str, reason: impl ToString) -> Self {
        Self::Malformed { what, reason: reason.to_string() }
    }
}
