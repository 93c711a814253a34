//! A live session as a recording: replayed from its start, with everything that was done as an entry.

use crate::session::history::Entry;
use crate::session::live::Live;
use crate::session::measure::Measures;
use crate::session::source::Source;
use crate::session::touching::strongest;
use kreisel::DVec3;
use kreisel::model::{Model, Setup};
use kreisel::readout::probe::{Probes, column_names, reads_forces};
use kreisel_record::{ContactForce, FrameInput, Header, Recorder};
use std::sync::{Arc, Mutex};

/// Frames that are replayed at most.
const MOST_FRAMES: u64 = 20_000;
/// Nobody goes back in what is recorded: two keyframes do [bytes].
const HISTORY: usize = 0;
/// Contact forces of a frame that are recorded.
const MOST_CONTACTS: usize = 500;

/// What must stay the same within a recording.
type Form = (usize, usize, Vec<String>);

fn form_of(model: &Model) -> Form {
    (model.elements.len(), model.connections.len(), model.bodies.iter().map(|b| b.name.clone()).collect())
}

/// What is to be replayed, and how far.
#[derive(Debug)]
pub struct Order {
    scene: String,
    text: String,
    setup: Option<Setup>,
    journal: Vec<Entry>,
    frames: u64,
}

impl Order {
    /// What has been seen so far.
    pub fn new(live: &Live, source: Option<&Source>) -> Self {
        let scene = source.and_then(|s| s.read().ok());
        Self {
            scene: source.map(Source::name).unwrap_or_default(),
            text: scene.as_ref().map(|s| s.source.text.clone()).unwrap_or_default(),
            setup: scene.map(|s| s.setup),
            journal: live.history.journal().to_vec(),
            frames: live.frame.min(MOST_FRAMES),
        }
    }

    /// Replays and records; the bytes of the recording. Frames begin after the last change of what there is.
    pub fn carry_out(self) -> Result<Vec<u8>, String> {
        let setup = self.setup.ok_or("the scene file cannot be read any more")?;
        let measures = Arc::new(Mutex::new(Measures::default()));
        let mut live = Live::new(setup, HISTORY, measures).map_err(|e| e.message)?;
        let journal = serde_json::to_vec(&self.journal).map_err(|e| e.to_string())?;
        live.rehearse(self.journal);
        let directory = tempfile::tempdir().map_err(|e| e.to_string())?;
        let path = directory.path().join("session.kreisel");
        let mut writing: Option<(Form, Recorder, Probes)> = None;
        loop {
            let model = live.world.model.clone();
            if writing.as_ref().is_none_or(|(form, ..)| *form != form_of(&model)) {
                let header = Header::new(&self.scene, &self.text, &[], &model, column_names(&model));
                let mut recorder = Recorder::create(&path, header).map_err(|e| e.to_string())?;
                recorder.model(&model).map_err(|e| e.to_string())?;
                recorder.journal(&journal).map_err(|e| e.to_string())?;
                writing = Some((form_of(&model), recorder, Probes::new(&model)));
            }
            let Some((_, recorder, probes)) = &mut writing else { break };
            let forces = if reads_forces(&model) { live.world.forces() } else { Default::default() };
            let deformed = live.deformed();
            let seen = deformed.as_ref().map_or(&live.world.state, |d| &d.state);
            let probes = probes.read(&model, seen, &forces);
            let contacts = strongest(live.touching().to_vec(), MOST_CONTACTS).into_iter();
            let pushing = contacts.filter(|c| c.force != DVec3::ZERO);
            let contacts: Vec<_> = pushing.map(|c| ContactForce { point: c.point, force: c.force }).collect();
            let (state, events) = (&live.world.state, &live.report.events);
            let displacement = deformed.as_ref().map(|d| &d.displacement);
            let input = FrameInput { state, events, probes: &probes, contact_forces: &contacts, displacement };
            recorder.frame(&input).map_err(|e| e.to_string())?;
            if live.frame >= self.frames {
                break;
            }
            live.step()?;
        }
        let (_, recorder, _) = writing.ok_or("there is nothing to record")?;
        recorder.finish(&live.world.state).map_err(|e| e.to_string())?;
        std::fs::read(&path).map_err(|e| e.to_string())
    }
}
