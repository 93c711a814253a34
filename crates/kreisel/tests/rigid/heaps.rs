//! Heaps of all shapes together: whatever is in them, what is told as solved does not overlap.

use super::angle::angle;
use super::mixture::{Mixture, fate, overlap};
use super::random::Random;
use super::scenes::{body, material, on_ground};
use kreisel::collide::shapes::{Pose, touch};
use kreisel::model::setup::BodySetup;
use kreisel::model::shape::Shape;
use kreisel::{DQuat, DVec3, Simulation};

#[test]
fn random_heaps_of_all_shapes_neither_overlap_nor_gain_energy_nor_lose_momentum() {
    for seed in 1..=6 {
        let mut random = Random(seed);
        let drawn = Mixture::any(&mut random);
        let mixture = Mixture { count: drawn.count.min(24), inside: false, ..drawn };
        let fate = fate(&mixture.setup(&mut random), 0.8);
        assert!(fate.failed.is_none(), "{seed}: {fate:?}");
        // Who goes by less than a tenth of its width is not looked at where it ends; two that meet come by twice that at most, and these by half of it.
        assert!(fate.deepest_solved < 0.1, "{seed}: {fate:?}");
        assert!(fate.gain < 2e-3, "{seed}: {fate:?}");
        assert!(fate.momentum < 1e-10, "{seed}: {fate:?}");
    }
}

#[test]
fn a_thin_body_that_spins_by_more_than_a_radian_in_a_step_stays_on_the_ground() {
    let shape = Shape::Ellipsoid { semi_axes: DVec3::new(0.044, 0.013, 0.026) };
    for spin in [DVec3::new(0.0, 40.0, 3.0), DVec3::new(2.0, 5.0, 45.0), DVec3::new(35.0, 20.0, 0.0)] {
        let one = BodySetup { spin, ..body("thin", shape.clone(), DVec3::Z * 0.05, material(0.5, 0.0)) };
        let mut sim = Simulation::new(&on_ground(vec![one], 1.0 / 30.0, 2.0)).unwrap();
        for _ in 0..60 {
            sim.step().unwrap();
            // It used to sink by several times its width, because it was turned and not lifted.
            let (depth, _) = overlap(&sim);
            assert!(depth < 0.05, "spin {spin}: {depth} of its width at {} s", sim.time());
        }
    }
}

#[test]
fn a_box_that_stands_face_to_face_with_a_mesh_is_not_thought_to_be_deep_in_it() {
    // Both stand on the ground, and their upright faces overlap by a thousandth of a millimetre: poses of a heap in which the box was
    // thrown out by 6 cm, because edges at the rims of the two faces cross.
    let at = Pose {
        position: DVec3::new(-0.6500792956265364, -0.777870485927461, 0.06918418968077637),
        rotation: DQuat::from_xyzw(0.38529530753099817, 0.5929144479740368, 0.5929143178810206, 0.38529546458519454),
    };
    let of_mesh = Pose {
        position: DVec3::new(-0.6192175611350393, -0.8883124133161865, 0.036653093261267075),
        rotation: DQuat::from_xyzw(-0.6916942359883395, -0.14681010266364478, -0.691702626156367, 0.14681060801175877),
    };
    let half_size = DVec3::new(0.08413467385090809, 0.06918419264518208, 0.0742982705533424);
    let mut touches = Vec::new();
    touch(&Shape::Box { half_size }, &at, &angle(0.036653262921221896), &of_mesh, 0.0, &mut touches);
    assert!(touches.len() > 3, "{touches:?}");
    assert!(touches.iter().all(|t| t.gap > -2e-6), "{touches:?}");
}
