//! Blocks with perches and skins, pressed on each other.
#![allow(clippy::unwrap_used)]

use kreisel::DQuat;
use kreisel::DVec3;
use kreisel::linear::Vectors;
use kreisel::model::element::NO_PERCH;
use kreisel::model::mapping::carry_all;
use kreisel::model::setup::{BodySetup, BodyShape, Gaps, RigidPart};
use kreisel::model::{Bindings, Model, Region, Setup, State};
use kreisel::step::{self, Workspace};
use kreisel::{Simulation, model::Material};

/// A model in motion.
pub struct Scene {
    pub model: Model,
    pub state: State,
    pub workspace: Workspace,
}

impl Scene {
    pub fn new(model: Model, mut state: State) -> Self {
        let mut workspace = Workspace::default();
        step::open_ledger(&model, &mut state, &mut workspace);
        Self { model, state, workspace }
    }

    /// Contact forces on all elements [N].
    pub fn forces(&mut self) -> Vectors {
        step::forces(&self.model, &mut self.state, &mut self.workspace).contact
    }

    pub fn step(&mut self, frame: f64) {
        let mut next = State::default();
        step::step(&self.model, &self.state, &mut next, &mut self.workspace, frame).unwrap();
        self.state = next;
    }

    /// The scene with everything moved a little.
    pub fn moved(&self, along: &Vectors, h: f64) -> Self {
        let mut state = self.state.clone();
        state.position.axpy(h, along);
        for a in &mut state.aggregates {
            a.position += along.get(a.elements[0] as usize) * h;
        }
        carry_all(&mut state);
        Self::new(self.model.clone(), state)
    }
}

/// Elastic energy of contact and of the body; what the body has is told by a run without contact.
pub fn contact_energy(scene: &Scene) -> f64 {
    let mut apart = scene.model.clone();
    apart.contact.enabled = false;
    let alone = Scene::new(apart, scene.state.clone());
    scene.state.ledger.elastic - alone.state.ledger.elastic
}

/// How far the work of a small shift is from the change of energy, relative.
pub fn error_of_gradient(mut scene: Scene) -> f64 {
    let force = scene.forces();
    let along = waves(&scene);
    let h = 1e-7;
    let slope = (contact_energy(&scene.moved(&along, h)) - contact_energy(&scene.moved(&along, -h))) / (2.0 * h);
    let work = force.dot(&along);
    assert!(work.abs() > 1.0, "they should push: {work}");
    ((work + slope) / work).abs()
}

/// Bodies that rub for 20 ms keep both momenta to rounding, and their ledger closes.
pub fn expect_rubbing_keeps_both_momenta(mut scene: Scene) {
    let (p, l, scale) = momenta(&scene);
    for _ in 0..10 {
        scene.step(2e-3);
    }
    let (p1, l1, _) = momenta(&scene);
    let ledger = scene.state.ledger;
    assert!(ledger.friction_loss > 1e-4, "they should rub: {ledger:?}");
    assert!((p1 - p).length() < 1e-12 * scale, "P by {}", (p1 - p).length() / scale);
    assert!((l1 - l).length() < 1e-12 * scale, "L by {}", (l1 - l).length() / scale);
    assert!(ledger.relative_residual() < 0.01, "{ledger:?}");
}

/// The same bits with the workspace kept and with a fresh one for every frame.
pub fn expect_no_workspace_needed(start: impl Fn() -> Scene, frames: u32, frame: f64) {
    let run = |forget: bool| {
        let mut scene = start();
        for _ in 0..frames {
            if forget {
                scene.workspace = Workspace::default();
            }
            scene.step(frame);
        }
        scene.state
    };
    assert_eq!(run(false), run(true));
}

/// Linear and angular momentum, and a yardstick.
pub fn momenta(scene: &Scene) -> (DVec3, DVec3, f64) {
    let (mut p, mut l, mut scale) = (DVec3::ZERO, DVec3::ZERO, 0.0);
    for (e, &m) in scene.model.elements.mass.iter().enumerate() {
        let (x, v) = (scene.state.position.get(e), scene.state.velocity.get(e));
        (p, l, scale) = (p + v * m, l + x.cross(v) * m, scale + v.length() * m);
    }
    (p, l, scale)
}

/// The half of the upper block on negative x.
pub fn left_half() -> RigidPart {
    RigidPart::Region(Region::Box { min: DVec3::new(-1.0, -1.0, -1.0), max: DVec3::new(0.0, 1.0, 1.0) })
}

/// Shifts of all elements, different for each; those of a rigid body move together.
pub fn waves(scene: &Scene) -> Vectors {
    let mut along = Vectors::zeros(scene.model.elements.len());
    for e in 0..along.len() {
        let k = e as f64;
        along.set(e, DVec3::new((3.0 * k).sin(), (5.0 * k).cos(), (7.0 * k).sin()));
    }
    for a in &scene.state.aggregates {
        a.elements.iter().for_each(|&e| along.set(e as usize, DVec3::new(0.3, -0.2, 0.5)));
    }
    along
}

/// A block of damped material.
pub fn block(name: &str, size: DVec3, at: DVec3, cells: u32) -> BodySetup {
    BodySetup {
        name: name.into(),
        shape: BodyShape::Box { size, cells },
        at,
        material: Material { damping: 0.1, ..Material::default() },
        ..BodySetup::default()
    }
}

/// The scene of a setup. Overlaps at the start are no rest state here: they push.
pub fn scene(setup: &Setup) -> Scene {
    let sim = Simulation::new(&Setup { allow_overlap: true, ..setup.clone() }).unwrap();
    let (model, mut state) = (sim.model().clone(), sim.state().clone());
    state.contacts.clear();
    Scene::new(model, state)
}

/// A tilted block that overlaps another one a little and moves with the given speed along it.
pub fn pressed(rigid: Vec<RigidPart>, speed: f64, gaps: Gaps) -> Scene {
    let size = DVec3::new(0.4, 0.3, 0.2);
    let mut high = block("high", size, DVec3::new(0.03, 0.02, 0.199), 3);
    (high.rotation, high.rigid) = (DQuat::from_rotation_x(0.002), rigid);
    high.velocity = DVec3::new(speed, 0.5 * speed, -0.1 * speed);
    let bodies = vec![block("low", size, DVec3::ZERO, 2), high];
    let mut setup = Setup { bodies, gravity: DVec3::ZERO, ..Setup::default() };
    setup.contact.gaps = gaps;
    scene(&setup)
}

/// Every sphere rides on its element, its anchor and two neighbours, with weights that reproduce its place.
pub fn perch(model: &mut Model) {
    let e = &model.elements;
    let mut perches = Bindings::default();
    let mut perch = vec![NO_PERCH; e.len()];
    for (i, seat) in perch.iter_mut().enumerate() {
        let Some(anchor) = e.anchor_of(i) else { continue };
        let (x, a) = (e.rest.get(i), e.rest.get(anchor as usize));
        let share = e.inset[i] / a.distance(x);
        // Two neighbours on opposite sides of the anchor share a part of its weight; or there are none.
        let other = |j: usize| (e.rest.get(j) - (a * 2.0 - x)).length() < 1e-9;
        *seat = perches.len() as u32;
        match (0..e.len()).find(|&j| other(j)) {
            Some(j) => perches.push([(i as u32, 1.0 - share + 0.1), (anchor, share - 0.2), (j as u32, 0.1)]),
            None => perches.push([(i as u32, 1.0 - share), (anchor, share)]),
        }
    }
    (model.perches, model.elements.perch) = (perches, perch);
}
