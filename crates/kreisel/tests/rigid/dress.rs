//! What exact bodies look like: surfaces made on demand, which turn and fly with them.

use super::scenes::{body, material, on_ground};
use kreisel::model::BodyId;
use kreisel::model::shape::Shape;
use kreisel::readout::dress::dress;
use kreisel::{DVec3, Simulation};

fn two() -> Simulation {
    let half_size = DVec3::new(0.3, 0.2, 0.01);
    let mut plate = body("plate", Shape::Box { half_size }, DVec3::new(1.0, 0.0, 4.0), material(0.3, 0.0));
    plate.spin = DVec3::new(3.0, -2.0, 5.0);
    let ball = body("ball", Shape::Sphere { radius: 0.25 }, DVec3::new(-1.0, 0.5, 3.0), material(0.3, 0.0));
    let mut sim = Simulation::new(&on_ground(vec![plate, ball], 1.0 / 120.0, 1.0)).unwrap();
    sim.run_until(0.5).unwrap();
    sim
}

#[test]
fn a_plate_in_flight_has_its_corners_where_its_pose_says() {
    let sim = two();
    let pose = sim.skin(BodyId(0)).unwrap();
    let a = &sim.state().aggregates[0];
    let collider = &sim.model().colliders[0];
    for x in &pose.vertices {
        let inside = collider.rotation.inverse() * (a.orientation.inverse() * (*x - a.position) - collider.at);
        assert!((inside.abs() - DVec3::new(0.3, 0.2, 0.01)).length() < 1e-9, "{inside}");
    }
    assert!(a.position.z < 3.0 && a.orientation.angle_between(kreisel::DQuat::IDENTITY) > 0.5, "it has moved");
}

#[test]
fn a_ball_in_flight_is_round_and_its_surface_faces_outwards() {
    let sim = two();
    let (pose, centre) = (sim.skin(BodyId(1)).unwrap(), sim.state().aggregates[1].position);
    for (x, n) in pose.vertices.iter().zip(&pose.normals) {
        assert!((x.distance(centre) - 0.25).abs() < 1e-9);
        assert!((*x - centre).normalize().dot(*n) > 0.98);
    }
}

#[test]
fn a_model_is_dressed_once_and_carries_no_triangles_before() {
    let mut model = two().model().clone();
    assert!(model.skins.is_empty());
    dress(&mut model);
    let bodies: Vec<u32> = model.skins.iter().map(|s| s.body.0).collect();
    assert_eq!(bodies, [0, 1]);
    let once = model.clone();
    dress(&mut model);
    assert_eq!(model, once);
}
