//! Natural frequencies and mode shapes: the lowest solutions of `K φ = ω² M φ` about a given configuration.
//!
//! Rigid motions are known beforehand and kept out; the rest is found by [`crate::linear::lobpcg`], whose news are rough
//! solutions of `A w = r`, or, where there are few freedoms, from the whole matrix.

use crate::linear::dense::symmetric_eigen;
use crate::linear::lobpcg::{Eigenpairs, LobpcgParams, SharedOperator, lowest_eigenpairs};
use crate::linear::{BlockJacobi, CgParams, Operator, Vectors, solve_cg};
use crate::statics::freedoms::{Freedoms, ModeStiffness};
use crate::statics::mode_part::ModePart;
use crate::statics::modes_error::ModesError;
use glamx::{DMat3, DVec3};
use std::f64::consts::TAU;

/// What to find, and how well.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModeParams {
    /// So many elastic modes; rigid motions come on top.
    pub count: usize,
    /// Found when `|K φ − ω² M φ| ≤ tolerance · ω² |M φ|`, lengths in the norm of `M⁻¹` [1]. Where rounding does not
    /// allow that (slender bodies: `ω` much below the highest frequency) it is as small as rounding allows.
    pub tolerance: f64,
    /// At most so many rounds of the eigensolver.
    pub max_iterations: usize,
}

impl Default for ModeParams {
    fn default() -> Self {
        Self { count: 6, tolerance: 1e-8, max_iterations: 200 }
    }
}

/// What a mode is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeKind {
    /// A motion that strains nothing and moves no support; its frequency is exactly zero.
    Rigid,
    /// A vibration.
    Elastic,
}

/// A mode.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// What it is.
    pub kind: ModeKind,
    /// `ω` [rad/s].
    pub angular_frequency: f64,
    /// `|K φ − ω² M φ| / (ω² |M φ|)`, lengths in the norm of `M⁻¹` [1]; of a rigid motion `|K φ| / |M φ|` against the
    /// scale of the stiffness.
    pub residual: f64,
    /// Share of the mass that moves along x, y and z: `(Σ m φ)² / Σ m`, the effective modal mass [1].
    pub mass_shares: DVec3,
    /// Displacements of the elements, `Σ m φ² = 1` [kg^−½].
    pub shape: Vectors,
}

impl Mode {
    /// Frequency `ω/2π` [Hz].
    pub fn frequency(&self) -> f64 {
        self.angular_frequency / TAU
    }
}

/// The modes of a part: rigid motions, then vibrations from the lowest frequency up.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes {
    /// The modes.
    pub modes: Vec<Mode>,
    /// Freedoms of the part.
    pub freedoms: usize,
    /// Rounds of the eigensolver; 0 if the whole matrix was diagonalised.
    pub iterations: usize,
}

/// Up to so many freedoms the whole matrix is diagonalised.
const DENSE: usize = 150;
/// The block may be this share of the freedoms; otherwise the whole matrix is diagonalised.
const SHARE_OF_BLOCK: usize = 5;
/// `|A y − λ y|` below this share of the scale of `A` is rounding.
const ROUNDING: f64 = 2e-15;
/// `ω²` below this share of the scale of `A` is zero.
const NO_STIFFNESS: f64 = 1e-14;
/// `ω²` below minus this share of the scale of `A` is negative.
const NEGATIVE: f64 = 1e-12;
/// How well the rough solutions solve: a round then wins about one digit.
const ROUGH: CgParams = CgParams { tolerance: 0.05, max_iterations: 2000, verify: false };

