//! Linkages that whip, pass dead centres and fold keep their energy at sixty steps a second.

use super::scenes::{body, chain, joint, rod, scene, worst};
use kreisel::model::Setup;
use kreisel::model::joint::{JointKind, JointSetup};
use kreisel::model::setup::Integrator;
use kreisel::model::shape::Shape;
use kreisel::{DQuat, DVec3, Simulation};

const STEP: f64 = 1.0 / 60.0;
/// Steps that linkages are taken in may gain or lose a hundredth of the motion each, and what adds up to more than half a hundredth
/// is taken back by a tenth of the motion in a step: twice their sum [1].
const OFF: f64 = 0.03;

/// Rods from point to point in the plane of x and z, hinged to each other and with the first to the world.
fn rods(points: &[(f64, f64)], integrator: Integrator) -> Setup {
    let at = |k: usize| DVec3::new(points[k].0, 0.0, points[k].1);
    let links = points.len() - 1;
    let bodies = (0..links).map(|k| rod(&format!("rod-{k}"), at(k), at(k + 1), 0.03)).collect();
    let hinge = |k: usize| {
        let before = (k > 0).then(|| format!("rod-{}", k - 1));
        joint(&format!("hinge-{k}"), JointKind::Hinge, &format!("rod-{k}"), before.as_deref(), at(k), DVec3::Y)
    };
    scene(bodies, (0..links).map(hinge).collect(), STEP, integrator)
}

/// A crank that turns over, with rod and rocker.
fn four_bars(integrator: Integrator) -> Setup {
    let mut setup = rods(&[(0.0, 0.0), (0.02, 0.3), (0.95, 0.75), (1.0, 0.0)], integrator);
    setup.joints.push(joint("end", JointKind::Hinge, "rod-2", None, DVec3::X, DVec3::Y));
    setup
}

/// A crank, a rod and a piston that passes its dead centres.
fn slider_crank(integrator: Integrator) -> Setup {
    let mut setup = rods(&[(0.0, 0.0), (0.05, 0.2), (0.75, 0.0)], integrator);
    let at = DVec3::X * 0.75;
    setup.bodies.push(body("piston", Shape::Box { half_size: DVec3::splat(0.05) }, at, DQuat::IDENTITY));
    setup.joints.push(joint("pin", JointKind::Hinge, "piston", Some("rod-1"), at, DVec3::Y));
    setup.joints.push(joint("slide", JointKind::Slider, "piston", None, at, DVec3::X));
    setup
}

/// A heavy arm that cracks two short links.
fn whip(integrator: Integrator) -> Setup {
    let mut setup = rods(&[(0.0, 0.0), (1.0, 0.0), (1.1, 0.0), (1.15, 0.0)], integrator);
    setup.bodies[0].mass = Some(5.0);
    setup
}

/// Balls on a level string of distances.
fn string(integrator: Integrator) -> Setup {
    let at = |k: usize| DVec3::X * (0.1 * k as f64);
    let ball = |k: usize| body(&format!("ball-{k}"), Shape::Sphere { radius: 0.03 }, at(k), DQuat::IDENTITY);
    let line = |k: usize| {
        let before = (k > 1).then(|| format!("ball-{}", k - 1));
        let own =
            joint(&format!("line-{k}"), JointKind::Distance, &format!("ball-{k}"), before.as_deref(), at(k), DVec3::Y);
        JointSetup { to: at(k - 1), ..own }
    };
    scene((1..=8).map(ball).collect(), (1..=8).map(line).collect(), STEP, integrator)
}

#[test]
fn linkages_that_whip_keep_their_energy() {
    for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet] {
        let all: [(&str, Setup); 6] = [
            ("three rods", chain(3, 0.5, STEP, integrator)),
            ("ten rods", chain(10, 0.1, STEP, integrator)),
            ("four bars", four_bars(integrator)),
            ("slider and crank", slider_crank(integrator)),
            ("whip", whip(integrator)),
            ("string", string(integrator)),
        ];
        for (name, mut setup) in all {
            setup.contact.enabled = false;
            let mut sim = Simulation::new(&setup).unwrap();
            let start = sim.ledger().energy();
            let (mut off, mut motion, mut open): (f64, f64, f64) = (0.0, 0.0, 0.0);
            while sim.time() < 10.0 {
                assert_eq!(sim.step().unwrap().unconverged_contacts, 0, "{integrator:?}, {name}");
                off = off.max((sim.ledger().energy() - start).abs());
                motion = motion.max(sim.ledger().kinetic);
                open = open.max(worst(&sim));
            }
            assert!(off < OFF * motion, "{integrator:?}, {name}: {off} J of {motion} J");
            assert!(open < 1e-9, "{integrator:?}, {name}: {open} m");
        }
    }
}

#[test]
fn what_whips_where_contact_is_off_meets_nobody() {
    let mut setup = chain(3, 0.5, 1.0 / 240.0, Integrator::SymplecticEuler);
    setup.contact.enabled = false;
    let mut sim = Simulation::new(&setup).unwrap();
    while sim.time() < 7.0 {
        assert_eq!(sim.step().unwrap().contacts, 0);
    }
}

#[test]
fn a_linkage_that_whips_goes_on_bit_for_bit_from_its_state() {
    let mut setup = chain(10, 0.1, STEP, Integrator::SymplecticEuler);
    setup.contact.enabled = false;
    let mut whole = Simulation::new(&setup).unwrap();
    (0..90).for_each(|_| drop(whole.step().unwrap()));
    let mut resumed = Simulation::resume(&setup, whole.state().clone()).unwrap();
    for sim in [&mut whole, &mut resumed] {
        (0..60).for_each(|_| drop(sim.step().unwrap()));
    }
    assert_eq!(whole.state(), resumed.state());
}
