//! Tables of numbers over time, for plots, and the list of events; both of bounded length.

use crate::session::touching::Touching;
use kreisel::DVec3;
use kreisel::model::{Event, FREE, Ledger, Model, State};
use kreisel::readout::probe::column_names;
use kreisel::step::StepReport;
use serde::Serialize;

/// Rows that are kept; beyond this every second one goes.
const MOST_ROWS: usize = 6000;
/// Events that are kept; beyond this the first go.
const MOST_EVENTS: usize = 2000;

/// Columns about the work of a frame.
const OF_WORK: [&str; 16] = [
    "cost",
    "measuring",
    "contacts",
    "rigid",
    "steps",
    "solver_iterations",
    "contact_sweeps",
    "left_of_law",
    "rewire",
    "detect",
    "free_motion",
    "contact",
    "advance",
    "report",
    "contact_push",
    "strongest_contact",
];
/// Columns that every model has: time, energies, momenta, and of the work.
const OWN_COLUMNS: usize = 1 + 13 + 18 + OF_WORK.len();

/// Rows of numbers and a list of events.
#[derive(Clone, Debug, Default)]
pub struct Measures {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Values, row after row.
    pub values: Vec<f64>,
    /// Frame of each row.
    pub frames: Vec<u64>,
    /// What happened.
    pub events: Vec<Noted>,
    /// Changes whenever rows or events that were there before are not any more.
    pub generation: u64,
    /// Only every so many frames are kept.
    stride: u64,
}

/// What is measured at the end of a frame.
#[derive(Clone, Copy, Debug)]
pub struct Measured<'a> {
    /// The frame.
    pub frame: u64,
    /// Time [s].
    pub time: f64,
    /// Energies and momenta.
    pub ledger: &'a Ledger,
    /// Values of the probes.
    pub probes: &'a [f64],
    /// What it took: see [`work_of`]; zeros where it is not known.
    pub work: Work,
    /// What happened.
    pub events: &'a [Event],
}

/// An event as it is shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Noted {
    /// Frame at whose end it was known.
    pub frame: u64,
    /// When [s].
    pub time: f64,
    /// One word.
    pub word: &'static str,
    /// The rest of the sentence.
    pub detail: String,
    /// Where [m].
    pub place: [f64; 3],
    /// Energy [J].
    pub energy: f64,
}

/// The work of a frame, in the order of the columns.
pub type Work = [f64; OF_WORK.len()];

/// The work of a frame: time of the step and of measuring [s], contacts, share of elements that are rigid, steps,
/// iterations of linear solvers, passes over contacts, what those left of the contact law [m/s], time of each stage of the
/// step [s], the sum of what contacts push along their normals and the strongest of them [N].
pub fn work_of(report: &StepReport, state: &State, times: [f64; 2], touching: &[Touching]) -> Work {
    let rigid = state.owner.iter().filter(|o| **o != FREE).count() as f64 / state.owner.len().max(1) as f64;
    let contacts = state.contacts.len() + state.shape_contacts.len();
    let counts = [report.substeps, report.linear_iterations, report.contact_sweeps].map(|n| n as f64);
    let [rewire, detect, free, contact, advance, rest] = report.costs;
    let pushes = || touching.iter().map(Touching::push);
    let (all, strongest) = (pushes().sum(), pushes().fold(0.0, f64::max));
    let [steps, iterations, sweeps] = counts;
    [
        times[0],
        times[1],
        contacts as f64,
        rigid,
        steps,
        iterations,
        sweeps,
        report.contact_residual,
        rewire,
        detect,
        free,
        contact,
        advance,
        rest,
        all,
        strongest,
    ]
}

/// What a recording knows of the work of a frame: the number of contacts.
pub fn recorded_work(contacts: u64) -> Work {
    let mut work = Work::default();
    for (value, name) in work.iter_mut().zip(OF_WORK) {
        if name == "contacts" {
            *value = contacts as f64;
        }
    }
    work
}

impl Measures {
    /// Begins the tables of a model.
    pub fn begin(&mut self, model: &Model) {
        let ledger = Ledger::default();
        let mut columns = vec!["time".to_string()];
        columns.extend(ledger.entries().iter().map(|(name, _)| (*name).to_string()));
        for (name, _) in ledger.momenta() {
            columns.extend(["x", "y", "z"].map(|axis| format!("{name}.{axis}")));
        }
        columns.extend(OF_WORK.map(String::from));
        columns.extend(column_names(model));
        *self = Self { columns, generation: self.generation + 1, stride: 1, ..Self::default() };
    }

    /// True if the columns are those of a model.
    pub fn are_of(&self, model: &Model) -> bool {
        self.columns.ends_with(&column_names(model)) && self.columns.len() == OWN_COLUMNS + column_names(model).len()
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.frames.len()
    }

    /// Adds the row of a frame and its events.
    pub fn add(&mut self, row: &Measured) {
        self.add_events(row.frame, row.events);
        if !row.frame.is_multiple_of(self.stride.max(1)) {
            return;
        }
        let before = self.values.len();
        self.values.push(row.time);
        self.values.extend(row.ledger.entries().iter().map(|(_, value)| value));
        self.values.extend(row.ledger.momenta().iter().flat_map(|(_, v): &(_, DVec3)| v.to_array()));
        self.values.extend(row.work);
        self.values.extend(row.probes);
        self.values.resize(before + self.columns.len(), 0.0);
        self.frames.push(row.frame);
        if self.rows() > MOST_ROWS {
            self.thin_out();
        }
    }

    /// Forgets what came after a frame.
    pub fn forget_after(&mut self, frame: u64) {
        let keep = self.frames.partition_point(|f| *f <= frame);
        if keep < self.rows() || self.events.iter().any(|e| e.frame > frame) {
            self.frames.truncate(keep);
            self.values.truncate(keep * self.columns.len());
            self.events.retain(|e| e.frame <= frame);
            self.generation += 1;
        }
    }

    fn add_events(&mut self, frame: u64, events: &[Event]) {
        // Single connections break by the thousand; what matters is that pieces come off.
        let shown = events.iter().take(MOST_EVENTS / 4);
        self.events.extend(shown.map(|e| Noted {
            frame,
            time: e.time,
            word: e.kind.word(),
            detail: e.kind.detail(),
            place: e.place.to_array(),
            energy: e.energy,
        }));
        if self.events.len() > MOST_EVENTS {
            self.events.drain(..self.events.len() - MOST_EVENTS / 2);
            self.generation += 1;
        }
    }

    fn thin_out(&mut self) {
        self.stride *= 2;
        let (width, stride) = (self.columns.len(), self.stride);
        let keep: Vec<usize> = (0..self.rows()).filter(|&i| self.frames[i].is_multiple_of(stride)).collect();
        self.values = keep.iter().flat_map(|&i| self.values[i * width..(i + 1) * width].to_vec()).collect();
        self.frames = keep.iter().map(|&i| self.frames[i]).collect();
        self.generation += 1;
    }
}
