//! The gallery: all scenes that come with Kreisel, each with a picture that is drawn when somebody looks.

use kreisel::Simulation;
use kreisel_record::{FrameInput, Header, Recorder, Recording};
use kreisel_render::{Look, Stage};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// Size of a picture [pixels].
const SIZE: (usize, usize) = (360, 240);
/// A picture shows the moment that is reached within this time.
const PATIENCE: Duration = Duration::from_millis(150);
/// Frames that are run for a picture at most.
const MOST_FRAMES: usize = 45;

/// Pictures that have been drawn.
#[derive(Debug, Default)]
pub struct Gallery {
    pictures: Mutex<BTreeMap<String, Arc<[u8]>>>,
}

/// Names, titles and what the first lines of comment say.
pub fn list() -> String {
    let entry = |scene: &kreisel_scene::EmbeddedScene| {
        // Reading a scene builds its solids; its title is all that is wanted here.
        let written =
            |line: &'static str| line.strip_prefix("title")?.trim_start().strip_prefix('=')?.trim().strip_prefix('"');
        let title = scene.text.lines().find_map(written).and_then(|t| t.rsplit_once('"')).map_or(scene.name, |t| t.0);
        let comment = |line: &'static str| line.strip_prefix('#').map(str::trim);
        let about: Vec<&str> = scene.text.lines().take_while(|l| l.starts_with('#')).filter_map(comment).collect();
        json!({ "name": scene.name, "title": title, "about": about.join(" ") })
    };
    json!(kreisel_scene::scenes().iter().map(entry).collect::<Vec<_>>()).to_string()
}

impl Gallery {
    /// The picture of a scene, one drawn at a time.
    ///
    /// While a scene is on (`is_busy`), none are drawn: they would take its time. Nobody waits for that either, since
    /// browsers have few lines to one server.
    pub async fn picture(&self, name: &str, is_busy: impl Fn() -> bool) -> Picture {
        let Some(scene) = name.strip_suffix(".png").and_then(|n| kreisel_scene::find(n).ok()) else {
            return Picture::Unknown;
        };
        let mut pictures = self.pictures.lock().await;
        if let Some(bytes) = pictures.get(scene.name) {
            return Picture::Drawn(bytes.clone());
        }
        if is_busy() {
            return Picture::Later;
        }
        let Ok(Some(drawn)) = tokio::task::spawn_blocking(|| draw(scene)).await else { return Picture::Unknown };
        let bytes: Arc<[u8]> = drawn.into();
        pictures.insert(scene.name.into(), bytes.clone());
        Picture::Drawn(bytes)
    }
}

/// What becomes of the wish for a picture.
#[derive(Clone, Debug)]
pub enum Picture {
    /// Here it is.
    Drawn(Arc<[u8]>),
    /// Not now: ask again.
    Later,
    /// There is none.
    Unknown,
}

/// Runs a scene for a moment and draws it.
fn draw(scene: &kreisel_scene::EmbeddedScene) -> Option<Vec<u8>> {
    let setup = kreisel_scene::read(scene.name, scene.text).ok()?.setup;
    let mut sim = Simulation::new(&setup).ok()?;
    let begin = Instant::now();
    let frames = ((0.4 * setup.duration / setup.frame) as usize).min(MOST_FRAMES);
    for _ in 0..frames {
        if begin.elapsed() > PATIENCE || sim.step().is_err() {
            break;
        }
    }
    let directory = tempfile::tempdir().ok()?;
    let path = directory.path().join("picture.kreisel");
    let header = Header::new(scene.name, "", &[], sim.model(), Vec::new());
    let mut recorder = Recorder::create(&path, header).ok()?;
    recorder.model(sim.model()).ok()?;
    let input = FrameInput::of(sim.state());
    recorder.frame(&input).ok()?;
    recorder.finish(sim.state()).ok()?;
    let mut recording = Recording::open(&path).ok()?;
    let look = Look { size: SIZE, captions: false, ..Look::default() };
    let stage = Stage::new(&mut recording, look).ok()?;
    let picture = stage.picture(&recording.frame(0).ok()?);
    let file = directory.path().join("picture.png");
    picture.write_png(&file).ok()?;
    std::fs::read(&file).ok()
}
