//! The thread of the simulation: steps when time is due, does what is asked, publishes what came of it.

use crate::session::action::Action;
use crate::session::measure::Measures;
use crate::session::save;
use crate::session::source::{Source, Trouble};
use crate::session::stage::Stage;
use crate::session::status::Status;
use crate::wire::Section;
use crate::wire::request::Request;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::{oneshot, watch};

/// Moments are published at most so often.
const PUBLISH_EVERY: Duration = Duration::from_micros(11_000);
/// How often the scene file is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(300);
/// Behind by more than this, the clock starts anew instead of running after.
const LARGEST_LAG: Duration = Duration::from_millis(100);
/// Longest wait for the next command.
const IDLE: Duration = Duration::from_millis(100);

/// What the thread is asked.
#[derive(Debug)]
pub enum Command {
    /// A request of the holder of the controls; the answer is a reason if it is refused.
    Ask(Request, Option<oneshot::Sender<Result<(), String>>>),
    /// Whoever held something has gone.
    LetGo,
    /// Somebody wants other sections.
    WantsChanged,
    /// The session as a recording.
    Save(oneshot::Sender<Result<Vec<u8>, String>>),
    /// The end.
    Quit,
}

/// What is published: who reads it decides which sections are new to him.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Counts publications.
    pub number: u64,
    /// Time, speed, troubles.
    pub status: Arc<Status>,
    /// The sections.
    pub sections: Vec<Section>,
}

/// The session: what is on, and how time goes.
#[derive(Debug)]
pub struct Session {
    stage: Stage,
    source: Option<Source>,
    changed: Option<SystemTime>,
    running: bool,
    speed: f64,
    due: Instant,
    error: Option<String>,
    problem: Option<Trouble>,
    opened: u64,
    pace: Pace,
    wants: Arc<AtomicU32>,
    sender: watch::Sender<Snapshot>,
    number: u64,
    saving: Option<std::thread::JoinHandle<()>>,
}

/// Simulated over real time.
#[derive(Debug)]
struct Pace {
    begin: Instant,
    simulated: f64,
    value: f64,
}

impl Session {
    /// A session that publishes through a channel; its history may take so many bytes.
    pub fn new(memory: usize, wants: Arc<AtomicU32>, sender: watch::Sender<Snapshot>) -> Self {
        let now = Instant::now();
        Self {
            stage: Stage::new(memory),
            source: None,
            changed: None,
            running: false,
            speed: 1.0,
            due: now,
            error: None,
            problem: None,
            opened: 0,
            pace: Pace { begin: now, simulated: 0.0, value: 0.0 },
            wants,
            sender,
            number: 0,
            saving: None,
        }
    }

    /// Tables for plots.
    pub fn measures(&self) -> Arc<Mutex<Measures>> {
        self.stage.measures.clone()
    }

    /// Opens something; what was on goes on if that fails.
    pub fn open(&mut self, source: Source) -> Result<(), Trouble> {
        let changed = source.changed();
        self.stage.open(&source)?;
        (self.source, self.changed) = (Some(source), changed);
        (self.error, self.problem) = (None, None);
        self.opened += 1;
        self.running = true;
        self.due = Instant::now();
        Ok(())
    }

    /// Runs until it is told to quit.
    pub fn run(mut self, commands: &Receiver<Command>) {
        let (mut published, mut looked) = (Instant::now(), Instant::now());
        let mut dirty = true;
        loop {
            let now = Instant::now();
            let wait = self.wait(now, dirty, published);
            match self.listen(commands, wait) {
                Some(heard) => dirty |= heard,
                None => return,
            }
            if now.duration_since(looked) > LOOK_EVERY {
                looked = now;
                dirty |= self.look_at_file();
            }
            if self.running && Instant::now() >= self.due {
                dirty |= self.advance();
            }
            if dirty && published.elapsed() >= PUBLISH_EVERY {
                published = Instant::now();
                dirty = false;
                self.publish();
            }
        }
    }

    /// How long there is nothing to do.
    fn wait(&self, now: Instant, dirty: bool, published: Instant) -> Duration {
        let mut wait = IDLE;
        if self.running {
            wait = wait.min(self.due.saturating_duration_since(now));
        }
        if dirty {
            wait = wait.min(PUBLISH_EVERY.saturating_sub(published.elapsed()));
        }
        wait
    }

    /// Does what is asked; `None`: it is time to quit.
    fn listen(&mut self, commands: &Receiver<Command>, wait: Duration) -> Option<bool> {
        let first = match commands.recv_timeout(wait) {
            Ok(command) => command,
            Err(RecvTimeoutError::Timeout) => return Some(false),
            Err(RecvTimeoutError::Disconnected) => return None,
        };
        let mut queue = vec![first];
        queue.extend(commands.try_iter().take(500));
        drop_overtaken(&mut queue);
        for command in queue {
            match command {
                Command::Quit => return None,
                Command::LetGo => self.stage.let_go(),
                Command::WantsChanged => {}
                Command::Save(answer) => self.save(answer),
                Command::Ask(request, answer) => {
                    let done = self.obey(request);
                    if let Some(answer) = answer {
                        // Whoever asked may have gone.
                        let _ = answer.send(done);
                    }
                }
            }
        }
        Some(true)
    }

