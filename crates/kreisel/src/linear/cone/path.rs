//! Paths to an answer that turn where answers end: `G(y) = t G(y₀)` from `t = 1` to `0`, piece by piece. [AG90]
//!
//! Any `y₀` answers its own problem at `t = 1`. Answers that are followed while `t` falls may meet their end with another answer, beyond which `t` has to
//! rise for a while: the sign of `det G_y` says which. From where all contacts are open the path leads to an answer unless impulses grow
//! without bound on it, as in Lemke's method, of which this is the curved relative: it, too, goes from piece to piece.

use super::pieces::{Border, Slope, beyond, margins, push, state, way_to_border};
use super::problem::FrictionProblem;
use crate::linear::cone_local::State;
use glamx::DVec3;

/// Steps of the corrector.
const CORRECTIONS: usize = 8;
/// What a corrected point may leave, relative to `q`. [1]
const ON_PATH: f64 = 1e-11;
/// How far beyond a border a contact may be by rounding, relative to its `y`. [1]
const AT_BORDER: f64 = 1e-9;
/// Steps that succeed are followed by longer ones, those that fail by shorter ones, relative to `y`. [1]
const LONGER: f64 = 2.0;
const SHORTER: f64 = 0.3;
const FIRST: f64 = 0.3;
const SHORTEST: f64 = 1e-12;
/// Where `t` is as large as this the path leads nowhere.
const FAR: f64 = 1e3;

/// A point of the path, and what its contacts do.
#[derive(Clone)]
struct Point {
    y: Vec<DVec3>,
    t: f64,
    states: Vec<State>,
}

/// A direction of the path, `y` and `t` weighted alike.
struct Tangent {
    y: Vec<DVec3>,
    t: f64,
    /// `1/|y|²`.
    weight: f64,
}

/// Where a step is to end.
enum End {
    /// In the plane across the direction.
    Plane,
    /// Where a contact changes what it does.
    Change(usize, Border),
    /// At `t = 0`.
    Answer,
}

struct Path<'a> {
    problem: &'a FrictionProblem,
    /// The order of elimination.
    order: &'a [usize],
    /// `−G(y₀)`.
    rest: Vec<DVec3>,
    size: f64,
    factorings: usize,
    work: f64,
    most: usize,
}

/// How a path ended.
pub(super) struct Followed {
    /// Impulses at its end, or where `t` was least.
    pub(super) p: Vec<DVec3>,
    /// True if it came to its end.
    pub(super) done: bool,
    /// Factorisations, and what they cost.
    pub(super) factorings: usize,
    pub(super) work: f64,
}

/// Follows the path from the `y` of these impulses with at most so many factorisations, in this order of elimination.
pub(super) fn follow(problem: &FrictionProblem, order: &[usize], p: &[DVec3], most: usize) -> Followed {
    let y: Vec<DVec3> = (0..p.len()).map(|i| p[i] - problem.rho(i) * problem.velocity(i, p)).collect();
    let states = y.iter().zip(&problem.mu).map(|(y, mu)| state(*y, *mu)).collect();
    let mut at = Point { y, t: 0.0, states };
    let mut path = Path { problem, order, rest: vec![DVec3::ZERO; p.len()], size: 0.0, factorings: 0, work: 0.0, most };
    path.rest = path.value(&at).iter().map(|g| -*g).collect();
    path.size = problem.size().max(norm(&path.rest));
    at.t = 1.0;
    let done = path.run(&mut at);
    Followed { p: path.impulses(&at), done, factorings: path.factorings, work: path.work }
}

