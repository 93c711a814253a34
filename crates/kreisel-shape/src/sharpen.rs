//! Creases that the first triangles missed: found where the net bends, and put into it.

use crate::field::{Feature, Field};
use crate::net::{FACE, Hinge, Net};
use kreisel::DVec3;

/// Cosine between the triangles at an edge below which a crease may have been missed: 25°.
const BENT: f64 = 0.9;
/// Height over length of a triangle between three vertices of one crease.
const FLAT: f64 = 0.1;
/// How far a vertex is moved to a crease, in edge lengths.
const REACH: f64 = 0.5;

/// Looks at every bent edge that lies on no crease: marks it, flips it onto one, or moves its ends to one.
pub fn sharpen(net: &mut Net, field: &Field) {
    for [a, b] in net.edges() {
        if net.is_crease(a, b) && is_flat_chord(net, a, b) {
            net.unmark_crease(a, b);
        }
        let Some(hinge) = net.hinge(a, b).filter(|h| is_bent(net, *h) && !net.is_crease(a, b)) else { continue };
        if !field.may_crease(0.5 * (net.at[a as usize] + net.at[b as usize])) {
            continue;
        }
        // A chord is for flipping: the crease goes round it.
        if is_chord(net, hinge) {
            continue;
        }
        if lies_on_crease(net, field, a, b) {
            net.mark_crease(a, b);
        } else if net.can_flip(hinge) && lies_on_crease(net, field, hinge.c, hinge.d) {
            net.flip(hinge);
            net.mark_crease(hinge.c, hinge.d);
        } else {
            move_to_crease(net, field, a);
            move_to_crease(net, field, b);
        }
    }
}

fn is_bent(net: &Net, Hinge { a, b, c, d, .. }: Hinge) -> bool {
    let (left, right) = (net.cross([a, b, c]), net.cross([b, a, d]));
    left.dot(right) < BENT * left.length() * right.length()
}

/// Whether the other two sides of a triangle at an edge lie on creases.
fn is_chord(net: &Net, Hinge { a, b, c, d, .. }: Hinge) -> bool {
    [c, d].iter().any(|&v| net.is_crease(a, v) && net.is_crease(v, b))
}

/// Whether an edge closes a triangle without area whose other sides lie on creases.
fn is_flat_chord(net: &Net, a: u32, b: u32) -> bool {
    let flat = |h: Hinge, v: u32| net.cross([a, b, v]).length() < FLAT * net.length(h.a, h.b).powi(2);
    let round = |v: u32| {
        net.is_crease(a, v) && net.is_crease(v, b) && net.length(a, v).max(net.length(v, b)) < net.length(a, b)
    };
    net.hinge(a, b).is_some_and(|h| [h.c, h.d].iter().any(|&v| round(v) && flat(h, v)))
}

/// Whether the surface has a crease along the line between two vertices.
fn lies_on_crease(net: &Net, field: &Field, a: u32, b: u32) -> bool {
    if net.rank[a as usize] == FACE || net.rank[b as usize] == FACE {
        return false;
    }
    crease_between(field, net.at[a as usize], net.at[b as usize])
}

/// Whether the surface has a crease along the line between two places on creases.
pub fn crease_between(field: &Field, a: DVec3, b: DVec3) -> bool {
    let (middle, length) = (0.5 * (a + b), (a - b).length());
    let close = 0.3 * length + 0.01 * field.size;
    field.feature(middle).is_some_and(|f| (f.at - middle).length() < close)
}

fn move_to_crease(net: &mut Net, field: &Field, v: u32) {
    if net.rank[v as usize] != FACE {
        return;
    }
    let x = net.at[v as usize];
    let Some(Feature { at, rank }) = field.feature(x).filter(|f| (f.at - x).length() < REACH * field.size) else {
        return;
    };
    net.at[v as usize] = at;
    net.rank[v as usize] = rank;
}
