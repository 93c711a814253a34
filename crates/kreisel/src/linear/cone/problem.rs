//! Frictional contact problems: `u = q + W p`, contact after contact, normal first.

use crate::linear::cone_local::{State, natural_map};
use glamx::{DMat3, DVec3};

/// Find `p` with `u = q + W p`, `0 ≤ p_n ⊥ u_n ≥ 0` and Coulomb friction against `u_t` in every contact. [AB08 ch. 13]
#[derive(Clone, Debug, PartialEq, Default)]
pub struct FrictionProblem {
    /// Where each contact's row of blocks begins.
    starts: Vec<usize>,
    /// The other contact of each block, ascending within a row.
    others: Vec<usize>,
    /// `W_ij`.
    blocks: Vec<DMat3>,
    /// Velocities without contact impulses.
    pub q: Vec<DVec3>,
    /// Coefficients of friction.
    pub mu: Vec<f64>,
}

/// Why numbers are no friction problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrictionInputError {
    /// `q` or `W` does not have three rows per contact.
    Size {
        /// Rows of `W` or entries of `q`.
        rows: usize,
        /// Entries of `mu`.
        contacts: usize,
    },
    /// Row numbers, column numbers and values of `W` are not equally many, but as many as these.
    Triplets(usize, usize, usize),
    /// A row or column number lies outside the matrix.
    Outside(usize),
    /// A value of `W` is infinite or not a number.
    MatrixNotFinite(usize),
    /// An entry of `q` is infinite or not a number.
    VectorNotFinite(usize),
    /// A coefficient of friction is negative, infinite or not a number.
    Friction(usize),
    /// The values given for this entry of `W` add up to more than a number holds.
    Overflow(usize, usize),
    /// `W` is far from symmetric in this entry: a triangle or a sign is missing.
    NotSymmetric(usize, usize),
}

impl std::fmt::Display for FrictionInputError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Size { rows, contacts } => write!(f, "{rows} rows for {contacts} contacts; each contact has 3"),
            Self::Triplets(i, j, v) => write!(f, "W has {i} row numbers, {j} column numbers and {v} values"),
            Self::Outside(k) => write!(f, "entry {k} of W lies outside the matrix (rows and columns count from 0)"),
            Self::MatrixNotFinite(k) => write!(f, "entry {k} of W is not finite"),
            Self::VectorNotFinite(k) => write!(f, "entry {k} of q is not finite"),
            Self::Friction(k) => write!(f, "the friction coefficient of contact {k} is negative or not finite"),
            Self::Overflow(i, j) => write!(f, "the values of W in row {i}, column {j} add up to infinity"),
            Self::NotSymmetric(i, j) => write!(f, "W is not symmetric in row {i}, column {j}"),
        }
    }
}

impl std::error::Error for FrictionInputError {}

/// Asymmetry, relative to the diagonal, beyond which a matrix is not taken for one of contacts. Inertia that is not quite constant in a
/// step leaves some 1e-3 in published problems, 2e-2 at worst; a triangle that was forgotten, or a sign, leaves more than this.
const ASYMMETRY: f64 = 0.1;
/// What rounding leaves of entries that vanish, relative to the largest of the diagonal. [1]
const ROUNDING: f64 = 1e-14;

/// Numbers whose squares are numbers, with room for impulses.
const PLAIN: std::ops::RangeInclusive<f64> = 1e-60..=1e60;

/// The power of two that is not larger than a number and more than half of it, as far as its inverse is a number; one if there is none.
fn power_of_two(x: f64) -> f64 {
    if x > 0.0 && x.is_finite() { x.log2().floor().clamp(-1020.0, 1020.0).exp2() } else { 1.0 }
}

impl FrictionProblem {
    /// From blocks `(contact, contact, W_ij)`, which are summed where they repeat; the caller keeps `W` symmetric.
    pub fn from_blocks(mut entries: Vec<(usize, usize, DMat3)>, q: Vec<DVec3>, mu: Vec<f64>) -> Self {
        entries.sort_by_key(|(i, j, _)| (*i, *j));
        let mut problem = Self { starts: vec![0; q.len() + 1], others: Vec::new(), blocks: Vec::new(), q, mu };
        let mut last = None;
        for (i, j, block) in entries {
            if last == Some((i, j)) {
                if let Some(sum) = problem.blocks.last_mut() {
                    *sum += block;
                }
                continue;
            }
            last = Some((i, j));
            problem.starts[i + 1] += 1;
            problem.others.push(j);
            problem.blocks.push(block);
        }
        (0..problem.q.len()).for_each(|i| problem.starts[i + 1] += problem.starts[i]);
        problem
    }