    /// Saves the session in a thread of its own, one at a time.
    fn save(&mut self, answer: oneshot::Sender<Result<Vec<u8>, String>>) {
        let reason = match self.stage.live() {
            _ if self.saving.as_ref().is_some_and(|s| !s.is_finished()) => "somebody is saving it; try again",
            None => "there is no running scene",
            Some(live) => {
                let order = save::Order::new(live, self.source.as_ref());
                // Whoever asked may have gone.
                self.saving = Some(std::thread::spawn(move || drop(answer.send(order.carry_out()))));
                return;
            }
        };
        let _ = answer.send(Err(reason.into()));
    }

    fn obey(&mut self, request: Request) -> Result<(), String> {
        match request {
            Request::Open { scene } => {
                kreisel_scene::find(&scene).map_err(|_| format!("there is no scene called {scene}"))?;
                self.open(Source::Scene(scene)).map_err(|t| t.text)?;
            }
            Request::Close => {
                self.stage.close();
                (self.source, self.running, self.error, self.problem) = (None, false, None, None);
            }
            Request::Run => {
                self.error = None;
                self.running = !self.stage.is_empty();
                self.due = Instant::now();
            }
            Request::Pause => self.running = false,
            Request::Step => {
                self.running = false;
                self.take_step();
            }
            Request::Back => {
                self.running = false;
                self.stage.back()?;
            }
            Request::Seek { frame } => {
                self.running = false;
                self.stage.seek(frame)?;
            }
            Request::Speed { factor } => {
                if !(factor == 0.0 || (0.001..=1000.0).contains(&factor)) {
                    return Err("the speed is a factor between 0.001 and 1000, or 0 for as fast as possible".into());
                }
                self.speed = factor;
                self.due = Instant::now();
            }
            Request::Reset => {
                self.error = None;
                self.stage.reset()?;
                self.due = Instant::now();
            }
            Request::Snapshot => self.stage.snapshot()?,
            Request::Restore { number } => {
                self.running = false;
                self.stage.restore(number)?;
            }
            Request::Act { action } => self.stage.act(action)?,
            Request::Want { .. } | Request::Take | Request::Give | Request::Keep | Request::Ping { .. } => {}
        }
        Ok(())
    }

    /// A frame, and when the next is due.
    fn advance(&mut self) -> bool {
        let interval = self.stage.interval();
        self.take_step();
        let now = Instant::now();
        self.pace.simulated += interval;
        let passed = now.duration_since(self.pace.begin).as_secs_f64();
        if passed > 0.5 {
            self.pace = Pace { begin: now, simulated: 0.0, value: self.pace.simulated / passed };
        }
        let lag = Duration::from_secs_f64(if self.speed > 0.0 { interval / self.speed } else { 0.0 });
        self.due += lag;
        if now.saturating_duration_since(self.due) > LARGEST_LAG || self.speed == 0.0 {
            self.due = now;
        }
        true
    }

    fn take_step(&mut self) {
        match self.stage.step() {
            Ok(true) => {}
            Ok(false) => self.running = false,
            Err(reason) => {
                self.running = false;
                self.error = Some(reason);
            }
        }
    }

    /// Reads the scene file again if it has changed; the old scene goes on if the new one is no good.
    fn look_at_file(&mut self) -> bool {
        let Some(source) = self.source.clone() else { return false };
        let changed = source.changed();
        if changed.is_none() || changed == self.changed {
            return false;
        }
        let running = self.running;
        self.changed = changed;
        match self.open(source) {
            Ok(()) => self.running = running,
            Err(trouble) => self.problem = Some(trouble),
        }
        true
    }

    fn publish(&mut self) {
        let mut status = Status {
            scene: self.source.as_ref().map(Source::name).unwrap_or_default(),
            running: self.running,
            speed: self.speed,
            pace: if self.running { self.pace.value } else { 0.0 },
            error: self.error.clone(),
            problem: self.problem.as_ref().map(|t| t.text.clone()),
            line: self.problem.as_ref().and_then(|t| t.line),
            opened: self.opened,
            ..Status::default()
        };
        self.stage.describe(&mut status);
        let sections = self.stage.encode(self.wants.load(Ordering::Relaxed));
        self.number += 1;
        let snapshot = Snapshot { number: self.number, status: Arc::new(status), sections };
        self.sender.send_replace(snapshot);
    }
}

/// Of several movements of one hand only the last counts.
fn drop_overtaken(queue: &mut Vec<Command>) {
    let mut seen = Vec::new();
    let mut keep: Vec<bool> = Vec::with_capacity(queue.len());
    for command in queue.iter().rev() {
        match command {
            Command::Ask(Request::Act { action: Action::Pull { id, .. } }, None) => {
                keep.push(!seen.contains(id));
                seen.push(*id);
            }
            Command::Ask(Request::Act { .. }, _) => {
                seen.clear();
                keep.push(true);
            }
            _ => keep.push(true),
        }
    }
    keep.reverse();
    let mut flags = keep.into_iter();
    queue.retain(|_| flags.next().unwrap_or(true));
}
