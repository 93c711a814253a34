//! Convex pairs: distance against sampling, smoothness, symmetry.

use crate::random::Random;
use crate::smooth::solids;
use kreisel::collide::shapes::{Pose, Touch, bounds, nearest, touch};
use kreisel::model::{Polyhedron, Shape};
use kreisel::{DQuat, DVec3};
use std::sync::Arc;

pub fn touches(a: &Shape, pa: &Pose, b: &Shape, pb: &Pose, margin: f64) -> Vec<Touch> {
    let mut out = Vec::new();
    touch(a, pa, b, pb, margin, &mut out);
    for t in &out {
        assert!(t.gap.is_finite() && t.point_a.is_finite() && t.point_b.is_finite(), "{a:?} {pa:?} {b:?} {pb:?} {t:?}");
        assert!((t.normal.length() - 1.0).abs() < 1e-9, "{a:?} {pa:?} {b:?} {pb:?} {t:?}");
        let difference = (t.point_a - t.point_b).dot(t.normal) - t.gap;
        assert!(difference.abs() < 1e-9 && t.gap < margin, "{a:?} {pa:?} {b:?} {pb:?} {t:?}");
    }
    out
}

pub fn deepest(found: &[Touch]) -> Option<Touch> {
    found.iter().copied().min_by(|x, y| x.gap.total_cmp(&y.gap))
}

/// Half width of a shape at a pose along a direction, both ends: from the bounds of the turned shape.
fn interval(shape: &Shape, pose: &Pose, n: DVec3) -> (f64, f64) {
    let turn = DQuat::from_rotation_arc(n, DVec3::X);
    let turned = Pose { position: turn * pose.position, rotation: turn * pose.rotation };
    let (low, high) = bounds(shape, &turned);
    (low.x, high.x)
}

pub fn separation(a: &Shape, pa: &Pose, b: &Shape, pb: &Pose, n: DVec3) -> f64 {
    interval(a, pa, n).0 - interval(b, pb, n).1
}

#[test]
fn the_gap_is_the_separation_along_the_normal_and_no_direction_has_more() {
    let mut random = Random(21);
    let shapes = solids();
    let (mut tried, mut worst) = (0, 0.0f64);
    for a in &shapes {
        for b in &shapes {
            for _ in 0..60 {
                let (pa, pb) = (random.pose(0.5), random.pose(0.5));
                let Some(t) = deepest(&touches(a, &pa, b, &pb, 0.2)) else {
                    let apart =
                        (0..300).map(|_| separation(a, &pa, b, &pb, random.direction())).fold(f64::MIN, f64::max);
                    assert!(apart > 0.05, "{a:?} {pa:?} {b:?} {pb:?}: {apart}");
                    continue;
                };
                let best = separation(a, &pa, b, &pb, t.normal);
                assert!((t.gap - best).abs() < 2e-5, "{a:?} {pa:?} {b:?} {pb:?}: {t:?} {best}");
                for _ in 0..300 {
                    let other = separation(a, &pa, b, &pb, random.direction());
                    worst = worst.max(other - t.gap);
                    assert!(other < t.gap + 2e-4, "{a:?} {pa:?} {b:?} {pb:?}: {t:?} {other}");
                }
                tried += 1;
            }
        }
    }
    println!("{tried} pairs, worst {worst}");
    assert!(tried > 2000, "{tried}");
}

#[test]
fn the_deepest_points_lie_on_both_surfaces() {
    let mut random = Random(22);
    let shapes = solids();
    for a in &shapes {
        for b in &shapes {
            for _ in 0..40 {
                let (pa, pb) = (random.pose(0.5), random.pose(0.5));
                let found = deepest(&touches(a, &pa, b, &pb, 0.05)).filter(|t| t.gap > -0.05);
                if let Some(t) = found {
                    for (shape, pose, point) in [(a, &pa, t.point_a), (b, &pb, t.point_b)] {
                        let local = pose.rotation.inverse() * (point - pose.position);
                        let d = nearest(shape, local, 1.0).unwrap().distance;
                        assert!(d.abs() < 1e-4, "{} {pa:?} {} {pb:?}: {t:?} {d}", a.name(), b.name());
                    }
                }
            }
        }
    }
}

