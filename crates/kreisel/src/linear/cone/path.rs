//! Paths through a family of problems that turn where answers end, piece by piece. [AG90]
//!
//! Answers that are followed while `t` falls may meet their end with another answer, beyond which `t` has to rise for a while: the sign of
//! `det G_y` says which. From where there is one answer only (all contacts open, or soft by far) the path leads to the goal unless impulses
//! grow without bound on it, as in Lemke's method, of which this is the curved relative: it, too, goes from piece to piece.

use super::homotopy::{Homotopy, Point};
use super::pieces::{Border, beyond, margins, way_to_border};
use glamx::DVec3;

/// Steps of the corrector.
const CORRECTIONS: usize = 8;
/// What a corrected point may leave, relative to `q`. [1]
const ON_PATH: f64 = 1e-11;
/// How many times what rounding leaves of one velocity may be left of all. [1]
const ROUNDED: f64 = 10.0;
/// How far beyond a border a contact may be by rounding, relative to its `y`: slips may be 10⁻⁹ of it where heavy bodies rest on light ones. [1]
const AT_BORDER: f64 = 1e-12;
/// Steps below this that still end beyond a border by less than this, relative to `y`, are at the border: corrections round. [1]
const NO_STEP: f64 = 1e-8;
const NEARLY: f64 = 1e-7;
/// The step after that. [1]
const AGAIN: f64 = 1e-6;
/// Steps that succeed are followed by longer ones, those that fail by shorter ones, relative to `y`. [1]
const LONGER: f64 = 2.0;
const SHORTER: f64 = 0.3;
const FIRST: f64 = 0.3;
const SHORTEST: f64 = 1e-12;

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
    /// At the goal.
    Answer,
}

/// A family whose answers are followed.
pub(super) struct Path<'a> {
    pub(super) family: Homotopy<'a>,
    /// Factorisations at most.
    pub(super) most: usize,
    /// Where `t` is as large as this the path leads nowhere.
    pub(super) far: f64,
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

impl Path<'_> {
    /// Follows the answer from this point to the goal.
    pub(super) fn reach_goal(mut self, mut at: Point) -> Followed {
        let done = self.run(&mut at);
        let Homotopy { factorings, work, .. } = self.family;
        Followed { p: self.family.impulses(&at), done, factorings, work }
    }

    /// Follows the path to its goal; false if it does not come there, with the point where `t` was least.
    fn run(&mut self, lowest: &mut Point) -> bool {
        let (mut step, mut into, mut at) = (FIRST, None, lowest.clone());
        while self.family.factorings < self.most && at.t < self.far {
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

    /// The direction in which the path goes on: into the piece that it just came to, else as the determinant says.
    fn tangent(&mut self, at: &Point, into: Option<(usize, Border)>) -> Option<Tangent> {
        let slope = self.family.slope(at)?;
        let mut y = slope.solve(self.family.problem, &self.family.by_t(at));
        let weight = 1.0 / dot(&at.y, &at.y).max(f64::MIN_POSITIVE);
        let length = (weight * dot(&y, &y) + 1.0).sqrt();
        // dy = −G_y⁻¹ G_t dt; first as if t fell.
        y.iter_mut().for_each(|d| *d /= length);
        let mut falls = !slope.is_negative();
        if let Some((i, border)) = into {
            let along = margins(at.y[i], self.family.problem.mu[i], at.states[i]).into_iter().find(|m| m.0 == border);
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
        let answer = if tangent.t < 0.0 { (at.t - self.family.goal).max(0.0) / -tangent.t } else { f64::INFINITY };
        while self.family.factorings < self.most && *step > SHORTEST {
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
            if length < NO_STEP
                && let Some(found) = self.at_border(at, tangent, length)
            {
                *step = AGAIN;
                return Some(found);
            }
            *step = length * SHORTER;
        }
        None
    }

    /// The first contact that leaves its piece along the way.
    fn next_change(&self, at: &Point, tangent: &Tangent) -> (f64, usize, Border) {
        let of = |i: usize| way_to_border(at.y[i], tangent.y[i], self.family.problem.mu[i], at.states[i]);
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
            let all = margins(at.y[i], self.family.problem.mu[i], at.states[i]);
            all.into_iter().all(|(border, margin, _)| margin >= slack || known(border))
        };
        (0..at.y.len()).all(inside)
    }

    /// Where no step is so short that it would not end beyond a border, by as little as rounding leaves: there the contact changes what it does.
    fn at_border(&mut self, at: &Point, tangent: &Tangent, length: f64) -> Option<(Point, End)> {
        let next = self.correct(ahead(at, tangent, length), tangent, &End::Plane)?;
        let mut worst = (0.0, 0, Border::Lift);
        for i in 0..next.y.len() {
            for (border, margin, _) in margins(next.y[i], self.family.problem.mu[i], next.states[i]) {
                let share = margin / next.y[i].length().max(f64::MIN_POSITIVE);
                if share < worst.0 {
                    worst = (share, i, border);
                }
            }
        }
        (worst.0 < 0.0 && worst.0 > -NEARLY).then_some((next, End::Change(worst.1, worst.2)))
    }

    /// Newton's method back to the path and to where the step is to end, in the piece where it began.
    fn correct(&mut self, mut at: Point, tangent: &Tangent, end: &End) -> Option<Point> {
        if let End::Answer = end {
            at.t = self.family.goal;
        }
        let (mut last, on_path) = (f64::INFINITY, self.on_path(&at));
        for _ in 0..CORRECTIONS {
            let value = self.family.value(&at);
            let rest = norm(&value) / self.family.size;
            let off = self.off(&at, end);
            if rest <= on_path && off.is_none_or(|(i, off, _)| off.abs() <= ON_PATH * at.y[i].length()) {
                return Some(at);
            }
            if !rest.is_finite() || rest > 2.0 * last {
                return None;
            }
            last = rest.max(on_path);
            let slope = self.family.slope(&at)?;
            let back = slope.solve(self.family.problem, &value);
            if !matches!(end, End::Answer) {
                let along = slope.solve(self.family.problem, &self.family.by_t(&at));
                let dt = sideways(tangent, off, &along, &back);
                at.t += dt;
                at.y.iter_mut().zip(&along).for_each(|(y, a)| *y -= *a * dt);
            }
            at.y.iter_mut().zip(&back).for_each(|(y, b)| *y -= *b);
        }
        None
    }

    /// What a corrected point may leave, relative to `q`: at least what rounding does.
    fn on_path(&self, at: &Point) -> f64 {
        let Homotopy { problem, size, .. } = &self.family;
        ON_PATH.max(ROUNDED * problem.rounding(&self.family.impulses(at)) * problem.size() / size)
    }

    /// How far a point is from the border where the step is to end, with the gradient.
    fn off(&self, at: &Point, end: &End) -> Option<(usize, f64, DVec3)> {
        let End::Change(i, border) = *end else { return None };
        let all = margins(at.y[i], self.family.problem.mu[i], at.states[i]);
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

pub(super) fn norm(a: &[DVec3]) -> f64 {
    dot(a, a).sqrt()
}
