//! Keys of bodies, shapes and materials.

use super::Kind::{
    Count, Direction, Flag, List, Map, Material, Number, OneOf, Region, Table, Text, Tuple, Vector, Word,
};
use super::Limits::{Any, Positive, Within};
use super::scene::FRICTION_KIND;
use super::{Kind, REQUIRED, Section, field};
use crate::units::quantity::{
    ANGLE, AREA, DENSITY, INERTIA, LENGTH, MASS, NUMBER, PRESSURE, SPIN, SURFACE_ENERGY, VELOCITY,
};

/// Most elements that a list, chain or ring may have.
pub(crate) const MOST_LISTED: u32 = 1_000_000;
/// Most cells across the thinnest side.
pub(crate) const MOST_CELLS: u32 = 10_000;

/// Orientation: axis and angle, or a quaternion.
pub(super) const ROTATION_KIND: Kind = OneOf(&[
    Table(&ROTATION),
    Tuple(&[Number(&NUMBER, Any), Number(&NUMBER, Any), Number(&NUMBER, Any), Number(&NUMBER, Any)]),
]);

const RIGID: Kind = OneOf(&[Flag, Word(&["automatic"]), Region, List(&Region)]);
const ROW: Kind = Tuple(&[Number(&INERTIA, Any), Number(&INERTIA, Any), Number(&INERTIA, Any)]);

/// A body.
pub static BODY: Section = Section {
    name: "body",
    title: "[[body]]",
    doc: "A body: matter with a name. Regions inside a body mean elements of that body, in world coordinates at the start.",
    fields: &[
        field("name", Text, "body-1, body-2 …", "Its name, unique in the scene.", "name = \"beam\""),
        field("shape", Table(&SHAPE), REQUIRED, "Its matter.", "shape = { box = [\"4 m\", \"0.4 m\", \"0.2 m\"] }"),
        field(
            "at",
            Vector(&LENGTH, Any),
            "[0, 0, 0]",
            "Where its centre is (of a box), or the origin of its list of elements.",
            "at = [0, 0, \"1.1 m\"]",
        ),
        field(
            "rotation",
            ROTATION_KIND,
            "none",
            "Its orientation: axis and angle, or a quaternion [w, x, y, z].",
            "rotation = { axis = [0, 1, 0], angle = \"30 deg\" }",
        ),
        field("material", Material, "a soft rubber", "What it is made of.", "material = \"oak\""),
        field("cells", Count(1, MOST_CELLS), "4", "Cells of a box across its thinnest side.", "cells = 4"),
        field(
            "rigid",
            RIGID,
            "false",
            "Rigid as a whole, in a region, in several regions (each a part of its own), or by itself while it does not deform.",
            "rigid = { x = { above = 0 } }",
        ),
        field(
            "velocity",
            Vector(&VELOCITY, Any),
            "[0, 0, 0]",
            "Velocity of its centre of mass.",
            "velocity = [\"3 m/s\", 0, 0]",
        ),
        field(
            "spin",
            Vector(&SPIN, Any),
            "[0, 0, 0]",
            "Angular velocity about its centre of mass, world axes.",
            "spin = [0, 0, \"60 rpm\"]",
        ),
        field("mass", Number(&MASS, Positive), "density times volume", "Its total mass.", "mass = \"12 kg\""),
        field(
            "inertia",
            OneOf(&[Vector(&INERTIA, Positive), Tuple(&[ROW, ROW, ROW])]),
            "from its elements",
            "Inertia about its centre of mass in its own axes, for a body that is rigid as a whole: three moments, or a symmetric 3×3 matrix.",
            "inertia = [0.1, 0.2, 0.25]",
        ),
        field(
            "friction",
            FRICTION_KIND,
            "of the material",
            "Friction coefficients.",
            "friction = { static = 0.5, dynamic = 0.4 }",
        ),
        field(
            "restitution",
            Number(&NUMBER, Within(0.0, 1.0)),
            "of the material",
            "Coefficient of restitution.",
            "restitution = 0.8",
        ),
        field("contact", Flag, "true", "False: nothing touches this body.", "contact = false"),
        field(
            "fix",
            Region,
            "nothing",
            "Elements that are held in place; short for a `[[fix]]`.",
            "fix = { x = { below = \"-2 m\" } }",
        ),
        field(
            "split",
            Map(&Region),
            "none",
            "Parts that get a name as bodies of their own; the motion stays the same.",
            "split = { left = { x = { below = 0 } } }",
        ),
    ],
};

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

