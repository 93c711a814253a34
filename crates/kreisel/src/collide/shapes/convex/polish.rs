//! Newton's method for the direction between two convex solids: their support functions have known second derivatives.

use super::{Core, Solid, outward, separation};
use crate::collide::shapes::sign;
use glamx::{DMat3, DVec3};

/// Steps of Newton at most; it is quadratic and starts near.
const MOST_STEPS: usize = 12;

/// A direction within this angle of a kink of the support function is taken to be on it.
const KINK: f64 = 1e-4;

/// The support function near a direction: its second derivative, and the edge (if any) that the direction is orthogonal to.
#[derive(Clone, Copy)]
struct Jet {
    h: DMat3,
    edge: Option<DVec3>,
}

/// The maximum of `D(n) = −h_A(−n) − h_B(n)` on the unit sphere near `n`. The gradient is `g = x_A − x_B`, the difference of the support points;
/// in a basis `T` of the tangents that are orthogonal to the edges in touch, a step is `(Tᵀ(H_A + H_B)T + (g·n) 1) y = Tᵀg`.
/// The answer is never worse than the start.
pub(super) fn polished(a: &Solid, b: &Solid, start: DVec3) -> DVec3 {
    let worse = |n: DVec3| !n.is_finite() || separation(a, b, n) < separation(a, b, start);
    if let Some(n) = on_cone(a, b, start).or_else(|| on_cone(b, a, -start).map(|n| -n)) {
        return if worse(n) { start } else { n };
    }
    let (Some(ja), Some(jb)) = (jet(a, -start), jet(b, start)) else { return start };
    if let (Some(e), Some(f)) = (ja.edge, jb.edge) {
        let n = e.cross(f);
        if n.length() > 1e-3 {
            let n = n.normalize();
            let n = n * sign(n.dot(start));
            return if worse(n) { start } else { n };
        }
    }
    let edge = ja.edge.or(jb.edge);
    let mut n = start;
    for _ in 0..MOST_STEPS {
        n = on_kink(n, edge);
        let (Some(ja), Some(jb)) = (jet(a, -n), jet(b, n)) else { break };
        let step = newton(n, a.support(-n) - b.support(n), ja.h + jb.h, edge);
        n = (n + step.clamp_length_max(0.5)).normalize_or_zero();
        if step.length() < 1e-15 {
            break;
        }
    }
    let n = on_kink(n, edge);
    if worse(n) { start } else { n }
}

/// The side of cone A against smooth parts of B: the direction stays on the circle of the cone's normals, `−n(φ) = R (c cos φ, c sin φ, s)`.
/// The apex rides along, so `D' = g·n'` and `D'' = g·n'' − n'ᵀH_B n'`. Nothing if the direction is not on that circle or B is no smooth there.
fn on_cone(a: &Solid, b: &Solid, start: DVec3) -> Option<DVec3> {
    let Core::Cone(l, r) = a.core else { return None };
    let local = a.frame.turned_back(-start);
    let (c, s) = (2.0 * l / r.hypot(2.0 * l), r / r.hypot(2.0 * l));
    if (local.z - s).abs() > KINK {
        return None;
    }
    let mut u = outward(local);
    let mut n = start;
    for _ in 0..MOST_STEPS {
        n = -(a.frame.r * (u * c + DVec3::Z * s));
        let jb = jet(b, n).filter(|j| j.edge.is_none())?;
        let g = a.frame.to_world(DVec3::Z * l) - b.support(n);
        let t = DVec3::Z.cross(u);
        let (first, second) = (-(a.frame.r * t) * c, a.frame.r * u * c);
        let curvature = g.dot(second) - first.dot(jb.h * first);
        let step = if curvature < 0.0 { -g.dot(first) / curvature } else { 0.0 };
        u = (u + t * step.clamp(-0.3, 0.3)).normalize_or(u);
        if step.abs() < 1e-15 {
            break;
        }
    }
    Some(n)
}

fn on_kink(n: DVec3, edge: Option<DVec3>) -> DVec3 {
    edge.map_or(n, |e| (n - e * e.dot(n)).normalize_or_zero())
}

