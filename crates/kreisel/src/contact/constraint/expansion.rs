//! Poisson's restitution: a blow in two phases. [PG96, AP97]
//!
//! Compression ends with the impulses `p_c` of the problem without restitution. Expansion adds `p_e`, which pushes at every
//! contact at least the share `e` of what compression did: `0 ≤ p_e,n − e p_c,n ⊥ u_n ≥ 0`, with friction `|p_e,t| ≤ μ p_e,n`
//! of its own against the slip at its end. That is Poisson's hypothesis in the form of Pfeiffer and Glocker: each phase is a
//! problem of its end, not a course of the slip through it, as Routh has it; where the slip goes in one direction the two agree.
//!
//! It gains no energy if all contacts have the same `e ≤ 1`. With `P = Jᵀ p_c` and the velocities `v_c` after compression,
//! `Pᵀ v_c ≤ 0`. If all of `P` came back, `E(v_c + e M⁻¹P) − E(v) = (1 + e) Pᵀ v_c − ½ (1 − e²) Pᵀ M⁻¹ P ≤ 0`. What really
//! comes back differs from that by a push `x ⊥ u_n` and by friction that opposes the slip with all that its bound allows,
//! a larger bound than `e p_c,t` needs: neither adds to the energy.

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::joint::JointBlock;
use crate::contact::constraint::row::Row;
use crate::contact::constraint::sweep::{self, Goal, Local, Outcome};
use crate::contact::constraint::{island, jointed};
use glamx::DVec3;

/// So few contacts are solved to this share of the tolerance.
const EXACT: f64 = 1e-9;

