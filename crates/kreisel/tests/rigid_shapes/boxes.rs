//! Boxes on boxes: manifolds.

use crate::random::Random;
use kreisel::collide::shapes::{Pose, Touch, touch};
use kreisel::model::Shape;
use kreisel::{DQuat, DVec3};
use std::time::Instant;

fn block(x: f64, y: f64, z: f64) -> Shape {
    Shape::Box { half_size: DVec3::new(x, y, z) }
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose { position: DVec3::new(x, y, z), rotation: DQuat::IDENTITY }
}

fn touches(a: &Shape, pa: &Pose, b: &Shape, pb: &Pose, margin: f64) -> Vec<Touch> {
    let mut out = Vec::new();
    touch(a, pa, b, pb, margin, &mut out);
    for t in &out {
        assert!(((t.point_a - t.point_b).dot(t.normal) - t.gap).abs() < 1e-12, "{t:?}");
        assert!((t.normal.length() - 1.0).abs() < 1e-12, "{t:?}");
    }
    out
}

#[test]
fn a_box_lying_on_an_equal_box_has_its_four_corners() {
    let cube = block(0.5, 0.5, 0.5);
    for gap in [-1e-3, 0.0, 1e-3] {
        let found = touches(&cube, &at(0.0, 0.0, 1.0 + gap), &cube, &at(0.0, 0.0, 0.0), 0.01);
        assert_eq!(found.len(), 4);
        for t in &found {
            assert!((t.normal - DVec3::Z).length() < 1e-14 && (t.gap - gap).abs() < 1e-14, "{t:?}");
            assert!((t.point_a.x.abs() - 0.5).abs() < 1e-14 && (t.point_a.y.abs() - 0.5).abs() < 1e-14);
        }
    }
}

#[test]
fn an_offset_box_touches_where_the_faces_overlap() {
    let cube = block(0.5, 0.5, 0.5);
    let found = touches(&cube, &at(0.55, 0.1, 1.0), &cube, &at(0.0, 0.0, 0.0), 0.01);
    assert_eq!(found.len(), 4);
    let (low, high) = found.iter().fold((f64::MAX, f64::MIN), |(l, h), t| (l.min(t.point_a.x), h.max(t.point_a.x)));
    assert!((low - 0.05).abs() < 1e-4 && (high - 0.5).abs() < 1e-4, "{low} {high}");
    assert!(touches(&cube, &at(1.2, 0.0, 1.0), &cube, &at(0.0, 0.0, 0.0), 0.01).is_empty());
}

#[test]
fn a_box_turned_by_45_degrees_has_eight_points() {
    let cube = block(0.5, 0.5, 0.5);
    let turned = Pose { position: DVec3::Z, rotation: DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4) };
    assert_eq!(touches(&cube, &turned, &cube, &at(0.0, 0.0, 0.0), 0.01).len(), 8);
}

#[test]
fn crossed_edges_touch_in_one_point() {
    let cube = block(0.5, 0.5, 0.5);
    let quarter = std::f64::consts::FRAC_PI_4;
    let upper = Pose { position: DVec3::Z * (2.0f64.sqrt() - 0.01), rotation: DQuat::from_rotation_x(quarter) };
    let lower = Pose { position: DVec3::ZERO, rotation: DQuat::from_rotation_y(quarter) };
    let found = touches(&cube, &upper, &cube, &lower, 0.01);
    assert_eq!(found.len(), 1);
    assert!((found[0].normal - DVec3::Z).length() < 1e-12 && (found[0].gap + 0.01).abs() < 1e-12, "{found:?}");
}

#[test]
fn ids_survive_a_small_motion_and_corners_on_corners_stay_corners() {
    let cube = block(0.5, 0.5, 0.5);
    let ids = |pose: Pose| {
        let found = touches(&cube, &pose, &cube, &at(0.0, 0.0, 0.0), 0.01);
        found.iter().map(|t| t.feature).collect::<Vec<_>>()
    };
    let rest = ids(at(0.0, 0.0, 1.0));
    let mut random = Random(5);
    for _ in 0..200 {
        let rotation = DQuat::from_scaled_axis(random.vector(1e-7));
        assert_eq!(ids(Pose { position: DVec3::Z + random.vector(1e-7), rotation }), rest);
    }
}

#[test]
fn boxes_inside_each_other_are_pushed_out_the_short_way() {
    let found = touches(&block(0.1, 0.1, 0.1), &at(0.3, 0.05, 0.0), &block(1.0, 1.0, 1.0), &at(0.0, 0.0, 0.0), 0.01);
    assert!(!found.is_empty());
    for t in &found {
        assert!((t.normal - DVec3::X).length() < 1e-12 && (t.gap + 0.8).abs() < 1e-12, "{t:?}");
    }
    let same = touches(&block(0.1, 0.1, 0.1), &at(0.0, 0.0, 0.0), &block(1.0, 1.0, 1.0), &at(0.0, 0.0, 0.0), 0.01);
    assert!(same.iter().all(|t| (t.gap + 1.1).abs() < 1e-12) && !same.is_empty());
}

#[test]
fn the_mirrored_question_has_the_mirrored_answer() {
    let mut random = Random(11);
    let (a, b) = (block(0.4, 0.6, 0.5), block(0.7, 0.3, 0.8));
    for _ in 0..2000 {
        let (pa, pb) = (random.pose(0.6), random.pose(0.6));
        let (ab, ba) = (touches(&a, &pa, &b, &pb, 0.05), touches(&b, &pb, &a, &pa, 0.05));
        assert_eq!(ab.len(), ba.len());
        for (x, y) in ab.iter().zip(&ba) {
            assert!((x.normal + y.normal).length() < 1e-9 && (x.gap - y.gap).abs() < 1e-9, "{x:?} {y:?}");
        }
    }
}

#[test]
fn the_deepest_gap_changes_one_to_one_along_the_normal() {
    let mut random = Random(12);
    let (a, b) = (block(0.4, 0.6, 0.5), block(0.7, 0.3, 0.8));
    let deepest =
        |pa: &Pose, pb: &Pose| touches(&a, pa, &b, pb, 0.05).into_iter().min_by(|x, y| x.gap.total_cmp(&y.gap));
    let mut tried = 0;
    for _ in 0..2000 {
        let (pa, pb) = (random.pose(0.6), random.pose(0.6));
        let Some(t) = deepest(&pa, &pb) else { continue };
        let moved = Pose { position: pa.position + t.normal * 1e-6, ..pa };
        let Some(after) = deepest(&moved, &pb) else { continue };
        if (after.normal - t.normal).length() < 1e-9 {
            assert!((after.gap - t.gap - 1e-6).abs() < 1e-12, "{t:?} {after:?}");
            tried += 1;
        }
    }
    assert!(tried > 1000, "{tried}");
}

#[test]
fn a_resting_pair_of_boxes_is_quick() {
    let cube = block(0.5, 0.5, 0.5);
    let poses = [at(0.0, 0.0, 1.0), at(0.55, 0.0, 1.0)];
    let mut out = Vec::with_capacity(8);
    let start = Instant::now();
    let mut points = 0;
    for k in 0..200_000 {
        out.clear();
        touch(&cube, &poses[k & 1], &cube, &at(0.0, 0.0, 0.0), 0.01, &mut out);
        points += out.len();
    }
    println!("box on box: {:.0} ns", start.elapsed().as_nanos() as f64 / 200_000.0);
    assert_eq!(points, 800_000);
}
