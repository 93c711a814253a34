//! Friction of a contact: a tangential spring with a memory, never stronger than the coefficient allows.

use crate::contact::coefficients::{TANGENTIAL_DAMPING, TANGENTIAL_SHARE};
use crate::contact::connections::{Active, Sight};
use crate::model::State;
use glamx::{DMat3, DVec3};

/// Friction by return mapping: the spring's stretch stays inside the disc `k_t |s| ≤ μ f`.
pub(super) fn settle_friction(sight: &Sight, a: &mut Active, normal_force: f64, mass: f64) {
    let kt = TANGENTIAL_SHARE * a.stiffness;
    let n = a.normal;
    let takes = Taken::new(a, sight.state);
    let slide = takes.part_of(a.velocity - n * n.dot(a.velocity));
    let mut s = takes.part_of(laid_into_plane(a.contact.stretch, n)) + slide * sight.drifted;
    let mu = if a.contact.slipping { a.coefficients.dynamic_friction } else { a.coefficients.static_friction };
    let length = s.length();
    a.contact.slipping = kt * length > mu * normal_force;
    let bound = if a.contact.slipping { a.coefficients.dynamic_friction * normal_force } else { mu * normal_force };
    let damper = 2.0 * a.coefficients.damping_ratio.clamp(TANGENTIAL_DAMPING, 1.0) * (kt * mass).sqrt();
    (a.tangential_damper, a.drawn, a.bound) = (damper, s, bound);
    a.wanted_friction = -(s * kt) - slide * damper;
    if a.contact.slipping && length > 0.0 {
        s *= (bound / (kt * length)).min(1.0);
    }
    a.contact.stretch = s;
    let wanted = -(s * kt) - slide * damper;
    let size = wanted.length();
    a.friction = if size > bound { wanted * (bound / size) } else { wanted };
}

/// The projection to the directions across a contact in which both sides take friction; zero if there is none.
pub(super) fn rubbed_plane(a: &Active, state: &State) -> DMat3 {
    if !a.coefficients.rubs() {
        return DMat3::ZERO;
    }
    let takes = Taken::new(a, state);
    let part = |e: DVec3| takes.part_of(e - a.normal * a.normal.dot(e));
    DMat3::from_cols(part(DVec3::X), part(DVec3::Y), part(DVec3::Z))
}

/// What both sides of a contact can take of a force across it: not along what blocks the one or the other.
///
/// Slip and stretch are taken in the same directions, so that no energy is stored where no force answers.
struct Taken {
    blocked: [DVec3; 2],
    nothing: bool,
}

impl Taken {
    fn new(a: &Active, state: &State) -> Self {
        let first = a.side.blocked(a.point, state);
        let second = a.other.blocked(a.point, state);
        let nothing = !(a.side.takes_couples(state) && a.other.takes_couples(state));
        // Gram and Schmidt: leaving out one direction must not bring back the other.
        Self { blocked: [first, (second - first * first.dot(second)).normalize_or_zero()], nothing }
    }

    fn part_of(&self, a: DVec3) -> DVec3 {
        let left = self.blocked.iter().fold(a, |a, &b| a - b * b.dot(a));
        if self.nothing { DVec3::ZERO } else { left }
    }
}

/// The vector turned into the plane across `n`, its length kept.
fn laid_into_plane(s: DVec3, n: DVec3) -> DVec3 {
    let flat = s - n * n.dot(s);
    let l = flat.length();
    if l > 0.0 { flat * (s.length() / l) } else { DVec3::ZERO }
}
