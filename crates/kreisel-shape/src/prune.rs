//! A solid as it is seen from within a ball: what is too far away to matter there is left out.
//!
//! Distances change by no more than one moves: inside a ball of radius R a part whose distance at the centre exceeds the
//! least one by more than 2R is never the nearest. The distance inside the ball is the same number as before.

use crate::distance::{BLEND_SHARPNESS, FARTHEST};
use crate::{Solid, cow};
use kreisel::DVec3;

impl Solid {
    /// The solid whose distance within a ball is that of this one.
    pub(crate) fn within(&self, centre: DVec3, radius: f64) -> Solid {
        // The bounds hold for exact arithmetic; a little more for rounding.
        let reach = 2.001 * radius;
        match self {
            Solid::Cow { length } => cow::unscaled(*length).within(centre, radius),
            Solid::Union(parts) => match &near(parts, centre, radius, reach)[..] {
                [one] => one.clone(),
                some => Solid::Union(some.to_vec()),
            },
            Solid::Intersection(parts) => {
                let most = parts.iter().map(|s| s.distance(centre)).fold(f64::NEG_INFINITY, f64::max);
                let kept = parts.iter().filter(|s| s.distance(centre) >= most - reach);
                Solid::Intersection(kept.map(|s| s.within(centre, radius)).collect())
            }
            Solid::Difference(body, holes) => {
                let outside = body.distance(centre);
                let kept = holes.iter().filter(|s| -s.distance(centre) >= outside - reach);
                let kept: Vec<Solid> = kept.map(|s| s.within(centre, radius)).collect();
                let body = body.within(centre, radius);
                if kept.is_empty() { body } else { Solid::Difference(Box::new(body), kept) }
            }
            Solid::Blend { parts, radius: joint } => {
                let parts = near(parts, centre, radius, reach + FARTHEST * joint / BLEND_SHARPNESS);
                Solid::Blend { parts, radius: *joint }
            }
            Solid::Moved { at, rotation, scale, solid } => {
                let local = rotation.inverse() * (centre - at) / scale;
                let solid = Box::new(solid.within(local, radius / scale));
                Solid::Moved { at: *at, rotation: *rotation, scale: *scale, solid }
            }
            Solid::Shell { solid, wall } => Solid::Shell { solid: Box::new(solid.within(centre, radius)), wall: *wall },
            _ => self.clone(),
        }
    }

    /// Whether the solid is made of others.
    pub(crate) fn is_composed(&self) -> bool {
        match self {
            Solid::Cow { .. } | Solid::Union(_) | Solid::Intersection(_) => true,
            Solid::Difference(..) | Solid::Blend { .. } => true,
            Solid::Moved { solid, .. } | Solid::Shell { solid, .. } => solid.is_composed(),
            _ => false,
        }
    }
}

/// The parts that may be within `reach` of the nearest one.
fn near(parts: &[Solid], centre: DVec3, radius: f64, reach: f64) -> Vec<Solid> {
    let distances: Vec<f64> = parts.iter().map(|s| s.distance(centre)).collect();
    let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
    let kept = parts.iter().zip(distances).filter(|(_, d)| *d <= least + reach);
    kept.map(|(s, _)| s.within(centre, radius)).collect()
}
