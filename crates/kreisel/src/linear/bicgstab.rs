//! Stabilised biconjugate gradients [Vor92] for matrices that are not symmetric: friction follows the push and pressure its
//! face, but neither pushes back. Like conjugate gradients here, they never return unconverged without saying so.

use crate::linear::{CgError, CgInfo, CgParams, Operator, Vectors, fused};

/// Below this share of the lengths' product two directions are at right angles: the recurrence has broken down.
const AT_RIGHT_ANGLES: f64 = 1e-12;

/// The memory of biconjugate gradients, kept from solve to solve.
#[derive(Clone, Debug, Default)]
pub struct BicgSpace {
    /// `b − A x`.
    r: Vectors,
    /// The residual that the recurrence began with.
    shadow: Vectors,
    p: Vectors,
    /// `M⁻¹ p`, then `M⁻¹ r`.
    z: Vectors,
    /// `A M⁻¹ p`.
    v: Vectors,
    /// `A M⁻¹ r`.
    t: Vectors,
}

impl BicgSpace {
    /// Solves `A x = b` from the given `x`; `preconditioner` applies `M⁻¹`. The residual is always computed afresh before the
    /// result is believed. An error leaves the last iterate in `x`.
    pub fn solve(
        &mut self,
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
        let (goal, mut iterations, mut first) = (params.tolerance * size, 0, None);
        loop {
            a.apply(x, &mut self.r);
            let length = fused::subtract_from(b, &mut self.r).sqrt();
            if !length.is_finite() {
                return Err(CgError::NotFinite { iterations });
            }
            let (first, residual) = (*first.get_or_insert(length / size), length / size);
            if length <= goal {
                return Ok(CgInfo { iterations, residual, first });
            }
            if iterations >= params.max_iterations {
                return Err(CgError::NotConverged { iterations, residual });
            }
            iterations += self.descend(a, preconditioner, x, goal, params.max_iterations - iterations);
        }
    }

    /// Goes on from `r = b − A x` until the recurrence says `|r| ≤ goal`, breaks down, or has used up its products; returns
    /// how many it took, at least one.
    fn descend(&mut self, a: &dyn Operator, inverse: &dyn Operator, x: &mut Vectors, goal: f64, most: usize) -> usize {
        let Self { r, shadow, p, z, v, t } = self;
        shadow.copy_from(r);
        p.copy_from(r);
        let first = fused::dot(r, r);
        let (mut rho, mut products) = (first, 0);
        while products < most {
            inverse.apply(p, z);
            a.apply(z, v);
            products += 1;
            let alpha = rho / fused::dot(shadow, v);
            if !alpha.is_finite() || fused::advance(x, r, alpha, z, v).sqrt() <= goal {
                break;
            }
            inverse.apply(r, z);
            a.apply(z, t);
            let (along, square) = (fused::dot(t, r), fused::dot(t, t));
            products += 1;
            let omega = along / square;
            if !omega.is_finite() || omega == 0.0 {
                break;
            }
            let left = fused::advance(x, r, omega, z, t).sqrt();
            let next = fused::dot(shadow, r);
            // Written such that what is not a number breaks off, too.
            if !(left > goal && next.abs() > AT_RIGHT_ANGLES * left * first.sqrt()) {
                break;
            }
            let beta = next / rho * (alpha / omega);
            // p ← r + β (p − ω v)
            p.axpy(-omega, v);
            fused::turn_to(p, beta, r);
            rho = next;
        }
        products
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glamx::DVec3;

    /// What diffuses along a chain and drifts with a wind, plus `shift` times itself: not symmetric.
    struct Drift {
        wind: f64,
        shift: f64,
    }

    impl Operator for Drift {
        fn apply(&self, x: &Vectors, y: &mut Vectors) {
            y.reset(x.len());
            for i in 0..x.len() {
                y.add(i, (2.0 + self.shift) * x.get(i));
                if i > 0 {
                    y.add(i, -(1.0 + self.wind) * x.get(i - 1));
                }
                if i + 1 < x.len() {
                    y.add(i, -(1.0 - self.wind) * x.get(i + 1));
                }
            }
        }
    }

    struct Identity;

    impl Operator for Identity {
        fn apply(&self, x: &Vectors, y: &mut Vectors) {
            y.copy_from(x);
        }
    }

    fn loads(n: usize) -> Vectors {
        let mut b = Vectors::default();
        (0..n).for_each(|i| b.push(DVec3::new(1.0, (i as f64).sin(), -2.0)));
        b
    }

    fn solve(drift: &Drift, b: &Vectors, tolerance: f64, max_iterations: usize) -> Result<(CgInfo, Vectors), CgError> {
        let mut x = Vectors::zeros(b.len());
        let params = CgParams { tolerance, max_iterations, verify: true };
        let info = BicgSpace::default().solve(drift, &Identity, b, &mut x, &params)?;
        Ok((info, x))
    }

    #[test]
    fn what_is_returned_solves_the_equation_for_weak_and_strong_winds() {
        for wind in [0.0, 0.3, 0.9, 3.0] {
            let (drift, b) = (Drift { wind, shift: 0.5 }, loads(60));
            let (info, x) = solve(&drift, &b, 1e-12, 2000).unwrap();
            let mut left = Vectors::default();
            drift.apply(&x, &mut left);
            left.axpy(-1.0, &b);
            assert!(left.dot(&left).sqrt() <= 1.001e-12 * b.dot(&b).sqrt(), "wind {wind}: {info:?}");
        }
    }

    #[test]
    fn a_drift_along_a_chain_grows_as_it_should() {
        // −(1+w) x₋ + 2x − (1−w) x₊ = 0 between a held start and a source at the end: x_i ∝ ((1+w)/(1−w))^i − 1.
        let (n, wind) = (12, 0.2);
        let mut b = Vectors::zeros(n);
        b.set(n - 1, DVec3::X);
        let (_, x) = solve(&Drift { wind, shift: 0.0 }, &b, 1e-13, 500).unwrap();
        let ratio: f64 = (1.0 + wind) / (1.0 - wind);
        let grown = |i: usize| (ratio.powi(i as i32 + 1) - 1.0) / (ratio - 1.0);
        for i in 0..n {
            assert!((x.x[i] / x.x[0] - grown(i)).abs() < 1e-9 * grown(i));
        }
    }

    #[test]
    fn what_has_no_solution_is_never_returned_as_one() {
        let b = loads(30);
        assert!(matches!(solve(&Drift { wind: 0.5, shift: 0.0 }, &b, 1e-10, 4), Err(CgError::NotConverged { .. })));
        // 2 cos(π/2) = 0 is an eigenvalue of an odd chain without its diagonal: singular, and the load is not in its range.
        assert!(solve(&Drift { wind: 0.0, shift: -2.0 }, &loads(31), 1e-10, 300).is_err());
        let mut broken = b.clone();
        broken.y[3] = f64::NAN;
        assert!(matches!(solve(&Drift { wind: 0.5, shift: 0.0 }, &broken, 1e-10, 50), Err(CgError::NotFinite { .. })));
        assert_eq!(
            solve(&Drift { wind: 0.5, shift: 0.0 }, &Vectors::zeros(5), 1e-10, 50).unwrap().1,
            Vectors::zeros(5)
        );
    }
}
