//! Every key of a scene file, once: the reader, the JSON schema and the reference in the book all use these tables.

mod body;
mod drive;
mod exact;
mod joint;
mod material;
mod region;
mod scene;
mod shape;
mod solid;
mod view;
mod world;

pub use body::{BODY, INLAY, ROTATION};
pub use drive::{FIX, GRAB, KEYFRAME, LOAD, MOTION, PROFILE, SINE, WAYPOINT};
pub use exact::{CONSTRAINT, COPIES, EXACT, SPIRAL};
pub(crate) use exact::{EXACT_SHAPES, MOST_COPIES};
pub use joint::{JOINT, MOTOR};
pub use material::{FRICTION, MATERIAL};
pub use region::{AXIS, REGION, REGION_BOX, REGION_HALF_SPACE, REGION_SPHERE};
pub(crate) use scene::INTEGRATORS;
pub use scene::{AT, CONTACT, IMPLICIT, PROBE, SCENE, SWITCHING};
pub use shape::{BALL, CHAIN, CONNECTION, DUMBBELL, ELEMENT, RING, SHAPE};
pub use solid::{BLEND, CAPSULE, CONE, COW, CYLINDER, EXACT_MESH, HOLLOW, MESH, SOLID, SPHERE, TORUS};
pub(crate) use solid::{MESH_UNITS, SOLIDS};
pub use view::VIEW;
pub use world::{GROUND, OBSTACLE, OBSTACLE_BOX, OBSTACLE_PLANE, OBSTACLE_SPHERE};

use crate::units::Quantity;

/// What values a number may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limits {
    /// Any finite number.
    Any,
    /// Larger than zero.
    Positive,
    /// Zero or larger.
    NotNegative,
    /// From the first to the second, both included.
    Within(f64, f64),
    /// Any number, infinity too.
    Unbounded,
}

/// What may be written for a key.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A text.
    Text,
    /// `true` or `false`.
    Flag,
    /// A whole number from the first to the second.
    Count(u32, u32),
    /// A number in SI, or a text with a unit.
    Number(&'static Quantity, Limits),
    /// Three numbers.
    Vector(&'static Quantity, Limits),
    /// Three pure numbers that are not all zero; the length does not matter.
    Direction,
    /// One of some words.
    Word(&'static [&'static str]),
    /// The name of a body.
    BodyName,
    /// A region: a table, the name of a body, or `"all"`.
    Region,
    /// A material: its name, or a table.
    Material,
    /// A part of a solid: a table.
    Solid,
    /// A table with these keys.
    Table(&'static Section),
    /// A table with names of the user's choice.
    Map(&'static Kind),
    /// An array.
    List(&'static Kind),
    /// An array with this many entries.
    Tuple(&'static [Kind]),
    /// One of several.
    OneOf(&'static [Kind]),
}

/// A key.
#[derive(Debug)]
pub struct Field {
    /// How it is written.
    pub name: &'static str,
    /// What may be written for it.
    pub kind: Kind,
    /// What holds if it is not written; `"required"` if it must be.
    pub default: &'static str,
    /// What it means.
    pub doc: &'static str,
    /// A line of a scene file with it.
    pub example: &'static str,
}

/// A table of a scene file.
#[derive(Debug)]
pub struct Section {
    /// Its name in the schema.
    pub name: &'static str,
    /// How it is written.
    pub title: &'static str,
    /// What it means.
    pub doc: &'static str,
    /// Its keys.
    pub fields: &'static [Field],
}

impl Section {
    /// The key with this name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|f| f.name == name)
    }
}

/// Every table of a scene file, in the order of the reference.
pub static SECTIONS: [&Section; 54] = [
    &SCENE,
    &BODY,
    &SHAPE,
    &ELEMENT,
    &CONNECTION,
    &CHAIN,
    &RING,
    &DUMBBELL,
    &BALL,
    &SPHERE,
    &CYLINDER,
    &CAPSULE,
    &TORUS,
    &CONE,
    &COW,
    &BLEND,
    &HOLLOW,
    &SOLID,
    &MESH,
    &EXACT,
    &EXACT_MESH,
    &COPIES,
    &SPIRAL,
    &INLAY,
    &ROTATION,
    &MATERIAL,
    &FRICTION,
    &REGION,
    &AXIS,
    &REGION_BOX,
    &REGION_SPHERE,
    &REGION_HALF_SPACE,
    &GROUND,
    &OBSTACLE,
    &OBSTACLE_PLANE,
    &OBSTACLE_BOX,
    &OBSTACLE_SPHERE,
    &FIX,
    &MOTION,
    &KEYFRAME,
    &LOAD,
    &GRAB,
    &WAYPOINT,
    &JOINT,
    &MOTOR,
    &PROFILE,
    &SINE,
    &AT,
    &SWITCHING,
    &IMPLICIT,
    &CONSTRAINT,
    &CONTACT,
    &PROBE,
    &VIEW,
];

const fn field(
    name: &'static str,
    kind: Kind,
    default: &'static str,
    doc: &'static str,
    example: &'static str,
) -> Field {
    Field { name, kind, default, doc, example }
}

/// How a key says that it must be written.
pub const REQUIRED: &str = "required";

impl Kind {
    /// In words, with an article: "a length (a number in m, or a text such as \"2 cm\")".
    pub fn describe(&self) -> String {
        match self {
            Self::Text => "a text".into(),
            Self::Flag => "`true` or `false`".into(),
            Self::Count(least, most) => format!("a whole number from {least} to {most}"),
            Self::Number(q, _) if q.unit == "1" => "a number".into(),
            Self::Number(q, _) => {
                format!("{} {} (a number in {}, or a text such as \"{}\")", q.article, q.name, q.unit, q.example)
            }
            Self::Vector(q, _) if q.unit == "1" => "three numbers".into(),
            Self::Vector(q, _) => format!("three numbers in {}, or texts such as \"{}\"", q.unit, q.example),
            Self::Direction => "a direction: three numbers that are not all zero".into(),
            Self::Word(words) => words.iter().map(|w| format!("\"{w}\"")).collect::<Vec<_>>().join(" or "),
            Self::BodyName => "the name of a body".into(),
            Self::Region => "a region: a table such as `{ x = { above = 0 } }`, the name of a body, or \"all\"".into(),
            Self::Material => "a material: a name such as \"oak\", or a table such as `{ like = \"gel\" }`".into(),
            Self::Solid => "a solid: a table such as `{ sphere = { radius = 0.1 }, at = [0, 0, 1] }`".into(),
            Self::Table(section) => format!("a table `{}`", section.title),
            Self::Map(kind) => format!("a table of names, each with {}", kind.describe()),
            Self::List(kind) => format!("a list, each entry {}", kind.describe()),
            Self::Tuple(kinds) => format!("a list of {} entries", kinds.len()),
            Self::OneOf(kinds) => kinds.iter().map(Self::describe).collect::<Vec<_>>().join(", or "),
        }
    }
}