/// The step `T y` in the tangent plane, or in the one tangent across the edge.
fn newton(n: DVec3, g: DVec3, h: DMat3, edge: Option<DVec3>) -> DVec3 {
    let gap = g.dot(n);
    if let Some(e) = edge {
        let t = n.cross(e);
        let stiff = t.dot(h * t) + gap;
        return if stiff > 0.0 { t * (t.dot(g) / stiff) } else { DVec3::ZERO };
    }
    let (s, t) = n.any_orthonormal_pair();
    let (hs, ht) = (h * s, h * t);
    let (ss, st, tt) = (s.dot(hs) + gap, s.dot(ht), t.dot(ht) + gap);
    let det = ss * tt - st * st;
    if det <= 0.0 || ss <= 0.0 {
        return DVec3::ZERO;
    }
    let (gs, gt) = (s.dot(g), t.dot(g));
    s * ((tt * gs - st * gt) / det) + t * ((ss * gt - st * gs) / det)
}

/// The jet of a solid in a direction of the world; nothing where the direction belongs to a face or to the side of a cone.
fn jet(solid: &Solid, d: DVec3) -> Option<Jet> {
    let local = solid.core.jet(solid.frame.turned_back(d))?;
    let r = solid.frame.r;
    Some(Jet { h: r * local.h * r.transpose(), edge: local.edge.map(|e| r * e) })
}

impl Core<'_> {
    fn jet(&self, d: DVec3) -> Option<Jet> {
        let flat = |edge: Option<DVec3>| Some(Jet { h: DMat3::ZERO, edge });
        let along_z = (d.z.abs() < KINK).then_some(DVec3::Z);
        match *self {
            Self::Segment(l) => flat(along_z.filter(|_| l > 0.0)),
            Self::Box(_) => {
                let mut small = (0..3).filter(|&i| d[i].abs() < KINK);
                match (small.next(), small.next()) {
                    (Some(_), Some(_)) => None,
                    (first, _) => flat(first.map(|i| DVec3::AXES[i])),
                }
            }
            Self::Ellipsoid(a) => {
                let x = a * (a * d).normalize_or_zero();
                let outer = DMat3::from_cols(x * x.x, x * x.y, x * x.z);
                Some(Jet { h: (DMat3::from_diagonal(a * a) - outer) * (1.0 / (a * d).length()), edge: None })
            }
            Self::Cylinder(_, r) => Some(Jet { h: circle(d, r)?, edge: along_z }),
            Self::Cone(l, r) => {
                let across = d.x.hypot(d.y);
                let over = 2.0 * l * d.z - r * across;
                match over.abs() < KINK * l.hypot(r) {
                    true => None,
                    false if over > 0.0 => flat(None),
                    false => Some(Jet { h: circle(d, r)?, edge: None }),
                }
            }
            Self::Hull(p) => corners(p.vertices(), d).and_then(flat),
            Self::Triangle(t, _) => corners(&t, d).and_then(flat),
        }
    }
}

/// Second derivative of the support function `r √(d_x² + d_y²)` of a circle; nothing near its axis.
fn circle(d: DVec3, r: f64) -> Option<DMat3> {
    let across = d.x.hypot(d.y);
    let t = DVec3::Z.cross(outward(d));
    (across > KINK).then(|| DMat3::from_cols(t * t.x, t * t.y, t * t.z) * (r / across))
}

/// The edge between the farthest corners, if there are two; nothing if there are more: a face.
fn corners(points: &[DVec3], d: DVec3) -> Option<Option<DVec3>> {
    let top = points.iter().map(|p| p.dot(d)).fold(f64::MIN, f64::max);
    let first = points.iter().find(|p| p.dot(d) == top)?;
    let near = |p: &&DVec3| *p != first && top - p.dot(d) < KINK * p.distance(*first);
    let mut others = points.iter().filter(near);
    let second = others.next();
    if others.next().is_some() {
        return None;
    }
    Some(second.and_then(|p| (*p - *first).try_normalize()))
}
