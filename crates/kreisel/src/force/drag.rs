//! Air drag: `f = −drag m v`. Every element slows down at the same rate, so that drag turns nothing and bends nothing.
//!
//! Drag has no energy; it takes the power `drag Σ m v²`. It is no material damping: it also brakes rigid motion.

use crate::linear::Vectors;

/// Adds `−drag m v` [N]; `drag` [1/s], `mass` [kg], `velocity` [m/s].
pub fn add_force(drag: f64, mass: &[f64], velocity: &Vectors, force: &mut Vectors) {
    let pairs = [(&mut force.x, &velocity.x), (&mut force.y, &velocity.y), (&mut force.z, &velocity.z)];
    for (f, v) in pairs {
        for ((f, v), m) in f.iter_mut().zip(v).zip(mass) {
            *f -= drag * m * v;
        }
    }
}

/// Adds the change of the force for the change `dv` of the velocities, `df −= drag m dv`; positions do not matter.
pub fn add_differential(drag: f64, mass: &[f64], dv: &Vectors, df: &mut Vectors) {
    add_force(drag, mass, dv, df);
}

/// Power taken out [W], `drag Σ m v²`, summed in the order of the elements.
pub fn dissipation(drag: f64, mass: &[f64], velocity: &Vectors) -> f64 {
    let mut sum = 0.0;
    for (i, &m) in mass.iter().enumerate() {
        sum += m * velocity.get(i).length_squared();
    }
    drag * sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::force::difference::{assert_differential, scattered};

    const MASS: [f64; 3] = [1.0, 2.5, 0.3];

    fn force(v: &Vectors) -> Vectors {
        let mut f = Vectors::zeros(v.len());
        add_force(0.7, &MASS, v, &mut f);
        f
    }

    #[test]
    fn the_differential_is_the_change_of_the_force_with_velocity() {
        let differential = |dv: &Vectors| {
            let mut df = Vectors::zeros(3);
            add_differential(0.7, &MASS, dv, &mut df);
            df
        };
        assert_differential(force, differential, &scattered(3, 5));
    }

    #[test]
    fn drag_takes_exactly_the_power_it_brakes_with() {
        let v = scattered(3, 6);
        let power = force(&v).dot(&v);
        assert!(power < 0.0);
        assert!((power + dissipation(0.7, &MASS, &v)).abs() < 1e-14);
    }
}
