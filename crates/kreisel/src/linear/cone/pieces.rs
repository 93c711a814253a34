//! Coulomb's law as one equation for `y = p − ρ u`, in pieces that are smooth. [Rob92]
//!
//! A contact that does something pushes with `p = Π(y)`: open `0`, sticking `y`, sliding `(y_n, μ y_n d)`, `d = y_t/|y_t|`. Together with
//! `u = (p − y)/ρ` the law is `G(y) = W Π(y) + q + (y − Π(y))/ρ = 0`, and each piece holds while its contacts do what it says: open ones have
//! `y_n ≤ 0`, sticking ones `|y_t| ≤ μ y_n`.

use super::fronts::{BlockRow, Fronts, SmallPivots};
use super::problem::FrictionProblem;
use crate::linear::cone_local::State;
use glamx::{DMat3, DVec3};

/// A pivot of less, relative to the largest entry, is rounding.
const NOTHING: f64 = 1e-15;

/// What a contact does by its `y`.
pub(super) fn state(y: DVec3, mu: f64) -> State {
    if y.x <= 0.0 {
        State::Separate
    } else if y.y.hypot(y.z) <= mu * y.x {
        State::Stick
    } else {
        State::Slip
    }
}

/// `Π(y)` of a piece and its derivative.
pub(super) fn push(y: DVec3, mu: f64, state: State) -> (DVec3, DMat3) {
    match state {
        State::Separate => (DVec3::ZERO, DMat3::ZERO),
        State::Stick => (y, DMat3::IDENTITY),
        State::Slip => {
            let slip = y.y.hypot(y.z).max(f64::MIN_POSITIVE);
            let (c, s, share) = (y.y / slip, y.z / slip, mu * y.x / slip);
            let slope = DMat3::from_cols(
                DVec3::new(1.0, mu * c, mu * s),
                DVec3::new(0.0, share * (1.0 - c * c), -share * c * s),
                DVec3::new(0.0, -share * c * s, share * (1.0 - s * s)),
            );
            (DVec3::new(y.x, mu * y.x * c, mu * y.x * s), slope)
        }
    }
}

/// A border of a piece, in the order in which [`margins`] lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Border {
    /// `y_n = 0`.
    Lift,
    /// `|y_t| = μ y_n`.
    Edge,
}

/// The piece beyond a border.
pub(super) fn beyond(state: State, border: Border) -> State {
    match (state, border) {
        (State::Slip, Border::Lift) => State::Separate,
        (State::Slip, Border::Edge) => State::Stick,
        _ => State::Slip,
    }
}

/// How far a contact is from the borders of its piece (negative beyond them), with the gradients.
pub(super) fn margins(y: DVec3, mu: f64, state: State) -> Vec<(Border, f64, DVec3)> {
    let slip = y.y.hypot(y.z);
    let outside = || {
        let radial = if slip > 0.0 { DVec3::new(-mu, y.y / slip, y.z / slip) } else { DVec3::new(-mu, 0.0, 0.0) };
        (slip - mu * y.x, radial)
    };
    match state {
        State::Separate => vec![(Border::Lift, -y.x, DVec3::NEG_X)],
        State::Stick => {
            let (g, slope) = outside();
            vec![(Border::Edge, -g, -slope)]
        }
        State::Slip if mu > 0.0 => {
            let (g, slope) = outside();
            vec![(Border::Lift, y.x, DVec3::X), (Border::Edge, g, slope)]
        }
        State::Slip => vec![(Border::Lift, y.x, DVec3::X)],
    }
}

/// How far `y + s d` goes to the first border of the piece, and which.
pub(super) fn way_to_border(y: DVec3, d: DVec3, mu: f64, state: State) -> (f64, Border) {
    let lift = |sign: f64| if sign * d.x < 0.0 { (-y.x / d.x).max(0.0) } else { f64::INFINITY };
    let m = mu * mu;
    let a = d.y * d.y + d.z * d.z - m * d.x * d.x;
    let b = y.y * d.y + y.z * d.z - m * y.x * d.x;
    let c = y.y * y.y + y.z * y.z - m * y.x * y.x;
    match state {
        State::Separate => (lift(-1.0), Border::Lift),
        State::Stick => (falls_below_zero(-a, -b, -c), Border::Edge),
        State::Slip => {
            let edge = if mu > 0.0 { falls_below_zero(a, b, c) } else { f64::INFINITY };
            let lift = lift(1.0);
            if edge < lift { (edge, Border::Edge) } else { (lift, Border::Lift) }
        }
    }
}

/// Where `a s² + 2 b s + c` falls below zero; at once if it is there and falls.
fn falls_below_zero(a: f64, b: f64, c: f64) -> f64 {
    let root = b * b - a * c;
    if root < 0.0 || (b >= 0.0 && a >= 0.0) {
        return if c < 0.0 && b < 0.0 { 0.0 } else { f64::INFINITY };
    }
    let s = if b <= 0.0 { c / (root.sqrt() - b) } else { (-b - root.sqrt()) / a };
    if s.is_nan() { f64::INFINITY } else { s.max(0.0) }
}