    /// From single entries of `W`; those that repeat are summed. What little `W` may lack of symmetry is part of the problem.
    pub fn from_triplets(
        rows: &[usize],
        columns: &[usize],
        values: &[f64],
        q: &[f64],
        mu: &[f64],
    ) -> Result<Self, FrictionInputError> {
        let n = q.len();
        if n != 3 * mu.len() {
            return Err(FrictionInputError::Size { rows: n, contacts: mu.len() });
        }
        if rows.len() != columns.len() || rows.len() != values.len() {
            return Err(FrictionInputError::Triplets(rows.len(), columns.len(), values.len()));
        }
        if let Some(k) = rows.iter().zip(columns).position(|(i, j)| *i >= n || *j >= n) {
            return Err(FrictionInputError::Outside(k));
        }
        if let Some(k) = values.iter().position(|v| !v.is_finite()) {
            return Err(FrictionInputError::MatrixNotFinite(k));
        }
        if let Some(k) = q.iter().position(|v| !v.is_finite()) {
            return Err(FrictionInputError::VectorNotFinite(k));
        }
        if let Some(k) = mu.iter().position(|m| !m.is_finite() || *m < 0.0) {
            return Err(FrictionInputError::Friction(k));
        }
        let mut entries = Vec::with_capacity(2 * values.len() + mu.len());
        for ((&i, &j), &v) in rows.iter().zip(columns).zip(values) {
            entries.push((i / 3, j / 3, single(i % 3, j % 3, v)));
            // The pattern is symmetric, whatever the values are.
            entries.push((j / 3, i / 3, DMat3::ZERO));
        }
        entries.extend((0..mu.len()).map(|i| (i, i, DMat3::ZERO)));
        let q = q.chunks_exact(3).map(|q| DVec3::new(q[0], q[1], q[2])).collect();
        let problem = Self::from_blocks(entries, q, mu.to_vec());
        problem.check_entries()?;
        Ok(problem)
    }

    fn check_entries(&self) -> Result<(), FrictionInputError> {
        let size = |k: usize| self.block(k / 3, k / 3).col(k % 3)[k % 3].abs();
        let rounding = ROUNDING * (0..3 * self.contacts()).map(size).fold(0.0, f64::max);
        for a in 0..self.contacts() {
            for (b, block) in self.row(a) {
                let other = self.block(b, a);
                for (i, j) in (0..9).map(|k| (k % 3, k / 3)) {
                    if !block.col(j)[i].is_finite() {
                        return Err(FrictionInputError::Overflow(3 * a + i, 3 * b + j));
                    }
                    let bound = ASYMMETRY * (size(3 * a + i).sqrt() * size(3 * b + j).sqrt()) + rounding;
                    if (block.col(j)[i] - other.col(i)[j]).abs() > bound {
                        return Err(FrictionInputError::NotSymmetric(3 * a + i, 3 * b + j));
                    }
                }
            }
        }
        Ok(())
    }

    /// The problem of the symmetric part of `W`, whose answers are near those of this one.
    pub(super) fn symmetric(&self) -> Self {
        let mut symmetric = self.clone();
        for i in 0..self.contacts() {
            for k in self.starts[i]..self.starts[i + 1] {
                symmetric.blocks[k] = (self.blocks[k] + self.block(self.others[k], i).transpose()) * 0.5;
            }
        }
        symmetric
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.q.len()
    }

