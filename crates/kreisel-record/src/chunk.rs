//! Chunks: the units a recording is made of. Each carries its own length and checksums, so that a torn end is seen.

use crate::error::RecordError;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The first bytes of every recording.
const MAGIC: [u8; 8] = *b"KREISEL\0";
/// Version of the format.
pub(crate) const VERSION: u32 = 4;
/// Length of magic and version.
const PREAMBLE: u64 = 12;
/// Length of a chunk's head: kind (u8), length of its contents (u64), time (f64), checksum of these (u32).
const HEAD: usize = 21;
/// Length of the checksum after the contents.
const TAIL: u64 = 4;

/// What a chunk holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Header,
    Membership,
    Broken,
    Row,
    Frame,
    Keyframe,
    Model,
    Contacts,
    Journal,
    Deformation,
    /// Of a later version; skipped.
    Unknown,
}

impl Kind {
    const ALL: [Self; 10] = [
        Self::Header,
        Self::Membership,
        Self::Broken,
        Self::Row,
        Self::Frame,
        Self::Keyframe,
        Self::Model,
        Self::Contacts,
        Self::Journal,
        Self::Deformation,
    ];

    fn code(self) -> u8 {
        Self::ALL.iter().position(|&k| k == self).map_or(0, |i| i as u8 + 1)
    }

    fn from_code(code: u8) -> Self {
        Self::ALL.get((code as usize).wrapping_sub(1)).copied().unwrap_or(Self::Unknown)
    }

    /// Its name in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Header => "the header",
            Self::Membership => "a membership",
            Self::Broken => "a list of broken connections",
            Self::Row => "a row",
            Self::Frame => "a frame",
            Self::Keyframe => "a keyframe",
            Self::Model => "the model",
            Self::Contacts => "a list of contact forces",
            Self::Journal => "the journal",
            Self::Deformation => "a deformation",
            Self::Unknown => "a chunk",
        }
    }
}

/// A chunk found in a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Chunk {
    pub(crate) kind: Kind,
    /// Time [s].
    pub(crate) time: f64,
    /// Where its contents begin.
    pub(crate) offset: u64,
    /// Length of its contents.
    pub(crate) length: u64,
}

impl Chunk {
    /// Where the next chunk begins.
    pub(crate) fn end(&self) -> u64 {
        self.offset + self.length + TAIL
    }

    /// What it takes in the file.
    pub(crate) fn size(&self) -> u64 {
        HEAD as u64 + self.length + TAIL
    }
}

/// The intact chunks of a file.
pub(crate) struct Scan {
    pub(crate) chunks: Vec<Chunk>,
    /// Where the last intact chunk ends.
    pub(crate) end: u64,
    /// Length of the file.
    pub(crate) length: u64,
}

/// Writes the beginning of a recording and returns its length.
pub(crate) fn write_preamble(file: &mut File) -> io::Result<u64> {
    file.write_all(&MAGIC)?;
    file.write_all(&VERSION.to_le_bytes())?;
    Ok(PREAMBLE)
}

/// Writes a chunk at the present place and returns its size.
pub(crate) fn write_chunk(file: &mut File, kind: Kind, time: f64, contents: &[u8]) -> io::Result<u64> {
    let mut head = [0; HEAD];
    head[0] = kind.code();
    head[1..9].copy_from_slice(&(contents.len() as u64).to_le_bytes());
    head[9..17].copy_from_slice(&time.to_le_bytes());
    let checksum = crc32fast::hash(&head[..17]);
    head[17..].copy_from_slice(&checksum.to_le_bytes());
    file.write_all(&head)?;
    file.write_all(contents)?;
    file.write_all(&crc32fast::hash(contents).to_le_bytes())?;
    Ok(HEAD as u64 + contents.len() as u64 + TAIL)
}

