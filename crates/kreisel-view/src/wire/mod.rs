//! What goes over the wire: binary frames of sections to the page, and requests from it. `book/src/viewer-protocol.md`
//! describes both.

pub mod encoder;
pub mod form;
pub mod request;
pub mod scalars;
pub mod table;

use std::sync::Arc;

/// Version of the protocol.
pub const VERSION: u32 = 3;
/// First four bytes of every binary message, `KRV1`.
pub const MAGIC: [u8; 4] = *b"KRV1";

/// What a section holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum Tag {
    /// Time, speed, errors: JSON.
    Status = 1,
    /// Elements, connections, bodies, obstacles, parameters: a table.
    Model = 2,
    /// Who carries what and what is broken: a table.
    Topology = 3,
    /// Surfaces and what they ride on: a table.
    Skins = 4,
    /// Where everything is: numbers.
    Motion = 5,
    /// Poses of rigid shapes: numbers.
    Shapes = 6,
    /// Contact points and forces: numbers.
    Contacts = 7,
    /// Velocities of elements: numbers.
    Velocities = 8,
    /// Centre, inertia and bounds of bodies: numbers.
    Bodies = 9,
    /// Rows for plots: a table.
    Rows = 10,
    /// Events: JSON.
    Events = 11,
    /// Who watches and who holds the controls: JSON.
    People = 12,
    /// A number per element: speed [m/s].
    Speed = 16,
    /// Largest strain [1].
    Strain = 17,
    /// Von Mises stress [Pa].
    Stress = 18,
    /// Which elements hang together.
    Island = 19,
    /// 0: touches nothing, 1: sticks, 2: slides.
    Law = 20,
}

/// Sections that are only made for those who ask, by bits of a number.
pub mod wants {
    /// Contact points and forces.
    pub const CONTACTS: u32 = 1;
    /// Velocities.
    pub const VELOCITIES: u32 = 2;
    /// Centres, inertia, bounds.
    pub const BODIES: u32 = 4;
    /// Rows and events.
    pub const ROWS: u32 = 8;
    /// Speed of each element.
    pub const SPEED: u32 = 16;
    /// Strain.
    pub const STRAIN: u32 = 32;
    /// Stress.
    pub const STRESS: u32 = 64;
    /// Islands.
    pub const ISLAND: u32 = 128;
    /// Contact law in force.
    pub const LAW: u32 = 256;
}

/// A section, encoded once and shared by all who get it.
#[derive(Clone, Debug)]
pub struct Section {
    /// What it holds.
    pub tag: Tag,
    /// Differs whenever the contents do.
    pub version: u64,
    /// Which bit of [`wants`] asks for it; 0: everyone gets it.
    pub wanted: u32,
    /// The contents.
    pub bytes: Arc<[u8]>,
}

/// A message that is being put together.
#[derive(Debug)]
pub struct Message {
    bytes: Vec<u8>,
}

impl Default for Message {
    fn default() -> Self {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        Self { bytes }
    }
}

impl Message {
    /// Adds a section: tag, length, contents, and zeros to the next multiple of eight.
    pub fn add(&mut self, tag: Tag, contents: &[u8]) {
        self.bytes.extend((tag as u32).to_le_bytes());
        self.bytes.extend((contents.len() as u32).to_le_bytes());
        self.bytes.extend(contents);
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
    }

    /// True if nothing has been added.
    pub fn is_empty(&self) -> bool {
        self.bytes.len() == 8
    }

    /// The message.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}
