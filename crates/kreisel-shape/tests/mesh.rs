//! Triangles around solids: closed, on the surface, well-shaped, with the right volume.
#![allow(clippy::unwrap_used)]

mod common;
use common::{Random, euler, has_single_fans, is_closed, smallest_angles};
use kreisel::{DQuat, DVec3};
use kreisel_shape::{ShapeError, Solid, mesh};
use std::f64::consts::PI;

fn block(x: f64, y: f64, z: f64) -> Solid {
    Solid::Box { size: DVec3::new(x, y, z) }
}

fn hollow() -> Solid {
    Solid::Shell { solid: Box::new(Solid::Sphere { radius: 0.5 }), wall: 0.2 }
}

fn corner() -> Solid {
    Solid::Union(vec![block(1.0, 0.3, 0.3), block(0.3, 0.3, 1.0).at(DVec3::new(-0.35, 0.0, 0.35))])
}

fn drilled() -> Solid {
    let drill = Solid::Cylinder { radius: 0.2, height: 2.0 };
    Solid::Difference(Box::new(block(1.0, 0.8, 0.5)), vec![drill])
}

/// Solid, volume, Euler characteristic.
fn known() -> Vec<(Solid, f64, i64)> {
    vec![
        (block(1.0, 0.7, 0.5), 0.35, 2),
        (Solid::Sphere { radius: 0.5 }, PI / 6.0, 2),
        (Solid::Cylinder { radius: 0.5, height: 1.0 }, PI / 4.0, 2),
        (Solid::Capsule { radius: 0.3, height: 1.2 }, PI * (0.09 * 0.6 + 4.0 / 3.0 * 0.027), 2),
        (Solid::Torus { radius: 0.5, thickness: 0.3 }, 2.0 * PI * PI * 0.5 * 0.0225, 0),
        (Solid::Ellipsoid { radii: DVec3::new(0.6, 0.4, 0.3) }, 4.0 / 3.0 * PI * 0.072, 2),
        (Solid::Cone { radius: 0.5, height: 1.0, top: 0.0 }, PI / 12.0, 2),
        (Solid::Cone { radius: 0.5, height: 1.0, top: 0.2 }, PI / 3.0 * 0.39, 2),
        (hollow(), 4.0 / 3.0 * PI * (0.125 - 0.027), 4),
        (corner(), 0.09 + 0.063, 2),
        (drilled(), 0.4 - PI * 0.04 * 0.5, 0),
        (drilled().turned(DQuat::from_rotation_x(0.5) * DQuat::from_rotation_z(0.3)), 0.4 - PI * 0.04 * 0.5, 0),
    ]
}

#[test]
fn surfaces_are_closed_manifolds_of_the_right_kind() {
    for (solid, _, characteristic) in known() {
        let surface = mesh(&solid, 0.06).unwrap();
        assert!(is_closed(&surface) && has_single_fans(&surface), "{solid:?}");
        assert_eq!(euler(&surface), characteristic, "{solid:?}");
    }
}

#[test]
fn vertices_lie_on_the_surface_and_triangles_face_outwards() {
    for (solid, ..) in known() {
        let surface = mesh(&solid, 0.06).unwrap();
        let off = surface.vertices.iter().map(|x| solid.distance(*x).abs()).fold(0.0, f64::max);
        assert!(off < 1e-6 * 0.06, "{off} from {solid:?}");
        for t in 0..surface.triangles.len() {
            let [a, b, c] = surface.corners(t);
            let (middle, n) = ((a + b + c) / 3.0, (b - a).cross(c - a).normalize());
            let rise = solid.distance(middle + 0.01 * n) - solid.distance(middle - 0.01 * n);
            assert!(rise > 0.0, "a triangle at {middle} faces inwards on {solid:?}");
        }
    }
}

