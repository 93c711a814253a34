//! Keys of solids: primitives, what they are combined to, and meshes.

use super::Kind::{Flag, List, Number, OneOf, Solid, Table, Text, Vector, Word};
use super::Limits::{Any, NotNegative, Positive};
use super::body::ROTATION_KIND;
use super::{Field, Kind, REQUIRED, Section, field};
use crate::units::quantity::{LENGTH, NUMBER};

/// The units that a mesh file may be in, and their size [m].
pub(crate) const MESH_UNITS: [(&str, f64); 6] =
    [("m", 1.0), ("dm", 0.1), ("cm", 0.01), ("mm", 0.001), ("in", 0.0254), ("ft", 0.3048)];
const MESH_UNIT_WORDS: &[&str] = &["m", "dm", "cm", "mm", "in", "ft"];

/// The words for solids, which a body's shape and a part of a solid share.
pub(crate) const SOLIDS: [&str; 12] = [
    "sphere",
    "cylinder",
    "capsule",
    "torus",
    "ellipsoid",
    "cone",
    "cow",
    "union",
    "difference",
    "intersection",
    "blend",
    "hollow",
];

const PARTS: Kind = List(&Solid);
static FILE_OR_TABLE: [Kind; 2] = [Text, Table(&MESH)];
static FILE_OR_EXACT_TABLE: [Kind; 2] = [Text, Table(&EXACT_MESH)];

pub(super) const SPHERE_FIELD: Field =
    field("sphere", Table(&SPHERE), "none", "A ball of many cells.", "sphere = { radius = \"20 cm\" }");
pub(super) const CYLINDER_FIELD: Field = field(
    "cylinder",
    Table(&CYLINDER),
    "none",
    "A cylinder along z.",
    "cylinder = { radius = \"10 cm\", height = \"30 cm\" }",
);
pub(super) const CAPSULE_FIELD: Field = field(
    "capsule",
    Table(&CAPSULE),
    "none",
    "A cylinder along z with round ends; `height` includes them.",
    "capsule = { radius = \"10 cm\", height = \"30 cm\" }",
);
pub(super) const TORUS_FIELD: Field =
    field("torus", Table(&TORUS), "none", "A ring around z.", "torus = { radius = \"30 cm\", thickness = \"10 cm\" }");
pub(super) const ELLIPSOID_FIELD: Field = field(
    "ellipsoid",
    Vector(&LENGTH, Positive),
    "none",
    "An ellipsoid with these half axes.",
    "ellipsoid = [\"30 cm\", \"20 cm\", \"10 cm\"]",
);
pub(super) const CONE_FIELD: Field =
    field("cone", Table(&CONE), "none", "A cone along z.", "cone = { radius = \"20 cm\", height = \"40 cm\" }");
pub(super) const COW_FIELD: Field = field(
    "cow",
    Table(&COW),
    "none",
    "A cow, feet at z = 0, facing +x; `shape = \"cow\"` is one of 600 kg if it is as dense as water.",
    "cow = { length = \"2 m\" }",
);
pub(super) const UNION_FIELD: Field = field(
    "union",
    PARTS,
    "none",
    "All of these together.",
    "union = [{ box = [1, 1, 1] }, { sphere = { radius = 0.5 }, at = [0, 0, 0.5] }]",
);
pub(super) const DIFFERENCE_FIELD: Field = field(
    "difference",
    PARTS,
    "none",
    "The first without the others.",
    "difference = [{ box = [1, 1, 1] }, { cylinder = { radius = 0.2, height = 2 } }]",
);
pub(super) const INTERSECTION_FIELD: Field = field(
    "intersection",
    PARTS,
    "none",
    "What all of these have in common.",
    "intersection = [{ box = [1, 1, 1] }, { sphere = { radius = 0.6 } }]",
);
pub(super) const BLEND_FIELD: Field = field(
    "blend",
    Table(&BLEND),
    "none",
    "All of these together with rounded seams.",
    "blend = { radius = \"5 cm\", parts = [{ sphere = { radius = 0.2 } }, { sphere = { radius = 0.1 }, at = [0.2, 0, 0] }] }",
);
pub(super) const HOLLOW_FIELD: Field = field(
    "hollow",
    Table(&HOLLOW),
    "none",
    "A wall along the inside of a solid.",
    "hollow = { wall = \"4 cm\", solid = { sphere = { radius = \"20 cm\" } } }",
);
pub(super) const MESH_FIELD: Field = field(
    "mesh",
    OneOf(&FILE_OR_TABLE),
    "none",
    "The inside of a closed surface in an OBJ, STL, PLY, glTF or GLB file; its path is relative to the scene file.",
    "mesh = \"part.stl\"",
);
pub(super) const EXACT_MESH_FIELD: Field = field(
    "mesh",
    OneOf(&FILE_OR_EXACT_TABLE),
    "none",
    "The inside of a closed surface, or an open sheet, in an OBJ, STL, PLY, glTF or GLB file; its path is relative to the scene file.",
    "mesh = \"part.stl\"",
);
pub(super) const HULL_FIELD: Field = field(
    "hull",
    OneOf(&FILE_OR_TABLE),
    "none",
    "The convex hull of the surface in an OBJ, STL, PLY, glTF or GLB file; its path is relative to the scene file.",
    "hull = \"rock.obj\"",
);

