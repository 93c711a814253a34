//! Writing a recording.

use crate::chunk::{Chunk, Kind, write_chunk, write_preamble};
use crate::contacts::{self, ContactForce};
use crate::deformation;
use crate::error::RecordError;
use crate::frame::{first_not_finite, pack_frame};
use crate::header::Header;
use crate::membership;
use crate::pack::{pack, pack_value, pack_with};
use crate::recording::Recording;
use crate::row::Row;
use kreisel::linear::Vectors;
use kreisel::model::{Event, Model, State};
use std::fs::{File, TryLockError};
use std::io::{Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Frames from one keyframe to the next at least.
const FEWEST_FRAMES: u64 = 30;
/// Frames from one keyframe to the next at most: what a crash can cost.
const MOST_FRAMES: u64 = 240;
/// Bytes per element and frame that keyframes may take on average: what frames leave of 16.
const KEYFRAME_BUDGET: u64 = 3;

/// What a frame is made from.
#[derive(Clone, Copy, Debug)]
pub struct FrameInput<'a> {
    /// The state at the end of the frame.
    pub state: &'a State,
    /// What happened since the frame before.
    pub events: &'a [Event],
    /// Probe values, one per probe column of the header.
    pub probes: &'a [f64],
    /// Contact forces of the moment, to be shown; none: nothing is written of them.
    pub contact_forces: &'a [ContactForce],
    /// Displacement of every element from where the state has it, to be shown [m]: of quasi-static aggregates, zero elsewhere.
    pub displacement: Option<&'a Vectors>,
}

impl<'a> FrameInput<'a> {
    /// A state, and nothing besides.
    pub fn of(state: &'a State) -> Self {
        Self { state, events: &[], probes: &[], contact_forces: &[], displacement: None }
    }
}

/// A recording that is being written. Every call leaves a file that opens.
#[derive(Debug)]
pub struct Recorder {
    file: File,
    path: PathBuf,
    header: Header,
    /// Length of the file.
    end: u64,
    frames: u64,
    frames_since_keyframe: u64,
    keyframe_bytes: u64,
    last_keyframe_bytes: u64,
    /// `None`: nothing yet that the next frame could build on.
    known: Option<Known>,
}

/// What the file already says about who carries what and what is broken.
#[derive(Debug)]
struct Known {
    epoch: u64,
    fingerprint: u64,
    broken: Vec<u32>,
}

impl Recorder {
    /// Begins a recording; a file of that name is replaced.
    pub fn create(path: &Path, header: Header) -> Result<Self, RecordError> {
        let fail = RecordError::file;
        if let Some(reason) = header.fault() {
            return Err(RecordError::malformed("the header", reason));
        }
        let mut file =
            File::options().read(true).write(true).create(true).truncate(false).open(path).map_err(fail(path))?;
        lock(&file, path)?;
        file.set_len(0).map_err(fail(path))?;
        let end = write_preamble(&mut file).map_err(fail(path))?;
        let packed = pack_value(&header).map_err(fail(path))?;
        let mut recorder = Self {
            file,
            path: path.to_path_buf(),
            header,
            end,
            frames: 0,
            frames_since_keyframe: 0,
            keyframe_bytes: 0,
            last_keyframe_bytes: 0,
            known: None,
        };
        recorder.write(&[(Kind::Header, packed)], 0.0)?;
        Ok(recorder)
    }

    /// Goes on with a recording from its last intact keyframe: cuts off whatever comes after it and returns its state.
    pub fn append(path: &Path) -> Result<(Self, State), RecordError> {
        Self::append_at(path, f64::INFINITY)
    }

