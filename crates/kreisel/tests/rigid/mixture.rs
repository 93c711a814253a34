//! Random heaps of all shapes together, and what became of them.

use super::angle::angle;
use super::random::Random;
use super::scenes::{body, material, on_ground};
use kreisel::collide::shapes::{Pose, bounds, touch};
use kreisel::model::setup::{BodySetup, BodyShape};
use kreisel::model::shape::{PlacedShape, Polyhedron, Shape};
use kreisel::model::{Collider, Material, Obstacle, ObstacleShape, Setup};
use kreisel::{DVec3, Simulation};
use std::sync::Arc;
use std::time::Instant;

/// What a random heap is drawn from.
#[derive(Clone, Copy, Debug)]
pub struct Mixture {
    /// Bodies.
    pub count: u32,
    /// Sizes and densities spread over such a factor [1].
    pub sizes: f64,
    pub densities: f64,
    /// The largest coefficients [1].
    pub friction: f64,
    pub restitution: f64,
    /// Size of the step [s].
    pub step: f64,
    /// True if they are poured between four walls.
    pub walls: bool,
    /// True if they begin in each other.
    pub inside: bool,
}

/// The largest half size [m].
const LARGE: f64 = 0.2;

impl Mixture {
    /// Any heap.
    pub fn any(random: &mut Random) -> Self {
        let steps = [1.0 / 30.0, 1.0 / 60.0, 1.0 / 120.0, 1.0 / 240.0];
        Self {
            count: random.spread(10.0, 120.0) as u32,
            sizes: random.spread(1.0, 10.0),
            densities: random.spread(1.0, 100.0),
            friction: random.between(0.0, 1.5),
            restitution: random.between(-0.8, 0.8).max(0.0),
            step: steps[random.between(0.0, 4.0) as usize],
            walls: random.between(0.0, 1.0) < 0.5,
            inside: random.between(0.0, 1.0) < 0.2,
        }
    }

    /// The scene.
    pub fn setup(&self, random: &mut Random) -> Setup {
        let side = f64::from(self.count).cbrt().ceil().clamp(2.0, 4.0);
        let cell = if self.inside { 0.8 * LARGE } else { 2.9 * LARGE };
        let bodies = (0..self.count).map(|k| {
            let n = side as u32;
            let place = DVec3::new(f64::from(k % n), f64::from(k / n % n), f64::from(k / n / n));
            let at = (place - DVec3::new(1.0, 1.0, 0.0) * (0.5 * (side - 1.0))) * cell + DVec3::Z * (2.0 * LARGE);
            self.body(random, k, at)
        });
        let mut setup = on_ground(bodies.collect(), self.step, 10.0);
        setup.allow_overlap = true;
        let offset = -0.5 * side * cell - 0.3 * LARGE;
        for normal in [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y].into_iter().filter(|_| self.walls) {
            let shape = ObstacleShape::Plane { normal, offset };
            setup.obstacles.push(Obstacle { name: format!("wall {normal}"), shape, friction: None, restitution: None });
        }
        setup
    }

    fn body(&self, random: &mut Random, k: u32, at: DVec3) -> BodySetup {
        let size = LARGE / random.spread(1.0, self.sizes);
        let density = 1000.0 / random.spread(1.0, self.densities);
        let of = material(random.between(0.0, self.friction), random.between(0.0, self.restitution));
        let mut one = body(&format!("body-{k}"), any_shape(random, size), at, Material { density, ..of });
        if random.between(0.0, 1.0) < 0.15 {
            let at = random.vector(0.4 * size);
            let part = PlacedShape { shape: any_shape(random, 0.7 * size), at, rotation: random.rotation() };
            if let BodyShape::Exact { parts, .. } = &mut one.shape {
                parts.push(part);
            }
        }
        BodySetup { rotation: random.rotation(), velocity: random.vector(0.5), spin: random.vector(2.0), ..one }
    }
}

/// Any shape, some three times as long as it is wide.
fn any_shape(random: &mut Random, size: f64) -> Shape {
    let thin = random.between(0.3, 1.0);
    match random.between(0.0, 8.0) as u32 {
        0 => Shape::Sphere { radius: size },
        1 => Shape::Box { half_size: DVec3::new(size, thin * size, random.between(0.3, 1.0) * size) * 0.7 },
        2 => Shape::Capsule { half_length: 0.5 * size, radius: 0.5 * thin * size },
        3 => Shape::Cylinder { half_length: 0.7 * thin * size, radius: 0.7 * size },
        4 => Shape::Cone { half_length: 0.7 * size, radius: 0.7 * thin * size },
        5 => Shape::Ellipsoid { semi_axes: DVec3::new(size, thin * size, 0.6 * size) },
        6 => angle(0.5 * size),
        _ => {
            let points = (0..9).map(|_| random.vector(1.0).normalize_or(DVec3::X) * size);
            Polyhedron::from_points(&points.collect::<Vec<_>>())
                .map_or(Shape::Sphere { radius: size }, |p| Shape::Polyhedron(Arc::new(p)))
        }
    }
}

