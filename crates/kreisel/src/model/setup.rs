//! A scene as plain data in SI units: what a scene file says, before elements exist.
//!
//! `Setup` is what people write by hand (through a scene file, or in code); `Simulation::new` turns it into
//! elements, connections and a state.

mod body;
mod constraint;
mod integrator;
mod probe;
mod view;

pub use body::{BodySetup, BodyShape, ConnectionSetup, ElementSetup, Resolution, RigidPart};
pub use constraint::{ConstraintSettings, ContactSolver, Demands, RestitutionLaw};
pub use integrator::{ImplicitSettings, Integrator, LinearSolver};
pub use probe::{Probe, Quantity};
pub use view::{Colour, Show, View};

use crate::model::{JointSetup, Obstacle, Profile, Region};
use glamx::DVec3;
use serde::{Deserialize, Serialize};

/// A whole scene. `Setup::default()` is an empty world with gravity.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// One line for people.
    pub title: String,
    /// Acceleration of gravity [m/s²].
    pub gravity: DVec3,
    /// How long to run [s].
    pub duration: f64,
    /// Wanted time step [s]; `None`: from the stability bound.
    pub step: Option<f64>,
    /// Time between recorded frames [s].
    pub frame: f64,
    /// How time goes on.
    pub integrator: Integrator,
    /// How implicit steps are solved.
    pub implicit: ImplicitSettings,
    /// How bodies push back.
    pub law: Law,
    /// How the law `constraint` is solved.
    pub constraint: ConstraintSettings,
    /// Air drag: the force on an element is `−drag · m · v`; `drag` [1/s].
    pub drag: f64,
    /// The bodies, in order; element numbers follow this order.
    pub bodies: Vec<BodySetup>,
    /// The fixed world.
    pub obstacles: Vec<Obstacle>,
    /// Elements held or moved.
    pub fixes: Vec<Fix>,
    /// Loads.
    pub loads: Vec<Load>,
    /// Grabs.
    pub grabs: Vec<Grab>,
    /// Joints.
    pub joints: Vec<JointSetup>,
    /// Switches at given times.
    pub schedule: Vec<Switch>,
    /// When bodies marked [`RigidPart::Automatic`] switch by themselves.
    pub switching: Switching,
    /// Contact settings.
    pub contact: ContactSettings,
    /// Pairs of names of bodies, groups of bodies and obstacles that do not touch.
    pub apart: Vec<[String; 2]>,
    /// What to read out.
    pub probes: Vec<Probe>,
    /// Start from the rest state under the loads of the start, instead of as it is written.
    pub settle: bool,
    /// Do not refuse soft bodies that overlap at the start. Exact ones are moved apart in any case.
    pub allow_overlap: bool,
    /// How it wants to be looked at.
    pub view: View,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            title: String::new(),
            gravity: DVec3::new(0.0, 0.0, -9.81),
            duration: 1.0,
            step: None,
            frame: 1.0 / 60.0,
            integrator: Integrator::default(),
            implicit: ImplicitSettings::default(),
            law: Law::default(),
            constraint: ConstraintSettings::default(),
            drag: 0.0,
            bodies: Vec::new(),
            obstacles: Vec::new(),
            fixes: Vec::new(),
            loads: Vec::new(),
            grabs: Vec::new(),
            joints: Vec::new(),
            schedule: Vec::new(),
            switching: Switching::default(),
            contact: ContactSettings::default(),
            apart: Vec::new(),
            probes: Vec::new(),
            settle: false,
            allow_overlap: false,
            view: View::default(),
        }
    }
}

/// How bodies push back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Law {
    /// Contact connections: springs and dampers where element radii meet.
    #[default]
    Connections,
    /// Contacts as unilateral constraints with Coulomb friction, solved at the end of each step.
    Constraint,
}

/// Elements held in place, or moved as prescribed, in chosen directions.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// Name for reaction probes.
    pub name: String,
    /// Which elements.
    pub region: Region,
    /// Which of the world's axes x, y, z are held.
    pub axes: [bool; 3],
    /// How the held elements move; `None`: not at all.
    pub motion: Option<Motion>,
}

/// A prescribed motion: `x(t) = c + Rot(θ(t)) (X − c) + u(t)`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Motion {
    /// Constant velocity [m/s].
    pub velocity: DVec3,
    /// Displacement [m], scaled by the profile.
    pub displacement: DVec3,
    /// Rotation vector [rad] (axis times angle), scaled by the profile.
    pub rotation: DVec3,
    /// Centre of the rotation [m].
    pub centre: DVec3,
    /// Course in time of displacement and rotation.
    pub profile: Profile,
}

