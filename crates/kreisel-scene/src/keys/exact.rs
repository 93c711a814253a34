//! Keys of exact shapes, of copies of a body, and of the law `constraint`.

use super::Kind::{Count, Flag, List, Number, OneOf, Table, Tuple, Vector, Word};
use super::Limits::{Any, NotNegative, Positive};
use super::body::ROTATION_KIND;
use super::solid::{
    CAPSULE_FIELD, CONE_FIELD, CYLINDER_FIELD, ELLIPSOID_FIELD, EXACT_MESH_FIELD, HULL_FIELD, SPHERE_FIELD,
};
use super::{Field, Kind, REQUIRED, ROTATION, Section, field};
use crate::units::quantity::{LENGTH, NUMBER, TIME};

/// Most copies of a body, as bodies are numbered with 16 bits.
pub(crate) const MOST_COPIES: u32 = 65_535;

/// The words for exact shapes.
pub(crate) const EXACT_SHAPES: [&str; 9] =
    ["box", "sphere", "ellipsoid", "capsule", "cylinder", "cone", "points", "hull", "mesh"];

/// The words for laws of restitution.
pub(crate) const RESTITUTION_LAWS: &[&str] = &["newton", "poisson"];
/// The words for solvers of contact problems.
pub(crate) const CONTACT_SOLVERS: &[&str] = &["automatic", "gauss-seidel", "newton", "lemke"];

const POINTS: Kind = List(&Vector(&LENGTH, Any));

static ONE: Kind = Table(&EXACT);
static ONE_OR_MORE: [Kind; 2] = [Table(&EXACT), List(&ONE)];

pub(super) const EXACT_FIELD: Field = field(
    "exact",
    OneOf(&ONE_OR_MORE),
    "none",
    "A rigid body with an exact shape, or several that move as one, for the law `constraint`.",
    "shape = { exact = { box = [1, 1, 1] } }",
);

/// An exact shape.
pub static EXACT: Section = Section {
    name: "exact",
    title: "shape.exact",
    doc: "An exact rigid shape: exactly one of the shapes, and where it is in the body's axes.",
    fields: &[
        field("box", Vector(&LENGTH, Positive), "none", "A box with these sides.", "box = [1, 1, \"50 cm\"]"),
        SPHERE_FIELD,
        ELLIPSOID_FIELD,
        CAPSULE_FIELD,
        CYLINDER_FIELD,
        CONE_FIELD,
        field(
            "points",
            POINTS,
            "none",
            "The convex hull of these points.",
            "points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]",
        ),
        HULL_FIELD,
        EXACT_MESH_FIELD,
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

/// Copies of a body.
pub static COPIES: Section = Section {
    name: "copies",
    title: "body.copies",
    doc: "Copies of a body, named `name-1`, `name-2` and so on: in a row, in a grid, or along a spiral around the body's `at`.",
    fields: &[
        field(
            "count",
            OneOf(&[
                Count(1, MOST_COPIES),
                Tuple(&[Count(1, MOST_COPIES), Count(1, MOST_COPIES), Count(1, MOST_COPIES)]),
            ]),
            REQUIRED,
            "How many: in a row, or along x, y and z.",
            "count = 20",
        ),
        field(
            "pitch",
            Vector(&LENGTH, Any),
            "[0, 0, 0]",
            "From one to the next: along the row, or along x, y and z.",
            "pitch = [0, 0, \"1 m\"]",
        ),
        field(
            "turn",
            Table(&ROTATION),
            "none",
            "How each is turned against the one before, about the body's `at`.",
            "turn = { axis = [0, 0, 1], angle = \"10 deg\" }",
        ),
        field(
            "spiral",
            Table(&SPIRAL),
            "none",
            "Along a spiral in the plane of x and y; each faces along it.",
            "spiral = { radius = 2, width = 1, spacing = \"50 cm\" }",
        ),
    ],
};

/// A spiral of Archimedes.
pub static SPIRAL: Section = Section {
    name: "spiral",
    title: "body.copies.spiral",
    doc: "A spiral of Archimedes from the inside out.",
    fields: &[
        field("radius", Number(&LENGTH, Positive), REQUIRED, "Where it begins.", "radius = 2"),
        field("width", Number(&LENGTH, NotNegative), REQUIRED, "From one turn to the next.", "width = 1"),
        field("spacing", Number(&LENGTH, Positive), REQUIRED, "From one copy to the next.", "spacing = 0.5"),
    ],
};

/// How the law `constraint` is solved.
pub static CONSTRAINT: Section = Section {
    name: "constraint",
    title: "[constraint]",
    doc: "How the contact problems of the law `constraint` are solved.",
    fields: &[
        field(
            "solver",
            Word(CONTACT_SOLVERS),
            "\"automatic\"",
            "Block Gauss–Seidel or nonsmooth Newton on the exact cone, or Lemke's method on a pyramid. Automatic: by the size of the island.",
            "solver = \"newton\"",
        ),
        field(
            "facets",
            Count(0, 256),
            "0",
            "Facets of the friction pyramid, an even number from 4 on; 0: the exact cone.",
            "facets = 8",
        ),
        field(
            "isotropic",
            Flag,
            "true",
            "Turn the pyramid until a facet lies along the slip: then any number of facets gives the exact cone.",
            "isotropic = false",
        ),
        field(
            "restitution_law",
            Word(RESTITUTION_LAWS),
            "\"newton\"",
            "What the coefficient of restitution is a share of: of the speed of the blow (newton), or of its impulse (poisson), \
             which comes back in a phase of its own and gains no energy where friction turns the slip round. Blows to which newton \
             would give energy are solved by poisson.",
            "restitution_law = \"poisson\"",
        ),
        field(
            "tolerance",
            Number(&NUMBER, Positive),
            "1e-3",
            "What may be left of the contact law, as a share of the velocities in play.",
            "tolerance = 1e-9",
        ),
        field("sweeps", Count(1, 1_000_000), "2000", "Passes over the contacts of an island at most.", "sweeps = 100"),
        field(
            "gap_iterations",
            Count(0, 100),
            "2",
            "How often the gaps of bodies that turn are linearised anew about the end of a first-order step, at most.",
            "gap_iterations = 5",
        ),
        field(
            "sleep_after",
            Number(&TIME, Positive),
            "\"0.5 s\"",
            "Exact bodies sleep when they, and all that they touch or are joined to, have been at rest for so long; in explicit steps.",
            "sleep_after = \"2 s\"",
        ),
        field("sleep", Flag, "true", "False: nothing ever sleeps.", "sleep = false"),
    ],
};
