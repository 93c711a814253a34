//! Keys at the top of a scene file, the schedule, contact settings and probes.

use super::Kind::{BodyName, Count, Flag, List, Map, Number, OneOf, Region, Table, Text, Tuple, Vector, Word};
use super::Limits::{Any, NotNegative, Positive, Within};
use super::material::FRICTION_KIND;
use super::{
    BODY, CONSTRAINT, FIX, GRAB, GROUND, JOINT, Kind, LOAD, MATERIAL, OBSTACLE, REQUIRED, Section, VIEW, field,
};
use crate::units::quantity::{ACCELERATION, LENGTH, NUMBER, RATE, TIME};

/// Two names.
static NAME_PAIR: Kind = Tuple(&[Text, Text]);

/// The words for integrators.
pub(crate) const INTEGRATORS: &[&str] = &[
    "forward-euler",
    "symplectic-euler",
    "verlet",
    "backward-euler",
    "linear-backward-euler",
    "midpoint",
    "extrapolated",
    "automatic",
];
/// The words for linear solvers of implicit steps.
pub(crate) const SOLVERS: &[&str] = &["automatic", "jacobi", "two-level", "direct"];
/// The words for contact laws; impulse and hybrid are not there yet.
pub(crate) const LAWS: &[&str] = &["connections", "impulse", "constraint", "hybrid"];
/// The words for what happens with frozen strain.
pub(crate) const RELEASES: &[&str] = &["relief", "as-frozen"];
/// The words for how coefficients combine.
pub(crate) const COMBINATIONS: &[&str] = &["average", "minimum", "maximum", "multiply"];
/// The words for what a probe reads.
pub(crate) const QUANTITIES: &[&str] = &[
    "position",
    "velocity",
    "displacement",
    "spin",
    "momentum",
    "angular-momentum",
    "force",
    "reaction",
    "contact-force",
    "strain",
    "stress",
    "principal-stress",
    "von-mises",
    "energy",
    "rigid",
    "joint",
];
/// The words for components of what a probe reads.
pub(crate) const COMPONENTS: &[&str] = &[
    "x",
    "y",
    "z",
    "xx",
    "yy",
    "zz",
    "yz",
    "xz",
    "xy",
    "largest",
    "middle",
    "smallest",
    "kinetic",
    "gravity",
    "elastic",
    "coordinate",
    "speed",
    "effort",
    "force",
    "torque",
];

