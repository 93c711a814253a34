//! Keys of how a scene wants to be looked at.

use super::Kind::{BodyName, Number, Vector, Word};
use super::Limits::{Any, Within};
use super::{Section, field};
use crate::units::quantity::{ANGLE, LENGTH};

/// The words for what is drawn of bodies.
const SHOWN: &[&str] = &["skins", "elements", "connections"];
/// The words for what colours mean.
const COLOURS: &[&str] = &["body", "rigid", "speed", "stress"];

/// How a scene wants to be looked at.
pub static VIEW: Section = Section {
    name: "view",
    title: "[view]",
    doc: "Camera and colours for pictures; no influence on the motion.",
    fields: &[
        field("eye", Vector(&LENGTH, Any), "so that all is seen", "Where the camera stands.", "eye = [3, -8, 2]"),
        field("target", Vector(&LENGTH, Any), "the middle of the scene", "What it looks at.", "target = [0, 0, 1]"),
        field("angle", Number(&ANGLE, Within(0.01, 2.5)), "34 deg", "Vertical angle of view.", "angle = \"30 deg\""),
        field("follow", BodyName, "nothing", "The body that the camera follows.", "follow = \"cow\""),
        field("show", Word(SHOWN), "\"skins\"", "What is drawn of bodies.", "show = \"elements\""),
        field("colour", Word(COLOURS), "\"body\"", "What colours mean.", "colour = \"rigid\""),
    ],
};
