//! A run from its first to its last frame: step, record, show, and end well whatever happens.

use crate::advice;
use crate::arguments::Manner;
use crate::console;
use crate::failure::{Failure, INTERRUPTED, STEP_FAILED};
use crate::footing::Footing;
use crate::interrupt;
use crate::ledger_table;
use crate::progress::Progress;
use crate::stand;
use kreisel::Simulation;
use kreisel::model::setup::Law;
use kreisel::model::{Event, State};
use kreisel::readout::Forces;
use kreisel::readout::probe::{Probes, reads_forces};
use kreisel::step::StepReport;
use kreisel_record::{
    ContactForce, Contacting, FrameInput, RECORDING, RecordError, Recording, RunDirectory, Solving, Summary,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A remainder below this share of a frame is rounding, not a frame.
const ROUNDING: f64 = 1e-6;

/// A run on its way.
#[derive(Debug)]
pub struct Journey {
    /// What is simulated.
    pub sim: Simulation,
    /// Where it is recorded.
    pub run: RunDirectory,
    /// The directory of that.
    pub directory: PathBuf,
    /// What the user has been warned of.
    pub warnings: Vec<String>,
    warned_of_step: bool,
    warned_of_deformation: bool,
    probes: Probes,
    reads_forces: bool,
    events: BTreeMap<&'static str, u64>,
    solving: Solving,
    contacting: Contacting,
    footing: Footing,
    progress: Progress,
    start: f64,
}

/// How a run came to its end.
#[derive(Debug)]
enum Ending {
    Done,
    Interrupted,
    /// A step failed; the state before it is intact.
    StepFailed(String),
    /// A frame could not be recorded because a number in it is not finite.
    NotFinite(String),
}

impl Journey {
    /// A run that is about to go on from the state of `sim`.
    pub fn new(sim: Simulation, run: RunDirectory, directory: &Path, quiet: bool) -> Self {
        let (start, end) = (sim.time(), sim.model().duration);
        Self {
            probes: Probes::new(sim.model()),
            reads_forces: reads_forces(sim.model()),
            events: BTreeMap::new(),
            solving: Solving::default(),
            contacting: Contacting::default(),
            footing: Footing::default(),
            progress: Progress::new(quiet, (start, end)),
            directory: directory.to_path_buf(),
            warnings: Vec::new(),
            warned_of_step: false,
            warned_of_deformation: false,
            start,
            sim,
            run,
        }
    }

    /// Records the state of the moment.
    pub fn record(&mut self, events: &[Event]) -> Result<(), RecordError> {
        let forces = if self.reads_forces { self.sim.forces() } else { Forces::default() };
        let deformed = self.sim.deformed();
        self.complain_of(deformed.as_ref().and_then(|d| d.trouble.first()));
        let shown = deformed.as_ref().map_or(self.sim.state(), |d| &d.state);
        let probes = self.probes.read(self.sim.model(), shown, &forces);
        events.iter().for_each(|e| *self.events.entry(e.kind.word()).or_default() += 1);
        let contacts = self.sim.contact_forces();
        let contacts: Vec<_> = contacts.into_iter().map(|(point, force)| ContactForce { point, force }).collect();
        let displacement = deformed.as_ref().map(|d| &d.displacement);
        let state = self.sim.state();
        self.footing.note(self.sim.model(), state);
        self.run.frame(&FrameInput { state, events, probes: &probes, contact_forces: &contacts, displacement })
    }

    /// Warns that a deformation could not be solved for, once.
    fn complain_of(&mut self, trouble: Option<&String>) {
        if let Some(why) = trouble
            && !std::mem::replace(&mut self.warned_of_deformation, true)
        {
            self.progress.say(&format!("warning: {why}"));
            self.warnings.push(why.clone());
        }
    }

    /// Goes on to the end, prints what came of it, and returns the exit code.
    pub fn complete(mut self, manner: &Manner) -> Result<i32, Failure> {
        let plan = self.sim.plan();
        self.progress.say(&advice::integrator_line(&self.sim));
        self.progress.say(&advice::step_line(self.sim.model(), &plan));
        self.warn(&plan);
        let ending = self.go_on()?;
        self.progress.close();
        self.finish(ending, manner)
    }

    fn go_on(&mut self) -> Result<Ending, Failure> {
        while let Some(frame) = next_frame(&self.sim) {
            if interrupt::is_asked() {
                return Ok(Ending::Interrupted);
            }
            if frame < self.sim.model().frame {
                // A run that goes on beyond its end goes on from the last whole frame.
                self.run.keyframe(self.sim.state())?;
            }
            let report = match self.sim.step_by(frame) {
                Ok(report) => report,
                Err(error) => return Ok(Ending::StepFailed(error.to_string())),
            };
            self.warn(&report);
            self.solving.add(&report);
            self.contacting.add(&report);
            match self.record(&report.events) {
                Err(error @ RecordError::NotFinite { .. }) => return Ok(Ending::NotFinite(error.to_string())),
                other => other?,
            }
            self.progress.update(self.sim.time(), self.sim.ledger());
        }
        Ok(Ending::Done)
    }

    /// Warns of what the steps of a frame show, once.
    fn warn(&mut self, report: &StepReport) {
        if self.warned_of_step {
            return;
        }
        for warning in advice::warnings(self.sim.model(), report) {
            self.warned_of_step = true;
            self.progress.say(&format!("warning: {warning}"));
            self.warnings.push(warning);
        }
    }

    /// Writes the last keyframe and the summary, prints what came of it, and returns the exit code.
    fn finish(self, ending: Ending, manner: &Manner) -> Result<i32, Failure> {
        let (code, status) = match &ending {
            Ending::Done => (0, "done".to_string()),
            Ending::Interrupted => (INTERRUPTED, "interrupted".to_string()),
            Ending::StepFailed(why) | Ending::NotFinite(why) => (STEP_FAILED, why.clone()),
        };
        let state = match &ending {
            Ending::NotFinite(_) => Recording::open(&self.directory.join(RECORDING))?.last_keyframe()?,
            _ => self.sim.state().clone(),
        };
        let mut summary = Summary::new(self.run.header(), &state, &status, self.start, self.progress.seconds());
        summary.warnings.clone_from(&self.warnings);
        let (integrator, reason) = self.sim.integrator();
        summary.integrator = kreisel_scene::integrator_word(integrator).into();
        summary.integrator_reason = reason.into();
        summary.implicit = integrator.is_implicit().then_some(self.solving);
        summary.contact = (self.sim.model().law == Law::Constraint).then_some(self.contacting);
        let model = self.sim.model();
        let standing = [stand::line(model, &state), self.footing.line(model)].into_iter().flatten().collect();
        let frames = self.run.recorder().frames();
        self.run.finish(&state, &summary)?;
        let closing = Closing { directory: &self.directory, state: &state, events: &self.events, frames, standing };
        if !manner.quiet {
            let text = closing.text(&summary);
            if manner.json { console::complain(&text) } else { console::print(&text) }
        }
        if manner.json {
            console::print(&summary.to_json()?);
        }
        if code == STEP_FAILED {
            console::complain(&format!("error: {status}\n = help: {}", advice_on_failure(&self.directory)));
        }
        Ok(code)
    }
}

fn advice_on_failure(directory: &Path) -> String {
    let shown = directory.display();
    format!("what came before is recorded in {shown}; try a smaller `step`, more `damping` or weaker loads")
}

/// Length of the next frame [s]: whole frames, and what is left at the end.
fn next_frame(sim: &Simulation) -> Option<f64> {
    let frame = sim.model().frame;
    let left = sim.model().duration - sim.time();
    if left > frame * (1.0 - ROUNDING) {
        Some(frame)
    } else if left > frame * ROUNDING {
        Some(left)
    } else {
        None
    }
}

/// What is printed at the end of a run.
struct Closing<'a> {
    directory: &'a Path,
    state: &'a State,
    events: &'a BTreeMap<&'static str, u64>,
    frames: u64,
    standing: Vec<String>,
}

