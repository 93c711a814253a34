//! Stress of an element from its connections and cells: the virial theorem [Cla70, TPM09].
//!
//! A connection with tension `f = k (d − l)` along `n` holds the virial `f d n⊗n`, half of it for each end, but the two
//! diagonals that cross in a face a quarter for each of its four corners; a cell with the volume term holds
//! `V₀ kv (J − 1) J` in every direction, an eighth for each corner. Divided by the element's volume `V = m/ρ` that is its
//! stress. Springs, cells and masses are shares of the same lattice cells, so a uniform strain gives the same stress at a
//! corner as inside; and the stresses of a whole body, weighted by volume, add up to its whole virial.
//!
//! `V` is the volume at rest: this is Kirchhoff's stress `J σ`, equal to Cauchy's `σ` where the volume hardly changes.
//! Dampers and contacts are left out. Connections inside rigid aggregates count with the strain they were frozen with.

use crate::force::volume;
use crate::linear::Vectors;
use crate::linear::eigen::{outer, principal_frame};
use crate::model::{Cell, Model};
use crate::readout::index::Reading;
use glamx::{DMat3, DVec3};

/// Volume at rest `m/ρ` [m³] of an element.
pub fn volume(model: &Model, element: u32) -> f64 {
    let e = element as usize;
    model.elements.mass[e] / model.materials[model.elements.material[e].0 as usize].density
}

/// Virial [J] of the element in `slot`: its stress times its volume. Needs [`Surroundings::with_crossings`].
///
/// [`Surroundings::with_crossings`]: crate::readout::index::Surroundings::with_crossings
pub fn virial(reading: &Reading, slot: usize) -> DMat3 {
    let x = &reading.state.position;
    let mut sum = DMat3::ZERO;
    for (c, crossing) in reading.crossed_connections(slot) {
        let own = connection_virial(reading, c);
        sum += match crossing {
            Some(other) => (own + connection_virial(reading, other)) * 0.25,
            None => own * 0.5,
        };
    }
    for cell in reading.cells(slot) {
        let j = volume_ratio(cell, x);
        sum += DMat3::from_diagonal(DVec3::splat(0.125 * volume::slope_at(cell, j) * j));
    }
    sum
}

/// `f d n⊗n` [J] of a connection.
fn connection_virial(reading: &Reading, c: usize) -> DMat3 {
    let (x, constants) = (&reading.state.position, reading.model.connections.constants(c));
    let [a, b] = reading.model.connections.ends[c].map(|e| x.get(e as usize));
    let (arm, d) = (b - a, a.distance(b));
    let tension = constants.stiffness * (d - constants.rest_length);
    if d > 0.0 { outer(arm, arm) * (tension / d) } else { DMat3::ZERO }
}

/// Mean stress [Pa] of the elements in `slots`, weighted by their volumes.
pub fn mean_stress(reading: &Reading, slots: &[u32]) -> DMat3 {
    let (mut sum, mut space) = (DMat3::ZERO, 0.0);
    for &s in slots {
        sum += virial(reading, s as usize);
        space += volume(reading.model, reading.around.elements[s as usize]);
    }
    if space > 0.0 { sum * (1.0 / space) } else { DMat3::ZERO }
}

/// Principal stresses [Pa], largest first.
pub fn principal(stress: DMat3) -> DVec3 {
    let mut values = principal_frame(stress).0.to_array();
    values.sort_by(|a, b| b.total_cmp(a));
    DVec3::from_array(values)
}

/// Von Mises' stress `√(3/2 s:s)`, `s` the deviator [Pa].
pub fn von_mises(stress: DMat3) -> f64 {
    let mean = stress.diagonal().element_sum() / 3.0;
    let s = stress - DMat3::from_diagonal(DVec3::splat(mean));
    // Measured by the largest component, so that squares do not overflow before the stress does.
    let largest = s.to_cols_array().into_iter().fold(0.0, |m: f64, a| m.max(a.abs()));
    if largest == 0.0 {
        return 0.0;
    }
    let t = s * (1.0 / largest);
    largest * (1.5 * (t.x_axis.length_squared() + t.y_axis.length_squared() + t.z_axis.length_squared())).sqrt()
}

