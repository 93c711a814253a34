//! The surface of a box lattice: contact spheres that touch the true surface from inside, and its quadrilaterals.

use crate::discretize::grid::Grid;
use crate::discretize::matter::Matter;
use crate::model::element::NO_ANCHOR;

/// Inward direction of a corner in cells: zero along an axis on which it lies inside.
fn inward(grid: &Grid, p: [u32; 3]) -> [i32; 3] {
    std::array::from_fn(|axis| i32::from(p[axis] == 0) - i32::from(p[axis] == grid.cells[axis]))
}

/// Adds radius, anchor, inset and the surface mark of corner `p`.
///
/// The sphere's centre lies at `t · offset` from the element, `offset` the way to the anchor (one cell inwards along
/// every axis on which the element is outermost). Its distance from those faces is `t a_i`; the nearest of them is
/// touched if `t = r / min a_i`: insets `r`, `√2 r`, `√3 r` on faces, edges and corners of cubic cells.
pub(super) fn add_contact_sphere(grid: &Grid, p: [u32; 3], matter: &mut Matter) {
    let radius = 0.5 * grid.sides.iter().copied().fold(f64::INFINITY, f64::min);
    let offset = inward(grid, p);
    let outermost = || (0..3).filter(|&axis| offset[axis] != 0).map(|axis| grid.sides[axis]);
    let anchor = if offset == [0; 3] { None } else { grid.neighbour(p, offset) };
    let length = outermost().map(|a| a * a).sum::<f64>().sqrt();
    let nearest = outermost().fold(f64::INFINITY, f64::min);
    matter.radii.push(radius);
    matter.anchors.push(anchor.unwrap_or(NO_ANCHOR));
    matter.insets.push(if anchor.is_some() { radius * length / nearest } else { 0.0 });
    matter.surface.push(anchor.is_some());
}

/// The quadrilaterals of all six sides, anticlockwise seen from outside.
pub(super) fn faces(grid: &Grid) -> Vec<[u32; 4]> {
    let mut faces = Vec::new();
    for axis in 0..3 {
        for upper in [false, true] {
            add_side(grid, axis, upper, &mut faces);
        }
    }
    faces
}

/// One side of the box. The two axes that follow `axis` in cyclic order turn anticlockwise seen from above.
fn add_side(grid: &Grid, axis: usize, upper: bool, faces: &mut Vec<[u32; 4]>) {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    for i in 0..grid.cells[u] {
        for j in 0..grid.cells[v] {
            let corner = |du: u32, dv: u32| {
                let mut p = [0; 3];
                p[axis] = if upper { grid.cells[axis] } else { 0 };
                (p[u], p[v]) = (i + du, j + dv);
                grid.index(p)
            };
            let (a, b, c, d) = (corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1));
            faces.push(if upper { [a, b, c, d] } else { [a, d, c, b] });
        }
    }
}
