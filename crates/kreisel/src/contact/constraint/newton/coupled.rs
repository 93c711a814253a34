//! Newton's method on the velocities of an island where friction follows the push at once, between proximal points of the impulses.
//!
//! With the impulses `p̂` of before and a firmness `r` [kg] for every contact, velocities are sought with `M(v − v*) = Jᵀ P(p̂ − r u(v))`, `P`
//! the push and the disc of its own friction (`push`). Then `p̂ = P`: on solutions, and there only, nothing changes. Slopes of the disc by
//! the push make the matrix unsymmetric, and it is no gradient of anything that a line search could minimise; but where friction bounds lag
//! behind, bodies that are wedged by their own friction come closer by a third with each update, or not at all. What several contacts share
//! in ways that move nothing stays as it was; with stiff penalties it would jump to and fro between them, and slip with it. So the firmness
//! grows only as long as Newton's method arrives in a few steps, and else gives way. [AC91, Roc76]

use super::push::push;
use super::terms::{add, dot, less, sum};
use super::{Block, Island, NOBODY, Six, is_too_much, ordered, six, trace};
use crate::contact::constraint::carriers::{Carrier, Carriers};
use crate::contact::constraint::creeping::InVain;
use crate::contact::constraint::row::Row;
use crate::contact::constraint::sweep::{Goal, Outcome, judge};
use crate::linear::block_lu::BlockLu;
use glamx::{DMat3, DVec3};

/// Firmness over the inverse of a contact's mobility: the first, how it grows and gives way, and its limits. [1]
const FIRST: f64 = 100.0;
const GROWS: f64 = 4.0;
const GIVES_WAY: f64 = 0.1;
const LIMITS: [f64; 2] = [0.1, 1e6];
/// Steps after which it may grow, those from one proximal point to the next, and all; points at most.
const QUICK: u32 = 3;
const MOST_STEPS_PER_POINT: u32 = 12;
const MOST_STEPS: u32 = 80;
const MOST_POINTS: u32 = 40;
/// A point has been reached if the square of what is left of its equations is below this share of what it was. [1]
const REACHED: f64 = 1e-6;
/// Squares below this share of that of the impulses are rounding. [1]
const ROUNDING: f64 = 1e-26;
/// Halvings of a step at most; a step that is shorter than this leads around corners, and after so many the point is given up.
const MOST_HALVINGS: u32 = 5;
const SHORT: f64 = 0.3;
const MOST_SHORT: u32 = 3;
/// The share of the decrease that a full step promises with which a step is content. [1]
const CONTENT: f64 = 0.1;
/// Points that may be given up.
const MOST_GIVEN_UP: u32 = 6;
/// It goes on to this share of the tolerance, but for so many points at most: the next step begins from what it leaves. [1]
const SHARPER: f64 = 1e-2;
const MORE_POINTS: u32 = 2;

/// Solves until the goal is reached or to go on is in vain, from the impulses that the rows have; the best of what it comes to. The
/// carriers' velocities are with the rows' impulses at the start and at the end. `None` if nothing is known of the impulses, if contacts
/// are on seats, if a carrier has no mass matrix, or if the contact graph is too tangled.
pub fn solve(rows: &mut [Row], carriers: &mut Carriers, goal: Goal, in_vain: InVain) -> Option<Outcome> {
    if rows.iter().all(|row| row.impulse == DVec3::ZERO) || rows.iter().any(|row| row.seated) {
        return None;
    }
    let (movers, pattern) = ordered(rows, &[], carriers, &|cost| is_too_much(cost, rows.len()))?;
    rows.iter_mut().for_each(|row| row.weigh_once(carriers));
    let island = Island::new(movers, &pattern, rows, &[], carriers)?;
    let inverse_mass = island.movers.iter().map(|&c| inverse_mass(&carriers[c as usize])).collect();
    let lu = BlockLu::new(pattern.layout(), island.mass.clone());
    let mut coupled = Coupled { rows, carriers, island, inverse_mass, lu };
    Some(coupled.points(goal, in_vain))
}

