//! `kreisel settle`: the rest state of a scene under its loads.

use crate::arguments::SettleArguments;
use crate::console::{self, short};
use crate::failure::{Failure, STEP_FAILED};
use crate::journey::Journey;
use crate::render::seconds;
use crate::run::use_threads;
use crate::scene_input::{self, SceneText};
use kreisel::readout::probe::{Probes, column_names};
use kreisel::step::{SettleParams, SettleReport};
use kreisel::{DVec3, Simulation};
use kreisel_record::{Header, RunDirectory, Summary};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

/// Finds the rest state of a scene, prints it, and records it if wanted. Returns the exit code.
pub fn settle(arguments: &SettleArguments) -> Result<i32, Failure> {
    let text = scene_input::load(&arguments.scene)?;
    use_threads(arguments.threads)?;
    let mut scene = scene_input::read(&text, &arguments.overrides, arguments.json)?;
    let time = arguments.time.as_deref().map(seconds).transpose()?;
    scene.setup.settle = false;
    let mut sim = scene_input::build(&scene)?;
    let clock = Instant::now();
    let params = SettleParams { time, ..SettleParams::default() };
    let report = sim.settle(&params).map_err(|error| Failure {
        code: STEP_FAILED,
        text: format!("error: {error}\n = help: hold what floats, give it something to stand on, or balance its loads"),
    })?;
    let seconds = clock.elapsed().as_secs_f64();
    let forces = sim.forces();
    let probes = Probes::new(sim.model()).read(sim.model(), sim.state(), &forces);
    let columns: Vec<(String, f64)> = column_names(sim.model()).into_iter().zip(probes).collect();
    if arguments.json {
        console::print(&to_json(&report, &columns, seconds).to_string());
    } else {
        console::print(&table(&sim, &report, &columns, seconds));
    }
    if let Some(directory) = &arguments.out {
        record(sim, &text, arguments, directory, seconds)?;
        console::complain(&format!("rest state in {0}; `kreisel resume {0}` goes on from it", directory.display()));
    }
    Ok(0)
}

fn table(sim: &Simulation, report: &SettleReport, columns: &[(String, f64)], seconds: f64) -> String {
    let mut page = format!("{}\n", sim.model().title);
    let mut line = |name: &str, value: String| {
        let _ = writeln!(page, "{name:<16}{value}");
    };
    let vector = |a: DVec3| format!("{} {} {}", short(a.x), short(a.y), short(a.z));
    let grade = if report.stalled { "; contacts that slip allow no better" } else { "" };
    line("forces left", format!("{:.3e} N of {} N{grade}", report.residual, short(report.loads)));
    let farthest = report.farthest.map_or("", |e| sim.model().body_name(e));
    line("displacement", format!("{} m at most, of {farthest}", short(report.largest_displacement)));
    line("elastic energy", format!("{} J", short(report.elastic_energy)));
    if report.contacts > 0 {
        line("contacts", report.contacts.to_string());
        line("of the ground", format!("{} N", vector(report.ground_force)));
    }
    for (name, force) in &report.reactions {
        line(&format!("of {name}"), format!("{} N", vector(*force)));
    }
    columns.iter().for_each(|(name, value)| line(name, short(*value)));
    let (newton, linear) = (report.newton_iterations, report.linear_iterations);
    line("cost", format!("{} steps, {newton} + {linear} iterations, {} s", report.steps, short(seconds)));
    page
}

fn to_json(report: &SettleReport, columns: &[(String, f64)], seconds: f64) -> Value {
    let reactions: serde_json::Map<String, Value> =
        report.reactions.iter().map(|(name, force)| (name.clone(), json!(force.to_array()))).collect();
    let probes: serde_json::Map<String, Value> = columns.iter().map(|(name, v)| (name.clone(), json!(v))).collect();
    json!({
        "time": report.time,
        "residual": report.residual,
        "tolerance": report.tolerance,
        "stalled": report.stalled,
        "loads": report.loads,
        "steps": report.steps,
        "newton_iterations": report.newton_iterations,
        "linear_iterations": report.linear_iterations,
        "largest_displacement": report.largest_displacement,
        "farthest_element": report.farthest,
        "elastic_energy": report.elastic_energy,
        "contacts": report.contacts,
        "ground_force": report.ground_force.to_array(),
        "reactions": reactions,
        "probes": probes,
        "seconds": seconds,
    })
}

/// A recording of one frame, from which a run goes on.
fn record(
    sim: Simulation,
    text: &SceneText,
    arguments: &SettleArguments,
    directory: &Path,
    seconds: f64,
) -> Result<(), Failure> {
    let header = Header::new(&text.name, &text.text, &arguments.overrides, sim.model(), column_names(sim.model()));
    let mut run = RunDirectory::create(directory, header)?;
    run.model(sim.model())?;
    let mut journey = Journey::new(sim, run, directory, true);
    journey.record(&[])?;
    let state = journey.sim.state();
    let summary = Summary::new(journey.run.header(), state, "settled", state.time, seconds);
    journey.run.finish(state, &summary)?;
    Ok(())
}
