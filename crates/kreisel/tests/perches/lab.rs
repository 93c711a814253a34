//! Blocks with perches, pressed on each other.

use kreisel::DQuat;
use kreisel::DVec3;
use kreisel::linear::Vectors;
use kreisel::model::element::NO_PERCH;
use kreisel::model::mapping::carry_all;
use kreisel::model::setup::{BodySetup, BodyShape, RigidPart};
use kreisel::model::{Bindings, FREE, Model, Region, Setup, State};
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

fn block(name: &str, at: DVec3, cells: u32) -> BodySetup {
    BodySetup {
        name: name.into(),
        shape: BodyShape::Box { size: DVec3::new(0.4, 0.3, 0.2), cells },
        at,
        material: Material { damping: 0.1, ..Material::default() },
        ..BodySetup::default()
    }
}

/// A tilted block with perches that overlaps another one a little and moves with the given speed along it.
pub fn pressed(rigid: Vec<RigidPart>, speed: f64) -> Scene {
    let mut high = block("high", DVec3::new(0.03, 0.02, 0.199), 3);
    (high.rotation, high.rigid) = (DQuat::from_rotation_x(0.002), rigid);
    high.velocity = DVec3::new(speed, 0.5 * speed, -0.1 * speed);
    let setup = Setup {
        bodies: vec![block("low", DVec3::ZERO, 2), high],
        gravity: DVec3::ZERO,
        allow_overlap: true,
        ..Setup::default()
    };
    let sim = Simulation::new(&setup).unwrap();
    let (mut model, mut state) = (sim.model().clone(), sim.state().clone());
    perch(&mut model);
    // Overlaps at the start are no rest state here: they must push.
    state.contacts.clear();
    assert!(state.owner.iter().any(|&o| o == FREE));
    Scene::new(model, state)
}

/// Every sphere rides on its element, its anchor and two neighbours, with weights that reproduce its place.
fn perch(model: &mut Model) {
    let e = &model.elements;
    let mut perches = Bindings::default();
    let mut perch = vec![NO_PERCH; e.len()];
    for i in 0..e.len() {
        let Some(anchor) = e.anchor_of(i) else { continue };
        let (x, a) = (e.rest.get(i), e.rest.get(anchor as usize));
        let share = e.inset[i] / a.distance(x);
        // Two neighbours on opposite sides of the anchor share a part of its weight; or there are none.
        let other = |j: usize| (e.rest.get(j) - (a * 2.0 - x)).length() < 1e-9;
        perch[i] = perches.len() as u32;
        match (0..e.len()).find(|&j| other(j)) {
            Some(j) => perches.push([(i as u32, 1.0 - share + 0.1), (anchor, share - 0.2), (j as u32, 0.1)]),
            None => perches.push([(i as u32, 1.0 - share), (anchor, share)]),
        }
    }
    (model.perches, model.elements.perch) = (perches, perch);
}
