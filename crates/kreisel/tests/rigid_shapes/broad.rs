//! The broad phase against all pairs.

use crate::random::Random;
use kreisel::DVec3;
use kreisel::collide::{Broad, pairs};
use std::time::Instant;

type Boxes = Vec<(DVec3, DVec3)>;

fn all_pairs(boxes: &Boxes, movable: &[bool]) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    for i in 0..boxes.len() {
        for j in i + 1..boxes.len() {
            let ((a, b), (c, d)) = (boxes[i], boxes[j]);
            if (movable[i] || movable[j]) && a.cmple(d).all() && c.cmple(b).all() {
                found.push((i as u32, j as u32));
            }
        }
    }
    found
}

#[test]
fn it_finds_what_comparing_all_finds() {
    let mut random = Random(4);
    for round in 0..60 {
        let count = [0, 1, 2, 20, 300][round % 5];
        let mut boxes: Boxes = Vec::new();
        for k in 0..count {
            let size = if k % 17 == 3 { 4.0 } else { random.between(0.0, 0.3) };
            let centre = random.vector(if k % 31 == 7 { 1e6 } else { 2.0 });
            boxes.push((centre - random.unit() * size, centre + random.unit() * size));
        }
        if count > 3 {
            boxes[0] = (DVec3::NEG_INFINITY, DVec3::INFINITY);
            boxes[1] = (DVec3::splat(-60.0), DVec3::new(60.0, 60.0, 0.0));
        }
        let movable: Vec<bool> = (0..count).map(|k| k % 5 != 1).collect();
        let mut found = Vec::new();
        pairs(&boxes, &movable, &mut found);
        assert_eq!(found, all_pairs(&boxes, &movable), "round {round}");
    }
}

#[test]
fn boxes_that_are_none_are_left_out() {
    let good = (DVec3::ZERO, DVec3::ONE);
    let bad = [(DVec3::NAN, DVec3::ONE), (DVec3::ZERO, DVec3::NAN), (DVec3::ONE, DVec3::ZERO)];
    let boxes = vec![good, bad[0], bad[1], good, bad[2]];
    let mut found = Vec::new();
    pairs(&boxes, &[true; 5], &mut found);
    assert_eq!(found, [(0, 3)]);
}

#[test]
fn a_pile_of_two_thousand_balls_on_a_large_ground_is_quick() {
    let mut random = Random(6);
    let mut boxes: Boxes = vec![(DVec3::new(-60.0, -0.5, -20.0), DVec3::new(60.0, 0.0, 20.0))];
    for k in 0..2000 {
        let cell = DVec3::new((k % 15) as f64, (k / 225) as f64, (k / 15 % 15) as f64) * 0.2;
        let centre = cell + random.vector(0.02) + DVec3::Y * 0.1;
        boxes.push((centre - 0.105, centre + 0.105));
    }
    let movable: Vec<bool> = (0..boxes.len()).map(|k| k > 0).collect();
    let (mut broad, mut found) = (Broad::default(), Vec::new());
    broad.update(&boxes, &movable, &mut found);
    assert_eq!(found, all_pairs(&boxes, &movable));
    let start = Instant::now();
    (0..50).for_each(|_| broad.update(&boxes, &movable, &mut found));
    println!("broad phase of 2,000 balls, {} pairs: {:.3} ms", found.len(), start.elapsed().as_secs_f64() * 20.0);
}
