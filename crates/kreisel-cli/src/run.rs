//! `kreisel run`: a scene, from its start to its end.

use crate::arguments::{Manner, RunArguments};
use crate::console;
use crate::failure::Failure;
use crate::interrupt;
use crate::journey::Journey;
use crate::scene_input;
use kreisel::readout::probe::column_names;
use kreisel_record::{Header, RunDirectory};
use std::path::{Path, PathBuf};

/// Runs a scene and returns the exit code.
pub fn run(arguments: &RunArguments) -> Result<i32, Failure> {
    let text = scene_input::load(&arguments.scene)?;
    choose_threads(&arguments.manner)?;
    let quiet = arguments.manner.quiet;
    let scene = scene_input::read(&text, &arguments.overrides, quiet)?;
    if !quiet {
        console::complain(&scene.setup.title);
    }
    let sim = scene_input::build(&scene)?;
    let directory = arguments.out.clone().unwrap_or_else(|| default_directory(&arguments.scene));
    if directory.exists() && !directory.is_dir() {
        let what = format!("{} is a file, not a directory", directory.display());
        return Err(Failure::input(what, "give another place for the results with --out"));
    }
    let header = Header::new(&text.name, &text.text, &arguments.overrides, sim.model(), column_names(sim.model()));
    let mut run = RunDirectory::create(&directory, header)?;
    run.model(sim.model())?;
    interrupt::watch();
    let mut journey = Journey::new(sim, run, &directory, quiet);
    journey.warnings.extend(scene.warnings.iter().map(|w| w.message.clone()));
    journey.record(&[])?;
    journey.complete(&arguments.manner)
}

/// Uses as many threads as asked for.
pub fn choose_threads(manner: &Manner) -> Result<(), Failure> {
    use_threads(manner.threads)
}

/// Uses so many threads, or one per processor.
pub fn use_threads(threads: Option<u16>) -> Result<(), Failure> {
    let Some(threads) = threads else { return Ok(()) };
    let built = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
    built.map_err(|e| Failure::input(format!("{threads} threads cannot be had: {e}"), "ask for fewer"))
}

/// `out/NAME`, for a file its name without path and extension.
fn default_directory(scene: &str) -> PathBuf {
    Path::new("out").join(Path::new(scene).file_stem().unwrap_or("scene".as_ref()))
}
