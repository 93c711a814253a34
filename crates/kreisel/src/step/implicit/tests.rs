//! The matrix of a step against finite differences of its residual, in bodies that are partly rigid.
#![allow(clippy::unwrap_used)]

use super::filter::Filter;
use super::pose::Start;
use super::residual::{Forces, evaluate, freeze};
use super::scheme::Scheme;
use super::slots::Slots;
use super::system::{System, geometric_stiffness};
use crate::contact::implicit::Frozen;
use crate::linear::eigen::outer;
use crate::linear::{BlockSource, Operator, Vectors};
use crate::model::obstacle::ObstacleShape;
use crate::model::setup::{BodySetup, BodyShape, Grab, Integrator, Load, LoadKind, RigidPart};
use crate::model::{Material, Model, Obstacle, Profile, Region, Setup, State};
use crate::step::workspace::Workspace;
use glamx::{DMat3, DVec3};

/// Numbers between −1 and 1, the same in every run.
fn noise(n: usize, seed: u64) -> Vectors {
    let mut s = seed;
    let mut next = || {
        s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (s >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let mut field = Vectors::default();
    (0..n).for_each(|_| field.push(DVec3::new(next(), next(), next())));
    field
}

/// A bar with a rigid half and a grab.
fn bar() -> Setup {
    let material = Material { young: 2e4, poisson: 0.25, damping: 0.0, ..Material::default() };
    let half = Region::HalfSpace { normal: -DVec3::X, offset: 0.0 };
    let body = BodySetup {
        shape: BodyShape::Box { size: DVec3::new(0.8, 0.2, 0.2), cells: 2 },
        material,
        velocity: DVec3::new(0.3, -0.2, 0.4),
        spin: DVec3::new(1.0, 2.0, -1.5),
        rigid: vec![RigidPart::Region(half)],
        ..BodySetup::default()
    };
    let grab = Grab {
        name: "hand".into(),
        region: Region::Everything,
        at: DVec3::new(0.4, 0.1, 0.1),
        stiffness: 50.0,
        damping: 2.0,
        path: vec![(0.0, DVec3::new(0.6, 0.2, 0.1))],
        active: (0.0, 10.0),
    };
    Setup { bodies: vec![body], grabs: vec![grab], drag: 0.3, step: Some(0.01), ..Setup::default() }
}

struct Case {
    model: Model,
    state: State,
    w: Workspace,
    start: Start,
    scheme: Scheme,
    frozen: Option<Frozen>,
}

impl Case {
    fn new(setup: &Setup, integrator: Integrator) -> Self {
        let (model, state) = crate::build::build(setup).unwrap();
        let mut w = Workspace::default();
        w.refresh(&model, &state);
        let scheme = Scheme::new(integrator, 0.01);
        let start = Start::new(&state, &scheme);
        Self { model, state, w, start, scheme, frozen: None }
    }

    fn slots(&self) -> usize {
        self.model.elements.len() + 2 * self.start.bodies.len()
    }

    fn at(&mut self, du: &Vectors) -> Forces {
        let frozen = self.frozen.as_ref();
        evaluate(&self.model, &mut self.state, &mut self.w, (&self.start, &self.scheme, 0.01), (du, &[]), frozen)
    }

    /// Keeps the contacts of a pose.
    fn freeze(&mut self, du: &Vectors) {
        self.at(du);
        self.frozen = Some(freeze(&self.model, &self.state, &self.w, &self.scheme));
    }

    /// A change of velocities that stretches the body, so that no spring is pressed.
    fn stretching(&self) -> Vectors {
        let mut du = noise(self.slots(), 5);
        let n = self.model.elements.len();
        for e in 0..n {
            let pull = self.start.position.get(e) * (0.2 / self.scheme.reach) + du.get(e) * 0.1;
            du.set(e, if self.state.owner[e] == crate::model::FREE { pull } else { DVec3::ZERO });
        }
        for a in 0..self.start.bodies.len() {
            du.set(n + 2 * a, DVec3::new(-4.0, 0.0, 0.0));
            // A turn by a finite angle would bring in the derivative of the exponential map.
            du.set(n + 2 * a + 1, DVec3::ZERO);
        }
        du
    }

    /// `A p` with the whole geometric stiffness, and `(g(Δu + εp) − g(Δu − εp)) / 2ε`.
    fn both(&mut self, du: &Vectors, p: &Vectors) -> (Vectors, Vectors) {
        let filter = Filter::default();
        let now = self.at(du);
        let exact = turning_stiffness(&now);
        let (model, state, w) = (&self.model, &self.state, &self.w);
        let mut system = System::new(model, state, w, (&self.start, &self.scheme, 0.01), &filter, &now, Vec::new());
        for (a, g) in exact.iter().enumerate() {
            let inert = 1.0 + self.scheme.of_damping() * model.drag;
            system.bodies[a].1 = self.start.inertia[a] * inert + *g * self.scheme.of_stiffness();
        }
        let mut product = Vectors::default();
        system.apply(p, &mut product);
        drop(system);
        let eps = 1e-5;
        let (mut ahead, mut behind) = (du.clone(), du.clone());
        ahead.axpy(eps, p);
        behind.axpy(-eps, p);
        let mut difference = self.at(&ahead).residual;
        difference.axpy(-1.0, &self.at(&behind).residual);
        let mut rate = Vectors::zeros(p.len());
        rate.axpy(0.5 / eps, &difference);
        (product, rate)
    }
}

/// `Σ (f·r) 1 − r fᵀ`, the derivative of the torque `Σ r × f` of forces on points that turn: the solver takes its symmetric part.
fn turning_stiffness(now: &Forces) -> Vec<DMat3> {
    let mut sums = vec![DMat3::ZERO; now.slots.bodies];
    for r in &now.slots.riders {
        let f = now.at_points.get(r.element as usize);
        sums[r.body as usize] += DMat3::from_diagonal(DVec3::splat(f.dot(r.arm))) - outer(r.arm, f);
    }
    for (whole, symmetric) in sums.iter().zip(geometric_stiffness(&now.slots, &now.at_points)) {
        let rest = *whole - symmetric;
        let size = whole.x_axis.length() + whole.y_axis.length() + whole.z_axis.length();
        assert!((rest + rest.transpose()).abs_diff_eq(DMat3::ZERO, 1e-12 * size));
    }
    sums
}

fn distance(a: &Vectors, b: &Vectors) -> f64 {
    let mut d = a.clone();
    d.axpy(-1.0, b);
    (d.dot(&d) / a.dot(a)).sqrt()
}

/// Directions of the free slots only.
fn direction(case: &Case, seed: u64) -> Vectors {
    let mut p = noise(case.slots(), seed);
    for e in 0..case.model.elements.len() {
        if case.state.owner[e] != crate::model::FREE {
            p.set(e, DVec3::ZERO);
        }
    }
    p
}

#[test]
fn dampers_and_cells_at_rest_have_the_derivative_of_their_forces() {
    let mut setup = bar();
    let body = &mut setup.bodies[0];
    (body.material.poisson, body.material.damping) = (0.35, 0.3);
    (body.velocity, body.spin) = (DVec3::ZERO, DVec3::ZERO);
    for integrator in [Integrator::BackwardEuler, Integrator::ImplicitMidpoint] {
        let mut case = Case::new(&setup, integrator);
        let (du, p) = (Vectors::zeros(case.slots()), direction(&case, 7));
        let (product, rate) = case.both(&du, &p);
        assert!(distance(&product, &rate) < 1e-6, "{integrator:?}: {:e}", distance(&product, &rate));
    }
}

#[test]
fn the_matrix_is_the_derivative_of_the_residual_in_a_part_rigid_body() {
    for integrator in [Integrator::BackwardEuler, Integrator::ImplicitMidpoint] {
        let mut setup = bar();
        if integrator == Integrator::ImplicitMidpoint {
            // Its rotation is that of free flight: to first order in the angle only.
            setup.bodies[0].spin = DVec3::ZERO;
        }
        let mut case = Case::new(&setup, integrator);
        let du = case.stretching();
        for seed in 1..4 {
            let p = direction(&case, seed);
            let (product, rate) = case.both(&du, &p);
            let error = distance(&product, &rate);
            assert!(error < 1e-6, "{integrator:?}: {error:e}");
        }
    }
}

/// A block on the ground.
fn resting() -> Setup {
    let material = Material { young: 1e5, static_friction: 0.8, dynamic_friction: 0.8, ..Material::default() };
    let body = BodySetup {
        shape: BodyShape::Box { size: DVec3::new(0.4, 0.4, 0.2), cells: 2 },
        at: DVec3::new(0.0, 0.0, 0.1),
        material,
        ..BodySetup::default()
    };
    let shape = ObstacleShape::Plane { normal: DVec3::Z, offset: 0.0 };
    let ground = Obstacle { name: "ground".into(), shape, friction: None, restitution: None };
    let (bodies, obstacles) = (vec![body], vec![ground]);
    Setup { bodies, obstacles, step: Some(0.01), ..Setup::default() }
}

/// Moves the block into the ground by `overlap` and compares.
fn contact_error(setup: &Setup, overlap: f64) -> f64 {
    let mut case = Case::new(setup, Integrator::BackwardEuler);
    let mut p = direction(&case, 3);
    for a in 0..case.start.bodies.len() {
        let spin = case.model.elements.len() + 2 * a + 1;
        p.set(spin, p.get(spin) * 0.1);
    }
    let mut du = Vectors::zeros(case.slots());
    let down = DVec3::new(0.0, 0.0, -overlap / case.scheme.reach);
    let rigid = !case.start.bodies.is_empty();
    (0..case.model.elements.len()).filter(|_| !rigid).for_each(|e| du.set(e, down));
    (0..case.start.bodies.len()).for_each(|a| du.set(case.model.elements.len() + 2 * a, down));
    assert!(!case.at(&du).contacts.is_empty(), "it touches the ground");
    let (product, rate) = case.both(&du, &p);
    distance(&product, &rate)
}

/// The turning of contact spheres about their elements is left out of the matrix: it is in proportion to the force, as the
/// curvature of pressed springs is.
#[test]
fn contacts_have_the_derivative_of_their_forces_up_to_what_the_force_itself_turns() {
    for rigid in [false, true] {
        let mut setup = resting();
        setup.bodies[0].rigid = if rigid { vec![RigidPart::Whole] } else { Vec::new() };
        let [deep, shallow] = [1e-3, 1e-4].map(|overlap| contact_error(&setup, overlap));
        assert!(deep < 0.1 && (shallow / deep - 0.1).abs() < 0.02, "rigid {rigid}: {deep:e}, {shallow:e}");
    }
}

/// The block pressed into the ground and pushed along it: how far product and difference are apart, and how many slide.
fn kept_contact_error(setup: &Setup, along: f64, damped: bool) -> (f64, usize) {
    let mut setup = setup.clone();
    let material = &mut setup.bodies[0].material;
    (material.restitution, material.poisson, material.damping) = (if damped { 0.3 } else { 1.0 }, 0.25, 0.0);
    let mut case = Case::new(&setup, Integrator::BackwardEuler);
    let n = case.model.elements.len();
    let (mut du, push) = (Vectors::zeros(case.slots()), DVec3::new(along, 0.5 * along, -0.1));
    let stray = noise(n, 11);
    // Stretched, so that no spring is pressed.
    (0..n).for_each(|e| du.set(e, case.start.position.get(e) * 0.2 + stray.get(e) * 0.002 + push));
    (0..case.start.bodies.len()).for_each(|a| du.set(n + 2 * a, push + DVec3::X * 0.1));
    case.freeze(&du);
    let pushing = case.at(&du).contacts.len();
    let even = case.at(&du).contacts.iter().filter(|c| c.matrix.abs_diff_eq(c.matrix.transpose(), 1e-6)).count();
    let p = direction(&case, 3);
    let (product, rate) = case.both(&du, &p);
    (distance(&product, &rate), pushing - even)
}

#[test]
fn contacts_that_are_kept_have_the_derivative_of_their_forces_sticking_and_sliding() {
    for rigid in [vec![], vec![RigidPart::Region(Region::HalfSpace { normal: DVec3::X, offset: 0.0 })]] {
        let mut setup = resting();
        setup.bodies[0].rigid = rigid;
        for damped in [false, true] {
            let [sticking, mixed, sliding] = [0.0, 0.08, 0.5].map(|along| kept_contact_error(&setup, along, damped));
            assert!(sticking.1 < mixed.1 && mixed.1 < sliding.1, "{sticking:?} {mixed:?} {sliding:?}");
            for (error, _) in [sticking, mixed, sliding] {
                assert!(error < 1e-6, "{sticking:?} {mixed:?} {sliding:?}");
            }
        }
    }
}

#[test]
fn pressure_on_open_and_closed_faces_has_the_derivative_of_its_force_in_a_part_rigid_body() {
    let end = Region::HalfSpace { normal: DVec3::X, offset: -0.399 };
    for region in [Region::Everything, end] {
        let mut setup = bar();
        let kind = LoadKind::Pressure { region, pressure: 3e3 };
        setup.loads = vec![Load { name: "gas".into(), kind, profile: Profile::Constant }];
        let mut case = Case::new(&setup, Integrator::BackwardEuler);
        let (du, p) = (case.stretching(), direction(&case, 2));
        let (product, rate) = case.both(&du, &p);
        assert!(distance(&product, &rate) < 1e-6, "{:e}", distance(&product, &rate));
        case.model.pressures.clear();
        let (without, _) = case.both(&du, &p);
        assert!(distance(&product, &without) > 1e-4, "the pressure matters: {:e}", distance(&product, &without));
    }
}

#[test]
fn the_blocks_are_those_of_the_product() {
    let mut case = Case::new(&bar(), Integrator::BackwardEuler);
    let du = case.stretching();
    let now = case.at(&du);
    let filter = Filter::default();
    let (model, state, w) = (&case.model, &case.state, &case.w);
    let system = System::new(model, state, w, (&case.start, &case.scheme, 0.01), &filter, &now, Vec::new());
    let n = case.slots();
    let mut dense = vec![DMat3::ZERO; n * n];
    system.each_block(&mut |i, j, b| {
        let (i, j) = (i as usize, j as usize);
        assert!(i <= j);
        dense[i * n + j] += b;
        if i != j {
            dense[j * n + i] += b.transpose();
        }
    });
    let p = direction(&case, 9);
    let mut product = Vectors::default();
    system.apply(&p, &mut product);
    let mut by_blocks = Vectors::zeros(n);
    for i in 0..n {
        (0..n).for_each(|j| by_blocks.add(i, dense[i * n + j] * p.get(j)));
    }
    assert!(distance(&product, &by_blocks) < 1e-12, "{:e}", distance(&product, &by_blocks));
}

#[test]
fn a_standstill_is_the_pose_of_the_start() {
    for integrator in [Integrator::BackwardEuler, Integrator::ImplicitMidpoint] {
        let mut case = Case::new(&bar(), integrator);
        let layout = Slots { elements: case.model.elements.len(), bodies: 1, riders: Vec::new() };
        let du = case.start.standstill(&case.state, &layout, &case.scheme);
        case.at(&du);
        for e in 0..layout.elements {
            assert!((case.state.position.get(e) - case.start.position.get(e)).length() < 1e-14);
            assert!(case.state.velocity.get(e).length() < 1e-12);
        }
    }
}
