//! The same bits for any number of threads, after a resume, without caches, and however a body is cut into named parts.
//!
//! Sums are made over fixed chunks and added in order; the state holds all that the next step needs; caches hold nothing
//! that the state does not say; elements keep their numbers whatever their body is called.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{scene, simulate, step};
use kreisel::Simulation;
use kreisel::model::{Setup, State};
use kreisel_record::{state_from_bytes, state_to_bytes};

/// The case.
pub const CASE: Case = Case {
    name: "same-bits",
    about: "threads, resume, caches and splits do not show",
    reference: "The bytes of the state of the run that nothing disturbed.",
    run,
};

const SMALL: &str = include_str!("../../../../../scenes/validation/same-bits.toml");
const LARGE: &str = include_str!("../../../../../scenes/validation/same-bits-large.toml");

/// What is done to a run that must not show.
#[derive(Clone, Copy, PartialEq)]
enum Disturbance {
    None,
    Resume,
    DropWorkspace,
}

fn play(setup: &Setup, frames: usize, disturbance: Disturbance) -> Result<State, String> {
    let mut sim = simulate(setup)?;
    for k in 0..frames {
        match disturbance {
            Disturbance::DropWorkspace => sim.drop_workspace(),
            Disturbance::Resume if k % 20 == 10 => sim = through_bytes(setup, &sim)?,
            _ => {}
        }
        step(&mut sim)?;
    }
    Ok(sim.state().clone())
}

fn through_bytes(setup: &Setup, sim: &Simulation) -> Result<Simulation, String> {
    let bytes = state_to_bytes(sim.state()).map_err(|e| e.to_string())?;
    let state = state_from_bytes(&bytes).map_err(|e| e.to_string())?;
    Simulation::resume(setup, state).map_err(|e| e.to_string())
}

fn on_threads(threads: usize, setup: &Setup, frames: usize) -> Result<State, String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|e| e.to_string())?;
    pool.install(|| play(setup, frames, Disturbance::None))
}

/// Bytes of the saved states that differ.
fn difference(a: &State, b: &State) -> Result<f64, String> {
    let (a, b) = (state_to_bytes(a).map_err(|e| e.to_string())?, state_to_bytes(b).map_err(|e| e.to_string())?);
    let common = a.iter().zip(&b).filter(|(x, y)| x != y).count();
    Ok((common + a.len().abs_diff(b.len())) as f64)
}

/// The block named in five slabs.
fn split(text: &str, height: f64, slabs: u32) -> Result<Setup, String> {
    let part = |k: u32| format!("slab-{k} = {{ z = {{ below = {} }} }}", height * f64::from(k) / f64::from(slabs));
    let parts: Vec<String> = (1..slabs).map(part).collect();
    scene(text, &[format!("body.block.split={{ {} }}", parts.join(", "))])
}

fn run(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    let scenes = [("small", SMALL, settings.pick(60, 100), 0.28), ("large", LARGE, settings.pick(4, 12), 1.0)];
    for (name, text, frames, height) in scenes {
        let setup = scene(text, &[])?;
        let one = on_threads(1, &setup, frames)?;
        let variants = [
            ("2 threads", on_threads(2, &setup, frames)?),
            ("saved and resumed", play(&setup, frames, Disturbance::Resume)?),
            ("workspace dropped", play(&setup, frames, Disturbance::DropWorkspace)?),
            ("split into 5 bodies", play(&split(text, height, 5)?, frames, Disturbance::None)?),
        ];
        for (what, state) in variants {
            let differing = difference(&one, &state)?;
            checks.at_most(format!("differing bytes of the state, {what}, {name}"), differing, 0.0, "bit for bit");
        }
        if name == "small" {
            let eventful = one.broken.len().min(one.contacts.len()).min(1) as f64;
            checks.near(
                "something broke and something touches, small",
                eventful,
                1.0,
                0.0,
                "else the case shows nothing",
            );
        }
    }
    Ok(())
}
