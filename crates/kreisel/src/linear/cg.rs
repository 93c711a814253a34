//! Preconditioned conjugate gradients [HS52] that never return unconverged without saying so.

use crate::linear::small::Matrix;
use crate::linear::{Operator, Vectors, fused};
use std::fmt;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CgParams {
    /// Converged when `|b − A x| ≤ tolerance · |b|` [1].
    pub tolerance: f64,
    /// At most so many products with `A`.
    pub max_iterations: usize,
    /// The residual is computed afresh before the result is believed: its recurrence drifts from the truth. Who looks at the
    /// result in another way need not pay for that.
    pub verify: bool,
}

impl Default for CgParams {
    fn default() -> Self {
        Self { tolerance: 1e-8, max_iterations: 10_000, verify: true }
    }
}

/// What a solve cost, and how good it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CgInfo {
    /// Products with `A` along search directions.
    pub iterations: usize,
    /// `|b − A x| / |b|` at the end [1].
    pub residual: f64,
    /// The same at the start, after the first guess was improved [1].
    pub first: f64,
}

/// Why there is no solution; `x` then holds the last iterate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CgError {
    /// The iterations ran out.
    NotConverged {
        /// Iterations done.
        iterations: usize,
        /// `|b − A x| / |b|` reached [1].
        residual: f64,
    },
    /// The matrix has no positive curvature along a search direction `p`: it is indefinite, or singular with an
    /// inconsistent right side.
    Indefinite {
        /// `pᵀAp / pᵀM p`, `M` the preconditioner's matrix: about 1 for a good direction [1].
        curvature: f64,
        /// Iterations done.
        iterations: usize,
    },
    /// A number became infinite or NaN.
    NotFinite {
        /// Iterations done.
        iterations: usize,
    },
}

impl fmt::Display for CgError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotConverged { iterations, residual } => {
                write!(f, "not converged after {iterations} iterations, relative residual {residual:.3e}")
            }
            Self::Indefinite { curvature, iterations } => {
                write!(f, "the matrix is not positive definite (curvature {curvature:.3e} in iteration {iterations})")
            }
            Self::NotFinite { iterations } => write!(f, "a number is not finite in iteration {iterations}"),
        }
    }
}

impl std::error::Error for CgError {}

/// Curvatures below this, relative to the preconditioner's, are rounding errors of zero.
const NO_CURVATURE: f64 = 1e-14;

/// Solves `A x = b` for symmetric positive definite `A` from the given `x`; `preconditioner` applies `M⁻¹`, also
/// symmetric positive definite. A semidefinite `A` is fine if `b` lies in its range.
pub fn solve_cg(
    a: &dyn Operator,
    preconditioner: &dyn Operator,
    b: &Vectors,
    x: &mut Vectors,
    params: &CgParams,
) -> Result<CgInfo, CgError> {
    CgSpace::default().solve(a, preconditioner, b, x, params)
}

/// The memory of conjugate gradients, kept from solve to solve.
#[derive(Clone, Debug, Default)]
pub struct CgSpace {
    /// `b − A x`.
    r: Vectors,
    /// `M⁻¹ r`.
    z: Vectors,
    /// The search direction.
    p: Vectors,
    /// `A p`.
    q: Vectors,
}

impl CgSpace {
    /// As [`solve_cg`], in this memory.
    pub fn solve(
        &mut self,
        a: &dyn Operator,
        preconditioner: &dyn Operator,
        b: &Vectors,
        x: &mut Vectors,
        params: &CgParams,
    ) -> Result<CgInfo, CgError> {
        self.solve_along(&[], a, preconditioner, b, x, params)
    }

