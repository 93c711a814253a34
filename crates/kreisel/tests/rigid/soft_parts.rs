//! Bodies of which a part is rigid and the rest soft, on the ground under the law `constraint`.

use super::scenes::{material, on_ground};
use kreisel::model::setup::{BodySetup, BodyShape, Integrator, RigidPart};
use kreisel::model::{Material, Region, Setup};
use kreisel::{DVec3, Simulation};

/// A block that falls by a millimetre onto smooth ground, without bounce and damping; what lies beyond the planes is rigid.
fn falling(cells: u32, rigid: &[(DVec3, f64)], integrator: Integrator, step: f64) -> Setup {
    let part = |&(normal, offset): &(DVec3, f64)| RigidPart::Region(Region::HalfSpace { normal, offset });
    let block = BodySetup {
        name: "block".into(),
        shape: BodyShape::Box { size: DVec3::splat(0.15), cells },
        at: DVec3::Z * 0.076,
        material: Material { young: 1.5e5, density: 1200.0, damping: 0.0, ..material(0.0, 0.0) },
        rigid: rigid.iter().map(part).collect(),
        ..BodySetup::default()
    };
    Setup { integrator, ..on_ground(vec![block], step, FALL) }
}

/// How long they are watched [s]: a dozen of their oscillations.
const FALL: f64 = 0.5;
/// What the fall brings: four kilograms from a millimetre [J].
const BROUGHT: f64 = 0.0397;

/// Ends that are one layer thick, so that their spheres sit on rigid and on soft elements.
const ENDS: [(DVec3, f64); 2] = [(DVec3::NEG_X, 0.06), (DVec3::X, 0.06)];
/// A sole that is one layer thick: all spheres that touch the ground do so.
const SOLE: [(DVec3, f64); 1] = [(DVec3::NEG_Z, -0.01)];

/// How much more energy than at the start there ever is, and the largest residual [J].
fn gained(setup: &Setup) -> (f64, f64) {
    let mut sim = Simulation::new(setup).unwrap();
    let start = sim.ledger().energy();
    let (mut gained, mut residual) = (f64::NEG_INFINITY, 0.0_f64);
    while sim.time() < FALL {
        assert_eq!(sim.step().unwrap().unconverged_contacts, 0);
        gained = gained.max(sim.ledger().energy() - start);
        residual = residual.max(sim.ledger().residual.abs());
    }
    assert!(!sim.state().aggregates.is_empty());
    (gained, residual)
}

#[test]
fn a_block_with_thin_rigid_parts_that_falls_never_has_more_energy_than_at_the_start() {
    for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet, Integrator::BackwardEuler] {
        for (cells, rigid) in [(2, &ENDS[..]), (4, &SOLE[..])] {
            let gained = gained(&falling(cells, rigid, integrator, 2e-4)).0;
            assert!(gained < 1e-3 * BROUGHT, "{integrator:?}, {cells} cells: {gained} J more than at the start");
        }
    }
}

/// What moves a sphere and what its pushes move are the same, so that what is left is that of the scheme, of first order in the step.
#[test]
fn what_the_ledger_of_a_block_with_thin_rigid_parts_leaves_falls_with_the_step() {
    for (cells, rigid) in [(2, &ENDS[..]), (4, &SOLE[..])] {
        let residual = |step: f64| gained(&falling(cells, rigid, Integrator::SymplecticEuler, step)).1;
        let [coarse, fine] = [4e-4, 1e-4].map(residual);
        assert!(coarse < 0.1 * BROUGHT && fine < 0.4 * coarse, "{cells} cells: {coarse} J, {fine} J");
    }
}