#[test]
fn volumes_converge_at_second_order() {
    for (solid, volume, _) in known() {
        let error = |size: f64| (mesh(&solid, size).unwrap().volume() / volume - 1.0).abs();
        let (coarse, fine) = (error(0.08), error(0.04));
        assert!(coarse < 0.05, "{coarse} at 8 cm around {solid:?}");
        assert!(fine < 0.4 * coarse || fine < 1e-8, "{coarse} to {fine} around {solid:?}");
    }
}

#[test]
fn triangles_are_well_shaped_and_of_the_wanted_size() {
    for (solid, ..) in known() {
        let surface = mesh(&solid, 0.05).unwrap();
        let angles = smallest_angles(&surface);
        let share = angles.iter().filter(|a| **a < 25.0).count() as f64 / angles.len() as f64;
        assert!(share < 0.002, "{share} of the triangles below 25° around {solid:?}");
        assert!(angles[angles.len() / 2] > 44.0, "median {} around {solid:?}", angles[angles.len() / 2]);
        let edges = (0..surface.triangles.len()).map(|t| (surface.corners(t)[0] - surface.corners(t)[1]).length());
        let mean = edges.sum::<f64>() / surface.triangles.len() as f64;
        assert!((0.8..1.25).contains(&(mean / 0.05)), "mean edge {mean} around {solid:?}");
    }
}

#[test]
fn sharp_edges_stay_sharp() {
    // Flat faces between straight edges lose no volume at all.
    for (solid, volume) in [(corner(), 0.153), (corner().turned(DQuat::from_rotation_y(0.3)), 0.153)] {
        let found = mesh(&solid, 0.06).unwrap().volume();
        assert!((found / volume - 1.0).abs() < 1e-6, "{found} instead of {volume}");
    }
}

#[test]
fn random_trees_of_solids_give_closed_surfaces_on_them() {
    let mut random = Random(11);
    for k in 0..24 {
        let solid = random.solid(1 + k % 2);
        let surface = match mesh(&solid, 0.09) {
            Ok(surface) => surface,
            Err(ShapeError::Empty { .. }) => continue,
            Err(error) => panic!("{error}: {solid:?}"),
        };
        assert!(is_closed(&surface) && has_single_fans(&surface), "{solid:?}");
        assert!(surface.volume() > 0.0, "{solid:?}");
        let far = |x: &&DVec3| solid.distance(**x).abs() > 1e-6 * 0.09;
        let off = surface.vertices.iter().filter(far).count();
        assert_eq!(off, 0, "{off} of {} vertices off the surface: {solid:?}", surface.vertices.len());
    }
}

#[test]
fn the_same_solid_gives_the_same_bits() {
    let solid = Random(12).solid(2);
    assert_eq!(mesh(&solid, 0.05), mesh(&solid, 0.05));
}

#[test]
fn too_many_triangles_are_refused_with_advice_that_helps() {
    let solids = [block(1.0, 1.0, 1.0), Solid::Sphere { radius: 1.0 }, corner(), Solid::Cow { length: 2.4 }];
    for solid in solids {
        let Err(ShapeError::TooFine { advice, triangles, .. }) = mesh(&solid, 1e-6) else {
            panic!("{solid:?} was not refused")
        };
        assert!(triangles > 5e6 && advice > 1e-5, "{triangles} {advice}");
    }
    assert!(matches!(mesh(&block(1.0, 1.0, 1.0), f64::NAN), Err(ShapeError::BadSize { .. })));
    let apart = vec![Solid::Sphere { radius: 0.1 }, Solid::Sphere { radius: 0.1 }.at(DVec3::X)];
    assert!(matches!(mesh(&Solid::Intersection(apart), 0.01), Err(ShapeError::Empty { .. })));
}

#[test]
fn what_is_coarser_than_the_solid_still_gives_a_closed_surface_or_says_so() {
    for (solid, ..) in known() {
        for size in [0.2, 0.5, 2.0, 50.0] {
            match mesh(&solid, size) {
                Ok(surface) => assert!(is_closed(&surface), "{size} {solid:?}"),
                Err(error) => assert!(matches!(error, ShapeError::Empty { .. }), "{error}"),
            }
        }
    }
}
