//! The cow: its weight, its size, its symmetry and its parts.
#![allow(clippy::unwrap_used)]

mod common;
use common::{Random, euler, has_single_fans, is_closed, smallest_angles};
use kreisel::{DQuat, DVec3};
use kreisel_shape::{Solid, mesh};

const COW: Solid = Solid::Cow { length: 2.4 };

#[test]
fn a_cow_weighs_600_kg_whatever_the_edge_length() {
    for size in [0.06, 0.04] {
        let mass = 1000.0 * mesh(&COW, size).unwrap().volume();
        assert!((mass / 600.0 - 1.0).abs() < 0.03, "{mass} kg at {size} m");
    }
}

#[test]
fn a_cow_stands_on_the_ground_and_is_as_long_as_asked_for() {
    for length in [0.3, 7.0] {
        let (low, high) = mesh(&Solid::Cow { length }, length / 40.0).unwrap().bounds();
        assert!((high.x - low.x - length).abs() < 0.005 * length, "{} long", high.x - low.x);
        assert!((high.x + low.x).abs() < 0.005 * length, "from {} to {}", low.x, high.x);
        assert!(low.z.abs() < 1e-4 * length, "feet at {}", low.z);
        assert!((high.y + low.y).abs() < 0.005 * length);
    }
    let withers = |z: f64| COW.distance(DVec3::new(0.4, 0.0, z));
    assert!(withers(1.42) < 0.0 && withers(1.48) > 0.0);
}

#[test]
fn left_and_right_are_the_same() {
    let mut random = Random(21);
    for _ in 0..3000 {
        let p = random.vector(1.3) + DVec3::Z;
        let mirrored = DVec3::new(p.x, -p.y, p.z);
        assert!((COW.distance(p) - COW.distance(mirrored)).abs() < 1e-12);
    }
}

#[test]
fn legs_horns_and_tail_are_thick_enough_for_cells_of_6_cm() {
    let depth = |x: f64, y: f64, z: f64| -COW.distance(DVec3::new(x, y, z));
    for s in [1.0, -1.0] {
        for z in [0.15, 0.3, 0.45] {
            let front = (0..20).map(|k| depth(0.35 + 0.005 * k as f64, 0.155 * s, z)).fold(0.0, f64::max);
            let rear = (0..60).map(|k| depth(-0.9 + 0.005 * k as f64, 0.155 * s, z)).fold(0.0, f64::max);
            assert!(front > 0.065 && rear > 0.065, "{front} {rear}");
        }
        assert!(depth(0.97, 0.225 * s, 1.785) >= 0.0299);
    }
    assert!(depth(-1.138, 0.0, 0.9) >= 0.035);
}

#[test]
fn a_cow_is_one_closed_surface_without_holes_of_good_triangles() {
    for size in [0.06, 0.05, 0.04] {
        let surface = mesh(&COW, size).unwrap();
        assert!(is_closed(&surface) && has_single_fans(&surface));
        assert_eq!(euler(&surface), 2, "at {size} m");
        let angles = smallest_angles(&surface);
        assert!(angles[angles.len() / 200] > 30.0, "half a percent below {}", angles[angles.len() / 200]);
    }
}

#[test]
fn a_cow_has_coat_and_patches_muzzle_horns_hooves_and_an_udder() {
    let surface = mesh(&COW, 0.04).unwrap();
    let names: Vec<&str> = surface.parts.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["coat", "eye", "hoof", "horn", "muzzle", "patch", "udder"]);
    let mut next = 0;
    for part in &surface.parts {
        assert!(part.first == next && part.count > 10, "{part:?}");
        next += part.count;
        let centre = |t: u32| surface.corners(t as usize).iter().sum::<DVec3>() / 3.0;
        let mut places = (part.first..part.first + part.count).map(centre);
        match part.name.as_str() {
            "hoof" => assert!(places.all(|p| p.z < 0.16)),
            "horn" => assert!(places.all(|p| p.z > 1.5 && p.x > 0.7)),
            "udder" => assert!(places.all(|p| p.z < 0.8 && p.x < 0.0)),
            "muzzle" => assert!(places.all(|p| p.x > 1.0)),
            _ => {}
        }
    }
    assert_eq!(next as usize, surface.triangles.len());
}

#[test]
fn a_cow_that_was_moved_keeps_its_coat() {
    let moved = COW.turned(DQuat::from_rotation_z(1.0)).at(DVec3::new(1.0, 2.0, 3.0));
    let parts = |solid: &Solid| mesh(solid, 0.08).unwrap().parts.len();
    assert_eq!(parts(&moved), 7);
    assert_eq!(parts(&Solid::Union(vec![moved, Solid::Sphere { radius: 0.5 }])), 8);
}
