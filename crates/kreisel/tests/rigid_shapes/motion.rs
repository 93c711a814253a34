//! How contacts change when shapes move: gaps by their gradient, ids not at all.

use crate::convex::{deepest, separation, touches};
use crate::random::Random;
use crate::smooth::solids;
use kreisel::collide::shapes::Pose;
use kreisel::model::Shape;
use kreisel::{DQuat, DVec3};

/// `gap' = n · (v + ω × r)` for the deepest point: the normal is the gradient of the gap, and the arm is right.
#[test]
fn the_gap_changes_with_the_velocity_of_the_point() {
    let mut random = Random(61);
    let shapes = solids();
    let mut tried = 0;
    for a in &shapes {
        for b in &shapes {
            for _ in 0..40 {
                let (pa, pb) = (random.pose(0.7), random.pose(0.7));
                let Some(t) = deepest(&touches(a, &pa, b, &pb, 0.1)).filter(|t| t.gap > -0.05) else { continue };
                let h = 1e-6;
                let (v, w) = (random.direction(), random.direction());
                let moved = |s: f64| Pose {
                    position: pa.position + v * s,
                    rotation: DQuat::from_scaled_axis(w * s) * pa.rotation,
                };
                let (Some(x), Some(y)) =
                    (deepest(&touches(a, &moved(-h), b, &pb, 0.1)), deepest(&touches(a, &moved(h), b, &pb, 0.1)))
                else {
                    continue;
                };
                if x.feature != t.feature || y.feature != t.feature || (x.normal - y.normal).length() > 1e-3 {
                    continue;
                }
                // A corner where an edge leaves a face rides on neither body.
                if (separation(a, &pa, b, &pb, t.normal) - t.gap).abs() > 1e-12 {
                    continue;
                }
                let expected = t.normal.dot(v + w.cross((t.point_a + t.point_b) / 2.0 - pa.position));
                let found = (y.gap - x.gap) / (2.0 * h);
                // Where a face stands for an edge that is better by less than the bias, the point is next to the true one.
                assert!(
                    (found - expected).abs() < 2e-3,
                    "{} {pa:?} {} {pb:?}: {t:?} {found} {expected}",
                    a.name(),
                    b.name()
                );
                tried += 1;
            }
        }
    }
    assert!(tried > 300, "{tried}");
}

#[test]
fn no_direction_nearby_holds_a_pair_farther_apart() {
    let mut random = Random(62);
    let shapes = solids();
    for a in &shapes {
        for b in &shapes {
            let mut worst = 0.0f64;
            for _ in 0..100 {
                let (pa, pb) = (random.pose(0.7), random.pose(0.7));
                let Some(t) = deepest(&touches(a, &pa, b, &pb, 0.1)).filter(|t| t.gap > -0.05) else { continue };
                for k in 0..60 {
                    let near = (t.normal + random.direction() * [1e-3, 1e-5, 1e-7][k % 3]).normalize();
                    worst = worst.max(separation(a, &pa, b, &pb, near) - t.gap);
                }
            }
            // Faces are taken for up to the bias of 1e-5 of the size.
            println!("{:12} {:12} {worst:.1e}", a.name(), b.name());
            assert!(worst < 1e-5, "{} {}: {worst:e}", a.name(), b.name());
        }
    }
}

#[test]
fn what_rests_keeps_its_ids() {
    let table = Shape::Box { half_size: DVec3::new(2.0, 2.0, 0.5) };
    let mut random = Random(63);
    for shape in solids() {
        let low = kreisel::collide::shapes::bounds(&shape, &Pose::IDENTITY).0.z;
        let rest = Pose { position: DVec3::new(0.03, 0.02, 0.5 - low), rotation: DQuat::IDENTITY };
        for ground in [&table, &Shape::Plane] {
            let at =
                if ground == &table { Pose::IDENTITY } else { Pose { position: DVec3::Z * 0.5, ..Pose::IDENTITY } };
            let ids =
                |pose: &Pose| touches(&shape, pose, ground, &at, 1e-3).iter().map(|t| t.feature).collect::<Vec<_>>();
            let first = ids(&rest);
            assert!(!first.is_empty(), "{shape:?}");
            for _ in 0..50 {
                let turn = DQuat::from_scaled_axis(random.vector(1e-8));
                let pose = Pose { position: rest.position + random.vector(1e-8), rotation: turn };
                assert_eq!(ids(&pose), first, "{shape:?} on {}", ground.name());
            }
        }
    }
}
