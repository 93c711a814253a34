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

/// Prints the table.
pub fn run() {
    print_load();
    let sim = Simulation::new(&beam(Integrator::LinearBackwardEuler, LinearSolver::Automatic)).expect("a beam");
    println!("{} elements", sim.model().elements.len());
    crate::measure::with_threads(1, || {
        let mut product = product_time(sim.model());
        println!(
            "one stiffness product: {:.1} µs (again after each row: a busy machine changes under way)",
            1e6 * product
        );
        for (name, integrator, solver) in [
            ("linearised, two-level", Integrator::LinearBackwardEuler, LinearSolver::TwoLevel),
            ("linearised, block Jacobi", Integrator::LinearBackwardEuler, LinearSolver::Jacobi),
            ("converged, two-level", Integrator::BackwardEuler, LinearSolver::TwoLevel),
            ("midpoint, two-level", Integrator::ImplicitMidpoint, LinearSolver::TwoLevel),
        ] {
            let (time, linear, newton, tip) = step_time(integrator, solver);
            let after = product_time(sim.model());
            let products = time / (0.5 * (product + after));
            product = after;
            println!(
                "{name:26} {:8.3} ms {products:7.1} products {linear:7.1} linear {newton:5.2} Newton  tip {tip:.6}",
                1e3 * time
            );
        }
    });
}
