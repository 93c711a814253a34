//! Reading a recording, whole or torn.

use crate::chunk::{Chunk, Kind, read_contents, scan};
use crate::contacts::{self, ContactForce};
use crate::deformation;
use crate::error::RecordError;
use crate::frame::{Frame, unpack_frame};
use crate::header::Header;
use crate::membership::{self, Membership};
use crate::model_check::check_model;
use crate::pack::{unpack, unpack_value};
use crate::row::Row;
use crate::state::state_from_bytes;
use kreisel::model::{Model, State};
use std::fs::File;
use std::path::{Path, PathBuf};

/// A recording on disk. Opening it reads the heads of its chunks; frames are read when asked for.
#[derive(Debug)]
pub struct Recording {
    file: File,
    path: PathBuf,
    header: Header,
    chunks: Vec<Chunk>,
    frames: Vec<FrameChunks>,
    /// The lists of broken connections, in order.
    broken: Vec<Chunk>,
    torn: u64,
    /// The membership read last, and where it was.
    membership: Option<(Chunk, Membership)>,
}

/// The chunks that make a frame.
#[derive(Clone, Copy, Debug)]
struct FrameChunks {
    row: Chunk,
    frame: Chunk,
    contacts: Option<Chunk>,
    deformation: Option<Chunk>,
    membership: Option<Chunk>,
    /// How many lists of broken connections come before it.
    broken: usize,
}

