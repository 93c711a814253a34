//! Rays through triangles.

use super::tree::{Extent, Tree};
use kreisel::DVec3;

/// A ray that passes an edge closer than this share of the triangle is undecided.
const EDGE: f64 = 1e-9;

/// Calls `hit` with every triangle that a ray passes; false if it runs along or too close to an edge to tell.
pub fn cast(tree: &Tree, from: DVec3, along: DVec3, mut hit: impl FnMut(u32)) -> bool {
    let inverse = along.recip();
    let mut stack = vec![1usize];
    while let Some(node) = stack.pop() {
        if !meets(&tree.boxes[node], from, inverse) {
            continue;
        }
        if node < tree.first_leaf {
            stack.extend([2 * node, 2 * node + 1]);
            continue;
        }
        for k in tree.leaf(node) {
            match passes(&tree.corners[k], from, along) {
                Some(true) => hit(tree.order[k]),
                Some(false) => {}
                None => return false,
            }
        }
    }
    true
}

fn meets(b: &Extent, from: DVec3, inverse: DVec3) -> bool {
    let (one, other) = ((b.low - from) * inverse, (b.high - from) * inverse);
    let (near, far) = (one.min(other).max_element(), one.max(other).min_element());
    far >= near.max(0.0)
}

/// Whether the ray passes the triangle [MT97]; nothing if that is too close to tell.
fn passes([a, b, c]: &[DVec3; 3], from: DVec3, along: DVec3) -> Option<bool> {
    let (e1, e2) = (*b - *a, *c - *a);
    let p = along.cross(e2);
    let determinant = e1.dot(p);
    let s = from - *a;
    if determinant.abs() <= 1e-14 * e1.length() * e2.length() * along.length() {
        return Some(false); // parallel, or a triangle without area
    }
    let u = s.dot(p) / determinant;
    let q = s.cross(e1);
    let v = along.dot(q) / determinant;
    if u < -EDGE || v < -EDGE || u + v > 1.0 + EDGE {
        return Some(false);
    }
    let t = e2.dot(q) / determinant;
    if t < 0.0 {
        return Some(false);
    }
    let inside = u > EDGE && v > EDGE && u + v < 1.0 - EDGE;
    inside.then_some(true)
}
