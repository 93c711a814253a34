//! `kreisel resume`: goes on with a run, bit for bit as if it had not been interrupted.

use crate::arguments::ResumeArguments;
use crate::console;
use crate::failure::Failure;
use crate::interrupt;
use crate::journey::Journey;
use crate::recording_source::file_of;
use crate::run::choose_threads;
use crate::scene_input::{self, SceneText};
use kreisel::Simulation;
use kreisel_record::{Header, RECORDING, RecordError, Recording, RunDirectory, SUMMARY};
use std::path::{Path, PathBuf};

/// Goes on with a run and returns the exit code.
pub fn resume(arguments: &ResumeArguments) -> Result<i32, Failure> {
    let directory = directory_of(&arguments.run)?;
    let mut recording = Recording::open(&directory.join(RECORDING))?;
    let header = recording.header().clone();
    let manner = &arguments.manner;
    choose_threads(manner)?;
    let text = SceneText { name: header.scene.clone(), text: header.scene_text.clone() };
    let scene = scene_input::read(&text, &overrides(&header, arguments.until.as_deref()), true)?;
    let reached = recording.last_keyframe()?.time;
    drop(recording);
    let left = scene.setup.duration - reached;
    if left < 1e-6 * scene.setup.frame && directory.join(SUMMARY).exists() {
        return nothing_to_do(&directory, reached, manner.json);
    }
    warn_of_version(&header);
    interrupt::watch();
    let latest = last_whole_frame(reached, scene.setup.frame, left);
    let (run, state) = match RunDirectory::resume_at(&directory, latest) {
        // A settled state may begin at any time.
        Err(RecordError::NoKeyframe) => RunDirectory::resume(&directory)?,
        found => found?,
    };
    if !manner.quiet {
        console::complain(&format!("{}: goes on from {} s", scene.setup.title, console::short(state.time)));
    }
    let sim = Simulation::resume(&scene.setup, state).map_err(|e| scene_input::at_its_line(&scene, &e))?;
    Journey::new(sim, run, &directory, manner.quiet).complete(manner)
}

/// The directory of a run, given itself or its recording.
fn directory_of(run: &Path) -> Result<PathBuf, Failure> {
    let path = file_of(run)?;
    if path.file_name() != Some(RECORDING.as_ref()) {
        let help = format!("call it {RECORDING} in a directory of its own, where the tables go too");
        Recording::open(&path)?;
        return Err(Failure::input(format!("{} is not called {RECORDING}", path.display()), &help));
    }
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
    Ok(parent.unwrap_or(Path::new(".")).to_path_buf())
}

/// The last frame of a run may be a short one. A run that goes on beyond it goes on from the frame before, so that its
/// frames are those of a run that was to be longer from the start.
fn last_whole_frame(reached: f64, frame: f64, left: f64) -> f64 {
    let frames = reached / frame;
    let is_whole = (frames - frames.round()).abs() < 1e-6;
    if is_whole || left <= 0.0 { f64::INFINITY } else { (frames.floor() + 1e-6) * frame }
}

/// The overrides of the run, and another end if one is wanted.
fn overrides(header: &Header, until: Option<&str>) -> Vec<String> {
    let mut overrides = header.overrides.clone();
    overrides.extend(until.map(|time| format!("duration={time}")));
    overrides
}

fn nothing_to_do(directory: &Path, reached: f64, json: bool) -> Result<i32, Failure> {
    console::complain(&format!("the run is complete: it has reached {reached} s; --until TIME makes it longer"));
    if json {
        let summary = directory.join(SUMMARY);
        let text = std::fs::read_to_string(&summary);
        console::print(&text.map_err(|e| Failure::input(format!("{}: {e}", summary.display()), "run it again"))?);
    }
    Ok(0)
}

fn warn_of_version(header: &Header) {
    let ours = env!("CARGO_PKG_VERSION");
    let theirs = &header.engine_version;
    if theirs != ours {
        console::complain(&format!(
            "warning: version {theirs} made this recording, this is {ours}: the bits may differ from an uninterrupted run"
        ));
    }
}
