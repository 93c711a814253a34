//! `kreisel check`: what is in a scene and what it will cost, without running it.

use crate::advice;
use crate::arguments::CheckArguments;
use crate::console::{self, bytes, short};
use crate::failure::Failure;
use crate::scene_input;
use kreisel::Simulation;
use kreisel::model::{FREE, Fidelity, Model, State};
use kreisel_record::peak_bytes;
use std::fmt::Write;
use std::time::Instant;

/// Steps that are timed.
const TIMED_STEPS: u32 = 3;
/// No longer than this is spent on timing [s].
const PATIENCE: f64 = 2.0;

/// Reads and builds a scene and prints what there is.
pub fn check(arguments: &CheckArguments) -> Result<i32, Failure> {
    let text = scene_input::load(&arguments.scene)?;
    let scene = scene_input::read(&text, &arguments.overrides, false)?;
    let mut sim = scene_input::build(&scene)?;
    let mut page = contents(sim.model(), sim.state());
    let plan = sim.plan();
    let integrator = advice::integrator_line(&sim);
    let model = sim.model();
    let frames = (model.duration / model.frame).ceil();
    let _ = writeln!(page, "{:<14}{integrator}", "integrator");
    let _ = writeln!(page, "{:<14}{}", "time", advice::step_line(model, &plan));
    let _ = writeln!(page, "{:<14}{} s, {frames} frames", "duration", model.duration);
    advice::warnings(model, &plan).iter().for_each(|w| console::complain(&format!("warning: {w}")));
    page += &cost(&mut sim, plan.step, frames * plan.substeps as f64);
    console::print(&page);
    Ok(0)
}

/// Bodies, elements, connections, masses and rigid aggregates.
fn contents(model: &Model, state: &State) -> String {
    let mut page = format!("{}\n", model.title);
    for body in &model.bodies {
        let mass: f64 = body.elements.iter().map(|&e| model.elements.mass[e as usize]).sum();
        let rigid = body.elements.iter().filter(|&&e| state.owner[e as usize] != FREE).count();
        let manner = match (rigid, body.automatic) {
            (_, true) => ", rigid or soft by itself".into(),
            (0, _) => String::new(),
            (n, _) if n == body.elements.len() => ", rigid".into(),
            (n, _) => format!(", {n} of them rigid"),
        };
        let _ =
            writeln!(page, "{:<14}{}: {} elements, {} kg{manner}", "body", body.name, body.elements.len(), short(mass));
        page += &body.fidelity.as_ref().map_or_else(String::new, lattice);
    }
    let mass: f64 = model.elements.mass.iter().sum();
    let _ = writeln!(page, "{:<14}{}, {} kg", "elements", model.elements.len(), short(mass));
    let _ = writeln!(page, "{:<14}{}", "connections", model.connections.len());
    let others = [
        ("aggregates", state.aggregates.iter().filter(|a| a.elements.len() > 1).count()),
        ("obstacles", model.obstacles.len()),
        ("held elements", model.holds.len()),
        ("loads", model.loads.len() + model.pressures.len() + model.grabs.len()),
        ("switches", model.schedule.len()),
        ("probes", model.probes.len()),
    ];
    for (name, count) in others.into_iter().filter(|(_, count)| *count > 0) {
        let _ = writeln!(page, "{name:<14}{count}");
    }
    page
}

/// How well a lattice stands for the solid it was cut from.
fn lattice(fidelity: &Fidelity) -> String {
    let Fidelity { cells, side, lost_volume, .. } = fidelity;
    let percent = |share: f64| format!("{} %", short(100.0 * share));
    let mut text = format!(
        "{:<14}  {cells} cells of {} m; mass off by {}, centre by {} m, inertia by {}\n",
        "",
        short(*side),
        percent(fidelity.mass_error.abs()),
        short(fidelity.centre_error),
        percent(fidelity.worst_inertia_error())
    );
    if *lost_volume > 0.0 {
        let _ = writeln!(text, "{:<14}  {} m³ are too thin for these cells", "", short(*lost_volume));
    }
    fidelity.warnings.iter().for_each(|w| console::complain(&format!("warning: {w}")));
    text
}

/// Takes a few steps, and says how long all of them will take.
fn cost(sim: &mut Simulation, step: f64, steps: f64) -> String {
    let (clock, mut best) = (Instant::now(), f64::INFINITY);
    for _ in 0..TIMED_STEPS {
        let before = Instant::now();
        if let Err(error) = sim.step_by(step) {
            console::complain(&format!("warning: {error}"));
            break;
        }
        best = best.min(before.elapsed().as_secs_f64());
        if clock.elapsed().as_secs_f64() > PATIENCE {
            break;
        }
    }
    let memory = bytes(peak_bytes());
    if best.is_finite() {
        format!("{:<14}about {} s for {steps} steps, {memory} of memory\n", "cost", short(best * steps))
    } else {
        String::new()
    }
}
