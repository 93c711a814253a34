//! The solids: primitives and what is made of them.

use kreisel::{DQuat, DVec3};

/// A body given by its signed distance. Primitives are centred at the origin; axes point along z.
#[derive(Clone, Debug, PartialEq)]
pub enum Solid {
    /// A block.
    Box {
        /// Edge lengths [m].
        size: DVec3,
    },
    /// A ball.
    Sphere {
        /// Radius [m].
        radius: f64,
    },
    /// A circular cylinder.
    Cylinder {
        /// Radius [m].
        radius: f64,
        /// Length along the axis [m].
        height: f64,
    },
    /// A cylinder with round ends.
    Capsule {
        /// Radius [m].
        radius: f64,
        /// Length along the axis, ends included [m]; at least twice the radius.
        height: f64,
    },
    /// A ring.
    Torus {
        /// Radius of the circle through the middle of the tube [m].
        radius: f64,
        /// Diameter of the tube [m]; less than twice the radius.
        thickness: f64,
    },
    /// An ellipsoid.
    Ellipsoid {
        /// Half axes [m].
        radii: DVec3,
    },
    /// A cone, or a frustum of one.
    Cone {
        /// Radius at the bottom, z = −height/2 [m].
        radius: f64,
        /// Length along the axis [m].
        height: f64,
        /// Radius at the top [m]; zero for a tip.
        top: f64,
    },
    /// The hull of two balls: a limb that tapers.
    Limb {
        /// Centre of the first ball [m].
        from: DVec3,
        /// Centre of the second ball [m].
        to: DVec3,
        /// Radius of the first ball [m].
        start: f64,
        /// Radius of the second ball [m].
        end: f64,
    },
    /// A cow: looks along +x, stands on z = 0, is the same left and right (±y), the middle of its length at x = 0.
    /// At 2.4 m it is 1.45 m high at the withers and has 0.6 m³, that is 600 kg at 1000 kg/m³.
    Cow {
        /// From the tail to the muzzle [m].
        length: f64,
    },
    /// All that is in any of the parts.
    Union(Vec<Solid>),
    /// What is in the first and in none of the others.
    Difference(Box<Solid>, Vec<Solid>),
    /// What is in every part.
    Intersection(Vec<Solid>),
    /// A union with rounded joints.
    Blend {
        /// What is blended.
        parts: Vec<Solid>,
        /// About the radius of the joints [m]; where two parts coincide, the surface moves out by a quarter of it.
        radius: f64,
    },
    /// A solid elsewhere: scaled, then rotated, then moved.
    Moved {
        /// Where its origin goes [m].
        at: DVec3,
        /// How it is turned.
        rotation: DQuat,
        /// How many times larger it is.
        scale: f64,
        /// What is moved.
        solid: Box<Solid>,
    },
    /// A hollow solid.
    Shell {
        /// The outer surface.
        solid: Box<Solid>,
        /// Thickness of the wall [m].
        wall: f64,
    },
}

impl Solid {
    /// This solid with its origin at a place.
    pub fn at(self, at: DVec3) -> Solid {
        Solid::Moved { at, rotation: DQuat::IDENTITY, scale: 1.0, solid: Box::new(self) }
    }

    /// This solid turned about its origin.
    pub fn turned(self, rotation: DQuat) -> Solid {
        Solid::Moved { at: DVec3::ZERO, rotation, scale: 1.0, solid: Box::new(self) }
    }
}
