//! Distances have the right sign and never promise more room than there is.
#![allow(clippy::unwrap_used)]

mod common;
use common::Random;
use kreisel::{DQuat, DVec3};
use kreisel_shape::{ShapeError, Solid};

#[test]
fn distances_change_by_no_more_than_one_moves() {
    let mut random = Random(1);
    for k in 0..300 {
        let solid = if k == 0 { Solid::Cow { length: 1.0 } } else { random.solid(k % 3) };
        for _ in 0..200 {
            let p = random.vector(1.0);
            let q = p + random.vector(1.0) * random.between(0.0, 1.0).powi(4);
            let (change, way) = ((solid.distance(p) - solid.distance(q)).abs(), (p - q).length());
            assert!(change <= way * (1.0 + 1e-9) + 1e-12, "{change} over {way} in {solid:?}");
        }
    }
}

#[test]
fn plain_solids_contain_what_their_formula_says() {
    let mut random = Random(2);
    let r = DVec3::new(0.7, 0.4, 0.2);
    type Inside = fn(DVec3) -> bool;
    let cases: [(Solid, Inside); 5] = [
        (Solid::Box { size: DVec3::new(1.0, 0.8, 0.6) }, |p| p.x.abs() < 0.5 && p.y.abs() < 0.4 && p.z.abs() < 0.3),
        (Solid::Ellipsoid { radii: r }, |p| (p / DVec3::new(0.7, 0.4, 0.2)).length() < 1.0),
        (Solid::Cylinder { radius: 0.5, height: 0.8 }, |p| p.x.hypot(p.y) < 0.5 && p.z.abs() < 0.4),
        (Solid::Cone { radius: 0.6, height: 1.0, top: 0.0 }, |p| p.z.abs() < 0.5 && p.x.hypot(p.y) < 0.6 * (0.5 - p.z)),
        (Solid::Torus { radius: 0.5, thickness: 0.4 }, |p| (p.x.hypot(p.y) - 0.5).hypot(p.z) < 0.2),
    ];
    for (solid, inside) in cases {
        for _ in 0..5000 {
            let p = random.vector(0.8);
            assert_eq!(solid.distance(p) < 0.0, inside(p), "{p} and {solid:?}");
        }
    }
}

#[test]
fn the_distance_of_an_ellipsoid_is_that_of_the_place_it_was_pushed_from() {
    // A surface point moved along its normal by less than the smallest radius of curvature is that far away.
    let mut random = Random(3);
    let radii = DVec3::new(0.7, 0.4, 0.3);
    let solid = Solid::Ellipsoid { radii };
    for _ in 0..2000 {
        let on = random.vector(1.0).normalize() * radii;
        let normal = (on / (radii * radii)).normalize();
        let far = random.between(-0.1, 3.0);
        let found = solid.distance(on + normal * far);
        assert!((found - far).abs() < 1e-11, "{found} for {far}");
    }
    let middle = solid.distance(DVec3::ZERO);
    assert!((middle + 0.3).abs() < 1e-12, "{middle}");
}

#[test]
fn every_primitive_is_as_far_as_its_nearest_surface_point() {
    // Walking by the distance against the gradient of an exact field ends on the surface after one step.
    let mut random = Random(4);
    for _ in 0..2000 {
        let solid = random.primitive();
        let p = random.vector(1.5);
        let d = solid.distance(p);
        let slope = |e: DVec3| (solid.distance(p + 1e-6 * e) - solid.distance(p - 1e-6 * e)) / 2e-6;
        let g = DVec3::new(slope(DVec3::X), slope(DVec3::Y), slope(DVec3::Z));
        if d > 1e-3 {
            let landed = solid.distance(p - d * g.normalize()).abs();
            assert!(landed < 1e-5, "{landed} from {d} around {solid:?}");
        }
    }
}

#[test]
fn bounds_contain_the_solid() {
    let mut random = Random(5);
    for k in 0..200 {
        let solid = random.solid(k % 3);
        let (low, high) = solid.bounds();
        for _ in 0..200 {
            let p = random.vector(1.5);
            let outside = p.cmplt(low).any() || p.cmpgt(high).any();
            assert!(!outside || solid.distance(p) > 0.0, "{p} is in {solid:?} but not in {low} to {high}");
        }
    }
}

#[test]
fn moved_solids_keep_their_distances() {
    let mut random = Random(6);
    for _ in 0..100 {
        let solid = random.solid(1);
        let (at, rotation, scale) = (random.vector(2.0), random.rotation(), random.between(0.5, 2.0));
        let moved = Solid::Moved { at, rotation, scale, solid: Box::new(solid.clone()) };
        let p = random.vector(1.0);
        let there = moved.distance(at + rotation * (p * scale));
        assert!((there - scale * solid.distance(p)).abs() < 1e-12);
    }
}

#[test]
fn a_blend_does_not_care_about_the_order_of_its_parts() {
    let mut random = Random(7);
    let parts: Vec<Solid> = (0..5).map(|_| random.primitive().at(random.vector(0.5))).collect();
    let turned: Vec<Solid> = parts.iter().rev().cloned().collect();
    let (a, b) = (Solid::Blend { parts, radius: 0.2 }, Solid::Blend { parts: turned, radius: 0.2 });
    for _ in 0..1000 {
        let p = random.vector(1.0);
        assert!((a.distance(p) - b.distance(p)).abs() < 1e-14);
    }
}

#[test]
fn bad_sizes_are_refused_by_name() {
    let bad = |solid: Solid| solid.check().unwrap_err().to_string();
    assert!(bad(Solid::Sphere { radius: f64::NAN }).contains("radius is NaN"));
    assert!(bad(Solid::Box { size: DVec3::new(1.0, 0.0, 1.0) }).contains("size is 0"));
    assert!(bad(Solid::Cow { length: -1.0 }).contains("cow: length is -1"));
    assert!(bad(Solid::Capsule { radius: 1.0, height: 1.0 }).contains("twice the radius"));
    assert!(bad(Solid::Torus { radius: 1.0, thickness: 2.5 }).contains("less than twice the radius"));
    assert!(bad(Solid::Union(vec![])).contains("union of nothing"));
    assert!(
        bad(Solid::Sphere { radius: 1.0 }.turned(DQuat::from_xyzw(1.0, 1.0, 1.0, 1.0))).contains("unit quaternion")
    );
    let deep = (0..1000).fold(Solid::Sphere { radius: 1.0 }, |s, _| s.at(DVec3::X));
    assert_eq!(deep.check(), Err(ShapeError::TooDeep { limit: 64 }));
}
