//! The first triangles around any solid: the dual of marching tetrahedra.
//!
//! Space is cut into cubes, each cube into the six tetrahedra of its ways from the lowest corner to the highest. A
//! tetrahedron whose corners differ in sign holds one vertex; an edge whose ends differ in sign is surrounded by the
//! polygon of the vertices of the tetrahedra around it. Tetrahedra have no ambiguous signs, hence the polygons form a
//! closed manifold; two of them share at most one side, hence any triangulation of them is one, too.

use crate::{ShapeError, eigen::Planes, field::Field, mesher::MOST_TRIANGLES};
use kreisel::DVec3;
use std::collections::HashMap;

/// Cells along the edge of a block; blocks that the surface does not meet are skipped.
const BLOCK: i64 = 4;
/// Longest row of cells: their numbers must fit into a key.
const LONGEST: f64 = 1e5;
/// How well crossings are found, in edge lengths; the vertices made of them are put on the surface later.
const CROSSING: f64 = 1e-3;
/// Orders in which a way through a cell may take the axes.
const WAYS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// A dual vertex: the crossings it is made of.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seed {
    /// Sum of the crossings [m].
    pub sum: DVec3,
    /// Their number.
    pub count: f64,
    /// Sum of the directions outward there.
    pub normal: DVec3,
    /// Planes at the crossings, relative to `origin`.
    pub planes: Planes,
    /// First crossing [m].
    pub origin: DVec3,
}

/// Dual vertices and the polygons around edges, anticlockwise from outside.
#[derive(Default)]
pub struct Polygons {
    /// Vertices.
    pub seeds: Vec<Seed>,
    /// Numbers of vertices, four or six each.
    pub polygons: Vec<Vec<u32>>,
}

/// A tetrahedron beside an edge: cell relative to the edge's first node, and which way.
type Neighbour = ([i64; 3], usize);

struct Grid<'a> {
    field: &'a Field<'a>,
    origin: DVec3,
    step: f64,
    around: [Vec<Neighbour>; 7],
    vertices: HashMap<u64, u32>,
    found: Polygons,
    most: usize,
}

/// Polygons around the solid, from cells of edge `step`.
pub fn polygons(field: &Field, bounds: (DVec3, DVec3), step: f64) -> Result<Polygons, ShapeError> {
    // Offsets that are no simple fraction keep faces of the solid off the nodes.
    let origin = bounds.0 - step * DVec3::new(2.3819660, 2.4142136, 2.3027756);
    let cells = ((bounds.1 - origin) / step + 3.0).max_element();
    let extent = (bounds.1 - bounds.0).max_element();
    if cells.is_nan() || cells > LONGEST {
        let triangles = 2.0 * cells * cells;
        return Err(too_fine(field.size, extent, triangles));
    }
    let blocks = (cells / BLOCK as f64).ceil() as i64;
    let most = MOST_TRIANGLES as usize;
    let around = std::array::from_fn(|k| neighbours(k + 1));
    let mut grid = Grid { field, origin, step, around, vertices: HashMap::new(), found: Polygons::default(), most };
    let size = (blocks as u64).next_power_of_two() as i64 * BLOCK;
    if !grid.descend([0; 3], size) {
        return Err(too_fine(field.size, extent, 2.0 * cells * cells));
    }
    if grid.found.polygons.is_empty() { Err(ShapeError::Empty { size: field.size, extent }) } else { Ok(grid.found) }
}

/// The refusal of too many triangles, with an edge length that would do.
pub fn too_fine(size: f64, extent: f64, triangles: f64) -> ShapeError {
    let limit = MOST_TRIANGLES;
    let triangles = triangles.max(limit);
    ShapeError::TooFine { size, extent, triangles, limit, advice: size * (1.1 * triangles / limit).sqrt() }
}

