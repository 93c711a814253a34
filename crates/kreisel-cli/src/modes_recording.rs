//! Mode shapes as a recording: each vibration in turn swings slowly, so that `render` and `export` show it.

use crate::failure::Failure;
use kreisel::model::{FREE, Model, State};
use kreisel::readout::Forces;
use kreisel::readout::probe::{Probes, column_names};
use kreisel::statics::{Mode, ModeKind, ModePart, Modes};
use kreisel_record::{FrameInput, Header, RunDirectory, Summary};
use std::f64::consts::TAU;
use std::path::Path;

/// The largest displacement shown, as a share of the size of the part.
const AMPLITUDE: f64 = 0.1;
/// Frames of one mode.
const FRAMES: u32 = 48;
/// Swings of one mode.
const SWINGS: f64 = 2.0;
/// Time between frames [s].
const INTERVAL: f64 = 1.0 / 24.0;

/// Writes the recording into a directory; `header` is the name of the scene, its text, and the overrides.
///
/// Shapes are linear displacements: rigid parts are shown by their elements, not as bodies that turn.
pub fn write(
    directory: &Path,
    header: (&str, &str, &[String]),
    (model, rest): (&Model, &State),
    part: &ModePart,
    found: &Modes,
) -> Result<(), Failure> {
    let mut model = model.clone();
    let elastic: Vec<&Mode> = found.modes.iter().filter(|m| m.kind == ModeKind::Elastic).collect();
    model.frame = INTERVAL;
    model.duration = INTERVAL * f64::from(FRAMES) * elastic.len() as f64;
    model.title = titled(&model.title, &elastic);
    let probes = Probes::new(&model);
    let header = Header::new(header.0, header.1, header.2, &model, column_names(&model));
    let mut run = RunDirectory::create(directory, header)?;
    run.model(&model)?;
    let mut state = State { aggregates: Vec::new(), owner: vec![FREE; rest.owner.len()], ..rest.clone() };
    for (k, mode) in elastic.iter().enumerate() {
        for frame in 0..FRAMES {
            let phase = SWINGS * TAU * f64::from(frame) / f64::from(FRAMES);
            place(&mut state, rest, part, mode, phase);
            let number = k as u64 * u64::from(FRAMES) + u64::from(frame);
            (state.time, state.frames) = (INTERVAL * number as f64, number);
            let read = probes.read(&model, &state, &Forces::default());
            run.frame(&FrameInput { probes: &read, ..FrameInput::of(&state) })?;
        }
    }
    let summary = Summary::new(run.header(), &state, "done", 0.0, 0.0);
    Ok(run.finish(&state, &summary)?)
}

/// The frequencies in the order in which they are shown, before the title.
fn titled(title: &str, elastic: &[&Mode]) -> String {
    let all: Vec<String> = elastic.iter().map(|m| crate::console::short(m.frequency())).collect();
    format!("Modes at {} Hz: {title}", all.join(", "))
}

/// Positions and velocities of a mode at a phase, with the displayed amplitude and speed.
fn place(state: &mut State, rest: &State, part: &ModePart, mode: &Mode, phase: f64) {
    state.position.copy_from(&rest.position);
    state.velocity.reset(rest.position.len());
    let scale = AMPLITUDE * size(part) / largest(mode);
    let rate = SWINGS * TAU / (f64::from(FRAMES) * INTERVAL);
    for (i, &e) in part.elements.iter().enumerate() {
        let u = scale * mode.shape.get(i);
        state.position.add(e as usize, phase.sin() * u);
        state.velocity.add(e as usize, rate * phase.cos() * u);
    }
}

fn largest(mode: &Mode) -> f64 {
    (0..mode.shape.len()).map(|i| mode.shape.get(i).length()).fold(f64::MIN_POSITIVE, f64::max)
}

/// Diagonal of the box around the part [m].
fn size(part: &ModePart) -> f64 {
    let extent = |c: &[f64]| {
        let (low, high) = c.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
        high - low
    };
    let p = &part.part.positions;
    let sides = [&p.x, &p.y, &p.z].map(|c| extent(c));
    sides.iter().map(|s| s * s).sum::<f64>().sqrt()
}
