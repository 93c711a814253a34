//! Recordings by path, by the directory of a run, or made on the spot from a scene.

use crate::arguments::Manner;
use crate::console;
use crate::failure::{Failure, INTERRUPTED};
use crate::interrupt;
use crate::journey::Journey;
use crate::scene_input;
use kreisel::readout::probe::column_names;
use kreisel_record::{Header, RECORDING, Recording, RunDirectory};
use std::path::{Path, PathBuf};

/// A recording, and the directory that goes away with it if it was made on the spot.
#[derive(Debug)]
pub struct Source {
    /// The recording.
    pub recording: Recording,
    /// The exit code of the run that made it; 0 if it was there before.
    pub code: i32,
    _directory: Option<tempfile::TempDir>,
}

/// Opens a recording or the directory of a run, or runs a scene.
pub fn open(word: &str, overrides: &[String], quiet: bool) -> Result<Source, Failure> {
    match existing(word) {
        Some(path) if overrides.is_empty() => open_recording(&path),
        Some(_) => {
            Err(Failure::input(format!("{word} is a recording: nothing can be set in it"), "give the scene instead"))
        }
        None => run_scene(word, overrides, quiet),
    }
}

/// Opens a recording or the directory of a run.
pub fn open_existing(word: &str) -> Result<Source, Failure> {
    match existing(word) {
        Some(path) => open_recording(&path),
        None => Err(no_recording(word)),
    }
}

/// The file of a recording, given itself or the directory of its run.
pub fn file_of(path: &Path) -> Result<PathBuf, Failure> {
    let inside = path.join(RECORDING);
    if inside.is_file() {
        return Ok(inside);
    }
    if path.is_dir() {
        let help = "give the directory that `kreisel run --out` wrote";
        return Err(Failure::input(format!("{} has no {RECORDING}", path.display()), help));
    }
    if path.is_file() { Ok(path.to_path_buf()) } else { Err(no_recording(&path.to_string_lossy())) }
}

/// What is said where a recording should be.
fn no_recording(word: &str) -> Failure {
    if scene_input::is_scene(word) {
        let help = format!("`kreisel run {word}` makes one");
        return Failure::input(format!("{word} is a scene, not a recording"), &help);
    }
    let help = "give the directory of a run, such as out/beam-soft, or the recording in it; `kreisel run` makes one";
    Failure::input(format!("there is no recording {word}"), help)
}

/// The recording that a word means, unless it is a scene.
fn existing(word: &str) -> Option<PathBuf> {
    let path = Path::new(word);
    let inside = path.join(RECORDING);
    if kreisel_scene::find(word).is_ok() {
        None
    } else if inside.is_file() {
        Some(inside)
    } else {
        scene_input::is_recording(path).then(|| path.to_path_buf())
    }
}

fn open_recording(path: &Path) -> Result<Source, Failure> {
    let recording = Recording::open(path)?;
    if let Some(bytes) = recording.torn_bytes() {
        let shown = path.display();
        console::complain(&format!("warning: {bytes} bytes at the end of {shown} are torn and left out"));
    }
    Ok(Source { recording, code: 0, _directory: None })
}

fn run_scene(word: &str, overrides: &[String], quiet: bool) -> Result<Source, Failure> {
    let text = scene_input::load(word)?;
    let scene = scene_input::read(&text, overrides, quiet)?;
    if !quiet {
        console::complain(&format!("{}: runs first", scene.setup.title));
    }
    let sim = scene_input::build(&scene)?;
    let directory = tempfile::tempdir()
        .map_err(|e| Failure::input(format!("no temporary directory: {e}"), "`kreisel run` the scene first"))?;
    let header = Header::new(&text.name, &text.text, overrides, sim.model(), column_names(sim.model()));
    let mut run = RunDirectory::create(directory.path(), header)?;
    run.model(sim.model())?;
    interrupt::watch();
    let mut journey = Journey::new(sim, run, directory.path(), quiet);
    journey.record(&[])?;
    let code = journey.complete(&Manner { threads: None, json: false, quiet: true })?;
    if code == INTERRUPTED {
        return Err(Failure { code, text: "interrupted before there was anything to show".into() });
    }
    let recording = Recording::open(&directory.path().join(RECORDING))?;
    Ok(Source { recording, code, _directory: Some(directory) })
}
