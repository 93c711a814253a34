//! The energy of linkages that nothing but their weight moves is kept: their motion against what momenta fix is scaled a little.
//!
//! Projection onto the energy [HLW06 IV.4], along the motion itself: scaled velocities hold all joints as well. Momenta that
//! nothing can change are those of rigid motions `ξ` that the joints to the world allow and along which weights do no work: with
//! `v = v_ξ + v'`, `v_ξ` the nearest of them in the mass metric, `T = T(v_ξ) + T(v')`, and `v'` alone is scaled.
//! What sways and comes back is left alone, so that only what would add up goes.
//! What that changes in the moment of a weight is of the order of what a step knows of it.

use crate::linear::small::Matrix;
use crate::model::mapping::carry_velocities;
use crate::model::{Aggregate, Model, State};
use crate::step::constraint::space::ContactSpace;
use crate::step::flow::Flow;
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// A step changes no more than this share of the energy of the motion that can be scaled [1]: where a pendulum turns back there
/// is next to nothing to scale.
const MOST: f64 = 0.1;
/// A surplus up to this share of the largest kinetic energy is left alone [1]. Symplectic steps let the energy sway, and bring it
/// back by themselves: a pendulum whose energy was put right in every step had four times the error in its period.
const SWAY: f64 = 0.005;
/// The share of the energy of its motion that a linkage may gain or lose in a step, before that is put right [1].
const MOST_GAIN: f64 = 0.01;
/// Directions that joints leave less of than this are held [1].
const FREE: f64 = 1e-6;

/// A rigid motion about the centre of a group: velocity [m/s] and spin [rad/s].
type Motion = (DVec3, DVec3);

/// The energy of a group when a step began.
#[derive(Clone, Debug)]
pub struct Before {
    /// Kinetic energy and that of the weights [J].
    energy: f64,
    /// What steps before have left too much [J].
    surplus: f64,
    /// Kinetic energy then, or what a fall from rest has in the step [J].
    scale: f64,
    /// The largest kinetic energy before [J].
    liveliest: f64,
}

impl Before {
    /// That of some bodies, which then had the velocities that are told of each, a surplus and a largest
    /// kinetic energy [J].
    pub fn new(
        model: &Model,
        state: &State,
        (bodies, surplus, liveliest): (&[u32], f64, f64),
        velocity: impl Fn(u32) -> DVec3,
        h: f64,
    ) -> Self {
        let (mut energy, mut kinetic, mut mass) = (0.0, 0.0, 0.0);
        for &k in bodies {
            let (a, v) = (&state.aggregates[k as usize], velocity(k));
            let own = a.kinetic_energy() + 0.5 * a.mass * (v.length_squared() - a.velocity.length_squared());
            energy += own - a.mass * model.gravity.dot(a.position);
            kinetic += own;
            mass += a.mass;
        }
        let fall = 0.5 * mass * (model.gravity * h).length_squared();
        Self { energy, surplus, scale: f64::max(kinetic, fall), liveliest }
    }
}

/// Gives some bodies the energy that they had, by scaling what of their motion no momentum fixes. What is left too much, and the largest
/// kinetic energy [J].
pub fn keep(
    model: &Model,
    state: &mut State,
    w: &Workspace,
    (space, bodies): (&ContactSpace, &[u32]),
    before: &Before,
    flow: &mut Flow,
) -> (f64, f64) {
    let all = || bodies.iter().map(|&k| &state.aggregates[k as usize]);
    let kinetic: f64 = all().map(Aggregate::kinetic_energy).sum();
    let gained = kinetic - all().map(|a| a.mass * model.gravity.dot(a.position)).sum::<f64>() - before.energy;
    flow.strayed = flow.strayed.max(gained.abs() / (MOST_GAIN * before.scale.max(kinetic)));
    let surplus = gained + before.surplus;
    let fixed = Fixed::new(model, state, space, bodies);
    let loose = kinetic - fixed.kinetic;
    let liveliest = before.liveliest.max(kinetic);
    let excess = surplus - surplus.clamp(-SWAY * liveliest, SWAY * liveliest);
    if !(excess != 0.0 && loose > 0.0) {
        return (surplus, liveliest);
    }
    let share = (excess / loose).clamp(-MOST, MOST);
    for &k in bodies {
        let a = &mut state.aggregates[k as usize];
        let (p, l) = a.momenta();
        fixed.scale_others(a, (1.0 - share).sqrt());
        let (p1, l1) = a.momenta();
        if fixed.held {
            flow.impulse += p1 - p;
            flow.angular_impulse += l1 - l;
        }
        carry_velocities(a, &w.ports[k as usize], &mut state.velocity);
    }
    (surplus - share * loose, liveliest)
}

/// The rigid motion of a group that no scaling may change.
struct Fixed {
    centre: DVec3,
    motion: Motion,
    /// Its kinetic energy [J].
    kinetic: f64,
    /// True if the world holds the group.
    held: bool,
}

