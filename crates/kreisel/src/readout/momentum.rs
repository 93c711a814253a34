//! Momentum, angular momentum and kinetic energy of everything: free elements one by one, aggregates by their own state.
//!
//! The sums run over chunks of fixed size, each in eight partial sums, added in order: fast, and the same bits for any
//! number of threads.

use crate::linear::chunks::map_ranges;
use crate::model::{FREE, Model, State};
use glamx::DVec3;
use std::ops::Range;

/// Linear momentum `Σ m v + Σ M v` [kg m/s] of free elements and aggregates.
pub fn linear_momentum(model: &Model, state: &State) -> DVec3 {
    let v = &state.velocity;
    let free = sum_over_free(model, state, |e, m| [m * v.x[e], m * v.y[e], m * v.z[e]]);
    state.aggregates.iter().fold(DVec3::from_array(free), |sum, a| sum + a.mass * a.velocity)
}

/// Angular momentum about the origin, `Σ m x × v + Σ (p × M v + L)` [kg m²/s].
pub fn angular_momentum(model: &Model, state: &State) -> DVec3 {
    let (x, v) = (&state.position, &state.velocity);
    let free = sum_over_free(model, state, |e, m| (m * x.get(e).cross(v.get(e))).to_array());
    let own = |sum, a: &crate::model::Aggregate| sum + a.position.cross(a.mass * a.velocity) + a.angular_momentum;
    state.aggregates.iter().fold(DVec3::from_array(free), own)
}

/// Kinetic energy `Σ ½ m v² + Σ (½ M v² + ½ L·ω)` [J].
pub fn kinetic_energy(model: &Model, state: &State) -> f64 {
    let v = &state.velocity;
    let [free] = sum_over_free(model, state, |e, m| [0.5 * m * v.get(e).length_squared()]);
    state.aggregates.iter().fold(free, |sum, a| sum + a.kinetic_energy())
}

/// Sums `term(element, mass)` over the elements that no aggregate carries.
fn sum_over_free<const K: usize>(
    model: &Model,
    state: &State,
    term: impl Fn(usize, f64) -> [f64; K] + Sync,
) -> [f64; K] {
    let (mass, owner) = (&model.elements.mass, &state.owner);
    let term = |e: usize| term(e, if owner[e] == FREE { mass[e] } else { 0.0 });
    let parts = map_ranges(mass.len(), |range| sum_in_lanes(range, &term));
    parts.iter().fold([0.0; K], |sum, part| std::array::from_fn(|k| sum[k] + part[k]))
}

/// Eight partial sums over a range, added in a fixed order.
fn sum_in_lanes<const K: usize>(range: Range<usize>, term: &impl Fn(usize) -> [f64; K]) -> [f64; K] {
    let mut lanes = [[0.0; 8]; K];
    for e in range {
        let t = term(e);
        for k in 0..K {
            lanes[k][e % 8] += t[k];
        }
    }
    lanes.map(|lane| lane.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Aggregate, Origin, mapping};
    use crate::readout::sample::{lattice, resting};
    use glamx::DQuat;

    /// Cells turning about a tilted axis while they fly; the elements of `rigid` ride on an aggregate.
    fn turning(cells: [u32; 3], rigid: &[u32]) -> (Model, State) {
        let model = lattice(cells, 0.25);
        let mut state = resting(&model);
        let (spin, drift) = (DVec3::new(0.3, -1.0, 2.0), DVec3::new(5.0, 0.0, -1.0));
        for e in 0..model.elements.len() {
            state.velocity.set(e, drift + spin.cross(state.position.get(e)));
        }
        if !rigid.is_empty() {
            crate::readout::sample::make_rigid(&model, &mut state, rigid);
        }
        (model, state)
    }

    #[test]
    fn who_carries_the_elements_does_not_change_momentum_or_energy() {
        let (model, soft) = turning([4, 3, 3], &[]);
        let part: Vec<u32> = (0..40).collect();
        let (_, rigid) = turning([4, 3, 3], &part);
        let scale = angular_momentum(&model, &soft).length();
        let close = |a: DVec3, b: DVec3| (a - b).length() < 1e-13 * scale;
        assert!(close(linear_momentum(&model, &soft), linear_momentum(&model, &rigid)));
        assert!(close(angular_momentum(&model, &soft), angular_momentum(&model, &rigid)));
        let (a, b) = (kinetic_energy(&model, &soft), kinetic_energy(&model, &rigid));
        assert!((a - b).abs() < 1e-13 * a, "{a} {b}");
    }

    #[test]
    fn a_spinning_ball_has_the_angular_momentum_of_its_spin_and_of_its_path() {
        let (model, mut state) = (lattice([1, 1, 1], 0.25), State::default());
        state.position = model.elements.rest.clone();
        state.velocity = crate::linear::Vectors::zeros(8);
        state.owner = vec![FREE; 8];
        let mass = model.elements.mass[3];
        state.owner[3] = 0;
        state.aggregates.push(Aggregate {
            elements: vec![3],
            local: vec![DVec3::ZERO],
            mass,
            inertia: DVec3::splat(0.2),
            position: state.position.get(3),
            orientation: DQuat::IDENTITY,
            velocity: DVec3::Z,
            angular_momentum: DVec3::new(0.0, 0.6, 0.0),
            origin: Origin::Lone,
            given_inertia: false,
        });
        mapping::carry_all(&mut state);
        let path = state.position.get(3).cross(mass * DVec3::Z);
        assert!((angular_momentum(&model, &state) - path - DVec3::Y * 0.6).length() < 1e-15);
        assert!((kinetic_energy(&model, &state) - (0.5 * mass + 0.5 * 0.6 * 3.0)).abs() < 1e-12);
    }

    #[test]
    fn the_sums_have_the_same_bits_for_one_thread_and_for_three() {
        let (model, state) = turning([40, 20, 20], &[0, 1, 2, 5, 6, 9]);
        assert!(model.elements.len() > 16_000);
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a small pool");
            pool.install(|| (angular_momentum(&model, &state), kinetic_energy(&model, &state)))
        };
        assert_eq!(with(1), with(3));
    }
}
