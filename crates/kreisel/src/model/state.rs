//! The state: exactly what a resume needs, nothing else. Written to bytes and read back, the motion goes on bit for bit.

use crate::linear::Vectors;
use crate::model::{Aggregate, JointState, Ledger, ShapeContact, Sleep, SolverMemory};
use glamx::DVec3;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// The owner of an element that moves by itself.
pub const FREE: u32 = u32::MAX;

/// Everything that changes as time goes on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Time [s].
    pub time: f64,
    /// Steps taken, substeps included.
    pub steps: u64,
    /// Frames taken.
    pub frames: u64,
    /// Positions of all elements [m]; those of aggregates are derived.
    pub position: Vectors,
    /// Velocities of all elements [m/s]; those of aggregates are derived.
    pub velocity: Vectors,
    /// Who carries each element: [`FREE`], or an index into `aggregates`.
    pub owner: Vec<u32>,
    /// The rigid aggregates.
    pub aggregates: Vec<Aggregate>,
    /// Connections that have broken, ascending.
    pub broken: Vec<u32>,
    /// Contact connections, sorted by their two ends.
    pub contacts: Vec<Contact>,
    /// Contacts of exact shapes, sorted by their two shapes and features. A step makes them anew, so that its state and the one
    /// before share them until then.
    #[serde(serialize_with = "write_list", deserialize_with = "read_list")]
    pub shape_contacts: Arc<Vec<ShapeContact>>,
    /// What joints remember, one for each joint of the model.
    pub joints: Vec<JointState>,
    /// Who sleeps.
    pub sleep: Sleep,
    /// Pairs of bodies and obstacles that a call has told not to touch, as contacts number them, sorted.
    pub apart: Vec<(u32, u32)>,
    /// For how long [s] each element has been calm; empty unless bodies switch by themselves.
    pub calm: Vec<f64>,
    /// Scheduled switches done so far.
    pub scheduled: u32,
    /// Counts changes of who carries what and of what is broken: caches compare it.
    pub epoch: u64,
    /// Energy of the tangential contact springs [J], among the ledger's elastic energy.
    pub gripped: f64,
    /// What implicit steps remember of their solver.
    pub solver: SolverMemory,
    /// Energy and momentum accounts.
    pub ledger: Ledger,
}

impl State {
    /// Copies `other` into this state, keeping its memory.
    pub fn copy_from(&mut self, other: &Self) {
        let mut memory = std::mem::take(self);
        memory.position.copy_from(&other.position);
        memory.velocity.copy_from(&other.velocity);
        memory.owner.clone_from(&other.owner);
        memory.aggregates.clone_from(&other.aggregates);
        memory.broken.clone_from(&other.broken);
        memory.contacts.clone_from(&other.contacts);
        memory.shape_contacts.clone_from(&other.shape_contacts);
        memory.joints.clone_from(&other.joints);
        memory.sleep.clone_from(&other.sleep);
        memory.apart.clone_from(&other.apart);
        memory.calm.clone_from(&other.calm);
        memory.solver.clone_from(&other.solver);
        // Every field is named: one that is added cannot be forgotten.
        *self = Self {
            time: other.time,
            steps: other.steps,
            frames: other.frames,
            position: memory.position,
            velocity: memory.velocity,
            owner: memory.owner,
            aggregates: memory.aggregates,
            broken: memory.broken,
            contacts: memory.contacts,
            shape_contacts: memory.shape_contacts,
            joints: memory.joints,
            sleep: memory.sleep,
            apart: memory.apart,
            calm: memory.calm,
            scheduled: other.scheduled,
            epoch: other.epoch,
            gripped: other.gripped,
            solver: memory.solver,
            ledger: other.ledger,
        };
    }
}

fn write_list<S: Serializer>(list: &Arc<Vec<ShapeContact>>, to: S) -> Result<S::Ok, S::Error> {
    list.as_ref().serialize(to)
}

fn read_list<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<Vec<ShapeContact>>, D::Error> {
    Vec::deserialize(from).map(Arc::new)
}

/// The other side of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Touched {
    /// Another element.
    Element(u32),
    /// An obstacle of the fixed world.
    Obstacle(u16),
    /// The skin of another body.
    Skin(u32),
}

/// A contact connection between an element and another one, or the world, with its friction history.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    /// The element; the smaller number of two.
    pub element: u32,
    /// What it touches.
    pub other: Touched,
    /// Distance of the sphere centres (of centre and surface) at which it begins to push [m].
    pub rest: f64,
    /// Elongation `ξ` of the tangential spring [m], world axes.
    pub stretch: DVec3,
    /// True while it slides.
    pub slipping: bool,
}
