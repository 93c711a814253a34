//! Soft bodies among exact ones under the law `constraint`.

use super::scenes::{body, material, on_ground};
use kreisel::model::Material;
use kreisel::model::setup::{BodySetup, BodyShape};
use kreisel::model::shape::Shape;
use kreisel::{DVec3, Simulation};

fn soft_block(at: DVec3) -> BodySetup {
    BodySetup {
        name: "block".into(),
        shape: BodyShape::Box { size: DVec3::new(0.4, 0.4, 0.2), cells: 2 },
        at,
        material: Material { young: 2e5, damping: 0.2, ..material(0.5, 0.0) },
        ..BodySetup::default()
    }
}

#[test]
fn a_soft_block_between_rigid_plates_bears_the_upper_one() {
    let plate = Shape::Box { half_size: DVec3::new(0.3, 0.3, 0.05) };
    let bodies = vec![
        body("lower", plate.clone(), DVec3::new(0.0, 0.0, 0.05), material(0.5, 0.0)),
        soft_block(DVec3::new(0.0, 0.0, 0.2)),
        body("upper", plate, DVec3::new(0.0, 0.0, 0.36), material(0.5, 0.0)),
    ];
    let mut setup = on_ground(bodies, 1.0 / 240.0, 3.0);
    setup.allow_overlap = true;
    let mut sim = Simulation::new(&setup).unwrap();
    let mut worst: f64 = 0.0;
    while sim.time() < 3.0 {
        let report = sim.step().unwrap();
        worst = worst.max(report.contact_residual);
        assert_eq!(report.unconverged_contacts, 0);
    }
    let s = sim.state();
    let (lower, upper) = (s.aggregates[0].position, s.aggregates[1].position);
    println!("{lower} {upper} contacts {} residual {worst:e}", s.shape_contacts.len());
    println!("{:?}", sim.ledger());
    assert!((lower.z - 0.05).abs() < 1e-5, "{lower}");
    // The block gives by `F L/(E A)`, its own weight counted half: about 0.4 %.
    assert!(upper.z < 0.35 && upper.z > 0.345, "{upper}");
    let l = sim.ledger();
    assert!(l.momentum_residual.length() < 1e-9, "{}", l.momentum_residual);
    assert!(l.angular_momentum_residual.length() < 1e-9, "{}", l.angular_momentum_residual);
}
