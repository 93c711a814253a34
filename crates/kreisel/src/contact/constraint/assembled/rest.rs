//! What is left of a problem when joints are eliminated: contacts, couples and drives.

use super::{Found, Law};
use crate::contact::constraint::joint::RowLaw;
use crate::contact::constraint::pyramid;
use crate::contact::constraint::twist::Twist;
use crate::linear::cone::{ConeParams, FrictionProblem, approaching_forever, solve_cone};
use crate::linear::cone_local;
use crate::model::setup::ConstraintSettings;
use glamx::{DMat3, DVec3};

/// Sweeps at most.
const MOST_SWEEPS: u32 = 4000;
/// Sweeps between two solutions of all contacts together.
const PATIENCE: u32 = 100;
/// Sweeps end when they change no velocity by more than this share of the velocities without impulses [1].
const SETTLED: f64 = 1e-11;

/// The problem of the rest.
pub struct Rest {
    /// `W'` [1/kg].
    pub w: Vec<DMat3>,
    /// `q'` [m/s].
    pub q: Vec<DVec3>,
    /// Velocities with the impulses of the moment [m/s].
    pub u: Vec<DVec3>,
    /// What they obey; none of them holds.
    pub laws: Vec<Law>,
    /// Impulses [N s].
    pub p: Vec<DVec3>,
}

impl Rest {
    fn block(&self, i: usize, j: usize) -> DMat3 {
        self.w[i * self.q.len() + j]
    }

    /// Couples know their blocks in this problem.
    pub fn with_couples_in_place(mut self) -> Self {
        for i in 0..self.laws.len() {
            if let Law::Couple { contact, twist } = &self.laws[i] {
                let blocks = [(*contact, *contact), (*contact, i), (i, i)].map(|(a, b)| self.block(a, b));
                let twist = twist.within(&blocks[0], &blocks[1], &blocks[2]);
                self.laws[i] = Law::Couple { contact: *contact, twist };
            }
        }
        self
    }

    /// Solves it; something `driven` may squeeze what contacts alone push.
    pub fn solve(&mut self, settings: &ConstraintSettings, driven: bool) -> Found {
        if self.laws.is_empty() {
            return Found::default();
        }
        if self.laws.iter().all(|law| matches!(law, Law::Contact { .. })) {
            return self.solve_contacts(settings, driven);
        }
        let n = self.q.len();
        self.u = (0..n).map(|i| (0..n).fold(self.q[i], |u, j| u + self.block(i, j) * self.p[j])).collect();
        let scale = (0..n).map(|i| speed(&self.laws[i], self.q[i]).max(self.driven(i))).fold(0.0, f64::max);
        let mut change = f64::INFINITY;
        for k in 1..=MOST_SWEEPS {
            change = self.sweep();
            if change <= SETTLED * scale {
                return Found::default();
            }
            if k % PATIENCE == 0 {
                self.solve_contacts_together();
            }
        }
        Found { left: change, ..Found::default() }
    }

    /// The speeds that drives want, or can give at least [m/s].
    fn driven(&self, i: usize) -> f64 {
        let Law::Drive { parts } = &self.laws[i] else { return 0.0 };
        let mobility = self.block(i, i).x_axis.x;
        let speeds = parts.iter().map(|(law, _)| law.bias.abs().max(law.low.abs().min(law.high.abs()) * mobility));
        speeds.filter(|speed| speed.is_finite()).fold(0.0, f64::max)
    }

    /// Contacts and nothing else.
    fn solve_contacts(&mut self, settings: &ConstraintSettings, driven: bool) -> Found {
        let n = self.q.len();
        let entries = self.w.iter().enumerate().map(|(at, b)| (at / n, at % n, *b)).collect();
        let friction = |law: &Law| if let Law::Contact { friction } = law { *friction } else { 0.0 };
        let mu = self.laws.iter().map(friction).collect();
        let mut problem = FrictionProblem::from_blocks(entries, self.q.clone(), mu);
        let lacking = if driven { approaching_forever(&problem).unwrap_or_default() } else { Vec::new() };
        problem.q.iter_mut().zip(&lacking).for_each(|(q, lacking)| q.x += lacking);
        if pyramid::suits(n, settings)
            && let Some(answer) = pyramid::answer(&problem, settings)
        {
            self.p = answer.p;
            return Found { left: 0.0, pyramid: !settings.isotropic, lacking };
        }
        let start = std::mem::take(&mut self.p);
        self.p = solve_cone(&problem, &ConeParams { start, look_ahead: false, ..ConeParams::default() }).p;
        Found { lacking, ..Found::default() }
    }