/// The scene as a whole.
pub static SCENE: Section = Section {
    name: "scene",
    title: "scene file",
    doc: "The scene as a whole. Numbers are SI; texts may carry a unit. z is up unless `gravity` says otherwise.",
    fields: &[
        field("title", Text, "the file's name", "One line for people.", "title = \"A cow falls on a lever\""),
        field("duration", Number(&TIME, Positive), "1 s", "How long to run.", "duration = \"3 s\""),
        field(
            "gravity",
            OneOf(&[Number(&ACCELERATION, Any), Vector(&ACCELERATION, Any)]),
            "[0, 0, -9.81]",
            "Acceleration of gravity. A single number means downwards along z, whatever its sign.",
            "gravity = [0, 0, -9.81]",
        ),
        field(
            "step",
            Number(&TIME, Positive),
            "from the stability bound",
            "Wanted time step. One that is too large for an explicit integrator is divided into substeps; if no integrator is named and it is a hundred times too large, steps become implicit.",
            "step = \"0.1 ms\"",
        ),
        field(
            "output_rate",
            Number(&RATE, Positive),
            "60 Hz",
            "How many frames are recorded per second of the scene.",
            "output_rate = \"100 Hz\"",
        ),
        field(
            "frame",
            Number(&TIME, Positive),
            "1/60 s",
            "Time between recorded frames; instead of `output_rate`.",
            "frame = \"10 ms\"",
        ),
        field(
            "integrator",
            Word(INTEGRATORS),
            "\"automatic\"",
            "How time goes on. Explicit: forward Euler (unstable without damping, for teaching), symplectic Euler (first order), velocity Verlet (second order). Implicit, for steps beyond the stability bound: backward Euler (robust, damps what it does not resolve; linearised: one solve a step) and the midpoint rule (second order, conserving). Under the law `constraint`: symplectic Euler (first order, robust in piles), velocity Verlet (second order between blows, which are found in time), extrapolated (third order where nothing is soft). Automatic: backward Euler if `step` is more than a hundred times what explicit steps allow, or if a frame would take more than 5000 explicit steps; else symplectic Euler.",
            "integrator = \"backward-euler\"",
        ),
        field(
            "implicit",
            Table(&IMPLICIT),
            "see there",
            "How implicit steps are solved.",
            "implicit = { tolerance = 1e-8 }",
        ),
        field(
            "law",
            Word(LAWS),
            "\"connections\", or \"constraint\" if a body is exact",
            "How bodies push back: by springs and dampers between elements (connections), or by impulses that keep what touches from overlapping, with Coulomb friction on the exact cone (constraint). The others are not available yet.",
            "law = \"constraint\"",
        ),
        field(
            "constraint",
            Table(&CONSTRAINT),
            "see there",
            "How the contact problems of the law `constraint` are solved.",
            "constraint = { tolerance = 1e-9 }",
        ),
        field(
            "drag",
            Number(&RATE, NotNegative),
            "0",
            "Air drag: the force on an element is −drag · mass · velocity.",
            "drag = \"0.1 1/s\"",
        ),
        field(
            "friction",
            FRICTION_KIND,
            "of the materials",
            "Friction of everything that does not say otherwise in this file.",
            "friction = 0.4",
        ),
        field(
            "restitution",
            Number(&NUMBER, Within(0.0, 1.0)),
            "of the materials",
            "Restitution of everything that does not say otherwise in this file.",
            "restitution = 0.5",
        ),
        field(
            "settle",
            Flag,
            "false",
            "Start from the rest state under the loads of the start, without a transient. Velocities that bodies are given are lost.",
            "settle = true",
        ),
        field(
            "allow_overlap",
            Flag,
            "false",
            "Do not refuse soft bodies that overlap at the start. Exact ones are moved apart in any case.",
            "allow_overlap = true",
        ),
        field(
            "ground",
            OneOf(&[Flag, Table(&GROUND)]),
            "false",
            "A plane normal to gravity to stand on.",
            "ground = true",
        ),
        field(
            "contact",
            OneOf(&[Flag, Table(&CONTACT)]),
            "true",
            "Contact settings; `false`: nothing touches anything.",
            "contact = { self_collision = false }",
        ),
        field(
            "apart",
            List(&NAME_PAIR),
            "none",
            "Pairs that do not touch, under any law: names of bodies, of their groups, of obstacles.",
            "apart = [[\"gears\", \"gears\"], [\"lid\", \"ground\"]]",
        ),
        field(
            "switching",
            Table(&SWITCHING),
            "see there",
            "When bodies with `rigid = \"automatic\"` switch.",
            "switching = { patience = \"50 ms\" }",
        ),
        field(
            "material",
            Map(&Table(&MATERIAL)),
            "none",
            "Materials of your own, by name.",
            "material.mud = { like = \"gel\", density = 1700 }",
        ),
        field("body", List(&Table(&BODY)), "none", "The bodies.", "[[body]]"),
        field("obstacle", List(&Table(&OBSTACLE)), "none", "The fixed world.", "[[obstacle]]"),
        field("fix", List(&Table(&FIX)), "none", "Elements that are held or moved.", "[[fix]]"),
        field("load", List(&Table(&LOAD)), "none", "Forces and pressures.", "[[load]]"),
        field("grab", List(&Table(&GRAB)), "none", "Damped springs that pull towards a moving target.", "[[grab]]"),
        field("joint", List(&Table(&JOINT)), "none", "What keeps points of bodies together.", "[[joint]]"),
        field("at", List(&Table(&AT)), "none", "What happens at given times.", "[[at]]"),
        field("probe", List(&Table(&PROBE)), "none", "What is read out at each frame.", "[[probe]]"),
        field("view", Table(&VIEW), "see there", "How it wants to be looked at.", "view = { eye = [3, -8, 2] }"),
    ],
};

/// Something that happens at a given time.
pub static AT: Section = Section {
    name: "at",
    title: "[[at]]",
    doc: "Something becomes rigid or soft at a given time.",
    fields: &[
        field("time", Number(&TIME, NotNegative), REQUIRED, "When.", "time = \"1.5 s\""),
        field("make_soft", Region, "nothing", "What becomes soft.", "make_soft = \"beam\""),
        field(
            "make_rigid",
            Region,
            "nothing",
            "What becomes rigid.",
            "make_rigid = { body = \"beam\", x = { above = 0 } }",
        ),
    ],
};