#[test]
fn swapping_mirrors_and_turning_the_world_turns_the_answer() {
    let mut random = Random(23);
    let shapes = solids();
    for a in &shapes {
        for b in &shapes {
            for _ in 0..20 {
                let (pa, pb) = (random.pose(0.5), random.pose(0.5));
                let here = deepest(&touches(a, &pa, b, &pb, 0.1));
                let there = deepest(&touches(b, &pb, a, &pa, 0.1));
                assert_eq!(here.is_some(), there.is_some());
                let turn = random.pose(3.0);
                let move_all = |p: &Pose| turn.of_part(p.position, p.rotation);
                let turned = deepest(&touches(a, &move_all(&pa), b, &move_all(&pb), 0.1));
                let (Some(x), Some(y), Some(z)) = (here, there, turned) else { continue };
                assert!((x.gap - y.gap).abs() < 1e-5, "{a:?} {pa:?} {b:?} {pb:?}: {x:?} {y:?}");
                assert!((x.gap - z.gap).abs() < 1e-5, "{a:?} {pa:?} {b:?} {pb:?}: {x:?} {z:?}");
            }
        }
    }
}

#[test]
fn ellipsoids_know_their_gap_and_normal_to_1e_10() {
    let mut random = Random(24);
    let others = solids();
    let a = Shape::Ellipsoid { semi_axes: DVec3::new(0.5, 0.3, 0.8) };
    let mut tried = 0;
    for b in others.iter().filter(|b| {
        matches!(b, Shape::Sphere { .. } | Shape::Ellipsoid { .. } | Shape::Box { .. } | Shape::Polyhedron(_))
    }) {
        for _ in 0..100 {
            let (pa, pb) = (random.pose(0.7), random.pose(0.7));
            let Some(t) = deepest(&touches(&a, &pa, b, &pb, 0.2)).filter(|t| t.gap > -0.02) else { continue };
            // At the maximum the separation does not change to first order, so nearby directions are worse by no more than rounding allows.
            let best = separation(&a, &pa, b, &pb, t.normal);
            assert!((best - t.gap).abs() < 1e-10, "{b:?}: {t:?} {best}");
            for _ in 0..50 {
                let near = (t.normal + random.direction() * 1e-5).normalize();
                let other = separation(&a, &pa, b, &pb, near);
                assert!(other < t.gap + 1e-12, "{pa:?} {b:?} {pb:?}: {t:?} {:e}", other - t.gap);
            }
            tried += 1;
        }
    }
    assert!(tried > 60, "{tried}");
}

#[test]
fn what_lies_flat_has_several_points() {
    let up = |z: f64| Pose { position: DVec3::new(0.05, 0.02, z), rotation: DQuat::IDENTITY };
    let lying = |z: f64| Pose { rotation: DQuat::from_rotation_x(std::f64::consts::FRAC_PI_2), ..up(z) };
    let table = Shape::Box { half_size: DVec3::new(2.0, 2.0, 0.5) };
    let corners: Vec<DVec3> =
        [-0.5, 0.5].iter().flat_map(|&x| [-0.5, 0.5].map(|y| DVec3::new(x, y, -0.5))).chain([DVec3::Z * 0.5]).collect();
    let pyramid = Shape::Polyhedron(Arc::new(Polyhedron::from_points(&corners).unwrap()));
    let cylinder = Shape::Cylinder { half_length: 0.5, radius: 0.3 };
    let capsule = Shape::Capsule { half_length: 0.5, radius: 0.3 };
    let cone = Shape::Cone { half_length: 0.5, radius: 0.3 };
    let cases = [
        (&pyramid, up(1.0), 4),
        (&cylinder, up(1.0), 4),
        (&cylinder, lying(0.8), 2),
        (&capsule, lying(0.8), 2),
        (&capsule, up(1.3), 1),
        (&cone, up(1.0), 4),
    ];
    for (shape, pose, count) in cases {
        for gap in [-1e-3, 0.0, 1e-3] {
            let pose = Pose { position: pose.position + DVec3::Z * gap, ..pose };
            let found = touches(shape, &pose, &table, &Pose::IDENTITY, 0.01);
            assert_eq!(found.len(), count, "{shape:?} {gap} {found:?}");
            for t in &found {
                assert!((t.normal - DVec3::Z).length() < 1e-9 && (t.gap - gap).abs() < 1e-9, "{shape:?} {t:?}");
            }
        }
    }
    let side_by_side = touches(
        &cylinder,
        &Pose { position: DVec3::X * 0.61, ..up(0.2) },
        &cylinder,
        &Pose { position: DVec3::ZERO, ..up(0.0) },
        0.1,
    );
    assert_eq!(side_by_side.len(), 2, "{side_by_side:?}");
}

