//! Joints: what keeps points of two bodies together, what drives them, and what they say of themselves.

use crate::model::State;
use crate::model::seat::Seat;
use glamx::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// What a joint leaves free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum JointKind {
    /// Nothing.
    Fixed,
    /// All rotations about a point.
    #[default]
    Ball,
    /// The rotation about an axis.
    Hinge,
    /// The shift along an axis.
    Slider,
    /// Everything but the distance of two points; with limits or a motor, that too within them.
    Distance,
}

impl JointKind {
    /// True if the joint has a coordinate that can be limited, driven and rubbed.
    pub fn has_coordinate(self) -> bool {
        matches!(self, Self::Hinge | Self::Slider | Self::Distance)
    }

    /// True if the coordinate is an angle.
    pub fn turns(self) -> bool {
        self == Self::Hinge
    }
}

/// What a motor is told to do; it may be told something else before every step. Forces are torques [N m] in hinges, and
/// lengths angles [rad].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Command {
    /// Nothing.
    #[default]
    Free,
    /// Hold a coordinate by a damped spring.
    Position {
        /// Where [m].
        target: f64,
        /// Stiffness [N/m].
        stiffness: f64,
        /// Damping [N s/m].
        damping: f64,
        /// Force at most [N].
        most: f64,
    },
    /// Keep a speed.
    Speed {
        /// Which [m/s].
        speed: f64,
        /// Force at most [N].
        most: f64,
    },
    /// Push with a force.
    Force {
        /// Which [N].
        force: f64,
    },
}

impl Command {
    /// True if every number is one that a motor can follow.
    pub fn is_sound(&self) -> bool {
        match *self {
            Self::Free => true,
            Self::Position { target, stiffness, damping, most } => {
                let spring = stiffness.is_finite() && damping.is_finite() && stiffness >= 0.0 && damping >= 0.0;
                target.is_finite() && spring && stiffness + damping > 0.0 && most >= 0.0
            }
            Self::Speed { speed, most } => speed.is_finite() && most >= 0.0,
            Self::Force { force } => force.is_finite(),
        }
    }
}

/// A joint as a scene says it. Points and directions are in world coordinates of the start.
#[derive(Clone, Debug, PartialEq)]
pub struct JointSetup {
    /// Its name, unique among joints.
    pub name: String,
    /// What it leaves free.
    pub kind: JointKind,
    /// The first body.
    pub a: String,
    /// The second body; `None`: the world.
    pub b: Option<String>,
    /// Where it is [m]; of a distance: its point of the first body.
    pub at: DVec3,
    /// The point of the second body of a distance [m].
    pub to: DVec3,
    /// Axis of a hinge or slider.
    pub axis: DVec3,
    /// Smallest and largest coordinate [m or rad]; the start is zero for hinges and sliders, and the length for distances.
    pub limits: (f64, f64),
    /// What its motor does at the start.
    pub motor: Command,
    /// Force of dry friction along the coordinate [N or N m].
    pub friction: f64,
    /// Coefficient of restitution of its stops [1].
    pub restitution: f64,
    /// It breaks above this force [N].
    pub break_force: f64,
    /// It breaks above this torque [N m].
    pub break_torque: f64,
    /// True if the two bodies also touch each other.
    pub collide: bool,
}

impl Default for JointSetup {
    fn default() -> Self {
        Self {
            name: "joint".into(),
            kind: JointKind::default(),
            a: String::new(),
            b: None,
            at: DVec3::ZERO,
            to: DVec3::ZERO,
            axis: DVec3::Z,
            limits: (f64::NEG_INFINITY, f64::INFINITY),
            motor: Command::Free,
            friction: 0.0,
            restitution: 0.0,
            break_force: f64::INFINITY,
            break_torque: f64::INFINITY,
            collide: false,
        }
    }
}

/// One side of a seat of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// The element that it rides on, alone or as a member of a rigid body; `None`: the world.
    pub element: Option<u32>,
    /// Where the joint is: in the principal frame of the rigid body, or in the world [m]; from a free element, which is zero unless
    /// it has let go of the joint.
    pub at: DVec3,
    /// The axes of the joint in that frame; the first is its axis.
    pub frame: DQuat,
    /// True if the element belonged to a rigid body when the joint was set on it.
    pub rigid: bool,
}