/// The second phase of a solved problem, of which `compressed` is what its solver left; nothing if no row has a share that comes
/// back. The rows leave with the impulses of both phases.
pub fn expand(
    rows: &mut [Row],
    joints: &mut [JointBlock],
    carriers: &mut Carriers,
    (goal, most): (Goal, u32),
    compressed: Outcome,
) -> Outcome {
    if !rows.iter().any(|row| row.restitution() * row.impulse.x > 0.0) {
        return compressed;
    }
    let first: Vec<DVec3> = rows.iter().map(|row| row.impulse).collect();
    for row in rows.iter_mut() {
        let least = row.restitution() * row.impulse.x.max(0.0);
        row.set_least(least);
        row.impulse = DVec3::new(least, 0.0, 0.0);
        row.push(row.impulse, carriers);
    }
    let found = match joints.is_empty() {
        true if rows.len() <= island::FEW => {
            sweep::solve(rows, carriers, Goal::strict(EXACT * goal.mean), most, Local::Together)
        }
        true => sweep::solve(rows, carriers, goal, most, Local::ByTurns),
        false => jointed::by_sweeps((rows, &mut []), joints, carriers, goal.mean, most),
    };
    for (row, first) in rows.iter_mut().zip(first) {
        row.impulse += first;
        row.set_least(0.0);
        row.mode = sweep::mode(row, row.velocity(carriers));
    }
    let found = compressed.then(found);
    Outcome {
        residual: found.residual.max(compressed.residual),
        converged: found.converged && compressed.converged,
        ..found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::constraint::carriers::Carrier;
    use crate::contact::constraint::row::Meeting;
    use crate::contact::constraint::sweep::Aim;
    use crate::model::setup::ConstraintSettings;
    use glamx::{DMat2, DMat3, DVec2};

    /// Numbers between 0 and 1 from a fixed seed.
    fn numbers(mut seed: u64) -> impl FnMut() -> f64 {
        move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 53) as f64
        }
    }

    /// A rod of 1 kg and 1 m that strikes level ground with its lower end; `angle` to the ground.
    #[derive(Clone, Copy, Debug)]
    struct Impact {
        angle: f64,
        velocity: DVec3,
        spin: f64,
        friction: f64,
        e: f64,
    }

    impl Impact {
        fn carriers(&self) -> Carriers {
            let inverse_inertia = DMat3::from_diagonal(DVec3::splat(12.0));
            let spin = DVec3::Y * self.spin;
            let rod = Carrier { velocity: self.velocity, spin, inverse_mass: 1.0, inverse_inertia, ..Carrier::WORLD };
            Carriers::from(vec![rod, Carrier::WORLD])
        }

        /// Solves it by Poisson, or by Newton; the row, velocities, and energy before and after.
        fn solve(&self, poisson: bool) -> (Row, Carriers, [f64; 2]) {
            let mut carriers = self.carriers();
            let point = DVec3::new(-self.angle.cos(), 0.0, -self.angle.sin()) * 0.5;
            let mut meeting =
                Meeting { a: 0, b: 1, point, normal: DVec3::Z, friction: self.friction, ..Meeting::default() };
            let approach = carriers.relative_velocity((0, 1), point).z.min(0.0);
            if poisson {
                meeting.restitution = self.e;
            } else {
                meeting.bias = self.e * approach;
            }
            let energy = |c: &Carriers| 0.5 * c[0].velocity.length_squared() + c[0].spin.length_squared() / 24.0;
            let before = energy(&carriers);
            let mut rows = [Row::new(&meeting, &carriers, DVec3::ZERO)];
            let settings = ConstraintSettings::default();
            let aim = Aim::strict(1e-6);
            let first = island::solve(&mut rows, None, &mut carriers, aim, &settings);
            let outcome = expand(&mut rows, &mut [], &mut carriers, (aim.sharp, 2000), first);
            assert!(outcome.converged, "{self:?}: {outcome:?}");
            let after = energy(&carriers);
            (rows[0].clone(), carriers, [before, after])
        }

        /// `u` and `W` in the plane: along the ground, and normal to it.
        fn plane(&self) -> (DVec2, DMat2) {
            let (x, z) = (-0.5 * self.angle.cos(), -0.5 * self.angle.sin());
            let w = DMat2::from_cols(
                DVec2::new(1.0 + 12.0 * z * z, -12.0 * x * z),
                DVec2::new(-12.0 * x * z, 1.0 + 12.0 * x * x),
            );
            // `ω × r` of a spin about y.
            (DVec2::new(self.velocity.x + self.spin * z, self.velocity.z - self.spin * x), w)
        }
    }

    /// All solutions of one phase in the plane, mode by mode: `p_n ≥ least ⊥ u_n ≥ 0`, friction against the slip.
    fn phase(u: DVec2, w: DMat2, mu: f64, least: f64) -> Vec<DVec2> {
        let mut found = Vec::new();
        let mut offer = |p: DVec2| {
            let v = u + w * p;
            let close = 1e-9 * (1.0 + u.length());
            let pushes = p.y >= least - 1e-12 && v.y >= -close && (p.y <= least + 1e-12 || v.y <= close);
            let rubs = p.x.abs() <= mu * p.y + 1e-12
                && (v.x.abs() <= close || (p.x + mu * p.y * v.x.signum()).abs() <= 1e-9 * (1.0 + p.y));
            if pushes && rubs && found.iter().all(|q: &DVec2| (*q - p).length() > 1e-7) {
                found.push(p);
            }
        };
        offer(-(w.inverse() * u));
        offer(DVec2::new(-(u.x + w.y_axis.x * least) / w.x_axis.x, least));
        for side in [-mu, mu] {
            offer(DVec2::new(side * least, least));
            let p = -u.y / (w.y_axis.y + w.x_axis.y * side);
            offer(DVec2::new(side * p, p));
        }
        found
    }

    fn random(seed: u64) -> Impact {
        let mut next = numbers(seed);
        let mut wide = |size: f64| size * (2.0 * next() - 1.0);
        let (angle, velocity, spin) = (1.5 + wide(1.4), DVec3::new(wide(3.0), 0.0, -1.0 + wide(1.0)), wide(6.0));
        Impact { angle, velocity, spin, friction: wide(0.6).abs(), e: wide(1.0).abs() }
    }

    #[test]
    fn the_planar_rod_strikes_without_restitution_as_the_three_laws_agree() {
        let rod = Impact {
            angle: 80f64.to_radians(),
            velocity: DVec3::new(-3.0, 0.0, -1.0),
            spin: 0.0,
            friction: 0.2,
            e: 0.0,
        };
        for poisson in [true, false] {
            let (row, carriers, energy) = rod.solve(poisson);
            let p = row.world_impulse();
            assert!((p - DVec3::new(0.202458858, 0.0, 1.012294288)).length() < 2e-9, "{p}");
            assert!((energy[1] - energy[0] + 1.085970764).abs() < 1e-8);
            let u = row.in_world(row.velocity(&carriers));
            assert!((u - DVec3::new(-2.727816770, 0.0, 0.0)).length() < 2e-9, "{u}");
        }
    }

    #[test]
    fn while_the_slip_goes_on_the_two_phases_are_rouths_and_all_of_the_impulse_grows_by_its_share() {
        let rod = Impact {
            angle: 80f64.to_radians(),
            velocity: DVec3::new(-3.0, 0.0, -1.0),
            spin: 0.0,
            friction: 0.2,
            e: 0.5,
        };
        let p = rod.solve(true).0.world_impulse();
        assert!((p - 1.5 * DVec3::new(0.202458858, 0.0, 1.012294288)).length() < 3e-9, "{p}");
    }

    #[test]
    fn random_rods_strike_in_two_phases_as_solved_mode_by_mode() {
        let (mut told, mut turned) = (0, 0);
        for seed in 0..2000 {
            let rod = random(seed);
            let (u, w) = rod.plane();
            if u.y >= 0.0 {
                continue;
            }
            let [compression] = phase(u, w, rod.friction, 0.0)[..] else { continue };
            let half = u + w * compression;
            let [expansion] = phase(half, w, rod.friction, rod.e * compression.y)[..] else { continue };
            let p = rod.solve(true).0.world_impulse();
            let due = compression + expansion;
            assert!((DVec2::new(p.x, p.z) - due).length() < 1e-8, "seed {seed}: {p} instead of {due}");
            told += 1;
            turned += i32::from(u.x * (half + w * expansion).x < -1e-6);
        }
        assert!(told > 1000 && turned > 30, "{told} rods, of {turned} the slip turns round");
    }

    #[test]
    fn poisson_gains_no_energy_where_newton_does() {
        let (mut newton_gains, mut worst): (i32, f64) = (0, f64::NEG_INFINITY);
        for seed in 0..4000 {
            let rod = Impact { friction: 2.0 * random(seed).friction, ..random(seed) };
            let [before, after] = rod.solve(true).2;
            worst = worst.max(after / before - 1.0);
            let [before, after] = rod.solve(false).2;
            newton_gains += i32::from(after > 1.001 * before);
        }
        assert!(worst <= 1e-12, "a rod gains a share of {worst:e}");
        assert!(newton_gains > 0, "rods that tell the two laws apart are among them");
    }

    #[test]
    fn a_box_that_strikes_with_several_corners_gains_no_energy_and_every_corner_gives_back_its_share() {
        for seed in 0..200 {
            let mut next = numbers(seed);
            let mut vector = |size: f64| DVec3::new(next() - 0.5, next() - 0.5, next() - 0.5) * (2.0 * size);
            let inverse_inertia = DMat3::from_diagonal(DVec3::new(3.0, 5.0, 9.0));
            let (velocity, spin) = (vector(2.0) - DVec3::Z * 2.0, vector(3.0));
            let body = Carrier { velocity, spin, inverse_mass: 1.0, inverse_inertia, ..Carrier::WORLD };
            let mut carriers = Carriers::from(vec![body, Carrier::WORLD]);
            let row = |(x, y): (f64, f64), carriers: &Carriers| {
                let point = DVec3::new(0.5 * x, 0.4 * y, -0.3);
                let m = Meeting { a: 0, b: 1, point, normal: DVec3::Z, friction: 0.5, ..Meeting::default() };
                Row::new(&Meeting { restitution: 0.7, ..m }, carriers, DVec3::ZERO)
            };
            let mut rows = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)].map(|at| row(at, &carriers));
            let inertia = inverse_inertia.inverse();
            let energy = |c: &Carriers| 0.5 * (c[0].velocity.length_squared() + c[0].spin.dot(inertia * c[0].spin));
            let before = energy(&carriers);
            let (aim, settings) = (Aim::strict(1e-10), ConstraintSettings::default());
            let first = island::solve(&mut rows, None, &mut carriers, aim, &settings);
            let compressed = rows.each_ref().map(|row| row.impulse.x);
            let outcome = expand(&mut rows, &mut [], &mut carriers, (aim.sharp, 20_000), first);
            assert!(outcome.converged, "seed {seed}: {outcome:?}");
            assert!(energy(&carriers) <= before * (1.0 + 1e-9), "seed {seed}");
            for (row, first) in rows.iter().zip(compressed) {
                assert!(row.impulse.x >= 1.7 * first - 1e-9, "seed {seed}");
                assert!(row.velocity(&carriers).x >= -1e-8, "seed {seed}");
            }
        }
    }
}