/// A part of a solid.
pub static SOLID: Section = Section {
    name: "solid",
    title: "solid",
    doc: "A solid inside another: exactly one of the shapes, and where it is.",
    fields: &[
        field("box", Vector(&LENGTH, Positive), "none", "A box with these sides.", "box = [1, 1, \"50 cm\"]"),
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
        field("at", Vector(&LENGTH, Any), "[0, 0, 0]", "Where its centre is.", "at = [0, 0, \"20 cm\"]"),
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
pub static SPHERE: Section = Section {
    name: "sphere",
    title: "shape.sphere",
    doc: "A ball around the body's `at`.",
    fields: &[field("radius", Number(&LENGTH, Positive), REQUIRED, "Its radius.", "radius = \"20 cm\"")],
};

/// A cylinder.
pub static CYLINDER: Section = Section {
    name: "cylinder",
    title: "shape.cylinder",
    doc: "A cylinder along z around the body's `at`.",
    fields: &[
        field("radius", Number(&LENGTH, Positive), REQUIRED, "Its radius.", "radius = \"10 cm\""),
        field("height", Number(&LENGTH, Positive), REQUIRED, "Its height.", "height = \"30 cm\""),
    ],
};

/// A capsule.
pub static CAPSULE: Section = Section {
    name: "capsule",
    title: "shape.capsule",
    doc: "A cylinder along z with round ends around the body's `at`.",
    fields: &[
        field("radius", Number(&LENGTH, Positive), REQUIRED, "Its radius.", "radius = \"10 cm\""),
        field(
            "height",
            Number(&LENGTH, Positive),
            REQUIRED,
            "Its height with the round ends, two radii at least.",
            "height = \"30 cm\"",
        ),
    ],
};

/// A torus.
pub static TORUS: Section = Section {
    name: "torus",
    title: "shape.torus",
    doc: "A ring around z.",
    fields: &[
        field(
            "radius",
            Number(&LENGTH, Positive),
            REQUIRED,
            "From the centre to the middle of the tube.",
            "radius = \"30 cm\"",
        ),
        field("thickness", Number(&LENGTH, Positive), REQUIRED, "Diameter of the tube.", "thickness = \"10 cm\""),
    ],
};

/// A cone.
pub static CONE: Section = Section {
    name: "cone",
    title: "shape.cone",
    doc: "A cone along z, the body's `at` at half its height.",
    fields: &[
        field("radius", Number(&LENGTH, Positive), REQUIRED, "Radius below.", "radius = \"20 cm\""),
        field("height", Number(&LENGTH, Positive), REQUIRED, "Its height.", "height = \"40 cm\""),
        field("top", Number(&LENGTH, NotNegative), "0", "Radius above.", "top = \"5 cm\""),
    ],
};

/// A cow.
pub static COW: Section = Section {
    name: "cow",
    title: "shape.cow",
    doc: "A cow: body, head, horns, legs, udder, tail.",
    fields: &[field(
        "length",
        Number(&LENGTH, Positive),
        "2.4 m",
        "From muzzle to tail; everything else in proportion.",
        "length = \"2 m\"",
    )],
};

/// A smooth union.
pub static BLEND: Section = Section {
    name: "blend",
    title: "shape.blend",
    doc: "Solids together, their seams rounded.",
    fields: &[
        field("parts", PARTS, REQUIRED, "The solids.", "parts = [{ sphere = { radius = 0.2 } }]"),
        field("radius", Number(&LENGTH, Positive), REQUIRED, "How far the seams are rounded.", "radius = \"5 cm\""),
    ],
};

/// A hollow solid.
pub static HOLLOW: Section = Section {
    name: "hollow",
    title: "shape.hollow",
    doc: "A wall along the inside of a solid.",
    fields: &[
        field("solid", Solid, REQUIRED, "The solid.", "solid = { sphere = { radius = \"20 cm\" } }"),
        field("wall", Number(&LENGTH, Positive), REQUIRED, "Thickness of the wall.", "wall = \"4 cm\""),
    ],
};

/// A mesh file.
pub static MESH: Section = Section {
    name: "mesh",
    title: "shape.mesh",
    doc: "The inside of a closed surface from a file.",
    fields: &[FILE_FIELD, UNIT_FIELD, SCALE_FIELD, FILL_FIELD],
};

/// A mesh file of an exact body.
pub static EXACT_MESH: Section = Section {
    name: "exact_mesh",
    title: "shape.exact.mesh",
    doc: "A surface from a file that an exact body touches with.",
    fields: &[
        FILE_FIELD,
        UNIT_FIELD,
        SCALE_FIELD,
        FILL_FIELD,
        field(
            "open",
            Flag,
            "false",
            "True: the surface need not be closed, as that of a terrain. Others touch the side from which its triangles run anticlockwise; the body is held by a `[[fix]]`, or has a `mass`.",
            "open = true",
        ),
    ],
};

const FILE_FIELD: Field = field("file", Text, REQUIRED, "Its path, relative to the scene file.", "file = \"part.stl\"");
const UNIT_FIELD: Field = field("unit", Word(MESH_UNIT_WORDS), "\"m\"", "The unit of its numbers.", "unit = \"mm\"");
const SCALE_FIELD: Field =
    field("scale", Number(&NUMBER, Positive), "1", "How many times larger it shall be.", "scale = 2");
const FILL_FIELD: Field = field(
    "fill",
    Flag,
    "false",
    "Close a leaky or self-intersecting surface: what it mostly encloses counts as inside.",
    "fill = true",
);
