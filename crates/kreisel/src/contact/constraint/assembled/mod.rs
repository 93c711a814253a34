//! Contacts, couples and joints of a problem whose `W` is given whole, three rows at a time: `u = q + W p`.
//!
//! Rows that hold are eliminated: with `W_HH = L Lᵀ` and `Y = L⁻¹ W_HR` the rest has `W' = W_RR − YᵀY` and
//! `q' = q_R − Yᵀ L⁻¹ q_H`, and then `p_H = −L⁻ᵀ(L⁻¹ q_H + Y p_R)`. What holds twice is left out by the factor. Contacts alone
//! are a friction problem on the cone or on pyramids; with couples and drives everything is swept, and contacts are solved as
//! a whole now and then. Contacts alone that something driven squeezes have no solution: they ask for as little less as they can be
//! given, as in explicit steps (`squeezed`).

mod rest;

use crate::contact::constraint::joint::RowLaw;
use crate::contact::constraint::twist::Twist;
use crate::linear::semidefinite::SemiCholesky;
use crate::model::setup::ConstraintSettings;
use glamx::{DMat3, DVec3};
use rest::Rest;

/// Rows whose mobility joints lessen to this share of itself are locked by them [1].
const LOCKED: f64 = 1e-10;

/// What three rows obey.
#[allow(clippy::large_enum_variant, reason = "a step has few of them, and they are read far more often than moved")]
#[derive(Clone, Debug)]
pub enum Law {
    /// A contact on the cone: normal and tangents.
    Contact {
        /// Coefficient of friction [1].
        friction: f64,
    },
    /// The couples of a contact, about its normal and tangents.
    Couple {
        /// Number of the contact among all.
        contact: usize,
        /// Their bounds; its impulse is that of the rows.
        twist: Twist,
    },
    /// Rows of a joint that hold.
    Hold {
        /// False for those that are empty.
        used: [bool; 3],
    },
    /// The coordinate of a joint, the first of the rows: motor, friction and stops with their impulses [N s].
    Drive {
        /// Each with its impulse.
        parts: Vec<(RowLaw, f64)>,
    },
}

/// The problem; `p` is where the solver starts.
#[derive(Clone, Debug, Default)]
pub struct Assembled {
    /// `W_ij`, row by row [1/kg].
    pub w: Vec<DMat3>,
    /// Velocities without impulses, contacts with their bias [m/s].
    pub q: Vec<DVec3>,
    /// What they obey.
    pub laws: Vec<Law>,
    /// Impulses [N s].
    pub p: Vec<DVec3>,
    /// True if something moves that no impulse can move: contacts with it may have no solution.
    pub driven: bool,
}

/// How a problem was solved.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// What sweeps that did not settle still changed [m/s].
    pub left: f64,
    /// True if contacts obey their pyramid, not the cone.
    pub pyramid: bool,
    /// What each three rows are to ask for less [m/s], where something driven squeezes somebody; empty: nothing.
    pub lacking: Vec<f64>,
}

impl Assembled {
    /// Velocities with the impulses of the moment [m/s].
    pub fn velocities(&self) -> Vec<DVec3> {
        let n = self.q.len();
        (0..n).map(|i| (0..n).fold(self.q[i], |u, j| u + self.w[i * n + j] * self.p[j])).collect()
    }

