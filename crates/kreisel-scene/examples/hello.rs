//! Half a beam is rigid, then the whole of it: `cargo run --release -p kreisel-scene --example hello`.

use kreisel::Simulation;

/// Reads a scene, runs it, makes a body rigid while it moves, and says where the energy is.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scene = kreisel_scene::find("beam-part-rigid")?;
    let setup = kreisel_scene::read(scene.name, scene.text)?.setup;
    let mut sim = Simulation::new(&setup)?;
    sim.run_until(0.5)?;
    let beam = sim.body("beam").ok_or("the scene has no beam")?;
    sim.make_rigid(beam)?; // momentum is kept to round-off, the strain is frozen
    sim.run_until(0.75)?;
    println!("{} elements, {:.4} J", sim.model().elements.len(), sim.ledger().energy());
    Ok(())
}