impl Path<'_> {
    /// Follows the path to `t = 0`; false if it does not come there, with the point where `t` was least.
    fn run(&mut self, lowest: &mut Point) -> bool {
        let (mut step, mut into, mut at) = (FIRST, None, lowest.clone());
        while self.factorings < self.most && at.t < FAR {
            let Some(tangent) = self.tangent(&at, into) else { break };
            let Some((next, end)) = self.advance(&at, &tangent, &mut step) else { break };
            at = next;
            if at.t < lowest.t {
                lowest.clone_from(&at);
            }
            into = None;
            match end {
                End::Answer => return true,
                End::Change(i, border) => {
                    at.states[i] = beyond(at.states[i], border);
                    into = Some((i, border));
                }
                End::Plane => {}
            }
        }
        false
    }

    fn impulses(&self, at: &Point) -> Vec<DVec3> {
        (0..at.y.len()).map(|i| push(at.y[i], self.problem.mu[i], at.states[i]).0).collect()
    }

    /// `G(y) − t G(y₀)`.
    fn value(&self, at: &Point) -> Vec<DVec3> {
        let p = self.impulses(at);
        let of = |i: usize| self.problem.velocity(i, &p) + (at.y[i] - p[i]) / self.problem.rho(i) + self.rest[i] * at.t;
        (0..p.len()).map(of).collect()
    }

    fn slope(&mut self, at: &Point) -> Option<Slope> {
        let slope = Slope::new(self.problem, &at.y, &at.states, self.order)?;
        self.factorings += 1;
        self.work += slope.work();
        Some(slope)
    }

    /// The direction in which the path goes on: into the piece that it just came to, else as the determinant says.
    fn tangent(&mut self, at: &Point, into: Option<(usize, Border)>) -> Option<Tangent> {
        let slope = self.slope(at)?;
        let mut y = slope.solve(self.problem, &self.rest);
        let weight = 1.0 / dot(&at.y, &at.y).max(f64::MIN_POSITIVE);
        let length = (weight * dot(&y, &y) + 1.0).sqrt();
        // dy = −G_y⁻¹ G_t dt; first as if t fell.
        y.iter_mut().for_each(|d| *d /= length);
        let mut falls = !slope.is_negative();
        if let Some((i, border)) = into {
            let along = margins(at.y[i], self.problem.mu[i], at.states[i]).into_iter().find(|m| m.0 == border);
            let inwards = along.map_or(0.0, |(_, _, gradient)| gradient.dot(y[i]));
            if inwards != 0.0 {
                falls = inwards > 0.0;
            }
        }
        if !falls {
            y.iter_mut().for_each(|d| *d = -*d);
        }
        length.is_finite().then_some(Tangent { y, t: if falls { -1.0 } else { 1.0 } / length, weight })
    }

    /// One step along the path to the next change or less.
    fn advance(&mut self, at: &Point, tangent: &Tangent, step: &mut f64) -> Option<(Point, End)> {
        let (change, contact, border) = self.next_change(at, tangent);
        let answer = if tangent.t < 0.0 { at.t / -tangent.t } else { f64::INFINITY };
        while self.factorings < self.most && *step > SHORTEST {
            let length = step.min(change).min(answer);
            let end = if length == answer {
                End::Answer
            } else if length == change {
                End::Change(contact, border)
            } else {
                End::Plane
            };
            if let Some(next) = self.correct(ahead(at, tangent, length), tangent, &end)
                && self.holds(&next, &end)
            {
                *step = (length.max(*step) * LONGER).min(1.0);
                return Some((next, end));
            }
            *step = length * SHORTER;
        }
        None
    }

    /// The first contact that leaves its piece along the way.
    fn next_change(&self, at: &Point, tangent: &Tangent) -> (f64, usize, Border) {
        let of = |i: usize| way_to_border(at.y[i], tangent.y[i], self.problem.mu[i], at.states[i]);
        let first = |best: (f64, usize, Border), i: usize| {
            let (s, border) = of(i);
            if s < best.0 { (s, i, border) } else { best }
        };
        (0..at.y.len()).fold((f64::INFINITY, 0, Border::Lift), first)
    }

    /// True if all contacts are in their pieces, up to rounding.
    fn holds(&self, at: &Point, end: &End) -> bool {
        let inside = |i: usize| {
            let slack = -AT_BORDER * at.y[i].length();
            let known = |border| matches!(end, End::Change(j, b) if *j == i && *b == border);
            let all = margins(at.y[i], self.problem.mu[i], at.states[i]);
            all.into_iter().all(|(border, margin, _)| margin >= slack || known(border))
        };
        (0..at.y.len()).all(inside)
    }

    /// Newton's method back to the path and to where the step is to end, in the piece where it began.
    fn correct(&mut self, mut at: Point, tangent: &Tangent, end: &End) -> Option<Point> {
        if let End::Answer = end {
            at.t = 0.0;
        }
        let mut last = f64::INFINITY;
        for _ in 0..CORRECTIONS {
            let value = self.value(&at);
            let rest = norm(&value) / self.size;
            let off = self.off(&at, end);
            if rest <= ON_PATH && off.is_none_or(|(i, off, _)| off.abs() <= ON_PATH * at.y[i].length()) {
                return Some(at);
            }
            if !rest.is_finite() || rest > 2.0 * last {
                return None;
            }
            last = rest.max(ON_PATH);
            let slope = self.slope(&at)?;
            let back = slope.solve(self.problem, &value);
            if !matches!(end, End::Answer) {
                let along = slope.solve(self.problem, &self.rest);
                let dt = sideways(tangent, off, &along, &back);
                at.t += dt;
                at.y.iter_mut().zip(&along).for_each(|(y, a)| *y -= *a * dt);
            }
            at.y.iter_mut().zip(&back).for_each(|(y, b)| *y -= *b);
        }
        None
    }

    /// How far a point is from the border where the step is to end, with the gradient.
    fn off(&self, at: &Point, end: &End) -> Option<(usize, f64, DVec3)> {
        let End::Change(i, border) = *end else { return None };
        let all = margins(at.y[i], self.problem.mu[i], at.states[i]);
        all.into_iter().find(|m| m.0 == border).map(|(_, margin, gradient)| (i, margin, gradient))
    }
}

/// The change of `t` that keeps a correction `dy = −back − along dt` in the plane across the direction, or brings it to a border.
fn sideways(tangent: &Tangent, off: Option<(usize, f64, DVec3)>, along: &[DVec3], back: &[DVec3]) -> f64 {
    match off {
        Some((i, off, gradient)) => (off - gradient.dot(back[i])) / gradient.dot(along[i]),
        None => {
            let share = |x: &[DVec3]| tangent.weight * dot(&tangent.y, x);
            share(back) / (tangent.t - share(along))
        }
    }
}

fn ahead(at: &Point, tangent: &Tangent, length: f64) -> Point {
    let y = at.y.iter().zip(&tangent.y).map(|(y, d)| *y + *d * length).collect();
    Point { y, t: at.t + tangent.t * length, states: at.states.clone() }
}

fn dot(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}

fn norm(a: &[DVec3]) -> f64 {
    dot(a, a).sqrt()
}