/// Automatic switching.
pub static SWITCHING: Section = Section {
    name: "switching",
    title: "[switching]",
    doc: "When bodies with `rigid = \"automatic\"` become rigid or soft by themselves: by strain rate, with hysteresis.",
    fields: &[
        field(
            "rigid_below",
            Number(&RATE, Positive),
            "0.01 1/s",
            "Parts that deform slower than this may become rigid.",
            "rigid_below = \"0.01 1/s\"",
        ),
        field(
            "soft_above",
            Number(&RATE, Positive),
            "0.05 1/s",
            "Rigid parts that would deform faster than this become soft.",
            "soft_above = \"0.05 1/s\"",
        ),
        field(
            "patience",
            Number(&TIME, NotNegative),
            "20 ms",
            "For how long the rate must stay below the threshold.",
            "patience = \"20 ms\"",
        ),
        field(
            "release",
            Word(RELEASES),
            "\"relief\"",
            "Frozen strain on release: start from the deformation that balances the loads of the moment, or as it was frozen.",
            "release = \"as-frozen\"",
        ),
    ],
};

/// How implicit steps are solved.
pub static IMPLICIT: Section = Section {
    name: "implicit",
    title: "[implicit]",
    doc: "How implicit steps are solved. Explicit integrators do not ask.",
    fields: &[
        field(
            "tolerance",
            Number(&NUMBER, Within(1e-12, 0.1)),
            "1e-6",
            "A step is solved when what is left of its equation is below this share of what there was.",
            "tolerance = 1e-8",
        ),
        field(
            "keep_momentum",
            Flag,
            "true",
            "Linear and angular momentum that a step loses in numerics are given back to what moves freely. Without it backward Euler brakes every spin.",
            "keep_momentum = false",
        ),
        field(
            "solver",
            Word(SOLVERS),
            "\"automatic\"",
            "How linear systems are solved: conjugate gradients with the blocks of each element and rigid part (jacobi) or with a coarse space of rigid clusters as well (two-level), a sparse factorisation (direct), or chosen by size and cost.",
            "solver = \"two-level\"",
        ),
    ],
};

/// Contact settings.
pub static CONTACT: Section = Section {
    name: "contact",
    title: "[contact]",
    doc: "How things touch.",
    fields: &[
        field("enabled", Flag, "true", "False: nothing touches anything.", "enabled = false"),
        field(
            "self_collision",
            Flag,
            "true",
            "False: elements of one body do not touch each other.",
            "self_collision = false",
        ),
        field(
            "adhesion",
            Number(&NUMBER, Within(0.0, 10.0)),
            "0",
            "Contacts also pull, until they are longer than 1 + adhesion times their rest length.",
            "adhesion = 0.05",
        ),
        field(
            "gaps",
            Word(&["spheres", "skins"]),
            "\"skins\"",
            "Where gaps and normals between bodies come from: from the contact spheres of both, whose lattices interlock as they slide; or from the spheres of the one and the skin of the other, both ways, which slide without bumps.",
            "gaps = \"spheres\"",
        ),
        field(
            "friction",
            Word(COMBINATIONS),
            "\"average\"",
            "How the friction coefficients of two bodies combine.",
            "friction = \"minimum\"",
        ),
        field(
            "restitution",
            Word(COMBINATIONS),
            "\"average\"",
            "How the coefficients of restitution of two bodies combine.",
            "restitution = \"maximum\"",
        ),
    ],
};

/// Something to read out.
pub static PROBE: Section = Section {
    name: "probe",
    title: "[[probe]]",
    doc: "Something to read out at each frame; a column (or several) of `probes.csv`. Tensors are xx, yy, zz, yz, xz, xy.",
    fields: &[
        field("name", Text, "body and quantity", "Name of the column.", "name = \"tip\""),
        field(
            "quantity",
            Word(QUANTITIES),
            "\"position\", or \"joint\"",
            "What is read.",
            "quantity = \"displacement\"",
        ),
        field(
            "joint",
            Text,
            "none",
            "Of the joint with this name: coordinate, speed, effort of its motor, force and torque that it bears.",
            "joint = \"elbow\"",
        ),
        field("body", BodyName, "every body", "Of which body.", "body = \"beam\""),
        field("where", Region, "everything", "Of which elements.", "where = { x = { above = \"1.9 m\" } }"),
        field(
            "element",
            Count(0, u32::MAX),
            "none",
            "Of the element with this number within the `body`.",
            "element = 0",
        ),
        field(
            "nearest",
            Vector(&LENGTH, Any),
            "none",
            "Of the one element nearest to this point, or of this very point of an exact body.",
            "nearest = [2, 0, 1]",
        ),
        field("component", Word(COMPONENTS), "all", "Only this component.", "component = \"z\""),
    ],
};