/// Finds the lowest modes of a part.
///
/// The preconditioner of the rough solutions, if given, approximates `A⁻¹` on fields of freedoms of unit mass (soft elements
/// in their order, `√m u` each, then two vectors per rigid piece); otherwise each freedom answers for itself.
pub fn solve_modes(
    cut: &ModePart,
    params: &ModeParams,
    preconditioner: Option<SharedOperator>,
) -> Result<Modes, ModesError> {
    check(cut, params)?;
    let freedoms = Freedoms::new(cut);
    let (mask, rigid) = (freedoms.mask(), freedoms.rigid_motions());
    let count = mask.dot(&mask).round() as usize;
    let available = count.saturating_sub(rigid.len());
    if params.count > available {
        return Err(ModesError::TooMany { wanted: params.count, available });
    }
    let strained = freedoms.strained();
    let stiffness = ModeStiffness::new(&freedoms, &strained);
    let blocks = stiffness.blocks();
    let scale = 2.0 * largest_trace(&blocks, &mask);
    if scale <= 0.0 {
        return Err(ModesError::NoStiffness);
    }
    let block = (params.count + 2 + params.count / 3).min(available);
    let pairs = if count <= DENSE.max(SHARE_OF_BLOCK * block) {
        whole(&stiffness, &mask, &rigid, scale, params.count)
    } else {
        let jacobi = BlockJacobi::new(&blocks);
        let rough = Rough { a: &stiffness, preconditioner: preconditioner.unwrap_or(&jacobi) };
        let wanted = LobpcgParams {
            count: params.count,
            tolerance: params.tolerance,
            floor: ROUNDING * scale,
            max_iterations: params.max_iterations,
        };
        lowest_eigenpairs(&stiffness, &rough, &rigid, starts(&mask, block), &wanted)
    };
    let pairs = pairs.ok_or(ModesError::NotFinite)?;
    judge(&pairs, params, scale, cut, &freedoms)?;
    Ok(report(cut, &freedoms, &stiffness, &rigid, pairs, scale, count))
}

/// Refuses what cannot vibrate.
fn check(cut: &ModePart, params: &ModeParams) -> Result<(), ModesError> {
    if cut.elements.is_empty() {
        return Err(ModesError::NoElements);
    }
    if params.count == 0 {
        return Err(ModesError::NoneWanted);
    }
    if let Some(i) = cut.masses.iter().position(|m| !(m.is_finite() && *m > 0.0)) {
        return Err(ModesError::BadMass { element: cut.elements[i], mass: cut.masses[i] });
    }
    if cut.part.positions.is_finite() { Ok(()) } else { Err(ModesError::NotFinite) }
}

fn largest_trace(blocks: &[DMat3], mask: &Vectors) -> f64 {
    let free = |i: usize| mask.get(i);
    let trace = |(i, b): (usize, &DMat3)| b.diagonal().dot(free(i));
    blocks.iter().enumerate().map(trace).fold(0.0, f64::max)
}

/// A rough solution of `A w = r`: a few conjugate gradients; whatever they reach is a good direction.
struct Rough<'a> {
    a: SharedOperator<'a>,
    preconditioner: SharedOperator<'a>,
}

impl Operator for Rough<'_> {
    fn apply(&self, r: &Vectors, w: &mut Vectors) {
        w.reset(r.len());
        // An error leaves the last iterate, which is all that is asked for.
        let reached = solve_cg(self.a, self.preconditioner, r, w, &ROUGH);
        if reached.is_err() && (!w.is_finite() || w.dot(w) == 0.0) {
            self.preconditioner.apply(r, w);
        }
    }
}

/// Fields of noise, the same in every run.
fn starts(mask: &Vectors, count: usize) -> Vec<Vectors> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let mut field = |_| {
        let mut v = Vectors::default();
        (0..mask.len()).for_each(|i| v.push(mask.get(i) * DVec3::new(next(), next(), next())));
        v
    };
    (0..count).map(&mut field).collect()
}

