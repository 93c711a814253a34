//! Random heaps of all shapes together, and what became of them.

use super::random::Random;
use super::scenes::{body, material, on_ground};
use kreisel::collide::shapes::{Pose, bounds, touch};
use kreisel::model::setup::{BodySetup, BodyShape};
use kreisel::model::shape::{PlacedShape, Polyhedron, Shape};
use kreisel::model::{Material, Obstacle, ObstacleShape, Setup, TriangleMesh};
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
            restitution: (random.between(-0.8, 0.8)).max(0.0),
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
            let (n, k) = (side as u32, k);
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
        let mut one = body(&format!("body-{k}"), random.shape(size), at, Material { density, ..of });
        if random.between(0.0, 1.0) < 0.15 {
            let at = random.vector(0.4 * size);
            let part = PlacedShape { shape: random.shape(0.7 * size), at, rotation: random.rotation() };
            if let BodyShape::Exact { parts, .. } = &mut one.shape {
                parts.push(part);
            }
        }
        BodySetup { rotation: random.rotation(), velocity: random.vector(0.5), spin: random.vector(2.0), ..one }
    }
}

impl Random {
    /// Any shape, some three times as long as it is wide.
    fn shape(&mut self, size: f64) -> Shape {
        let thin = self.between(0.3, 1.0);
        match self.between(0.0, 8.0) as u32 {
            0 => Shape::Sphere { radius: size },
            1 => Shape::Box { half_size: DVec3::new(size, thin * size, self.between(0.3, 1.0) * size) * 0.7 },
            2 => Shape::Capsule { half_length: 0.5 * size, radius: 0.5 * thin * size },
            3 => Shape::Cylinder { half_length: 0.7 * thin * size, radius: 0.7 * size },
            4 => Shape::Cone { half_length: 0.7 * size, radius: 0.7 * thin * size },
            5 => Shape::Ellipsoid { semi_axes: DVec3::new(size, thin * size, 0.6 * size) },
            6 => wedge(0.5 * size),
            _ => {
                let points = (0..9).map(|_| self.vector(1.0).normalize_or(DVec3::X) * size);
                Polyhedron::from_points(&points.collect::<Vec<_>>())
                    .map_or(Shape::Sphere { radius: size }, |p| Shape::Polyhedron(Arc::new(p)))
            }
        }
    }
}