impl Grid<'_> {
    fn node(&self, n: [i64; 3]) -> DVec3 {
        self.origin + self.step * DVec3::new(n[0] as f64, n[1] as f64, n[2] as f64)
    }

    /// Goes down to the blocks that the surface may meet; false if there are too many.
    fn descend(&mut self, low: [i64; 3], size: i64) -> bool {
        let half = 0.5 * size as f64 * self.step;
        let centre = self.node(low) + half;
        if self.field.far_distance(centre).abs() > 1.7321 * 1.001 * half {
            return true;
        }
        if size <= BLOCK {
            self.scan(low);
            return self.found.polygons.len() <= self.most;
        }
        (0..8).all(|k| {
            let corner: [i64; 3] = std::array::from_fn(|axis| low[axis] + (k >> axis & 1) * size / 2);
            self.descend(corner, size / 2)
        })
    }

    /// Finds the edges with a change of sign in one block.
    fn scan(&mut self, low: [i64; 3]) {
        const N: usize = BLOCK as usize + 1;
        let index = |n: [i64; 3]| (n[0] as usize * N + n[1] as usize) * N + n[2] as usize;
        let mut distance = [0.0; N * N * N];
        for n in cube(N as i64) {
            distance[index(n)] = self.field.distance(self.node(plus(low, n)));
        }
        for n in cube(BLOCK) {
            for edge in 1..8 {
                let end = plus(n, along(edge));
                let ends = [distance[index(n)], distance[index(end)]];
                if (ends[0] < 0.0) != (ends[1] < 0.0) {
                    self.add_polygon(plus(low, n), edge, ends);
                }
            }
        }
    }

    fn add_polygon(&mut self, node: [i64; 3], edge: usize, ends: [f64; 2]) {
        let (a, b) = (self.node(node), self.node(plus(node, along(edge))));
        let starts_inside = ends[0] < 0.0;
        let p = self.field.crossing((a, ends[0]), (b, ends[1]), CROSSING);
        // Where no crease can be, the way out along the edge is normal enough.
        let out = if starts_inside { (b - a).normalize() } else { (a - b).normalize() };
        let n = if self.field.may_crease(p) { self.field.normal(p) } else { out };
        let around = std::mem::take(&mut self.around[edge - 1]);
        let mut polygon: Vec<u32> = around.iter().map(|t| self.vertex(node, t, p, n)).collect();
        self.around[edge - 1] = around;
        if !starts_inside {
            polygon.reverse();
        }
        self.found.polygons.push(polygon);
    }

    fn vertex(&mut self, node: [i64; 3], (offset, way): &Neighbour, p: DVec3, n: DVec3) -> u32 {
        let cell = plus(node, *offset).map(|c| (c + 2) as u64);
        let key = (cell[0] << 40 | cell[1] << 20 | cell[2]) * 6 + *way as u64;
        let seeds = &mut self.found.seeds;
        let number = *self.vertices.entry(key).or_insert_with(|| {
            seeds.push(Seed { origin: p, ..Seed::default() });
            seeds.len() as u32 - 1
        });
        let seed = &mut seeds[number as usize];
        seed.sum += p;
        seed.normal += n;
        seed.count += 1.0;
        seed.planes.add(p - seed.origin, n);
        number
    }
}

fn cube(n: i64) -> impl Iterator<Item = [i64; 3]> {
    (0..n * n * n).map(move |k| [k / (n * n), k / n % n, k % n])
}

fn plus(a: [i64; 3], b: [i64; 3]) -> [i64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// The direction of an edge: bit k of its number says whether it goes along axis k.
fn along(edge: usize) -> [i64; 3] {
    std::array::from_fn(|axis| (edge >> axis & 1) as i64)
}

/// The tetrahedra around an edge, anticlockwise seen from its end.
fn neighbours(edge: usize) -> Vec<Neighbour> {
    let mut found = Vec::new();
    for before in (0..8).filter(|before| before & edge == 0) {
        for (number, way) in WAYS.iter().enumerate() {
            let nodes = nodes_of(way);
            if nodes.contains(&before) && nodes.contains(&(before | edge)) {
                found.push((along(before).map(|c| -c), number));
            }
        }
    }
    let axis = vector(along(edge)).normalize();
    let u = axis.any_orthonormal_vector();
    let v = axis.cross(u);
    let angle = |(cell, way): &Neighbour| {
        let centre: DVec3 = nodes_of(&WAYS[*way]).iter().map(|n| vector(plus(*cell, along(*n)))).sum::<DVec3>() / 4.0;
        centre.dot(v).atan2(centre.dot(u))
    };
    found.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    found
}

/// The corners along a way: ∅, one axis, two axes, all three, as bits.
fn nodes_of(way: &[usize; 3]) -> [usize; 4] {
    [0, 1 << way[0], 1 << way[0] | 1 << way[1], 7]
}

fn vector(n: [i64; 3]) -> DVec3 {
    DVec3::new(n[0] as f64, n[1] as f64, n[2] as f64)
}
