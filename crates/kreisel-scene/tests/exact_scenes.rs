//! What must hold in every scene under the law `constraint`: momentum, angular momentum, and the same bits for any number of
//! threads and after a resume. Energy is a matter of `kreisel validate ledger`, over longer times.
#![allow(clippy::unwrap_used)]

use kreisel::Simulation;
use kreisel::model::setup::{Integrator, Law};
use kreisel::model::{Setup, State};

/// Frames of a scene are so many over its bodies, so that crowds do not take all day, within these.
const BODY_FRAMES: usize = 6_000;
const FRAMES: (usize, usize) = (4, 40);
const IMPLICIT_FRAMES: usize = 6;

/// Scenes under the law, by name.
fn scenes() -> Vec<(&'static str, Setup)> {
    let read = |s: &kreisel_scene::EmbeddedScene| (s.name, kreisel_scene::read(s.name, s.text).unwrap().setup);
    let all: Vec<_> = kreisel_scene::scenes().iter().map(read).filter(|s| s.1.law == Law::Constraint).collect();
    assert!(["hammer", "peg-in-hole", "radio-slot", "ball-pit"].iter().all(|n| all.iter().any(|s| s.0 == *n)));
    all
}

fn frames(setup: &Setup) -> usize {
    (BODY_FRAMES / setup.bodies.len().max(1)).clamp(FRAMES.0, FRAMES.1)
}

fn play(mut sim: Simulation, frames: usize) -> Simulation {
    (0..frames).for_each(|_| drop(sim.step().unwrap()));
    sim
}

#[test]
fn momentum_and_angular_momentum_are_booked_to_rounding_in_every_scene() {
    for (name, setup) in scenes() {
        let sim = play(Simulation::new(&setup).unwrap(), frames(&setup));
        let l = sim.ledger();
        let mass: f64 = sim.model().elements.mass.iter().sum();
        let reach = (0..sim.state().position.len()).map(|i| sim.state().position.get(i).length()).fold(1.0, f64::max);
        // Momenta that fall and gravity exchange in a tenth of a second.
        let size = mass * 9.81 * 0.1 + l.external_impulse.length();
        assert!(l.momentum_residual.length() < 1e-9 * size, "{name}: P off by {}", l.momentum_residual);
        let off = l.angular_momentum_residual.length();
        assert!(off < 1e-9 * size * reach, "{name}: L off by {}", l.angular_momentum_residual);
    }
}

#[test]
fn every_scene_goes_on_from_its_state_bit_for_bit() {
    for (name, setup) in scenes() {
        let half = frames(&setup) / 2;
        let whole = play(Simulation::new(&setup).unwrap(), half);
        let resumed = Simulation::resume(&setup, whole.state().clone()).unwrap();
        assert!(play(whole, half).state() == play(resumed, half).state(), "{name}");
    }
}

#[test]
fn every_scene_has_the_same_bits_for_any_number_of_threads() {
    for (name, setup) in scenes() {
        let on = |threads: usize| -> State {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| play(Simulation::new(&setup).unwrap(), frames(&setup) / 2).state().clone())
        };
        assert!(on(1) == on(2), "{name}");
    }
}

/// Caches hold nothing that the state does not say.
#[test]
fn every_scene_has_the_same_bits_without_its_caches() {
    for (name, setup) in scenes() {
        let half = frames(&setup) / 2;
        let mut bare = Simulation::new(&setup).unwrap();
        for _ in 0..half {
            bare.step().unwrap();
            bare.drop_workspace();
        }
        assert!(play(Simulation::new(&setup).unwrap(), half).state() == bare.state(), "{name}");
    }
}

/// A few implicit steps of a scene on some threads, with something done after each.
fn play_implicitly(setup: &Setup, threads: usize, disturb: &(dyn Fn(&mut Simulation) + Sync)) -> Simulation {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut sim = Simulation::new(setup).unwrap();
        for _ in 0..IMPLICIT_FRAMES {
            sim.step().unwrap();
            disturb(&mut sim);
        }
        sim
    })
}

#[test]
fn soft_and_jointed_scenes_keep_their_invariants_in_implicit_steps_too() {
    for name in ["hammer", "soft-between-plates", "crank"] {
        let scene = kreisel_scene::find(name).unwrap();
        let explicit = kreisel_scene::read(scene.name, scene.text).unwrap().setup;
        let setup = Setup { integrator: Integrator::BackwardEuler, ..explicit };
        let one = play_implicitly(&setup, 1, &|_| ());
        let l = one.ledger();
        let size = one.model().elements.mass.iter().sum::<f64>() * 9.81 * 0.1 + l.external_impulse.length();
        assert!(l.momentum_residual.length() < 1e-9 * size, "{name}: P off by {}", l.momentum_residual);
        assert!(l.angular_momentum_residual.length() < 1e-9 * size, "{name}: L off by {}", l.angular_momentum_residual);
        assert!(one.state() == play_implicitly(&setup, 2, &|_| ()).state(), "{name}: threads");
        assert!(one.state() == play_implicitly(&setup, 1, &Simulation::drop_workspace).state(), "{name}: caches");
        let resume = |sim: &mut Simulation| *sim = Simulation::resume(&setup, sim.state().clone()).unwrap();
        assert!(one.state() == play_implicitly(&setup, 1, &resume).state(), "{name}: resume");
    }
}

/// Greatest overlap of two balls of 0.1 m, or of one with the ground [m].
fn overlap(state: &State) -> f64 {
    let mut balls: Vec<_> = state.aggregates.iter().map(|a| a.position).collect();
    balls.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mut deepest: f64 = 0.0;
    for (k, a) in balls.iter().enumerate() {
        let others = balls[k + 1..].iter().take_while(|b| b.x - a.x < 0.2).map(|b| 0.2 - a.distance(*b));
        deepest = others.fold(deepest.max(0.1 - a.z), f64::max);
    }
    deepest
}

#[test]
fn balls_poured_into_a_pit_overlap_by_less_than_a_hundredth_of_their_diameter() {
    let scene = kreisel_scene::find("ball-pit").unwrap();
    let mut sim = Simulation::new(&kreisel_scene::read("ball-pit", scene.text).unwrap().setup).unwrap();
    let mut deepest = (0.0, 0.0);
    while sim.time() < 2.0 {
        sim.step().unwrap();
        let now = overlap(sim.state());
        deepest = if now > deepest.0 { (now, sim.time()) } else { deepest };
    }
    assert!(deepest.0 < 0.002, "{} m at {} s", deepest.0, deepest.1);
}
