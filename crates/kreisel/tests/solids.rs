//! Solids cut from surfaces: mass properties, stiffness, contact spheres and the explicit step.
#![allow(clippy::unwrap_used)]

mod shapes;

use glamx::EulerRot;
use kreisel::discretize::{Fabric, Matter, solid_lattice};
use kreisel::linear::Vectors;
use kreisel::model::setup::{BodySetup, BodyShape, ContactSettings, Resolution};
use kreisel::model::{Material, Setup, Surface};
use kreisel::{DMat3, DQuat, DVec3, Simulation};
use shapes::*;
use std::sync::Arc;

fn cut(surface: &Surface, resolution: Resolution) -> Matter {
    let materials = [Material::default()];
    solid_lattice(surface, resolution, Fabric { materials: &materials, at: &|_| 0 }).unwrap()
}

fn turn() -> DQuat {
    DQuat::from_euler(EulerRot::XYZ, 0.3, 0.7, 1.1)
}

fn solids() -> Vec<(&'static str, Surface)> {
    vec![
        ("cylinder", cylinder(0.5, 1.3, 96)),
        ("cone", cone(0.5, 1.0, 96)),
        ("vase", vase(96)),
        ("L", angle_bracket()),
        ("L, turned", placed(angle_bracket(), turn(), DVec3::new(3.0, -2.0, 5.0))),
        ("torus", torus(1.0, 0.3, 48)),
        ("hollow ball", hollow_ball(0.5, 0.3, 48)),
        ("ball", ball(0.5, 48)),
        ("turned box", placed(cuboid(DVec3::new(1.0, 0.6, 0.4)), turn(), DVec3::ZERO)),
    ]
}

/// Steps of a body alone over `a/c_p`, without contact and with it.
fn steps(surface: &Surface, resolution: Resolution, poisson: f64) -> [f64; 2] {
    let material = Material { poisson, damping: 0.0, restitution: 1.0, ..Material::default() };
    [false, true].map(|enabled| {
        let shape = BodyShape::Solid { surface: Arc::new(surface.clone()), resolution };
        let body = BodySetup { shape, material: material.clone(), ..BodySetup::default() };
        let contact = ContactSettings { enabled, ..ContactSettings::default() };
        let mut sim = Simulation::new(&Setup { bodies: vec![body], contact, ..Setup::default() }).unwrap();
        let side = sim.model().bodies[0].fidelity.as_ref().unwrap().side;
        let nu = material.poisson;
        let c_p = (material.young / material.density * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu))).sqrt();
        sim.plan().stable_step / (side / c_p)
    })
}

#[test]
fn figures() {
    for (name, surface) in solids() {
        for cells in [5, 10, 20] {
            let matter = cut(&surface, Resolution::CellsAcross(cells));
            let mut gain: f64 = 0.0;
            for k in 0..matter.perches.len() {
                gain = gain.max(matter.perches.of(k).map(|w| w.1.abs()).sum());
            }
            let small = matter.radii.iter().filter(|r| **r < 0.49 * matter.fidelity.as_ref().unwrap().side).count();
            let least = matter.radii.iter().fold(1.0f64, |a, r| a.min(*r / matter.fidelity.as_ref().unwrap().side));
            println!(
                "{name} {cells}: {:.3?} {:.3?} gain {gain:.2} {:.1} per perch, small {small} of {}, least {least:.2}, inertia {:.1e}",
                steps(&surface, Resolution::CellsAcross(cells), 0.25),
                steps(&surface, Resolution::CellsAcross(cells), 0.4),
                matter.perches.elements.len() as f64 / matter.perches.len() as f64,
                matter.perches.len(),
                matter.fidelity.as_ref().unwrap().worst_inertia_error(),
            );
        }
    }
}
