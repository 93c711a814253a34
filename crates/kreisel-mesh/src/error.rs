//! What can be wrong with a mesh, where, and what to do about it.

use kreisel::DVec3;
use thiserror::Error;

/// A mesh that was refused: which, why, and what to do about it.
#[derive(Clone, Debug, PartialEq, Error)]
pub struct MeshError {
    /// The file.
    pub name: String,
    /// What is wrong with it.
    pub problem: Problem,
}

impl MeshError {
    pub(crate) fn new(name: &str, problem: Problem) -> Self {
        Self { name: name.to_string(), problem }
    }
}

impl std::fmt::Display for MeshError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}; {}", self.name, self.problem, self.problem.advice())
    }
}

/// What is wrong with a mesh. Places are coordinates as the file has them, before `scale`.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file cannot be read at all.
    #[error("cannot be read: {reason}")]
    File {
        /// What the system says.
        reason: String,
    },
    /// An option makes no sense.
    #[error("{reason}")]
    Option {
        /// Which and why.
        reason: String,
    },
    /// A file of another kind.
    #[error("this is {what}, not a mesh of triangles that can be read")]
    Foreign {
        /// Its kind, with an article.
        what: &'static str,
        /// How it becomes a mesh.
        advice: &'static str,
    },
    /// Neither content nor name says what it is.
    #[error("neither the content nor the name says which kind of mesh this is")]
    Unknown,
    /// The content is not as its format wants it.
    #[error("{place}: {reason}")]
    Syntax {
        /// Line, byte or entry.
        place: String,
        /// What is wrong there.
        reason: String,
    },
    /// The file ends too early.
    #[error("the file is cut short: {what} are announced, but it ends after {found}")]
    Truncated {
        /// What the header says.
        what: String,
        /// What is there.
        found: String,
    },
    /// More than may be read.
    #[error("the file announces {count} {what}, more than the limit of {limit}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many.
        count: u64,
        /// How many are allowed.
        limit: u64,
    },
    /// A compression that is not read.
    #[error("the geometry is compressed with {extension}, which is not read")]
    Compressed {
        /// The extension of glTF.
        extension: String,
    },
    /// No triangle.
    #[error("the file holds no triangle{}", in_brackets(.remark))]
    Empty {
        /// What it holds instead, or nothing.
        remark: String,
    },
    /// A coordinate that is not a number.
    #[error("vertex {vertex} (the first is 1) has a coordinate that is not finite: ({}, {}, {})", at[0], at[1], at[2])]
    NotFinite {
        /// Its number in the file, from 1.
        vertex: usize,
        /// Its coordinates.
        at: [f64; 3],
    },
    /// A coordinate beyond all bodies.
    #[error("vertex {vertex} (the first is 1) lies at {}: no body is that large", place(.at))]
    Absurd {
        /// Its number in the file, from 1.
        vertex: usize,
        /// Where.
        at: DVec3,
    },
    /// All triangles are points or lines.
    #[error("all {triangles} triangles have no area")]
    NoArea {
        /// How many there are.
        triangles: usize,
    },
    /// An edge with more than two triangles.
    #[error("{count} edges belong to more than two triangles, the first of them to {triangles}, at {}", place(.at))]
    NotManifold {
        /// How many such edges.
        count: usize,
        /// Triangles at the first.
        triangles: usize,
        /// The middle of the first.
        at: DVec3,
    },
    /// A surface with one side.
    #[error("the surface has one side only, like a Möbius band: its orientation contradicts itself at {}", place(.at))]
    OneSided {
        /// Where it was noticed.
        at: DVec3,
    },
    /// Holes too large to close without being told.
    #[error("the surface has {} of {edges} edges, {size:.4} across, around {}", holes(*count), place(.at))]
    Holes {
        /// How many.
        count: usize,
        /// Edges around the largest.
        edges: usize,
        /// Diameter of the largest, in the file's unit.
        size: f64,
        /// Its middle.
        at: DVec3,
    },
    /// Triangles that pass through each other.
    #[error("the surface cuts itself in {}{count} pairs of triangles, first at {}",
        if *.more { "at least " } else { "" }, place(.at))]
    SelfIntersecting {
        /// How many pairs.
        count: usize,
        /// Whether counting ended early.
        more: bool,
        /// The first place.
        at: DVec3,
    },
    /// No inside.
    #[error("the surface encloses no volume")]
    NoVolume,
    /// Filling found no inside.
    #[error("filling failed: the surface winds nowhere more than half around anything that {cells} cells can show")]
    NothingToFill {
        /// Cells along the longest side.
        cells: u32,
    },
}

impl Problem {
    /// What to do about it.
    pub fn advice(&self) -> String {
        let text = match self {
            Self::File { .. } => "see that the path is right and may be read",
            Self::Option { .. } => "correct the option",
            Self::Foreign { advice, .. } => advice,
            Self::Unknown => "give an OBJ, STL, PLY, glTF or GLB file with its usual ending",
            Self::Syntax { .. } => "export it again, or give it the ending of its true format",
            Self::Truncated { .. } => "copy or export it again",
            Self::TooMany { .. } => "export it coarser, or see whether the header is damaged",
            Self::Compressed { .. } => "export it without compression (gltf-transform and gltfpack can undo it)",
            Self::Empty { .. } => "export the surface as triangles",
            Self::NotFinite { .. } => "export it again without this vertex",
            Self::Absurd { .. } => "export it again without this vertex, or in a larger unit",
            Self::NoArea { .. } => "export the surface as triangles with an area",
            Self::NotManifold { .. } => "separate the parts that touch there, or let it be made anew with fill = true",
            Self::OneSided { .. } => "cut it there and close it, or let it be made anew with fill = true",
            Self::Holes { .. } => "close it in a mesh editor, or let it be filled with fill = true",
            Self::SelfIntersecting { .. } => {
                "unite the parts in a mesh editor, or let it be made anew with fill = true"
            }
            Self::NoVolume => "give it thickness: a body needs an inside",
            Self::NothingToFill { .. } => "give it thickness, close it in a mesh editor, or use more cells",
        };
        text.to_string()
    }

    /// Whether making the surface anew ([`crate::Fill::WindingNumber`]) may help.
    pub fn can_be_filled(&self) -> bool {
        use Problem::{Holes, NoVolume, NotManifold, OneSided, SelfIntersecting};
        matches!(self, NotManifold { .. } | OneSided { .. } | Holes { .. } | SelfIntersecting { .. } | NoVolume)
    }

    /// Something is not as the format wants it.
    pub(crate) fn syntax(place: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Syntax { place: place.into(), reason: reason.into() }
    }
}

/// Six digits are enough to find a place.
fn place(x: &DVec3) -> String {
    let digits =
        |c: f64| if c != 0.0 && !(1e-3..1e6).contains(&c.abs()) { format!("{c:.4e}") } else { format!("{c:.4}") };
    format!("({}, {}, {})", digits(x.x), digits(x.y), digits(x.z))
}

fn holes(count: usize) -> String {
    if count == 1 { "a hole".to_string() } else { format!("{count} holes, the largest") }
}

fn in_brackets(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(" ({text})") }
}
