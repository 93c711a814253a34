//! Keys of shapes.

use super::Kind::{Count, Direction, List, Number, Table, Tuple, Vector};
use super::Limits::{Any, Positive};
use super::exact::EXACT_FIELD;
use super::solid::{
    BLEND_FIELD, CAPSULE_FIELD, CONE_FIELD, COW_FIELD, CYLINDER_FIELD, DIFFERENCE_FIELD, ELLIPSOID_FIELD, HOLLOW_FIELD,
    INTERSECTION_FIELD, MESH_FIELD, SPHERE_FIELD, TORUS_FIELD, UNION_FIELD,
};
use super::{REQUIRED, Section, field};
use crate::units::quantity::{AREA, LENGTH, MASS, VELOCITY};

/// Most elements that a list, chain or ring may have.
const MOST_LISTED: u32 = 1_000_000;

/// The matter of a body.
pub static SHAPE: Section = Section {
    name: "shape",
    title: "shape",
    doc: "The matter of a body: exactly one of the shapes; `connections` belong to `elements`.",
    fields: &[
        field(
            "box",
            Vector(&LENGTH, Positive),
            "none",
            "A box with these sides, cut into cells.",
            "shape = { box = [1, 1, \"50 cm\"] }",
        ),
        field(
            "elements",
            List(&Table(&ELEMENT)),
            "none",
            "Elements one by one.",
            "shape = { elements = [{ radius = 0.1 }] }",
        ),
        field(
            "connections",
            List(&Table(&CONNECTION)),
            "none",
            "Connections between the elements.",
            "connections = [{ ends = [0, 1] }]",
        ),
        field(
            "chain",
            Table(&CHAIN),
            "none",
            "Elements in a row, each connected with the next.",
            "shape = { chain = { count = 10, spacing = \"5 cm\", radius = \"2 cm\" } }",
        ),
        field(
            "ring",
            Table(&RING),
            "none",
            "Elements in a circle, each connected with the next.",
            "shape = { ring = { count = 24, size = \"50 cm\", radius = \"2 cm\" } }",
        ),
        field(
            "dumbbell",
            Table(&DUMBBELL),
            "none",
            "Two elements and a connection.",
            "shape = { dumbbell = { length = 1, radius = 0.1 } }",
        ),
        field("ball", Table(&BALL), "none", "A single element.", "shape = { ball = { radius = \"5 cm\" } }"),
        EXACT_FIELD,
        MESH_FIELD,
        SPHERE_FIELD,
        CYLINDER_FIELD,
        CAPSULE_FIELD,
        TORUS_FIELD,
        ELLIPSOID_FIELD,
        CONE_FIELD,
        COW_FIELD,
        UNION_FIELD,
        DIFFERENCE_FIELD,
        INTERSECTION_FIELD,
        BLEND_FIELD,
        HOLLOW_FIELD,
    ],
};

/// An element of a list.
pub static ELEMENT: Section = Section {
    name: "element",
    title: "shape.elements",
    doc: "One element: a point mass with a radius.",
    fields: &[
        field(
            "at",
            Vector(&LENGTH, Any),
            "[0, 0, 0]",
            "Position relative to the body's `at`.",
            "at = [0, 0, \"10 cm\"]",
        ),
        field("radius", Number(&LENGTH, Positive), REQUIRED, "Radius.", "radius = \"2 cm\""),
        field("mass", Number(&MASS, Positive), "a ball of the material", "Mass.", "mass = \"1 kg\""),
        field(
            "velocity",
            Vector(&VELOCITY, Any),
            "[0, 0, 0]",
            "Velocity on top of the body's.",
            "velocity = [0, 1, 0]",
        ),
    ],
};

/// A connection of a list.
pub static CONNECTION: Section = Section {
    name: "connection",
    title: "shape.connections",
    doc: "One connection: a damped spring of stiffness young · section / length.",
    fields: &[
        field(
            "ends",
            Tuple(&[Count(0, MOST_LISTED), Count(0, MOST_LISTED)]),
            REQUIRED,
            "Numbers of its two elements, from 0.",
            "ends = [0, 1]",
        ),
        field(
            "section",
            Number(&AREA, Positive),
            "the disc of the smaller radius",
            "Cross-section.",
            "section = \"1 cm2\"",
        ),
        field(
            "rest_length",
            Number(&LENGTH, Positive),
            "the distance at the start",
            "Length without force.",
            "rest_length = \"10 cm\"",
        ),
    ],
};

/// Elements in a row.
pub static CHAIN: Section = Section {
    name: "chain",
    title: "shape.chain",
    doc: "Elements in a row from the body's `at` on, each connected with the next.",
    fields: &[
        field("count", Count(1, MOST_LISTED), REQUIRED, "How many elements.", "count = 20"),
        field("spacing", Number(&LENGTH, Positive), REQUIRED, "Distance between neighbours.", "spacing = \"5 cm\""),
        field("radius", Number(&LENGTH, Positive), REQUIRED, "Radius of each element.", "radius = \"2 cm\""),
        field("mass", Number(&MASS, Positive), "a ball of the material", "Mass of each element.", "mass = \"50 g\""),
        field(
            "section",
            Number(&AREA, Positive),
            "the disc of the radius",
            "Cross-section of the connections.",
            "section = \"10 mm2\"",
        ),
        field("direction", Direction, "[1, 0, 0]", "Where it leads.", "direction = [0, 0, -1]"),
    ],
};

/// Elements in a circle.
pub static RING: Section = Section {
    name: "ring",
    title: "shape.ring",
    doc: "Elements in a circle around the body's `at`, each connected with the next.",
    fields: &[
        field("count", Count(3, MOST_LISTED), REQUIRED, "How many elements.", "count = 24"),
        field("size", Number(&LENGTH, Positive), REQUIRED, "Radius of the circle.", "size = \"50 cm\""),
        field("radius", Number(&LENGTH, Positive), REQUIRED, "Radius of each element.", "radius = \"2 cm\""),
        field("mass", Number(&MASS, Positive), "a ball of the material", "Mass of each element.", "mass = \"50 g\""),
        field(
            "section",
            Number(&AREA, Positive),
            "the disc of the radius",
            "Cross-section of the connections.",
            "section = \"10 mm2\"",
        ),
        field("axis", Direction, "[0, 0, 1]", "Axis of the circle.", "axis = [0, 1, 0]"),
    ],
};

/// Two elements.
pub static DUMBBELL: Section = Section {
    name: "dumbbell",
    title: "shape.dumbbell",
    doc: "Two elements, half of `length` to either side of the body's `at`, and a connection.",
    fields: &[
        field("length", Number(&LENGTH, Positive), REQUIRED, "Distance of the centres.", "length = \"1 m\""),
        field("radius", Number(&LENGTH, Positive), REQUIRED, "Radius of each element.", "radius = \"10 cm\""),
        field("mass", Number(&MASS, Positive), "a ball of the material", "Mass of each element.", "mass = \"1 kg\""),
        field(
            "section",
            Number(&AREA, Positive),
            "the disc of the radius",
            "Cross-section of the connection.",
            "section = \"1 cm2\"",
        ),
        field("direction", Direction, "[1, 0, 0]", "From the first to the second.", "direction = [0, 1, 0]"),
    ],
};

/// One element.
pub static BALL: Section = Section {
    name: "ball",
    title: "shape.ball",
    doc: "A single element at the body's `at`.",
    fields: &[
        field("radius", Number(&LENGTH, Positive), REQUIRED, "Radius.", "radius = \"5 cm\""),
        field("mass", Number(&MASS, Positive), "of the material", "Mass.", "mass = \"200 g\""),
    ],
};
