//! How long it takes to cut a cow into elements, on one core: `cut_cow -- ELEMENTS`.

use kreisel::discretize::{Fabric, solid_lattice};
use kreisel::model::Material;
use kreisel::model::setup::{BodyShape, Resolution};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wanted: u32 = std::env::args().nth(1).map_or(Ok(100_000), |n| n.parse())?;
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    let begin = Instant::now();
    let text = format!("[[body]]\nshape = \"cow\"\nelements = {wanted}");
    let mut scene = kreisel_scene::read("cow", &text)?;
    let BodyShape::Solid { surface, .. } = scene.setup.bodies.remove(0).shape else { return Err("no solid".into()) };
    println!("surface  {} triangles in {:.2} s", surface.triangles.len(), begin.elapsed().as_secs_f64());
    let fabric = Fabric { materials: &[Material::default()], at: &|_| 0 };
    for _ in 0..3 {
        let begin = Instant::now();
        let matter = solid_lattice(&surface, Resolution::Elements(wanted), fabric)?;
        println!("lattice  {} elements in {:.2} s", matter.len(), begin.elapsed().as_secs_f64());
    }
    Ok(())
}
