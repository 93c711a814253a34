//! Balls against everything, and everything against a plane: exact answers.

use crate::random::Random;
use kreisel::collide::shapes::{Pose, nearest, touch};
use kreisel::model::{Polyhedron, Shape};
use kreisel::{DQuat, DVec3};
use std::sync::Arc;

pub fn solids() -> Vec<Shape> {
    let mut random = Random(77);
    let points: Vec<DVec3> = (0..30).map(|_| random.direction() * DVec3::new(0.5, 0.7, 0.4)).collect();
    vec![
        Shape::Sphere { radius: 0.6 },
        Shape::Box { half_size: DVec3::new(0.5, 0.3, 0.7) },
        Shape::Ellipsoid { semi_axes: DVec3::new(0.5, 0.3, 0.8) },
        Shape::Ellipsoid { semi_axes: DVec3::new(0.5, 0.5, 0.01) },
        Shape::Capsule { half_length: 0.5, radius: 0.2 },
        Shape::Cylinder { half_length: 0.5, radius: 0.3 },
        Shape::Cone { half_length: 0.5, radius: 0.4 },
        Shape::Polyhedron(Arc::new(Polyhedron::from_points(&points).unwrap())),
    ]
}

#[test]
fn the_normal_is_the_gradient_of_the_distance() {
    let mut random = Random(1);
    for shape in solids() {
        for _ in 0..500 {
            let x = random.vector(1.0);
            let here = nearest(&shape, x, 9.0).unwrap();
            let h = 1e-6;
            let slope = |d: DVec3| {
                (nearest(&shape, x + d * h, 9.0).unwrap().distance - nearest(&shape, x - d * h, 9.0).unwrap().distance)
                    / (2.0 * h)
            };
            let gradient = DVec3::new(slope(DVec3::X), slope(DVec3::Y), slope(DVec3::Z));
            let ridge = (gradient.length() - 1.0).abs() > 1e-6;
            assert!(ridge || (gradient - here.normal).length() < 1e-4, "{shape:?} {x} {here:?} {gradient}");
            assert!((here.normal.length() - 1.0).abs() < 1e-12);
            assert!((x - here.point - here.normal * here.distance).length() < 1e-12, "{shape:?} {x} {here:?}");
            assert!(nearest(&shape, here.point, 9.0).unwrap().distance.abs() < 1e-12, "{shape:?} {x} {here:?}");
        }
    }
}

#[test]
fn no_other_place_of_an_ellipsoid_is_nearer() {
    let mut random = Random(2);
    for a in [DVec3::new(0.5, 0.3, 0.8), DVec3::new(1.0, 1.0, 0.2), DVec3::splat(0.7)] {
        let shape = Shape::Ellipsoid { semi_axes: a };
        let special = [DVec3::ZERO, DVec3::X * 0.1, DVec3::new(0.1, 0.2, 0.0), DVec3::Z * 1e-300, DVec3::Z * 3.0];
        let points: Vec<DVec3> = (0..50).map(|_| random.vector(1.5)).chain(special).collect();
        for x in points {
            let found = nearest(&shape, x, 9.0).unwrap();
            assert!(found.distance.is_finite() && found.point.is_finite() && found.normal.is_finite());
            assert!(((found.point / a).length() - 1.0).abs() < 1e-12, "{x} {found:?}");
            for _ in 0..2000 {
                let y = random.direction() * a;
                assert!((y - x).length() > found.distance.abs() - 1e-12, "{a} {x} {found:?}");
            }
        }
    }
}

#[test]
fn the_lowest_point_over_a_plane_is_the_support() {
    let mut random = Random(3);
    for shape in solids() {
        for _ in 0..200 {
            let (pose, plane) = (random.pose(0.5), random.pose(0.2));
            let mut out = Vec::new();
            touch(&shape, &pose, &Shape::Plane, &plane, 5.0, &mut out);
            let n = plane.rotation * DVec3::Z;
            let (low, _) = kreisel::collide::shapes::bounds(
                &shape,
                &Pose {
                    position: plane.rotation.inverse() * (pose.position - plane.position),
                    rotation: plane.rotation.inverse() * pose.rotation,
                },
            );
            let least = out.iter().map(|t| t.gap).fold(f64::MAX, f64::min);
            assert!((least - low.z).abs() < 1e-12, "{shape:?}: {least} {}", low.z);
            assert!(out.iter().all(|t| (t.normal - n).length() < 1e-12));
        }
    }
}

#[test]
fn round_shapes_lie_flat_on_several_points() {
    let count = |shape: &Shape, pose: &Pose| {
        let mut out = Vec::new();
        touch(shape, pose, &Shape::Plane, &Pose::IDENTITY, 1e-3, &mut out);
        assert!(out.iter().all(|t| t.gap.abs() < 1e-12), "{out:?}");
        out.len()
    };
    let up = |z: f64| Pose { position: DVec3::Z * z, rotation: DQuat::IDENTITY };
    let lying = |z: f64| Pose { position: DVec3::Z * z, rotation: DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2) };
    let cylinder = Shape::Cylinder { half_length: 0.5, radius: 0.3 };
    assert_eq!((count(&cylinder, &up(0.5)), count(&cylinder, &lying(0.3))), (4, 2));
    let capsule = Shape::Capsule { half_length: 0.5, radius: 0.3 };
    assert_eq!((count(&capsule, &up(0.8)), count(&capsule, &lying(0.3))), (1, 2));
    assert_eq!(count(&Shape::Cone { half_length: 0.5, radius: 0.3 }, &up(0.5)), 4);
}