    /// Goes on with a recording from its last intact keyframe at or before a time [s].
    pub fn append_at(path: &Path, latest: f64) -> Result<(Self, State), RecordError> {
        let fail = RecordError::file;
        let file = File::options().read(true).write(true).open(path).map_err(fail(path))?;
        lock(&file, path)?;
        let mut recording = Recording::open(path)?;
        let (keyframe, state) = recording.last_readable_keyframe(|c| c.time <= latest)?;
        let before: Vec<Chunk> = recording.chunks().iter().copied().filter(|c| c.offset <= keyframe.offset).collect();
        let end = keyframe.end();
        file.set_len(end).map_err(fail(path))?;
        let count = |kind: Kind| before.iter().filter(move |c| c.kind == kind);
        let mut recorder = Self {
            file,
            path: path.to_path_buf(),
            header: recording.header().clone(),
            end,
            frames: count(Kind::Frame).count() as u64,
            frames_since_keyframe: 0,
            keyframe_bytes: count(Kind::Keyframe).map(Chunk::size).sum(),
            last_keyframe_bytes: keyframe.size(),
            // The keyframe may be newer than the last frame: the next frame says it all again.
            known: None,
        };
        recorder.file.seek(SeekFrom::Start(end)).map_err(fail(path))?;
        Ok((recorder, state))
    }

    /// Writes the model, once, before the first frame: whoever shows or exports the recording needs nothing else.
    pub fn model(&mut self, model: &Model) -> Result<(), RecordError> {
        let packed = pack_value(model).map_err(RecordError::file(&self.path))?;
        self.write(&[(Kind::Model, packed)], 0.0)
    }

    /// Writes what a person did during the run, as bytes that mean something to whoever replays it.
    pub fn journal(&mut self, journal: &[u8]) -> Result<(), RecordError> {
        let packed = pack(journal).map_err(RecordError::file(&self.path))?;
        self.write(&[(Kind::Journal, packed)], 0.0)
    }

    /// Header of the recording.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Frames in the file.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Length of the file [bytes].
    pub fn bytes(&self) -> u64 {
        self.end
    }

    /// Writes a frame, and now and then a keyframe. A frame with a number that is not finite is refused.
    pub fn frame(&mut self, input: &FrameInput) -> Result<(), RecordError> {
        let row = self.row(input)?;
        self.row_and_frame(&row, input)
    }

    /// The row of a frame, if it goes with the header and all its numbers are finite.
    pub(crate) fn row(&self, input: &FrameInput) -> Result<Row, RecordError> {
        self.count("elements", self.header.elements(), input.state.owner.len())?;
        self.count("positions", self.header.elements(), input.state.position.len())?;
        self.count("velocities", self.header.elements(), input.state.velocity.len())?;
        let displaced = input.displacement.map_or(self.header.elements(), Vectors::len);
        self.count("displacements", self.header.elements(), displaced)?;
        self.count("probe columns", self.header.probe_columns.len(), input.probes.len())?;
        if let Some(what) = first_not_finite(input.state) {
            return Err(RecordError::NotFinite { what, time: input.state.time });
        }
        Row::new(input.state, input.events, input.probes)
    }

    /// Writes a frame whose row is known.
    pub(crate) fn row_and_frame(&mut self, row: &Row, input: &FrameInput) -> Result<(), RecordError> {
        let state = input.state;
        let frame = pack_frame(state)?;
        let mut chunks = Vec::new();
        let known = self.add_changes(state, &mut chunks)?;
        chunks.push((Kind::Row, self.packed(pack_value(row))?));
        if !input.contact_forces.is_empty() {
            chunks.push((Kind::Contacts, self.packed(contacts::pack(input.contact_forces))?));
        }
        if let Some(u) = input.displacement
            && let Some(packed) = deformation::pack(state, u)?
        {
            chunks.push((Kind::Deformation, packed));
        }
        chunks.push((Kind::Frame, frame));
        self.write(&chunks, state.time)?;
        self.known = known.or(self.known.take());
        self.frames += 1;
        self.frames_since_keyframe += 1;
        if self.is_keyframe_due() { self.keyframe(state) } else { Ok(()) }
    }

