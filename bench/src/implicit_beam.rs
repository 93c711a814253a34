//! The 4,000-node spring beam: what an implicit step costs, in products with its stiffness.

use crate::measure::{median, print_load};
use kreisel::force::springs::{Spring, SpringRuns};
use kreisel::linear::Vectors;
use kreisel::model::setup::{BodySetup, BodyShape, ContactSettings, Fix, ImplicitSettings, Integrator, LinearSolver};
use kreisel::model::{Material, Model, Region, Setup};
use kreisel::{DVec3, Simulation};

/// Step [s]: beyond 30 times the explicit one.
const STEP: f64 = 0.01;
/// Steps whose mean is taken.
const STEPS: u32 = 100;

/// Processor time of this process [s], for work on one thread. The scheduler's own account of a thread goes on only at its
/// ticks of 4 ms, which is too coarse here; this clock does not.
pub fn processor_time() -> f64 {
    kreisel_record::cpu_seconds()
}

/// A beam of 40 × 10 × 10 nodes, clamped at one end, falling from straight under its weight.
pub fn beam(integrator: Integrator, solver: LinearSolver) -> Setup {
    let a = 0.05;
    let size = DVec3::new(39.0 * a, 9.0 * a, 9.0 * a);
    let material = Material { young: 2.5e7, density: 1000.0, damping: 0.0, ..Material::default() };
    let body = BodySetup { shape: BodyShape::Box { size, cells: 9 }, material, contact: false, ..BodySetup::default() };
    let clamp = Fix {
        name: "clamp".into(),
        region: Region::HalfSpace { normal: -DVec3::X, offset: 0.5 * size.x - 0.01 * a },
        axes: [true; 3],
        motion: None,
    };
    Setup {
        bodies: vec![body],
        fixes: vec![clamp],
        step: Some(STEP),
        frame: STEP,
        integrator,
        implicit: ImplicitSettings { solver, ..ImplicitSettings::default() },
        contact: ContactSettings { enabled: false, ..ContactSettings::default() },
        ..Setup::default()
    }
}

/// Time of one product with the stiffness of a model at rest [s].
pub fn product_time(model: &Model) -> f64 {
    let springs: Vec<Spring> = (0..model.connections.len())
        .map(|c| {
            let ([e1, e2], class) = (model.connections.ends[c], model.connections.constants(c));
            let (stiffness, rest_length) = (class.stiffness, class.rest_length);
            Spring { e1, e2, stiffness, rest_length, damping: 0.0, break_length: f64::INFINITY }
        })
        .collect();
    let runs = SpringRuns::build(model.elements.len(), &springs);
    let tangent = runs.tangent(&model.elements.rest, 1.0, 0.0, Vec::new());
    let mut y = Vectors::zeros(model.elements.len());
    let mut times = Vec::new();
    for _ in 0..41 {
        let start = processor_time();
        (0..50).for_each(|_| tangent.add_product(&model.elements.rest, &mut y));
        times.push((processor_time() - start) / 50.0);
    }
    median(&times)
}

/// Mean processor time of a step [s], set-up included, and linear and Newton iterations a step.
fn step_time(integrator: Integrator, solver: LinearSolver) -> (f64, f64, f64, f64) {
    let mut sim = Simulation::new(&beam(integrator, solver)).expect("a beam");
    let start = processor_time();
    let (mut linear, mut newton) = (0, 0);
    for _ in 0..STEPS {
        let report = sim.step().expect("a step");
        linear += report.linear_iterations;
        newton += report.newton_iterations;
    }
    let n = f64::from(STEPS);
    let last = sim.state().position.get(sim.model().elements.len() - 1);
    ((processor_time() - start) / n, linear as f64 / n, newton as f64 / n, last.z)
}

/// A way to make the steps.
struct Way {
    name: &'static str,
    integrator: Integrator,
    solver: LinearSolver,
}

const WAYS: [Way; 4] = [
    Way { name: "linearised, two-level", integrator: Integrator::LinearBackwardEuler, solver: LinearSolver::TwoLevel },
    Way { name: "linearised, block Jacobi", integrator: Integrator::LinearBackwardEuler, solver: LinearSolver::Jacobi },
    Way { name: "converged, two-level", integrator: Integrator::BackwardEuler, solver: LinearSolver::TwoLevel },
    Way { name: "midpoint, two-level", integrator: Integrator::ImplicitMidpoint, solver: LinearSolver::TwoLevel },
];

/// Turns of all ways one after the other; a busy machine changes under way, so that ratios are those of one turn.
const TURNS: usize = 5;

/// Prints the table; of the ways whose name begins with `only`, if it is given.
pub fn run(only: Option<&str>) {
    print_load();
    let sim = Simulation::new(&beam(Integrator::LinearBackwardEuler, LinearSolver::Automatic)).expect("a beam");
    println!("{} elements; medians of {TURNS} turns, ratios within each turn", sim.model().elements.len());
    let ways: Vec<&Way> = WAYS.iter().filter(|w| only.is_none_or(|o| w.name.starts_with(o))).collect();
    let (mut products, mut times) = (Vec::new(), vec![Vec::new(); ways.len()]);
    let mut found = vec![(0.0, 0.0, 0.0, 0.0); ways.len()];
    crate::measure::with_threads(1, || {
        for _ in 0..TURNS {
            let before = product_time(sim.model());
            for (k, way) in ways.iter().enumerate() {
                found[k] = step_time(way.integrator, way.solver);
                times[k].push(found[k].0);
            }
            products.push(0.5 * (before + product_time(sim.model())));
        }
    });
    println!("one stiffness product: {:.1} µs", 1e6 * median(&products));
    for (k, way) in ways.iter().enumerate() {
        let ratio = |to: &[f64]| median(&times[k].iter().zip(to).map(|(a, b)| a / b).collect::<Vec<_>>());
        let (_, linear, newton, tip) = found[k];
        println!(
            "{:26} {:7.3} ms {:6.1} products {:5.2} × {} {linear:6.1} linear {newton:5.2} Newton  tip {tip:.6}",
            way.name,
            1e3 * median(&times[k]),
            ratio(&products),
            ratio(&times[0]),
            ways[0].name,
        );
    }
}
