//! What a closed surface is made of: shells, and normals that are right on faces, edges and corners.

use crate::discretize::DiscretizeError;
use crate::discretize::closest::{Feature, Nearest};
use crate::model::{Surface, topology};
use glamx::DVec3;

/// Neighbours and normals of a closed surface.
#[derive(Debug)]
pub(super) struct Shells {
    /// Number of shells that enclose matter; the others are cavities.
    pub outer: usize,
    /// Unit normals of the triangles.
    faces: Vec<DVec3>,
    /// For every triangle those across its three edges.
    across: Vec<[u32; 3]>,
    /// Normals of the vertices: those of their triangles, weighted by the angles there.
    vertices: Vec<DVec3>,
}

/// An edge of a triangle, the smaller vertex first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Edge {
    ends: [u32; 2],
    reversed: bool,
    triangle: u32,
    side: u32,
}

impl Shells {
    /// Looks at a surface; refuses one that is not closed, inside out, or not made of numbers.
    pub fn new(surface: &Surface) -> Result<Self, DiscretizeError> {
        check_numbers(surface)?;
        let across = neighbours(surface)?;
        let faces: Vec<DVec3> = (0..surface.triangles.len()).map(|t| normal(surface.corners(t))).collect();
        let mut vertices = vec![DVec3::ZERO; surface.vertices.len()];
        for (t, triangle) in surface.triangles.iter().enumerate() {
            let corners = surface.corners(t);
            for (k, &v) in triangle.iter().enumerate() {
                vertices[v as usize] += faces[t] * angle(corners, k);
            }
        }
        let shells = Self { outer: count_outer(surface, &across), faces, across, vertices };
        let volume = surface.volume();
        if shells.outer == 0 || volume.is_nan() || volume <= 0.0 {
            return Err(bad(format!("the volume inside is {volume:.3e} m³: the surface is inside out, or flat")));
        }
        Ok(shells)
    }

    /// Outward unit normal at a point of the surface: on edges and corners the mean of the triangles there, weighted by
    /// angle, which tells inside from outside wherever the nearest point lies.
    pub fn normal(&self, at: &Nearest, surface: &Surface) -> DVec3 {
        let t = at.triangle as usize;
        let own = self.faces[t];
        let sum = match at.feature {
            Feature::Face => own,
            Feature::Edge(k) => own + self.faces[self.across[t][k] as usize],
            Feature::Corner(k) => self.vertices[surface.triangles[t][k] as usize],
        };
        sum.try_normalize().unwrap_or(own)
    }
}

fn bad(reason: String) -> DiscretizeError {
    DiscretizeError::BadSurface { reason }
}

fn check_numbers(surface: &Surface) -> Result<(), DiscretizeError> {
    if surface.triangles.is_empty() {
        return Err(bad("it has no triangles".into()));
    }
    if let Some(v) = surface.vertices.iter().position(|x| !x.is_finite() || x.abs().max_element() > 1e100) {
        return Err(bad(format!("vertex {v} is at {}", surface.vertices[v])));
    }
    let count = surface.vertices.len();
    match surface.triangles.iter().position(|t| t.iter().any(|&v| v as usize >= count)) {
        Some(t) => Err(bad(format!("triangle {t} names vertices {:?}, there are {count}", surface.triangles[t]))),
        None => Ok(()),
    }
}

/// For every triangle those across its edges. On a closed surface every edge is passed as often in one direction as in the
/// other.
fn neighbours(surface: &Surface) -> Result<Vec<[u32; 3]>, DiscretizeError> {
    let mut edges = Vec::with_capacity(3 * surface.triangles.len());
    for (t, v) in surface.triangles.iter().enumerate() {
        for side in 0..3 {
            let (a, b) = (v[side], v[(side + 1) % 3]);
            let (triangle, side) = (t as u32, side as u32);
            edges.push(Edge { ends: [a.min(b), a.max(b)], reversed: a > b, triangle, side });
        }
    }
    edges.sort_unstable();
    let mut across = vec![[0; 3]; surface.triangles.len()];
    let (mut open, mut place) = (0, None);
    for around in edges.chunk_by(|a, b| a.ends == b.ends) {
        let (forward, backward) = around.split_at(around.iter().filter(|e| !e.reversed).count());
        if forward.len() != backward.len() {
            open += 1;
            place = place.or(surface.vertices.get(around[0].ends[0] as usize));
        }
        for (a, b) in forward.iter().zip(backward) {
            across[a.triangle as usize][a.side as usize] = b.triangle;
            across[b.triangle as usize][b.side as usize] = a.triangle;
        }
    }
    match place {
        Some(place) => {
            Err(bad(format!("it is not closed: {open} edges have no triangle beyond, one of them at {place} m")))
        }
        None => Ok(across),
    }
}

