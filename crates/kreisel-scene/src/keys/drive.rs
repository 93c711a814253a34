//! Keys of what is held, moved and pulled.

use super::Kind::{BodyName, List, Number, OneOf, Region, Table, Text, Tuple, Vector, Word};
use super::Limits::{Any, NotNegative, Positive};
use super::{Kind, REQUIRED, ROTATION, Section, field};
use crate::units::quantity::{ANGLE, DAMPING, FORCE, LENGTH, NUMBER, PRESSURE, RATE, STIFFNESS, TIME, VELOCITY};

const PROFILE_KIND: Kind = OneOf(&[Word(&["constant"]), Table(&PROFILE)]);
const TIMES: Kind = Tuple(&[Number(&TIME, Any), Number(&TIME, Any)]);

/// Elements held or moved.
pub static FIX: Section = Section {
    name: "fix",
    title: "[[fix]]",
    doc: "Elements that are held in place, or move as prescribed, along chosen axes. One element of a rigid body: a ball joint; several on a line: a hinge.",
    fields: &[
        field("name", Text, "fix-1, fix-2 …", "Name for reaction probes.", "name = \"wall\""),
        field("body", BodyName, "every body", "Of which body.", "body = \"beam\""),
        field(
            "where",
            Region,
            "everything",
            "Which elements; `body` or `where` must be written.",
            "where = { x = { below = \"-2 m\" } }",
        ),
        field(
            "axes",
            OneOf(&[Text, List(&Word(&["x", "y", "z"]))]),
            "\"xyz\"",
            "Which directions are held.",
            "axes = \"xz\"",
        ),
        field(
            "motion",
            Table(&MOTION),
            "at rest",
            "How the held elements move.",
            "motion = { velocity = [\"1 cm/s\", 0, 0] }",
        ),
    ],
};

/// A prescribed motion.
pub static MOTION: Section = Section {
    name: "motion",
    title: "fix.motion",
    doc: "A prescribed motion: constant velocity, plus displacement and rotation that follow a profile.",
    fields: &[
        field("velocity", Vector(&VELOCITY, Any), "[0, 0, 0]", "Constant velocity.", "velocity = [\"1 cm/s\", 0, 0]"),
        field(
            "displacement",
            Vector(&LENGTH, Any),
            "[0, 0, 0]",
            "Displacement where the profile is one.",
            "displacement = [0, 0, \"-5 cm\"]",
        ),
        field(
            "rotation",
            Table(&ROTATION),
            "none",
            "Rotation where the profile is one.",
            "rotation = { axis = [1, 0, 0], angle = \"90 deg\" }",
        ),
        field("centre", Vector(&LENGTH, Any), "[0, 0, 0]", "Centre of the rotation.", "centre = [0, 0, 1]"),
        field("profile", PROFILE_KIND, "\"constant\"", "Course in time.", "profile = { ramp = [0, \"1 s\"] }"),
        field(
            "keys",
            List(&Table(&KEYFRAME)),
            "none",
            "Keyframes instead of `displacement`, `rotation` and `profile`: smoothly from one to the next, at rest at each.",
            "keys = [{ time = 0 }, { time = 1, displacement = [0, 0, 1] }]",
        ),
    ],
};

/// A keyframe.
pub static KEYFRAME: Section = Section {
    name: "keyframe",
    title: "fix.motion.keys",
    doc: "Where what is driven is at a time, against where it is built, which is where it has to be at 0 s. It rests before the first; times ascend.",
    fields: &[
        field("time", Number(&TIME, Any), REQUIRED, "When.", "time = \"1 s\""),
        field("displacement", Vector(&LENGTH, Any), "[0, 0, 0]", "Displacement.", "displacement = [0, 0, 1]"),
        field(
            "rotation",
            Table(&ROTATION),
            "none",
            "Rotation about the `centre` of the motion; whole turns count from key to key about one axis.",
            "rotation = { axis = [0, 0, 1], angle = \"90 deg\" }",
        ),
    ],
};