#[test]
fn no_pose_however_odd_gives_nonsense() {
    let mut random = Random(25);
    let mut shapes = solids();
    shapes.push(Shape::Plane);
    shapes.push(Shape::Box { half_size: DVec3::new(1e-6, 1e3, 1.0) });
    shapes.push(Shape::Sphere { radius: 1e-9 });
    let far = Pose { position: DVec3::splat(1e200), rotation: DQuat::IDENTITY };
    for a in &shapes {
        for b in &shapes {
            for k in 0..30 {
                let pb = random.pose(0.1);
                let pa = match k % 5 {
                    0 => pb,
                    1 => Pose { position: pb.position, ..random.pose(0.1) },
                    2 => Pose { rotation: pb.rotation, ..random.pose(0.1) },
                    3 => random.pose(1e-12),
                    _ => far,
                };
                let mut out = Vec::new();
                touch(a, &pa, b, &pb, 0.01, &mut out);
                for t in &out {
                    assert!(
                        t.gap.is_finite() && t.point_a.is_finite() && t.point_b.is_finite() && t.normal.is_normalized(),
                        "{a:?} {pa:?} {b:?} {pb:?} {t:?}"
                    );
                }
            }
        }
    }
}

/// Both brought to a gap of a millimetre along their normal, and what is found there.
fn at_a_millimetre(a: &Shape, b: &Shape, random: &mut Random) -> Option<(Pose, Pose, Touch)> {
    let (mut pa, pb) = (random.pose(0.9), random.pose(0.9));
    let apart = deepest(&touches(a, &pa, b, &pb, 0.2)).filter(|t| t.gap > 1e-3)?;
    pa.position -= apart.normal * (apart.gap - 1e-3);
    deepest(&touches(a, &pa, b, &pb, 0.1)).filter(|t| t.gap > 1e-9).map(|t| (pa, pb, t))
}

#[test]
fn nearest_points_of_hulls_lie_on_both_whichever_of_their_edges_is_in_front() {
    // The edge that is in front need not belong to the face that looks there most: its end was taken for the place then, by up
    // to half an edge beside it.
    let mut random = Random(25);
    let shapes = solids();
    let hull = shapes.iter().find(|s| matches!(s, Shape::Polyhedron(_))).unwrap();
    let (mut tried, mut beside) = (0, 0);
    for other in shapes.iter().filter(|s| !matches!(s, Shape::Cylinder { .. } | Shape::Cone { .. })) {
        for _ in 0..1500 {
            let Some((pa, pb, t)) = at_a_millimetre(hull, other, &mut random) else { continue };
            let far = |shape: &Shape, pose: &Pose, point: DVec3| {
                nearest(shape, pose.rotation.inverse() * (point - pose.position), 1.0).unwrap().distance.abs()
            };
            beside += u32::from(far(hull, &pa, t.point_a).max(far(other, &pb, t.point_b)) > 1e-3);
            tried += 1;
        }
    }
    // What is left are edges that are nearly parallel to each other or to a face.
    assert!(tried > 1000 && 1000 * beside < tried, "{beside} of {tried} by more than a millimetre");
}

#[test]
fn the_lid_of_a_cylinder_ends_at_its_rim_for_an_ellipsoid() {
    // The lid is cut by a polygon of sixteen sides around it, up to 1.9 % wider than the rim.
    let lid = Shape::Cylinder { half_length: 0.5, radius: 0.3 };
    let egg = Shape::Ellipsoid { semi_axes: DVec3::new(0.2, 0.2, 0.1) };
    let corner = std::f64::consts::PI / 16.0;
    for (beyond, turn) in [(1.0, corner), (5.0, 0.0), (3.0, 5.0 * corner)] {
        // Upright above the lid by 1 mm, `beyond` millimetres outside the rim.
        let out = DVec3::new(turn.cos(), turn.sin(), 0.0) * (0.3 + 1e-3 * beyond);
        let pose = Pose { position: out + DVec3::Z * 0.601, rotation: DQuat::IDENTITY };
        let t = deepest(&touches(&egg, &pose, &lid, &Pose::IDENTITY, 0.05)).unwrap();
        let on_rim = DVec3::new(turn.cos(), turn.sin(), 0.0) * 0.3 + DVec3::Z * 0.5;
        let exact = nearest(&egg, on_rim - pose.position, 1.0).unwrap();
        assert!((t.gap - exact.distance).abs() < 1e-12, "{beyond} mm: {} instead of {}", t.gap, exact.distance);
        assert!((t.point_b - on_rim).length() < 1e-9, "{beyond} mm: {} instead of {on_rim}", t.point_b);
    }
}
