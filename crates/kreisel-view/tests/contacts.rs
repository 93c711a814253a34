//! Contacts as the page draws them, under either law: where, how hard, and what they do.
#![allow(clippy::unwrap_used)]

use kreisel::DVec3;
use kreisel_view::Source;
use kreisel_view::session::Stage;
use kreisel_view::wire::{Tag, wants};

/// A contact as it goes over the wire.
struct Contact {
    point: DVec3,
    force: DVec3,
    normal: DVec3,
    slip: DVec3,
    grip: f32,
}

const STICKS: f32 = 1.0;
const SLIDES: f32 = 2.0;

/// A scene after some frames.
fn after(scene: &str, frames: u32) -> Stage {
    let mut stage = Stage::new(64 << 20);
    stage.open(&Source::Scene(scene.into())).unwrap();
    for _ in 0..frames {
        stage.step().unwrap();
    }
    stage
}

fn contacts(stage: &mut Stage) -> Vec<Contact> {
    let sections = stage.encode(wants::CONTACTS);
    let bytes = sections.iter().find(|s| s.tag == Tag::Contacts).unwrap().bytes.clone();
    let numbers: Vec<f32> = bytes.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect();
    let vector = |c: &[f32], at: usize| DVec3::new(c[at].into(), c[at + 1].into(), c[at + 2].into());
    let read = |c: &[f32]| Contact {
        point: vector(c, 0),
        force: vector(c, 3),
        normal: vector(c, 6),
        slip: vector(c, 9),
        grip: c[13],
    };
    numbers.chunks_exact(14).map(read).collect()
}

#[test]
fn the_block_that_stays_sticks_and_the_one_that_slides_slips_down_the_slope() {
    let mut stage = after("block-incline", 20);
    let all = contacts(&mut stage);
    let slope = DVec3::new(0.422_618, 0.0, 0.906_308);
    assert!(all.iter().all(|c| c.normal.distance(slope) < 1e-4));
    let of = |y: f64| all.iter().filter(move |c| (c.point.y - y).abs() < 0.12 && c.force != DVec3::ZERO);
    assert!(of(-0.35).count() >= 3 && of(-0.35).all(|c| c.grip == STICKS));
    assert!(of(0.0).count() >= 3 && of(0.0).all(|c| c.grip == SLIDES && c.slip.x > 0.1 && c.slip.z < 0.0));
    let push: f64 = of(-0.35).map(|c| c.force.dot(c.normal)).sum();
    let weight = 4.0 * 9.81 * slope.z;
    assert!((push / weight - 1.0).abs() < 0.02, "{push} N against {weight} N");
}

#[test]
fn a_soft_block_at_rest_sticks_to_its_slope_and_presses_with_its_weight() {
    let mut stage = after("incline", 100);
    let all = contacts(&mut stage);
    let slope = DVec3::new(0.342_020, 0.0, 0.939_693);
    let pressing = || all.iter().filter(|c| c.force != DVec3::ZERO);
    assert!(pressing().count() >= 9 && pressing().all(|c| c.grip == STICKS && c.normal.distance(slope) < 1e-4));
    let push: f64 = pressing().map(|c| c.force.dot(c.normal)).sum();
    let mass: f64 = stage.live().unwrap().world.model.elements.mass.iter().sum();
    let weight = mass * 9.81 * slope.z;
    assert!((push / weight - 1.0).abs() < 0.03, "{push} N against {weight} N");
}
