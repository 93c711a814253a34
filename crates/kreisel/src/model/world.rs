//! The model: what does not change by itself.

use crate::model::collider::Collider;
use crate::model::setup::{
    ConstraintSettings, ContactSettings, ImplicitSettings, Integrator, Law, Probe, Switching, View,
};
use crate::model::{Bindings, Cell, Connections, Elements, Fidelity, Joint, Material, Obstacle, Profile, Skin};
use glamx::DVec3;
use serde::{Deserialize, Serialize};

/// A body: a name for a set of elements. It has no influence on the motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Body {
    /// Its name.
    pub name: String,
    /// Its elements, ascending.
    pub elements: Vec<u32>,
    /// True if parts of it switch between rigid and soft by themselves.
    pub automatic: bool,
    /// True if the deformation of its rigid parts is solved for when somebody reads it.
    pub quasi_static: bool,
    /// True if its elements take part in contact.
    pub contact: bool,
    /// How many of its contact spheres lie in one place: more than one in bodies one cell thick.
    pub coincident_spheres: u32,
    /// Side of the cells of a solid [m]: its contact spheres may be smaller, but push as cells do. `None`: as their radii say.
    pub cell_side: Option<f64>,
    /// How well its lattice stands for the solid that it was cut from; `None`: it was not cut from one.
    pub fidelity: Option<Fidelity>,
}

/// One held element: which axes, and how it moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hold {
    /// The element.
    pub element: u32,
    /// Which of the world's axes are held.
    pub axes: [bool; 3],
    /// Index into [`Model::motions`]; `None`: it stays where it is.
    pub motion: Option<u32>,
    /// Index of the fix in the setup that this hold came from.
    pub fix: u32,
}

/// Forces on elements with a course in time, ready to be added.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodalLoad {
    /// Elements and the force on each [N].
    pub forces: Vec<(u32, DVec3)>,
    /// Course in time.
    pub profile: Profile,
}

/// A pressure on quadrilateral faces, turning with them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PressureLoad {
    /// Corners of each face, anticlockwise seen from outside.
    pub faces: Vec<[u32; 4]>,
    /// Pressure [Pa].
    pub pressure: f64,
    /// Course in time.
    pub profile: Profile,
}

/// A damped spring from a point that rides on elements to a moving target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ElementGrab {
    /// The elements that carry the point, and their weights: `x = Σ φ x_e`, `Σ φ = 1`. One with weight 1, or the four of an exact
    /// body.
    pub carried_by: Vec<(u32, f64)>,
    /// Stiffness [N/m].
    pub stiffness: f64,
    /// Damping [N s/m].
    pub damping: f64,
    /// Path of the target: `(time [s], position [m])`.
    pub path: Vec<(f64, DVec3)>,
    /// From when to when it holds [s].
    pub active: (f64, f64),
}

/// A scheduled switch with its elements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScheduledSwitch {
    /// When [s].
    pub time: f64,
    /// Which elements.
    pub elements: Vec<u32>,
    /// Rigid, or soft.
    pub make_rigid: bool,
}

/// A probe with its elements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ElementProbe {
    /// What and under which name.
    pub probe: Probe,
    /// Of which elements.
    pub elements: Vec<u32>,
    /// The point of an exact body that is read: shares of its elements. Empty: elements are read as a whole.
    #[serde(default)]
    pub shares: Vec<(u32, f64)>,
}

/// What there is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// One line for people.
    pub title: String,
    /// Acceleration of gravity [m/s²].
    pub gravity: DVec3,
    /// How long to run [s].
    pub duration: f64,
    /// Wanted time step [s]; `None`: from the stability bound.
    pub step: Option<f64>,
    /// Time between frames [s].
    pub frame: f64,
    /// How time goes on.
    pub integrator: Integrator,
    /// How implicit steps are solved.
    pub implicit: ImplicitSettings,
    /// How bodies push back.
    pub law: Law,
    /// How the law `constraint` is solved.
    pub constraint: ConstraintSettings,
    /// Exact shapes that ride on rigid bodies.
    pub colliders: Vec<Collider>,
    /// Air drag [1/s].
    pub drag: f64,
    /// Materials.
    pub materials: Vec<Material>,
    /// Bodies.
    pub bodies: Vec<Body>,
    /// Elements.
    pub elements: Elements,
    /// Connections.
    pub connections: Connections,
    /// Cells with a volume term.
    pub cells: Vec<Cell>,
    /// Centres of contact spheres that ride on several elements.
    pub perches: Bindings,
    /// Surfaces that follow their bodies.
    pub skins: Vec<Skin>,
    /// Faces of the surfaces of box bodies, anticlockwise seen from outside.
    pub faces: Vec<[u32; 4]>,
    /// Obstacles.
    pub obstacles: Vec<Obstacle>,
    /// Held elements, ascending by element, each once.
    pub holds: Vec<Hold>,
    /// Prescribed motions.
    pub motions: Vec<crate::model::setup::Motion>,
    /// Names of the fixes, by index.
    pub fix_names: Vec<String>,
    /// Point and region loads.
    pub loads: Vec<NodalLoad>,
    /// Pressure loads.
    pub pressures: Vec<PressureLoad>,
    /// Grabs.
    pub grabs: Vec<ElementGrab>,
    /// Who does not touch whom.
    pub apart: crate::model::apart::Apart,
    /// Joints.
    pub joints: Vec<Joint>,
    /// Scheduled switches, by time.
    pub schedule: Vec<ScheduledSwitch>,
    /// Automatic switching.
    pub switching: Switching,
    /// Contact settings.
    pub contact: ContactSettings,
    /// Probes.
    pub probes: Vec<ElementProbe>,
    /// How it wants to be looked at.
    pub view: View,
}

impl Model {
    /// Name of the body of element `e`.
    pub fn body_name(&self, e: u32) -> &str {
        &self.bodies[self.elements.body[e as usize].0 as usize].name
    }

    /// True if element `e` is held along some axes, and not along others.
    pub fn is_half_held(&self, e: u32) -> bool {
        let hold = self.holds.binary_search_by_key(&e, |h| h.element);
        hold.is_ok_and(|h| self.holds[h].axes != [true; 3])
    }
}
