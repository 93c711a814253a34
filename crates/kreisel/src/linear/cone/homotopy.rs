//! Families of problems whose answers lead to one of a problem itself: a parameter `t` falls to its goal. [AG90]

use super::pieces::{Slope, push};
use super::problem::FrictionProblem;
use crate::linear::cone_local::State;
use glamx::DVec3;

/// What of a problem changes with `t`.
pub(super) enum Change {
    /// `G(y) − t G(y₀)`, from one to zero: any `y₀` answers its own problem. These are `−G(y₀)`.
    Rest(Vec<DVec3>),
    /// `G(y) + eᵗ Π(y)`: contacts that yield, less and less. Where they yield by far more than impulses do to each other there is one answer.
    Softness,
}

/// A family, and how much of the work of following it was done.
pub(super) struct Homotopy<'a> {
    pub(super) problem: &'a FrictionProblem,
    /// The order of elimination.
    pub(super) order: &'a [usize],
    pub(super) change: Change,
    /// The `t` at which the way ends.
    pub(super) goal: f64,
    /// What counts as one among velocities.
    pub(super) size: f64,
    /// Factorisations, and multiplications in them.
    pub(super) factorings: usize,
    pub(super) work: f64,
}

/// A point of a path, and what its contacts do.
#[derive(Clone)]
pub(super) struct Point {
    pub(super) y: Vec<DVec3>,
    pub(super) t: f64,
    pub(super) states: Vec<State>,
}

impl Homotopy<'_> {
    /// `Π(y)`.
    pub(super) fn impulses(&self, at: &Point) -> Vec<DVec3> {
        (0..at.y.len()).map(|i| push(at.y[i], self.problem.mu[i], at.states[i]).0).collect()
    }

    /// The equations of the family.
    pub(super) fn value(&self, at: &Point) -> Vec<DVec3> {
        let p = self.impulses(at);
        let own = |i: usize| self.problem.velocity(i, &p) + (at.y[i] - p[i]) / self.problem.rho(i);
        match &self.change {
            Change::Rest(rest) => (0..p.len()).map(|i| own(i) + rest[i] * at.t).collect(),
            Change::Softness => (0..p.len()).map(|i| own(i) + p[i] * at.t.exp()).collect(),
        }
    }

    /// Their derivative by `t`.
    pub(super) fn by_t(&self, at: &Point) -> Vec<DVec3> {
        match &self.change {
            Change::Rest(rest) => rest.clone(),
            Change::Softness => self.impulses(at).iter().map(|p| *p * at.t.exp()).collect(),
        }
    }

    /// Their derivative by `y`, factored; `None` if numbers run out.
    pub(super) fn slope(&mut self, at: &Point) -> Option<Slope> {
        let softness = if matches!(self.change, Change::Softness) { at.t.exp() } else { 0.0 };
        let slope = Slope::new(self.problem, softness, (&at.y, &at.states), self.order)?;
        self.factorings += 1;
        self.work += slope.work();
        Some(slope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::cone::pieces::state;
    use glamx::DMat3;

    /// Two contacts, one sticking and one sliding, that act on each other.
    fn problem() -> FrictionProblem {
        let own = DMat3::from_diagonal(DVec3::new(1.0, 1.5, 0.5));
        let other = DMat3::from_cols(DVec3::new(0.2, 0.1, 0.0), DVec3::new(0.1, -0.3, 0.0), DVec3::new(0.0, 0.05, 0.2));
        let entries = vec![(0, 0, own), (1, 1, own), (0, 1, other), (1, 0, other.transpose())];
        let q = vec![DVec3::new(-1.0, 0.2, 0.0), DVec3::new(-0.5, 1.0, 0.3)];
        FrictionProblem::from_blocks(entries, q, vec![0.5, 0.3])
    }

    #[test]
    fn derivatives_are_those_of_the_equations() {
        let problem = problem();
        for change in [Change::Softness, Change::Rest(vec![DVec3::new(0.3, -0.2, 0.5), DVec3::new(0.1, 0.7, -0.4)])] {
            let y = vec![DVec3::new(2.0, 0.3, -0.4), DVec3::new(0.6, 0.7, -0.4)];
            let states: Vec<State> = y.iter().zip(&problem.mu).map(|(y, mu)| state(*y, *mu)).collect();
            assert_eq!(states, [State::Stick, State::Slip]);
            let at = Point { y, t: -0.7, states };
            let (order, size) = ([0, 1], 1.0);
            let mut family =
                Homotopy { problem: &problem, order: &order, change, goal: 0.0, size, factorings: 0, work: 0.0 };
            let (h, d) = (1e-6, [DVec3::new(0.4, -0.1, 0.2), DVec3::new(-0.3, 0.6, 0.5)]);
            let moved = |a: f64, b: f64| {
                let y = at.y.iter().zip(&d).map(|(y, d)| *y + *d * a).collect();
                family.value(&Point { y, t: at.t + b, states: at.states.clone() })
            };
            let slope = |plus: Vec<DVec3>, minus: Vec<DVec3>| -> Vec<DVec3> {
                plus.iter().zip(&minus).map(|(p, m)| (*p - *m) / (2.0 * h)).collect()
            };
            let by_y = slope(moved(h, 0.0), moved(-h, 0.0));
            let by_t = slope(moved(0.0, h), moved(0.0, -h));
            let back = family.slope(&at).unwrap().solve(&problem, &by_y);
            assert!(back.iter().zip(&d).all(|(b, d)| (*b - *d).length() < 1e-8), "{back:?}");
            assert!(family.by_t(&at).iter().zip(&by_t).all(|(a, b)| (*a - *b).length() < 1e-9), "{by_t:?}");
        }
    }
}