impl Closing<'_> {
    fn text(&self, summary: &Summary) -> String {
        let mut text = ledger_table::table(&self.state.ledger);
        let events: Vec<String> = self.events.iter().map(|(word, count)| format!("{count} {word}")).collect();
        if !events.is_empty() {
            text += &format!("{:<12} {}\n", "events", events.join(", "));
        }
        if let Some(solving) = &summary.implicit {
            text += &format!("{:<12} {}\n", "implicit", advice::solving_line(solving));
        }
        if let Some(contact) = &summary.contact {
            text += &format!("{:<12} {}\n", "contact", advice::contact_line(contact));
        }
        for standing in &self.standing {
            text += &format!("{:<12} {standing}\n", "bodies");
        }
        text += &format!(
            "\n{} s in {} steps and {} frames, {} s on the clock, {} s of processor time, {} of memory\n",
            console::short(summary.time),
            summary.steps,
            self.frames,
            console::short(summary.wall_seconds),
            console::short(summary.cpu_seconds),
            console::bytes(summary.peak_bytes),
        );
        let shown = self.directory.display();
        text += &format!("results in {shown}: {RECORDING}, probes.csv, ledger.csv, events.csv, summary.json\n");
        if summary.status == "interrupted" {
            text += &format!("interrupted; `kreisel resume {shown}` goes on\n");
        } else {
            text += &format!(
                "the tables open in any spreadsheet; `kreisel resume {shown} --until TIME` makes the run longer\n"
            );
        }
        text
    }
}
