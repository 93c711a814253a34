//! What one can ask of contacts and joints: `cargo run --release -p kreisel-scene --example ask`.

use kreisel::model::Command;
use kreisel::{DVec3, Simulation};

const SCENE: &str = r#"
duration = "2 s"
step = "10 ms"
friction = 0.5
restitution = 0

[ground]

[[body]]
name = "table"
shape = { exact = [
    { box = [1, 1, 0.1], at = [0, 0, 0.65] },
    { box = [0.1, 0.1, 0.6], at = [0.4, 0.4, 0.3] },
    { box = [0.1, 0.1, 0.6], at = [-0.4, 0.4, 0.3] },
    { box = [0.1, 0.1, 0.6], at = [0.4, -0.4, 0.3] },
    { box = [0.1, 0.1, 0.6], at = [-0.4, -0.4, 0.3] },
] }
material = { density = 500 }

[[body]]
name = "wheel"
shape = { exact = { cylinder = { radius = 0.1, height = 0.05 } } }
at = [0, 0, 1]
material = { density = 500 }

[[joint]]
name = "axle"
kind = "hinge"
a = "wheel"
at = [0, 0, 1]
axis = [0, 0, 1]
motor = { speed = 0, most = 5 }
"#;

/// Contacts one by one and in total, the first thing below a point, and a motor told what to do while it runs.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sim = Simulation::new(&kreisel_scene::read("table.toml", SCENE)?.setup)?;
    sim.run_until(1.0)?;
    for c in sim.contacts().iter().take(4) {
        println!("{:?} at {:.2}: push {:.1} N, known by statics: {:?}", c.grip, c.point, c.push(), c.unique.push);
    }
    let (table, ground) = (sim.party("table").ok_or("no table")?, sim.party("ground").ok_or("no ground")?);
    println!("on the table in total {:.3} N", sim.force_between(table, ground).force);
    let hit = sim.cast_ray(DVec3::new(0.2, 0.0, 2.0), -DVec3::Z, 5.0).ok_or("nothing is below")?;
    println!("below is {} in {:.2} m", hit.what.name(sim.model()), hit.distance);
    sim.command("axle", Command::Speed { speed: 3.0, most: 5.0 });
    sim.run_until(2.0)?;
    let axle = sim.joint("axle").ok_or("no axle")?;
    println!("axle turned by {:.3} rad, at {:.3} rad/s", axle.coordinate, axle.speed);
    Ok(())
}
