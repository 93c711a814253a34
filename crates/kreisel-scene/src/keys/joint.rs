//! Keys of joints.

use super::Kind::{BodyName, Direction, Flag, Number, OneOf, Table, Text, Tuple, Vector, Word};
use super::Limits::{Any, NotNegative, Positive, Unbounded, Within};
use super::{Kind, REQUIRED, Section, field};
use crate::units::quantity::{ANGLE, FORCE, LENGTH, NUMBER, SPIN, VELOCITY};

/// The words for kinds of joints.
pub(crate) const JOINTS: &[&str] = &["fixed", "ball", "hinge", "slider", "distance"];

const COORDINATE: Kind = OneOf(&[Number(&LENGTH, Unbounded), Number(&ANGLE, Unbounded)]);

/// A joint.
pub static JOINT: Section = Section {
    name: "joint",
    title: "[[joint]]",
    doc: "Keeps points of two bodies together, under the law `constraint`. Places and axes are those of the start.",
    fields: &[
        field("name", Text, "joint-1, joint-2 …", "Name for reading and commands.", "name = \"elbow\""),
        field(
            "kind",
            Word(JOINTS),
            REQUIRED,
            "What it is: nothing left free (fixed), turning about a point (ball) or an axis (hinge), a shift along an axis (slider), everything but a distance (distance).",
            "kind = \"hinge\"",
        ),
        field("a", BodyName, REQUIRED, "The first body.", "a = \"crank\""),
        field("b", BodyName, "the world", "The second body.", "b = \"rod\""),
        field(
            "at",
            Vector(&LENGTH, Any),
            REQUIRED,
            "Where it is; of a distance: its point of the first body.",
            "at = [0, 0, 1]",
        ),
        field("to", Vector(&LENGTH, Any), "none", "Of a distance: its point of the second body.", "to = [0, 0, 2]"),
        field("axis", Direction, "[0, 0, 1]", "Axis of a hinge or a slider.", "axis = [0, 1, 0]"),
        field(
            "limits",
            Tuple(&[COORDINATE, COORDINATE]),
            "none",
            "Smallest and largest angle, shift or distance. Angles and shifts start at zero, distances at their length; a distance with limits is a rope or a stop.",
            "limits = [\"-30 deg\", \"90 deg\"]",
        ),
        field("motor", Table(&MOTOR), "none", "What drives it.", "motor = { speed = \"60 rpm\" }"),
        field(
            "friction",
            Number(&NUMBER, NotNegative),
            "0",
            "Dry friction along the coordinate: a force [N], or a torque [N m] in a hinge.",
            "friction = 0.5",
        ),
        field(
            "restitution",
            Number(&NUMBER, Within(0.0, 1.0)),
            "0",
            "Coefficient of restitution of its stops, the `limits`: the share of the speed that comes back.",
            "restitution = 0.6",
        ),
        field("break_force", Number(&FORCE, Positive), "none", "It breaks above this force.", "break_force = \"2 kN\""),
        field(
            "break_torque",
            Number(&NUMBER, Positive),
            "none",
            "It breaks above this torque [N m].",
            "break_torque = 50",
        ),
        field("collide", Flag, "false", "True: the two bodies also touch each other.", "collide = true"),
    ],
};

/// A motor.
pub static MOTOR: Section = Section {
    name: "motor",
    title: "joint.motor",
    doc: "What drives a joint along its coordinate: one of `position`, `speed` and `force`. Forces are torques [N m] in hinges.",
    fields: &[
        field(
            "position",
            OneOf(&[Number(&LENGTH, Any), Number(&ANGLE, Any)]),
            "none",
            "Where a damped spring holds it.",
            "motor = { position = \"45 deg\", stiffness = 100, damping = 5 }",
        ),
        field(
            "stiffness",
            Number(&NUMBER, NotNegative),
            "0",
            "Stiffness of that spring [N/m, or N m/rad].",
            "stiffness = 100",
        ),
        field(
            "damping",
            Number(&NUMBER, NotNegative),
            "0",
            "Damping of that spring [N s/m, or N m s/rad].",
            "damping = 5",
        ),
        field(
            "speed",
            OneOf(&[Number(&VELOCITY, Any), Number(&SPIN, Any)]),
            "none",
            "The speed that it keeps.",
            "motor = { speed = \"60 rpm\", most = 20 }",
        ),
        field(
            "force",
            Number(&NUMBER, Any),
            "none",
            "The force [N] or torque [N m] that it pushes with.",
            "motor = { force = 3 }",
        ),
        field(
            "most",
            Number(&NUMBER, NotNegative),
            "as much as it takes",
            "The largest force [N] or torque [N m] for position and speed.",
            "most = 20",
        ),
    ],
};
