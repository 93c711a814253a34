//! Triangles without area whose corners are apart lie along an edge: the neighbour beyond it takes their middle corner.

use super::Mesh;
use super::edges::{OPEN, Twins, ends, next};

/// A triangle is flat if its height is less than this share of its longest side.
const FLAT: f64 = 1e-10;
/// More triangles than this around a corner are not looked at.
const MOST_AROUND: usize = 1000;

/// Takes flat triangles out of an oriented surface, and returns how many, and how many are left.
///
/// `t = (p, q, r)` with `r` upon the side `pq`, and its neighbour `u = (q, p, s)`, become `(p, s, r)` and `(s, q, r)`:
/// the side `pq` is replaced by `rs`. That moves nothing.
pub fn take_out(mesh: &mut Mesh, twins: &mut Twins) -> (usize, usize) {
    let (mut done, mut left) = (0, 0);
    for t in 0..mesh.triangles.len() as u32 {
        match longest_side(mesh, t) {
            Some(half) if flip(mesh, twins, half) => done += 1,
            Some(_) => left += 1,
            None => {}
        }
    }
    (done, left)
}

/// The longest side of a flat triangle; nothing if it has an area.
fn longest_side(mesh: &Mesh, t: u32) -> Option<u32> {
    let length = |h: &u32| {
        let (a, b) = ends(mesh, *h);
        mesh.vertices[a as usize].distance_squared(mesh.vertices[b as usize])
    };
    let half = (3 * t..3 * t + 3).max_by(|a, b| length(a).total_cmp(&length(b)))?;
    (mesh.double_area(t as usize).length() <= FLAT * length(&half)).then_some(half)
}

fn flip(mesh: &mut Mesh, twins: &mut Twins, half: u32) -> bool {
    let other = twins.of[half as usize];
    if other == OPEN {
        return false;
    }
    let (t, u) = (half / 3, other / 3);
    let ((p, q), r, s) = (ends(mesh, half), ends(mesh, next(half)).1, ends(mesh, next(other)).1);
    if t == u || r == s || !is_free(mesh, twins, next(half), s) {
        return false;
    }
    let outer = [next(other), next(next(half)), next(next(other)), next(half)].map(|h| twins.of[h as usize]);
    let [ps, rp, sq, qr] = outer;
    mesh.triangles[t as usize] = [p, s, r];
    mesh.triangles[u as usize] = [s, q, r];
    let mut pair = |a: u32, b: u32| {
        twins.of[a as usize] = b;
        if b != OPEN {
            twins.of[b as usize] = a;
        }
    };
    pair(3 * t, ps);
    pair(3 * t + 2, rp);
    pair(3 * u, sq);
    pair(3 * u + 1, qr);
    pair(3 * t + 1, 3 * u + 2);
    true
}

/// Whether no edge joins the end of a half-edge with `other` yet; no if that cannot be told.
fn is_free(mesh: &Mesh, twins: &Twins, half: u32, other: u32) -> bool {
    let mut at = half;
    for _ in 0..MOST_AROUND {
        let away = next(at);
        if ends(mesh, away).1 == other {
            return false;
        }
        at = twins.of[away as usize];
        if at == OPEN {
            return false;
        }
        if at == half {
            return true;
        }
    }
    false
}
