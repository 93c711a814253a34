//! Gravity: `U = −Σ m g·x`, `f = m g`. The force does not depend on the positions: its differential is zero.

use crate::linear::Vectors;
use crate::linear::chunks::{add_scaled, map_ranges};
use glamx::DVec3;

/// Adds the weight `m g` [N] of every element; `gravity` `g` [m/s²], `mass` [kg].
pub fn add_force(gravity: DVec3, mass: &[f64], force: &mut Vectors) {
    for (f, g) in [(&mut force.x, gravity.x), (&mut force.y, gravity.y), (&mut force.z, gravity.z)] {
        if g != 0.0 {
            add_scaled(f, g, mass);
        }
    }
}

/// Energy of position `−Σ m g·x` [J], zero at the origin.
pub fn energy(gravity: DVec3, mass: &[f64], position: &Vectors) -> f64 {
    if gravity == DVec3::ZERO { 0.0 } else { -gravity.dot(moment(mass, position)) }
}

/// The first moment of the masses, `Σ m x` [kg m].
pub fn moment(mass: &[f64], position: &Vectors) -> DVec3 {
    let parts = map_ranges(mass.len(), |range| range.fold(DVec3::ZERO, |sum, i| sum + mass[i] * position.get(i)));
    parts.into_iter().fold(DVec3::ZERO, |sum, part| sum + part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::force::difference::{assert_force_is_minus_gradient, scattered};

    const G: DVec3 = DVec3::new(0.4, -1.0, -9.81);
    const MASS: [f64; 4] = [1.0, 2.5, 0.3, 7.0];

    #[test]
    fn weight_is_minus_the_gradient_of_the_energy_of_position() {
        let x = scattered(4, 11);
        let mut f = Vectors::zeros(4);
        add_force(G, &MASS, &mut f);
        assert_force_is_minus_gradient(|x| energy(G, &MASS, x), &f, &x);
    }

    #[test]
    fn a_kilogram_lifted_by_a_metre_gains_as_many_joules_as_it_weighs_newtons() {
        let mut x = Vectors::zeros(1);
        x.z[0] = 1.0;
        assert_eq!(energy(DVec3::new(0.0, 0.0, -9.81), &[1.0], &x), 9.81);
    }
}
