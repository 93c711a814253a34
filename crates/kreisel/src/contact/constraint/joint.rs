//! One joint of the problem: up to six rows that hold, solved together in their block, and rows that drive it within bounds.
//!
//! A row is `u = n·(v_A − v_B) + t_A·ω_A − t_B·ω_B` with the law `u + b + γ p = 0` where `low < p < high`, `≥ 0` at `low` and
//! `≤ 0` at `high`: rows that hold have no bounds and no softness `γ`; motors, friction and stops have. Rows that turn are
//! multiplied by a length, so that all impulses are in N s and all errors in m. Both sides feel opposite impulses at one
//! point, so that momentum is kept to the last bit.
// Small matrices and several arrays by one index read better so.
#![allow(clippy::needless_range_loop)]

use crate::contact::constraint::carriers::{Carrier, Carriers};
use crate::linear::small::Matrix;
use glamx::DVec3;

/// Rows that can hold at most.
const MOST: usize = 6;
/// Ratios of mobility beyond this count as if one side did not move [1].
const WORST_RATIO: f64 = 1e-10;

/// What sums of a few products may lose by rounding, as a share of the largest [1].
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// A direction in which a joint acts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Direction {
    /// Direction of the force; zero for a torque.
    pub push: DVec3,
    /// Axis of the torque times a length [m]; zero for a force.
    pub turn: DVec3,
}

/// The law of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowLaw {
    /// Added to the velocity [m/s].
    pub bias: f64,
    /// Softness `γ` [1/kg].
    pub softness: f64,
    /// Smallest impulse [N s].
    pub low: f64,
    /// Largest impulse [N s].
    pub high: f64,
}

impl RowLaw {
    /// The row holds.
    pub const HOLD: Self = Self { bias: 0.0, softness: 0.0, low: f64::NEG_INFINITY, high: f64::INFINITY };
    /// The row does nothing.
    pub const IDLE: Self = Self { bias: 0.0, softness: 0.0, low: 0.0, high: 0.0 };

    /// True if it can do nothing.
    pub fn is_idle(&self) -> bool {
        self.low == 0.0 && self.high == 0.0
    }

    /// What the impulse `p` [N s] should be at the velocity `u` [m/s] while all others rest.
    pub fn answer(&self, p: f64, u: f64, mobility: f64) -> f64 {
        let left = u + self.bias + self.softness * p;
        (p - left / (mobility + self.softness)).clamp(self.low, self.high)
    }
}

/// One row of a joint.
#[derive(Clone, Copy, Debug)]
pub struct JointRow {
    push: DVec3,
    turn_a: DVec3,
    turn_b: DVec3,
    lift_a: DVec3,
    lift_b: DVec3,
    /// Its own mobility `W_ii` [1/kg].
    mobility: f64,
    /// That of the less movable side [1/kg]: what Newton's penalties must master.
    least: f64,
    /// Its law.
    pub law: RowLaw,
    /// Its impulse on A [N s].
    pub impulse: f64,
}

impl JointRow {
    fn new(d: Direction, law: RowLaw, point: DVec3, a: &Carrier, b: &Carrier) -> Self {
        let turn = |c: &Carrier| if c.turns { (point - c.position).cross(d.push) + d.turn } else { DVec3::ZERO };
        let (turn_a, turn_b, zero) = (turn(a), turn(b), DVec3::ZERO);
        let (lift_a, lift_b, mobility, least) = (zero, zero, 1.0, 1.0);
        let mut row = Self { push: d.push, turn_a, turn_b, lift_a, lift_b, mobility, least, law, impulse: 0.0 };
        row.fit(a, b);
        row
    }

    /// Takes the mobilities of both sides.
    fn fit(&mut self, a: &Carrier, b: &Carrier) {
        (self.lift_a, self.lift_b) = (a.inverse_inertia * self.turn_a, b.inverse_inertia * self.turn_b);
        let own = |c: &Carrier, turn: DVec3, lift: DVec3| c.inverse_mass * self.push.length_squared() + turn.dot(lift);
        let (of_a, of_b) = (own(a, self.turn_a, self.lift_a), own(b, self.turn_b, self.lift_b));
        let mobility = of_a + of_b;
        let moves = |w: f64| if w > WORST_RATIO * mobility { w } else { mobility };
        // What nothing can move has nothing to obey.
        if mobility <= 0.0 {
            (self.law, self.mobility, self.least) = (RowLaw::IDLE, 1.0, 1.0);
        } else {
            (self.mobility, self.least) = (mobility, moves(of_a).min(moves(of_b)));
        }
    }

    /// Its own mobility `W_ii` [1/kg].
    pub fn mobility(&self) -> f64 {
        self.mobility
    }

