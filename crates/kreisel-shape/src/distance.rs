//! Signed distance of a solid.

use crate::{Solid, cow, primitives};
use kreisel::DVec3;

impl Solid {
    /// Signed distance to the surface [m], negative inside. Exact for primitives, unions (outside) and whatever moves
    /// them; otherwise a bound with the right sign that never exceeds the distance: moving by s changes it by s at most.
    pub fn distance(&self, p: DVec3) -> f64 {
        match self {
            Solid::Box { size } => primitives::cuboid(p, *size),
            Solid::Sphere { radius } => p.length() - radius,
            Solid::Cylinder { radius, height } => primitives::cylinder(p, *radius, *height),
            Solid::Capsule { radius, height } => primitives::capsule(p, *radius, *height),
            Solid::Torus { radius, thickness } => primitives::torus(p, *radius, *thickness),
            Solid::Ellipsoid { radii } => primitives::ellipsoid(p, *radii),
            Solid::Cone { radius, height, top } => primitives::cone(p, *radius, *height, *top),
            Solid::Limb { from, to, start, end } => primitives::limb(p, *from, *to, *start, *end),
            Solid::Cow { length } => cow::distance(p, *length),
            Solid::Union(parts) => nearest(parts, p),
            Solid::Intersection(parts) => parts.iter().map(|s| s.distance(p)).fold(f64::NEG_INFINITY, f64::max),
            Solid::Difference(body, holes) => body.distance(p).max(-nearest(holes, p)),
            Solid::Blend { parts, radius } => blend(parts, *radius, p),
            Solid::Moved { at, rotation, scale, solid } => {
                scale * solid.distance(rotation.inverse() * (p - at) / scale)
            }
            Solid::Shell { solid, wall } => {
                let d = solid.distance(p);
                d.max(-(d + wall))
            }
        }
    }

    /// Whether a crease of the surface may lie within `reach` of a place near the surface.
    pub(crate) fn may_crease(&self, p: DVec3, reach: f64) -> bool {
        let near = |s: &Solid, reach: f64| s.distance(p).abs() < reach;
        match self {
            Solid::Box { .. } | Solid::Cylinder { .. } | Solid::Cone { .. } => near(self, reach),
            Solid::Sphere { .. } | Solid::Capsule { .. } | Solid::Torus { .. } => false,
            Solid::Ellipsoid { .. } | Solid::Limb { .. } => false,
            Solid::Cow { length } => cow::may_crease(p, reach, *length),
            Solid::Union(parts) | Solid::Intersection(parts) => {
                parts.iter().filter(|s| near(s, reach)).count() > 1 || parts.iter().any(|s| s.may_crease(p, reach))
            }
            Solid::Difference(body, holes) => {
                let parts = || std::iter::once(&**body).chain(holes);
                parts().filter(|s| near(s, reach)).count() > 1 || parts().any(|s| s.may_crease(p, reach))
            }
            Solid::Blend { parts, radius } => parts.iter().any(|s| s.may_crease(p, reach + radius)),
            Solid::Moved { at, rotation, scale, solid } => {
                solid.may_crease(rotation.inverse() * (p - at) / scale, reach / scale)
            }
            Solid::Shell { solid, wall } => solid.may_crease(p, reach + wall),
        }
    }
}

fn nearest(parts: &[Solid], p: DVec3) -> f64 {
    parts.iter().map(|s| s.distance(p)).fold(f64::INFINITY, f64::min)
}

/// How much sharper than its radius a blend is: two equal distances d give `d − τ ln 2 = d − radius/4`.
pub const BLEND_SHARPNESS: f64 = 4.0 * std::f64::consts::LN_2;

/// Parts farther than this many τ beyond the nearest do not take part in a blend.
pub const FARTHEST: f64 = 8.0;

/// Smooth minimum `d = m − τ ln Σ wᵢ`, `wᵢ = (exp((m − dᵢ)/τ) − ε)₊/(1 − ε)`, m the least of the dᵢ and ε = exp(−8): its
/// gradient is a convex combination of the parts' gradients, so a blend of distances stays 1-Lipschitz; the order of the
/// parts does not matter; those far away cost nothing.
fn blend(parts: &[Solid], radius: f64, p: DVec3) -> f64 {
    let tau = radius / BLEND_SHARPNESS;
    let mut m = f64::INFINITY;
    let mut distances = Vec::with_capacity(parts.len());
    for part in parts {
        let d = part.distance(p);
        m = m.min(d);
        distances.push(d);
    }
    let least = (-FARTHEST).exp();
    let near = distances.iter().filter(|d| **d < m + FARTHEST * tau);
    let sum: f64 = near.map(|d| ((m - d) / tau).exp() - least).sum();
    m - tau * (sum / (1.0 - least)).max(1.0).ln()
}
