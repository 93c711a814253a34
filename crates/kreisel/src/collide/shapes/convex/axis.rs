//! The direction along which two convex solids are farthest apart, or overlap least.

use super::{Core, Solid, polish, search};
use glamx::DVec3;

/// How much better a direction that is no face normal must be, relative to the size: what rests on a face must not change its mind.
const BIAS: f64 = 1e-5;

/// Faces times corners above which only the faces near the direction found are asked.
const MANY: usize = 4000;

/// Cosine of the angle within which a face is near a direction.
const NEAR: f64 = 0.97;

/// Where a direction comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) enum Kind {
    /// It is against the normal of this face of A.
    FaceOfA(u32),
    /// It is the normal of this face of B.
    FaceOfB(u32),
    /// It belongs to edges, corners or round parts.
    Round,
}

/// A unit direction from B to A, and how far apart the solids are along it; negative: overlap.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Axis {
    pub n: DVec3,
    pub separation: f64,
    pub kind: Kind,
}

/// `min_A n·x − max_B n·x`, the gap between the two planes across `n` that hold the solids apart.
pub(in super::super) fn separation(a: &Solid, b: &Solid, n: DVec3) -> f64 {
    (a.support(-n) - b.support(n)).dot(n) - a.radius - b.radius
}

/// The best direction, or nothing if the solids are farther apart than the margin.
/// The distance of convex solids is the maximum of the separation over all directions; so is, with its sign, the least overlap.
/// Second comes the best direction that stands for edges, corners and round parts, for the case that the face has nothing above it.
pub(in super::super) fn best_axis(a: &Solid, b: &Solid, face: Option<Axis>, margin: f64) -> Option<(Axis, Axis)> {
    let (ra, rb) = (a.reach(), b.reach());
    let start = search::direction(a, b, margin, face.map(|f| f.n))?;
    let face = if many(a, b) { face_along(a, b, Some(start)) } else { face };
    let round = polish::polished(a, b, start);
    let separation = separation(a, b, round);
    if separation >= margin || !round.is_finite() {
        return None;
    }
    let bias = BIAS * ra.min(rb);
    let round = Axis { n: round, separation, kind: Kind::Round };
    let best = face.filter(|f| f.separation >= separation - bias).unwrap_or(round);
    // The search may end in a lesser maximum of a deep overlap.
    let spare = if best.separation > separation + bias { Axis { kind: Kind::Round, ..best } } else { round };
    Some((best, spare))
}

/// The solids are farther apart than the margin.
pub(in super::super) struct Apart;

/// The face normal of either with the greatest separation. Where both do, the one that is no disc holds, then that of the greater solid.
pub(in super::super) fn best_face(a: &Solid, b: &Solid, margin: f64) -> Result<Option<Axis>, Apart> {
    let apart = a.frame.x.distance(b.frame.x) - a.reach() - b.reach();
    if apart >= margin || !apart.is_finite() {
        return Err(Apart);
    }
    let face = if many(a, b) { None } else { face_along(a, b, None) };
    if face.is_some_and(|f| f.separation >= margin) { Err(Apart) } else { Ok(face) }
}

/// True if asking every face would cost more than a search.
fn many(a: &Solid, b: &Solid) -> bool {
    let ((fa, va), (fb, vb)) = (a.core.weight(), b.core.weight());
    fa * vb + fb * va > MANY
}

/// The best face of all, or of those near a direction from B to A.
fn face_along(a: &Solid, b: &Solid, near: Option<DVec3>) -> Option<Axis> {
    let far = |n: DVec3| near.is_some_and(|d| n.dot(d) < NEAR);
    let mut best: Option<Axis> = None;
    let bias = BIAS * a.reach().min(b.reach());
    let disc = |s: &Solid| matches!(s.core, Core::Cylinder(..) | Core::Cone(..));
    let favour_a = if (!disc(a), a.reach()) > (!disc(b), b.reach()) { bias } else { -bias };
    b.core.faces(|k, normal, offset| {
        let n = b.frame.r * normal;
        if far(n) {
            return;
        }
        let separation = (a.support(-n) - b.frame.x).dot(n) - offset - a.radius;
        if best.is_none_or(|old| separation > old.separation) {
            best = Some(Axis { n, separation, kind: Kind::FaceOfB(k) });
        }
    });
    let mut best_a: Option<Axis> = None;
    a.core.faces(|k, normal, offset| {
        let n = -(a.frame.r * normal);
        if far(n) {
            return;
        }
        let separation = (a.frame.x - b.support(n)).dot(n) - offset - b.radius;
        if best_a.is_none_or(|old| separation > old.separation) {
            best_a = Some(Axis { n, separation, kind: Kind::FaceOfA(k) });
        }
    });
    match (best_a, best) {
        (Some(x), Some(y)) => Some(if x.separation + favour_a > y.separation { x } else { y }),
        (x, y) => x.or(y),
    }
}