    /// What it makes of velocity and spin of A, and of those of B.
    pub fn sides(&self) -> [[f64; 6]; 2] {
        let six = |n: DVec3, t: DVec3| [n.x, n.y, n.z, t.x, t.y, t.z];
        [six(self.push, self.turn_a), six(-self.push, -self.turn_b)]
    }

    /// Force, and torque about the joint, that a unit of its impulse is on A.
    pub fn wrench(&self) -> (DVec3, DVec3) {
        (self.push, if self.push == DVec3::ZERO { self.turn_a } else { DVec3::ZERO })
    }

    /// What the impulse should be at the velocity `u` when it is corrected with the weight `r` [kg], and how that changes
    /// with `−u`.
    fn projected(&self, u: f64, r: f64) -> (f64, f64) {
        let law = &self.law;
        let share = 1.0 / (1.0 + r * law.softness);
        let p = share * (self.impulse - r * (u + law.bias));
        let inside = p > law.low && p < law.high;
        (p.clamp(law.low, law.high), if inside { r * share } else { 0.0 })
    }

    /// The potential whose slope the projected impulse is [J].
    fn potential(&self, u: f64, r: f64) -> f64 {
        let stretch = 1.0 + r * self.law.softness;
        let y = self.impulse - r * (u + self.law.bias);
        let p = (y / stretch).clamp(self.law.low, self.law.high);
        (p * y - 0.5 * p * p * stretch) / r
    }

    /// What it leaves of its law at a velocity: the change of that with which it would obey [m/s]. A motor that is a spring has little to say in
    /// a short moment, and what it lacks of its own speed is no speed of anybody.
    pub fn residual(&self, u: f64) -> f64 {
        let rho = 1.0 / (self.mobility + self.law.softness);
        let p = self.impulse - rho * (u + self.law.bias + self.law.softness * self.impulse);
        (self.impulse - p.clamp(self.law.low, self.law.high)) * self.mobility
    }
}

/// One joint of the problem.
#[derive(Clone, Debug)]
pub struct JointBlock {
    /// Index of carrier A.
    pub a: u32,
    /// Index of carrier B.
    pub b: u32,
    /// Where it is [m].
    pub point: DVec3,
    /// From there to where its impulses act [m].
    pub shift: DVec3,
    /// Its rows, those that hold first.
    pub rows: Vec<JointRow>,
    /// How many hold.
    pub holding: usize,
    /// The most that rounding may excuse [m/s]: joints that contradict each other ask for impulses without end, whose rounding would
    /// excuse anything.
    pub excused: f64,
    /// Inverse Cholesky factor of the block of the rows that hold.
    factor: Matrix<MOST>,
}

impl JointBlock {
    /// The block of a joint between two carriers: directions that hold, and driven ones with their laws.
    pub fn new(
        (a, b): (u32, u32),
        point: DVec3,
        hold: &[Direction],
        driven: &[(Direction, RowLaw)],
        carriers: &Carriers,
    ) -> Self {
        let (ca, cb) = (&carriers[a as usize], &carriers[b as usize]);
        let hold = &hold[..hold.len().min(MOST)];
        let held = hold.iter().map(|&d| JointRow::new(d, RowLaw::HOLD, point, ca, cb));
        let driven = driven.iter().map(|&(d, law)| JointRow::new(d, law, point, ca, cb));
        let rows: Vec<JointRow> = held.chain(driven).collect();
        let holding = hold.len();
        let factor = factor(&rows[..holding], ca, cb);
        Self { a, b, point, shift: DVec3::ZERO, rows, holding, excused: f64::INFINITY, factor }
    }

    /// Adds the rows of motor, friction and both stops along a direction, none of which does anything yet.
    pub fn drive(&mut self, direction: Direction, carriers: &Carriers) {
        let (a, b) = (&carriers[self.a as usize], &carriers[self.b as usize]);
        let row = JointRow::new(direction, RowLaw::IDLE, self.point, a, b);
        self.rows.extend([row; 4]);
    }

    /// Takes the mobilities of its carriers, which may have changed since it was made.
    pub fn fit(&mut self, carriers: &Carriers) {
        let (a, b) = (&carriers[self.a as usize], &carriers[self.b as usize]);
        self.rows.iter_mut().for_each(|row| row.fit(a, b));
        self.factor = factor(&self.rows[..self.holding], a, b);
    }

    /// Velocity of a row [m/s].
    pub fn velocity(&self, row: &JointRow, carriers: &Carriers) -> f64 {
        let (a, b) = (&carriers[self.a as usize], &carriers[self.b as usize]);
        row.push.dot(a.velocity - b.velocity) + row.turn_a.dot(a.spin) - row.turn_b.dot(b.spin)
    }

