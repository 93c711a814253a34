//! What Newton's method minimises, its gradient and its Hessian.

use super::{Block, Island, NOBODY, Six};
use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::joint::JointBlock;
use crate::contact::constraint::row::{Jacobian, Row};
use crate::linear::block_cholesky::BlockCholesky;
use glamx::{DMat3, DVec3};

/// The impulse that the penalty gives at the velocities of the moment, and how it changes with `−u`, over the penalty.
pub(super) fn projected(row: &Row, carriers: &Carriers, penalty: f64, bound: f64) -> (DVec3, DMat3) {
    let u = row.velocity(carriers) + row.offset();
    let y = row.impulse - u * penalty;
    let mut slope = DMat3::ZERO;
    slope.x_axis.x = if y.x > 0.0 { 1.0 } else { 0.0 };
    let rub = length(y.y, y.z);
    let (mut p, share) = (DVec3::new(y.x.max(0.0), y.y, y.z), if rub > bound { bound / rub } else { 1.0 });
    p.y *= share;
    p.z *= share;
    let (ty, tz) = if rub > bound { (y.y / rub, y.z / rub) } else { (0.0, 0.0) };
    slope.y_axis = DVec3::new(0.0, share * (1.0 - ty * ty), -share * ty * tz);
    slope.z_axis = DVec3::new(0.0, -share * ty * tz, share * (1.0 - tz * tz));
    (p, slope)
}

/// The potential of a contact at the velocities of the moment [J].
fn potential(row: &Row, carriers: &Carriers, penalty: f64, bound: f64) -> f64 {
    let u = row.velocity(carriers) + row.offset();
    let y = row.impulse - u * penalty;
    let rub = length(y.y, y.z);
    let tangential = if rub > bound { bound * (rub - 0.5 * bound) } else { 0.5 * rub * rub };
    (0.5 * y.x.max(0.0).powi(2) + tangential) / penalty
}

/// Length of a vector across the normal; speeds are far from where squares overflow.
pub(super) fn length(y: f64, z: f64) -> f64 {
    (y * y + z * z).sqrt()
}

pub(super) fn less(v: &Six, d: &Six, share: f64) -> Six {
    std::array::from_fn(|k| v[k] - share * d[k])
}

pub(super) fn dot(a: &Six, b: &Six) -> f64 {
    (0..6).map(|k| a[k] * b[k]).sum()
}

pub(super) fn sum(terms: impl Iterator<Item = f64>) -> f64 {
    terms.fold(0.0, |s, t| s + t)
}

/// What is minimised [J].
pub(super) fn merit(
    island: &Island,
    (rows, joints): (&[Row], &[JointBlock]),
    carriers: &Carriers,
    bounds: &[f64],
    v: &[Six],
) -> f64 {
    let motion = v.iter().zip(&island.free).zip(&island.mass).map(|((v, free), mass)| {
        let off = less(v, free, 1.0);
        0.5 * dot(&off, &mass.times(&off))
    });
    let contacts = rows.iter().enumerate().map(|(k, row)| potential(row, carriers, island.penalty[k], bounds[k]));
    let held = joints.iter().map(|joint| joint.potential(carriers, island.stiffness));
    sum(motion) + sum(contacts) + sum(held)
}

/// The gradient of what is minimised; and what each contact does, as long as the Hessian depends on nothing else.
pub(super) fn gradient(
    island: &Island,
    (rows, joints): (&[Row], &[JointBlock]),
    carriers: &Carriers,
    bounds: &[f64],
    v: &[Six],
) -> (Vec<Six>, Option<Vec<u8>>) {
    let mut kinds = joints.is_empty().then(|| Vec::with_capacity(rows.len()));
    let mut gradient: Vec<Six> =
        v.iter().zip(&island.free).zip(&island.mass).map(|((v, f), mass)| mass.times(&less(v, f, 1.0))).collect();
    let along = |j: &Jacobian, p: DVec3, i: usize| (0..3).map(|n| j[n][i] * p[n]).sum::<f64>();
    for (k, row) in rows.iter().enumerate() {
        let (p, slope) = projected(row, carriers, island.penalty[k], bounds[k]);
        if let Some(list) = &mut kinds {
            match kind(&slope) {
                Some(kind) => list.push(kind),
                None => kinds = None,
            }
        }
        if row.seated {
            for (c, j) in &island.sides[k] {
                (0..6).for_each(|i| gradient[*c as usize][i] -= along(j, p, i));
            }
            continue;
        }
        let (ja, jb) = row.jacobians();
        for (c, j, sign) in [(row.a, &ja, -1.0), (row.b, &jb, 1.0)] {
            let c = island.number[c as usize];
            if c != NOBODY {
                (0..6).for_each(|i| gradient[c as usize][i] += sign * along(j, p, i));
            }
        }
    }
    joints.iter().for_each(|joint| add_joint_pushes(island, joint, carriers, &mut gradient));
    (gradient, kinds)
}

