//! The lowest eigenpairs of a symmetric operator by locally optimal block preconditioned conjugate gradients [Kny01].
//!
//! Each round seeks the best block within the span of the block `X`, its preconditioned residuals `W` and the directions
//! `P` of the round before (Rayleigh–Ritz). The basis `[X P W]` is kept orthonormal, and `P` is made so in the small
//! space of coefficients [HL06]: the method's known loss of accuracy does not arise.

use crate::linear::dense::symmetric_eigen;
use crate::linear::{Operator, Vectors};
use rayon::prelude::*;

/// An operator that several threads may apply at a time.
pub type SharedOperator<'a> = &'a (dyn Operator + Sync);

/// What to find, and when to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LobpcgParams {
    /// So many eigenpairs are wanted; the block may be larger.
    pub count: usize,
    /// A pair is found when `|A x − λ x| ≤ tolerance · |λ|` for unit `x` [1].
    pub tolerance: f64,
    /// … or when `|A x − λ x|` is no more than this: rounding.
    pub floor: f64,
    /// At most so many rounds.
    pub max_iterations: usize,
}

/// What was found, the lowest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Eigenpairs {
    /// Eigenvalues, ascending.
    pub values: Vec<f64>,
    /// Orthonormal eigenvectors.
    pub vectors: Vec<Vectors>,
    /// `|A x − λ x|` of each, computed afresh.
    pub residuals: Vec<f64>,
    /// Rounds done.
    pub iterations: usize,
    /// True if all that were wanted are found.
    pub converged: bool,
}

/// Directions of which less than this is left after what is known is taken out carry no news.
const NO_NEWS: f64 = 1e-10;

/// The lowest eigenpairs orthogonal to `kept_out` (orthonormal, and mapped to itself by `A`), from a block of starts.
///
/// `a` and `preconditioner` (about `A⁻¹`; any approximation will do, also one that is not linear) must keep vectors within
/// the space of the starts. `None` if a number is not finite.
pub fn lowest_eigenpairs(
    a: SharedOperator,
    preconditioner: SharedOperator,
    kept_out: &[Vectors],
    starts: Vec<Vectors>,
    params: &LobpcgParams,
) -> Option<Eigenpairs> {
    let mut block = Block::new(a, kept_out, starts)?;
    let mut iterations = 0;
    loop {
        let mut residuals = block.residuals();
        let is_found = |residuals: &[Vectors], values: &[f64], j: usize| {
            let size = residuals[j].dot(&residuals[j]).sqrt();
            size <= params.floor.max(params.tolerance * values[j].abs())
        };
        let wanted = params.count.min(block.values.len());
        let all_found = |residuals: &[Vectors], values: &[f64]| (0..wanted).all(|j| is_found(residuals, values, j));
        if all_found(&residuals, &block.values) || iterations >= params.max_iterations {
            // Products are updated with the block and drift: they are computed afresh before the result is believed.
            block.refresh(a);
            residuals = block.residuals();
            let converged = all_found(&residuals, &block.values);
            if converged || iterations >= params.max_iterations {
                return Some(block.into_pairs(wanted, &residuals, iterations, converged));
            }
        }
        let open: Vec<&Vectors> =
            (0..residuals.len()).filter(|&j| !is_found(&residuals, &block.values, j)).map(|j| &residuals[j]).collect();
        let news = products(preconditioner, &open);
        block.improve(a, kept_out, news)?;
        iterations += 1;
    }
}

/// `A x` of each, in parallel: each product is one thread's, so the bits do not depend on their number.
fn products<T: std::borrow::Borrow<Vectors> + Sync>(a: SharedOperator, of: &[T]) -> Vec<Vectors> {
    let product = |x: &T| {
        let mut y = Vectors::zeros(x.borrow().len());
        a.apply(x.borrow(), &mut y);
        y
    };
    of.par_iter().map(product).collect()
}

/// The block with its Ritz values, the directions of the round before, and the products of both.
struct Block {
    values: Vec<f64>,
    x: Vec<Vectors>,
    ax: Vec<Vectors>,
    p: Vec<Vectors>,
    ap: Vec<Vectors>,
}

