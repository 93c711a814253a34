//! A closed surface around the marked points of a grid: every cell is cut into six tetrahedra [Kuh60], and every
//! tetrahedron into the part around its marked corners. The result is always closed and manifold.

use super::Mesh;
use kreisel::DVec3;
use std::collections::HashMap;

/// A grid of points.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// The first point.
    pub low: DVec3,
    /// Distance of points.
    pub step: f64,
    /// Number of points along each axis.
    pub points: [usize; 3],
}

impl Grid {
    /// Number of all points.
    pub fn len(&self) -> usize {
        self.points.iter().product()
    }

    /// The number of a point.
    pub fn index(&self, p: [usize; 3]) -> usize {
        (p[2] * self.points[1] + p[1]) * self.points[0] + p[0]
    }

    /// Where a point is.
    pub fn place(&self, p: [usize; 3]) -> DVec3 {
        self.low + self.step * DVec3::from_array(p.map(|k| k as f64))
    }
}

/// The six ways from corner 0 of a cell to corner 7, one axis (bit) after the other.
const PATHS: [[usize; 4]; 6] = [[0, 1, 3, 7], [0, 1, 5, 7], [0, 2, 3, 7], [0, 2, 6, 7], [0, 4, 5, 7], [0, 4, 6, 7]];

/// A corner of a cell.
fn corner(cell: [usize; 3], c: usize) -> [usize; 3] {
    [cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2 & 1)]
}

/// The surface between marked and other points; `cut(a, b)` says how far from the marked `a` to `b` it lies, 0 … 1.
/// No point at the rim of the grid may be marked.
pub fn surround(grid: &Grid, marked: &[bool], cut: impl Fn(DVec3, DVec3) -> f64) -> Mesh {
    let mut builder = Builder { grid, cut, mesh: Mesh::default(), at: HashMap::new() };
    let cells = grid.points.map(|n| n.saturating_sub(1));
    for z in 0..cells[2] {
        for y in 0..cells[1] {
            for x in 0..cells[0] {
                let inside: [bool; 8] = std::array::from_fn(|c| marked[grid.index(corner([x, y, z], c))]);
                if inside.iter().any(|&i| i != inside[0]) {
                    PATHS.iter().for_each(|path| builder.tetrahedron([x, y, z], path, &inside));
                }
            }
        }
    }
    builder.mesh
}

struct Builder<'a, F> {
    grid: &'a Grid,
    cut: F,
    mesh: Mesh,
    at: HashMap<(usize, usize), u32>,
}

impl<F: Fn(DVec3, DVec3) -> f64> Builder<'_, F> {
    fn tetrahedron(&mut self, cell: [usize; 3], path: &[usize; 4], inside: &[bool; 8]) {
        let (within, without): (Vec<usize>, Vec<usize>) = path.iter().partition(|&&c| inside[c]);
        let outwards = mean(&without) - mean(&within);
        match (within.as_slice(), without.as_slice()) {
            (&[a], &[p, q, r]) => self.triangle(cell, [(a, p), (a, q), (a, r)], outwards),
            (&[a, b, c], &[p]) => self.triangle(cell, [(a, p), (b, p), (c, p)], outwards),
            (&[a, b], &[p, q]) => {
                self.triangle(cell, [(a, p), (b, p), (b, q)], outwards);
                self.triangle(cell, [(a, p), (b, q), (a, q)], outwards);
            }
            _ => {}
        }
    }

    /// A triangle between the middles of three edges, turned outwards.
    fn triangle(&mut self, cell: [usize; 3], edges: [(usize, usize); 3], outwards: DVec3) {
        let [a, b, c] = edges.map(|(i, o)| mean(&[i, o]));
        let mut vertices = edges.map(|(i, o)| self.vertex(corner(cell, i), corner(cell, o)));
        if (b - a).cross(c - a).dot(outwards) < 0.0 {
            vertices.swap(1, 2);
        }
        self.mesh.triangles.push(vertices);
        self.mesh.source.push(0);
    }

    fn vertex(&mut self, inside: [usize; 3], outside: [usize; 3]) -> u32 {
        let key = (self.grid.index(inside), self.grid.index(outside));
        if let Some(&known) = self.at.get(&key) {
            return known;
        }
        let (a, b) = (self.grid.place(inside), self.grid.place(outside));
        let number = self.mesh.vertices.len() as u32;
        self.mesh.vertices.push(a + (b - a) * (self.cut)(a, b));
        self.at.insert(key, number);
        number
    }
}

/// Mean of corners of the unit cell.
fn mean(corners: &[usize]) -> DVec3 {
    let sum: DVec3 = corners.iter().map(|&c| DVec3::from_array(corner([0; 3], c).map(|k| k as f64))).sum();
    sum / corners.len() as f64
}
