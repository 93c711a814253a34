//! Balls that strike each other with spin: Newton's restitution and Coulomb's friction in closed form.

use super::scenes::{body, material, on_ground};
use kreisel::model::setup::Integrator;
use kreisel::model::shape::Shape;
use kreisel::{DVec3, Simulation};

const R: f64 = 0.0286;

/// A blow: speed of the first ball along x, spins of both, where it passes the middle of the second, restitution, friction.
struct Blow {
    speed: f64,
    spins: [DVec3; 2],
    aside: DVec3,
    restitution: f64,
    friction: f64,
}

impl Blow {
    /// Unit normal from the second ball to the first where they meet.
    fn normal(&self) -> DVec3 {
        (self.aside - DVec3::X * (4.0 * R * R - self.aside.length_squared()).sqrt()) / (2.0 * R)
    }

    /// Velocities and spins after it. With `u = v + (ω₁ + ω₂) × (−R n)`: `p_n = (1 + e) m |u_n|/2`, and friction is
    /// `min(μ p_n, m |u_t|/7)` against the slip, whose direction a blow between equal balls does not change; `I = ⅖ m R²`.
    fn after(&self) -> [(DVec3, DVec3); 2] {
        let n = self.normal();
        let u = DVec3::X * self.speed + (self.spins[0] + self.spins[1]).cross(-R * n);
        let slip = u.reject_from_normalized(n);
        let push = -(1.0 + self.restitution) * u.dot(n) / 2.0;
        let rub = (self.friction * push).min(slip.length() / 7.0);
        let p = n * push - slip.normalize() * rub;
        let turn = (-R * n).cross(p) / (0.4 * R * R);
        [(DVec3::X * self.speed + p, self.spins[0] + turn), (-p, self.spins[1] + turn)]
    }

    fn simulated(&self, step: f64, integrator: Integrator) -> Simulation {
        let shape = Shape::Sphere { radius: R };
        let place = [self.aside - DVec3::X * 0.2, DVec3::ZERO];
        let mut balls = [("cue", place[0]), ("object", place[1])]
            .map(|(name, at)| body(name, shape.clone(), at, material(self.friction, self.restitution)));
        balls[0].velocity = DVec3::X * self.speed;
        (balls[0].spin, balls[1].spin) = (self.spins[0], self.spins[1]);
        let mut setup = on_ground(balls.to_vec(), step, 0.5);
        setup.obstacles.clear();
        (setup.integrator, setup.gravity) = (integrator, DVec3::ZERO);
        let mut sim = Simulation::new(&setup).unwrap();
        sim.run_until(0.5).unwrap();
        sim
    }
}

#[test]
fn balls_that_strike_with_spin_throw_each_other_as_friction_says_at_any_step_and_order() {
    let spins = |a: [f64; 3], b: [f64; 3]| [DVec3::from_array(a), DVec3::from_array(b)];
    let blows = [
        // A cut with side spin that slips all the time, a full one with back spin, and one that friction brings to roll.
        (1.5, spins([0.0, 20.0, 40.0], [0.0; 3]), DVec3::new(0.0, 0.03, 0.0), 0.93, 0.06),
        (2.0, spins([5.0, -60.0, 0.0], [0.0, 0.0, 10.0]), DVec3::new(0.0, 0.002, -0.001), 1.0, 0.1),
        (1.0, spins([-8.0, 9.0, 12.0], [7.0, -3.0, 5.0]), DVec3::new(0.0, -0.01, 0.012), 0.5, 0.5),
    ];
    let mut kinds = [0, 0];
    for (speed, spins, aside, restitution, friction) in blows {
        let blow = Blow { speed, spins, aside, restitution, friction };
        let due = blow.after();
        let n = blow.normal();
        let left = (due[0].0 - due[1].0 + (due[0].1 + due[1].1).cross(-R * n)).reject_from_normalized(n);
        kinds[usize::from(left.length() < 1e-12)] += 1;
        for integrator in [Integrator::SymplecticEuler, Integrator::VelocityVerlet, Integrator::Extrapolated] {
            for step in [1.0 / 60.0, 1e-3] {
                let sim = blow.simulated(step, integrator);
                for (ball, (v, w)) in sim.state().aggregates.iter().zip(due) {
                    let off = (ball.velocity - v).length().max(R * (ball.spin() - w).length());
                    assert!(
                        off < 1e-9,
                        "{integrator:?}, {step} s: {} m/s, {} rad/s, not {v}, {w}",
                        ball.velocity,
                        ball.spin()
                    );
                }
            }
        }
    }
    assert_eq!(kinds, [2, 1], "two slip to the end, one does not");
}