impl Block {
    fn new(a: SharedOperator, kept_out: &[Vectors], starts: Vec<Vectors>) -> Option<Self> {
        let size = starts.len();
        let mut block = Self { values: Vec::new(), x: Vec::new(), ax: Vec::new(), p: Vec::new(), ap: Vec::new() };
        let x = orthonormalised(starts, &[kept_out]);
        let ax = products(a, &x);
        block.take(x, ax, size)?;
        block.p.clear();
        block.ap.clear();
        Some(block)
    }

    fn residuals(&self) -> Vec<Vectors> {
        let residual = |j: usize| {
            let mut r = self.ax[j].clone();
            r.axpy(-self.values[j], &self.x[j]);
            r
        };
        (0..self.x.len()).into_par_iter().map(residual).collect()
    }

    fn refresh(&mut self, a: SharedOperator) {
        self.ax = products(a, &self.x);
        self.values = self.x.iter().zip(&self.ax).map(|(x, ax)| x.dot(ax)).collect();
    }

    /// Takes the best block within the span of block, directions and news.
    fn improve(&mut self, a: SharedOperator, kept_out: &[Vectors], news: Vec<Vectors>) -> Option<()> {
        let size = self.x.len();
        let w = orthonormalised(news, &[kept_out, &self.x, &self.p]);
        let aw = products(a, &w);
        let join = |mut a: Vec<Vectors>, b: Vec<Vectors>, c: Vec<Vectors>| {
            a.extend(b);
            a.extend(c);
            a
        };
        let (x, p) = (std::mem::take(&mut self.x), std::mem::take(&mut self.p));
        let (ax, ap) = (std::mem::take(&mut self.ax), std::mem::take(&mut self.ap));
        self.take(join(x, p, w), join(ax, ap, aw), size)
    }

    /// Rayleigh–Ritz in an orthonormal basis, whose first `size` vectors were the block before.
    fn take(&mut self, basis: Vec<Vectors>, images: Vec<Vectors>, size: usize) -> Option<()> {
        let row = |i: usize| -> Vec<f64> { (0..=i).map(|j| basis[i].dot(&images[j])).collect() };
        let rows: Vec<Vec<f64>> = (0..basis.len()).into_par_iter().map(row).collect();
        let found = symmetric_eigen(&rows)?;
        let size = size.min(basis.len());
        let best = &found.vectors[..size];
        let directions = directions(best, size);
        self.values = found.values[..size].to_vec();
        (self.x, self.ax) = (combined(&basis, best), combined(&images, best));
        (self.p, self.ap) = (combined(&basis, &directions), combined(&images, &directions));
        Some(())
    }

    fn into_pairs(self, wanted: usize, residuals: &[Vectors], iterations: usize, converged: bool) -> Eigenpairs {
        let mut pairs = Eigenpairs { values: self.values, vectors: self.x, residuals: vec![], iterations, converged };
        pairs.values.truncate(wanted);
        pairs.vectors.truncate(wanted);
        pairs.residuals = residuals[..wanted].iter().map(|r| r.dot(r).sqrt()).collect();
        pairs
    }
}

/// Coefficients of the conjugate directions: what the best block has of the new part of the basis, made orthonormal to
/// the block and to each other.
fn directions(best: &[Vec<f64>], size: usize) -> Vec<Vec<f64>> {
    let mut all: Vec<Vec<f64>> = Vec::new();
    for c in best {
        let mut p = c.clone();
        p[..size].fill(0.0);
        let before = norm(&p);
        for _ in 0..2 {
            for other in best.iter().chain(&all) {
                let s: f64 = p.iter().zip(other).map(|(a, b)| a * b).sum();
                p.iter_mut().zip(other).for_each(|(p, o)| *p -= s * o);
            }
        }
        let length = norm(&p);
        if length > NO_NEWS * before && length > 0.0 {
            p.iter_mut().for_each(|p| *p /= length);
            all.push(p);
        }
    }
    all
}

fn norm(a: &[f64]) -> f64 {
    a.iter().map(|a| a * a).sum::<f64>().sqrt()
}

