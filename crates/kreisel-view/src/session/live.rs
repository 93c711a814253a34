//! A scene that runs: forward, back, anywhere, and changed on the way.

use crate::session::action::{Action, apply};
use crate::session::history::{Entry, History};
use crate::session::measure::{Measured, Measures, work_of};
use crate::session::touching::{Touching, touching};
use crate::session::world::World;
use kreisel::model::Setup;
use kreisel::readout::probe::{Probes, reads_forces};
use kreisel::step::{Deformed, StepReport};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// A running scene with its history.
#[derive(Debug)]
pub struct Live {
    /// The scene as it is.
    pub world: World,
    /// The way back.
    pub history: History,
    /// Frames taken from the start to the present.
    pub frame: u64,
    /// The latest frame that is known.
    pub latest: u64,
    /// What the last step reported.
    pub report: StepReport,
    /// Time that the last step took [s].
    pub cost: f64,
    /// Tables for plots, shared with those who send them.
    pub measures: Arc<Mutex<Measures>>,
    /// Counts jumps in time.
    pub jumps: u64,
    /// Time that measuring took after the frame before [s].
    measuring: f64,
    probes: Probes,
    probes_version: u64,
    deformed: Option<(Instance, Arc<Deformed>)>,
    touching: Option<(Instance, Arc<[Touching]>)>,
}

/// What tells one moment from another: model, frame, jumps and changes of who carries what.
type Instance = [u64; 4];

impl Live {
    /// Starts a scene.
    pub fn new(
        setup: Setup,
        memory: usize,
        measures: Arc<Mutex<Measures>>,
    ) -> Result<Self, kreisel::build::BuildError> {
        let world = World::new(setup)?;
        let history = History::new(world.moment(), memory);
        let probes = Probes::new(&world.model);
        let report = StepReport::default();
        let mut live = Self {
            world,
            history,
            frame: 0,
            latest: 0,
            report,
            cost: 0.0,
            measuring: 0.0,
            measures,
            jumps: 0,
            probes,
            probes_version: 0,
            deformed: None,
            touching: None,
        };
        live.with_measures(|m, model| m.begin(model));
        live.measure();
        Ok(live)
    }

    /// One frame forward. On failure nothing has changed.
    pub fn step(&mut self) -> Result<(), String> {
        let begin = Instant::now();
        self.report = self.world.step().map_err(|e| e.to_string())?;
        self.cost = begin.elapsed().as_secs_f64();
        self.frame += 1;
        if self.history.wants(self.frame) {
            self.history.keep(self.frame, self.world.moment());
        }
        self.replay_entries();
        let is_new = self.frame > self.latest;
        self.latest = self.latest.max(self.frame);
        if is_new {
            self.measure();
        }
        Ok(())
    }

    /// Goes to a frame, back or forward; the state there is the one that was, bit for bit.
    pub fn seek(&mut self, frame: u64) -> Result<(), String> {
        let frame = frame.min(self.latest);
        let (near, moment) = self.history.before(frame);
        if frame < self.frame || near > self.frame {
            let moment = moment.clone();
            self.world.restore(&moment);
            self.frame = near;
            self.jumps += 1;
            self.replay_entries();
        }
        while self.frame < frame {
            self.step()?;
        }
        Ok(())
    }

    /// Does something to the scene; what was to come is forgotten.
    pub fn act(&mut self, action: Action) -> Result<(), String> {
        let before =
            if is_continuous(&action) { None } else { Some((self.world.moment(), self.world.pending.clone())) };
        self.history.add(self.frame, action.clone())?;
        let done = apply(&mut self.world, &action);
        if let Err(reason) = done {
            self.history.retract();
            if let Some((moment, pending)) = before {
                self.world.restore(&moment);
                self.world.pending = pending;
            }
            return Err(reason);
        }
        if self.latest != self.frame {
            self.latest = self.frame;
            let frame = self.frame;
            self.with_measures(|m, _| m.forget_after(frame));
        }
        Ok(())
    }

    /// Begins anew: nothing has been done.
    pub fn reset(&mut self) {
        let moment = self.history.before(0).1.clone();
        self.world.restore(&moment);
        self.history.forget_after(0);
        self.history.set_journal(Vec::new());
        (self.frame, self.latest) = (0, 0);
        self.jumps += 1;
        self.with_measures(|m, model| m.begin(model));
        self.measure();
    }

    /// Takes over what was done in an earlier session; it happens again as time goes on.
    pub fn rehearse(&mut self, journal: Vec<Entry>) {
        self.latest = journal.last().map_or(0, |e| e.frame);
        self.history.set_journal(journal);
        self.replay_entries();
    }

    /// The state with its quasi-static bodies deformed, solved for once a moment; `None` if there are none.
    pub fn deformed(&mut self) -> Option<Arc<Deformed>> {
        let now = self.instance();
        if self.deformed.as_ref().is_none_or(|(then, _)| *then != now) {
            self.deformed = self.world.deformed().map(|d| (now, Arc::new(d)));
        }
        self.deformed.as_ref().map(|(_, d)| d.clone())
    }

    /// What touches, found once a moment.
    pub fn touching(&mut self) -> Arc<[Touching]> {
        let now = self.instance();
        match &self.touching {
            Some((then, known)) if *then == now => known.clone(),
            _ => {
                let found: Arc<[Touching]> = touching(&mut self.world).into();
                self.touching = Some((now, found.clone()));
                found
            }
        }
    }

    fn instance(&self) -> Instance {
        [self.world.version, self.frame, self.jumps, self.world.state.epoch]
    }

    fn replay_entries(&mut self) {
        let entries: Vec<Entry> = self.history.at(self.frame).to_vec();
        for entry in entries {
            // What was possible then is possible now: the state is the same.
            let _ = apply(&mut self.world, &entry.action);
        }
    }

    /// Writes the row of the moment.
    fn measure(&mut self) {
        let begin = Instant::now();
        if self.probes_version != self.world.version {
            self.probes = Probes::new(&self.world.model);
            self.probes_version = self.world.version;
            self.with_measures(|m, model| {
                if !m.are_of(model) {
                    m.begin(model);
                }
            });
        }
        let forces = match reads_forces(&self.world.model) {
            false => kreisel::readout::Forces::default(),
            true => self.world.forces(),
        };
        let deformed = if self.probes.is_empty() { None } else { self.deformed() };
        let seen = deformed.as_ref().map_or(&self.world.state, |d| &d.state);
        let probes = self.probes.read(&self.world.model, seen, &forces);
        let events = std::mem::take(&mut self.report.events);
        let touching = self.touching();
        let state = &self.world.state;
        let row = Measured {
            frame: self.frame,
            time: state.time,
            ledger: &state.ledger,
            probes: &probes,
            work: work_of(&self.report, state, [self.cost, self.measuring], &touching),
            events: &events,
        };
        if let Ok(mut measures) = self.measures.lock() {
            measures.add(&row);
        }
        self.report.events = events;
        self.measuring = begin.elapsed().as_secs_f64();
    }

    fn with_measures(&self, change: impl FnOnce(&mut Measures, &kreisel::model::Model)) {
        if let Ok(mut measures) = self.measures.lock() {
            change(&mut measures, &self.world.model);
        }
    }
}

/// Actions that come in numbers and change nothing when they fail.
fn is_continuous(action: &Action) -> bool {
    matches!(action, Action::Pull { .. } | Action::Grab { .. } | Action::Release { .. })
}
