//! What was found in a mesh file and what was done about it, in short sentences.

use crate::format::Format;
use kreisel::DVec3;
use std::fmt;

/// What was found in a mesh file and what was done about it.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshReport {
    /// The file.
    pub name: String,
    /// Its format.
    pub format: Format,
    /// Its format in words, such as "binary STL".
    pub kind: &'static str,
    /// Vertices in the file.
    pub file_vertices: usize,
    /// Triangles in the file, its polygons cut into triangles.
    pub file_triangles: usize,
    /// What was repaired.
    pub repairs: Repairs,
    /// Vertices of the surface.
    pub vertices: usize,
    /// Triangles of the surface.
    pub triangles: usize,
    /// Connected pieces of the surface, cavities included.
    pub shells: usize,
    /// Shells that bound a cavity.
    pub cavities: usize,
    /// Volume inside [m³].
    pub volume: f64,
    /// Area [m²].
    pub area: f64,
    /// Corner of the bounding box with the smallest coordinates [m].
    pub low: DVec3,
    /// Corner with the largest [m].
    pub high: DVec3,
    /// What may not be as it was meant.
    pub warnings: Vec<String>,
}

/// What was repaired.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// Vertices joined with another one.
    pub welded_vertices: usize,
    /// Triangles dropped because two of their corners are one.
    pub degenerate_triangles: usize,
    /// Triangles dropped because they are there twice.
    pub duplicate_triangles: usize,
    /// Triangles without area that were taken out by giving their longest edge to the neighbour.
    pub flat_triangles: usize,
    /// Triangles turned to agree with their neighbours.
    pub turned_triangles: usize,
    /// Shells turned as a whole because they were inside out.
    pub flipped_shells: usize,
    /// Tiny holes closed.
    pub filled_holes: usize,
    /// Whether the surface was made anew from its winding number; names, vertices and texture coordinates are lost then.
    pub made_anew: bool,
}

impl MeshReport {
    /// Sides of the bounding box [m].
    pub fn size(&self) -> DVec3 {
        self.high - self.low
    }
}

impl fmt::Display for MeshReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}, {}.", self.name, self.kind, count(self.file_triangles, "triangle", "triangles"))?;
        if let Some(text) = self.repairs.sentence() {
            writeln!(f, "Repaired: {text}.")?;
        }
        let size = self.size();
        write!(f, "Closed surface of {} in ", count(self.triangles, "triangle", "triangles"))?;
        write!(f, "{}", count(self.shells, "shell", "shells"))?;
        if self.cavities > 0 {
            write!(f, ", {}", count(self.cavities, "cavity", "cavities"))?;
        }
        writeln!(f, ".")?;
        write!(f, "{} × {} × {} m, ", digits(size.x), digits(size.y), digits(size.z))?;
        write!(f, "area {} m², volume {} m³.", digits(self.area), digits(self.volume))?;
        self.warnings.iter().try_for_each(|w| write!(f, "\nWarning: {w}."))
    }
}

impl Repairs {
    /// What was repaired in words; nothing if nothing was.
    pub fn sentence(&self) -> Option<String> {
        let pairs = [
            (self.welded_vertices, "vertex welded", "vertices welded"),
            (self.degenerate_triangles, "degenerate triangle dropped", "degenerate triangles dropped"),
            (self.duplicate_triangles, "duplicate triangle dropped", "duplicate triangles dropped"),
            (self.flat_triangles, "flat triangle taken out", "flat triangles taken out"),
            (self.turned_triangles, "triangle turned", "triangles turned"),
            (self.flipped_shells, "inside-out shell turned", "inside-out shells turned"),
            (self.filled_holes, "tiny hole filled", "tiny holes filled"),
        ];
        let done = pairs.iter().filter(|p| p.0 > 0).map(|&(n, one, many)| count(n, one, many));
        let anew = self.made_anew.then(|| "made anew from its winding number".to_string());
        let all: Vec<String> = done.chain(anew).collect();
        (!all.is_empty()).then(|| all.join(", "))
    }
}

fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Four significant digits.
fn digits(x: f64) -> String {
    if x != 0.0 && !(1e-3..1e5).contains(&x.abs()) {
        return format!("{x:.3e}");
    }
    let before = if x == 0.0 { 1 } else { x.abs().log10().floor() as i32 + 1 };
    format!("{x:.*}", (4 - before).clamp(0, 6) as usize)
}
