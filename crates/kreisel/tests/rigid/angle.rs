//! An angle profile as a mesh, which is not convex.

use kreisel::DVec3;
use kreisel::model::{Shape, TriangleMesh};
use std::sync::Arc;

/// One of this half size [m].
pub fn angle(size: f64) -> Shape {
    let outline = [[-1.0, -1.0], [1.0, -1.0], [1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [-1.0, 1.0]];
    let ring = |y: f64| outline.iter().map(move |[x, z]| DVec3::new(*x, y, *z) * size);
    let fan = [[0, 1, 2], [0, 2, 3], [0, 3, 5], [3, 4, 5]];
    let mut triangles: Vec<[u32; 3]> = fan.to_vec();
    triangles.extend(fan.map(|[a, b, c]| [a + 6, c + 6, b + 6]));
    triangles.extend((0..6).flat_map(|k| [[k, k + 6, (k + 1) % 6], [(k + 1) % 6, k + 6, (k + 1) % 6 + 6]]));
    Shape::Mesh(Arc::new(TriangleMesh::new(ring(-0.8).chain(ring(0.8)).collect(), triangles).unwrap()))
}