/// A load.
pub static LOAD: Section = Section {
    name: "load",
    title: "[[load]]",
    doc: "A load: `force` with `at` acts on the nearest element (of an exact body: at that very point), `force` with `body` or `where` is spread by mass, `pressure` acts on surfaces of boxes.",
    fields: &[
        field("name", Text, "load-1, load-2 …", "Name for messages.", "name = \"hand\""),
        field("body", BodyName, "every body", "On which body.", "body = \"beam\""),
        field("where", Region, "everything", "On which elements.", "where = { x = { above = \"2 m\" } }"),
        field("force", Vector(&FORCE, Any), "none", "Total force.", "force = [0, 0, \"-5 kN\"]"),
        field(
            "at",
            Vector(&LENGTH, Any),
            "none",
            "Where: on the element nearest to this point at the start, or at this point of an exact body.",
            "at = [2, 0, 1]",
        ),
        field(
            "pressure",
            Number(&PRESSURE, Any),
            "none",
            "Pressure on the surface; positive pushes inwards.",
            "pressure = \"10 kPa\"",
        ),
        field("profile", PROFILE_KIND, "\"constant\"", "Course in time.", "profile = { ramp = [0, \"0.5 s\"] }"),
    ],
};

/// A grab.
pub static GRAB: Section = Section {
    name: "grab",
    title: "[[grab]]",
    doc: "A damped spring from the element nearest to `at`, or from the point `at` of an exact body, to a target that moves.",
    fields: &[
        field("name", Text, "grab-1, grab-2 …", "Name for messages.", "name = \"hand\""),
        field("body", BodyName, "every body", "Which body may be grabbed.", "body = \"beam\""),
        field("where", Region, "everything", "Which elements may be grabbed.", "where = { x = { above = \"1.9 m\" } }"),
        field("at", Vector(&LENGTH, Any), REQUIRED, "Where it is grabbed, at the start.", "at = [2, 0, 1]"),
        field(
            "stiffness",
            Number(&STIFFNESS, Positive),
            REQUIRED,
            "Stiffness of the spring.",
            "stiffness = \"10 kN/m\"",
        ),
        field("damping", Number(&DAMPING, NotNegative), "0", "Damping of the spring.", "damping = \"50 N s/m\""),
        field(
            "target",
            Vector(&LENGTH, Any),
            "none",
            "A target that stays; instead of `path`.",
            "target = [2, 0, 0.5]",
        ),
        field(
            "path",
            List(&Table(&WAYPOINT)),
            "none",
            "The target's path, straight between the points.",
            "path = [{ time = 0, at = [2, 0, 1] }, { time = 1, at = [2, 0, 0.5] }]",
        ),
        field("from", Number(&TIME, Any), "the start", "From when it holds.", "from = \"0.5 s\""),
        field("until", Number(&TIME, Any), "the end", "Until when it holds.", "until = \"2 s\""),
    ],
};

/// A point of a path.
pub static WAYPOINT: Section = Section {
    name: "waypoint",
    title: "grab.path",
    doc: "A point of the target's path; times ascend.",
    fields: &[
        field("time", Number(&TIME, Any), REQUIRED, "When.", "time = \"1 s\""),
        field("at", Vector(&LENGTH, Any), REQUIRED, "Where.", "at = [2, 0, 0.5]"),
    ],
};

/// A course in time.
pub static PROFILE: Section = Section {
    name: "profile",
    title: "profile",
    doc: "A factor as a function of time: exactly one of the keys.",
    fields: &[
        field(
            "ramp",
            TIMES,
            "none",
            "Zero until the first time, one from the second on, smooth between.",
            "profile = { ramp = [0, \"1 s\"] }",
        ),
        field(
            "pulse",
            TIMES,
            "none",
            "One between the times, zero otherwise.",
            "profile = { pulse = [\"0.1 s\", \"0.2 s\"] }",
        ),
        field("sine", Table(&SINE), "none", "A sine.", "profile = { sine = { frequency = \"2 Hz\" } }"),
        field(
            "table",
            List(&Tuple(&[Number(&TIME, Any), Number(&NUMBER, Any)])),
            "none",
            "Straight lines through (time, factor); times ascend.",
            "profile = { table = [[0, 0], [\"1 s\", 1], [\"2 s\", 0]] }",
        ),
    ],
};

/// A sine.
pub static SINE: Section = Section {
    name: "sine",
    title: "profile.sine",
    doc: "sin(2π · frequency · t + phase).",
    fields: &[
        field("frequency", Number(&RATE, Positive), REQUIRED, "Frequency.", "frequency = \"2 Hz\""),
        field("phase", Number(&ANGLE, Any), "0", "Phase.", "phase = \"90 deg\""),
    ],
};
