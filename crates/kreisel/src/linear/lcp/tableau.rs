//! The basis of Lemke's method: `w − M z − d z₀ = q` solved for the basic variables.
//!
//! `B⁻¹` is kept by columns. A column that belongs to a basic `w` is a unit vector and is not stored, so that a pivot
//! costs rows times basic `z` instead of rows squared; contact problems have few basic `z`.

use super::problem::Lcp;
use super::twofold::Twofold;
use crate::linear::lu::{Lu, add_scaled};

/// A variable of the tableau.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variable {
    /// Slack `w` of a row.
    W(usize),
    /// Unknown `z`.
    Z(usize),
    /// The artificial variable that covers what is negative.
    Cover,
}

pub(super) struct Tableau {
    /// Columns of `M` as (row, entry) without zeros.
    columns: Vec<Vec<(usize, f64)>>,
    cover: Vec<f64>,
    q: Vec<f64>,
    /// Which variable each row stands for.
    pub(super) basic: Vec<Variable>,
    /// Row of `w_i` where it is basic.
    row_of_w: Vec<Option<usize>>,
    /// Columns of `B⁻¹` that are not unit vectors.
    inverse: Vec<Option<Vec<f64>>>,
    /// `B⁻¹ q`.
    pub(super) values: Vec<f64>,
    /// Refine columns and values.
    pub(super) careful: bool,
    /// Multiplications so far, about.
    pub(super) work: f64,
}

/// Passes of refinement where care is asked for.
const PASSES: usize = 2;
/// Multiplications that one in twice the digits costs, about.
const TWICE: f64 = 8.0;

impl Tableau {
    /// All `w` basic.
    pub(super) fn new(problem: &Lcp, cover: &[f64]) -> Self {
        let n = problem.size();
        let entry = |i: usize, j: usize| problem.row(i)[j];
        let column = |j| (0..n).map(|i| (i, entry(i, j))).filter(|(_, m)| *m != 0.0).collect();
        Self {
            columns: (0..n).map(column).collect(),
            cover: cover.to_vec(),
            q: problem.q().to_vec(),
            basic: (0..n).map(Variable::W).collect(),
            row_of_w: (0..n).map(Some).collect(),
            inverse: vec![None; n],
            values: problem.q().to_vec(),
            careful: false,
            work: 0.0,
        }
    }

    /// Number of rows.
    pub(super) fn size(&self) -> usize {
        self.q.len()
    }

    /// `B⁻¹` times the column of a variable that is not basic.
    pub(super) fn column(&self, variable: Variable) -> Vec<f64> {
        let mut out = self.rough_column(variable);
        if self.careful {
            let right = self.original(variable);
            (0..PASSES).for_each(|_| self.refine(&mut out, &right));
        }
        out
    }

    /// `x ← x + B⁻¹(b − B x)`, the bracket in twice the digits.
    fn refine(&self, x: &mut [f64], b: &[f64]) {
        let mut rest: Vec<Twofold> = b.iter().map(|b| Twofold::from(*b)).collect();
        for (variable, &value) in self.basic.iter().zip(x.iter()).filter(|(_, x)| **x != 0.0) {
            match *variable {
                Variable::W(i) => rest[i].add_product(-1.0, value),
                Variable::Z(j) => self.columns[j].iter().for_each(|&(i, m)| rest[i].add_product(m, value)),
                Variable::Cover => rest.iter_mut().zip(&self.cover).for_each(|(r, d)| r.add_product(*d, value)),
            }
        }
        for (i, rest) in rest.iter().enumerate() {
            self.add_inverse_column(x, i, rest.sum());
        }
    }

    fn rough_column(&self, variable: Variable) -> Vec<f64> {
        let mut out = vec![0.0; self.size()];
        match variable {
            Variable::W(i) => self.add_inverse_column(&mut out, i, 1.0),
            Variable::Z(j) => self.columns[j].iter().for_each(|&(i, m)| self.add_inverse_column(&mut out, i, -m)),
            Variable::Cover => {
                self.cover.iter().enumerate().for_each(|(i, d)| self.add_inverse_column(&mut out, i, -d));
            }
        }
        out
    }

    fn add_inverse_column(&self, out: &mut [f64], i: usize, s: f64) {
        match (&self.inverse[i], self.row_of_w[i]) {
            (Some(column), _) => add_scaled(out, s, column),
            (None, Some(row)) => out[row] += s,
            (None, None) => {}
        }
    }

    /// Entry of `B⁻¹`.
    pub(super) fn inverse_entry(&self, row: usize, i: usize) -> f64 {
        match &self.inverse[i] {
            Some(column) => column[row],
            None => f64::from(u8::from(self.row_of_w[i] == Some(row))),
        }
    }

