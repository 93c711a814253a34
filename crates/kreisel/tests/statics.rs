//! Static problems with known answers: floating, held, linear and with large displacements.

use kreisel::DVec3;
use kreisel::discretize::{Matter, box_lattice, element_list};
use kreisel::linear::Vectors;
use kreisel::model::Material;
use kreisel::model::setup::{ConnectionSetup, ElementSetup};
use kreisel::statics::{
    EquilibriumParams, Held, Part, StaticError, StaticParams, StaticProblem, relieve, solve_equilibrium, solve_statics,
};

fn problem<'a>(matter: &'a Matter, loads: &'a Vectors, held: &'a [Held]) -> StaticProblem<'a> {
    let (positions, connections, cells) = (&matter.positions, &matter.connections, matter.cells.as_slice());
    StaticProblem { positions, connections, cells, loads, held }
}

fn fixed(element: u32) -> Held {
    Held { element, axes: [true; 3], displacement: DVec3::ZERO }
}

/// A straight chain of `n` equal balls along x, `length` long, each rod of stiffness `E A / l`, section 0.01 m².
fn chain(n: usize, length: f64) -> Matter {
    let at = |i: usize| DVec3::new(length * i as f64 / (n - 1) as f64, 0.0, 0.0);
    let ball = |i| ElementSetup { at: at(i), velocity: DVec3::ZERO, mass: Some(1.0), radius: 0.01 };
    let rod = |i| ConnectionSetup { ends: (i, i + 1), section: Some(0.01), rest_length: None };
    let elements: Vec<_> = (0..n).map(ball).collect();
    let connections: Vec<_> = (0..n as u32 - 1).map(rod).collect();
    element_list(&elements, &connections, &Material::default()).expect("a chain")
}

/// Forces of size 1 along x on the two ends of a box, pulling, spread by mass.
fn pull(matter: &Matter, lower: f64, upper: f64) -> Vectors {
    let mut loads = Vectors::zeros(matter.len());
    for (sign, force) in [(-1.0, lower), (1.0, upper)] {
        let extreme = matter.positions.x.iter().map(|x| sign * x).fold(f64::MIN, f64::max) - 1e-9;
        let end: Vec<usize> = (0..matter.len()).filter(|&e| sign * matter.positions.x[e] > extreme).collect();
        let mass: f64 = end.iter().map(|&e| matter.masses[e]).sum();
        end.iter().for_each(|&e| loads.x[e] = sign * force * matter.masses[e] / mass);
    }
    loads
}

#[test]
fn a_floating_bar_under_balanced_pull_stretches_by_hooke_and_does_not_drift() {
    let matter = box_lattice(DVec3::new(3.0, 1.0, 1.0), 2, &Material::default()).unwrap();
    let loads = pull(&matter, 100.0, 100.0);
    let solution = solve_statics(&problem(&matter, &loads, &[]), &StaticParams::default()).unwrap();
    let stretch = solution.displacements.dot(&loads) / 100.0;
    assert!((stretch - 100.0 * 3.0 / 1e6).abs() < 1e-9, "F L / E A, got {stretch}");
    let drift: DVec3 = (0..matter.len()).map(|e| solution.displacements.get(e)).sum();
    assert!(drift.length() < 1e-12);
    assert!(solution.reactions.dot(&solution.reactions) == 0.0);
}

#[test]
fn a_floating_bar_under_a_pull_at_one_end_is_refused_with_the_resultant() {
    let matter = box_lattice(DVec3::new(3.0, 1.0, 1.0), 2, &Material::default()).unwrap();
    let loads = pull(&matter, 0.0, 100.0);
    match solve_statics(&problem(&matter, &loads, &[]), &StaticParams::default()) {
        Err(StaticError::Unbalanced { force, .. }) => assert!((force - 100.0 * DVec3::X).length() < 1e-9),
        other => panic!("{other:?}"),
    }
}

#[test]
fn inertia_relief_of_a_bar_pulled_at_one_end_stretches_it_by_half() {
    let matter = box_lattice(DVec3::new(8.0, 1.0, 1.0), 2, &Material::default()).unwrap();
    let elements: Vec<u32> = (0..matter.len() as u32).collect();
    let part = Part::new(&elements, &matter.positions, &matter.connections, &[], &matter.cells);
    let ends = pull(&matter, 100.0, 100.0);
    let mut loads = pull(&matter, 0.0, 100.0);
    relieve(&part.positions, &matter.masses, DVec3::ZERO, &mut loads);
    let bar = StaticProblem {
        positions: &part.positions,
        connections: &part.connections,
        cells: &part.cells,
        loads: &loads,
        held: &[],
    };
    let solution = solve_statics(&bar, &StaticParams::default()).unwrap();
    let stretch = solution.displacements.dot(&ends) / 100.0;
    let half = 0.5 * 100.0 * 8.0 / 1e6;
    assert!((stretch / half - 1.0).abs() < 0.01, "F L / 2 E A = {half}, got {stretch}");
}