/// An orientation.
pub static ROTATION: Section = Section {
    name: "rotation",
    title: "rotation",
    doc: "A rotation by an angle about an axis, right-handed.",
    fields: &[
        field("axis", Direction, REQUIRED, "The axis.", "axis = [0, 1, 0]"),
        field("angle", Number(&ANGLE, Any), REQUIRED, "The angle.", "angle = \"30 deg\""),
    ],
};

/// A material.
pub static MATERIAL: Section = Section {
    name: "material",
    title: "[material.NAME]",
    doc: "A material by its engineering constants; what is not written comes from the material it is `like`. Spring \
          constants are derived from these. Named materials have a Poisson's ratio of 1/4 unless `poisson` is written, \
          because 1/4 is what central springs give by themselves and anything else costs time.",
    fields: &[
        field(
            "like",
            Text,
            "the library's of the same name, or a soft rubber",
            "The material it resembles.",
            "like = \"gel\"",
        ),
        field("young", Number(&PRESSURE, Positive), "of `like`", "Young's modulus.", "young = \"200 kPa\""),
        field("poisson", Number(&NUMBER, Within(0.0, 0.499)), "0.25", "Poisson's ratio.", "poisson = 0.45"),
        field("density", Number(&DENSITY, Positive), "of `like`", "Density.", "density = \"1050 kg/m3\""),
        field(
            "fracture_energy",
            Number(&SURFACE_ENERGY, Positive),
            "of `like`",
            "Work per area of crack: fracture that does not depend on the resolution.",
            "fracture_energy = \"200 J/m2\"",
        ),
        field(
            "strength",
            Number(&PRESSURE, Positive),
            "none",
            "Tensile strength along a lattice axis; instead of `fracture_energy`.",
            "strength = \"40 MPa\"",
        ),
        field(
            "fracture_strain",
            Number(&NUMBER, Positive),
            "none",
            "Strain at which a connection breaks; instead of `fracture_energy`.",
            "fracture_strain = 0.05",
        ),
        field("breaks", Flag, "true", "False: it never breaks.", "breaks = false"),
        field(
            "damping",
            Number(&NUMBER, Within(0.0, 10.0)),
            "of `like`",
            "Damping ratio of the slowest longitudinal vibration.",
            "damping = 0.02",
        ),
        field("friction", FRICTION_KIND, "of `like`", "Both friction coefficients.", "friction = 0.4"),
        field(
            "static_friction",
            Number(&NUMBER, Within(0.0, 10.0)),
            "of `like`",
            "Coefficient of static friction.",
            "static_friction = 0.5",
        ),
        field(
            "dynamic_friction",
            Number(&NUMBER, Within(0.0, 10.0)),
            "of `like`",
            "Coefficient of dynamic friction.",
            "dynamic_friction = 0.4",
        ),
        field(
            "restitution",
            Number(&NUMBER, Within(0.0, 1.0)),
            "of `like`",
            "Coefficient of restitution.",
            "restitution = 0.6",
        ),
    ],
};

/// Friction coefficients.
pub static FRICTION: Section = Section {
    name: "friction",
    title: "friction",
    doc: "Static and dynamic friction apart; a single number means both. The dynamic one cannot be the larger.",
    fields: &[
        field(
            "static",
            Number(&NUMBER, Within(0.0, 10.0)),
            REQUIRED,
            "Coefficient of static friction.",
            "friction = { static = 0.5, dynamic = 0.4 }",
        ),
        field(
            "dynamic",
            Number(&NUMBER, Within(0.0, 10.0)),
            "as `static`",
            "Coefficient of dynamic friction.",
            "friction = { static = 0.5, dynamic = 0.4 }",
        ),
    ],
};
