//! Friction pyramids: the contact problem as a linear complementarity problem of Stewart and Trinkle. [ST96]
//!
//! Per contact a normal impulse `c`, impulses `β` along `η` directions `d_j` (the edges of the pyramid) and a slip `λ`:
//! `0 ≤ c ⊥ u_n ≥ 0`, `0 ≤ β ⊥ λ e + Dᵀu_t ≥ 0`, `0 ≤ λ ⊥ μ c − eᵀβ ≥ 0`. With an edge along the friction of every
//! sliding contact the pyramid's answer is the cone's; a fixed-point iteration turns the edges there.

use super::cone::FrictionProblem;
use super::lcp::{Lcp, LcpAnswer, LcpParams, Status, solve_lcp};
use glamx::{DVec2, DVec3};
use std::f64::consts::TAU;

/// How a pyramid is solved.
#[derive(Clone, Debug, PartialEq)]
pub struct PyramidParams {
    /// Edges per contact, even, at least four.
    pub facets: u32,
    /// Turn the edges until the answer is the cone's.
    pub fixed_point: bool,
    /// Rounds of turning.
    pub max_rounds: usize,
    /// The cone's residual, relative to `q`, at which turning ends.
    pub tolerance: f64,
    /// Angle of the first edge of every contact; zero where absent. [rad]
    pub angles: Vec<f64>,
    /// Basis of the last solve, for a warm start.
    pub warm: Vec<bool>,
}

impl Default for PyramidParams {
    fn default() -> Self {
        let (angles, warm) = (Vec::new(), Vec::new());
        Self { facets: 8, fixed_point: true, max_rounds: 30, tolerance: 1e-10, angles, warm }
    }
}

/// A pyramid's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct PyramidAnswer {
    /// Impulses, normal first.
    pub p: Vec<DVec3>,
    /// What is known about the last linear problem.
    pub status: Status,
    /// Residual of the last linear problem.
    pub lcp_residual: f64,
    /// The cone's natural map relative to `q`; small only if the edges were turned, or contacts do not slide.
    pub cone_residual: f64,
    /// Linear problems that were solved.
    pub rounds: usize,
    /// Pivots of all of them.
    pub pivots: usize,
    /// Angles of the first edges at the end. [rad]
    pub angles: Vec<f64>,
    /// The last basis.
    pub basis: Vec<bool>,
}

/// Unit vectors of the edges, the first at `angle`.
fn edges(facets: u32, angle: f64) -> impl Iterator<Item = DVec2> {
    (0..facets).map(move |j| DVec2::from_angle(angle + TAU * f64::from(j) / f64::from(facets)))
}

/// The linear complementarity problem; all `c`, then all `β` contact by contact, then all `λ`.
pub fn pyramid_lcp(problem: &FrictionProblem, facets: u32, angles: &[f64]) -> Lcp {
    let (k, eta) = (problem.contacts(), facets as usize);
    let n = (eta + 2) * k;
    let (mut m, mut b) = (vec![0.0; n * n], vec![0.0; n]);
    let directions: Vec<Vec<DVec3>> = (0..k)
        .map(|i| {
            let tangential = edges(facets, angles.get(i).copied().unwrap_or(0.0)).map(|d| DVec3::new(0.0, d.x, d.y));
            std::iter::once(DVec3::X).chain(tangential).collect()
        })
        .collect();
    // Place of a contact's direction 0 (normal) or 1 … η (edge).
    let place = |i: usize, a: usize| if a == 0 { i } else { k + i * eta + a - 1 };
    for i in 0..k {
        for (a, d) in directions[i].iter().enumerate() {
            b[place(i, a)] = d.dot(problem.q[i]);
            for (j, w) in problem.row(i) {
                let along = w.transpose() * *d;
                for (c, e) in directions[j].iter().enumerate() {
                    m[place(i, a) * n + place(j, c)] = along.dot(*e);
                }
            }
        }
        let slip = (eta + 1) * k + i;
        m[slip * n + i] = problem.mu[i];
        for a in 1..=eta {
            m[place(i, a) * n + slip] = 1.0;
            m[slip * n + place(i, a)] = -1.0;
        }
    }
    Lcp::new(m, b).unwrap_or_default()
}

/// The impulses in an answer of the linear problem.
pub fn pyramid_impulses(z: &[f64], contacts: usize, facets: u32, angles: &[f64]) -> Vec<DVec3> {
    let eta = facets as usize;
    let of = |i: usize| {
        let beta = z.iter().skip(contacts + i * eta).take(eta);
        let start = angles.get(i).copied().unwrap_or(0.0);
        let p_t: DVec2 = edges(facets, start).zip(beta).map(|(d, b)| d * *b).sum();
        DVec3::new(z.get(i).copied().unwrap_or(0.0), p_t.x, p_t.y)
    };
    (0..contacts).map(of).collect()
}

/// Solves the pyramid by Lemke's method (and its fallbacks), turning the edges if asked to; the best round by the cone's residual.
pub fn solve_pyramid(problem: &FrictionProblem, params: &PyramidParams) -> PyramidAnswer {
    let facets = params.facets.max(4).next_multiple_of(2);
    let mut angles = params.angles.clone();
    angles.resize(problem.contacts(), 0.0);
    let mut best: Option<PyramidAnswer> = None;
    let (mut warm, mut pivots) = (params.warm.clone(), 0);
    for round in 1..=if params.fixed_point { params.max_rounds.max(1) } else { 1 } {
        let lcp = pyramid_lcp(problem, facets, &angles);
        let LcpAnswer { status, z, residual, iterations, basis, .. } =
            solve_lcp(&lcp, &LcpParams { warm: std::mem::take(&mut warm), lemke_only: false });
        pivots += iterations;
        let p = pyramid_impulses(&z, problem.contacts(), facets, &angles);
        let cone_residual = problem.residual(&p);
        let better = best.as_ref().is_none_or(|b| cone_residual < b.cone_residual);
        warm.clone_from(&basis);
        if better {
            let angles = angles.clone();
            let lcp_residual = residual;
            best = Some(PyramidAnswer {
                p: p.clone(),
                status,
                lcp_residual,
                cone_residual,
                rounds: 0,
                pivots: 0,
                angles,
                basis,
            });
        }
        if let Some(best) = &mut best {
            (best.rounds, best.pivots) = (round, pivots);
        }
        if status != Status::Solved || cone_residual <= params.tolerance {
            break;
        }
        turn(problem, &p, &mut angles);
    }
    best.unwrap_or_else(|| nothing(problem))
}

/// The first edge along `y = p_t − ρ u_t` wherever `|y| ≥ μ p_n`; elsewhere it stays. (Aligning with the slip alone may cycle.)
fn turn(problem: &FrictionProblem, p: &[DVec3], angles: &mut [f64]) {
    for i in 0..p.len() {
        let u = problem.velocity(i, p);
        let rho = problem.rho(i);
        let y = DVec2::new(p[i].y - rho * u.y, p[i].z - rho * u.z);
        if y.length() >= problem.mu[i] * p[i].x && y != DVec2::ZERO {
            angles[i] = y.to_angle();
        }
    }
}

fn nothing(problem: &FrictionProblem) -> PyramidAnswer {
    let p = vec![DVec3::ZERO; problem.contacts()];
    let (angles, basis, status) = (Vec::new(), Vec::new(), Status::Failed);
    let cone_residual = problem.residual(&p);
    PyramidAnswer { p, status, lcp_residual: f64::INFINITY, cone_residual, rounds: 0, pivots: 0, angles, basis }
}
