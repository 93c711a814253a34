//! What cases share: scenes read, runs, sums over bodies, zero crossings. Sums are made here from elements and masses, not
//! by the engine's own readout, so that a case does not trust what it checks.

use kreisel::model::{Aggregate, Setup};
use kreisel::{DVec3, Simulation};

/// Reads a scene with overrides.
pub fn scene(text: &str, overrides: &[String]) -> Result<Setup, String> {
    kreisel_scene::read_with_overrides("validation scene", text, overrides).map(|s| s.setup).map_err(|e| e.to_string())
}

/// Builds a scene.
pub fn simulate(setup: &Setup) -> Result<Simulation, String> {
    Simulation::new(setup).map_err(|e| e.to_string())
}

/// Runs until a time and forgets what happened.
pub fn run_until(sim: &mut Simulation, time: f64) -> Result<(), String> {
    sim.run_until(time).map(|_| ()).map_err(|e| e.to_string())
}

/// One frame.
pub fn step(sim: &mut Simulation) -> Result<(), String> {
    sim.step().map(|_| ()).map_err(|e| e.to_string())
}

/// Numbers of the elements of a body.
pub fn elements_of(sim: &Simulation, body: &str) -> Result<Vec<usize>, String> {
    let found = sim.model().bodies.iter().find(|b| b.name == body);
    found.map(|b| b.elements.iter().map(|&e| e as usize).collect()).ok_or_else(|| format!("no body {body}"))
}

/// The rigid body with a name.
pub fn rigid<'a>(sim: &'a Simulation, body: &str) -> Result<&'a Aggregate, String> {
    let element = elements_of(sim, body)?.first().copied().ok_or_else(|| format!("{body} is empty"))?;
    let aggregate = sim.state().owner.get(element).and_then(|&a| sim.state().aggregates.get(a as usize));
    aggregate.ok_or_else(|| format!("{body} is not rigid"))
}

/// Kinetic energy of a rigid body and its energy in gravity along z [J].
pub fn energy(a: &Aggregate, g: f64) -> f64 {
    0.5 * (a.mass * a.velocity.length_squared() + a.spin().dot(a.angular_momentum)) + a.mass * g * a.position.z
}

/// Position and velocity of a centre of mass.
#[derive(Clone, Copy, Debug)]
pub struct Centre {
    /// Mass [kg].
    pub mass: f64,
    /// Position [m].
    pub position: DVec3,
    /// Velocity [m/s].
    pub velocity: DVec3,
}

/// Centre of mass of a body.
pub fn centre(sim: &Simulation, body: &str) -> Result<Centre, String> {
    let (mut mass, mut moment, mut momentum) = (0.0, DVec3::ZERO, DVec3::ZERO);
    for e in elements_of(sim, body)? {
        let m = sim.model().elements.mass[e];
        mass += m;
        moment += m * sim.state().position.get(e);
        momentum += m * sim.state().velocity.get(e);
    }
    Ok(Centre { mass, position: moment / mass, velocity: momentum / mass })
}

/// Momenta of everything and their yardsticks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Momenta {
    /// `Σ m v` [kg m/s].
    pub linear: DVec3,
    /// `Σ m r × v` about the origin [kg m²/s].
    pub angular: DVec3,
    /// `Σ m |v|` [kg m/s].
    pub linear_scale: f64,
    /// `Σ m |r| |v|` [kg m²/s].
    pub angular_scale: f64,
}

/// Momenta of all elements about the origin.
pub fn momenta(sim: &Simulation) -> Momenta {
    let mut sum = Momenta::default();
    for (e, &m) in sim.model().elements.mass.iter().enumerate() {
        let (r, v) = (sim.state().position.get(e), sim.state().velocity.get(e));
        sum.linear += m * v;
        sum.angular += m * r.cross(v);
        sum.linear_scale += m * v.length();
        sum.angular_scale += m * r.length() * v.length();
    }
    sum
}

/// By how much `now` differs from `start`, relative to the larger yardstick: linear and angular.
pub fn drift(start: &Momenta, now: &Momenta) -> (f64, f64) {
    let linear = (now.linear - start.linear).length() / now.linear_scale.max(start.linear_scale);
    let angular = (now.angular - start.angular).length() / now.angular_scale.max(start.angular_scale);
    (linear, angular)
}

/// Times at which a sampled signal goes through zero, straight lines between samples.
#[derive(Clone, Debug, Default)]
pub struct Crossings {
    last: Option<(f64, f64)>,
    /// The times so far [s].
    pub times: Vec<f64>,
    upwards: bool,
}

impl Crossings {
    /// Only crossings from below to above.
    pub fn upwards() -> Self {
        Self { upwards: true, ..Self::default() }
    }

    /// The next sample. A first sample of exactly zero is no crossing.
    pub fn sample(&mut self, t: f64, value: f64) {
        if let Some((t0, v0)) = self.last {
            let crosses = if v0 < 0.0 { value >= 0.0 } else { !self.upwards && v0 > 0.0 && value <= 0.0 };
            if crosses {
                self.times.push(t0 + (t - t0) * v0 / (v0 - value));
            }
        }
        self.last = Some((t, value));
    }

    /// Mean time between the crossings [s].
    pub fn spacing(&self) -> f64 {
        match (self.times.first(), self.times.last()) {
            (Some(first), Some(last)) if self.times.len() > 1 => (last - first) / (self.times.len() - 1) as f64,
            _ => f64::NAN,
        }
    }
}

/// A scene that stands still turns nothing over: what counts then is the energy of a fall by this share of its size [1].
const AT_REST: f64 = 1e-3;

/// What residuals of energy are held against: the turnover of the scene, or what counts at rest if that is more [J].
pub fn turnover(sim: &Simulation) -> f64 {
    let (elements, x) = (&sim.model().elements, &sim.state().position);
    let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let (low, high) = (0..x.len()).fold(none, |(low, high), i| (low.min(x.get(i)), high.max(x.get(i))));
    let weight = elements.mass.iter().sum::<f64>() * sim.model().gravity.length();
    sim.ledger().turnover.max(AT_REST * weight * (high - low).length()).max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossings_of_a_sine_are_half_a_period_apart() {
        let (mut both, mut up) = (Crossings::default(), Crossings::upwards());
        for k in 0..10_000 {
            let t = 1e-3 * f64::from(k);
            both.sample(t, (3.0 * t).sin());
            up.sample(t, (3.0 * t).sin());
        }
        assert!((both.spacing() - std::f64::consts::PI / 3.0).abs() < 1e-6);
        assert!((up.spacing() - 2.0 * std::f64::consts::PI / 3.0).abs() < 1e-6);
    }
}
