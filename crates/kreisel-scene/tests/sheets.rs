//! Open meshes in scene files: ground that bodies rest on, and hulls of what is not closed.
#![allow(clippy::unwrap_used)]

use kreisel::{DVec3, Simulation};
use std::path::PathBuf;

/// A hollow of 10 m by 10 m, 0.5 m deep, open above and below; every second triangle runs the wrong way round if `twisted`.
fn terrain(twisted: bool) -> String {
    let mut text = String::new();
    let height = |x: i32, y: i32| 0.02 * f64::from(x * x + y * y);
    for (x, y) in (-5..=5).flat_map(|x| (-5..=5).map(move |y| (x, y))) {
        text += &format!("v {x} {y} {}\n", height(x, y));
    }
    let number = |x: i32, y: i32| (x + 5) * 11 + y + 6;
    for (x, y) in (-5..5).flat_map(|x| (-5..5).map(move |y| (x, y))) {
        let [a, b, c, d] = [number(x, y), number(x + 1, y), number(x + 1, y + 1), number(x, y + 1)];
        text += &format!("f {a} {b} {c}\n");
        text += &if twisted && x < -2 { format!("f {a} {d} {c}\n") } else { format!("f {a} {c} {d}\n") };
    }
    text
}

/// A directory with a terrain and a scene in it; the path of the scene.
fn scene(test: &str, twisted: bool, text: &str) -> PathBuf {
    let place = std::env::temp_dir().join(format!("kreisel-{test}-{}", std::process::id()));
    std::fs::create_dir_all(&place).unwrap();
    std::fs::write(place.join("terrain.obj"), terrain(twisted)).unwrap();
    let path = place.join("scene.toml");
    std::fs::write(&path, text).unwrap();
    path
}

fn build(test: &str, twisted: bool, text: &str) -> Result<Simulation, String> {
    let path = scene(test, twisted, text);
    let read = kreisel_scene::read_path(&path);
    std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
    let setup = read.map_err(|e| e.to_string())?.setup;
    Simulation::new(&setup).map_err(|e| e.to_string())
}

const BODIES: &str = r#"
duration = "6 s"
friction = 0.6
restitution = 0
law = "constraint"
[[body]]
name = "land"
shape = { exact = { mesh = { file = "terrain.obj", open = true } } }
[[fix]]
body = "land"
[[body]]
name = "ball"
shape = { exact = { sphere = { radius = 0.3 } } }
at = [2, 1.3, 1]
rolling_friction = "5 cm"
[[body]]
name = "box"
shape = { exact = { box = [0.6, 0.6, 0.4] } }
at = [-2.3, 0.4, 1]
[[body]]
name = "capsule"
shape = { exact = { capsule = { radius = 0.2, height = 1 } } }
at = [0.3, -3.2, 1]
rolling_friction = "5 cm"
"#;

#[test]
fn bodies_come_to_rest_on_an_open_terrain_in_every_integrator() {
    for integrator in ["symplectic-euler", "verlet", "backward-euler"] {
        let text = format!("integrator = \"{integrator}\"\n{BODIES}");
        let mut sim = build(&format!("rest-{integrator}"), false, &text).unwrap();
        sim.run_until(6.0).unwrap();
        for name in ["ball", "box", "capsule"] {
            let body = sim.body(name).unwrap();
            let a = &sim.state().aggregates[body.0 as usize];
            let ground = 0.02 * a.position.truncate().length_squared();
            let above = a.position.z - ground;
            assert!((0.1..0.8).contains(&above), "{integrator}: {name} is {above} m above the ground");
            assert!(a.velocity.length() < 0.1, "{integrator}: {name} moves at {}", a.velocity);
        }
        let [land, ball] = ["land", "ball"].map(|n| sim.party(n).unwrap());
        assert!(sim.force_between(ball, land).force.z > 0.0, "{integrator}");
    }
}

#[test]
fn triangles_that_run_the_wrong_way_round_are_turned_as_most_of_them() {
    let mut sim = build("twisted", true, &BODIES.replace("at = [-2.3, 0.4, 1]", "at = [-4.3, 0.4, 1.5]")).unwrap();
    sim.run_until(1.0).unwrap();
    let z = sim.state().aggregates[sim.body("box").unwrap().0 as usize].position.z;
    assert!(z > 0.3, "fell through to {z}");
}

#[test]
fn rays_meet_an_open_terrain() {
    let mut sim = build("ray", false, BODIES).unwrap();
    let hit = sim.cast_ray(DVec3::new(4.5, 4.0, 9.0), -DVec3::Z, 20.0).unwrap();
    assert_eq!(hit.what.name(sim.model()), "land");
    assert!((hit.point.z - 0.73).abs() < 0.02, "{hit:?}");
}

#[test]
fn an_open_mesh_is_refused_unless_the_scene_means_it_and_something_holds_it() {
    let without = |from: &str, to: &str| build("refused", false, &BODIES.replace(from, to)).unwrap_err();
    let closed = without(", open = true", "");
    assert!(closed.contains("hole") && closed.contains("open = true"), "{closed}");
    let loose = without("[[fix]]\nbody = \"land\"\n", "");
    assert!(loose.contains("hold"), "{loose}");
    let both = without("open = true", "open = true, fill = true");
    assert!(both.contains("filled or left open"), "{both}");
}

#[test]
fn a_hull_needs_no_closed_surface() {
    let hull = BODIES.replace("mesh = { file = \"terrain.obj\", open = true }", "hull = \"terrain.obj\"");
    let sim = build("hull", false, &hull).unwrap();
    assert!(sim.ledger().energy().is_finite());
}
