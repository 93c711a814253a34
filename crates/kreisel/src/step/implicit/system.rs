//! The matrix of an implicit step, `C (M + hγ B + hτγ K) C`, as a product: map up, let everything act, map down, filter.

use crate::contact::rows::{relative_velocity, spread};
use crate::force::springs::SpringTangent;
use crate::force::{grab, pressure, volume};
use crate::linear::eigen::{outer, principal_frame};
use crate::linear::{Operator, Vectors, chunks};
use crate::model::world::{ElementGrab, PressureLoad};
use crate::model::{Aggregate, Cell, FREE, Model, State};
use crate::step::implicit::filter::Filter;
use crate::step::implicit::pose::Start;
use crate::step::implicit::residual::{Forces, Touching};
use crate::step::implicit::scheme::Scheme;
use crate::step::implicit::slots::{Rider, Slots};
use crate::step::workspace::Workspace;
use glamx::{DMat3, DQuat, DVec3};
use std::cell::RefCell;

/// Entries of a matrix may differ from those of its transpose by this share of the largest.
const SYMMETRIC: f64 = 1e-12;

/// The equation of a step, linearised at a pose.
pub struct System<'a> {
    /// Who rides on whom.
    pub slots: Slots,
    /// What is held.
    pub filter: &'a Filter,
    /// Mass of each free element, with drag [kg]; zero for riders.
    pub mass: Vec<f64>,
    /// Mass, and inertia with its geometric stiffness, of each aggregate [kg, kg m²].
    pub bodies: Vec<(f64, DMat3)>,
    /// Springs and dampers, scaled.
    pub springs: Option<SpringTangent<'a>>,
    /// Cells.
    pub cells: &'a [Cell],
    /// Pressures, and when [s]; empty in a system that is kept symmetric.
    pub pressures: (&'a [PressureLoad], f64),
    /// Where the corners of cells and of faces under pressure are, if there are any [m].
    pub place: Vectors,
    /// Factor of stiffness.
    pub factor: f64,
    /// Grabs of elements: stiffness, scaled [kg].
    pub grabs: Vec<(&'a ElementGrab, f64)>,
    /// Contacts.
    pub contacts: Vec<Touching>,
    scratch: RefCell<Vectors>,
}

impl<'a> System<'a> {
    /// Linearises at the pose where the state is and the forces were worked out, at time `t`.
    pub fn new(
        model: &'a Model,
        state: &State,
        w: &'a Workspace,
        (start, scheme, t): (&Start, &Scheme, f64),
        filter: &'a Filter,
        forces: &Forces,
        memory: Vec<f64>,
    ) -> Self {
        let (x, v) = (scheme.of_stiffness(), scheme.of_damping());
        let inert = 1.0 + v * model.drag;
        let mass = |e: usize| if state.owner[e] == FREE { model.elements.mass[e] * inert } else { 0.0 };
        let geometric = geometric_stiffness(&forces.slots, &forces.at_points).into_iter().map(positive_part);
        let geometric: Vec<DMat3> = geometric.collect();
        let bodies = start.bodies.iter().enumerate();
        let bodies = bodies.map(|(a, b)| (b.mass * inert, start.inertia[a] * inert + geometric[a] * x)).collect();
        let active = model.grabs.iter().filter(|g| grab::is_active(g, t));
        let bare = w.cells.is_empty() && model.pressures.is_empty();
        Self {
            slots: forces.slots.clone(),
            filter,
            mass: (0..model.elements.len()).map(mass).collect(),
            bodies,
            springs: w.springs.as_ref().map(|s| s.tangent(&state.position, x, v, memory)),
            cells: &w.cells,
            pressures: (&model.pressures, t),
            place: if bare { Vectors::default() } else { state.position.clone() },
            factor: x,
            grabs: active.map(|g| (g, x * g.stiffness + v * g.damping)).collect(),
            contacts: forces.contacts.iter().filter(|c| c.matrix != DMat3::ZERO).cloned().collect(),
            scratch: RefCell::default(),
        }
    }

    /// The matrix at the pose that a preconditioner was made for, without contacts: a function of what the state remembers.
    pub fn remembered(model: &'a Model, state: &State, w: &'a Workspace, filter: &'a Filter, time: f64) -> Self {
        let memory = &state.solver;
        let (x, v) = memory.factors;
        let inert = 1.0 + v * model.drag;
        let mass = |e: usize| if state.owner[e] == FREE { model.elements.mass[e] * inert } else { 0.0 };
        let body = |(a, (_, q)): (&Aggregate, &(DVec3, DQuat))| {
            let r = DMat3::from_quat(*q);
            (a.mass * inert, r * DMat3::from_diagonal(a.inertia * inert) * r.transpose())
        };
        let active = model.grabs.iter().filter(|g| grab::is_active(g, time));
        Self {
            slots: Slots::remembered(state, w),
            filter,
            mass: (0..model.elements.len()).map(mass).collect(),
            bodies: state.aggregates.iter().zip(&memory.bodies).map(body).collect(),
            springs: w.springs.as_ref().map(|s| s.tangent(&memory.pose, x, v, Vec::new())),
            cells: &w.cells,
            pressures: (&[], time),
            place: if w.cells.is_empty() { Vectors::default() } else { Vectors::clone(&memory.pose) },
            factor: x,
            grabs: active.map(|g| (g, x * g.stiffness + v * g.damping)).collect(),
            contacts: Vec::new(),
            scratch: RefCell::default(),
        }
    }

    /// True if conjugate gradients will do: friction that follows the push, and pressure that follows its face, are not symmetric.
    pub fn is_symmetric(&self) -> bool {
        let lopsided = |c: &Touching| !c.matrix.abs_diff_eq(c.matrix.transpose(), SYMMETRIC * largest(&c.matrix));
        self.pressures.0.is_empty() && !self.contacts.iter().any(lopsided)
    }

    /// Leaves out what is not symmetric.
    pub fn make_symmetric(&mut self) {
        self.pressures.0 = &[];
        self.contacts.iter_mut().for_each(|c| c.matrix = c.symmetric);
    }

    /// `y = A u` without the filter.
    pub fn product(&self, u: &Vectors, y: &mut Vectors) {
        self.inertia(u, y);
        if self.slots.riders.is_empty() {
            return self.interact(u, y);
        }
        let mut points = self.scratch.borrow_mut();
        points.copy_from(u);
        self.slots.map_up(&mut points);
        self.interact(&points, y);
        self.slots.map_down(y);
    }

    /// Adds what connections, cells, pressures, grabs and contacts make of the velocities of points.
    fn interact(&self, points: &Vectors, y: &mut Vectors) {
        if let Some(springs) = &self.springs {
            springs.add_product(points, y);
        }
        self.add_cells_and_pressures(points, y);
        for (grabbed, k) in &self.grabs {
            let push = grab::at_point(grabbed, points) * *k;
            grabbed.carried_by.iter().for_each(|&(e, weight)| y.add(e as usize, push * weight));
        }
        for c in &self.contacts {
            spread(&c.row, c.matrix * relative_velocity(&c.row, points), y);
        }
    }

    fn add_cells_and_pressures(&self, points: &Vectors, y: &mut Vectors) {
        if self.place.is_empty() {
            return;
        }
        // The differential is that of the force: `−K dx`.
        let mut back = Vectors::zeros(points.len());
        back.axpy(-self.factor, points);
        volume::add_differential(self.cells, &self.place, &back, true, y);
        let (pressures, time) = self.pressures;
        pressure::add_differential(pressures, time, &self.place, &back, y);
    }

    /// By how much the impulses of pressures change for the change `points` of velocities [kg m/s]; empty if there are none.
    pub fn change_of_pressures(&self, points: &Vectors) -> Vectors {
        let (pressures, time) = self.pressures;
        let mut change = Vectors::default();
        if !pressures.is_empty() {
            let mut way = Vectors::zeros(points.len());
            way.axpy(self.factor, points);
            change.reset(self.place.len());
            pressure::add_differential(pressures, time, &self.place, &way, &mut change);
        }
        change
    }

    /// `y = M u`.
    fn inertia(&self, u: &Vectors, y: &mut Vectors) {
        y.fit(u.len());
        let n = self.mass.len();
        for (y, u) in [(&mut y.x, &u.x), (&mut y.y, &u.y), (&mut y.z, &u.z)] {
            chunks::scale_into(&self.mass, u, y);
            y[n..].fill(0.0);
        }
        for (a, (mass, inertia)) in self.bodies.iter().enumerate() {
            let (v, w) = (self.slots.velocity(a), self.slots.spin(a));
            y.set(v, u.get(v) * *mass);
            y.set(w, *inertia * u.get(w));
        }
    }
}

impl Operator for System<'_> {
    fn apply(&self, x: &Vectors, y: &mut Vectors) {
        // Search directions are filtered already: what the preconditioner returns is.
        self.product(x, y);
        self.filter.apply(&self.slots, y);
    }
}

/// Geometric stiffness of the points of each aggregate, `Σ (f·r) 1 − ½ (r fᵀ + f rᵀ)` [N m]: points turn, forces do not.
pub(super) fn geometric_stiffness(slots: &Slots, force: &Vectors) -> Vec<DMat3> {
    let mut sums = vec![DMat3::ZERO; slots.bodies];
    for &Rider { element, body, arm } in &slots.riders {
        let f = force.get(element as usize);
        sums[body as usize] += DMat3::from_diagonal(DVec3::splat(f.dot(arm))) - (outer(arm, f) + outer(f, arm)) * 0.5;
    }
    sums
}

fn largest(m: &DMat3) -> f64 {
    [m.x_axis, m.y_axis, m.z_axis].into_iter().map(|c| c.abs().max_element()).fold(0.0, f64::max)
}

/// A symmetric matrix without its negative eigenvalues.
fn positive_part(m: DMat3) -> DMat3 {
    let (values, frame) = principal_frame(m);
    let axes = DMat3::from_quat(frame);
    axes * DMat3::from_diagonal(values.max(DVec3::ZERO)) * axes.transpose()
}
