//! The scenes that come with Kreisel, and the starter.
#![allow(clippy::unwrap_used, clippy::panic)]

use kreisel::DVec3;
use kreisel::model::setup::{BodyShape, RigidPart};
use kreisel::model::{Fracture, ObstacleShape, Region};
use kreisel_scene::{find, read, scenes, starter_scene};

#[test]
fn every_embedded_scene_and_the_starter_can_be_read_without_warnings() {
    let starter = ("starter", starter_scene());
    for (name, text) in scenes().iter().map(|s| (s.name, s.text)).chain([starter]) {
        let scene = read(name, text).unwrap_or_else(|e| panic!("{e}"));
        assert!(scene.warnings.is_empty(), "{name}: {}", scene.warnings[0]);
        assert!(!scene.setup.bodies.is_empty() && !scene.setup.probes.is_empty(), "{name}");
        assert!(scene.setup.title.len() > 8 && scene.setup.duration <= 40.0, "{name}");
    }
}

#[test]
fn the_list_of_scenes_is_the_folder_of_scenes() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|f| f.unwrap().file_name().to_str()?.strip_suffix(".toml").map(str::to_string))
        .collect();
    files.sort();
    assert_eq!(files, scenes().iter().map(|s| s.name).collect::<Vec<_>>());
}

#[test]
fn a_scene_that_does_not_exist_is_answered_with_the_nearest() {
    assert_eq!(find("stack").unwrap().name, "stack");
    let e = find("beam-sofd").unwrap_err().to_string();
    assert!(e.contains("did you mean `beam-soft`?"), "{e}");
}

#[test]
fn the_part_rigid_beam_is_held_on_its_left_and_rigid_on_its_right() {
    let setup = read("beam", find("beam-part-rigid").unwrap().text).unwrap().setup;
    let beam = &setup.bodies[0];
    assert_eq!(beam.shape, BodyShape::Box { size: DVec3::new(1.0, 0.2, 0.1), cells: 4 });
    let right = Region::HalfSpace { normal: DVec3::X, offset: 0.5 };
    let left = Region::HalfSpace { normal: -DVec3::X, offset: 0.0 };
    let of_beam = |r: Region| Region::All(vec![Region::Body("beam".into()), r]);
    assert_eq!(beam.rigid, [RigidPart::Region(of_beam(right))]);
    assert_eq!(setup.fixes[0].region, of_beam(left));
    assert_eq!((beam.material.young, beam.material.fracture), (2e6, Fracture::Never));
}

#[test]
fn the_block_on_the_slope_just_touches_it() {
    let setup = read("incline", find("incline").unwrap().text).unwrap().setup;
    let ObstacleShape::Plane { normal, offset } = setup.obstacles[0].shape else { panic!("not a plane") };
    let block = &setup.bodies[0];
    let lowest = block.at - block.rotation * DVec3::new(0.0, 0.0, 0.05);
    assert!((normal.dot(lowest) - offset).abs() < 1e-9);
    assert!((block.rotation * DVec3::Z - normal).length() < 1e-9);
}
