//! Things that happen at a moment: fracture, switches, contacts that begin and end.

use glamx::DVec3;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// When [s].
    pub time: f64,
    /// Where [m].
    pub place: DVec3,
    /// Energy that it took out of, or moved within, the system [J].
    pub energy: f64,
    /// What.
    pub kind: EventKind,
}

/// Kinds of events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum EventKind {
    /// A connection broke.
    Broke {
        /// Its number.
        connection: u32,
        /// Its elements.
        ends: [u32; 2],
    },
    /// Elements fell into separate pieces; the number of connected components is now this.
    Fragmented {
        /// Number of connected components.
        components: u32,
    },
    /// Elements became one rigid aggregate; the energy is the kinetic energy internalised.
    MadeRigid {
        /// How many elements.
        elements: u32,
        /// Name of the body of the first element.
        body: String,
        /// By whom or why.
        reason: String,
    },
    /// An aggregate became soft; the energy is what the release took out of the motion.
    MadeSoft {
        /// How many elements.
        elements: u32,
        /// Name of the body of the first element.
        body: String,
        /// By whom or why.
        reason: String,
    },
    /// Two bodies, or a body and an obstacle, begin to touch; the energy is that of their approach, `½ m u²` with the mass that a push between
    /// them feels where they meet, or the mass of the element that does.
    Touch {
        /// Name of the first.
        first: String,
        /// Name of the second.
        second: String,
    },
    /// A joint broke; the energy is zero.
    JointBroke {
        /// Its name.
        joint: String,
        /// Force that it bore in its last step [N].
        force: f64,
        /// Torque [N m].
        torque: f64,
    },
    /// A joint was let go: free elements cannot carry what its rigid part carried; the energy is zero.
    JointLetGo {
        /// Its name.
        joint: String,
    },
    /// A closed contact that slid had no finite force, and the bodies jumped without a collision (Painlevé); the energy is what
    /// that took.
    Jammed {
        /// Name of the first.
        first: String,
        /// Name of the second.
        second: String,
        /// Impulse along the normal [N s].
        impulse: f64,
    },
    /// They part; the place is where they touched last, and the energy is zero.
    Part {
        /// Name of the first.
        first: String,
        /// Name of the second.
        second: String,
    },
}

impl EventKind {
    /// One word for tables.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Broke { .. } => "broke",
            Self::Fragmented { .. } => "fragmented",
            Self::MadeRigid { .. } => "made-rigid",
            Self::MadeSoft { .. } => "made-soft",
            Self::Touch { .. } => "touch",
            Self::Part { .. } => "part",
            Self::JointBroke { .. } => "joint-broke",
            Self::JointLetGo { .. } => "joint-let-go",
            Self::Jammed { .. } => "painleve",
        }
    }

    /// The rest of the sentence.
    pub fn detail(&self) -> String {
        match self {
            Self::Broke { connection, ends } => format!("connection {connection} ({}–{})", ends[0], ends[1]),
            Self::Fragmented { components } => format!("{components} pieces"),
            Self::MadeRigid { elements, body, reason } | Self::MadeSoft { elements, body, reason } => {
                format!("{elements} elements of {body}: {reason}")
            }
            Self::JointBroke { joint, force, torque } => format!("{joint} under {force:.3e} N and {torque:.3e} N m"),
            Self::JointLetGo { joint } => {
                format!("{joint}: what carried it is soft now, and free elements cannot hold it so")
            }
            Self::Jammed { first, second, impulse } => {
                format!("{first} on {second}: an impulse of {impulse:.3e} N s without a collision")
            }
            Self::Touch { first, second } | Self::Part { first, second } => format!("{first} and {second}"),
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.6} s  {}  {}", self.time, self.kind.word(), self.kind.detail())
    }
}
