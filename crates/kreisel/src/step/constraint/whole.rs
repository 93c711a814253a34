//! Several bodies that turn as one.

use crate::linear::eigen::inertia_of_point;
use crate::model::Aggregate;
use glamx::{DMat3, DVec3};

/// Gives bodies an angular momentum [kg m²/s] as a rigid rotation about their common centre of mass, `δω = Θ⁻¹ D` with the inertia `Θ` of all of
/// them: of all motions that have it, the one of least energy. Their momentum stays, and no point of one moves against another's.
pub fn turn_as_one(all: &mut [Aggregate], bodies: impl Iterator<Item = usize> + Clone, moment: DVec3) {
    let of = |k: usize| &all[k];
    let sums = |(mass, first): (f64, DVec3), a: &Aggregate| (mass + a.mass, first + a.position * a.mass);
    let (mass, first) = bodies.clone().map(of).fold((0.0, DVec3::ZERO), sums);
    let centre = first / mass;
    let with = |sum: DMat3, a: &Aggregate| sum + a.world_inertia() + inertia_of_point(a.position - centre) * a.mass;
    let spin = bodies.clone().map(of).fold(DMat3::ZERO, with).inverse() * moment;
    if !spin.is_finite() {
        return;
    }
    for k in bodies {
        let a = &mut all[k];
        a.velocity += spin.cross(a.position - centre);
        a.angular_momentum += a.world_inertia() * spin;
    }
}
