//! Where a scene comes from: by name, from a file that is watched, or a recording.

use crate::session::history::Entry;
use kreisel::build::BuildError;
use kreisel_record::{RECORDING, Recording};
use kreisel_scene::Scene;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What is to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A scene that comes with Kreisel.
    Scene(String),
    /// A scene file.
    File(PathBuf),
    /// A recording.
    Recording(PathBuf),
    /// What was done in a recorded session, live again.
    Session(PathBuf),
}

/// Why something cannot be shown, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// What is wrong, with line and mark where there is one.
    pub text: String,
    /// Line of the scene file, from 1.
    pub line: Option<usize>,
}

impl From<kreisel_scene::SceneError> for Trouble {
    fn from(error: kreisel_scene::SceneError) -> Self {
        Self { line: error.problems.first().map(|p| p.line), text: error.to_string() }
    }
}

impl From<String> for Trouble {
    fn from(text: String) -> Self {
        Self { text, line: None }
    }
}

impl Source {
    /// What a word on the command line means.
    pub fn of_word(word: &str) -> Result<Self, String> {
        if kreisel_scene::find(word).is_ok() {
            return Ok(Self::Scene(word.into()));
        }
        let path = PathBuf::from(word);
        let inside = path.join(RECORDING);
        if inside.is_file() {
            return Ok(Self::Recording(inside));
        }
        if is_recording(&path) {
            return Ok(Self::Recording(path));
        }
        if path.is_file() {
            return Ok(Self::File(path));
        }
        let help = kreisel_scene::find(word).err().and_then(|e| e.problems.into_iter().find_map(|p| p.help));
        Err(format!("there is neither a scene nor a file called `{word}`; {}", help.unwrap_or_default()))
    }

    /// How it is called.
    pub fn name(&self) -> String {
        match self {
            Self::Scene(name) => name.clone(),
            Self::File(path) | Self::Recording(path) | Self::Session(path) => path.display().to_string(),
        }
    }

    /// Reads the scene.
    pub fn read(&self) -> Result<Scene, Trouble> {
        match self {
            Self::Scene(name) => Ok(kreisel_scene::read(name, kreisel_scene::find(name)?.text)?),
            Self::File(path) => {
                let text = kreisel_scene::load_text(path)?;
                Ok(kreisel_scene::read(&path.display().to_string(), &text)?)
            }
            Self::Recording(path) | Self::Session(path) => {
                let recording = Recording::open(path).map_err(|e| e.to_string())?;
                let header = recording.header();
                Ok(kreisel_scene::read_with_overrides(&header.scene, &header.scene_text, &header.overrides)?)
            }
        }
    }

    /// What was done in a recorded session.
    pub fn journal(&self) -> Vec<Entry> {
        let Self::Session(path) = self else { return Vec::new() };
        let read = Recording::open(path).ok().and_then(|mut r| r.journal().ok().flatten());
        read.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }

    /// When its file was changed last.
    pub fn changed(&self) -> Option<SystemTime> {
        let Self::File(path) = self else { return None };
        std::fs::metadata(path).and_then(|m| m.modified()).ok()
    }
}

/// A complaint of the engine, at the line of the scene that it is about.
pub fn at_its_line(scene: &Scene, error: &BuildError) -> Trouble {
    scene.source.error_at(&error.path, error.message.clone(), Some(error.help.clone())).into()
}

fn is_recording(path: &Path) -> bool {
    let mut mark = [0; 8];
    path.is_file()
        && std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut mark)).is_ok()
        && mark == *b"KREISEL\0"
}
