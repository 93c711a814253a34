//! Regions: sets of points in the reference configuration that select elements.

use glamx::DVec3;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A set of points of the reference configuration (world axes, as the scene was built), or of whole bodies.
///
/// Boundaries belong to the region, with a tolerance of [`Region::TOLERANCE`] of the scene's size, because lattice
/// coordinates carry rounding errors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Region {
    /// Everything.
    Everything,
    /// `n · X ≥ offset` with unit `n`.
    HalfSpace {
        /// Inward unit normal `n` [1].
        normal: DVec3,
        /// Distance of the boundary plane from the origin along `n` [m].
        offset: f64,
    },
    /// An axis-parallel box; infinite bounds are allowed.
    Box {
        /// Lower corner [m].
        min: DVec3,
        /// Upper corner [m].
        max: DVec3,
    },
    /// A ball.
    Sphere {
        /// Centre [m].
        centre: DVec3,
        /// Radius [m].
        radius: f64,
    },
    /// All elements of the body with this name.
    Body(String),
    /// The element with this number within the body with this name.
    Element {
        /// Name of the body.
        body: String,
        /// Number of the element within the body, from 0.
        index: u32,
    },
    /// Points that are not in the region.
    Not(Box<Region>),
    /// Points that are in every one of the regions.
    All(Vec<Region>),
    /// Points that are in at least one of the regions.
    Any(Vec<Region>),
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |all: &[Self], word: &str| {
            let each: Vec<String> = all.iter().map(|region| format!("({region})")).collect();
            each.join(word)
        };
        match self {
            Self::Everything => write!(f, "everything"),
            Self::HalfSpace { normal, offset } => write!(f, "{normal} · x ≥ {offset} m"),
            Self::Box { min, max } => write!(f, "from {min} to {max} m"),
            Self::Sphere { centre, radius } => write!(f, "within {radius} m of {centre} m"),
            Self::Body(name) => write!(f, "body \"{name}\""),
            Self::Element { body, index } => write!(f, "element {index} of \"{body}\""),
            Self::Not(region) => write!(f, "not ({region})"),
            Self::All(regions) => write!(f, "{}", joined(regions, " and ")),
            Self::Any(regions) => write!(f, "{}", joined(regions, " or ")),
        }
    }
}

/// What a region is asked about: a point, and the body it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct RegionPoint<'a> {
    /// Position in the reference configuration [m].
    pub position: DVec3,
    /// Name of the body.
    pub body: &'a str,
    /// Number of the element within its body.
    pub index: u32,
}

impl Region {
    /// Tolerance of the boundary as a fraction of the scene's size.
    pub const TOLERANCE: f64 = 1e-9;

    /// True if the region contains the point, its boundary widened by `slack` [m].
    pub fn contains(&self, point: RegionPoint<'_>, slack: f64) -> bool {
        let p = point.position;
        match self {
            Self::Everything => true,
            Self::HalfSpace { normal, offset } => normal.dot(p) >= offset - slack,
            Self::Box { min, max } => p.cmpge(*min - slack).all() && p.cmple(*max + slack).all(),
            Self::Sphere { centre, radius } => p.distance(*centre) <= radius + slack,
            Self::Body(name) => point.body == name,
            Self::Element { body, index } => point.body == body && point.index == *index,
            Self::Not(r) => !r.contains(point, slack),
            Self::All(rs) => rs.iter().all(|r| r.contains(point, slack)),
            Self::Any(rs) => rs.iter().any(|r| r.contains(point, slack)),
        }
    }

    /// The names of bodies that the region mentions.
    pub fn bodies(&self) -> Vec<&str> {
        match self {
            Self::Body(name) | Self::Element { body: name, .. } => vec![name],
            Self::Not(r) => r.bodies(),
            Self::All(rs) | Self::Any(rs) => rs.iter().flat_map(|r| r.bodies()).collect(),
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f64) -> RegionPoint<'static> {
        RegionPoint { position: DVec3::new(x, 0.0, 0.0), body: "beam", index: 3 }
    }

    #[test]
    fn boundaries_belong_to_a_region_and_to_its_mirror_image() {
        let right = Region::HalfSpace { normal: DVec3::X, offset: 1.0 };
        let left = Region::HalfSpace { normal: -DVec3::X, offset: -1.0 };
        for r in [&right, &left] {
            assert!(r.contains(at(1.0), 0.0));
        }
        assert!(right.contains(at(2.0), 0.0) && !left.contains(at(2.0), 0.0));
    }

    #[test]
    fn regions_combine_like_sets() {
        let beam = Region::Body("beam".into());
        let ball = Region::Sphere { centre: DVec3::ZERO, radius: 1.0 };
        let both = Region::All(vec![beam.clone(), ball.clone()]);
        let outside = Region::Not(Box::new(ball));
        assert!(both.contains(at(0.5), 0.0) && !both.contains(at(1.5), 0.0));
        assert!(outside.contains(at(1.5), 0.0) && !outside.contains(at(0.5), 0.0));
        assert!(Region::Any(vec![both, outside]).contains(at(7.0), 0.0));
        assert!(Region::Element { body: "beam".into(), index: 3 }.contains(at(0.0), 0.0));
    }
}