struct Coupled<'a> {
    rows: &'a mut [Row],
    carriers: &'a mut Carriers,
    island: Island,
    inverse_mass: Vec<Block>,
    lu: BlockLu<6>,
}

impl Coupled<'_> {
    /// From one proximal point to the next.
    fn points(&mut self, goal: Goal, in_vain: InVain) -> Outcome {
        let (mut outcome, mut firmness) = (Outcome::default(), FIRST);
        let mut best = (f64::INFINITY, self.impulses());
        let (mut given_up, mut enough) = (0, 0);
        for _ in 0..MOST_POINTS {
            if outcome.newton_steps >= MOST_STEPS || given_up == MOST_GIVEN_UP || firmness < LIMITS[0] {
                break;
            }
            self.island.penalty = self.rows.iter().map(|row| firmness * 3.0 / trace(&row.block())).collect();
            let (steps, reached) = self.point();
            outcome.newton_steps += steps;
            let Some(v) = reached else {
                (firmness, given_up) = (firmness * GIVES_WAY, given_up + 1);
                continue;
            };
            self.move_on(&v);
            let (residual, converged) = judge(self.rows, self.carriers, goal);
            if residual < best.0 {
                best = (residual, self.impulses());
            }
            enough += u32::from(converged);
            let stops = !converged && in_vain(self.carriers, residual);
            if stops || residual <= SHARPER * goal.mean || enough > MORE_POINTS {
                break;
            }
            if steps <= QUICK {
                firmness = (firmness * GROWS).min(LIMITS[1]);
            }
        }
        self.push_with(&best.1);
        let (residual, converged) = judge(self.rows, self.carriers, goal);
        Outcome { residual, converged, ..outcome }
    }

    /// Newton's method with a line search; how many steps it took, and the velocities if it arrived.
    fn point(&mut self) -> (u32, Option<Vec<Six>>) {
        let mut v: Vec<Six> = self.island.movers.iter().map(|&c| six(&self.carriers[c as usize])).collect();
        let mut left = self.left(&v);
        let mut square = self.square(&left);
        let small = (REACHED * square).max(ROUNDING * self.square_of_impulses());
        let mut short = 0;
        for step in 0..MOST_STEPS_PER_POINT {
            if square <= small {
                return (step, Some(v));
            }
            self.factor(&v);
            let mut direction = left.clone();
            self.lu.solve(&mut direction);
            let share;
            (share, square, v, left) = self.search(&v, &direction, square);
            short += u32::from(share < SHORT);
            if short == MOST_SHORT {
                return (step + 1, None);
            }
        }
        (MOST_STEPS_PER_POINT, (square <= small).then_some(v))
    }

    /// The share of a step that leaves as much less as it promises, or the best of those that have been tried: share, what it leaves squared,
    /// velocities, what it leaves.
    fn search(&mut self, v: &[Six], direction: &[Six], square: f64) -> (f64, f64, Vec<Six>, Vec<Six>) {
        let mut tried = self.tried(v, direction, 1.0);
        for halvings in 1..=MOST_HALVINGS {
            if tried.1 < (1.0 - CONTENT * tried.0) * square {
                break;
            }
            let next = self.tried(v, direction, 0.5_f64.powi(halvings as i32));
            if next.1 < tried.1 || !tried.1.is_finite() {
                tried = next;
            }
        }
        tried
    }

    fn tried(&mut self, v: &[Six], direction: &[Six], share: f64) -> (f64, f64, Vec<Six>, Vec<Six>) {
        let trial: Vec<Six> = v.iter().zip(direction).map(|(v, d)| less(v, d, share)).collect();
        let left = self.left(&trial);
        (share, self.square(&left), trial, left)
    }

    /// What the proximal law makes of the velocities of the carriers: impulse, and how it changes with `−u`.
    fn pushed(&self, k: usize) -> (DVec3, DMat3) {
        let row = &self.rows[k];
        let u = row.velocity(self.carriers) + row.offset();
        let (p, slope) = push(row.impulse - u * self.island.penalty[k], row.friction, row.least());
        (p, slope * self.island.penalty[k])
    }

    /// `M(v − v*) − Jᵀ P`.
    fn left(&mut self, v: &[Six]) -> Vec<Six> {
        self.island.put(v, self.carriers);
        let Island { free, mass, number, .. } = &self.island;
        let mut left: Vec<Six> =
            v.iter().zip(free).zip(mass).map(|((v, free), mass)| mass.times(&less(v, free, 1.0))).collect();
        for (k, row) in self.rows.iter().enumerate() {
            let p = self.pushed(k).0;
            if p == DVec3::ZERO {
                continue;
            }
            for (c, arm, p) in row.pushes(row.in_world(p)) {
                if let Some(left) = left.get_mut(number[c as usize] as usize) {
                    let turn = arm.cross(p);
                    let both = [p.x, p.y, p.z, turn.x, turn.y, turn.z];
                    *left = less(left, &both, 1.0);
                }
            }
        }
        left
    }

    /// Factors `M + Jᵀ G J`.
    fn factor(&mut self, v: &[Six]) {
        self.island.put(v, self.carriers);
        self.lu.clear(&self.island.mass);
        for k in 0..self.rows.len() {
            let g = self.pushed(k).1;
            if g == DMat3::ZERO {
                continue;
            }
            let row = &self.rows[k];
            let [a, b] = [row.a, row.b].map(|c| self.island.number[c as usize]);
            let (ja, jb) = row.jacobians();
            for (c, j) in [(a, &ja), (b, &jb)].into_iter().filter(|side| side.0 != NOBODY) {
                add(self.lu.diagonal_mut(c as usize), j, &g, j, 1.0);
            }
            if a != NOBODY && b != NOBODY {
                let (below, above) = if a > b { (&ja, &jb) } else { (&jb, &ja) };
                let place = self.island.couplings[k];
                add(self.lu.lower_mut(place), below, &g, above, -1.0);
                add(self.lu.upper_mut(place), below, &g.transpose(), above, -1.0);
            }
        }
        self.lu.eliminate();
    }

    /// The impulses of the proximal law at these velocities, and the velocities that go with them.
    fn move_on(&mut self, v: &[Six]) {
        self.island.put(v, self.carriers);
        let impulses: Vec<DVec3> = (0..self.rows.len()).map(|k| self.pushed(k).0).collect();
        self.push_with(&impulses);
    }

    fn push_with(&mut self, impulses: &[DVec3]) {
        self.island.release(self.carriers);
        for (row, &p) in self.rows.iter_mut().zip(impulses) {
            row.impulse = p;
            row.push(p, self.carriers);
        }
    }

    fn impulses(&self) -> Vec<DVec3> {
        self.rows.iter().map(|row| row.impulse).collect()
    }

    /// `fᵀ M⁻¹ f`, twice the energy that impulses give to what stands still. [J]
    fn square(&self, f: &[Six]) -> f64 {
        sum(f.iter().zip(&self.inverse_mass).map(|(f, inverse)| dot(f, &inverse.times(f))))
    }

    /// The same of the impulses, contact by contact.
    fn square_of_impulses(&self) -> f64 {
        sum(self.rows.iter().map(|row| row.impulse.length_squared() * trace(&row.block()) / 3.0))
    }
}

fn inverse_mass(c: &Carrier) -> Block {
    let mut block = Block::ZERO;
    block.add_block(0, 0, &DMat3::from_diagonal(DVec3::splat(c.inverse_mass)));
    block.add_block(3, 3, &c.inverse_inertia);
    block
}
