//! A first direction between two convex solids: distance by GJK, overlap by EPA, both from parry.

use super::{Core, Solid, separation};
use glamx::{DPose3, DQuat, DVec3};
use parry3d_f64::query::details::contact_support_map_support_map_with_params;
use parry3d_f64::query::gjk::{GJKResult, VoronoiSimplex};
use parry3d_f64::shape::SupportMap;

/// A core in units in which the pair is about one large: parry's tolerances are absolute.
struct Scaled<'a>(&'a Core<'a>, f64);

impl SupportMap for Scaled<'_> {
    fn local_support_point(&self, dir: DVec3) -> DVec3 {
        self.0.support(dir) * self.1
    }
}

/// A unit direction from B to A along which they are about as far apart as they can be; nothing if that is surely more than the margin.
/// `hint` is one more direction to consider, should they overlap.
pub(super) fn direction(a: &Solid, b: &Solid, margin: f64, hint: Option<DVec3>) -> Option<DVec3> {
    let scale = 1.0 / (a.reach() + b.reach());
    let turn = a.frame.r.transpose();
    let rotation = DQuat::from_mat3(&(turn * b.frame.r)).normalize();
    let pose = DPose3::from_parts(turn * (b.frame.x - a.frame.x) * scale, rotation);
    let mut simplex = VoronoiSimplex::new();
    let farthest = (margin.max(0.0) + a.radius + b.radius) * scale * (1.0 + 1e-9) + 1e-12;
    let (one, two) = (Scaled(&a.core, scale), Scaled(&b.core, scale));
    let found = contact_support_map_support_map_with_params(&pose, &one, &two, farthest, &mut simplex, None);
    let towards_b = match found {
        GJKResult::ClosestPoints(p, q, n) => {
            // Points far apart tell the direction better than the last simplex does.
            let apart = q - p;
            let clear = apart.length() > 1e-6 && apart.dot(n) > 0.0;
            Some(if clear { apart.normalize() } else { n })
        }
        GJKResult::Proximity(n) => Some(n),
        GJKResult::NoIntersection(n) if separation(a, b, -(a.frame.r * n)) > margin => return None,
        _ => None,
    };
    let n = towards_b.map(|n| -(a.frame.r * n).normalize_or_zero());
    let found = n.filter(|n| n.is_finite() && *n != DVec3::ZERO);
    // EPA may end early when shapes lie inside each other in special positions.
    match found.filter(|n| separation(a, b, *n) > 0.0) {
        Some(n) => Some(n),
        None => Some(among_many(a, b, hint.into_iter().chain(found))),
    }
}

/// The best of the directions given, the line of centres, all axes and the diagonals between them.
fn among_many(a: &Solid, b: &Solid, given: impl Iterator<Item = DVec3>) -> DVec3 {
    let mut best = (f64::MIN, DVec3::Z);
    let mut offer = |n: DVec3| {
        let s = separation(a, b, n);
        if s > best.0 {
            best = (s, n);
        }
    };
    given.chain((a.frame.x - b.frame.x).try_normalize()).for_each(&mut offer);
    for frame in [a.frame, b.frame] {
        for k in (0..27).filter(|k| *k != 13) {
            let steps = DVec3::new(f64::from(k % 3 - 1), f64::from(k / 3 % 3 - 1), f64::from(k / 9 - 1));
            offer(frame.r * steps.normalize());
        }
    }
    best.1
}