#[test]
fn a_spinning_chain_is_stretched_by_its_inertia() {
    let n = 101;
    let matter = chain(n, 2.0);
    let mut loads = Vectors::zeros(n);
    relieve(&matter.positions, &matter.masses, DVec3::new(0.0, 0.0, 3.0), &mut loads);
    let solution = solve_statics(&problem(&matter, &loads, &[]), &StaticParams::default()).unwrap();
    let stretch = solution.displacements.x[n - 1] - solution.displacements.x[0];
    // A rod of line density m/L: ρ A ω² L³ / 12 E A; the end balls weigh whole, not half: 3 % more.
    let rod = (n as f64 / 2.0) * 9.0 * 8.0 / (12.0 * 1e6 * 0.01);
    assert!((stretch / rod - 1.0).abs() < 0.04 && stretch > rod, "{stretch} {rod}");
    let exact: f64 = (0..n).map(|i| (0.02 * (i as f64 - 50.0)).powi(2)).sum::<f64>() * 9.0 * 0.02 / (1e6 * 0.01 * 0.02);
    assert!((stretch / exact - 1.0).abs() < 1e-7, "virial of the inertia forces: {stretch} {exact}");
}

#[test]
fn a_part_keeps_only_what_lies_wholly_in_it_and_is_not_broken() {
    let matter = chain(6, 5.0);
    let part = Part::new(&[1, 2, 3, 5], &matter.positions, &matter.connections, &[2], &[]);
    assert_eq!((part.connections.ends, part.connection_numbers), (vec![[0, 1]], vec![1]));
    assert_eq!(part.positions.x, vec![1.0, 2.0, 3.0, 5.0]);
}

#[test]
fn a_ball_on_a_slack_rope_of_two_sags_as_geometry_says() {
    let matter = chain(3, 2.0);
    let k = matter.connections.constants(0).stiffness;
    let held = [fixed(0), fixed(2)];
    let mut loads = Vectors::zeros(3);
    // Linearly a straight rope has no stiffness across: only the full equilibrium exists.
    loads.z[1] = -1000.0;
    assert!(matches!(
        solve_statics(&problem(&matter, &loads, &held), &StaticParams::default()),
        Err(StaticError::Linear(_))
    ));
    let params = EquilibriumParams { force_tolerance: 1e-8, ..EquilibriumParams::default() };
    let solution = solve_equilibrium(&problem(&matter, &loads, &held), &params).unwrap();
    let sag = -solution.displacements.z[1];
    let d = (1.0 + sag * sag).sqrt();
    assert!((2.0 * k * (d - 1.0) * sag / d - 1000.0).abs() < 1e-6, "sag {sag}");
    assert!((solution.reactions.z[0] - 500.0).abs() < 1e-6 && (solution.reactions.z[2] - 500.0).abs() < 1e-6);
}

#[test]
fn large_bending_of_a_soft_beam_reaches_equilibrium() {
    let matter = box_lattice(DVec3::new(5.0, 1.0, 1.0), 2, &Material { poisson: 0.4, ..Material::default() }).unwrap();
    let held: Vec<Held> =
        (0..matter.len()).filter(|&e| matter.positions.x[e] < -2.49).map(|e| fixed(e as u32)).collect();
    let mut loads = pull(&matter, 0.0, 1.0);
    loads.z = loads.x.iter().map(|f| -8000.0 * f).collect();
    loads.x.fill(0.0);
    let solution = solve_equilibrium(&problem(&matter, &loads, &held), &EquilibriumParams::default()).unwrap();
    let sag = solution.displacements.dot(&loads) / 8000.0;
    let reaction: f64 = solution.reactions.z.iter().sum();
    assert!(sag > 1.0 && (reaction - 8000.0).abs() < 1e-3, "sag {sag}, reaction {reaction}");
    let linear = solve_statics(&problem(&matter, &loads, &held), &StaticParams::default()).unwrap();
    assert!(sag < linear.displacements.dot(&loads) / 8000.0, "a bent beam is stiffer than its linearisation");
}

#[test]
fn problems_that_do_not_fit_together_are_refused() {
    let matter = chain(3, 2.0);
    let refused = |loads: &Vectors, held: &[Held]| {
        let refusal = solve_statics(&problem(&matter, loads, held), &StaticParams::default());
        matches!(refusal, Err(StaticError::BadProblem { .. }))
    };
    assert!(refused(&Vectors::zeros(2), &[]));
    assert!(refused(&Vectors::zeros(3), &[fixed(3)]));
    let mut loads = Vectors::zeros(3);
    loads.x[1] = f64::NAN;
    assert!(refused(&loads, &[fixed(0)]));
}
