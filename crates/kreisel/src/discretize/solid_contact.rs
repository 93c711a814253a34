//! Contact spheres of a solid: inside its true surface and touching it, whatever the lattice does.
//!
//! The sphere of an outermost element touches the nearest point `S` of the surface from inside: its centre is
//! `C = S − t N` and its radius the distance of `C` from the surface, at most half a cell and half the thickness there.
//! On faces `t = r`; in the wedge of an edge or corner the distance grows with `t` in proportion, `d(t) = t d(r)/r`, so that
//! `t = r²/d(r)` lets the sphere touch the walls. The centre rides on the eight corners of a kept cell by trilinear weights,
//! which reproduce it exactly, so that rigid and affine motions carry it along.

use crate::discretize::closest::Tree;
use crate::discretize::matter::Matter;
use crate::discretize::shells::Shells;
use crate::discretize::weighted_cells::{NONE, Wiring};
use crate::model::Surface;
use crate::model::element::{NO_ANCHOR, NO_PERCH};
use glamx::DVec3;
use rayon::prelude::*;

/// Spheres go no deeper into edges and corners than so many radii.
const DEEPEST: f64 = 2.0;
/// Weights outside a cell stay small while the centre is no farther from its middle than so many sides.
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
        let half = 0.5 * thickness;
        let radius = half.min(0.5 * side);
        let reached = self.distance(on - normal * radius);
        let wedge = if reached > 0.0 { radius * radius / reached } else { radius };
        on - normal * wedge.clamp(radius, (DEEPEST * radius).min(half).max(radius))
    }
}

/// One sphere: radius and what its centre rides on.
struct Sphere {
    radius: f64,
    weights: [(u32, f64); 8],
}

/// Adds radii, perches and the marks of a matter that has neither anchors nor insets.
pub(super) fn add_contact_spheres(wiring: &Wiring, skin: &Skin, matter: &mut Matter) {
    let n = matter.len();
    let side = wiring.cells.lattice.sides[0];
    let outermost: Vec<usize> = (0..n).filter(|&e| matter.surface[e]).collect();
    let positions = &matter.positions;
    let spheres: Vec<Sphere> = outermost.par_iter().map(|&e| sphere(wiring, skin, e, positions.get(e))).collect();
    matter.radii = vec![0.5 * side; n];
    matter.anchors = vec![NO_ANCHOR; n];
    matter.insets = vec![0.0; n];
    matter.perch = vec![NO_PERCH; n];
    for (k, (&e, sphere)) in outermost.iter().zip(&spheres).enumerate() {
        matter.radii[e] = sphere.radius;
        matter.perch[e] = k as u32;
        matter.perches.push(sphere.weights.iter().copied().filter(|w| w.1 != 0.0));
    }
}

fn sphere(wiring: &Wiring, skin: &Skin, e: usize, x: DVec3) -> Sphere {
    let lattice = &wiring.cells.lattice;
    let side = lattice.sides[0];
    let wanted = skin.centre(x, side);
    let (c, p) = cell_near(wiring, e, wanted);
    let u = (lattice.local(wanted) - DVec3::from(p.map(f64::from)))
        .clamp(DVec3::splat(0.5 - FARTHEST), DVec3::splat(0.5 + FARTHEST));
    let weight = |bits: usize| (0..3).map(|k| if bits >> k & 1 == 1 { u[k] } else { 1.0 - u[k] }).product();
    let centre = lattice.corner(p) + u * side;
    let radius = skin.distance(centre).clamp(SMALLEST * 0.5 * side, 0.5 * side);
    Sphere { radius, weights: std::array::from_fn(|bits| (wiring.corners[c][bits], weight(bits))) }
}

/// The kept cell that holds a point, or the nearest one around it, or one of the element's own.
fn cell_near(wiring: &Wiring, e: usize, x: DVec3) -> (usize, [u32; 3]) {
    let (cells, lattice) = (wiring.cells, &wiring.cells.lattice);
    let home = lattice.cell_of(x);
    if let Some(c) = cells.find(home) {
        return (c as usize, home);
    }
    let mut best: Option<(f64, usize, [u32; 3])> = None;
    for k in 0..27 {
        let way = [k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1];
        let Some(p) = lattice.beside(home, way) else { continue };
        let Some(c) = cells.find(p) else { continue };
        let distance = (lattice.middle(p) - x).abs().max_element();
        if best.is_none_or(|b| distance < b.0) {
            best = Some((distance, c as usize, p));
        }
    }
    let (_, c, p) = best.unwrap_or_else(|| own_cell(wiring, e, x));
    (c, p)
}

/// The cell of an element that is nearest to a point.
fn own_cell(wiring: &Wiring, e: usize, x: DVec3) -> (f64, usize, [u32; 3]) {
    let of = |c: u32| {
        let p = wiring.cells.place(c);
        ((wiring.cells.lattice.middle(p) - x).abs().max_element(), c as usize, p)
    };
    let nearer = |a: (f64, usize, [u32; 3]), b: (f64, usize, [u32; 3])| if b.0 < a.0 { b } else { a };
    wiring.around[e].iter().filter(|&&c| c != NONE).map(|&c| of(c)).fold((f64::INFINITY, 0, [0; 3]), nearer)
}