    /// The variable enters where `row` is; `column` is its column. Returns what leaves.
    pub(super) fn pivot(&mut self, row: usize, entering: Variable, column: &[f64]) -> Variable {
        let leaving = self.basic[row];
        self.work += self.pivot_work();
        if let Variable::W(i) = leaving {
            let mut unit = vec![0.0; self.size()];
            unit[row] = 1.0;
            self.inverse[i] = Some(unit);
            self.row_of_w[i] = None;
        }
        for stored in self.inverse.iter_mut().flatten().chain([&mut self.values]) {
            let step = stored[row] / column[row];
            if step != 0.0 {
                add_scaled(stored, -step, column);
            }
            stored[row] = step;
        }
        if let Variable::W(i) = entering {
            self.inverse[i] = None;
            self.row_of_w[i] = Some(row);
        }
        self.basic[row] = entering;
        if self.careful {
            let mut values = std::mem::take(&mut self.values);
            (0..PASSES).for_each(|_| self.refine(&mut values, &self.q));
            self.values = values;
        }
        leaving
    }

    /// Multiplications of a pivot and of the column before it: every column that is stored, changed once and read once, and with care for each pass of
    /// two refinements once more; there, products in twice the digits as well.
    fn pivot_work(&self) -> f64 {
        let stored = self.inverse.iter().flatten().count() as f64;
        let passes = if self.careful { 2.0 * PASSES as f64 } else { 0.0 };
        self.size() as f64 * stored * (2.0 + passes * (1.0 + TWICE))
    }

    /// `max|q − B B⁻¹q|`: what rounding has done so far.
    pub(super) fn drift(&self) -> f64 {
        let mut rest = self.q.clone();
        for (variable, value) in self.basic.iter().zip(&self.values) {
            match *variable {
                Variable::W(i) => rest[i] -= value,
                Variable::Z(j) => self.columns[j].iter().for_each(|&(i, m)| rest[i] += m * value),
                Variable::Cover => add_scaled(&mut rest, *value, &self.cover),
            }
        }
        rest.iter().fold(0.0, |r, x| r.max(x.abs()))
    }

    /// Computes `B⁻¹` anew. With `S` the rows whose `w` is not basic, only the block of the basic `z` in `S` is inverted.
    pub(super) fn refactor(&mut self) -> Option<()> {
        let n = self.size();
        let outside: Vec<usize> = (0..n).filter(|&i| self.row_of_w[i].is_none()).collect();
        let rows: Vec<usize> = (0..n).filter(|&r| !matches!(self.basic[r], Variable::W(_))).collect();
        let k = rows.len();
        let full: Vec<Vec<f64>> = rows.iter().map(|&r| self.original(self.basic[r])).collect();
        let block = outside.iter().flat_map(|&i| full.iter().map(move |column| column[i])).collect();
        let lu = Lu::new(block, k, 1e-15)?;
        // What the basic `z` do to rows whose `w` is basic: most columns have few entries there.
        let beyond = |column: &Vec<f64>| -> Vec<(usize, f64)> {
            let entries = column.iter().zip(&self.row_of_w).filter(|(a, _)| **a != 0.0);
            entries.filter_map(|(a, row)| row.map(|r| (r, *a))).collect()
        };
        let beyond: Vec<Vec<(usize, f64)>> = full.iter().map(beyond).collect();
        let entries: usize = beyond.iter().map(Vec::len).sum();
        self.work += k as f64 * ((k * k) as f64 * 4.0 / 3.0 + entries as f64);
        for (place, &i) in outside.iter().enumerate() {
            let mut x = vec![0.0; k];
            x[place] = 1.0;
            lu.solve(&mut x);
            let mut column = vec![0.0; n];
            rows.iter().zip(&x).for_each(|(&r, x)| column[r] = *x);
            for (x, beyond) in x.iter().zip(&beyond).filter(|(x, _)| **x != 0.0) {
                beyond.iter().for_each(|&(r, a)| column[r] -= a * x);
            }
            self.inverse[i] = Some(column);
        }
        let mut values = vec![0.0; n];
        (0..n).for_each(|i| self.add_inverse_column(&mut values, i, self.q[i]));
        self.values = values;
        Some(())
    }

    /// A variable's column in the tableau as it began.
    fn original(&self, variable: Variable) -> Vec<f64> {
        let mut out = vec![0.0; self.size()];
        match variable {
            Variable::W(i) => out[i] = 1.0,
            Variable::Z(j) => self.columns[j].iter().for_each(|&(i, m)| out[i] = -m),
            Variable::Cover => self.cover.iter().zip(&mut out).for_each(|(d, x)| *x = -d),
        }
        out
    }

    /// Starts from a basis: `z_i` basic where `chosen`. `None` if that basis is singular.
    pub(super) fn choose(&mut self, chosen: &[bool]) -> Option<()> {
        for (i, _) in chosen.iter().enumerate().filter(|(_, c)| **c) {
            self.basic[i] = Variable::Z(i);
            self.row_of_w[i] = None;
        }
        self.refactor()
    }

    /// The values of the basic `z`, the others zero.
    pub(super) fn z(&self) -> Vec<f64> {
        let mut z = vec![0.0; self.size()];
        for (variable, value) in self.basic.iter().zip(&self.values) {
            if let Variable::Z(j) = variable {
                z[*j] = *value;
            }
        }
        z
    }
}