    /// `(j, W_ij)` of one contact's row.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, &DMat3)> {
        let range = self.starts[i]..self.starts[i + 1];
        self.others[range.clone()].iter().copied().zip(&self.blocks[range])
    }

    /// All rows, for elimination.
    pub(super) fn rows(&self) -> Vec<Vec<(usize, DMat3)>> {
        (0..self.contacts()).map(|i| self.row(i).map(|(j, w)| (j, *w)).collect()).collect()
    }

    /// `W_ij`; zero where there is no block.
    pub fn block(&self, i: usize, j: usize) -> DMat3 {
        let range = self.starts[i]..self.starts[i + 1];
        self.others[range.clone()].binary_search(&j).map_or(DMat3::ZERO, |k| self.blocks[range.start + k])
    }

    /// `u_i = q_i + Σ W_ij p_j`.
    pub fn velocity(&self, i: usize, p: &[DVec3]) -> DVec3 {
        self.row(i).fold(self.q[i], |u, (j, w)| u + *w * p[j])
    }

    /// `ρ = 3/tr W_ii`, the mass that a contact feels.
    pub fn rho(&self, i: usize) -> f64 {
        let w = self.block(i, i);
        let trace = w.x_axis.x + w.y_axis.y + w.z_axis.z;
        if trace > 0.0 { 3.0 / trace } else { 1.0 }
    }

    /// Euclidean norm of `q`.
    pub fn size(&self) -> f64 {
        self.q.iter().map(|q| q.length_squared()).sum::<f64>().sqrt()
    }

    /// Norm of the natural map, relative to that of `q`; infinite if something is not a number.
    pub fn residual(&self, p: &[DVec3]) -> f64 {
        if let Some((plain, unit)) = self.in_plain_units() {
            return plain.residual(&p.iter().map(|p| *p / unit).collect::<Vec<DVec3>>());
        }
        let part = |i: usize| natural_map(p[i], self.velocity(i, p), self.mu[i], self.rho(i)).length_squared();
        let r = (0..self.contacts()).map(part).sum::<f64>().sqrt();
        let size = self.size();
        let finite = p.iter().all(|p| p.is_finite()) && !r.is_nan() && size.is_finite();
        if !finite {
            f64::INFINITY
        } else if size > 0.0 {
            r / size
        } else {
            r
        }
    }

    /// What each contact does under these impulses.
    pub fn states(&self, p: &[DVec3]) -> Vec<State> {
        let of = |i: usize| {
            let p_t = p[i].y.hypot(p[i].z);
            match p[i].x > 0.0 {
                false => State::Separate,
                true if p_t < self.mu[i] * p[i].x * (1.0 - 1e-9) => State::Stick,
                true => State::Slip,
            }
        };
        (0..self.contacts()).map(of).collect()
    }

    /// The same problem in units in which `q` and `W` are about one, and the unit of its impulses, if squares of these numbers leave the range of
    /// numbers: of what is lost there nothing would be missed, and no impulses at all would pass for an answer. Units are powers of two: nothing
    /// is rounded.
    pub(super) fn in_plain_units(&self) -> Option<(Self, f64)> {
        let diagonal = (0..self.contacts()).map(|i| self.block(i, i).col(0).x.abs() + self.block(i, i).col(1).y.abs());
        let of_w = power_of_two(diagonal.fold(0.0, f64::max));
        let of_q = power_of_two(self.q.iter().fold(0.0_f64, |m, q| m.max(q.abs().max_element())));
        if PLAIN.contains(&of_w) && PLAIN.contains(&of_q) {
            return None;
        }
        let mut plain = self.clone();
        plain.blocks.iter_mut().for_each(|block| *block *= 1.0 / of_w);
        plain.q.iter_mut().for_each(|q| *q /= of_q);
        Some((plain, of_q / of_w))
    }

    /// The same problem with a scale per contact, `p = s p̂`, in which each diagonal block has trace three; and the scales.
    pub fn scaled(&self) -> (Self, Vec<f64>) {
        let s: Vec<f64> = (0..self.contacts()).map(|i| self.rho(i).sqrt()).collect();
        let mut scaled = self.clone();
        for i in 0..self.contacts() {
            for k in self.starts[i]..self.starts[i + 1] {
                scaled.blocks[k] *= s[i] * s[self.others[k]];
            }
            scaled.q[i] *= s[i];
        }
        (scaled, s)
    }

    /// The proximal neighbour: `W + α 1`, `q − α p`. Its solution is one of this problem if it is `p`.
    pub fn proximal(&self, alpha: f64, p: &[DVec3]) -> Self {
        let mut near = self.clone();
        for (i, p) in p.iter().enumerate() {
            for k in self.starts[i]..self.starts[i + 1] {
                if self.others[k] == i {
                    near.blocks[k] += DMat3::from_diagonal(DVec3::splat(alpha));
                }
            }
            near.q[i] -= alpha * *p;
        }
        near
    }
}

fn single(row: usize, column: usize, value: f64) -> DMat3 {
    let mut block = DMat3::ZERO;
    block.col_mut(column)[row] = value;
    block
}
