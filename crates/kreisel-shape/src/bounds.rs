//! Boxes that contain the solids.

use crate::{Solid, cow, distance::BLEND_SHARPNESS};
use kreisel::DVec3;

/// A box by its lowest and highest corner.
type Bounds = (DVec3, DVec3);

impl Solid {
    /// An axis-parallel box that contains the solid [m]: lowest and highest corner; not always the smallest one.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        match self {
            Solid::Box { size } => around(0.5 * *size),
            Solid::Sphere { radius } => around(DVec3::splat(*radius)),
            Solid::Cylinder { radius, height } | Solid::Capsule { radius, height } => round(*radius, *height),
            Solid::Torus { radius, thickness } => round(radius + 0.5 * thickness, *thickness),
            Solid::Ellipsoid { radii } => around(*radii),
            Solid::Cone { radius, height, top } => round(radius.max(*top), *height),
            Solid::Limb { from, to, start, end } => join((*from - *start, *from + *start), (*to - *end, *to + *end)),
            Solid::Cow { length } => cow::bounds(*length),
            Solid::Union(parts) => of_all(parts),
            Solid::Intersection(parts) => parts.iter().map(Solid::bounds).reduce(meet).unwrap_or(NOWHERE),
            Solid::Difference(body, _) => body.bounds(),
            Solid::Blend { parts, radius } => {
                // Where n parts coincide, the surface moves out by τ ln n.
                let (low, high) = of_all(parts);
                let out = radius / BLEND_SHARPNESS * (parts.len().max(1) as f64).ln();
                (low - out, high + out)
            }
            Solid::Moved { at, rotation, scale, solid } => {
                let (low, high) = solid.bounds();
                let corner = |k: usize| {
                    let pick = |axis: usize| if k >> axis & 1 == 0 { low[axis] } else { high[axis] };
                    let x = *at + *rotation * (DVec3::new(pick(0), pick(1), pick(2)) * *scale);
                    (x, x)
                };
                (0..8).map(corner).reduce(join).unwrap_or(NOWHERE)
            }
            Solid::Shell { solid, .. } => solid.bounds(),
        }
    }
}

const NOWHERE: Bounds = (DVec3::ZERO, DVec3::ZERO);

fn around(half: DVec3) -> Bounds {
    (-half, half)
}

fn round(radius: f64, height: f64) -> Bounds {
    around(DVec3::new(radius, radius, 0.5 * height))
}

fn of_all(parts: &[Solid]) -> Bounds {
    parts.iter().map(Solid::bounds).reduce(join).unwrap_or(NOWHERE)
}

fn join(a: Bounds, b: Bounds) -> Bounds {
    (a.0.min(b.0), a.1.max(b.1))
}

fn meet(a: Bounds, b: Bounds) -> Bounds {
    let low = a.0.max(b.0);
    (low, low.max(a.1.min(b.1)))
}
