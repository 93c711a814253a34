//! From a solid to triangles.

use crate::field::{Feature, Field, SHARP};
use crate::grid::{self, Polygons, Seed};
use crate::improve::improve;
use crate::net::{FACE, Net};
use crate::sharpen::crease_between;
use crate::{ShapeError, Solid, coat, plain};
use kreisel::DVec3;
use kreisel::model::Surface;
use std::collections::HashSet;

/// Largest number of triangles that `mesh` makes.
pub const MOST_TRIANGLES: f64 = 5e6;

/// Edge of the cells in which the surface is looked for, in edge lengths.
const CELL: f64 = 0.8;

/// A closed surface around a solid: triangles anticlockwise from outside, edges about `size` long [m], every vertex on
/// the surface, sharp edges kept. What is thinner than `size` may be lost. Cows come in parts to be coloured.
///
/// # Errors
/// Bad sizes, more than [`MOST_TRIANGLES`], or nothing to be meshed.
pub fn mesh(solid: &Solid, size: f64) -> Result<Surface, ShapeError> {
    solid.check()?;
    if !(1e-30..=1e30).contains(&size) {
        return Err(ShapeError::BadSize { solid: "mesh", field: "size", value: size });
    }
    if let Some(made) = plain::mesh(solid, size) {
        return made;
    }
    let field = Field::new(solid, size);
    let found = grid::polygons(&field, solid.bounds(), CELL * size)?;
    let mut net = net_of(&found, &field);
    improve(&mut net, &field);
    let (vertices, triangles) = net.finish();
    Ok(coat::paint(solid, Surface { vertices, triangles, ..Surface::default() }))
}

/// Vertices put on the surface and its creases, polygons cut into triangles.
fn net_of(found: &Polygons, field: &Field) -> Net {
    let features: Vec<Feature> = found.seeds.iter().map(|seed| place(seed, field)).collect();
    let at: Vec<DVec3> = features.iter().map(|f| f.at).collect();
    let mut creases = HashSet::new();
    let mut triangles = Vec::new();
    for polygon in &found.polygons {
        let sides = polygon.iter().zip(polygon.iter().cycle().skip(1));
        creases.extend(sides.filter(|(a, b)| a < b && on_crease(&features, field, **a, **b)).map(|(a, b)| [*a, *b]));
        cut(polygon, &at, &mut triangles);
    }
    Net::new(at, features.iter().map(|f| f.rank).collect(), triangles, creases)
}

/// The vertex of a tetrahedron: the crease in it, or else the surface near its middle.
fn place(seed: &Seed, field: &Field) -> Feature {
    let mean = seed.sum / seed.count;
    let meeting = seed.planes.meet(SHARP);
    let near = |x: DVec3| (x - mean).length() < field.size;
    let sharp = (meeting.rank > 1).then(|| {
        let guess = seed.origin + meeting.shift;
        field.feature(if near(guess) { guess } else { mean })
    });
    let found = sharp.flatten().filter(|f| near(f.at));
    found.unwrap_or_else(|| {
        let near = field.approach(mean, seed.normal.normalize_or_zero());
        Feature { at: near.unwrap_or_else(|| field.project(mean)), rank: FACE }
    })
}

/// Whether the surface has a crease along the edge between two vertices.
fn on_crease(features: &[Feature], field: &Field, a: u32, b: u32) -> bool {
    let (a, b) = (features[a as usize], features[b as usize]);
    if a.rank == FACE || b.rank == FACE {
        return false;
    }
    crease_between(field, a.at, b.at)
}

/// Cuts a polygon into the fan whose worst triangle is best.
fn cut(polygon: &[u32], at: &[DVec3], triangles: &mut Vec<[u32; 3]>) {
    let n = polygon.len();
    let fan = |start: usize| (1..n - 1).map(move |k| [0, k, k + 1].map(|j| polygon[(start + j) % n]));
    let worst = |start: usize| fan(start).map(|t| shape(t, at)).fold(f64::INFINITY, f64::min);
    let best = (0..n).map(|s| (worst(s), s)).fold((f64::NEG_INFINITY, 0), |a, b| if b.0 > a.0 { b } else { a });
    triangles.extend(fan(best.1));
}

/// One for an equilateral triangle, zero for a degenerate one: `4√3 A/(a² + b² + c²)`.
fn shape(t: [u32; 3], at: &[DVec3]) -> f64 {
    let [a, b, c] = t.map(|v| at[v as usize]);
    let sides = (b - a).length_squared() + (c - b).length_squared() + (a - c).length_squared();
    if sides > 0.0 { 2.0 * 3f64.sqrt() * (b - a).cross(c - a).length() / sides } else { 0.0 }
}
