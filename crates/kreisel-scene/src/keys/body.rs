//! Keys of bodies, shapes and materials.

use super::Kind::{
    Count, Direction, Flag, List, Map, Material, Number, OneOf, Region, Table, Text, Tuple, Vector, Word,
};
use super::Limits::{Any, NotNegative, Positive, Within};
use super::material::FRICTION_KIND;
use super::{COPIES, Kind, REQUIRED, SHAPE, Section, field};
use crate::units::quantity::{ANGLE, INERTIA, LENGTH, MASS, NUMBER, SPIN, VELOCITY};

/// Most cells across the thinnest side.
pub(crate) const MOST_CELLS: u32 = 10_000;

/// Orientation: axis and angle, or a quaternion.
pub(super) const ROTATION_KIND: Kind = OneOf(&[
    Table(&ROTATION),
    Tuple(&[Number(&NUMBER, Any), Number(&NUMBER, Any), Number(&NUMBER, Any), Number(&NUMBER, Any)]),
]);

const RIGID: Kind = OneOf(&[Flag, Word(&["automatic", "quasi-static"]), Region, List(&Region)]);
const ROW: Kind = Tuple(&[Number(&INERTIA, Any), Number(&INERTIA, Any), Number(&INERTIA, Any)]);

/// A body.
pub static BODY: Section = Section {
    name: "body",
    title: "[[body]]",
    doc: "A body: matter with a name. Regions inside a body mean elements of that body, in world coordinates at the start.",
    fields: &[
        field("name", Text, "body-1, body-2 …", "Its name, unique in the scene.", "name = \"beam\""),
        field(
            "shape",
            OneOf(&[Table(&SHAPE), Word(&["cow"])]),
            REQUIRED,
            "Its matter.",
            "shape = { box = [\"4 m\", \"0.4 m\", \"0.2 m\"] }",
        ),
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
        field(
            "cells",
            Count(1, MOST_CELLS),
            "4 for a box, else 12",
            "Cells across the thinnest side of a box, or of the box around a solid.",
            "cells = 4",
        ),
        field("cell", Number(&LENGTH, Positive), "from `cells`", "Side of a solid's cells.", "cell = \"5 cm\""),
        field(
            "elements",
            Count(8, 20_000_000),
            "from `cells`",
            "About how many elements a solid shall have.",
            "elements = 20000",
        ),
        field(
            "inlays",
            List(&Table(&INLAY)),
            "none",
            "Regions that are made of something else; where several overlap, the last counts.",
            "inlays = [{ where = { x = { above = 0 } }, material = \"bone\" }]",
        ),
        field(
            "rigid",
            RIGID,
            "false",
            "Rigid as a whole, in a region, in several regions (each a part of its own), or by itself while it does not deform (\"automatic\"). \"quasi-static\": rigid as a whole, and its deformation and stress under the loads of the moment are solved for each frame.",
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
        field(
            "centre",
            Vector(&LENGTH, Any),
            "that of its shapes",
            "Centre of mass of an exact body in its own axes.",
            "centre = [0, 0, \"-2 mm\"]",
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
        field(
            "rolling_friction",
            Number(&LENGTH, NotNegative),
            "of the material",
            "Torque over push at most that resists rolling of exact bodies; of two that touch, the larger counts.",
            "rolling_friction = \"1 mm\"",
        ),
        field(
            "torsional_friction",
            Number(&LENGTH, NotNegative),
            "of the material",
            "Torque over push at most that resists spinning of exact bodies about the contact's normal; where they touch with a `contact_radius`, that counts instead.",
            "torsional_friction = \"0.5 mm\"",
        ),
        field(
            "contact_radius",
            Number(&LENGTH, NotNegative),
            "of the material",
            "Radius of the contact patch: slip and spin of exact bodies share one friction cone (Coulomb–Contensou).",
            "contact_radius = \"1 mm\"",
        ),
        field(
            "copies",
            Table(&COPIES),
            "none",
            "Copies of this body instead of it.",
            "copies = { count = 20, pitch = [0, 0, 1] }",
        ),
        field("contact", Flag, "true", "False: nothing touches this body.", "contact = false"),
        field("group", Text, "none", "A name that `apart` may use for several bodies.", "group = \"gears\""),
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

/// A region of another material.
pub static INLAY: Section = Section {
    name: "inlay",
    title: "body.inlays",
    doc: "A region of a box or solid that is made of something else.",
    fields: &[
        field(
            "where",
            Region,
            REQUIRED,
            "Which cells: those whose middle lies in it.",
            "where = { x = { above = 0 } }",
        ),
        field("material", Material, REQUIRED, "What it is made of.", "material = \"bone\""),
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
