//! The way back: keyframes within a memory limit, and a journal of everything that was done.

use crate::session::action::Action;
use crate::session::world::Moment;
use serde::{Deserialize, Serialize};

/// Frames between keyframes at first.
const SPACING: u64 = 8;
/// Entries of the journal at most.
const MOST_ENTRIES: usize = 200_000;
/// Memory that they may take [bytes].
const LARGEST_JOURNAL: usize = 64 << 20;

/// Something that was done, and before which frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Frames that had been taken.
    pub frame: u64,
    /// What was done.
    pub action: Action,
}

/// Keyframes and journal.
#[derive(Debug)]
pub struct History {
    keyframes: Vec<(u64, Moment)>,
    journal: Vec<Entry>,
    spacing: u64,
    bytes: usize,
    limit: usize,
    journal_bytes: usize,
}

impl History {
    /// A history that begins with a moment and takes at most so many bytes.
    pub fn new(first: Moment, limit: usize) -> Self {
        let bytes = first.bytes(None);
        let (keyframes, journal) = (vec![(0, first)], Vec::new());
        Self { keyframes, journal, spacing: SPACING, bytes, limit, journal_bytes: 0 }
    }

    /// Everything that was done, in order.
    pub fn journal(&self) -> &[Entry] {
        &self.journal
    }

    /// Puts a journal in place of the own one, to be replayed.
    pub fn set_journal(&mut self, journal: Vec<Entry>) {
        self.journal_bytes = journal.iter().map(|e| e.action.bytes()).sum();
        self.journal = journal;
    }

    /// Memory that the keyframes take [bytes].
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// True if a keyframe of this frame is wanted.
    pub fn wants(&self, frame: u64) -> bool {
        frame.is_multiple_of(self.spacing) && self.keyframes.last().is_none_or(|(last, _)| *last < frame)
    }

    /// Keeps a moment; when there are too many, every second one goes.
    pub fn keep(&mut self, frame: u64, moment: Moment) {
        self.bytes += moment.bytes(self.keyframes.last().map(|(_, before)| before));
        self.keyframes.push((frame, moment));
        while self.bytes > self.limit && self.keyframes.len() > 2 {
            self.spacing *= 2;
            let spacing = self.spacing;
            self.keyframes.retain(|(f, _)| f.is_multiple_of(spacing));
            self.weigh();
        }
    }

    /// Adds up what is kept; what follows each other may share a model.
    fn weigh(&mut self) {
        let before = std::iter::once(None).chain(self.keyframes.iter().map(|(_, m)| Some(m)));
        self.bytes = self.keyframes.iter().zip(before).map(|((_, m), before)| m.bytes(before)).sum();
    }

    /// The last keyframe at or before a frame, as it was before anything was done at it.
    pub fn before(&self, frame: u64) -> (u64, &Moment) {
        let at = self.keyframes.partition_point(|(f, _)| *f <= frame).saturating_sub(1);
        let (f, moment) = &self.keyframes[at];
        (*f, moment)
    }

    /// What was done at a frame.
    pub fn at(&self, frame: u64) -> &[Entry] {
        let begin = self.journal.partition_point(|e| e.frame < frame);
        let end = self.journal.partition_point(|e| e.frame <= frame);
        &self.journal[begin..end]
    }

    /// Adds what was done at a frame; what came after it is forgotten.
    pub fn add(&mut self, frame: u64, action: Action) -> Result<(), String> {
        self.forget_after(frame);
        self.journal_bytes += action.bytes();
        self.journal.push(Entry { frame, action });
        if self.journal.len() > MOST_ENTRIES || self.journal_bytes > LARGEST_JOURNAL {
            self.retract();
            return Err("the journal is full: reset the scene to go on".into());
        }
        Ok(())
    }

    /// Forgets the last entry, which turned out to be impossible.
    pub fn retract(&mut self) {
        if let Some(entry) = self.journal.pop() {
            self.journal_bytes -= entry.action.bytes();
        }
    }

    /// Forgets the future of a frame.
    pub fn forget_after(&mut self, frame: u64) {
        while self.journal.last().is_some_and(|e| e.frame > frame) {
            self.retract();
        }
        if self.keyframes.last().is_some_and(|(f, _)| *f > frame) {
            self.keyframes.retain(|(f, _)| *f <= frame);
            self.weigh();
        }
        if self.keyframes.len() == 1 {
            self.spacing = SPACING;
        }
    }
}
