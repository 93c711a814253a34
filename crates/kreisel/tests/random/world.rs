//! Random surroundings of random bodies: obstacles, fixes, loads, grabs, schedules, probes and settings.

use super::rng::Rng;
use kreisel::DVec3;
use kreisel::model::setup::{
    BodyShape, Combine, ContactSettings, Fix, Grab, Integrator, Load, LoadKind, Motion, Probe, Quantity, Switch,
    Switching,
};
use kreisel::model::{Obstacle, ObstacleShape, Profile, Region, Setup};

/// What the bodies are like once built: their size and the time that the scene lasts.
pub struct Scale {
    pub low: DVec3,
    pub high: DVec3,
    /// Mass of the lightest body [kg].
    pub mass: f64,
    pub duration: f64,
    pub stable_step: f64,
}

impl Scale {
    fn middle(&self) -> DVec3 {
        (self.low + self.high) * 0.5
    }

    fn reach(&self) -> f64 {
        0.5 * self.low.distance(self.high)
    }
}

/// Obstacles just outside of the bodies, so that they are soon met.
pub fn obstacles(rng: &mut Rng, scale: &Scale) -> Vec<Obstacle> {
    let (middle, reach) = (scale.middle(), scale.reach());
    let count = rng.below(3);
    let mut all = Vec::new();
    for k in 0..count {
        let n = if rng.chance(0.5) { DVec3::Z } else { rng.direction() };
        let support = scale.high.max(scale.low).dot(n.max(DVec3::ZERO)) + scale.low.dot(n.min(DVec3::ZERO));
        let away = (support - middle.dot(n)).abs() + 1e-9 + reach * rng.pick(&[0.0, 0.01, 0.2]);
        let r = reach * rng.scale(0.1, 3.0);
        let shape = match rng.below(4) {
            0 | 1 => ObstacleShape::Plane { normal: -n, offset: -n.dot(middle) - away },
            2 => ObstacleShape::Sphere { centre: middle + n * (reach + r), radius: r },
            _ => {
                let half_size = DVec3::ONE * r + rng.vector(0.5 * r);
                let centre = middle + n * (reach + half_size.length());
                ObstacleShape::Box { centre, half_size, rotation: rng.rotation() }
            }
        };
        all.push(Obstacle {
            name: format!("o{k}"),
            shape,
            friction: rng.chance(0.3).then(|| (rng.range(0.5, 1.5), rng.range(0.0, 0.5))),
            restitution: rng.chance(0.3).then(|| rng.range(0.0, 1.0)),
        });
    }
    all
}

/// Most bodies travel, within the time of the scene, about as far as the scene is wide, towards its middle or down.
pub fn set_on_collision_course(rng: &mut Rng, setup: &mut Setup, scale: &Scale) {
    let fastest = (scale.reach() / scale.duration).min(50.0);
    for body in &mut setup.bodies {
        if rng.chance(0.6) {
            let inwards = (scale.middle() - body.at).normalize_or_zero();
            let way = if rng.chance(0.6) { inwards } else { -kreisel::DVec3::Z };
            body.velocity = way * (fastest * rng.range(0.1, 3.0));
        }
    }
}

pub fn profile(rng: &mut Rng, t: f64) -> Profile {
    match rng.below(5) {
        0 => Profile::Constant,
        1 => Profile::Ramp { start: rng.range(0.0, t), end: rng.range(0.0, t) },
        2 => Profile::Pulse { start: 0.0, end: rng.range(0.0, t) },
        3 => Profile::Sine { frequency: rng.scale(0.1, 10.0) / t, phase: rng.range(0.0, 6.0) },
        _ => Profile::Table(vec![(0.0, 0.0), (0.4 * t, rng.range(-1.0, 1.0)), (t, 1.0)]),
    }
}

/// A region that holds something of a body.
fn region(rng: &mut Rng, setup: &Setup) -> Region {
    let body = rng.pick(&setup.bodies);
    if !body.split.is_empty() {
        return Region::Everything;
    }
    let count = match &body.shape {
        BodyShape::Box { .. } | BodyShape::Solid { .. } => 8,
        BodyShape::Exact { .. } => 4,
        BodyShape::Elements { elements, .. } => elements.len() as u32,
    };
    let whole = Region::Body(body.name.clone());
    let element = |rng: &mut Rng| Region::Element { body: body.name.clone(), index: rng.below(count) };
    match rng.below(5) {
        0 => whole,
        1 | 2 => element(rng),
        3 => {
            let n = rng.direction();
            Region::All(vec![whole, Region::HalfSpace { normal: n, offset: n.dot(body.at) }])
        }
        _ => Region::Any(vec![element(rng), element(rng)]),
    }
}

