//! Keys of the fixed world.

use super::Kind::{Direction, Number, Table, Text, Vector};
use super::Limits::{Any, Positive, Within};
use super::body::ROTATION_KIND;
use super::material::FRICTION_KIND;
use super::{REQUIRED, Section, field};
use crate::units::quantity::{LENGTH, NUMBER};

/// The ground.
pub static GROUND: Section = Section {
    name: "ground",
    title: "[ground]",
    doc: "The plane normal to gravity at a height.",
    fields: &[
        field(
            "height",
            Number(&LENGTH, Any),
            "0",
            "Height of the surface, against gravity from the origin.",
            "height = \"-1 m\"",
        ),
        field("friction", FRICTION_KIND, "of what touches it", "Friction coefficients.", "friction = 0.6"),
        field(
            "restitution",
            Number(&NUMBER, Within(0.0, 1.0)),
            "of what touches it",
            "Coefficient of restitution.",
            "restitution = 0.3",
        ),
    ],
};

/// A thing of the fixed world.
pub static OBSTACLE: Section = Section {
    name: "obstacle",
    title: "[[obstacle]]",
    doc: "A thing of the fixed world: exactly one of `plane`, `box` and `sphere`.",
    fields: &[
        field("name", Text, "obstacle-1, obstacle-2 …", "Name for messages.", "name = \"ramp\""),
        field(
            "plane",
            Table(&OBSTACLE_PLANE),
            "none",
            "A plane with solid matter behind it.",
            "plane = { normal = [0, 0, 1] }",
        ),
        field("box", Table(&OBSTACLE_BOX), "none", "A box.", "box = { size = [1, 1, 1], at = [0, 0, -0.5] }"),
        field("sphere", Table(&OBSTACLE_SPHERE), "none", "A ball.", "sphere = { radius = 1, at = [0, 0, -1] }"),
        field("friction", FRICTION_KIND, "of what touches it", "Friction coefficients.", "friction = 0.6"),
        field(
            "restitution",
            Number(&NUMBER, Within(0.0, 1.0)),
            "of what touches it",
            "Coefficient of restitution.",
            "restitution = 0.3",
        ),
    ],
};

/// A plane.
pub static OBSTACLE_PLANE: Section = Section {
    name: "plane",
    title: "obstacle.plane",
    doc: "A plane; `offset` or `at`, not both.",
    fields: &[
        field("normal", Direction, REQUIRED, "Points out of the solid matter.", "normal = [0, 0, 1]"),
        field(
            "offset",
            Number(&LENGTH, Any),
            "0",
            "Distance of the surface from the origin along the normal.",
            "offset = \"10 cm\"",
        ),
        field("at", Vector(&LENGTH, Any), "the origin", "A point of the surface.", "at = [0, 0, 1]"),
    ],
};

/// A box.
pub static OBSTACLE_BOX: Section = Section {
    name: "obstacle_box",
    title: "obstacle.box",
    doc: "A box.",
    fields: &[
        field("size", Vector(&LENGTH, Positive), REQUIRED, "Its sides.", "size = [1, 1, \"20 cm\"]"),
        field("at", Vector(&LENGTH, Any), "[0, 0, 0]", "Its centre.", "at = [0, 0, -1]"),
        field(
            "rotation",
            ROTATION_KIND,
            "none",
            "Its orientation.",
            "rotation = { axis = [0, 1, 0], angle = \"30 deg\" }",
        ),
    ],
};

/// A ball.
pub static OBSTACLE_SPHERE: Section = Section {
    name: "obstacle_sphere",
    title: "obstacle.sphere",
    doc: "A ball.",
    fields: &[
        field("radius", Number(&LENGTH, Positive), REQUIRED, "Its radius.", "radius = \"50 cm\""),
        field("at", Vector(&LENGTH, Any), "[0, 0, 0]", "Its centre.", "at = [0, 0, -1]"),
    ],
};
