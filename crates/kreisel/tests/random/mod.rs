//! Random valid scenes, and what must hold in every one of them.

mod bodies;
pub mod check;
pub mod rng;
mod world;

use kreisel::build::build;
use kreisel::contact::cladding::Cladding;
use kreisel::contact::coefficients::CoefficientTable;
use kreisel::model::{Setup, Topology};
use kreisel::step::limit::bound;
use rng::Rng;
use world::Scale;

/// Elements times steps of one scene, at most.
const LARGEST_COST: f64 = 60_000.0;

/// The random scene with this number, if it can be built.
pub fn scene(seed: u64) -> Option<Setup> {
    let mut rng = Rng::new(seed);
    let mut setup = Setup { bodies: bodies::bodies(&mut rng), ..Setup::default() };
    world::settings(&mut rng, &mut setup);
    let overlap = std::mem::replace(&mut setup.allow_overlap, true);
    let scale = measure(&mut rng, &setup)?;
    setup.allow_overlap = overlap;
    setup.duration = scale.duration;
    world::set_on_collision_course(&mut rng, &mut setup, &scale);
    setup.obstacles = world::obstacles(&mut rng, &scale);
    setup.fixes = world::fixes(&mut rng, &setup, &scale);
    setup.loads = world::loads(&mut rng, &setup, &scale);
    setup.grabs = world::grabs(&mut rng, &setup, &scale);
    setup.schedule = world::schedule(&mut rng, &setup, &scale);
    setup.probes = world::probes(&mut rng, &setup);
    setup.switching = world::switching(&mut rng, &scale);
    setup.frame = scale.duration / rng.range(8.0, 24.0).floor();
    let step = scale.stable_step;
    setup.step = rng.pick(&[None, None, None, Some(step * 50.0), Some(step * 0.3)]);
    if setup.integrator == kreisel::model::setup::Integrator::ForwardEuler {
        setup.step = Some(step * rng.pick(&[0.2, 1.0]));
    }
    // A strong grab of a light element needs tiny steps: right, but dear.
    if stable_step(&setup).is_some_and(|h| h < 0.2 * step) {
        setup.grabs.clear();
    }
    Some(setup)
}

fn stable_step(setup: &Setup) -> Option<f64> {
    let (model, state) = build(setup).ok()?;
    let topology = Topology::new(&model, &state);
    let coefficients = CoefficientTable::new(&model);
    let cladding = Cladding::new(&model, &topology, &coefficients);
    Some(bound(&model, &state, &topology, &coefficients, &cladding).step)
}

fn measure(rng: &mut Rng, setup: &Setup) -> Option<Scale> {
    let mut soft = setup.clone();
    soft.bodies.iter_mut().for_each(|b| (b.rigid, b.inertia) = (Vec::new(), None));
    let (model, _) = build(&soft).ok()?;
    let stable = stable_step(&soft)?;
    let n = model.elements.len();
    let steps = (LARGEST_COST / n as f64).min(600.0) * rng.range(0.5, 1.0);
    let stable_step = stable.min(1e-3);
    let (mut low, mut high) = (kreisel::DVec3::splat(f64::INFINITY), kreisel::DVec3::splat(f64::NEG_INFINITY));
    for i in 0..n {
        let (x, r) = (model.elements.rest.get(i), model.elements.radius[i]);
        low = low.min(x - r);
        high = high.max(x + r);
    }
    let body_mass = |b: &kreisel::model::Body| b.elements.iter().map(|&e| model.elements.mass[e as usize]).sum::<f64>();
    let mass = model.bodies.iter().map(body_mass).filter(|&m| m > 0.0).fold(f64::INFINITY, f64::min);
    Some(Scale { low, high, mass, duration: steps * stable_step, stable_step })
}