/// The lowest pairs from the whole matrix, rigid motions lifted above all others.
fn whole(a: SharedOperator, mask: &Vectors, rigid: &[Vectors], scale: f64, count: usize) -> Option<Eigenpairs> {
    let places: Vec<(usize, usize)> =
        (0..mask.len()).flat_map(|i| (0..3).map(move |c| (i, c))).filter(|&(i, c)| mask.get(i)[c] > 0.0).collect();
    let unit = |k: usize| {
        let (mut v, mut one) = (Vectors::zeros(mask.len()), DVec3::ZERO);
        one[places[k].1] = 1.0;
        v.set(places[k].0, one);
        v
    };
    let row = |k: usize| -> Vec<f64> {
        let mut image = Vectors::default();
        a.apply(&unit(k), &mut image);
        let (i, c) = places[k];
        rigid.iter().for_each(|q| image.axpy(2.0 * scale * q.get(i)[c], q));
        places.iter().map(|&(i, c)| image.get(i)[c]).collect()
    };
    let found = symmetric_eigen(&(0..places.len()).map(row).collect::<Vec<_>>())?;
    let field = |coefficients: &Vec<f64>| {
        let mut v = Vectors::zeros(mask.len());
        for (&(i, c), x) in places.iter().zip(coefficients) {
            let mut one = DVec3::ZERO;
            one[c] = *x;
            v.add(i, one);
        }
        v
    };
    let vectors: Vec<Vectors> = found.vectors[..count].iter().map(field).collect();
    let residuals = vectors.iter().zip(&found.values).map(|(y, value)| residual(a, y, *value)).collect();
    Some(Eigenpairs { values: found.values[..count].to_vec(), vectors, residuals, iterations: 0, converged: true })
}

/// `|A y − λ y|`.
fn residual(a: SharedOperator, y: &Vectors, value: f64) -> f64 {
    let mut r = Vectors::default();
    a.apply(y, &mut r);
    r.axpy(-value, y);
    r.dot(&r).sqrt()
}

/// Refuses what is no set of vibrations: mechanisms, states that buckle, pairs that were not found.
fn judge(
    pairs: &Eigenpairs,
    params: &ModeParams,
    scale: f64,
    cut: &ModePart,
    freedoms: &Freedoms,
) -> Result<(), ModesError> {
    let lowest = pairs.values.first().copied().unwrap_or(0.0);
    if lowest < -NEGATIVE * scale {
        return Err(ModesError::Unstable { growth: (-lowest).sqrt() });
    }
    let idle = pairs.values.iter().filter(|v| **v <= NO_STIFFNESS * scale).count();
    if let Some(y) = pairs.vectors.first().filter(|_| idle > 0) {
        let u = freedoms.expand(y);
        let far = |&a: &usize, &b: &usize| u.get(a).length().total_cmp(&u.get(b).length());
        let element = (0..u.len()).max_by(far).map_or(0, |i| cut.elements[i]);
        return Err(ModesError::Mechanism { at_least: idle, element });
    }
    if !pairs.converged {
        let worst = pairs.residuals.iter().zip(&pairs.values).map(|(r, v)| r / v).fold(0.0, f64::max);
        return Err(ModesError::NotConverged { wanted: params.count, iterations: pairs.iterations, residual: worst });
    }
    Ok(())
}

fn report(
    cut: &ModePart,
    freedoms: &Freedoms,
    stiffness: &ModeStiffness,
    rigid: &[Vectors],
    pairs: Eigenpairs,
    scale: f64,
    count: usize,
) -> Modes {
    let mass = cut.mass();
    let mode = |kind: ModeKind, y: &Vectors, omega: f64, residual: f64| {
        let momentum = freedoms.momentum(y);
        let shape = freedoms.expand(y);
        Mode { kind, angular_frequency: omega, residual, mass_shares: momentum * momentum / mass, shape }
    };
    let mut modes: Vec<Mode> =
        rigid.iter().map(|y| mode(ModeKind::Rigid, y, 0.0, residual(stiffness, y, 0.0) / scale)).collect();
    for ((y, value), r) in pairs.vectors.iter().zip(&pairs.values).zip(&pairs.residuals) {
        modes.push(mode(ModeKind::Elastic, y, value.sqrt(), r / value));
    }
    Modes { modes, freedoms: count, iterations: pairs.iterations }
}
