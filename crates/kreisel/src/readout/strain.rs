//! Strain of an element: the deformation gradient that fits its unbroken neighbours best, and Green's strain from it.
//!
//! `F = Σ (x_j − x_i)(X_j − X_i)ᵀ G⁻¹`, `G = Σ (X_j − X_i)(X_j − X_i)ᵀ`, minimises `Σ |x_j − x_i − F (X_j − X_i)|²`
//! [FL98]. Where the neighbours span no volume (chains, sheets) `G⁺` is the pseudo-inverse and the strain
//! is that within their span: `E = ½ (FᵀF − G G⁺)`, with `G G⁺ = 1` in the ordinary case. A rigid turn has `E = 0`.

use crate::linear::eigen::{outer, pseudo_inverse};
use crate::readout::index::Reading;
use crate::readout::stress::volume;
use glamx::DMat3;

/// Best-fit deformation gradient `F` of the element in `slot`, and the projector `G G⁺` onto the span of its neighbours.
pub fn deformation_gradient(reading: &Reading, slot: usize) -> (DMat3, DMat3) {
    let (x, rest) = (&reading.state.position, &reading.model.elements.rest);
    let (mut now, mut before) = (DMat3::ZERO, DMat3::ZERO);
    for c in reading.connections(slot) {
        let [a, b] = reading.model.connections.ends[c].map(|e| e as usize);
        let arm = rest.get(b) - rest.get(a);
        now += outer(x.get(b) - x.get(a), arm);
        before += outer(arm, arm);
    }
    let inverse = pseudo_inverse(before);
    (now * inverse, before * inverse)
}

/// Green's strain `½ (FᵀF − 1)` [1] of the element in `slot`, zero outside the span of its neighbours.
pub fn strain(reading: &Reading, slot: usize) -> DMat3 {
    let (f, span) = deformation_gradient(reading, slot);
    (f.transpose() * f - span) * 0.5
}

/// Mean strain [1] of the elements in `slots`, weighted by their volumes.
pub fn mean_strain(reading: &Reading, slots: &[u32]) -> DMat3 {
    let (mut sum, mut space) = (DMat3::ZERO, 0.0);
    for &s in slots {
        let share = volume(reading.model, reading.around.elements[s as usize]);
        sum += strain(reading, s as usize) * share;
        space += share;
    }
    if space > 0.0 { sum * (1.0 / space) } else { DMat3::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Model, State};
    use crate::readout::index::Surroundings;
    use crate::readout::sample::{deformed, lattice};
    use glamx::DVec3;

    fn strains(model: &Model, state: &State) -> Vec<DMat3> {
        let around = Surroundings::new(model, (0..model.elements.len() as u32).collect());
        let reading = Reading::new(model, state, &around);
        (0..model.elements.len()).map(|s| strain(&reading, s)).collect()
    }

    #[test]
    fn a_rigid_turn_has_no_strain() {
        let model = lattice([2, 1, 1], 0.25);
        let state = deformed(&model, DMat3::from_rotation_x(1.1) * DMat3::from_rotation_z(-2.0));
        assert!(strains(&model, &state).iter().all(|e| e.abs_diff_eq(DMat3::ZERO, 1e-14)));
    }

    #[test]
    fn a_stretch_by_a_tenth_is_read_at_every_element_whatever_the_turn() {
        let model = lattice([2, 2, 1], 0.25);
        let stretch = DMat3::from_diagonal(DVec3::new(1.1, 1.0, 0.95));
        let expected = (stretch * stretch - DMat3::IDENTITY) * 0.5;
        let state = deformed(&model, DMat3::from_rotation_y(0.7) * stretch);
        assert!(strains(&model, &state).iter().all(|e| e.abs_diff_eq(expected, 1e-14)));
    }

    #[test]
    fn a_chain_is_strained_along_itself_only_and_a_lone_element_not_at_all() {
        let mut model = lattice([1, 1, 1], 0.25);
        model.connections.ends = vec![[0, 1]];
        model.connections.class = vec![0];
        let state = deformed(&model, DMat3::from_rotation_z(0.5) * 1.2);
        let all = strains(&model, &state);
        let along = DMat3::from_diagonal(DVec3::new(0.22, 0.0, 0.0));
        assert!(all[0].abs_diff_eq(along, 1e-14), "{}", all[0]);
        assert_eq!(all[7], DMat3::ZERO);
    }
}