    /// Solves it: impulses, and those of drives and couples, are those of the solution.
    pub fn solve(&mut self, settings: &ConstraintSettings) -> Found {
        let n = self.q.len();
        let used = |i: usize, d: usize| matches!(self.laws[i], Law::Hold { used } if used[d]);
        let held: Vec<(usize, usize)> = (0..3 * n).map(|k| (k / 3, k % 3)).filter(|&(i, d)| used(i, d)).collect();
        let others: Vec<usize> = (0..n).filter(|&i| !matches!(self.laws[i], Law::Hold { .. })).collect();
        let mut joints = Joints::new(self, held, &others);
        let rest = self.movable(&joints, &others);
        if rest.len() < others.len() {
            others.iter().filter(|i| rest.binary_search(i).is_err()).for_each(|&i| self.still(i));
            joints = Joints::new(self, joints.held, &rest);
        }
        let mut others = joints.reduce(self, &rest);
        let mut found = others.solve(settings, self.driven);
        if !found.lacking.is_empty() {
            let mut lacking = vec![0.0; n];
            rest.iter().zip(&found.lacking).for_each(|(&i, l)| lacking[i] = *l);
            found.lacking = lacking;
        }
        for ((&i, p), law) in rest.iter().zip(&others.p).zip(others.laws) {
            (self.p[i], self.laws[i]) = (*p, renumbered(law, |contact| rest[contact]));
        }
        joints.give(self, &others.p);
        found
    }

    /// Those of the rest that joints let move: what is left of the others' mobility is rounding.
    fn movable(&self, joints: &Joints, rest: &[usize]) -> Vec<usize> {
        let n = self.q.len();
        let moves = |a: usize, d: usize| {
            let (own, column) = (self.w[rest[a] * n + rest[a]].col(d)[d], &joints.columns[3 * a + d]);
            own - dot(column, column) > LOCKED * own
        };
        let free = |a: usize| match self.laws[rest[a]] {
            Law::Couple { .. } => (0..3).all(|d| moves(a, d)),
            _ => moves(a, 0),
        };
        let whole = |a: usize| match self.laws[rest[a]] {
            Law::Couple { contact, .. } => rest.binary_search(&contact).is_ok_and(free) && free(a),
            _ => free(a),
        };
        (0..rest.len()).filter(|&a| whole(a)).map(|a| rest[a]).collect()
    }

    /// Three rows that can do nothing.
    fn still(&mut self, i: usize) {
        self.p[i] = DVec3::ZERO;
        if let Law::Drive { parts } = &mut self.laws[i] {
            parts.iter_mut().for_each(|part| part.1 = 0.0);
        }
    }
}

fn renumbered(law: Law, number: impl Fn(usize) -> usize) -> Law {
    match law {
        Law::Couple { contact, twist } => Law::Couple { contact: number(contact), twist },
        other => other,
    }
}

/// The rows that hold, eliminated.
struct Joints {
    held: Vec<(usize, usize)>,
    factor: SemiCholesky,
    /// `L⁻¹ q_H`.
    free: Vec<f64>,
    /// `L⁻¹ W_HR`, column by column.
    columns: Vec<Vec<f64>>,
}

impl Joints {
    fn new(all: &Assembled, held: Vec<(usize, usize)>, rest: &[usize]) -> Self {
        let n = all.q.len();
        let entry = |(i, d): (usize, usize), (j, e): (usize, usize)| all.w[i * n + j].col(e)[d];
        let factor = SemiCholesky::new(held.len(), |a, b| entry(held[a], held[b]));
        let lower = |mut b: Vec<f64>| {
            factor.solve_lower(&mut b);
            b
        };
        let free = lower(held.iter().map(|&(i, d)| all.q[i][d]).collect());
        let column = |r: (usize, usize)| lower(held.iter().map(|&h| entry(h, r)).collect());
        let columns = rest.iter().flat_map(|&i| [(i, 0), (i, 1), (i, 2)]).map(column).collect();
        Self { held, factor, free, columns }
    }

