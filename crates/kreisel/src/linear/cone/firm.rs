//! Newton's method from one proximal point of the impulses to the next, each firmer than the last. [AC91, Roc76]
//!
//! Contacts that yield a little, `u = −α (y − p̂)`, push with `p = Π(y)` from where they were pushed before, `p̂`: that is
//! `F(y) = W Π(y) + q + α (y − p̂) = 0`. Then `p̂ ← p`, and on answers, and there only, nothing changes. What contacts do is told by `y`, as
//! firm as `1/α` makes it: heavy bodies on light ones have slips of 10⁻⁹ of their impulses, and with the mobility of the contact instead of
//! `α` these are not told from what Newton's method left by chance. What redundant contacts share stays as it was, since along it `W` does
//! nothing and `α` holds it. So `α` may fall to what is left of `W` by rounding, as long as Newton's method arrives in a few steps; else it
//! gives way.

use super::fronts::{BlockRow, Fronts, SmallPivots, least_degree_order};
use super::pieces::{push, state};
use super::problem::FrictionProblem;
use crate::linear::cone_local::State;
use glamx::{DMat3, DVec3};

/// How far contacts yield at first, relative to what impulses do to them, and the range. [1]
const FIRST: f64 = 1e-2;
const RANGE: std::ops::RangeInclusive<f64> = 1e-11..=100.0;
/// How that changes where a point was reached in a few steps, and where it was not. [1]
const FIRMER: f64 = 0.25;
const GIVES_WAY: f64 = 5.0;
const FEW: usize = 6;
/// Steps to one point, and those of them that may be short.
const STEPS: usize = 30;
const SHORT: f64 = 0.3;
const MOST_SHORT: usize = 5;
/// Halvings of a step, and the share of the promised decrease with which one is content. [1]
const HALVINGS: i32 = 7;
const CONTENT: f64 = 0.1;
/// What may be left of a point's equations, relative to what was, and to `q`. [1]
const REACHED: f64 = 1e-6;
const NOTHING: f64 = 1e-14;
/// A pivot of less, relative to the largest entry, is rounding. [1]
const NO_PIVOT: f64 = 1e-18;
/// Points in a row that may be given up.
const MOST_GIVEN_UP: usize = 12;

/// Proximal points of a scaled problem, one after the other.
pub(super) struct Firm<'a> {
    problem: &'a FrictionProblem,
    order: Vec<usize>,
    /// `p̂`.
    pub(super) p: Vec<DVec3>,
    /// `α`.
    pub(super) yielding: f64,
    given_up: usize,
    /// Factorisations so far, and their multiplications.
    pub(super) steps: usize,
    pub(super) work: f64,
}

/// The equations at some `y`.
struct Equations {
    y: Vec<DVec3>,
    left: Vec<DVec3>,
    pushes: Vec<DVec3>,
    square: f64,
}

impl<'a> Firm<'a> {
    pub(super) fn new(problem: &'a FrictionProblem, p: Vec<DVec3>) -> Self {
        let order = least_degree_order(&problem.rows());
        Self { problem, order, p, yielding: FIRST, given_up: 0, steps: 0, work: 0.0 }
    }

    /// Goes to the next proximal point; false if there is none.
    pub(super) fn advance(&mut self) -> bool {
        while self.given_up < MOST_GIVEN_UP && self.yielding <= *RANGE.end() {
            let begin = self.steps;
            if let Some(p) = self.point() {
                (self.p, self.given_up) = (p, 0);
                if self.steps - begin <= FEW {
                    self.yielding = (self.yielding * FIRMER).max(*RANGE.start());
                }
                return true;
            }
            (self.yielding, self.given_up) = (self.yielding * GIVES_WAY, self.given_up + 1);
        }
        false
    }

    /// Newton's method with a line search.
    fn point(&mut self) -> Option<Vec<DVec3>> {
        let mut at = self.equations(self.p.clone());
        let goal = REACHED * at.square.sqrt();
        let mut short = 0;
        for _ in 0..STEPS {
            if self.is_reached(&at, goal) {
                return Some(at.pushes);
            }
            let direction = self.direction(&at)?;
            let share;
            (share, at) = self.search(&at, &direction);
            short += usize::from(share < SHORT);
            if short == MOST_SHORT || !at.square.is_finite() {
                break;
            }
        }
        self.is_reached(&at, goal).then_some(at.pushes)
    }

    fn is_reached(&self, at: &Equations, goal: f64) -> bool {
        let rounding = self.problem.rounding(&at.pushes).max(NOTHING) * self.problem.size();
        at.square.sqrt() <= goal.max(rounding)
    }

    fn equations(&self, y: Vec<DVec3>) -> Equations {
        let mu = &self.problem.mu;
        let pushes: Vec<DVec3> = (0..y.len()).map(|i| push(y[i], mu[i], state(y[i], mu[i])).0).collect();
        let left = |i: usize| self.problem.velocity(i, &pushes) + (y[i] - self.p[i]) * self.yielding;
        let left: Vec<DVec3> = (0..y.len()).map(left).collect();
        let square = left.iter().map(|f| f.length_squared()).sum();
        Equations { y, left, pushes, square }
    }