    /// As [`CgSpace::solve`]; the solution is looked for along the given `directions` first, at most three.
    pub fn solve_along(
        &mut self,
        directions: &[&Vectors],
        a: &dyn Operator,
        preconditioner: &dyn Operator,
        b: &Vectors,
        x: &mut Vectors,
        params: &CgParams,
    ) -> Result<CgInfo, CgError> {
        let size = fused::dot(b, b).sqrt();
        if size == 0.0 {
            x.reset(b.len());
            return Ok(CgInfo::default());
        }
        let goal = params.tolerance * size;
        let (mut iterations, mut first, mut directions) = (0, None, Some(directions));
        loop {
            let mut length = self.residual(a, b, x, size);
            if !length.is_finite() {
                return Err(CgError::NotFinite { iterations });
            }
            if let Some(directions) = directions.take() {
                length = self.improve(a, directions, x, length);
            }
            let first = *first.get_or_insert(length / size);
            if length <= goal {
                return Ok(CgInfo { iterations, residual: length / size, first });
            }
            if iterations >= params.max_iterations {
                return Err(CgError::NotConverged { iterations, residual: length / size });
            }
            let length = self.descend(a, preconditioner, x, length, goal, params.max_iterations, &mut iterations)?;
            if !params.verify && length <= goal {
                return Ok(CgInfo { iterations, residual: length / size, first });
            }
        }
    }

    /// `r = b − A x`, and its length; `b` has the length `size`.
    fn residual(&mut self, a: &dyn Operator, b: &Vectors, x: &Vectors, size: f64) -> f64 {
        if x.is_zero() {
            self.r.copy_from(b);
            return size;
        }
        a.apply(x, &mut self.r);
        fused::subtract_from(b, &mut self.r).sqrt()
    }

    /// Goes to the best place (in the energy of the error) that the first three directions span from `x`, for which
    /// `r = b − A x`. Returns `|r|`, which was `length`.
    fn improve(&mut self, a: &dyn Operator, directions: &[&Vectors], x: &mut Vectors, mut length: f64) -> f64 {
        let Self { r, z, p, q } = self;
        let mut products = [z, p, q];
        let (mut matrix, mut right) = (Matrix::<3>::ZERO, [0.0; 3]);
        for (i, (d, product)) in directions.iter().zip(&mut products).enumerate() {
            a.apply(d, product);
            right[i] = fused::dot(d, r);
            for (j, e) in directions.iter().enumerate().take(i + 1) {
                let entry = fused::dot(e, product);
                (matrix.0[i][j], matrix.0[j][i]) = (entry, entry);
            }
        }
        let factor = matrix.inverse_cholesky(&std::array::from_fn(|i| matrix.0[i][i]));
        let shares = factor.transposed_times(&factor.times(&right));
        if shares.iter().all(|s| s.is_finite()) {
            for ((d, product), share) in directions.iter().zip(&products).zip(shares) {
                length = fused::advance(x, r, share, d, product).sqrt();
            }
        }
        length
    }