/// `J` of a cell: the determinant of its mean deformation gradient, whose columns are its mean edges over its sides.
pub fn volume_ratio(cell: &Cell, position: &Vectors) -> f64 {
    let mean_edge = |axis: usize| {
        let bit = 1 << axis;
        let low = (0..8usize).filter(|c| c & bit == 0);
        let corner = |c: usize| position.get(cell.corners[c] as usize);
        low.fold(DVec3::ZERO, |sum, c| sum + (corner(c | bit) - corner(c))) / (4.0 * cell.sides[axis])
    };
    mean_edge(0).cross(mean_edge(1)).dot(mean_edge(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readout::elastic::elastic_energy;
    use crate::readout::index::Surroundings;
    use crate::readout::sample::{SIDE, deformed, lattice, moduli};

    fn shear() -> DMat3 {
        DMat3::from_cols(DVec3::new(1.0, 0.2, -0.3), DVec3::new(0.5, -2.0, 0.4), DVec3::new(0.1, 0.7, 1.5))
    }

    fn symmetric(m: DMat3) -> DMat3 {
        (m + m.transpose()) * 0.5
    }

    fn stresses(model: &Model, gradient: DMat3) -> Vec<DMat3> {
        let all: Vec<u32> = (0..model.elements.len() as u32).collect();
        let (around, state) = (Surroundings::with_crossings(model, all.clone()), deformed(model, gradient));
        let reading = Reading::new(model, &state, &around);
        all.iter().map(|&s| mean_stress(&reading, &[s])).collect()
    }

    #[test]
    fn a_small_uniform_strain_gives_hookes_stress_at_every_element_also_on_the_surface() {
        for poisson in [0.25, 0.1, 0.4] {
            for cells in [[1, 1, 1], [3, 2, 1]] {
                let model = lattice(cells, poisson);
                let (mu, lambda) = moduli(&model.materials[0]);
                let strain = symmetric(shear()) * 1e-7;
                let trace = strain.diagonal().element_sum();
                let hooke = DMat3::from_diagonal(DVec3::splat(lambda * trace)) + strain * (2.0 * mu);
                for stress in stresses(&model, DMat3::IDENTITY + strain) {
                    assert!((stress - hooke).abs_diff_eq(DMat3::ZERO, 2e-6 * mu * 1e-7), "{stress} {hooke}");
                }
            }
        }
    }

    #[test]
    fn a_large_uniform_strain_gives_one_stress_everywhere_and_a_turn_turns_it() {
        let model = lattice([2, 2, 2], 0.4);
        let gradient = DMat3::IDENTITY + shear() * 0.1;
        let all = stresses(&model, gradient);
        assert!(all.iter().all(|s| s.abs_diff_eq(all[0], 1e-9 * all[0].x_axis.x.abs())));
        let turn = DMat3::from_rotation_y(0.8);
        let turned = stresses(&model, turn * gradient)[5];
        assert!(turned.abs_diff_eq(turn * all[0] * turn.transpose(), 1e-9 * all[0].x_axis.x.abs()));
    }

    #[test]
    fn stress_times_a_further_strain_is_the_work_it_costs() {
        let model = lattice([2, 1, 1], 0.4);
        let around = Surroundings::new(&model, (0..12).collect());
        let slots: Vec<u32> = (0..12).collect();
        let gradient = DMat3::IDENTITY + shear() * 0.1;
        let energy = |g: DMat3| elastic_energy(&Reading::new(&model, &deformed(&model, g), &around), &slots);
        let (more, d) = (shear().transpose(), 1e-5);
        let rate = (energy(gradient + more * gradient * d) - energy(gradient - more * gradient * d)) / (2.0 * d);
        let stress = stresses(&model, gradient)[0];
        let work: f64 = (0..3).map(|i| stress.col(i).dot(symmetric(more).col(i))).sum::<f64>() * 2.0 * SIDE.powi(3);
        assert!((rate - work).abs() < 1e-7 * work.abs(), "{rate} {work}");
    }

    #[test]
    fn the_mean_stress_of_a_body_is_the_moment_of_the_forces_it_holds() {
        let model = lattice([3, 2, 2], 0.25);
        let all: Vec<u32> = (0..model.elements.len() as u32).collect();
        let around = Surroundings::with_crossings(&model, all.clone());
        let mut state = deformed(&model, DMat3::IDENTITY + shear() * 0.1);
        state.position.axpy(0.05, &crate::force::difference::scattered(all.len(), 7));
        state.broken = vec![3, 17, 40];
        let reading = Reading::new(&model, &state, &around);
        let held = (0..model.connections.len()).filter(|&c| reading.is_unbroken(c as u32));
        let moment: DMat3 = held.map(|c| connection_virial(&reading, c)).sum();
        let mean = mean_stress(&reading, &all) * (12.0 * SIDE.powi(3));
        assert!(mean.abs_diff_eq(moment, 1e-11 * moment.x_axis.x.abs()), "{mean} {moment}");
    }

    #[test]
    fn pure_tension_has_one_principal_stress_which_is_also_von_mises() {
        let turn = DMat3::from_rotation_x(0.4) * DMat3::from_rotation_z(1.2);
        let pull = turn * DMat3::from_diagonal(DVec3::new(7.0, 0.0, 0.0)) * turn.transpose();
        assert!((principal(pull) - DVec3::new(7.0, 0.0, 0.0)).length() < 1e-14);
        assert!((von_mises(pull) - 7.0).abs() < 1e-14);
        assert!(von_mises(DMat3::from_diagonal(DVec3::splat(-3.0))) < 1e-14, "pressure alone does not make yield");
        let push = principal(pull * -1.0);
        assert!(push.x.abs() < 1e-14 && (push.z + 7.0).abs() < 1e-14, "largest first, with sign: {push}");
    }
}
