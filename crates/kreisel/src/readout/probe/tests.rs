//! Probes read what the physics says.

use super::*;
use crate::model::Region;
use crate::model::setup::Probe;
use crate::readout::sample::{deformed, lattice, make_rigid, moduli, resting};

fn probe(name: &str, quantity: Quantity, component: Option<u8>, elements: &[u32]) -> ElementProbe {
    let probe =
        Probe { name: name.into(), quantity, region: Region::Everything, nearest: None, component, joint: None };
    ElementProbe { probe, elements: elements.to_vec(), shares: Vec::new() }
}

fn read(model: &Model, state: &State) -> Vec<f64> {
    Probes::new(model).read(model, state, &Forces::default())
}

#[test]
fn every_column_has_a_name_and_every_name_a_number() {
    use Quantity::*;
    let mut model = lattice([1, 1, 1], 0.4);
    let all = [
        Position,
        Velocity,
        Displacement,
        Spin,
        Momentum,
        AngularMomentum,
        Force,
        Reaction,
        ContactForce,
        Strain,
        Stress,
        PrincipalStress,
        VonMises,
        Energy,
        Rigid,
    ];
    for component in [None, Some(2), Some(9)] {
        model.probes = all.iter().map(|&q| probe("p", q, component, &[7, 0, 3])).collect();
        assert_eq!(column_names(&model).len(), read(&model, &resting(&model)).len());
    }
    model.probes = vec![
        probe("tip", Position, None, &[0]),
        probe("load", Reaction, Some(2), &[0]),
        probe("s", VonMises, None, &[0]),
    ];
    assert_eq!(column_names(&model), ["tip.x", "tip.y", "tip.z", "load", "s"]);
    model.probes =
        vec![probe("s", Stress, None, &[0]), probe("p", PrincipalStress, None, &[0]), probe("e", Energy, None, &[0])];
    let names = column_names(&model).join(" ");
    assert_eq!(names, "s.xx s.yy s.zz s.yz s.xz s.xy p.1 p.2 p.3 e.kinetic e.gravity e.elastic");
}

#[test]
fn a_shear_shows_in_its_own_component_of_stress_and_strain() {
    let mut model = lattice([2, 2, 2], 0.25);
    let (mu, e) = (moduli(&model.materials[0]).0, 1e-7);
    model.probes = vec![
        probe("stress", Quantity::Stress, None, &[0, 13, 26]),
        probe("strain", Quantity::Strain, Some(4), &[13]),
        probe("mises", Quantity::VonMises, None, &[1, 2]),
        probe("principal", Quantity::PrincipalStress, None, &[5]),
    ];
    let shear = DMat3::from_cols(DVec3::X + e * DVec3::Z, DVec3::Y, DVec3::Z + e * DVec3::X);
    let row = read(&model, &deformed(&model, shear));
    let stress = 2.0 * mu * e;
    let expected = [0.0, 0.0, 0.0, 0.0, stress, 0.0];
    assert!(row[..6].iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5 * stress), "{row:?}");
    assert!((row[6] - e).abs() < 1e-6 * e);
    assert!((row[7] - 3f64.sqrt() * stress).abs() < 1e-5 * stress, "√3 τ, but {}", row[7]);
    assert!((row[8] - stress).abs() < 1e-5 * stress && (row[10] + stress).abs() < 1e-5 * stress);
}

#[test]
fn the_energies_of_two_halves_add_up_to_that_of_the_whole() {
    let mut model = lattice([3, 1, 1], 0.4);
    model.gravity = DVec3::new(0.0, 1.0, -9.81);
    let left: Vec<u32> = (0..16).filter(|e| e % 4 < 2).collect();
    let right: Vec<u32> = (0..16).filter(|e| e % 4 >= 2).collect();
    let all: Vec<u32> = (0..16).collect();
    model.probes = [left, right, all].map(|set| probe("e", Quantity::Energy, None, &set)).to_vec();
    let mut state = deformed(&model, DMat3::from_diagonal(DVec3::new(1.2, 0.9, 1.05)));
    state.position.add(5, DVec3::new(0.05, -0.1, 0.02));
    state.velocity.set(2, DVec3::new(1.0, 2.0, 3.0));
    state.velocity.set(5, DVec3::new(-1.0, 0.0, 3.0));
    let row = read(&model, &state);
    for k in 0..3 {
        assert!(row[6 + k] != 0.0);
        assert!((row[k] + row[3 + k] - row[6 + k]).abs() < 1e-12 * row[6 + k].abs(), "{row:?}");
    }
}

#[test]
fn forces_add_up_over_the_region_and_missing_fields_are_zero() {
    let mut model = lattice([1, 1, 1], 0.25);
    model.probes = vec![
        probe("force", Quantity::Force, None, &[0, 1]),
        probe("reaction", Quantity::Reaction, Some(2), &[0, 1, 2]),
        probe("contact", Quantity::ContactForce, None, &[0]),
    ];
    let mut forces = Forces { total: Vectors::zeros(8), reaction: Vectors::zeros(8), contact: Vectors::default() };
    forces.total.set(1, DVec3::X);
    forces.total.set(0, DVec3::Y);
    forces.total.set(7, DVec3::Z);
    forces.reaction.set(2, DVec3::Z * 5.0);
    let row = Probes::new(&model).read(&model, &resting(&model), &forces);
    assert_eq!(row, [1.0, 1.0, 0.0, 5.0, 0.0, 0.0, 0.0]);
}

#[test]
fn rigid_shares_go_by_mass_and_displacement_is_that_of_the_centre() {
    let mut model = lattice([2, 1, 1], 0.25);
    model.probes = vec![
        probe("rigid", Quantity::Rigid, None, &(0..12).collect::<Vec<_>>()),
        probe("moved", Quantity::Displacement, None, &[0, 1]),
    ];
    let mut state = resting(&model);
    make_rigid(&model, &mut state, &[0, 3, 6, 9]);
    state.position.add(1, DVec3::Z * 3.0);
    let row = read(&model, &state);
    assert!((row[0] - 0.25).abs() < 1e-15, "the corners of one end carry a quarter of the mass: {}", row[0]);
    assert!((row[3] - 2.0).abs() < 1e-15, "the inner element weighs twice the corner: {}", row[3]);
}