/// A joint of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// What it leaves free.
    pub kind: JointKind,
    /// Its two sides, as it was made. On free elements a hinge has two pairs and a fixed joint three, each a point.
    pub pairs: Vec<[Side; 2]>,
    /// Length at the start, of a distance [m].
    pub length: f64,
    /// Smallest and largest coordinate [m or rad].
    pub limits: (f64, f64),
    /// Force of dry friction along the coordinate [N or N m].
    pub friction: f64,
    /// Coefficient of restitution of its stops [1].
    pub restitution: f64,
    /// What its motor does at the start.
    pub motor: Command,
    /// It breaks above this force [N].
    pub break_force: f64,
    /// It breaks above this torque [N m].
    pub break_torque: f64,
    /// The two bodies, if they do not touch each other, the smaller number first.
    pub apart: Option<(u32, u32)>,
}

impl Joint {
    /// What holds each pair: the joint itself, or balls where free elements take part.
    pub fn kind_of_pairs(&self) -> JointKind {
        if self.pairs.len() > 1 { JointKind::Ball } else { self.kind }
    }

    /// Where it rides now: as it was made, until its elements have become rigid or soft.
    pub fn seats<'a>(&'a self, memory: &'a JointState) -> impl Iterator<Item = Seat> + 'a {
        let (kind, length) = (self.kind_of_pairs(), self.length);
        let made = if memory.seats.is_empty() { &self.pairs[..] } else { &[] };
        made.iter().map(move |&sides| Seat { kind, sides, length }).chain(memory.seats.iter().copied())
    }

    /// How fast its coordinate changes where it was made [m/s or rad/s]: by the spins of its sides along the axis, by the velocities
    /// of its points along the axis, or along the line between them. Zero if it has none.
    pub fn first_speed(&self, state: &State) -> f64 {
        let Some(sides) = self.pairs.first().filter(|_| self.is_driven()) else { return 0.0 };
        let [(a, _), (b, axes)] = sides.map(|side| side.place(state));
        let [(v, spin), (v_b, spin_b)] = sides.map(|side| side.motion(state));
        let axis = axes * DVec3::X;
        match self.kind {
            JointKind::Hinge => axis.dot(spin - spin_b),
            JointKind::Slider => axis.dot(v - v_b),
            JointKind::Distance => (a - b).normalize_or(axis).dot(v - v_b),
            JointKind::Fixed | JointKind::Ball => 0.0,
        }
    }

    /// True if a motor, limits or friction can act.
    pub fn is_driven(&self) -> bool {
        self.kind.has_coordinate() && self.pairs.len() == 1
    }

    /// True if a motor or friction acts in it.
    pub fn is_forced(&self, memory: &JointState) -> bool {
        memory.command != Command::Free || self.friction > 0.0
    }

    /// True if something acts along its coordinate: limits, a motor or friction.
    pub fn has_drive(&self, memory: &JointState) -> bool {
        let limited = self.limits.0.is_finite() || self.limits.1.is_finite();
        self.kind.has_coordinate() && (limited || self.is_forced(memory))
    }

    /// True if the coordinate of a distance is not held.
    pub fn is_slack(&self, command: &Command) -> bool {
        let limited = self.limits.0.is_finite() || self.limits.1.is_finite();
        self.kind == JointKind::Distance && (limited || *command != Command::Free || self.motor != Command::Free)
    }
}

/// What a joint remembers from step to step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointState {
    /// What its motor is told to do.
    pub command: Command,
    /// True once it has broken.
    pub broken: bool,
    /// Its coordinate [m or rad]; turns are counted.
    pub coordinate: f64,
    /// How that changes [m/s or rad/s].
    pub speed: f64,
    /// Impulses of its pairs in the last step, row by row [N s].
    pub impulses: Vec<[f64; 6]>,
    /// Impulses of motor, friction, lower and upper stop [N s].
    pub drive: [f64; 4],
    /// Step that they acted for [s].
    pub step: f64,
    /// Force on the first body [N].
    pub force: DVec3,
    /// Torque on the first body about the joint, on free elements about the first of them [N m].
    pub torque: DVec3,
    /// Force of the motor along the coordinate [N or N m].
    pub effort: f64,
    /// Energy that steps have given its linkage, and that waits to be taken back [J].
    pub surplus: f64,
    /// The largest kinetic energy of its linkage since something else acted on it [J].
    #[serde(default)]
    pub liveliest: f64,
    /// Where it rides since its elements have become rigid or soft; empty: as it was made.
    #[serde(default)]
    pub seats: Vec<Seat>,
}