/// Finds all chunks by their heads, without reading their contents, and drops damaged ones from the end.
pub(crate) fn scan(file: &mut File, path: &Path) -> Result<Scan, RecordError> {
    let fail = RecordError::file;
    let length = file.seek(SeekFrom::End(0)).map_err(fail(path))?;
    file.seek(SeekFrom::Start(0)).map_err(fail(path))?;
    let mut reader = BufReader::new(&mut *file);
    check_preamble(&mut reader, path)?;
    let (mut chunks, mut end) = (Vec::new(), PREAMBLE);
    while let Some(chunk) = next_head(&mut reader, end, length).map_err(fail(path))? {
        reader.seek_relative((chunk.length + TAIL) as i64).map_err(fail(path))?;
        end = chunk.end();
        chunks.push(chunk);
    }
    while let Some(last) = chunks.last() {
        if is_intact(file, last).map_err(fail(path))? {
            break;
        }
        end = last.offset - HEAD as u64;
        chunks.pop();
    }
    Ok(Scan { chunks, end, length })
}

fn check_preamble(reader: &mut impl Read, path: &Path) -> Result<(), RecordError> {
    let mut preamble = Vec::new();
    reader.take(PREAMBLE).read_to_end(&mut preamble).map_err(RecordError::file(path))?;
    let version = preamble.strip_prefix(&MAGIC).and_then(|v| v.try_into().ok()).map(u32::from_le_bytes);
    match version {
        None => Err(RecordError::NotARecording { path: path.to_path_buf() }),
        Some(VERSION) => Ok(()),
        Some(found) => Err(RecordError::Version { path: path.to_path_buf(), found, expected: VERSION }),
    }
}

/// The chunk whose head begins at `start`, if the head is whole and its contents fit into the file.
fn next_head(reader: &mut impl Read, start: u64, file_length: u64) -> io::Result<Option<Chunk>> {
    if file_length - start < HEAD as u64 + TAIL {
        return Ok(None);
    }
    let mut head = [0; HEAD];
    reader.read_exact(&mut head)?;
    let number = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| head[at + i]));
    let checksum = u32::from_le_bytes(std::array::from_fn(|i| head[17 + i]));
    let offset = start + HEAD as u64;
    let length = number(1);
    let fits = length <= file_length - offset - TAIL;
    if !fits || checksum != crc32fast::hash(&head[..17]) {
        return Ok(None);
    }
    Ok(Some(Chunk { kind: Kind::from_code(head[0]), time: f64::from_bits(number(9)), offset, length }))
}

/// True if the checksum of the contents agrees.
fn is_intact(file: &mut File, chunk: &Chunk) -> io::Result<bool> {
    file.seek(SeekFrom::Start(chunk.offset))?;
    let mut checksum = crc32fast::Hasher::new();
    let mut buffer = vec![0; 1 << 16];
    let mut left = chunk.length;
    while left > 0 {
        let part = left.min(buffer.len() as u64) as usize;
        file.read_exact(&mut buffer[..part])?;
        checksum.update(&buffer[..part]);
        left -= part as u64;
    }
    let mut stored = [0; 4];
    file.read_exact(&mut stored)?;
    Ok(checksum.finalize() == u32::from_le_bytes(stored))
}

/// The contents of a chunk, checked.
pub(crate) fn read_contents(file: &mut File, path: &Path, chunk: &Chunk) -> Result<Vec<u8>, RecordError> {
    let fail = RecordError::file;
    file.seek(SeekFrom::Start(chunk.offset)).map_err(fail(path))?;
    let mut contents = Vec::new();
    file.take(chunk.length + TAIL).read_to_end(&mut contents).map_err(fail(path))?;
    let damaged = || RecordError::Damaged { what: chunk.kind.name(), offset: chunk.offset };
    let stored = contents.last_chunk::<4>().map(|c| u32::from_le_bytes(*c)).ok_or_else(damaged)?;
    contents.truncate(contents.len() - TAIL as usize);
    if contents.len() as u64 != chunk.length || crc32fast::hash(&contents) != stored {
        return Err(damaged());
    }
    Ok(contents)
}
