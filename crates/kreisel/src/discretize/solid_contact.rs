//! Contact spheres of a solid: inside its true surface and touching it, whatever the lattice does.
//!
//! The sphere of an outermost element starts below the nearest point `S` of the surface, `C = S − r N`, with half a cell or
//! half the thickness there as its radius. Where another wall is nearer than `r` (edges, corners) it is pushed off that wall,
//! until it touches all walls or has no more room; its radius is then the distance of `C` from the surface.
//!
//! The centre rides on elements around it by weights that reproduce it, `Σ φ = 1`, `Σ φ X = C`, so that rigid and affine
//! motions carry it along. Of all such weights those with the smallest `Σ φ²/(κ m)` are taken (`κ` a kernel of the distance):
//! `φ_j = κ_j m_j (α + β · X_j)`. Pushes then reach elements by mass, and light ones are not shaken.

use crate::discretize::closest::Tree;
use crate::discretize::matter::Matter;
use crate::discretize::shells::Shells;
use crate::discretize::weighted_cells::{NONE, Wiring};
use crate::linear::eigen::outer;
use crate::model::Surface;
use crate::model::element::{NO_ANCHOR, NO_PERCH};
use glamx::{DMat3, DVec3};
use rayon::prelude::*;

/// Walls that a sphere is pushed off, one after the other.
const MOST_PUSHES: usize = 8;
/// A centre inside a kept cell rides on elements nearer than so many sides of a cell.
const REACH: f64 = 1.5;
/// A centre lies no farther from the middle of the cell that carries it than so many sides.
const FARTHEST: f64 = 1.0;
/// No sphere is smaller than this share of half a cell.
const SMALLEST: f64 = 0.1;

/// The surface of a solid, ready to be asked.
pub(super) struct Skin<'a> {
    /// The surface.
    pub surface: &'a Surface,
    /// Its normals.
    pub shells: &'a Shells,
    /// Its triangles.
    pub tree: &'a Tree<'a>,
}

impl Skin<'_> {
    /// The nearest point of the surface, the outward normal there, and how thick the solid is behind it [m].
    pub fn beneath(&self, x: DVec3, side: f64) -> Option<(DVec3, DVec3, f64)> {
        let near = self.tree.nearest(x)?;
        let normal = self.shells.normal(&near, self.surface);
        let start = 1e-6 * side;
        let thickness = start + self.tree.way_out(near.point - normal * start, -normal);
        Some((near.point, normal, thickness))
    }

    fn distance(&self, x: DVec3) -> f64 {
        self.tree.nearest(x).map_or(0.0, |n| n.distance)
    }

    /// Centre of a sphere below the point of the surface nearest to `x`.
    fn centre(&self, x: DVec3, side: f64) -> DVec3 {
        let Some((on, normal, thickness)) = self.beneath(x, side) else { return x };
        let radius = 0.5 * thickness.min(side);
        let start = on - normal * radius;
        let mut centre = start;
        for _ in 0..MOST_PUSHES {
            let Some(near) = self.tree.nearest(centre) else { break };
            let wall = self.shells.normal(&near, self.surface);
            let outside = wall.dot(centre - near.point) > 0.0;
            if !outside && near.distance > (1.0 - 1e-6) * radius {
                return centre;
            }
            centre = near.point - wall * radius;
        }
        if self.distance(centre) > self.distance(start) { centre } else { start }
    }
}

/// One sphere: radius and what its centre rides on.
struct Sphere {
    radius: f64,
    weights: Vec<(u32, f64)>,
}

/// Adds radii, perches and the marks of a matter that has neither anchors nor insets.
pub(super) fn add_contact_spheres(wiring: &Wiring, skin: &Skin, matter: &mut Matter) {
    let n = matter.len();
    let side = wiring.cells.lattice.sides[0];
    let outermost: Vec<usize> = (0..n).filter(|&e| matter.surface[e]).collect();
    let of_element = |&e: &usize| sphere(wiring, skin, matter, e);
    let spheres: Vec<Sphere> = outermost.par_iter().map(of_element).collect();
    matter.radii = vec![0.5 * side; n];
    matter.anchors = vec![NO_ANCHOR; n];
    matter.insets = vec![0.0; n];
    matter.perch = vec![NO_PERCH; n];
    for (k, (&e, sphere)) in outermost.iter().zip(&spheres).enumerate() {
        matter.radii[e] = sphere.radius;
        matter.perch[e] = k as u32;
        matter.perches.push(sphere.weights.iter().copied());
    }
}

