//! The header: all that is needed to show, replay and resume a recording with nothing else at hand.

use kreisel::model::Model;
use serde::{Deserialize, Serialize};

/// What does not change during a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Name of the scene, or path it was read from.
    pub scene: String,
    /// The scene file itself: a recording can be resumed and replayed alone.
    pub scene_text: String,
    /// Overrides `path=value` given with the scene.
    pub overrides: Vec<String>,
    /// One line for people.
    pub title: String,
    /// Version of the engine that made the run.
    pub engine_version: String,
    /// Time between frames [s].
    pub frame_interval: f64,
    /// Radius of each element [m].
    pub radii: Vec<f32>,
    /// Body of each element: an index into `body_names`.
    pub bodies: Vec<u32>,
    /// Names of the bodies.
    pub body_names: Vec<String>,
    /// Number of connections.
    pub connections: u64,
    /// Column names of the probes, without `time`.
    pub probe_columns: Vec<String>,
}

impl Header {
    /// The header of a run of `model`, made from the scene file `scene_text`.
    pub fn new(scene: &str, scene_text: &str, overrides: &[String], model: &Model, probe_columns: Vec<String>) -> Self {
        Self {
            scene: scene.into(),
            scene_text: scene_text.into(),
            overrides: overrides.to_vec(),
            title: model.title.clone(),
            engine_version: env!("CARGO_PKG_VERSION").into(),
            frame_interval: model.frame,
            radii: model.elements.radius.iter().map(|&r| r as f32).collect(),
            bodies: model.elements.body.iter().map(|b| b.0).collect(),
            body_names: model.bodies.iter().map(|b| b.name.clone()).collect(),
            connections: model.connections.len() as u64,
            probe_columns,
        }
    }

    /// Number of elements.
    pub fn elements(&self) -> usize {
        self.radii.len()
    }

    /// What is wrong with a header that was read.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        if self.bodies.len() != self.radii.len() {
            return Some("it has not one body per element");
        }
        let nameless = |&b: &u32| b as usize >= self.body_names.len();
        self.bodies.iter().any(nameless).then_some("an element belongs to a body without a name")
    }
}