impl Fixed {
    fn new(model: &Model, state: &State, space: &ContactSpace, bodies: &[u32]) -> Self {
        let all = || bodies.iter().map(|&k| &state.aggregates[k as usize]);
        let mass: f64 = all().map(|a| a.mass).sum();
        let centre = all().map(|a| a.position * a.mass).sum::<DVec3>() / mass;
        let rows = world_rows(space, bodies, centre);
        let held = !rows.is_empty();
        let reach = all().map(|a| (a.position - centre).length_squared() + a.inertia.max_element() / a.mass);
        let motions = allowed(model.gravity, &rows, reach.fold(0.0, f64::max).sqrt());
        let mut matrix = Matrix::<6>::ZERO;
        let (mut momenta, mut scale) = ([0.0; 6], [1.0; 6]);
        for i in 0..6 {
            matrix.0[i][i] = 1.0;
            let Some(m) = motions.get(i) else { continue };
            momenta[i] = all().map(|a| along(m, a, centre, (a.velocity * a.mass, a.angular_momentum))).sum();
            for (j, n) in motions.iter().enumerate() {
                let of = |a: &Aggregate| {
                    let (v, spin) = moved(n, a, centre);
                    along(m, a, centre, (v * a.mass, a.world_inertia() * spin))
                };
                matrix.0[j][i] = all().map(of).sum();
            }
            scale[i] = matrix.0[i][i];
        }
        let factor = matrix.inverse_cholesky(&scale);
        let shares = factor.transposed_times(&factor.times(&momenta));
        let kinetic = 0.5 * shares.iter().zip(&momenta).map(|(c, p)| c * p).sum::<f64>();
        let sum = |(v, s): Motion, (m, c): (&Motion, &f64)| (v + m.0 * *c, s + m.1 * *c);
        let motion = motions.iter().zip(&shares).fold((DVec3::ZERO, DVec3::ZERO), sum);
        Self { centre, motion, kinetic, held }
    }

    /// Scales the motion of a body beside it.
    fn scale_others(&self, a: &mut Aggregate, scale: f64) {
        let (v, spin) = moved(&self.motion, a, self.centre);
        let l = a.world_inertia() * spin;
        a.velocity = v + (a.velocity - v) * scale;
        a.angular_momentum = l + (a.angular_momentum - l) * scale;
    }
}

fn moved(m: &Motion, a: &Aggregate, centre: DVec3) -> Motion {
    (m.0 + m.1.cross(a.position - centre), m.1)
}

/// The momentum of a body along a rigid motion.
fn along(m: &Motion, a: &Aggregate, centre: DVec3, (p, l): (DVec3, DVec3)) -> f64 {
    let (v, spin) = moved(m, a, centre);
    v.dot(p) + spin.dot(l)
}

/// What the joints to the world make of velocity and spin of the whole group about its centre.
fn world_rows(space: &ContactSpace, bodies: &[u32], centre: DVec3) -> Vec<Motion> {
    let mut rows = Vec::new();
    for block in &space.joints.blocks {
        for (side, (c, other)) in [(block.a, block.b), (block.b, block.a)].into_iter().enumerate() {
            if bodies.binary_search(&c).is_err() || space.carriers[other as usize].is_movable() {
                continue;
            }
            for row in &block.rows[..block.holding] {
                let [n, t] = [0, 3].map(|k| DVec3::from_slice(&row.sides()[side][k..k + 3]));
                rows.push((n, t + (space.carriers[c as usize].position - centre).cross(n)));
            }
        }
    }
    rows
}

/// Rigid motions, independent of each other, that rows allow and weights do not feel; spins count with a length [m].
fn allowed(gravity: DVec3, rows: &[Motion], length: f64) -> Vec<Motion> {
    let axes = DVec3::AXES.map(|n| (n, DVec3::ZERO)).into_iter().chain(DVec3::AXES.map(|n| (DVec3::ZERO, n)));
    let mut held: Vec<Motion> = rows.iter().map(|(n, t)| (*n, *t / length)).collect();
    // What holds a group may push it, but its weight still pulls it down and over.
    if let Some(down) = gravity.try_normalize().filter(|_| !rows.is_empty()) {
        let (a, b) = down.any_orthonormal_pair();
        held.extend([(down, DVec3::ZERO), (DVec3::ZERO, a), (DVec3::ZERO, b)]);
    }
    let mut basis: Vec<Motion> = Vec::new();
    held.into_iter().for_each(|row| extend(&mut basis, row));
    let holding = basis.len();
    axes.for_each(|axis| extend(&mut basis, axis));
    basis.split_off(holding).into_iter().map(|(v, s)| (v, s / length)).collect()
}

/// Adds what of a vector is orthogonal to a basis, if that is anything.
fn extend(basis: &mut Vec<Motion>, row: Motion) {
    let dot = |a: &Motion, b: &Motion| a.0.dot(b.0) + a.1.dot(b.1);
    let size = dot(&row, &row).sqrt();
    let mut left = row;
    // Twice is enough.
    for _ in 0..2 {
        for b in basis.iter() {
            let share = dot(b, &left);
            left = (left.0 - b.0 * share, left.1 - b.1 * share);
        }
    }
    let rest = dot(&left, &left).sqrt();
    if rest > FREE * size {
        basis.push((left.0 / rest, left.1 / rest));
    }
}
