//! The scene `soft_beam` in Rapier: its finite elements, corotational tetrahedra on the same nodes.

use crate::implicit_beam::processor_time;
use crate::soft_beam::{DENSITY, NODES, Run, SPACING, STEP, STEPS, YOUNG};
use rapier3d_f64::prelude::*;

/// What decides about its time and its answer.
#[derive(Clone, Copy)]
pub struct PeerSettings {
    /// Backward Euler steps in each step of the scene; four as it comes.
    pub substeps: usize,
    /// Most iterations of conjugate gradients; 20 as it comes.
    pub iterations: usize,
    /// Relative residual at which they end; 1e-5 as it comes [1].
    pub tolerance: f64,
}

/// Runs the scene.
pub fn peer_run(settings: &PeerSettings) -> Run {
    let (mut bodies, mut colliders, mut soft) = (RigidBodySet::new(), ColliderSet::new(), SoftBodySet::new());
    let beam = soft.insert(beam(), &mut bodies, &mut colliders);
    let face = free_face(soft.get(beam).expect("the beam"));
    let height = |soft: &SoftBodySet| {
        let particles = soft.get(beam).expect("the beam").particles();
        face.iter().map(|i| particles[*i as usize].position().z).sum::<f64>() / face.len() as f64
    };
    let parameters = parameters(settings);
    let (mut pipeline, mut islands) = (PhysicsPipeline::new(), IslandManager::new());
    let (mut broad, mut narrow, mut ccd) = (BroadPhaseBvh::new(), NarrowPhase::new(), CCDSolver::new());
    let (mut impulse, mut multibody) = (ImpulseJointSet::new(), MultibodyJointSet::new());
    let (start_height, mut tip) = (height(&soft), Vec::new());
    let start = processor_time();
    for _ in 0..STEPS {
        pipeline.step(
            Vector::new(0.0, 0.0, -9.81),
            &parameters,
            &mut islands,
            &mut broad,
            &mut narrow,
            &mut bodies,
            &mut colliders,
            &mut impulse,
            &mut multibody,
            &mut soft,
            &mut ccd,
            &(),
            &(),
        );
        tip.push(height(&soft) - start_height);
    }
    let PeerSettings { substeps, iterations, tolerance } = settings;
    let remark = format!("{substeps} substeps, to {tolerance:.0e} in at most {iterations} iterations");
    Run { time: (processor_time() - start) / STEPS as f64, tip, remark }
}

fn parameters(settings: &PeerSettings) -> IntegrationParameters {
    let mut parameters =
        IntegrationParameters { dt: STEP, num_solver_iterations: settings.substeps, ..Default::default() };
    parameters.soft_bodies.fem.max_linear_iterations = settings.iterations;
    parameters.soft_bodies.fem.linear_tolerance = settings.tolerance;
    parameters
}

/// The beam: no damping, no contact, no sleep, one end pinned, the mass spread over the tetrahedra's corners.
fn beam() -> SoftBodyBuilder {
    let half = NODES.map(|n| 0.5 * SPACING * f64::from(n - 1));
    let [nx, ny, nz] = NODES.map(|n| n as usize);
    let lattice = SoftBodyBuilder::cuboid(Vector::ZERO, Vector::from_array(half), nx, ny, nz);
    let places = lattice.particle_positions().to_vec();
    let pinned = (0u32..).zip(&places).filter(|(_, p)| p.x < 0.01 * SPACING - half[0]).map(|(i, _)| i);
    let masses = places.iter().map(|p| node_mass(p.to_array(), half)).collect();
    let material = SoftBodyMaterial {
        young_modulus: YOUNG,
        poisson_ratio: 0.3,
        elastic_damping_ratio: 0.0,
        ..SoftBodyMaterial::default()
    };
    lattice
        .edges(Vec::new())
        .cell_model(SoftBodyCellModel::Corotational)
        .solver(SoftBodySolver::Fem)
        .material(material)
        .pinned_particles(pinned)
        .masses(masses)
        .no_surface_collider()
        .can_sleep(false)
}

/// The share of its cells that is nearer to this node than to others [kg].
fn node_mass(place: [f64; 3], half: [f64; 3]) -> f64 {
    let outer = place.iter().zip(half).filter(|(p, h)| p.abs() > h - 0.01 * SPACING).count();
    DENSITY * SPACING.powi(3) * 0.5_f64.powi(outer as i32)
}

/// Numbers of the nodes of the free end.
fn free_face(body: &SoftBody) -> Vec<u32> {
    let end = 0.5 * SPACING * f64::from(NODES[0] - 1) - 0.01 * SPACING;
    (0u32..).zip(body.particles()).filter(|(_, p)| p.position().x > end).map(|(i, _)| i).collect()
}
