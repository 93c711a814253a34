//! What is on: nothing, a running scene, or a recording; and all that can be asked of it.

use crate::session::action::Action;
use crate::session::film::Film;
use crate::session::hands;
use crate::session::live::Live;
use crate::session::measure::Measures;
use crate::session::source::{Source, Trouble, at_its_line};
use crate::session::status::Status;
use crate::session::touching::{Touching, strongest};
use crate::session::world::Moment;
use crate::wire::encoder::{Encoder, Shown};
use crate::wire::{Section, wants};
use kreisel_record::state_hash;
use std::sync::{Arc, Mutex};

/// Contact forces that are shown at a time.
const MOST_CONTACTS: usize = 600;
/// Moments that can be kept.
const MOST_SNAPSHOTS: usize = 12;

/// What is on.
#[derive(Debug)]
pub struct Stage {
    play: Play,
    encoder: Encoder,
    /// Tables for plots.
    pub measures: Arc<Mutex<Measures>>,
    snapshots: Vec<(f64, u64, Moment)>,
    memory: usize,
    offset: u64,
}

#[derive(Debug)]
enum Play {
    Nothing,
    Live(Box<Live>),
    Film(Box<Film>),
}

impl Stage {
    /// An empty stage whose history may take so many bytes.
    pub fn new(memory: usize) -> Self {
        let measures = Arc::new(Mutex::new(Measures::default()));
        Self { play: Play::Nothing, encoder: Encoder::default(), measures, snapshots: Vec::new(), memory, offset: 0 }
    }

    /// Puts something on; on failure what was on goes on.
    pub fn open(&mut self, source: &Source) -> Result<(), Trouble> {
        let play = match source {
            Source::Recording(path) => Play::Film(Box::new(Film::open(path, &self.measures)?)),
            _ => {
                let scene = source.read()?;
                let built = Live::new(scene.setup.clone(), self.memory, self.measures.clone());
                let mut live = built.map_err(|e| at_its_line(&scene, &e))?;
                let journal = source.journal();
                if !journal.is_empty() {
                    live.rehearse(journal);
                }
                Play::Live(Box::new(live))
            }
        };
        self.play = play;
        self.snapshots.clear();
        self.offset += 1 << 32;
        Ok(())
    }

    /// Takes everything off.
    pub fn close(&mut self) {
        self.play = Play::Nothing;
        self.snapshots.clear();
    }

    /// The running scene, if there is one.
    pub fn live(&self) -> Option<&Live> {
        if let Play::Live(live) = &self.play { Some(live) } else { None }
    }

    /// True if there is nothing on.
    pub fn is_empty(&self) -> bool {
        matches!(self.play, Play::Nothing)
    }

    /// Time between frames [s].
    pub fn interval(&self) -> f64 {
        match &self.play {
            Play::Nothing => 1.0 / 60.0,
            Play::Live(live) => live.world.model.frame,
            Play::Film(film) => film.model.frame,
        }
    }

    /// One frame forward; false if there is none.
    pub fn step(&mut self) -> Result<bool, String> {
        match &mut self.play {
            Play::Nothing => Ok(false),
            Play::Live(live) => live.step().map(|()| true),
            Play::Film(film) if film.frame >= film.latest() => Ok(false),
            Play::Film(film) => film.seek(film.frame + 1).map(|()| true),
        }
    }

    /// One frame back.
    pub fn back(&mut self) -> Result<(), String> {
        let frame = self.frame().saturating_sub(1);
        self.seek(frame)
    }

    /// Goes to a frame.
    pub fn seek(&mut self, frame: u64) -> Result<(), String> {
        match &mut self.play {
            Play::Nothing => Ok(()),
            Play::Live(live) => live.seek(frame),
            Play::Film(film) => film.seek(frame),
        }
    }

    /// The frame that is shown.
    pub fn frame(&self) -> u64 {
        match &self.play {
            Play::Nothing => 0,
            Play::Live(live) => live.frame,
            Play::Film(film) => film.frame,
        }
    }

    /// Back to the start, with nothing done.
    pub fn reset(&mut self) -> Result<(), String> {
        match &mut self.play {
            Play::Live(live) => live.reset(),
            _ => self.seek(0)?,
        }
        Ok(())
    }

    /// Does something to the scene.
    pub fn act(&mut self, action: Action) -> Result<(), String> {
        match &mut self.play {
            Play::Live(live) => live.act(action),
            Play::Film(_) => Err("this is a recording: open its scene to touch it".into()),
            Play::Nothing => Err("there is no scene".into()),
        }
    }