impl Recording {
    /// Opens a recording; what is torn off or damaged at its end is left out.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let mut file = File::open(path).map_err(RecordError::file(path))?;
        let scan = scan(&mut file, path)?;
        let header = match scan.chunks.first() {
            Some(first) if first.kind == Kind::Header => read_contents(&mut file, path, first)?,
            _ => return Err(RecordError::malformed("the header", "it is missing")),
        };
        let header: Header = unpack_value("the header", &header)?;
        if let Some(reason) = header.fault() {
            return Err(RecordError::malformed("the header", reason));
        }
        Ok(Self {
            file,
            path: path.to_path_buf(),
            header,
            frames: find_frames(&scan.chunks),
            broken: scan.chunks.iter().copied().filter(|c| c.kind == Kind::Broken).collect(),
            chunks: scan.chunks,
            torn: scan.length - scan.end,
            membership: None,
        })
    }

    /// What does not change.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The model: elements, connections and skins at rest, materials, obstacles. `None`: the recording has none, as
    /// those of early versions. What is returned has passed [`check_model`](crate::check_model).
    pub fn model(&mut self) -> Result<Option<Model>, RecordError> {
        let Some(chunk) = self.chunks.iter().copied().find(|c| c.kind == Kind::Model) else { return Ok(None) };
        let model: Model = unpack_value("the model", &self.contents(&chunk)?)?;
        if model.elements.len() != self.header.elements() {
            return Err(RecordError::malformed("the model", "its elements are not those of the header"));
        }
        if model.connections.len() as u64 != self.header.connections {
            return Err(RecordError::malformed("the model", "its connections are not those of the header"));
        }
        check_model(&model).map_err(|reason| RecordError::malformed("the model", reason))?;
        Ok(Some(model))
    }

    /// What a person did during the run; `None`: nothing.
    pub fn journal(&mut self) -> Result<Option<Vec<u8>>, RecordError> {
        let Some(chunk) = self.chunks.iter().copied().find(|c| c.kind == Kind::Journal) else { return Ok(None) };
        let contents = self.contents(&chunk)?;
        unpack("the journal", &contents).map(Some)
    }

    /// Number of frames.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// True if there is no frame.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// How many bytes at the end could not be used; `None` if the file is whole.
    pub fn torn_bytes(&self) -> Option<u64> {
        (self.torn > 0).then_some(self.torn)
    }

    /// True if bytes at the end could not be used, as after a crash.
    pub fn is_torn(&self) -> bool {
        self.torn > 0
    }

    /// Time of a frame [s].
    pub fn time(&self, index: usize) -> Option<f64> {
        self.frames.get(index).map(|f| f.frame.time)
    }

    /// The last frame at or before a time [s], or the first.
    pub fn frame_at(&self, time: f64) -> usize {
        self.frames.partition_point(|f| f.frame.time <= time).saturating_sub(1)
    }

    /// A frame.
    pub fn frame(&mut self, index: usize) -> Result<Frame, RecordError> {
        let chunks = self.find(index)?;
        let row = self.read_row(&chunks)?;
        let broken = self.read_broken(chunks.broken)?;
        let contact_forces = self.read_contacts(chunks.contacts)?;
        let contents = self.contents(&chunks.frame)?;
        let deformed = chunks.deformation.map(|chunk| self.contents(&chunk)).transpose()?;
        let membership = self.read_membership(chunks.membership)?;
        let mut frame = unpack_frame(&contents, membership)?;
        if let Some(deformed) = deformed {
            deformation::apply(&deformed, membership, &mut frame.position)?;
        }
        Ok(Frame {
            time: row.time,
            steps: row.steps,
            broken,
            contacts: row.contacts,
            ledger: row.ledger,
            probes: row.probes,
            events: row.events,
            contact_forces,
            ..frame
        })
    }

    /// Time, ledger, probes and events of a frame, without its elements.
    pub fn row(&mut self, index: usize) -> Result<Row, RecordError> {
        let chunks = self.find(index)?;
        self.read_row(&chunks)
    }

    /// Contact forces of a frame, without its elements; none if they were not recorded.
    pub fn contact_forces(&mut self, index: usize) -> Result<Vec<ContactForce>, RecordError> {
        let chunks = self.find(index)?;
        self.read_contacts(chunks.contacts)
    }

    /// All frames in order.
    pub fn frames(&mut self) -> impl Iterator<Item = Result<Frame, RecordError>> + '_ {
        (0..self.len()).map(|i| self.frame(i))
    }

    /// All rows in order.
    pub fn rows(&mut self) -> impl Iterator<Item = Result<Row, RecordError>> + '_ {
        (0..self.len()).map(|i| self.row(i))
    }

    /// Times of the keyframes [s].
    pub fn keyframe_times(&self) -> Vec<f64> {
        self.keyframes().map(|c| c.time).collect()
    }

    /// The last full state that can be read: where a resume begins.
    pub fn last_keyframe(&mut self) -> Result<State, RecordError> {
        self.last_readable_keyframe(|_| true).map(|(_, state)| state)
    }

    /// The last full state at or before a time [s].
    pub fn keyframe_before(&mut self, time: f64) -> Result<State, RecordError> {
        self.last_readable_keyframe(|c| c.time <= time).map(|(_, state)| state)
    }

    pub(crate) fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    fn keyframes(&self) -> impl DoubleEndedIterator<Item = &Chunk> {
        self.chunks.iter().filter(|c| c.kind == Kind::Keyframe)
    }

    /// Damaged keyframes are passed over: an earlier one leads to the same motion.
    pub(crate) fn last_readable_keyframe(
        &mut self,
        wanted: impl Fn(&Chunk) -> bool,
    ) -> Result<(Chunk, State), RecordError> {
        let candidates: Vec<Chunk> = self.keyframes().rev().filter(|c| wanted(c)).copied().collect();
        let read = |c: Chunk| self.read_state(&c).ok().map(|state| (c, state));
        candidates.into_iter().find_map(read).ok_or(RecordError::NoKeyframe)
    }

    fn read_state(&mut self, chunk: &Chunk) -> Result<State, RecordError> {
        let state = state_from_bytes(&unpack("a keyframe", &self.contents(chunk)?)?)?;
        if state.owner.len() != self.header.elements() {
            return Err(RecordError::malformed("a keyframe", "its elements are not those of the header"));
        }
        Ok(state)
    }

    fn find(&self, index: usize) -> Result<FrameChunks, RecordError> {
        self.frames.get(index).copied().ok_or(RecordError::NoFrame { index, frames: self.len() })
    }

    fn read_row(&mut self, chunks: &FrameChunks) -> Result<Row, RecordError> {
        let row: Row = unpack_value("a row", &self.contents(&chunks.row)?)?;
        if row.probes.len() != self.header.probe_columns.len() {
            return Err(RecordError::malformed("a row", "it has not one value per probe column"));
        }
        match row.first_not_finite() {
            Some(what) => Err(RecordError::malformed("a row", format!("{what} is not finite"))),
            None => Ok(row),
        }
    }

    fn read_contacts(&mut self, chunk: Option<Chunk>) -> Result<Vec<ContactForce>, RecordError> {
        chunk.map_or(Ok(Vec::new()), |chunk| contacts::unpack(&self.contents(&chunk)?))
    }

    fn read_broken(&mut self, lists: usize) -> Result<Vec<u32>, RecordError> {
        let mut broken: Vec<u32> = Vec::new();
        for i in 0..lists {
            let chunk = self.broken[i];
            broken.extend(unpack_value::<Vec<u32>>("a list of broken connections", &self.contents(&chunk)?)?);
        }
        broken.sort_unstable();
        broken.dedup();
        match broken.last() {
            Some(&last) if u64::from(last) >= self.header.connections => {
                Err(RecordError::malformed("a list of broken connections", format!("there is no connection {last}")))
            }
            _ => Ok(broken),
        }
    }

    fn read_membership(&mut self, chunk: Option<Chunk>) -> Result<&Membership, RecordError> {
        let chunk = chunk.ok_or_else(|| RecordError::malformed("a frame", "nothing says what carries its elements"))?;
        let membership = match self.membership.take() {
            Some((known, membership)) if known == chunk => membership,
            _ => membership::unpack(&self.contents(&chunk)?, self.header.elements())?,
        };
        Ok(&self.membership.insert((chunk, membership)).1)
    }

    fn contents(&mut self, chunk: &Chunk) -> Result<Vec<u8>, RecordError> {
        read_contents(&mut self.file, &self.path, chunk)
    }
}

/// Collects, for every frame, the chunks before it that belong to it.
fn find_frames(chunks: &[Chunk]) -> Vec<FrameChunks> {
    let (mut frames, mut row, mut contacts, mut deformation) = (Vec::new(), None, None, None);
    let (mut membership, mut broken) = (None, 0);
    for &chunk in chunks {
        match chunk.kind {
            Kind::Membership => membership = Some(chunk),
            Kind::Broken => broken += 1,
            Kind::Row => (row, contacts, deformation) = (Some(chunk), None, None),
            Kind::Contacts => contacts = Some(chunk),
            Kind::Deformation => deformation = Some(chunk),
            Kind::Frame => {
                let (contacts, deformation) = (contacts.take(), deformation.take());
                let of = |row| FrameChunks { row, frame: chunk, contacts, deformation, membership, broken };
                frames.extend(row.take().map(of));
            }
            Kind::Header | Kind::Keyframe | Kind::Model | Kind::Journal | Kind::Unknown => {}
        }
    }
    frames
}