    /// The problem of the rest.
    fn reduce(&self, all: &Assembled, rest: &[usize]) -> Rest {
        let n = all.q.len();
        let three = |f: &dyn Fn(usize) -> f64| DVec3::new(f(0), f(1), f(2));
        let through = |a: usize, b: usize| {
            let column = |e: usize| three(&|d| dot(&self.columns[3 * a + d], &self.columns[3 * b + e]));
            DMat3::from_cols(column(0), column(1), column(2))
        };
        let count = rest.len();
        let block = |(a, b): (usize, usize)| {
            let w = all.w[rest[a] * n + rest[b]];
            if self.held.is_empty() { w } else { w - through(a, b) }
        };
        let w: Vec<DMat3> = (0..count * count).map(|k| block((k / count, k % count))).collect();
        let free = |a: usize| all.q[rest[a]] - three(&|d| dot(&self.columns[3 * a + d], &self.free));
        let place = |contact: usize| rest.binary_search(&contact).unwrap_or(0);
        let law = |&i: &usize| renumbered(all.laws[i].clone(), place);
        let (q, p) = ((0..count).map(free).collect(), rest.iter().map(|&i| all.p[i]).collect());
        let laws = rest.iter().map(law).collect();
        Rest { w, q, u: Vec::new(), laws, p }.with_couples_in_place()
    }

    /// The impulses that hold, for those of the rest.
    fn give(&self, all: &mut Assembled, p: &[DVec3]) {
        let mut b: Vec<f64> = self.free.iter().map(|q| -q).collect();
        for (k, column) in self.columns.iter().enumerate() {
            let share = p[k / 3][k % 3];
            b.iter_mut().zip(column).for_each(|(b, y)| *b -= y * share);
        }
        self.factor.solve_upper(&mut b);
        for (i, law) in all.laws.iter().enumerate() {
            if matches!(law, Law::Hold { .. }) {
                all.p[i] = DVec3::ZERO;
            }
        }
        self.held.iter().zip(b).for_each(|(&(i, d), p)| all.p[i][d] = p);
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(x: f64) -> DMat3 {
        DMat3::from_diagonal(DVec3::splat(x))
    }

    /// A joint that holds a mass of half a kilogram which a contact pushes, too, from `q` [m/s].
    fn held(contact: f64, q: DVec3) -> Assembled {
        let laws = vec![Law::Contact { friction: 0.5 }, Law::Hold { used: [true; 3] }];
        let w = vec![block(2.0 + contact), block(2.0), block(2.0), block(2.0)];
        Assembled { w, q: vec![q, q], laws, p: vec![DVec3::ZERO; 2], driven: false }
    }

    #[test]
    fn a_joint_holds_whatever_a_contact_does() {
        // The other side of the contact is a mass of two kilograms that nothing holds.
        let mut problem = held(0.5, DVec3::new(-1.0, 0.3, 0.0));
        problem.q[1] = DVec3::ZERO;
        problem.solve(&ConstraintSettings::default());
        let u = problem.velocities();
        assert!(u[1].length() < 1e-12 && u[0].x.abs() < 1e-12, "{u:?}");
        assert!((problem.p[0].x - 2.0).abs() < 1e-9 && (problem.p[1] + problem.p[0]).length() < 1e-9);
    }

    #[test]
    fn what_joints_lock_is_left_to_them() {
        let mut problem = held(0.0, DVec3::new(-1.0, 0.3, 0.0));
        problem.solve(&ConstraintSettings::default());
        assert_eq!(problem.p[0], DVec3::ZERO);
        assert!(problem.velocities().iter().all(|u| u.length() < 1e-12), "{problem:?}");
    }

    #[test]
    fn a_motor_drives_against_its_stop() {
        let free = |low: f64, high: f64, bias: f64| RowLaw { bias, softness: 0.0, low, high };
        let parts = vec![(free(-1.0, 1.0, -3.0), 0.0), (free(f64::NEG_INFINITY, 0.0, 0.0), 0.0)];
        let mut problem = Assembled {
            w: vec![block(4.0)],
            q: vec![DVec3::ZERO],
            laws: vec![Law::Drive { parts }],
            p: vec![DVec3::ZERO],
            driven: false,
        };
        let found = problem.solve(&ConstraintSettings::default());
        let Law::Drive { parts } = &problem.laws[0] else { return };
        assert!(found.left == 0.0 && problem.velocities()[0].x.abs() < 1e-10, "{problem:?}");
        assert!((parts[0].1 - 1.0).abs() < 1e-10 && (parts[1].1 + 1.0).abs() < 1e-10, "{parts:?}");
    }
}
