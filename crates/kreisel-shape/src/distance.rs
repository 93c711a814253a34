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
}

fn nearest(parts: &[Solid], p: DVec3) -> f64 {
    parts.iter().map(|s| s.distance(p)).fold(f64::INFINITY, f64::min)
}

/// How much sharper than its radius a blend is: two equal distances d give `d − τ ln 2 = d − radius/4`.
pub const BLEND_SHARPNESS: f64 = 4.0 * std::f64::consts::LN_2;

/// Smooth minimum `d = −τ ln Σ exp(−dᵢ/τ)`: its gradient is a convex combination of the parts' gradients, so a blend of
/// distances stays 1-Lipschitz, and the order of the parts does not matter.
fn blend(parts: &[Solid], radius: f64, p: DVec3) -> f64 {
    let tau = radius / BLEND_SHARPNESS;
    // The running minimum m and Σ exp((m − dᵢ)/τ).
    let (mut m, mut sum) = (f64::INFINITY, 0.0);
    for part in parts {
        let d = part.distance(p);
        if d < m {
            sum = sum * ((d - m) / tau).exp() + 1.0;
            m = d;
        } else {
            sum += ((m - d) / tau).exp();
        }
    }
    m - tau * sum.max(1.0).ln()
}
