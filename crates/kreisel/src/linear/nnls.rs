//! Nonnegative least squares: the point of a cone of columns nearest to a target. [LH74 ch. 23]
//!
//! If the target is outside the cone, the rest `r = t − A x` separates it: `Aᵀr ≤ 0` and `r·t = |r|² > 0` (Farkas).

use super::lu::{add_scaled, dot};

/// The nearest point.
pub(crate) struct Nearest {
    /// Nonnegative shares of the columns.
    pub x: Vec<f64>,
    /// Target minus nearest point.
    pub rest: Vec<f64>,
}

/// A column whose part across the others is smaller than this share is one of their combinations.
const DEPENDENT: f64 = 1e-11;
/// Multiplications that a search may cost.
const MOST_WORK: f64 = 1e10;

/// Columns in use, orthonormalised: `A_P = Q R`.
#[derive(Default)]
struct Passive {
    columns: Vec<usize>,
    q: Vec<Vec<f64>>,
    /// Columns of `R`.
    r: Vec<Vec<f64>>,
    /// Multiplications so far.
    work: f64,
}

impl Passive {
    /// Appends a column; false if it depends on the others.
    fn push(&mut self, j: usize, column: &[f64]) -> bool {
        let (mut v, mut r) = (column.to_vec(), vec![0.0; self.q.len()]);
        self.work += 4.0 * (self.q.len() * column.len()) as f64;
        for _ in 0..2 {
            for (q, r) in self.q.iter().zip(&mut r) {
                let share = dot(q, &v);
                add_scaled(&mut v, -share, q);
                *r += share;
            }
        }
        let length = dot(&v, &v).sqrt();
        if length <= DEPENDENT * dot(column, column).sqrt() {
            return false;
        }
        v.iter_mut().for_each(|v| *v /= length);
        r.push(length);
        self.columns.push(j);
        self.q.push(v);
        self.r.push(r);
        true
    }

    /// Keeps the columns that pass; those after the first that goes are orthonormalised anew.
    fn retain(&mut self, keep: &[bool], all: &[Vec<f64>]) {
        let first = keep.iter().position(|k| !k).unwrap_or(keep.len());
        let later: Vec<usize> = (first..keep.len()).filter(|&k| keep[k]).map(|k| self.columns[k]).collect();
        self.columns.truncate(first);
        self.q.truncate(first);
        self.r.truncate(first);
        for j in later {
            self.push(j, &all[j]);
        }
    }

    /// Least squares without signs.
    fn solve(&self, target: &[f64]) -> Vec<f64> {
        let mut x: Vec<f64> = self.q.iter().map(|q| dot(q, target)).collect();
        for k in (0..x.len()).rev() {
            x[k] /= self.r[k][k];
            let (head, tail) = x.split_at_mut(k);
            add_scaled(head, -tail[0], &self.r[k][..k]);
        }
        x
    }
}

/// The nearest point of the cone of `columns` to `target`, or the nearest that was found with as much work as is allowed: whoever takes the rest
/// for a separation checks that it separates.
pub(crate) fn nearest_in_cone(columns: &[Vec<f64>], target: &[f64]) -> Nearest {
    let lengths: Vec<f64> = columns.iter().map(|c| dot(c, c).sqrt()).collect();
    let size = dot(target, target).sqrt();
    let mut passive = Passive::default();
    let mut x = vec![0.0; columns.len()];
    let mut blocked = vec![false; columns.len()];
    for _ in 0..4 * columns.len() + 10 {
        passive.work += (columns.len() * target.len()) as f64;
        if passive.work > MOST_WORK {
            break;
        }
        let rest = rest(columns, &x, target);
        let pull = |j: usize| dot(&columns[j], &rest) / lengths[j];
        let open = (0..columns.len()).filter(|&j| !blocked[j] && lengths[j] > 0.0 && !passive.columns.contains(&j));
        let best = open.map(|j| (j, pull(j))).fold(None, |best: Option<(usize, f64)>, next| match best {
            Some(b) if b.1 >= next.1 => Some(b),
            _ => Some(next),
        });
        let Some((j, _)) = best.filter(|(_, pull)| *pull > 1e-13 * size) else { break };
        if dot(&rest, &rest).sqrt() <= 1e-13 * size {
            break;
        }
        if passive.push(j, &columns[j]) && descend(&mut passive, columns, target, &mut x) {
            blocked.fill(false);
        }
        blocked[j] = x[j] == 0.0;
    }
    Nearest { rest: rest(columns, &x, target), x }
}

/// Moves to the least squares of the columns in use, dropping those that would become negative; true if one was dropped.
fn descend(passive: &mut Passive, columns: &[Vec<f64>], target: &[f64], x: &mut [f64]) -> bool {
    let mut dropped = false;
    while !passive.columns.is_empty() && passive.work <= MOST_WORK {
        let s = passive.solve(target);
        let step = passive.columns.iter().zip(&s).filter(|(_, s)| **s <= 0.0);
        let a = step.map(|(&j, s)| x[j] / (x[j] - s).max(f64::MIN_POSITIVE)).fold(1.0, f64::min);
        passive.columns.iter().zip(&s).for_each(|(&j, s)| x[j] += a * (s - x[j]));
        let least = 1e-15 * s.iter().fold(0.0_f64, |m, s| m.max(s.abs()));
        let keep: Vec<bool> = passive.columns.iter().zip(&s).map(|(&j, s)| *s > 0.0 || x[j] > least).collect();
        if keep.iter().all(|k| *k) {
            return dropped;
        }
        passive.columns.iter().zip(&keep).filter(|(_, k)| !**k).for_each(|(&j, _)| x[j] = 0.0);
        passive.retain(&keep, columns);
        dropped = true;
    }
    dropped
}

fn rest(columns: &[Vec<f64>], x: &[f64], target: &[f64]) -> Vec<f64> {
    let mut rest = target.to_vec();
    columns.iter().zip(x).filter(|(_, x)| **x != 0.0).for_each(|(c, x)| add_scaled(&mut rest, -x, c));
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_inside_the_cone_is_reached_and_one_outside_is_separated() {
        let mut s = 5_u64;
        let mut next = || {
            s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (s >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let (mut inside, mut outside) = (0, 0);
        for round in 0..200 {
            let n = 2 + round % 15;
            let columns: Vec<Vec<f64>> = (0..n + round % 7).map(|_| (0..n).map(|_| next()).collect()).collect();
            let target: Vec<f64> = (0..n).map(|_| next()).collect();
            let Nearest { x, rest } = nearest_in_cone(&columns, &target);
            assert!(x.iter().all(|x| *x >= 0.0));
            let length = dot(&rest, &rest);
            if length < 1e-20 {
                inside += 1;
                continue;
            }
            outside += 1;
            assert!(columns.iter().all(|c| dot(c, &rest) <= 1e-10), "{round}");
            assert!((dot(&rest, &target) - length).abs() < 1e-10);
        }
        assert!(inside > 20 && outside > 20, "{inside} {outside}");
    }
}
