//! Frequencies of Timoshenko's beam, by shooting from one end to the other.
//!
//! `w′ = ψ + V/κGA`, `ψ′ = M/EI`, `V′ = −ρA ω² w`, `M′ = −V − ρI ω² ψ`; at a frequency the two solutions that fit one
//! end can be combined to fit the other: a determinant is zero.

use super::reference::runge_kutta;

/// What a beam is made of.
#[derive(Clone, Copy, Debug)]
pub struct Beam {
    /// Length [m].
    pub length: f64,
    /// Bending stiffness `EI` [N m²].
    pub bending: f64,
    /// Shear stiffness `κGA` [N].
    pub shear: f64,
    /// Mass per length `ρA` [kg/m].
    pub mass: f64,
    /// Rotary inertia per length `ρI` [kg m].
    pub rotary: f64,
}

/// What is at an end.
#[derive(Clone, Copy, Debug)]
pub enum End {
    /// Nothing.
    Free,
    /// A wall.
    Clamped,
    /// A rigid body that goes on from the end.
    Rigid {
        /// Its mass [kg].
        mass: f64,
        /// Its inertia about its centre [kg m²].
        inertia: f64,
        /// How far its centre is from the end [m].
        offset: f64,
    },
}

/// Steps along the beam; the fourth-order method is then better than 1e-8.
const STEPS: u32 = 400;
/// Between two frequencies there are many steps of the search.
const SEARCH: f64 = 0.02;

impl Beam {
    /// The lowest bending frequencies [rad/s].
    pub fn frequencies(&self, ends: (End, End), count: usize) -> Vec<f64> {
        // The scale of the first bending frequency of a slender beam.
        let scale = (self.bending / (self.mass * self.length.powi(4))).sqrt();
        let (mut found, mut low) = (Vec::new(), SEARCH * scale);
        while found.len() < count && low < 1e4 * scale {
            let high = low + SEARCH * scale * (1.0 + 0.1 * low / scale);
            if self.misfit(low, ends) * self.misfit(high, ends) < 0.0 {
                found.push(self.bisect(low, high, ends));
            }
            low = high;
        }
        found
    }

    fn bisect(&self, mut low: f64, mut high: f64, ends: (End, End)) -> f64 {
        let below = self.misfit(low, ends);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            *if below * self.misfit(middle, ends) > 0.0 { &mut low } else { &mut high } = middle;
        }
        0.5 * (low + high)
    }

    /// The determinant, whose zeros are the frequencies.
    fn misfit(&self, omega: f64, (first, last): (End, End)) -> f64 {
        let starts = match first {
            End::Clamped => [[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]],
            _ => [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]],
        };
        let [a, b] = starts.map(|start| self.boundary(self.shoot(omega, start), omega, last));
        a[0] * b[1] - a[1] * b[0]
    }

    /// `[w, ψ, M, V]` at the far end; forces in units of `EI/L` and `EI/L²`, lengths in units of `L`.
    fn shoot(&self, omega: f64, start: [f64; 4]) -> [f64; 4] {
        let (l, ei) = (self.length, self.bending);
        let slope = |_: f64, y: &[f64; 4]| {
            let [w, psi, moment, shear] = *y;
            let inertia = self.mass * omega * omega * l.powi(4) / ei;
            let rotary = self.rotary * omega * omega * l * l / ei;
            [psi + shear * ei / (l * l * self.shear), moment, -shear - rotary * psi, -inertia * w]
        };
        (0..STEPS).fold(start, |y, _| runge_kutta(&slope, 0.0, &y, 1.0 / f64::from(STEPS)))
    }

    /// What must vanish at the far end.
    fn boundary(&self, [w, psi, moment, shear]: [f64; 4], omega: f64, end: End) -> [f64; 2] {
        match end {
            End::Free => [moment, shear],
            End::Clamped => [w, psi],
            End::Rigid { mass, inertia, offset } => {
                let (l, ei, c) = (self.length, self.bending, offset / self.length);
                let pull = mass * omega * omega * l.powi(3) / ei * (w + c * psi);
                [shear - pull, moment - c * shear - inertia * omega * omega * l / ei * psi]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slender_beam_has_the_frequencies_of_euler_and_bernoulli() {
        let beam = Beam { length: 2.0, bending: 3.0, shear: 1e9, mass: 0.5, rotary: 0.0 };
        let scale = (3.0 / (0.5 * 16.0_f64)).sqrt();
        let table = [
            ((End::Clamped, End::Free), [1.875_104_069, 4.694_091_133, 7.854_757_438]),
            ((End::Free, End::Free), [4.730_040_745, 7.853_204_624, 10.995_607_838]),
        ];
        for (ends, roots) in table {
            let found = beam.frequencies(ends, 3);
            for (omega, root) in found.iter().zip(roots) {
                assert!((omega / (root * root * scale) - 1.0).abs() < 1e-6, "{omega}");
            }
        }
    }

    #[test]
    fn a_heavy_point_at_the_tip_swings_on_the_static_stiffness() {
        let beam = Beam { length: 2.0, bending: 3.0, shear: 1e9, mass: 1e-9, rotary: 0.0 };
        let tip = End::Rigid { mass: 5.0, inertia: 1e-9, offset: 0.0 };
        let omega = (3.0 * 3.0 / 8.0 / 5.0_f64).sqrt();
        let scale = (3.0 / (1e-9 * 16.0_f64)).sqrt();
        assert!(omega / scale < SEARCH, "the search would begin above it: {omega} {scale}");
        let bisected = beam.bisect(0.5 * omega, 2.0 * omega, (End::Clamped, tip));
        assert!((bisected / omega - 1.0).abs() < 1e-6, "{bisected} {omega}");
    }
}
