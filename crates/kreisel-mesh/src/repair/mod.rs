//! Checks and repairs, one per file; `prepare.rs` has their order.

pub mod clean;
pub mod edges;
pub mod flat;
pub mod holes;
pub mod intersect;
pub mod nest;
pub mod orient;
pub mod remesh;
pub mod tetrahedra;
pub mod weld;

use kreisel::DVec3;

/// A surface under repair.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Places, each once.
    pub vertices: Vec<DVec3>,
    /// Triangles.
    pub triangles: Vec<[u32; 3]>,
    /// For every triangle the one of the file that it comes from.
    pub source: Vec<u32>,
}

impl Mesh {
    /// The corners of a triangle.
    pub fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|v| self.vertices[v as usize])
    }

    /// Twice the area times the normal.
    pub fn double_area(&self, triangle: usize) -> DVec3 {
        let [a, b, c] = self.corners(triangle);
        (b - a).cross(c - a)
    }

    /// The area of all triangles.
    pub fn area(&self) -> f64 {
        (0..self.triangles.len()).map(|t| 0.5 * self.double_area(t).length()).sum()
    }

    /// The diagonal of the box around the triangles.
    pub fn diagonal(&self) -> f64 {
        let (low, high) = self.bounds();
        (high - low).length()
    }

    /// The box around the vertices.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let none = (DVec3::splat(f64::INFINITY), DVec3::splat(f64::NEG_INFINITY));
        self.vertices.iter().fold(none, |(low, high), &x| (low.min(x), high.max(x)))
    }
}

/// Items grouped by a key below `keys`, in their order within each group: a counting sort.
pub struct Groups {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Groups {
    /// Groups items `0 … n`.
    pub fn new(keys: usize, n: usize, key: impl Fn(usize) -> usize) -> Self {
        let mut starts = vec![0u32; keys + 1];
        (0..n).for_each(|k| starts[key(k) + 1] += 1);
        (0..keys).for_each(|k| starts[k + 1] += starts[k]);
        let mut next = starts.clone();
        let mut items = vec![0u32; n];
        for k in 0..n {
            let slot = &mut next[key(k)];
            items[*slot as usize] = k as u32;
            *slot += 1;
        }
        Self { starts, items }
    }

    /// The items with this key.
    pub fn of(&self, key: usize) -> &[u32] {
        &self.items[self.starts[key] as usize..self.starts[key + 1] as usize]
    }

    /// How many keys there are.
    pub fn keys(&self) -> usize {
        self.starts.len() - 1
    }
}
