//! Rays and surfaces against the exact distance.

use crate::random::Random;
use crate::smooth::solids;
use kreisel::DVec3;
use kreisel::collide::shapes::{nearest, ray};
use kreisel::model::shape::{PlacedShape, Shape, TriangleMesh, mass_properties, surface};
use std::sync::Arc;

#[test]
fn a_ray_ends_on_the_surface_and_passes_nothing_before() {
    let mut random = Random(51);
    for shape in solids() {
        let mut hits = 0;
        for _ in 0..400 {
            let pose = random.pose(0.5);
            let local = |x: DVec3| pose.rotation.inverse() * (x - pose.position);
            let far = |x: DVec3| nearest(&shape, local(x), 9.0).unwrap();
            let (origin, target) = (random.direction() * 3.0, random.vector(0.7));
            let direction = (target - origin).normalize();
            let hit = ray(&shape, &pose, origin, direction * 7.0);
            let end = hit.map_or(6.0, |(t, _)| t);
            for k in 0..200 {
                let d = far(origin + direction * (end * f64::from(k) / 200.0)).distance;
                assert!(d > -1e-3, "{shape:?} {pose:?} {origin} {direction} {hit:?} {d}");
            }
            if let Some((t, n)) = hit {
                let near = far(origin + direction * t);
                assert!(near.distance.abs() < 1e-9, "{shape:?} {hit:?} {near:?}");
                assert!(
                    (near.normal - pose.rotation.inverse() * n).length() < 1e-6 || near.distance != 0.0,
                    "{shape:?}"
                );
                hits += 1;
            }
        }
        assert!(hits > 20, "{shape:?} {hits}");
    }
}

#[test]
fn a_ray_from_inside_a_convex_shape_meets_nothing() {
    let mut random = Random(52);
    for shape in solids() {
        let mut inside = 0;
        for _ in 0..20_000 {
            let (pose, origin) = (random.pose(0.1), random.vector(0.7));
            let local = pose.rotation.inverse() * (origin - pose.position);
            if nearest(&shape, local, 9.0).unwrap().distance < -1e-9 {
                assert_eq!(ray(&shape, &pose, origin, random.direction()), None, "{shape:?} {pose:?} {origin}");
                inside += 1;
            }
        }
        assert!(inside > 20, "{shape:?} {inside}");
    }
}

#[test]
fn surfaces_are_closed_look_outwards_and_enclose_nearly_the_volume() {
    for shape in solids() {
        let (vertices, triangles) = surface(&shape, 96);
        assert!(vertices.iter().all(|v| nearest(&shape, *v, 1.0).unwrap().distance.abs() < 1e-9), "{shape:?}");
        let mesh = TriangleMesh::new(vertices, triangles).unwrap();
        assert_eq!(mesh.open_edges(), 0, "{shape:?}");
        let mass = |s: Shape| mass_properties(&[PlacedShape::centred(s)], 1.0).unwrap();
        let (fine, exact) = (mass(Shape::Mesh(Arc::new(mesh.clone()))), mass(shape.clone()));
        assert!((fine.mass / exact.mass - 1.0).abs() < 5e-3, "{shape:?} {} {}", fine.mass, exact.mass);
        assert!(
            (fine.inertia - exact.inertia)
                .to_cols_array()
                .iter()
                .all(|x| x.abs() < 1e-2 * exact.inertia.x_axis.x.max(exact.inertia.z_axis.z)),
            "{shape:?}"
        );
        let above = ray(
            &Shape::Mesh(Arc::new(mesh)),
            &kreisel::collide::Pose::IDENTITY,
            DVec3::new(0.01, 0.003, 5.0),
            -DVec3::Z,
        );
        let true_one = ray(&shape, &kreisel::collide::Pose::IDENTITY, DVec3::new(0.01, 0.003, 5.0), -DVec3::Z);
        assert!((above.unwrap().0 - true_one.unwrap().0).abs() < 2e-3, "{shape:?}");
    }
}