fn sphere(wiring: &Wiring, skin: &Skin, matter: &Matter, e: usize) -> Sphere {
    let lattice = &wiring.cells.lattice;
    let side = lattice.sides[0];
    let wanted = skin.centre(matter.positions.get(e), side);
    let p = cell_near(wiring, e, wanted);
    // Centres that no kept cell is near come nearer: weights stay small.
    let middle = lattice.middle(p);
    let centre = wanted.clamp(middle - FARTHEST * side, middle + FARTHEST * side);
    let radius = skin.distance(centre).clamp(SMALLEST * 0.5 * side, 0.5 * side);
    let beyond = ((centre - middle).abs().max_element() - 0.5 * side).max(0.0);
    Sphere { radius, weights: weights(centre, &carriers(wiring, p), matter, REACH * side + 2.0 * beyond) }
}

/// Elements of a cell and of those around it, ascending: all are joined to the cell's own.
fn carriers(wiring: &Wiring, p: [u32; 3]) -> Vec<u32> {
    let around = (0..27).map(|k| [k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1]);
    let cells = around.filter_map(|way| wiring.cells.neighbour(p, way));
    let mut elements: Vec<u32> = cells.flat_map(|c| wiring.corners[c as usize]).collect();
    elements.sort_unstable();
    elements.dedup();
    elements
}

/// Weights by mass and distance that reproduce a point.
///
/// With `w = κ m`, `W = Σ w`, the mean arm `r̄ = Σ w r/W` from the point and `G = Σ w (r − r̄)(r − r̄)ᵀ`:
/// `φ = w (1/W − r̄ · G⁻¹ (r − r̄))`. A second pass mends what rounding leaves open.
fn weights(point: DVec3, elements: &[u32], matter: &Matter, reach: f64) -> Vec<(u32, f64)> {
    let kernel = |r: DVec3| (1.0 - r.length_squared() / (reach * reach)).max(0.0).powi(2);
    let weigh = |e: u32| {
        let arm = matter.positions.get(e as usize) - point;
        (e, arm, kernel(arm) * matter.masses[e as usize])
    };
    let arms: Vec<(u32, DVec3, f64)> = elements.iter().map(|&e| weigh(e)).filter(|a| a.2 > 0.0).collect();
    let total: f64 = arms.iter().map(|a| a.2).sum();
    let mean = arms.iter().fold(DVec3::ZERO, |s, (_, r, w)| s + *r * *w) / total;
    let spread = arms.iter().fold(DMat3::ZERO, |g, (_, r, w)| g + outer(*r - mean, (*r - mean) * *w));
    let inverse = spread.inverse();
    let mut weights = vec![0.0; arms.len()];
    let (mut missing, mut moment) = (1.0, DVec3::ZERO);
    for _ in 0..2 {
        let slope = inverse * (moment - missing * mean);
        for (weight, (_, r, w)) in weights.iter_mut().zip(&arms) {
            *weight += w * (missing / total + slope.dot(*r - mean));
        }
        missing = 1.0 - weights.iter().sum::<f64>();
        moment = -weights.iter().zip(&arms).fold(DVec3::ZERO, |s, (weight, (_, r, _))| s + *r * *weight);
    }
    arms.iter().map(|a| a.0).zip(weights).collect()
}

/// The kept cell that holds a point, or the nearest one around it, or one of the element's own.
fn cell_near(wiring: &Wiring, e: usize, x: DVec3) -> [u32; 3] {
    let (cells, lattice) = (wiring.cells, &wiring.cells.lattice);
    let home = lattice.cell_of(x);
    let around = (0..27).map(|k| [k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1]);
    let near = around.filter_map(|way| lattice.beside(home, way)).filter(|p| cells.find(*p).is_some());
    let own = wiring.around[e].iter().filter(|&&c| c != NONE).map(|&c| cells.place(c));
    let distance = |p: &[u32; 3]| (lattice.middle(*p) - x).abs().max_element();
    let nearer = |a: [u32; 3], b: [u32; 3]| if distance(&b) < distance(&a) { b } else { a };
    near.reduce(nearer).or_else(|| own.reduce(nearer)).unwrap_or(home)
}