    /// Lets go of everything, as when whoever held it has gone.
    pub fn let_go(&mut self) {
        let Play::Live(live) = &mut self.play else { return };
        let held: Vec<u32> = live.world.hands.iter().map(|h| h.id).collect();
        for id in held {
            // Letting go never fails.
            let _ = live.act(Action::Release { id });
        }
    }

    /// Keeps the moment.
    pub fn snapshot(&mut self) -> Result<(), String> {
        let Play::Live(live) = &self.play else { return Err("only a running scene has moments to keep".into()) };
        if self.snapshots.len() >= MOST_SNAPSHOTS {
            self.snapshots.remove(0);
        }
        self.snapshots.push((live.world.state.time, live.frame, live.world.moment()));
        Ok(())
    }

    /// Goes back to a kept moment.
    pub fn restore(&mut self, number: usize) -> Result<(), String> {
        let Some((_, frame, _)) = self.snapshots.get(number) else { return Err("there is no such snapshot".into()) };
        let frame = *frame;
        self.seek(frame)
    }

    /// Encodes the moment for those who want it.
    pub fn encode(&mut self, wanted: u32) -> Vec<Section> {
        let contacts: Vec<_> = match &mut self.play {
            Play::Live(live) if wanted & wants::CONTACTS != 0 => strongest(live.touching().to_vec(), MOST_CONTACTS),
            Play::Film(film) => film.contacts(),
            _ => Vec::new(),
        };
        let offset = self.offset;
        let deformed = if let Play::Live(live) = &mut self.play { live.deformed() } else { None };
        let shown = match &self.play {
            Play::Nothing => return Vec::new(),
            Play::Live(live) => {
                let shown = shown_live(live, &contacts, offset);
                Shown { position: deformed.as_ref().map_or(shown.position, |d| &d.state.position), ..shown }
            }
            Play::Film(film) => shown_film(film, &contacts, offset),
        };
        self.encoder.encode(&shown, wanted)
    }

    /// Fills in what is known about the moment.
    pub fn describe(&self, status: &mut Status) {
        status.snapshots = self.snapshots.iter().map(|s| s.0).collect();
        match &self.play {
            Play::Nothing => status.mode = "none",
            Play::Live(live) => describe_live(live, status),
            Play::Film(film) => describe_film(film, status),
        }
        status.interval = self.interval();
    }
}

fn shown_live<'a>(live: &'a Live, contacts: &'a [Touching], offset: u64) -> Shown<'a> {
    let state = &live.world.state;
    Shown {
        model: &live.world.model,
        model_version: offset + live.world.version,
        time: state.time,
        frame: live.frame,
        jumps: live.jumps + (offset >> 32),
        position: &state.position,
        velocity: &state.velocity,
        owner: &state.owner,
        poses: state.aggregates.iter().map(|a| (a.position, a.orientation)).collect(),
        broken: &state.broken,
        parted: (0..).zip(&state.joints).filter(|(_, j)| j.broken).map(|(k, _)| k).collect(),
        epoch: state.epoch,
        contacts,
        state: Some(state),
    }
}

fn shown_film<'a>(film: &'a Film, contacts: &'a [Touching], offset: u64) -> Shown<'a> {
    let frame = &film.shown;
    Shown {
        model: &film.model,
        model_version: offset,
        time: frame.time,
        frame: film.frame,
        jumps: film.jumps + (offset >> 32),
        position: &frame.position,
        velocity: &frame.velocity,
        owner: &frame.owner,
        poses: frame.poses.iter().map(|p| (p.position, p.orientation)).collect(),
        broken: &frame.broken,
        parted: Vec::new(),
        epoch: film.epoch,
        contacts,
        state: None,
    }
}

fn describe_live(live: &Live, status: &mut Status) {
    let (model, state) = (&live.world.model, &live.world.state);
    status.mode = "live";
    status.title.clone_from(&model.title);
    (status.time, status.frame, status.latest) = (state.time, live.frame, live.latest);
    status.duration = model.duration;
    (status.cost, status.substeps, status.contacts) =
        (live.cost, live.report.substeps, state.contacts.len() + state.shape_contacts.len());
    (status.energy, status.residual) = (state.ledger.energy(), state.ledger.relative_residual());
    status.hands = hands::looks(&live.world);
    (status.entries, status.memory) = (live.history.journal().len(), live.history.bytes());
    if !status.running {
        status.hash = format!("{:016x}", state_hash(state));
    }
}

fn describe_film(film: &Film, status: &mut Status) {
    let frame = &film.shown;
    status.mode = "recording";
    status.title.clone_from(&film.model.title);
    (status.time, status.frame, status.latest) = (frame.time, film.frame, film.latest());
    status.duration = film.model.duration;
    status.contacts = frame.contacts as usize;
    (status.energy, status.residual) = (frame.ledger.energy(), frame.ledger.relative_residual());
}
