//! Point and region loads: forces given in world axes, with a course in time.
//!
//! `U = −Σ f(t)·x` at a time held fixed; the force does not depend on the positions: its differential is zero.

use crate::linear::Vectors;
use crate::model::world::NodalLoad;

/// Adds the forces [N] of all loads at `time` [s].
pub fn add_force(loads: &[NodalLoad], time: f64, force: &mut Vectors) {
    for load in loads {
        let factor = load.profile.value(time);
        for &(e, f) in &load.forces {
            force.add(e as usize, factor * f);
        }
    }
}

/// Energy of position `−Σ f(t)·x` [J] in the field of the loads at `time` [s], zero at the origin.
pub fn energy(loads: &[NodalLoad], time: f64, position: &Vectors) -> f64 {
    let mut sum = 0.0;
    for load in loads {
        let factor = load.profile.value(time);
        for &(e, f) in &load.forces {
            sum -= factor * f.dot(position.get(e as usize));
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::force::difference::{assert_force_is_minus_gradient, scattered};
    use crate::model::Profile;
    use glamx::DVec3;

    fn loads() -> Vec<NodalLoad> {
        vec![
            NodalLoad { forces: vec![(0, DVec3::X), (2, DVec3::new(0.0, -3.0, 1.0))], profile: Profile::Constant },
            NodalLoad { forces: vec![(2, DVec3::Z * 8.0)], profile: Profile::Table(vec![(0.0, 0.0), (2.0, 1.0)]) },
        ]
    }

    #[test]
    fn loads_on_one_element_add_up_with_their_profiles() {
        let mut f = Vectors::zeros(3);
        add_force(&loads(), 0.5, &mut f);
        assert_eq!((f.get(0), f.get(1), f.get(2)), (DVec3::X, DVec3::ZERO, DVec3::new(0.0, -3.0, 3.0)));
    }

    #[test]
    fn the_force_is_minus_the_gradient_of_the_energy() {
        let mut f = Vectors::zeros(3);
        add_force(&loads(), 1.3, &mut f);
        assert_force_is_minus_gradient(|x| energy(&loads(), 1.3, x), &f, &scattered(3, 9));
    }
}