    /// Writes the full state: from here the run can be resumed. A state that is not finite is refused.
    pub fn keyframe(&mut self, state: &State) -> Result<(), RecordError> {
        if let Some(what) = first_not_finite(state) {
            return Err(RecordError::NotFinite { what, time: state.time });
        }
        let write =
            |out: &mut dyn std::io::Write| postcard::to_io(state, out).map(|_| ()).map_err(std::io::Error::other);
        let packed = self.packed(pack_with(write))?;
        let before = self.end;
        self.write(&[(Kind::Keyframe, packed)], state.time)?;
        self.last_keyframe_bytes = self.end - before;
        self.keyframe_bytes += self.last_keyframe_bytes;
        self.frames_since_keyframe = 0;
        Ok(())
    }

    /// Ends the recording with a keyframe, unless the last frame has one, and brings it to the disk.
    pub fn finish(mut self, state: &State) -> Result<(), RecordError> {
        if self.frames_since_keyframe > 0 || self.frames == 0 {
            self.keyframe(state)?;
        }
        self.file.sync_all().map_err(RecordError::file(&self.path))
    }

    /// The first frame has a keyframe; then one as often as the budget allows.
    fn is_keyframe_due(&self) -> bool {
        let budget = KEYFRAME_BUDGET * self.header.elements() as u64 * self.frames;
        let affordable = self.keyframe_bytes + 2 * self.last_keyframe_bytes <= budget;
        let since = self.frames_since_keyframe;
        self.frames == 1 || since >= MOST_FRAMES || (since >= FEWEST_FRAMES && affordable)
    }

    /// What changed in who carries what and what is broken since the last frame, as chunks.
    fn add_changes(&self, state: &State, chunks: &mut Vec<(Kind, Vec<u8>)>) -> Result<Option<Known>, RecordError> {
        if self.known.as_ref().is_some_and(|k| k.epoch == state.epoch && k.broken.len() == state.broken.len()) {
            return Ok(None);
        }
        let now = Known::of(state);
        let (fingerprint, broken) = match &self.known {
            Some(k) => (Some(k.fingerprint), &k.broken[..]),
            None => (None, &[][..]),
        };
        if fingerprint != Some(now.fingerprint) {
            chunks.push((Kind::Membership, self.packed(membership::pack(&state.aggregates))?));
        }
        let new: Vec<u32> = now.broken.iter().copied().filter(|b| broken.binary_search(b).is_err()).collect();
        if !new.is_empty() {
            chunks.push((Kind::Broken, self.packed(pack_value(&new))?));
        }
        Ok(Some(now))
    }

    /// Writes chunks; if the disk refuses, the file is as it was.
    fn write(&mut self, chunks: &[(Kind, Vec<u8>)], time: f64) -> Result<(), RecordError> {
        let mut write_all = || chunks.iter().map(|(kind, c)| write_chunk(&mut self.file, *kind, time, c)).sum();
        let written: std::io::Result<u64> = write_all();
        match written {
            Ok(length) => self.end += length,
            Err(error) => {
                // What cannot be undone is a torn end, which readers cut off.
                let _ = self.file.set_len(self.end).and_then(|()| self.file.seek(SeekFrom::Start(self.end)));
                return Err(RecordError::file(&self.path)(error));
            }
        }
        Ok(())
    }

    fn packed(&self, packed: std::io::Result<Vec<u8>>) -> Result<Vec<u8>, RecordError> {
        packed.map_err(RecordError::file(&self.path))
    }

    fn count(&self, what: &'static str, expected: usize, found: usize) -> Result<(), RecordError> {
        if expected == found { Ok(()) } else { Err(RecordError::Mismatch { what, expected, found }) }
    }
}

impl Known {
    fn of(state: &State) -> Self {
        let fingerprint = membership::fingerprint(&state.aggregates);
        Self { epoch: state.epoch, fingerprint, broken: state.broken.clone() }
    }
}

/// Keeps a second run away from the file. Where the file system cannot lock, nothing does.
fn lock(file: &File, path: &Path) -> Result<(), RecordError> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(RecordError::InUse { path: path.to_path_buf() }),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}