/// `G_y = (W + s 1) Π' + (1 − Π')/ρ`, `s` what contacts yield, factored for the contacts that push; what the others do follows from them.
pub(super) struct Slope {
    closed: Vec<usize>,
    open: Vec<usize>,
    derivatives: Vec<DMat3>,
    factors: Fronts,
}

impl Slope {
    /// `order` is one of elimination for all contacts.
    pub(super) fn new(
        problem: &FrictionProblem,
        softness: f64,
        (y, states): (&[DVec3], &[State]),
        order: &[usize],
    ) -> Option<Self> {
        let derivatives: Vec<DMat3> = (0..y.len()).map(|i| push(y[i], problem.mu[i], states[i]).1).collect();
        let (open, closed): (Vec<usize>, Vec<usize>) = (0..y.len()).partition(|&i| states[i] == State::Separate);
        let mut place = vec![usize::MAX; y.len()];
        closed.iter().enumerate().for_each(|(c, &i)| place[i] = c);
        let row = |&i: &usize| -> BlockRow {
            let own = (DMat3::IDENTITY - derivatives[i]) * (1.0 / problem.rho(i)) + derivatives[i] * softness;
            let others = problem.row(i).filter(|(j, _)| place[*j] != usize::MAX);
            std::iter::once((place[i], own)).chain(others.map(|(j, w)| (place[j], *w * derivatives[j]))).collect()
        };
        let rows: Vec<BlockRow> = closed.iter().map(row).collect();
        let order: Vec<usize> = order.iter().map(|&i| place[i]).filter(|&c| c != usize::MAX).collect();
        let factors = Fronts::in_order(&rows, &order, SmallPivots::Lifted(NOTHING))?;
        Some(Self { closed, open, derivatives, factors })
    }

    /// True if `det G_y < 0`.
    pub(super) fn is_negative(&self) -> bool {
        self.factors.is_negative()
    }

    /// About how many multiplications it took.
    pub(super) fn work(&self) -> f64 {
        self.factors.work()
    }

    /// `G_y⁻¹ b`.
    pub(super) fn solve(&self, problem: &FrictionProblem, b: &[DVec3]) -> Vec<DVec3> {
        let mut closed: Vec<DVec3> = self.closed.iter().map(|&i| b[i]).collect();
        self.factors.solve(&mut closed);
        let (mut x, mut pushed) = (b.to_vec(), vec![DVec3::ZERO; b.len()]);
        for (&i, d) in self.closed.iter().zip(&closed) {
            (x[i], pushed[i]) = (*d, self.derivatives[i] * *d);
        }
        for &i in &self.open {
            let moved = problem.row(i).fold(DVec3::ZERO, |u, (j, w)| u + *w * pushed[j]);
            x[i] = (b[i] - moved) * problem.rho(i);
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MU: f64 = 0.5;
    const PLACES: [(DVec3, State); 3] = [
        (DVec3::new(-0.2, 0.3, 0.1), State::Separate),
        (DVec3::new(2.0, 0.3, -0.4), State::Stick),
        (DVec3::new(0.6, 0.7, -0.4), State::Slip),
    ];

    #[test]
    fn the_derivative_of_a_push_is_that_of_its_piece() {
        for (y, piece) in PLACES {
            assert_eq!(state(y, MU), piece);
            let (_, slope) = push(y, MU, piece);
            for d in [DVec3::X, DVec3::Y, DVec3::Z] {
                let h = 1e-6;
                let change = (push(y + d * h, MU, piece).0 - push(y - d * h, MU, piece).0) / (2.0 * h);
                assert!((slope * d - change).length() < 1e-9, "{piece:?} {d}");
            }
        }
    }

    #[test]
    fn a_way_ends_at_the_first_border_and_goes_on_in_the_piece_beyond() {
        let ways = [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::new(-0.3, 1.0, 0.8), DVec3::new(0.9, -0.2, 0.1)];
        for (y, piece) in PLACES {
            for d in ways {
                let (s, border) = way_to_border(y, d, MU, piece);
                if s == f64::INFINITY {
                    assert_eq!(state(y + d * 1e6, MU), piece, "{y} {d}");
                    continue;
                }
                let all = margins(y + d * s, MU, piece);
                assert!(all.iter().any(|m| m.0 == border && m.1.abs() < 1e-12), "{y} {d}");
                assert_eq!(state(y + d * (s * 0.999), MU), piece, "{y} {d}");
                assert_eq!(state(y + d * (s * 1.001), MU), beyond(piece, border), "{y} {d}");
            }
        }
    }
}
