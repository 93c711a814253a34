//! How a scene wants to be looked at; it has no influence on the motion.

use glamx::DVec3;
use serde::{Deserialize, Serialize};

/// Camera and colours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// Where the camera stands [m]; `None`: such that everything is seen.
    pub eye: Option<DVec3>,
    /// What it looks at [m]; `None`: the middle of the scene.
    pub target: Option<DVec3>,
    /// Vertical angle of view [rad].
    pub field_of_view: f64,
    /// The body that the camera follows.
    pub follow: Option<String>,
    /// What is drawn of bodies.
    pub show: Show,
    /// What colours mean.
    pub colour: Colour,
}

impl Default for View {
    fn default() -> Self {
        Self {
            eye: None,
            target: None,
            field_of_view: 0.6,
            follow: None,
            show: Show::default(),
            colour: Colour::default(),
        }
    }
}

/// What is drawn of bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Show {
    /// Skins where there are any, else elements.
    #[default]
    Skins,
    /// Elements as balls.
    Elements,
    /// Connections, and elements as small balls.
    Connections,
}

/// What colours mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Colour {
    /// Each body its own.
    #[default]
    Body,
    /// Rigid and soft parts differ.
    Rigid,
    /// Speed [m/s].
    Speed,
    /// Von Mises stress [Pa].
    Stress,
}
