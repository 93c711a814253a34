//! Rigid and soft parts in one implicit system against explicit steps; a beam of steel against a rigid one.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{centre, scene, simulate, step};
use kreisel::model::Setup;
use kreisel::model::setup::Integrator;
use kreisel::readout::Forces;
use kreisel::readout::probe::Probes;

/// Probes in implicit and explicit steps.
pub const CASE: Case = Case {
    name: "implicit-agrees",
    about: "rigid and soft parts move alike in implicit steps of 10 ms and in explicit ones",
    reference: "The same scenes in explicit Verlet steps.",
    run,
};

/// The throw of the steel lever.
pub const LEVER: Case = Case {
    name: "lever-stiff",
    about: "a lever of deformable steel throws like a rigid one",
    reference: "The same lever with a rigid beam.",
    run: lever,
};

/// What the probes read at each frame.
fn readings(setup: &Setup) -> Result<Vec<Vec<f64>>, String> {
    let mut sim = simulate(setup)?;
    let probes = Probes::new(sim.model());
    let mut all = Vec::new();
    while sim.time() < setup.duration - 0.5 * setup.frame {
        step(&mut sim)?;
        all.push(probes.read(sim.model(), sim.state(), &Forces::default()));
    }
    Ok(all)
}

/// The largest difference over all frames and columns, as a share of the largest range of a column.
fn difference(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    let columns = b.first().map_or(0, Vec::len);
    let range = |c: usize| {
        let column = || b.iter().map(|row| row[c]);
        column().fold(f64::NEG_INFINITY, f64::max) - column().fold(f64::INFINITY, f64::min)
    };
    let widest = (0..columns).map(range).fold(0.0, f64::max);
    let off = a.iter().zip(b).flat_map(|(a, b)| a.iter().zip(b).map(|(a, b)| (a - b).abs()));
    off.fold(0.0, f64::max) / widest
}

fn run(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    for name in ["mixed-chain", "plate-on-feet"] {
        let text = kreisel_scene::find(name).map_err(|e| e.to_string())?.text;
        let mut setup = scene(text, &[])?;
        setup.duration = settings.pick(0.5, 1.5);
        let implicit = readings(&setup)?;
        (setup.integrator, setup.step) = (Integrator::VelocityVerlet, None);
        let explicit = readings(&setup)?;
        let reason = "required: 1 % of the probes' range, the largest of all frames";
        checks.at_most(
            format!("probes of {name}, midpoint at 10 ms / Verlet"),
            difference(&implicit, &explicit),
            0.01,
            reason,
        );
    }
    Ok(())
}

/// By how much the crate has risen [m].
fn throw(overrides: &[String], duration: f64) -> Result<f64, String> {
    let text = kreisel_scene::find("lever-stiff").map_err(|e| e.to_string())?.text;
    let mut sim = simulate(&scene(text, overrides)?)?;
    let start = centre(&sim, "crate")?.position.z;
    while sim.time() < duration {
        step(&mut sim)?;
    }
    Ok(centre(&sim, "crate")?.position.z - start)
}

fn lever(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    let duration = settings.pick(0.62, 0.76);
    let (steel, rigid) = (throw(&[], duration)?, throw(&["body.beam.rigid=true".into()], duration)?);
    checks.within(
        "rise of the crate, steel beam against rigid [m]",
        steel,
        rigid,
        0.05,
        "the steel beam bends and swings a little",
    );
    Ok(())
}
