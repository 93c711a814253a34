//! Surfaces of triangles: what a body looks like, and what it is cut into elements from.

use glamx::DVec3;
use serde::{Deserialize, Serialize};

/// A surface of triangles. A closed one is anticlockwise seen from outside; cavities are shells turned inwards.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Surface {
    /// Vertices, each place once [m].
    pub vertices: Vec<DVec3>,
    /// Triangles: numbers of vertices.
    pub triangles: Vec<[u32; 3]>,
    /// Named runs of triangles (objects, groups, materials of a mesh file); empty: one without a name.
    pub parts: Vec<SurfacePart>,
    /// How the file that it came from numbered its vertices, for the way out.
    pub trace: SurfaceTrace,
}

/// A named run of triangles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SurfacePart {
    /// Its name.
    pub name: String,
    /// Its first triangle.
    pub first: u32,
    /// How many triangles.
    pub count: u32,
}

/// What welding would forget: the file's own vertices and texture coordinates.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SurfaceTrace {
    /// For every vertex of the file, in its order, the vertex of the surface; empty: they are the same.
    pub vertices: Vec<u32>,
    /// For every triangle the vertices of the file; empty: the triangles of the surface.
    pub corners: Vec<[u32; 3]>,
    /// Texture coordinates; empty: none.
    pub uvs: Vec<[f64; 2]>,
    /// For every triangle its texture coordinates, numbers in `uvs`; empty if there are none.
    pub uv_corners: Vec<[u32; 3]>,
}

impl Surface {
    /// The corners of a triangle [m].
    pub fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|v| self.vertices[v as usize])
    }

    /// Volume inside [m³] by Gauss's theorem, `V = ⅙ Σ a · (b × c)`; negative if the surface is inside out.
    pub fn volume(&self) -> f64 {
        let origin = self.vertices.first().copied().unwrap_or_default();
        let sixfold = |t: usize| {
            let [a, b, c] = self.corners(t).map(|x| x - origin);
            a.dot(b.cross(c))
        };
        (0..self.triangles.len()).map(sixfold).sum::<f64>() / 6.0
    }

    /// Smallest axis-parallel box around the vertices [m]; reversed infinities if there are none.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let none = (DVec3::splat(f64::INFINITY), DVec3::splat(f64::NEG_INFINITY));
        self.vertices.iter().fold(none, |(low, high), &x| (low.min(x), high.max(x)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tetrahedron_has_a_sixth_of_the_cube_and_the_negative_inside_out() {
        let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].into_iter().map(|x| x + 7.0).collect();
        let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let mut surface = Surface { vertices, triangles, ..Surface::default() };
        assert!((surface.volume() - 1.0 / 6.0).abs() < 1e-15);
        surface.triangles.iter_mut().for_each(|t| t.swap(0, 1));
        assert!((surface.volume() + 1.0 / 6.0).abs() < 1e-15);
        assert_eq!(surface.bounds(), (DVec3::splat(7.0), DVec3::splat(8.0)));
    }
}
