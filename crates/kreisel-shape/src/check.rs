//! Whether a solid can be what it says.

use crate::{ShapeError, Solid};
use kreisel::DVec3;

/// Deepest nesting: the recursion must fit on any stack.
const DEEPEST: usize = 64;
/// Most solids in one: each of them is asked for each distance.
const MOST_PARTS: usize = 100_000;
/// Sizes beyond this overflow when they are squared and multiplied.
const LARGEST: f64 = 1e30;
/// Sizes below this underflow.
const SMALLEST: f64 = 1e-30;

impl Solid {
    /// Whether every size is positive and finite, and the nesting bearable.
    ///
    /// # Errors
    /// Names the first size that is wrong.
    pub fn check(&self) -> Result<(), ShapeError> {
        let mut parts = 0;
        check_at(self, 0, &mut parts)
    }
}

fn check_at(solid: &Solid, depth: usize, parts: &mut usize) -> Result<(), ShapeError> {
    *parts += 1;
    if depth >= DEEPEST {
        return Err(ShapeError::TooDeep { limit: DEEPEST });
    }
    if *parts > MOST_PARTS {
        return Err(ShapeError::TooManyParts { limit: MOST_PARTS });
    }
    check_sizes(solid)?;
    match solid {
        Solid::Union(inner) | Solid::Intersection(inner) | Solid::Blend { parts: inner, .. } => {
            inner.iter().try_for_each(|s| check_at(s, depth + 1, parts))
        }
        Solid::Difference(body, holes) => {
            check_at(body, depth + 1, parts)?;
            holes.iter().try_for_each(|s| check_at(s, depth + 1, parts))
        }
        Solid::Moved { solid, .. } | Solid::Shell { solid, .. } => check_at(solid, depth + 1, parts),
        _ => Ok(()),
    }
}

fn check_sizes(solid: &Solid) -> Result<(), ShapeError> {
    match solid {
        Solid::Box { size } => positive3("box", "size", *size),
        Solid::Sphere { radius } => positive("sphere", "radius", *radius),
        Solid::Cylinder { radius, height } => both("cylinder", *radius, *height),
        Solid::Capsule { radius, height } => {
            both("capsule", *radius, *height)?;
            at_most("capsule", "height is at least twice the radius", 2.0 * radius, *height)
        }
        Solid::Torus { radius, thickness } => {
            positive("torus", "radius", *radius)?;
            positive("torus", "thickness", *thickness)?;
            at_most("torus", "thickness is less than twice the radius", *thickness, 1.999 * radius)
        }
        Solid::Ellipsoid { radii } => positive3("ellipsoid", "radii", *radii),
        Solid::Cone { radius, height, top } => {
            both("cone", *radius, *height)?;
            if *top == 0.0 { Ok(()) } else { positive("cone", "top", *top) }
        }
        Solid::Limb { from, to, start, end } => {
            place("from", *from)?;
            place("to", *to)?;
            positive("limb", "start", *start)?;
            positive("limb", "end", *end)
        }
        Solid::Cow { length } => positive("cow", "length", *length),
        Solid::Union(parts) => some("union", parts),
        Solid::Intersection(parts) => some("intersection", parts),
        Solid::Difference(..) => Ok(()),
        Solid::Blend { parts, radius } => {
            some("blend", parts)?;
            positive("blend", "radius", *radius)
        }
        Solid::Moved { at, rotation, scale, .. } => {
            place("at", *at)?;
            positive("moved", "scale", *scale)?;
            let unit = (rotation.length() - 1.0).abs() < 1e-6;
            if unit { Ok(()) } else { Err(ShapeError::BadMotion { field: "rotation", wanted: "a unit quaternion" }) }
        }
        Solid::Shell { wall, .. } => positive("shell", "wall", *wall),
    }
}

fn both(solid: &'static str, radius: f64, height: f64) -> Result<(), ShapeError> {
    positive(solid, "radius", radius)?;
    positive(solid, "height", height)
}

fn positive3(solid: &'static str, field: &'static str, value: DVec3) -> Result<(), ShapeError> {
    value.to_array().into_iter().try_for_each(|v| positive(solid, field, v))
}

fn positive(solid: &'static str, field: &'static str, value: f64) -> Result<(), ShapeError> {
    let good = (SMALLEST..=LARGEST).contains(&value);
    if good { Ok(()) } else { Err(ShapeError::BadSize { solid, field, value }) }
}

fn at_most(solid: &'static str, reason: &'static str, given: f64, bound: f64) -> Result<(), ShapeError> {
    if given <= bound { Ok(()) } else { Err(ShapeError::Contradiction { solid, reason, given, bound }) }
}

fn place(field: &'static str, at: DVec3) -> Result<(), ShapeError> {
    let good = at.is_finite() && at.abs().max_element() <= LARGEST;
    if good { Ok(()) } else { Err(ShapeError::BadMotion { field, wanted: "a place" }) }
}

fn some(solid: &'static str, parts: &[Solid]) -> Result<(), ShapeError> {
    if parts.is_empty() { Err(ShapeError::NoParts { solid }) } else { Ok(()) }
}
