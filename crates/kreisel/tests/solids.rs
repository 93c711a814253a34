//! Solids cut from surfaces: mass properties, connections, contact spheres and the explicit step.
#![allow(clippy::unwrap_used)]

mod shapes;

use kreisel::discretize::{Fabric, Matter, solid_lattice};
use kreisel::model::setup::Resolution;
use kreisel::model::{Material, Surface};
use glamx::EulerRot;
use kreisel::{DQuat, DVec3};
use shapes::*;

fn cut(surface: &Surface, resolution: Resolution, material: &Material) -> Matter {
    let materials = [material.clone()];
    solid_lattice(surface, resolution, Fabric { materials: &materials, at: &|_| 0 }).unwrap()
}

fn solids() -> Vec<(&'static str, Surface)> {
    let turn = DQuat::from_euler(EulerRot::XYZ, 0.3, 0.7, 1.1);
    vec![
        ("cylinder", cylinder(0.5, 1.3, 96)),
        ("cone", cone(0.5, 1.0, 96)),
        ("vase", vase(96)),
        ("L", angle_bracket()),
        ("L, turned", placed(angle_bracket(), turn, DVec3::new(3.0, -2.0, 5.0))),
        ("torus", torus(1.0, 0.3, 48)),
        ("hollow ball", hollow_ball(0.5, 0.3, 48)),
        ("ball", ball(0.5, 48)),
        ("turned box", placed(cuboid(DVec3::new(1.0, 0.6, 0.4)), turn, DVec3::ZERO)),
    ]
}

#[test]
fn figures() {
    for (name, surface) in solids() {
        for cells in [10, 20, 40] {
            let clock = std::time::Instant::now();
            let matter = cut(&surface, Resolution::CellsAcross(cells), &Material::default());
            let f = matter.fidelity.as_ref().unwrap();
            println!(
                "{name} {cells}: {} elements, {} classes, mass {:.1e}, centre {:.1e}, inertia {:.2e}, {:?} {:?}",
                f.elements, matter.connections.classes.len(), f.mass_error, f.centre_error, f.worst_inertia_error(), f.warnings, clock.elapsed()
            );
        }
    }
}