pub fn fixes(rng: &mut Rng, setup: &Setup, scale: &Scale) -> Vec<Fix> {
    let count = if rng.chance(0.5) { 0 } else { 1 + rng.below(2) };
    let mut all = Vec::new();
    for k in 0..count {
        let mut axes = if rng.chance(0.5) { [true; 3] } else { [0; 3].map(|_| rng.chance(0.5)) };
        axes[rng.below(3) as usize] = true;
        let (t, reach) = (scale.duration, scale.reach());
        // Supports that follow a profile: continuous, of moderate speed.
        let motion = (k == 0 && rng.chance(0.4)).then(|| Motion {
            velocity: rng.vector(2.0),
            displacement: rng.vector((0.2 * reach).min(5.0 * t)),
            rotation: rng.vector((10.0 * t).min(1.0)),
            centre: scale.middle(),
            profile: Profile::Ramp { start: 0.0, end: t * rng.range(0.5, 1.0) },
        });
        all.push(Fix { name: format!("f{k}"), region: region(rng, setup), axes, motion });
    }
    all
}

pub fn loads(rng: &mut Rng, setup: &Setup, scale: &Scale) -> Vec<Load> {
    let count = if rng.chance(0.6) { 0 } else { 1 + rng.below(2) };
    let force = rng.direction() * (scale.mass * rng.scale(0.1, 100.0));
    let boxes = setup.bodies.iter().any(|b| matches!(b.shape, BodyShape::Box { .. }));
    let kind = |rng: &mut Rng| match rng.below(if boxes { 3 } else { 2 }) {
        0 => LoadKind::Point { region: region(rng, setup), at: rng.vector(1.0), force },
        1 => LoadKind::Region { region: region(rng, setup), force },
        _ => {
            let pressure = force.length() / (scale.reach() * scale.reach());
            LoadKind::Pressure { region: Region::Everything, pressure }
        }
    };
    (0..count).map(|k| Load { name: format!("l{k}"), kind: kind(rng), profile: profile(rng, scale.duration) }).collect()
}

pub fn grabs(rng: &mut Rng, setup: &Setup, scale: &Scale) -> Vec<Grab> {
    if rng.chance(0.8) {
        return Vec::new();
    }
    let t = scale.duration;
    let at = scale.middle();
    let path = vec![(0.0, at), (t * rng.range(0.1, 1.0), at + rng.vector(scale.reach()))];
    vec![Grab {
        name: "hand".into(),
        region: region(rng, setup),
        at,
        stiffness: scale.mass * rng.scale(1.0, 1e4),
        damping: scale.mass * rng.pick(&[0.0, 1.0, 100.0]),
        path,
        active: (0.0, t * rng.range(0.2, 2.0)),
    }]
}

pub fn schedule(rng: &mut Rng, setup: &Setup, scale: &Scale) -> Vec<Switch> {
    let count = if rng.chance(0.5) { 0 } else { 1 + rng.below(6) };
    let switch = |rng: &mut Rng| Switch {
        time: rng.range(-0.1, 1.0) * scale.duration,
        region: region(rng, setup),
        make_rigid: rng.chance(0.5),
    };
    // A body with a given inertia stays rigid: a switch of it is an error of the scene, not of the engine.
    if setup.bodies.iter().any(|b| b.inertia.is_some()) {
        Vec::new()
    } else {
        (0..count).map(|_| switch(rng)).collect()
    }
}

pub fn probes(rng: &mut Rng, setup: &Setup) -> Vec<Probe> {
    use Quantity::*;
    let all = [
        Position,
        Velocity,
        Displacement,
        Spin,
        Momentum,
        AngularMomentum,
        Force,
        Reaction,
        ContactForce,
        Strain,
        Stress,
        PrincipalStress,
        VonMises,
        Energy,
        Rigid,
    ];
    let probe = |(k, quantity): (usize, Quantity)| Probe {
        name: format!("p{k}"),
        quantity,
        region: region(rng, setup),
        nearest: rng.chance(0.3).then_some(DVec3::ZERO),
        component: rng.chance(0.3).then(|| rng.below(3) as u8),
        joint: None,
    };
    all.into_iter().enumerate().map(probe).collect()
}

pub fn settings(rng: &mut Rng, setup: &mut Setup) {
    setup.gravity = rng.pick(&[DVec3::ZERO, -DVec3::Z * 9.81, -DVec3::Z * 9.81, DVec3::new(3.0, -20.0, 7.0)]);
    setup.drag = rng.pick(&[0.0, 0.0, 0.0, 0.1, 20.0]);
    setup.integrator = rng.pick(&[
        Integrator::SymplecticEuler,
        Integrator::SymplecticEuler,
        Integrator::SymplecticEuler,
        Integrator::VelocityVerlet,
        Integrator::VelocityVerlet,
        Integrator::ForwardEuler,
    ]);
    let rules = [Combine::Average, Combine::Minimum, Combine::Maximum, Combine::Multiply];
    setup.contact = ContactSettings {
        enabled: rng.chance(0.9),
        self_collision: rng.chance(0.8),
        adhesion: rng.pick(&[0.0, 0.0, 0.0, 0.0, 0.02, 0.2]),
        friction: rng.pick(&rules),
        restitution: rng.pick(&rules),
        ..ContactSettings::default()
    };
    setup.allow_overlap = rng.chance(0.2);
}

pub fn switching(rng: &mut Rng, scale: &Scale) -> Switching {
    let rigid_below = rng.scale(1e-3, 10.0);
    let soft_above = rigid_below * rng.scale(1.0, 100.0);
    Switching { rigid_below, soft_above, patience: scale.duration * rng.range(0.0, 0.2), ..Switching::default() }
}
