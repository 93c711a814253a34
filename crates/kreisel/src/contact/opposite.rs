//! The other side of a contact: the fixed world, a sphere, or a skin.

use crate::contact::connections::Sight;
use crate::contact::foot::Foot;
use crate::contact::rows::Row;
use crate::contact::side::Side;
use crate::linear::Vectors;
use crate::model::{Model, State};
use glamx::DVec3;

/// What a sphere touches. Sides are larger than the others; contacts live for a step, and a box for each would cost more.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug)]
pub(super) enum Opposite {
    /// The fixed world.
    World,
    /// The sphere of another element.
    Sphere(Side),
    /// The skin of another body.
    Skin(Foot),
}

impl Opposite {
    /// Velocity at the contact [m/s].
    pub fn velocity(&self, n: DVec3, point: DVec3, model: &Model, state: &State, v: &Vectors) -> DVec3 {
        match self {
            Self::World => DVec3::ZERO,
            Self::Sphere(side) => side.velocity(n, point, model, state, v),
            Self::Skin(foot) => foot.velocity(model, v),
        }
    }

    /// The blocks of its velocity, times `sign`.
    pub fn add_row(&self, at: (DVec3, DVec3), (model, state): (&Model, &State), sign: f64, row: &mut Row) {
        match self {
            Self::World => {}
            Self::Sphere(side) => side.add_row(at, (model, state), sign, row),
            Self::Skin(foot) => foot.add_row(model, sign, row),
        }
    }

    /// Adds normal force and friction [N] to the elements' forces, and a couple to the aggregate's.
    pub fn apply(
        &self,
        normal: DVec3,
        friction: DVec3,
        point: DVec3,
        (model, x): (&Model, &Vectors),
        f: &mut Vectors,
        couples: &mut [DVec3],
    ) {
        match self {
            Self::World => {}
            Self::Sphere(side) => side.apply(normal, friction, point, (model, x), f, couples),
            Self::Skin(foot) => foot.spread(model, normal + friction, f),
        }
    }

    /// Inverse mass that it shows at the contact along `n` [1/kg].
    pub fn inverse_mass(&self, sight: &Sight, point: DVec3, n: DVec3) -> f64 {
        match self {
            Self::World => 0.0,
            Self::Sphere(side) => side.inverse_mass(sight, point, n),
            Self::Skin(foot) => foot.inverse_mass(sight, point, n),
        }
    }

    /// The mass that friction meets at most [kg]; a skin takes friction where it takes the push.
    pub fn rubbed_mass(&self, sight: &Sight) -> f64 {
        match self {
            Self::World | Self::Skin(_) => f64::INFINITY,
            Self::Sphere(side) => side.rubbed_mass(sight),
        }
    }

    /// Unit vector along which it takes no friction; zero if there is none.
    pub fn blocked(&self, point: DVec3, state: &State) -> DVec3 {
        match self {
            Self::World | Self::Skin(_) => DVec3::ZERO,
            Self::Sphere(side) => side.blocked(point, state),
        }
    }

    /// False for an element without a neighbourhood to take a couple.
    pub fn takes_couples(&self, state: &State) -> bool {
        match self {
            Self::World | Self::Skin(_) => true,
            Self::Sphere(side) => side.takes_couples(state),
        }
    }
}