/// Adds a joint to the gradient.
fn add_joint_pushes(island: &Island, joint: &JointBlock, carriers: &Carriers, gradient: &mut [Six]) {
    let (a, b) = (island.number[joint.a as usize], island.number[joint.b as usize]);
    for (ja, jb, p, _) in joint.terms(carriers, island.stiffness) {
        for (c, j, sign) in [(a, &ja, -1.0), (b, &jb, 1.0)].into_iter().filter(|s| s.0 != NOBODY) {
            (0..6).for_each(|i| gradient[c as usize][i] += sign * j[i] * p);
        }
    }
}

/// What a contact does, in one number: it pushes or not, and sticks or rubs not at all. None if it slides: its slope is any.
fn kind(slope: &DMat3) -> Option<u8> {
    let pushes = u8::from(slope.x_axis.x > 0.0);
    let rubs = [slope.y_axis, slope.z_axis];
    match rubs == [DVec3::ZERO; 2] {
        true => Some(pushes),
        false => (rubs == [DVec3::Y, DVec3::Z]).then_some(2 + pushes),
    }
}

/// The Hessian: its diagonal blocks are handed back, the others are put into the factor.
pub(super) fn hessian(
    island: &Island,
    factor: &mut BlockCholesky<6>,
    (rows, joints): (&[Row], &[JointBlock]),
    carriers: &Carriers,
    bounds: &[f64],
) -> Vec<Block> {
    factor.clear();
    let mut diagonal = island.mass.clone();
    for (k, row) in rows.iter().enumerate() {
        let (_, slope) = projected(row, carriers, island.penalty[k], bounds[k]);
        let g = slope * island.penalty[k];
        if row.seated {
            add_seated(&island.sides[k], &g, (&mut diagonal, factor));
            continue;
        }
        if slope == DMat3::ZERO {
            continue;
        }
        let (a, b) = (island.number[row.a as usize], island.number[row.b as usize]);
        let (ja, jb) = row.jacobians();
        if a != NOBODY {
            add(&mut diagonal[a as usize], &ja, &g, &ja, 1.0);
        }
        if b != NOBODY {
            add(&mut diagonal[b as usize], &jb, &g, &jb, 1.0);
        }
        if a != NOBODY && b != NOBODY {
            let (below, above) = if a > b { (&ja, &jb) } else { (&jb, &ja) };
            add(factor.block_mut(island.couplings[k]), below, &g, above, -1.0);
        }
    }
    for (joint, &coupling) in joints.iter().zip(&island.couplings[rows.len()..]) {
        add_joint(island, joint, coupling, carriers, (&mut diagonal, factor));
    }
    diagonal
}

/// Adds a contact on seats to the Hessian.
fn add_seated(sides: &[(u32, Jacobian)], g: &DMat3, (diagonal, factor): (&mut [Block], &mut BlockCholesky<6>)) {
    for (a, j) in sides {
        for (b, k) in sides {
            if a == b {
                add(&mut diagonal[*a as usize], j, g, k, 1.0);
            } else if let Some(place) = factor.place(*a, *b).filter(|_| a > b) {
                add(factor.block_mut(place), j, g, k, 1.0);
            }
        }
    }
}

/// Adds a joint to the Hessian.
fn add_joint(
    island: &Island,
    joint: &JointBlock,
    coupling: usize,
    carriers: &Carriers,
    (diagonal, factor): (&mut [Block], &mut BlockCholesky<6>),
) {
    let (a, b) = (island.number[joint.a as usize], island.number[joint.b as usize]);
    for (ja, jb, _, slope) in joint.terms(carriers, island.stiffness) {
        for (c, j) in [(a, &ja), (b, &jb)].into_iter().filter(|s| s.0 != NOBODY) {
            add_outer(&mut diagonal[c as usize], j, j, slope);
        }
        if a != NOBODY && b != NOBODY {
            let (below, above) = if a > b { (&ja, &jb) } else { (&jb, &ja) };
            add_outer(factor.block_mut(coupling), below, above, -slope);
        }
    }
}

/// `target += s · j kᵀ`.
fn add_outer(target: &mut Block, j: &Six, k: &Six, s: f64) {
    for (column, k) in target.0.iter_mut().zip(k) {
        column.iter_mut().zip(j).for_each(|(entry, j)| *entry += s * j * k);
    }
}

/// `target += sign · Jᵀ G K`.
pub(super) fn add(target: &mut Block, j: &[Six; 3], g: &DMat3, k: &[Six; 3], sign: f64) {
    for (c, column) in target.0.iter_mut().enumerate() {
        let gk = *g * DVec3::new(k[0][c], k[1][c], k[2][c]) * sign;
        for (r, entry) in column.iter_mut().enumerate() {
            *entry += j[0][r] * gk.x + j[1][r] * gk.y + j[2][r] * gk.z;
        }
    }
}
