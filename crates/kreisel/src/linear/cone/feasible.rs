//! Proofs that contacts approach whatever impulses act: a body squeezed between walls that close in.
//!
//! `u_n = q_n + (W x)_n ≥ 0` has no solution `x` at all exactly if there are `y ≥ 0` with `W N y = 0` and `q_n·y < 0` (Farkas).
//! `y` is the part of `−q_n` that neither the range of `(W)_n` nor nonnegative normal velocities reach.

use super::problem::FrictionProblem;
use crate::linear::lu::{add_scaled, dot};
use crate::linear::nnls::nearest_in_cone;

/// Directions whose part across the others is below this share are combinations of them.
const DEPENDENT: f64 = 1e-10;
/// Lengths of unit vectors outside the range below this are rounding. [1]
const NOISE: f64 = 1e-9;
/// An impulse that contradicted the proof would have to be this many times larger than `q`.
const MARGIN: f64 = 1e6;

/// Normal impulses that move nothing while their contacts approach, if there are any: read as velocities, the least that the contacts would have to
/// ask for less to have a solution.
pub(crate) fn approaching_forever(problem: &FrictionProblem) -> Option<Vec<f64>> {
    let k = problem.contacts();
    let columns = normal_columns(problem);
    let range = orthonormal(&columns);
    let outside = |mut v: Vec<f64>| {
        for _ in 0..2 {
            for q in &range {
                let share = dot(q, &v);
                add_scaled(&mut v, -share, q);
            }
        }
        v
    };
    let q_n: Vec<f64> = problem.q.iter().map(|q| q.x).collect();
    let unit = |i: usize| (0..k).map(|j| f64::from(u8::from(i == j))).collect::<Vec<f64>>();
    // What rounding leaves of a normal that the range reaches points anywhere: it is no direction of the cone.
    let normals: Vec<Vec<f64>> = (0..k).map(|i| outside(unit(i))).filter(|v| dot(v, v).sqrt() > NOISE).collect();
    let y: Vec<f64> =
        outside(nearest_in_cone(&normals, &outside(q_n.clone())).rest).iter().map(|r| (-r).max(0.0)).collect();
    let length = dot(&y, &y).sqrt();
    let size = problem.size();
    let moved = columns.iter().fold(0.0_f64, |m, c| m.max(dot(c, &y).abs()));
    (-dot(&q_n, &y) > (MARGIN * moved).max(1e-7 * length) * size && length > 0.0).then_some(y)
}

/// For every impulse component, what it does to all normal velocities.
fn normal_columns(problem: &FrictionProblem) -> Vec<Vec<f64>> {
    let k = problem.contacts();
    let mut columns = vec![vec![0.0; k]; 3 * k];
    let entries = (0..k).flat_map(|i| problem.row(i).map(move |(j, w)| (i, j, w.transpose().x_axis)));
    for (i, j, normal) in entries {
        (0..).zip(normal.to_array()).for_each(|(axis, entry)| columns[3 * j + axis][i] = entry);
    }
    columns
}

/// An orthonormal basis of what the columns span; longest first, as rounding asks for.
fn orthonormal(columns: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut rest: Vec<Vec<f64>> = columns.to_vec();
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let lengths = |c: &Vec<f64>| dot(c, c);
    let largest = rest.iter().map(lengths).fold(0.0_f64, f64::max);
    loop {
        let sizes: Vec<f64> = rest.iter().map(lengths).collect();
        let Some(best) = (0..sizes.len()).max_by(|&i, &j| sizes[i].total_cmp(&sizes[j])) else { break };
        if sizes[best] <= DEPENDENT * DEPENDENT * largest || sizes[best] == 0.0 {
            break;
        }
        let mut v = rest.swap_remove(best);
        for q in &basis {
            let share = dot(q, &v);
            add_scaled(&mut v, -share, q);
        }
        let length = dot(&v, &v).sqrt();
        v.iter_mut().for_each(|x| *x /= length);
        for c in &mut rest {
            let share = dot(&v, c);
            add_scaled(c, -share, &v);
        }
        basis.push(v);
    }
    basis
}