    /// The longest of shorter and shorter steps that leaves as much less as it promises, or the best of them; and its share.
    fn search(&self, at: &Equations, direction: &[DVec3]) -> (f64, Equations) {
        let tried = |k: i32| {
            let share = 0.5_f64.powi(k);
            (share, self.equations(at.y.iter().zip(direction).map(|(y, d)| *y + *d * share).collect()))
        };
        let mut best = tried(0);
        for k in 1..=HALVINGS {
            if best.1.square < (1.0 - CONTENT * best.0) * at.square {
                break;
            }
            let next = tried(k);
            if next.1.square < best.1.square || !best.1.square.is_finite() {
                best = next;
            }
        }
        best
    }

    /// `−(W Π' + α 1)⁻¹ F`: contacts that push first, since the others do nothing to anybody.
    fn direction(&mut self, at: &Equations) -> Option<Vec<DVec3>> {
        let (problem, k) = (self.problem, at.y.len());
        let states: Vec<State> = (0..k).map(|i| state(at.y[i], problem.mu[i])).collect();
        let slopes: Vec<DMat3> = (0..k).map(|i| push(at.y[i], problem.mu[i], states[i]).1).collect();
        let mut place = vec![usize::MAX; k];
        let closed: Vec<usize> = (0..k).filter(|&i| states[i] != State::Separate).collect();
        closed.iter().enumerate().for_each(|(c, &i)| place[i] = c);
        let row = |&i: &usize| -> BlockRow {
            let others = problem.row(i).filter(|(j, _)| place[*j] != usize::MAX);
            let own = (place[i], DMat3::IDENTITY * self.yielding);
            others.map(|(j, w)| (place[j], *w * slopes[j])).chain([own]).collect()
        };
        let rows: Vec<BlockRow> = closed.iter().map(row).collect();
        let order: Vec<usize> = self.order.iter().map(|&i| place[i]).filter(|&c| c != usize::MAX).collect();
        let factors = Fronts::in_order(&rows, &order, SmallPivots::Lifted(NO_PIVOT))?;
        let mut of_closed: Vec<DVec3> = closed.iter().map(|&i| -at.left[i]).collect();
        factors.solve(&mut of_closed);
        (self.steps, self.work) = (self.steps + 1, self.work + factors.work());
        let mut pushed = vec![DVec3::ZERO; k];
        closed.iter().zip(&of_closed).for_each(|(&i, d)| pushed[i] = slopes[i] * *d);
        let moved = |i: usize| problem.row(i).fold(at.left[i], |u, (j, w)| u + *w * pushed[j]);
        let of = |i: usize| if place[i] == usize::MAX { -moved(i) / self.yielding } else { of_closed[place[i]] };
        Some((0..k).map(of).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::noise::Noise;

    /// Bodies on each other, `log₁₀` of their masses by chance; all of it comes down askew.
    fn jumbled(bodies: usize, decades: f64, seed: u64) -> FrictionProblem {
        let mut noise = Noise(seed);
        let mobility: Vec<f64> = (0..bodies).map(|_| 10_f64.powf(decades * noise.next())).collect();
        let mut entries = Vec::new();
        for k in 0..bodies {
            let below = if k > 0 { mobility[k - 1] } else { 0.0 };
            entries.push((k, k, DMat3::IDENTITY * (mobility[k] + below)));
            if k > 0 {
                let other = DMat3::IDENTITY * -below;
                entries.extend([(k, k - 1, other), (k - 1, k, other)]);
            }
        }
        let mut q = vec![DVec3::ZERO; bodies];
        q[0] = DVec3::new(-1.0, 0.1, 0.0);
        FrictionProblem::from_blocks(entries, q, vec![0.5; bodies]).scaled().0
    }

    #[test]
    fn points_grow_firm_until_heavy_bodies_on_light_ones_are_solved() {
        for seed in 1..=10 {
            let problem = jumbled(40, 6.0, seed);
            let mut firm = Firm::new(&problem, vec![DVec3::ZERO; 40]);
            let mut last = (f64::INFINITY, 0.0);
            for _ in 0..100 {
                if last.0 <= last.1 || !firm.advance() {
                    break;
                }
                last = (problem.residual(&firm.p), 10.0 * problem.rounding(&firm.p));
            }
            assert!(last.0 <= last.1 && last.1 < 1e-6, "seed {seed}: {last:?} after {} steps", firm.steps);
        }
    }

    #[test]
    fn what_nothing_holds_ends_without_an_answer() {
        // Two contacts that close in on a body of one coordinate.
        let block =
            |k: usize| (k / 2, k % 2, DMat3::from_diagonal(if k / 2 == k % 2 { DVec3::ONE } else { DVec3::NEG_X }));
        let problem = FrictionProblem::from_blocks((0..4).map(block).collect(), vec![DVec3::NEG_X; 2], vec![0.0; 2]);
        let mut firm = Firm::new(&problem, vec![DVec3::ZERO; 2]);
        for _ in 0..50 {
            if !firm.advance() {
                break;
            }
            assert!(problem.residual(&firm.p) > 0.5 || problem.rounding(&firm.p) > 1e-8, "{:?}", firm.p);
        }
    }
}