fn normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a).normalize_or_zero()
}

/// Angle of a triangle at a corner [rad].
fn angle(corners: [DVec3; 3], k: usize) -> f64 {
    let (u, v) = (corners[(k + 1) % 3] - corners[k], corners[(k + 2) % 3] - corners[k]);
    u.cross(v).length().atan2(u.dot(v))
}

/// Shells with a positive volume.
fn count_outer(surface: &Surface, across: &[[u32; 3]]) -> usize {
    let pairs: Vec<[u32; 2]> =
        across.iter().enumerate().flat_map(|(t, others)| others.map(|other| [t as u32, other])).collect();
    let (shell, count) = topology::components(across.len(), &pairs, &[]);
    let origin = surface.vertices.first().copied().unwrap_or_default();
    let mut volumes = vec![0.0; count as usize];
    for (t, &s) in shell.iter().enumerate() {
        let [a, b, c] = surface.corners(t).map(|x| x - origin);
        volumes[s as usize] += a.dot(b.cross(c));
    }
    volumes.into_iter().filter(|v| *v > 0.0).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discretize::closest::Tree;
    use crate::discretize::shapes::{ball, turned_box};
    use glamx::DQuat;

    #[test]
    fn normals_of_a_box_halve_its_edges_and_corners() {
        let surface = turned_box(DVec3::splat(2.0), DQuat::IDENTITY);
        let (shells, tree) = (Shells::new(&surface).unwrap(), Tree::new(&surface));
        for x in [DVec3::new(3.0, 0.1, 0.2), DVec3::new(2.0, -2.0, 0.1), DVec3::new(2.0, -2.0, 2.0)] {
            let normal = shells.normal(&tree.nearest(x).unwrap(), &surface);
            let expected = DVec3::from_array(x.to_array().map(|c| if c.abs() > 1.0 { c.signum() } else { 0.0 }));
            assert!(normal.distance(expected.normalize()) < 1e-12, "{x}: {normal}");
        }
    }

    #[test]
    fn cavities_are_no_outer_shells() {
        let mut surface = ball(1.0, 8);
        let inner = ball(0.5, 8);
        let shift = surface.vertices.len() as u32;
        surface.vertices.extend(&inner.vertices);
        surface.triangles.extend(inner.triangles.iter().map(|&[a, b, c]| [a + shift, c + shift, b + shift]));
        assert_eq!(Shells::new(&surface).unwrap().outer, 1);
        surface.triangles.iter_mut().for_each(|t| t.swap(0, 1));
        assert!(Shells::new(&surface).unwrap_err().to_string().contains("inside out"));
    }

    #[test]
    fn surfaces_that_enclose_nothing_are_refused_with_the_place() {
        let whole = turned_box(DVec3::ONE, DQuat::IDENTITY);
        let refusal = |change: &dyn Fn(&mut Surface)| {
            let mut surface = whole.clone();
            change(&mut surface);
            Shells::new(&surface).unwrap_err().to_string()
        };
        assert!(refusal(&|s| s.triangles.truncate(11)).contains("3 edges"));
        assert!(refusal(&|s| s.triangles.clear()).contains("no triangles"));
        assert!(refusal(&|s| s.triangles[3][1] = 99).contains("triangle 3"));
        assert!(refusal(&|s| s.vertices[5].y = f64::NAN).contains("vertex 5"));
        assert!(refusal(&|s| s.triangles[0].swap(0, 1)).contains("not closed"));
        assert!(refusal(&|s| s.vertices.iter_mut().for_each(|x| x.z = 0.0)).contains("flat"));
    }
}