    /// All contacts that share no cone with their spin, while everything else rests.
    fn solve_contacts_together(&mut self) {
        let shared = |i: usize| {
            let of = |law: &Law| matches!(law, Law::Couple { contact, twist } if *contact == i && twist.is_shared());
            self.laws.iter().any(of)
        };
        let is_contact = |i: &usize| matches!(self.laws[*i], Law::Contact { .. }) && !shared(*i);
        let own: Vec<usize> = (0..self.laws.len()).filter(is_contact).collect();
        let through = |i: usize| own.iter().fold(self.u[i], |u, &j| u - self.block(i, j) * self.p[j]);
        let q = own.iter().map(|&i| through(i)).collect();
        let at = |k: usize| (k / own.len(), k % own.len());
        let entry = |k: usize| (at(k).0, at(k).1, self.block(own[at(k).0], own[at(k).1]));
        let entries = (0..own.len() * own.len()).map(entry).collect();
        let friction = |&i: &usize| if let Law::Contact { friction } = self.laws[i] { friction } else { 0.0 };
        let problem = FrictionProblem::from_blocks(entries, q, own.iter().map(friction).collect());
        let start = own.iter().map(|&i| self.p[i]).collect();
        let answer = solve_cone(&problem, &ConeParams { start, look_ahead: false, ..ConeParams::default() });
        own.iter().zip(&answer.p).for_each(|(&i, p)| self.push(i, *p - self.p[i]));
    }

    fn push(&mut self, i: usize, change: DVec3) {
        self.p[i] += change;
        for j in 0..self.u.len() {
            let more = self.block(j, i) * change;
            self.u[j] += more;
        }
    }

    /// Everything once; the largest change of a velocity [m/s].
    fn sweep(&mut self) -> f64 {
        let mut largest: f64 = 0.0;
        for i in 0..self.laws.len() {
            let change = match &self.laws[i] {
                Law::Contact { friction } => self.touch(i, *friction),
                Law::Couple { contact, twist } => self.twist(i, *contact, *twist),
                Law::Drive { parts } => self.drive(i, parts.clone()),
                Law::Hold { .. } => 0.0,
            };
            largest = largest.max(change);
        }
        largest
    }

    /// A contact in its own block. One that shares a cone with its spin follows with its couples.
    fn touch(&mut self, i: usize, friction: f64) -> f64 {
        let of_it = |law: &Law| matches!(law, Law::Couple { contact, twist } if *contact == i && twist.is_shared());
        if self.laws.iter().any(of_it) {
            return 0.0;
        }
        let w = self.block(i, i);
        let p = cone_local::solve(&w, self.u[i] - w * self.p[i], friction, self.p[i]).p;
        let change = p - self.p[i];
        self.push(i, change);
        (w * change).abs().max_element()
    }

    /// The couples of a contact, and its push and friction if they share a cone.
    fn twist(&mut self, i: usize, contact: usize, mut twist: Twist) -> f64 {
        let mut largest: f64 = 0.0;
        twist.impulse = self.p[i];
        if let (true, Law::Contact { friction }) = (twist.is_shared(), self.laws[contact].clone()) {
            let mobility = self.block(contact, contact).x_axis.x;
            let more = (self.p[contact].x - self.u[contact].x / mobility).max(0.0) - self.p[contact].x;
            self.push(contact, DVec3::X * more);
            let (old, new) = twist.rubbed(self.p[contact], (self.u[contact], self.u[i]), friction);
            let change = new - old;
            self.push(contact, DVec3::new(0.0, change.x, change.y));
            self.push(i, DVec3::X * (change.z * twist.patch()));
            let turned = twist.speed(DVec3::X * (change.z * twist.patch()));
            let rubbed = self.block(contact, contact) * DVec3::new(more, change.x, change.y);
            largest = rubbed.abs().max_element().max(turned);
        }
        let push = self.p[contact].x;
        let before = self.p[i];
        if twist.resists_spin() {
            let next = twist.spun(push, self.u[i]);
            self.push(i, DVec3::X * (next - self.p[i].x));
        }
        if twist.resists_rolling() {
            let (old, new) = twist.rolled(push, self.u[i]);
            self.push(i, DVec3::new(0.0, new.x - old.x, new.y - old.y));
        }
        largest.max(twist.speed(self.p[i] - before))
    }

    /// Motor, friction and stops, one after the other.
    fn drive(&mut self, i: usize, mut parts: Vec<(RowLaw, f64)>) -> f64 {
        let mobility = self.block(i, i).x_axis.x;
        let mut largest: f64 = 0.0;
        for (law, p) in parts.iter_mut().filter(|(law, _)| !law.is_idle()) {
            let next = law.answer(*p, self.u[i].x, mobility);
            self.push(i, DVec3::X * (next - *p));
            largest = largest.max(((next - *p) * mobility).abs());
            *p = next;
        }
        self.laws[i] = Law::Drive { parts };
        largest
    }
}

/// The speed that a velocity of three rows is [m/s]: spins by their lever.
fn speed(law: &Law, u: DVec3) -> f64 {
    let size = u.abs().max_element();
    if let Law::Couple { twist, .. } = law { size * twist.lever() } else { size }
}