/// `Σ cᵢ bᵢ` for each list of coefficients.
fn combined(basis: &[Vectors], coefficients: &[Vec<f64>]) -> Vec<Vectors> {
    let sum = |c: &Vec<f64>| {
        let mut y = Vectors::zeros(basis.first().map_or(0, Vectors::len));
        basis.iter().zip(c).for_each(|(b, c)| y.axpy(*c, b));
        y
    };
    coefficients.par_iter().map(sum).collect()
}

/// The vectors made orthonormal to those given and to each other, twice over; those without news are left out.
fn orthonormalised(vectors: Vec<Vectors>, to: &[&[Vectors]]) -> Vec<Vectors> {
    let mut all: Vec<Vectors> = Vec::new();
    for mut v in vectors {
        let before = v.dot(&v).sqrt();
        for _ in 0..2 {
            let known: Vec<&Vectors> = to.iter().copied().flatten().chain(&all).collect();
            let shares: Vec<f64> = known.par_iter().map(|k| k.dot(&v)).collect();
            known.iter().zip(shares).for_each(|(k, s)| v.axpy(-s, k));
        }
        let length = v.dot(&v).sqrt();
        if length > NO_NEWS * before && length > 0.0 {
            let mut unit = Vectors::zeros(v.len());
            unit.axpy(1.0 / length, &v);
            all.push(unit);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use glamx::DVec3;

    /// Three chains side by side: the eigenvalues `2 − 2 cos(jπ/(n+1))`, each three times over.
    struct Chains;

    impl Operator for Chains {
        fn apply(&self, x: &Vectors, y: &mut Vectors) {
            y.reset(x.len());
            for i in 0..x.len() {
                y.add(i, 2.0 * x.get(i));
                if i + 1 < x.len() {
                    y.add(i, -x.get(i + 1));
                    y.add(i + 1, -x.get(i));
                }
            }
        }
    }

    struct Nothing;

    impl Operator for Nothing {
        fn apply(&self, x: &Vectors, y: &mut Vectors) {
            y.copy_from(x);
        }
    }

    fn starts(n: usize, count: usize) -> Vec<Vectors> {
        let start = |k: usize| {
            let mut v = Vectors::default();
            let t = |i: usize, a: usize| ((k * k + 1) as f64 * (1.0 + (3 * i + a) as f64)).sin();
            (0..n).for_each(|i| v.push(DVec3::new(t(i, 0), t(i, 1), t(i, 2))));
            v
        };
        (0..count).map(start).collect()
    }

    fn exact(n: usize, j: usize) -> f64 {
        2.0 - 2.0 * (j as f64 * std::f64::consts::PI / (n + 1) as f64).cos()
    }

    #[test]
    fn equal_eigenvalues_are_all_found_and_their_vectors_are_orthonormal() {
        let n = 60;
        let params = LobpcgParams { count: 7, tolerance: 1e-8, floor: 0.0, max_iterations: 400 };
        let found = lowest_eigenpairs(&Chains, &Nothing, &[], starts(n, 9), &params).unwrap();
        assert!(found.converged, "{:?}", found.residuals);
        for (k, value) in found.values.iter().enumerate() {
            assert!((value / exact(n, k / 3 + 1) - 1.0).abs() < 1e-12, "{k}: {value}");
            for (l, other) in found.vectors.iter().enumerate() {
                let unit = found.vectors[k].dot(other) - f64::from(u8::from(k == l));
                assert!(unit.abs() < 1e-12, "{unit}");
            }
        }
    }

    #[test]
    fn what_is_kept_out_is_not_found_and_what_is_not_found_is_said() {
        let n = 60;
        let params = LobpcgParams { count: 1, tolerance: 1e-8, floor: 0.0, max_iterations: 400 };
        let lowest = LobpcgParams { count: 3, ..params };
        let kept_out = lowest_eigenpairs(&Chains, &Nothing, &[], starts(n, 5), &lowest).unwrap().vectors;
        let found = lowest_eigenpairs(&Chains, &Nothing, &kept_out, starts(n, 4), &params).unwrap();
        assert!(found.converged && (found.values[0] / exact(n, 2) - 1.0).abs() < 1e-10, "{}", found.values[0]);
        let hasty = LobpcgParams { max_iterations: 3, ..params };
        assert!(!lowest_eigenpairs(&Chains, &Nothing, &[], starts(n, 4), &hasty).unwrap().converged);
    }
}
