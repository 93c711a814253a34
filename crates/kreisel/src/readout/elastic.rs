//! Elastic energy of a region: half of each connection's for each end in it, an eighth of each cell's for each corner.
//!
//! Connections inside rigid aggregates count with the strain they were frozen with; contacts are left out.

use crate::force::volume;
use crate::readout::index::Reading;
use crate::readout::stress::volume_ratio;

/// Elastic energy [J] of the elements in `slots`, `½ k (d − l)²` and `½ kv V₀ (J − 1)²` shared among their ends.
pub fn elastic_energy(reading: &Reading, slots: &[u32]) -> f64 {
    let mut sum = 0.0;
    for &s in slots {
        sum += of_element(reading, s as usize);
    }
    sum
}

fn of_element(reading: &Reading, slot: usize) -> f64 {
    let (model, x) = (reading.model, &reading.state.position);
    let mut sum = 0.0;
    for c in reading.connections(slot) {
        let [a, b] = model.connections.ends[c].map(|e| x.get(e as usize));
        let constants = model.connections.constants(c);
        let stretch = a.distance(b) - constants.rest_length;
        sum += 0.5 * (0.5 * constants.stiffness * stretch * stretch);
    }
    for cell in reading.cells(slot) {
        sum += 0.125 * volume::energy_at(cell, volume_ratio(cell, x));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readout::index::Surroundings;
    use crate::readout::sample::{SIDE, deformed, lattice};
    use glamx::{DMat3, DVec3};

    #[test]
    fn stretching_a_block_costs_half_stress_times_strain_times_volume() {
        let model = lattice([3, 2, 2], 0.4);
        let (n, e) = (model.elements.len() as u32, 1e-6);
        let around = Surroundings::new(&model, (0..n).collect());
        let state = deformed(&model, DMat3::from_diagonal(DVec3::new(1.0 + e, 1.0 - 0.4 * e, 1.0 - 0.4 * e)));
        let reading = Reading::new(&model, &state, &around);
        let energy = elastic_energy(&reading, &(0..n).collect::<Vec<_>>());
        let expected = 0.5 * model.materials[0].young * e * e * 12.0 * SIDE.powi(3);
        assert!((energy - expected).abs() < 1e-5 * expected, "{energy} {expected}");
    }
}