/// What became of a heap.
#[derive(Clone, Debug, Default)]
pub struct Fate {
    /// Why it did not go on.
    pub failed: Option<String>,
    /// Steps, and those that were told as unsolved.
    pub steps: u32,
    pub unsolved: u32,
    /// The deepest overlap of all, of steps that were told as solved, and at the end, each as a share of the width of the thinner body [1].
    pub deepest: f64,
    pub deepest_solved: f64,
    pub last: f64,
    /// Who overlapped most in a step that was told as solved, and when.
    pub who: String,
    /// The most energy that came in a step, as a share of what the heap began with [1].
    pub gain: f64,
    /// Residual of momenta, as a share of the impulse of the weights [1].
    pub momentum: f64,
    /// The fastest at any time, and at the end [m/s].
    pub fastest: f64,
    pub last_fastest: f64,
    /// The slowest step [s].
    pub slowest: f64,
}

/// Runs a heap for so long [s].
pub fn fate(setup: &Setup, time: f64) -> Fate {
    let mut fate = Fate::default();
    let mut sim = match Simulation::new(setup) {
        Ok(sim) => sim,
        Err(e) => return Fate { failed: Some(e.to_string()), ..fate },
    };
    let (start, mut energy) = (sim.ledger().energy().abs(), sim.ledger().energy());
    while sim.time() < time {
        let clock = Instant::now();
        match sim.step() {
            Ok(report) => fate.note(&sim, report.unconverged_contacts == 0),
            Err(e) => return Fate { failed: Some(e.to_string()), ..fate },
        }
        fate.slowest = fate.slowest.max(clock.elapsed().as_secs_f64());
        fate.gain = fate.gain.max((sim.ledger().energy() - energy) / start);
        energy = sim.ledger().energy();
    }
    let l = sim.ledger();
    fate.momentum = (l.momentum_residual.length() + l.angular_momentum_residual.length()) / l.external_impulse.length();
    fate
}

impl Fate {
    /// One more step.
    fn note(&mut self, sim: &Simulation, solved: bool) {
        self.steps += 1;
        self.unsolved += u32::from(!solved);
        let (overlap, who) = overlap(sim);
        self.last = overlap;
        self.deepest = self.deepest.max(overlap);
        if solved && overlap > self.deepest_solved {
            (self.deepest_solved, self.who) = (overlap, format!("{who} at {:.3} s", sim.time()));
        }
        self.last_fastest = sim.state().aggregates.iter().map(|a| a.velocity.length()).fold(0.0, f64::max);
        self.fastest = self.fastest.max(self.last_fastest);
    }
}

/// The deepest overlap of bodies with each other and with the ground, as a share of the width of the thinner one [1], and whose it is.
pub fn overlap(sim: &Simulation) -> (f64, String) {
    let placed: Vec<Placed> = sim.model().colliders.iter().map(|c| Placed::new(sim, c)).collect();
    let mut deepest = (0.0, String::new());
    for (i, a) in placed.iter().enumerate() {
        let others = placed[..i].iter().filter(|b| b.body != a.body && a.may_touch(b));
        let pairs = others.map(|b| (a.depth(b.shape, &b.pose) / a.width().min(b.width()), b.name()));
        let ground = (a.depth(&Shape::Plane, &Pose::IDENTITY) / a.width(), "ground".to_string());
        for (depth, with) in pairs.chain([ground]) {
            if depth > deepest.0 {
                deepest = (depth, format!("{} with {with}", a.name()));
            }
        }
    }
    deepest
}

/// A shape where it is.
struct Placed<'a> {
    body: u32,
    shape: &'a Shape,
    pose: Pose,
    low: DVec3,
    high: DVec3,
}

impl<'a> Placed<'a> {
    fn new(sim: &Simulation, c: &'a Collider) -> Self {
        let a = &sim.state().aggregates[c.body.0 as usize];
        let pose = Pose { position: a.position, rotation: a.orientation }.of_part(c.at, c.rotation);
        let (low, high) = bounds(&c.shape, &pose);
        Self { body: c.body.0, shape: &c.shape, pose, low, high }
    }

    fn may_touch(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }

    /// How deep it is in another [m].
    fn depth(&self, other: &Shape, pose: &Pose) -> f64 {
        let mut touches = Vec::new();
        touch(self.shape, &self.pose, other, pose, 0.0, &mut touches);
        touches.iter().map(|t| -t.gap).fold(0.0, f64::max)
    }

    fn width(&self) -> f64 {
        let (low, high) = bounds(self.shape, &Pose::IDENTITY);
        (high - low).min_element()
    }

    fn name(&self) -> String {
        let shape = format!("{:?}", self.shape);
        format!("{} {}", self.body, shape.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default())
    }
}
