//! A bar that is pulled apart at 0.5 m/s until it breaks.

use kreisel::DVec3;
use kreisel::model::setup::{BodySetup, BodyShape, Fix, Motion};
use kreisel::model::{Fracture, Material, Profile, Region, Setup};

/// The bar between a wall and a pull along x.
pub fn pulled_bar(cells: u32) -> Setup {
    let body = BodySetup {
        name: "bar".into(),
        shape: BodyShape::Box { size: DVec3::new(0.4, 0.1, 0.1), cells },
        material: Material { fracture: Fracture::Strain(0.05), damping: 0.05, ..Material::default() },
        ..BodySetup::default()
    };
    let end = |x: f64| Region::HalfSpace { normal: DVec3::X * x.signum(), offset: x.abs() };
    let motion = Motion {
        velocity: DVec3::X * 0.5,
        displacement: DVec3::ZERO,
        rotation: DVec3::ZERO,
        centre: DVec3::ZERO,
        profile: Profile::Constant,
    };
    let fixes = vec![
        Fix { name: "wall".into(), region: end(-0.2), axes: [true; 3], motion: None },
        Fix { name: "pull".into(), region: end(0.2), axes: [true; 3], motion: Some(motion) },
    ];
    Setup { bodies: vec![body], gravity: DVec3::ZERO, fixes, ..Setup::default() }
}