    /// Adds an impulse of a row to both sides.
    fn push(&self, row: &JointRow, p: f64, carriers: &mut Carriers) {
        let a = &mut carriers[self.a as usize];
        a.velocity += row.push * (p * a.inverse_mass);
        a.spin += row.lift_a * p;
        let b = &mut carriers[self.b as usize];
        b.velocity -= row.push * (p * b.inverse_mass);
        b.spin -= row.lift_b * p;
    }

    /// Adds `share` times all impulses to both sides.
    pub fn push_all(&self, share: f64, carriers: &mut Carriers) {
        self.rows.iter().for_each(|row| self.push(row, share * row.impulse, carriers));
    }

    /// Solves the joint while everything else rests; the largest change of a velocity [m/s].
    pub fn relax(&mut self, carriers: &mut Carriers) -> f64 {
        let mut left = [0.0; MOST];
        for (k, row) in self.rows[..self.holding].iter().enumerate() {
            left[k] = if row.law.is_idle() { 0.0 } else { self.velocity(row, carriers) + row.law.bias };
        }
        let mut largest = left.iter().fold(0.0, |m: f64, u| m.max(u.abs()));
        let change = self.factor.transposed_times(&self.factor.times(&left));
        for k in 0..self.holding {
            self.push(&self.rows[k], -change[k], carriers);
            self.rows[k].impulse -= change[k];
        }
        for k in self.holding..self.rows.len() {
            let row = self.rows[k];
            let p = row.law.answer(row.impulse, self.velocity(&row, carriers), row.mobility);
            self.push(&row, p - row.impulse, carriers);
            largest = largest.max(((p - row.impulse) * row.mobility).abs());
            self.rows[k].impulse = p;
        }
        largest
    }

    /// True if something acts along its coordinate.
    pub fn is_driven(&self) -> bool {
        self.rows[self.holding..].iter().any(|row| !row.law.is_idle())
    }

    /// What the rows that hold lack of what they should be, `−(u + b)` [m/s].
    pub fn lacking(&self, carriers: &Carriers) -> [f64; MOST] {
        let mut left = [0.0; MOST];
        for (left, row) in left.iter_mut().zip(&self.rows[..self.holding]).filter(|r| !r.1.law.is_idle()) {
            *left = -(self.velocity(row, carriers) + row.law.bias);
        }
        left
    }

    /// Adds impulses to the rows that hold, and to both sides.
    pub fn add(&mut self, p: &[f64; MOST], carriers: &mut Carriers) {
        for k in 0..self.holding {
            self.push(&self.rows[k], p[k], carriers);
            self.rows[k].impulse += p[k];
        }
    }

    /// What impulses of another joint do to the velocities of this one, its block of `W`: rows are those of this one [1/kg].
    pub(crate) fn coupling(&self, other: &Self, carriers: &Carriers) -> Matrix<MOST> {
        let mut block = Matrix::<MOST>::ZERO;
        let sides = [(self.a, true), (self.b, false)];
        for ((c, first), (d, others)) in sides.into_iter().flat_map(|s| [(s, (other.a, true)), (s, (other.b, false))]) {
            if c != d {
                continue;
            }
            let (mass, sign) = (carriers[c as usize].inverse_mass, if first == others { 1.0 } else { -1.0 });
            for (j, s) in other.rows[..other.holding].iter().enumerate() {
                let lift = if others { s.lift_a } else { s.lift_b };
                for (i, r) in self.rows[..self.holding].iter().enumerate() {
                    let turn = if first { r.turn_a } else { r.turn_b };
                    block.0[j][i] += sign * (mass * r.push.dot(s.push) + turn.dot(lift));
                }
            }
        }
        block
    }

    /// Its own block of `W`; rows that it does not have are left alone.
    pub(crate) fn own(&self, carriers: &Carriers) -> Matrix<MOST> {
        let mut block = self.coupling(self, carriers);
        (self.holding..MOST).for_each(|k| block.0[k][k] = 1.0);
        block
    }

    /// The most that its rows leave of their laws [m/s], beyond what rounding leaves: a light body that bears a heavy one has a
    /// velocity that is the small difference of what its joints do to it, each `W p`.
    pub fn residual(&self, carriers: &Carriers) -> f64 {
        let left = self.rows.iter().fold(0.0, |m: f64, row| m.max(row.residual(self.velocity(row, carriers)).abs()));
        let largest = |of: fn(&JointRow) -> f64| self.rows.iter().map(of).fold(0.0, f64::max);
        let rounding = ROUNDING * largest(|r| r.impulse.abs()) * largest(|r| r.mobility);
        (left - rounding.min(self.excused)).max(0.0)
    }