/// An angle profile as a mesh, which is not convex.
fn wedge(size: f64) -> Shape {
    let outline = [[-1.0, -1.0], [1.0, -1.0], [1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [-1.0, 1.0]];
    let ring = |y: f64| outline.iter().map(move |[x, z]| DVec3::new(*x, y, *z) * size);
    let fan = [[0, 1, 2], [0, 2, 3], [0, 3, 5], [3, 4, 5]];
    let mut triangles: Vec<[u32; 3]> = fan.to_vec();
    triangles.extend(fan.map(|[a, b, c]| [a + 6, c + 6, b + 6]));
    triangles.extend((0..6).flat_map(|k| [[k, k + 6, (k + 1) % 6], [(k + 1) % 6, k + 6, (k + 1) % 6 + 6]]));
    Shape::Mesh(Arc::new(TriangleMesh::new(ring(-0.8).chain(ring(0.8)).collect(), triangles).unwrap()))
}

/// What became of a heap.
#[derive(Clone, Debug, Default)]
pub struct Fate {
    /// Why it did not go on.
    pub failed: Option<String>,
    pub steps: u32,
    pub unsolved: u32,
    /// The deepest overlap of all, of steps that were told as solved, and at the end, each as a share of the width of the thinner body [1].
    pub deepest: f64,
    pub deepest_solved: f64,
    pub who: String,
    pub last: f64,
    /// The most energy that came in a step, as a share of what the heap began with, and all that did [1].
    pub gain: f64,
    pub gained: f64,
    /// Residual of momenta, as a share of the impulse of the weights [1].
    pub momentum: f64,
    /// The fastest at any time, and at the end [m/s].
    pub fastest: f64,
    pub last_fastest: f64,
    /// The slowest step [s].
    pub slowest: f64,
}

/// Runs a heap for so long [s].
pub fn fate(setup: &Setup, time: f64, say: bool) -> Fate {
    let mut fate = Fate::default();
    let mut sim = match Simulation::new(setup) {
        Ok(sim) => sim,
        Err(e) => return Fate { failed: Some(e.to_string()), ..fate },
    };
    let start = sim.ledger().energy().abs();
    let mut energy = sim.ledger().energy();
    while sim.time() < time {
        let clock = Instant::now();
        let report = match sim.step() {
            Ok(report) => report,
            Err(e) => return Fate { failed: Some(e.to_string()), ..fate },
        };
        let took = clock.elapsed().as_secs_f64();
        fate.slowest = fate.slowest.max(took);
        fate.steps += 1;
        let solved = report.unconverged_contacts == 0;
        fate.unsolved += u32::from(!solved);
        let (overlap, who) = overlap(&sim);
        fate.last = overlap;
        fate.deepest = fate.deepest.max(overlap);
        if solved && overlap > fate.deepest_solved {
            fate.deepest_solved = overlap;
            fate.who = format!("{who} at {:.3}", sim.time());
        }
        let now = sim.ledger().energy();
        let gain = (now - energy) / start;
        (fate.gain, fate.gained) = (fate.gain.max(gain), fate.gained + gain.max(0.0));
        energy = now;
        fate.last_fastest = sim.state().aggregates.iter().map(|a| a.velocity.length()).fold(0.0, f64::max);
        fate.fastest = fate.fastest.max(fate.last_fastest);
        if say && overlap > 0.3 && sim.time() > 0.5 {
            let b: u32 = who.split(|c: char| !c.is_ascii_digit()).next().unwrap_or("0").parse().unwrap_or(0);
            for c in sim.state().shape_contacts.iter().filter(|c| c.between.contains(&b)) {
                let n = |k: u32| sim.model().colliders.get(k as usize).map_or("world".to_string(), |c| format!("{:.90?}", format!("{:?}", c.shape)));
                println!("   {:?} {} {} n {:.2?} gap {:.4} p {:.2} at {:.3?}", c.between, n(c.first), n(c.second), c.normal.to_array(), c.gap, c.impulse.length(), c.point.to_array());
            }
        }
        if say {
            println!(
                "{:.4}: {solved} residual {:.1e} sweeps {} newton {} contacts {} overlap {overlap:.4} {who} gain {gain:+.1e} fastest {:.3} {:.1} ms",
                sim.time(), report.contact_residual, report.contact_sweeps, report.newton_iterations, report.contacts, fate.last_fastest, 1e3 * took
            );
        }
    }
    let l = sim.ledger();
    fate.momentum = (l.momentum_residual.length() + l.angular_momentum_residual.length()) / l.external_impulse.length();
    fate
}

/// The deepest overlap as a share of the width of the thinner body [1], and whose it is.
pub fn overlap(sim: &Simulation) -> (f64, String) {
    let model = sim.model();
    let placed: Vec<(usize, &Shape, Pose)> = model.colliders.iter().map(|c| {
        let a = &sim.state().aggregates[c.body.0 as usize];
        (c.body.0 as usize, &c.shape, Pose { position: a.position + a.orientation * c.at, rotation: a.orientation * c.rotation })
    }).collect();
    let boxes: Vec<(DVec3, DVec3)> = placed.iter().map(|(_, s, p)| bounds(s, p)).collect();
    let width = |s: &Shape| { let (low, high) = bounds(s, &Pose::IDENTITY); (high - low).min_element() };
    let name = |s: &Shape| format!("{s:?}").split(|c: char| !c.is_alphanumeric()).next().unwrap_or("").to_string();
    let mut deepest = (0.0_f64, String::new());
    let mut touches = Vec::new();
    for (i, a) in placed.iter().enumerate() {
        for (j, b) in placed.iter().enumerate().take(i) {
            let apart = boxes[i].0.cmpgt(boxes[j].1).any() || boxes[j].0.cmpgt(boxes[i].1).any();
            if apart || a.0 == b.0 {
                continue;
            }
            touches.clear();
            touch(a.1, &a.2, b.1, &b.2, 0.0, &mut touches);
            let depth = -touches.iter().map(|t| t.gap).fold(0.0, f64::min) / width(a.1).min(width(b.1));
            if depth > deepest.0 {
                deepest = (depth, format!("{}-{} {}-{}", a.0, b.0, name(a.1), name(b.1)));
            }
        }
        touches.clear();
        touch(a.1, &a.2, &Shape::Plane, &Pose::IDENTITY, 0.0, &mut touches);
        let depth = -touches.iter().map(|t| t.gap).fold(0.0, f64::min) / width(a.1);
        if depth > deepest.0 {
            deepest = (depth, format!("{} {}-ground", a.0, name(a.1)));
        }
    }
    deepest
}