    /// Conjugate directions from `r = b − A x` of the given length until the recurrence says `|r| ≤ goal`, or the iterations
    /// run out; returns `|r|` as the recurrence has it.
    #[allow(clippy::too_many_arguments)]
    fn descend(
        &mut self,
        a: &dyn Operator,
        preconditioner: &dyn Operator,
        x: &mut Vectors,
        mut length: f64,
        goal: f64,
        max_iterations: usize,
        iterations: &mut usize,
    ) -> Result<f64, CgError> {
        let Self { r, z, p, q } = self;
        let mut rz = preconditioner.apply_and_dot(r, z);
        p.copy_from(z);
        let mut metric = rz; // pᵀMp: conjugacy gives pᵀMp = rᵀz + β² (pᵀMp of before)
        while length > goal && *iterations < max_iterations {
            let pq = a.apply_and_dot(p, q);
            *iterations += 1;
            if !pq.is_finite() {
                return Err(CgError::NotFinite { iterations: *iterations });
            }
            if pq <= NO_CURVATURE * metric {
                return Err(CgError::Indefinite { curvature: pq / metric, iterations: *iterations });
            }
            length = fused::advance(x, r, rz / pq, p, q).sqrt();
            if length <= goal {
                break;
            }
            let next = preconditioner.apply_and_dot(r, z);
            let beta = next / rz;
            fused::turn_to(p, beta, z);
            metric = next + beta * beta * metric;
            rz = next;
        }
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glamx::DVec3;

    /// A chain of `n` elements; `ends` holds both ends to walls, `shift` is added to the diagonal.
    struct Chain {
        n: usize,
        ends: f64,
        shift: f64,
    }

    impl Operator for Chain {
        fn apply(&self, x: &Vectors, y: &mut Vectors) {
            y.reset(x.len());
            for i in 0..self.n {
                y.add(i, self.shift * x.get(i));
                if i + 1 < self.n {
                    let pull = x.get(i) - x.get(i + 1);
                    y.add(i, pull);
                    y.add(i + 1, -pull);
                }
            }
            y.add(0, self.ends * x.get(0));
            y.add(self.n - 1, self.ends * x.get(self.n - 1));
        }
    }

    struct Identity;

    impl Operator for Identity {
        fn apply(&self, x: &Vectors, y: &mut Vectors) {
            y.copy_from(x);
        }
    }

    fn unit_loads(n: usize) -> Vectors {
        let mut b = Vectors::default();
        (0..n).for_each(|_| b.push(DVec3::new(1.0, 2.0, -1.0)));
        b
    }

    #[test]
    fn a_hanging_chain_between_walls_takes_its_parabola() {
        let n = 40;
        let mut x = Vectors::zeros(n);
        let chain = Chain { n, ends: 1.0, shift: 0.0 };
        let params = CgParams { tolerance: 1e-12, max_iterations: 100, verify: true };
        let info = solve_cg(&chain, &Identity, &unit_loads(n), &mut x, &params).unwrap();
        assert!(info.iterations <= n && info.residual <= 1e-12, "{info:?}");
        for i in 0..n {
            let exact = 0.5 * ((i + 1) * (n - i)) as f64;
            assert!((x.x[i] - exact).abs() < 1e-9 && (x.y[i] - 2.0 * exact).abs() < 1e-9);
        }
    }

    #[test]
    fn what_has_no_solution_is_never_returned_as_one() {
        let n = 10;
        let solve = |chain: Chain, b: &Vectors, max_iterations: usize| {
            let params = CgParams { tolerance: 1e-10, max_iterations, verify: true };
            solve_cg(&chain, &Identity, b, &mut Vectors::zeros(n), &params)
        };
        let loads = unit_loads(n);
        let held = || Chain { n, ends: 1.0, shift: 0.0 };
        assert!(matches!(solve(held(), &loads, 2), Err(CgError::NotConverged { iterations: 2, .. })));
        let negative = Chain { n, ends: 1.0, shift: -5.0 };
        assert!(matches!(solve(negative, &loads, 50), Err(CgError::Indefinite { .. })));
        let floating = Chain { n, ends: 0.0, shift: 0.0 };
        assert!(matches!(solve(floating, &loads, 50), Err(CgError::Indefinite { .. })));
        let mut broken = loads.clone();
        broken.y[3] = f64::NAN;
        assert!(matches!(solve(held(), &broken, 50), Err(CgError::NotFinite { .. })));
    }

    #[test]
    fn a_floating_chain_under_balanced_loads_is_solved() {
        let n = 10;
        let mut b = Vectors::zeros(n);
        b.set(0, -DVec3::X);
        b.set(n - 1, DVec3::X);
        let mut x = Vectors::zeros(n);
        let chain = Chain { n, ends: 0.0, shift: 0.0 };
        solve_cg(&chain, &Identity, &b, &mut x, &CgParams::default()).unwrap();
        assert!((x.x[n - 1] - x.x[0] - 9.0).abs() < 1e-7);
    }
}