    /// The largest velocity and wanted velocity of its rows [m/s].
    pub fn scale(&self, carriers: &Carriers) -> f64 {
        let wanted =
            |r: &JointRow| if r.law.low == f64::NEG_INFINITY && r.law.high == f64::INFINITY { r.law.bias } else { 0.0 };
        self.rows.iter().fold(0.0, |m, r| m.max(self.velocity(r, carriers).abs()).max(wanted(r).abs()))
    }

    /// How fast its points fall towards the axes that its sides turn about, or these towards each other, at most [m/s²].
    pub fn swirl(&self, carriers: &Carriers) -> f64 {
        let (a, b) = (&carriers[self.a as usize], &carriers[self.b as usize]);
        let of = |c: &Carrier| c.spin.length_squared() * (self.point - c.position).length();
        let apart = (a.position - b.position).length();
        let both = a.is_movable() && b.is_movable() && apart > 0.0;
        let about = if both { (a.velocity - b.velocity).length_squared() / apart } else { 0.0 };
        of(a).max(of(b)).max(about)
    }

    /// Force and torque about its point that A feels, as impulses [N s, N m s].
    pub fn wrench(&self, carriers: &Carriers) -> (DVec3, DVec3) {
        let arm = self.point - carriers[self.a as usize].position;
        self.rows.iter().fold((DVec3::ZERO, DVec3::ZERO), |(force, torque), r| {
            let couple = if r.push == DVec3::ZERO { r.turn_a } else { r.turn_a - arm.cross(r.push) };
            (force + r.push * r.impulse, torque + couple * r.impulse)
        })
    }

    /// The force that A feels, as an impulse [N s].
    pub fn pull(&self) -> DVec3 {
        self.rows.iter().fold(DVec3::ZERO, |sum, r| sum + r.push * r.impulse)
    }

    /// Impulse and angular impulse about the centre of one side; A if `first`.
    pub fn side_impulse(&self, first: bool) -> (DVec3, DVec3) {
        let (p, l) = self.rows.iter().fold((DVec3::ZERO, DVec3::ZERO), |(p, l), r| {
            let (sign, turn) = if first { (r.impulse, r.turn_a) } else { (-r.impulse, r.turn_b) };
            (p + r.push * sign, l + turn * sign)
        });
        (p, l + self.shift.cross(p))
    }

    /// The smallest mobility of a side [1/kg].
    pub fn least_mobility(&self) -> f64 {
        self.rows.iter().filter(|r| !r.law.is_idle()).map(|r| r.least).fold(f64::INFINITY, f64::min)
    }

    /// Makes penalties strong enough for something that is this hard to move [1/kg].
    pub fn master(&mut self, least: f64) {
        for row in self.rows.iter_mut().filter(|r| !r.law.is_idle()) {
            row.least = row.least.min(least.max(WORST_RATIO * row.mobility));
        }
    }

    /// Takes the impulses that penalties of `stiffness` over the mobilities of the rows' heavier sides give.
    pub fn project(&mut self, carriers: &Carriers, stiffness: f64) {
        for k in 0..self.rows.len() {
            let row = self.rows[k];
            self.rows[k].impulse = row.projected(self.velocity(&row, carriers), stiffness / row.least).0;
        }
    }

    /// Potential of all rows [J].
    pub fn potential(&self, carriers: &Carriers, stiffness: f64) -> f64 {
        let of = |r: &JointRow| r.potential(self.velocity(r, carriers), stiffness / r.least);
        self.rows.iter().fold(0.0, |sum, r| sum + of(r))
    }

    /// For each row: its parts of `J` of both sides, its impulse under the penalty, and how that changes with `−u`.
    pub fn terms(&self, carriers: &Carriers, stiffness: f64) -> impl Iterator<Item = ([f64; 6], [f64; 6], f64, f64)> {
        let six = |n: DVec3, t: DVec3| [n.x, n.y, n.z, t.x, t.y, t.z];
        self.rows.iter().map(move |r| {
            let (p, slope) = r.projected(self.velocity(r, carriers), stiffness / r.least);
            (six(r.push, r.turn_a), six(r.push, r.turn_b), p, slope)
        })
    }
}

/// Inverse Cholesky factor of the block `W` of some rows.
fn factor(rows: &[JointRow], a: &Carrier, b: &Carrier) -> Matrix<MOST> {
    let mass = a.inverse_mass + b.inverse_mass;
    let mut block = Matrix::<MOST>::ZERO;
    let mut scale = [1.0; MOST];
    for i in 0..MOST {
        block.0[i][i] = 1.0;
        for j in 0..rows.len() {
            if let Some(r) = rows.get(i) {
                let s = &rows[j];
                block.0[j][i] = mass * r.push.dot(s.push) + r.turn_a.dot(s.lift_a) + r.turn_b.dot(s.lift_b);
            }
        }
        scale[i] = block.0[i][i];
    }
    block.inverse_cholesky(&scale)
}