/// A load.
#[derive(Clone, Debug, PartialEq)]
pub struct Load {
    /// Name for messages.
    pub name: String,
    /// What it does.
    pub kind: LoadKind,
    /// Course in time.
    pub profile: Profile,
}

/// Kinds of loads.
#[derive(Clone, Debug, PartialEq)]
pub enum LoadKind {
    /// A force [N] on the element of `region` nearest to `at`; of an exact body, at that very point.
    Point {
        /// Which elements may be taken.
        region: Region,
        /// Where [m], reference configuration.
        at: DVec3,
        /// Force [N].
        force: DVec3,
    },
    /// A total force [N] spread over the elements of a region in proportion to their masses.
    Region {
        /// Which elements.
        region: Region,
        /// Total force [N].
        force: DVec3,
    },
    /// A pressure [Pa] on the surface faces of box bodies whose four corners lie in the region; turns with the surface.
    Pressure {
        /// Which faces.
        region: Region,
        /// Pressure [Pa], positive pushes inwards.
        pressure: f64,
    },
}

/// A damped spring from a point of a body to a moving target.
#[derive(Clone, Debug, PartialEq)]
pub struct Grab {
    /// Name for messages.
    pub name: String,
    /// Which elements may be grabbed; the one nearest to `at` is, or that very point of an exact body.
    pub region: Region,
    /// Where it is grabbed [m], reference configuration.
    pub at: DVec3,
    /// Stiffness [N/m].
    pub stiffness: f64,
    /// Damping [N s/m].
    pub damping: f64,
    /// Path of the target: `(time [s], position [m])`, straight in between, constant outside.
    pub path: Vec<(f64, DVec3)>,
    /// From when to when it holds [s].
    pub active: (f64, f64),
}

/// Something becomes rigid or soft at a given time.
#[derive(Clone, Debug, PartialEq)]
pub struct Switch {
    /// When [s].
    pub time: f64,
    /// Which elements.
    pub region: Region,
    /// Rigid, or soft.
    pub make_rigid: bool,
}

/// Automatic switching by strain rate, with hysteresis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Switching {
    /// Elements all of whose connections change slower than this may become rigid [1/s].
    pub rigid_below: f64,
    /// A rigid part in which a connection would change faster than this becomes soft [1/s].
    pub soft_above: f64,
    /// For how long the strain rate must stay below the threshold [s].
    pub patience: f64,
    /// What happens with the strain that was frozen when a part becomes soft again.
    pub release: Release,
}

impl Default for Switching {
    fn default() -> Self {
        Self { rigid_below: 0.01, soft_above: 0.05, patience: 0.02, release: Release::default() }
    }
}

/// What happens with frozen strain on release.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Release {
    /// Solve for the deformation that balances the loads of the moment, and start from there.
    #[default]
    Relief,
    /// Start from the frozen strain as it is.
    AsFrozen,
}

/// How two coefficients become one. Of two materials that want it differently, the rule that stands first here holds, as in
/// glTF [KHRrb].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Combine {
    /// Their mean.
    #[default]
    Average,
    /// The smaller.
    Minimum,
    /// The larger.
    Maximum,
    /// Their product.
    Multiply,
}

/// Where gaps and normals between bodies come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Gaps {
    /// From the contact spheres of both: their lattices interlock, which acts as friction.
    Spheres,
    /// From the spheres of the one and the skin of the other, both ways.
    #[default]
    Skins,
}

/// Contact settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactSettings {
    /// False: nothing touches anything.
    pub enabled: bool,
    /// False: elements of one body do not touch each other.
    pub self_collision: bool,
    /// Contact connections also pull, until they are longer than `1 + adhesion` times their rest length; 0: never.
    pub adhesion: f64,
    /// Where gaps and normals between bodies come from.
    pub gaps: Gaps,
    /// How friction coefficients combine.
    pub friction: Combine,
    /// How restitution coefficients combine.
    pub restitution: Combine,
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self {
            enabled: true,
            self_collision: true,
            adhesion: 0.0,
            gaps: Gaps::default(),
            friction: Combine::Average,
            restitution: Combine::Average,
        }
    }
}
