//! The block Jacobi preconditioner: each element answers for its 3 unknowns, each rigid body for its 6.

use crate::linear::blocks::{BlockSource, Diagonal, SlotMap};
use crate::linear::small::{Matrix, invert_lifted};
use crate::linear::vectors::dot_in_lanes;
use crate::linear::wide::wide;
use crate::linear::{Operator, Preconditioner, Vectors, chunks};
use glamx::{DMat3, DVec3};

/// A block is taken as singular below this share of the determinant it would have as a multiple of the identity.
const SINGULAR: f64 = 1e-9;

/// What is added to the diagonal of a singular block, as a share of its trace.
const LIFT: f64 = 1e-3;

/// The inverses of all diagonal blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockJacobi {
    /// xx, yy, zz, xy, xz, yz of every slot's inverse, as built. Half the digits are enough: what comes out is only a direction
    /// to search in.
    built: [Vec<f32>; 6],
    /// The same after turning; empty while nothing has turned.
    turned: [Vec<f32>; 6],
    /// Inverse of every body's 6×6 block, as built, in the order velocity, spin.
    bodies: Vec<Matrix<6>>,
    /// The turn of every body.
    body_turns: Vec<DMat3>,
    component: Vec<u32>,
    points: usize,
}

impl BlockJacobi {
    /// Inverts symmetric positive semidefinite blocks, one per element.
    ///
    /// A singular block (an element in a straight chain has stiffness along the chain only) is lifted to a regular one:
    /// any positive definite matrix is a valid preconditioner.
    pub fn new(blocks: &[DMat3]) -> Self {
        Self::of_inverses(blocks.iter().map(invert), Vec::new(), Vec::new())
    }

    /// Inverts the diagonal blocks of a matrix over slots: 3×3 for points, 6×6 for bodies. Unused slots get zero.
    pub fn of_slots(source: &dyn BlockSource, map: &SlotMap) -> Self {
        Self::of_diagonal(&Diagonal::of(source, map), map)
    }

    pub(crate) fn of_diagonal(diagonal: &Diagonal, map: &SlotMap) -> Self {
        let used = |i: usize| map.used.get(i).copied().unwrap_or(false);
        let inverse = |i: usize| if used(i) { invert(&diagonal.own[i]) } else { DMat3::ZERO };
        let body = |a: usize| {
            let slot = map.body_slot(a);
            body_inverse(&diagonal.own[slot], &diagonal.cross[a], &diagonal.own[slot + 1], [used(slot), used(slot + 1)])
        };
        Self::of_inverses((0..map.points).map(inverse), (0..map.bodies).map(body).collect(), map.component.to_vec())
    }

    fn of_inverses(inverses: impl Iterator<Item = DMat3>, bodies: Vec<Matrix<6>>, component: Vec<u32>) -> Self {
        let mut built: [Vec<f32>; 6] = std::array::from_fn(|_| Vec::with_capacity(inverses.size_hint().0));
        for m in inverses {
            let entries = [m.x_axis.x, m.y_axis.y, m.z_axis.z, m.x_axis.y, m.x_axis.z, m.y_axis.z];
            built.iter_mut().zip(entries).for_each(|(list, entry)| list.push(single(entry)));
        }
        let points = built[0].len();
        let body_turns = vec![DMat3::IDENTITY; bodies.len()];
        Self { built, turned: Default::default(), bodies, body_turns, component, points }
    }

    fn entries(&self) -> &[Vec<f32>; 6] {
        if self.turned[0].is_empty() { &self.built } else { &self.turned }
    }

    /// `y = M⁻¹ x` for the points `first..`, as many as `y` has; returns their share of `xᵀ y`.
    #[inline]
    pub(crate) fn apply_to_points(&self, first: usize, x: &Vectors, y: [&mut [f64]; 3]) -> f64 {
        let count = y[0].len();
        let m = self.entries().each_ref().map(|m| &m[first..first + count]);
        let [a, b, c] = [&x.x, &x.y, &x.z].map(|x| &x[first..first + count]);
        let [u, v, w] = y.map(|y| &mut y[..count]);
        wide(|| multiply(m, [a, b, c], [u, v, w]))
    }

    /// Number of slots with a 3×3 block.
    pub(crate) fn points(&self) -> usize {
        self.points
    }

    /// `y = M⁻¹ x` for the slots of the bodies; returns their share of `xᵀ y`.
    pub(crate) fn apply_bodies(&self, x: &Vectors, y: &mut Vectors) -> f64 {
        let mut sum = 0.0;
        for (a, (inverse, turn)) in self.bodies.iter().zip(&self.body_turns).enumerate() {
            let slot = self.points + 2 * a;
            let back = turn.transpose();
            let [v, w] = inverse.times_pair(back * x.get(slot), back * x.get(slot + 1));
            y.set(slot, *turn * v);
            y.set(slot + 1, *turn * w);
            sum += x.get(slot).dot(y.get(slot)) + x.get(slot + 1).dot(y.get(slot + 1));
        }
        sum
    }
}

impl Operator for BlockJacobi {
    fn apply(&self, x: &Vectors, y: &mut Vectors) {
        self.apply_and_dot(x, y);
    }

    fn apply_and_dot(&self, x: &Vectors, y: &mut Vectors) -> f64 {
        y.fit(x.len());
        let points = self.points;
        let fields = [&mut y.x[..points], &mut y.y[..points], &mut y.z[..points]];
        let [sum] = chunks::sum_chunks(fields, |first, y| [self.apply_to_points(first, x, y)]);
        sum + self.apply_bodies(x, y)
    }
}

impl Preconditioner for BlockJacobi {
    fn turn(&mut self, turns: &[DMat3]) {
        let of = |slot: usize| self.component.get(slot).and_then(|c| turns.get(*c as usize));
        for (a, turn) in self.body_turns.iter_mut().enumerate() {
            *turn = of(self.points + 2 * a).copied().unwrap_or(DMat3::IDENTITY);
        }
        for (turned, built) in self.turned.iter_mut().zip(&self.built) {
            turned.clone_from(built);
        }
        let turned = &mut self.turned;
        for i in 0..self.points {
            let component = self.component.get(i).and_then(|c| turns.get(*c as usize));
            if let Some(q) = component {
                turn_entries(turned, i, q);
            }
        }
    }
}

/// `y = M x` for symmetric matrices given entry by entry (xx, yy, zz, xy, xz, yz), and `xᵀ y`.
#[inline(always)]
fn multiply(m: [&[f32]; 6], x: [&[f64]; 3], y: [&mut [f64]; 3]) -> f64 {
    let count = x[0].len();
    let [xx, yy, zz, xy, xz, yz] = m.map(|m| &m[..count]);
    let [a, b, c] = x.map(|x| &x[..count]);
    let [u, v, w] = y.map(|y| &mut y[..count]);
    for i in 0..count {
        let (x, y, z) = (f64::from(xy[i]), f64::from(xz[i]), f64::from(yz[i]));
        u[i] = f64::from(xx[i]) * a[i] + x * b[i] + y * c[i];
        v[i] = x * a[i] + f64::from(yy[i]) * b[i] + z * c[i];
        w[i] = y * a[i] + z * b[i] + f64::from(zz[i]) * c[i];
    }
    dot_in_lanes(a, u) + dot_in_lanes(b, v) + dot_in_lanes(c, w)
}

/// `Q D Qᵀ` in place of the symmetric matrix of slot `i`.
#[inline]
fn turn_entries(m: &mut [Vec<f32>; 6], i: usize, q: &DMat3) {
    let [xx, yy, zz, xy, xz, yz] = m.each_ref().map(|m| f64::from(m[i]));
    let d = DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz));
    let t = *q * d * q.transpose();
    let new = [t.x_axis.x, t.y_axis.y, t.z_axis.z, t.x_axis.y, t.x_axis.z, t.y_axis.z];
    m.iter_mut().zip(new).for_each(|(m, new)| m[i] = single(new));
}

/// Half the digits of a number, the largest there is instead of infinity.
fn single(a: f64) -> f32 {
    (a as f32).clamp(f32::MIN, f32::MAX)
}

fn invert(block: &DMat3) -> DMat3 {
    let mean = (block.x_axis.x + block.y_axis.y + block.z_axis.z) / 3.0;
    if !(mean > 0.0 && mean.is_finite()) {
        return DMat3::IDENTITY;
    }
    // Scaled first, so that determinants of very stiff or very soft blocks neither overflow nor vanish.
    let scaled = *block * (1.0 / mean);
    let regular = if scaled.determinant() > SINGULAR { scaled } else { scaled + DMat3::IDENTITY * (3.0 * LIFT) };
    let inverse = regular.inverse() * (1.0 / mean);
    if inverse.is_finite() { inverse } else { DMat3::IDENTITY * (1.0 / mean) }
}

/// The inverse of a body's block; zero for unused slots.
fn body_inverse(velocity: &DMat3, cross: &DMat3, spin: &DMat3, used: [bool; 2]) -> Matrix<6> {
    match used {
        [true, true] => invert_lifted(&Matrix::of_blocks(velocity, cross, spin)),
        [true, false] => Matrix::of_blocks(&invert(velocity), &DMat3::ZERO, &DMat3::ZERO),
        [false, true] => Matrix::of_blocks(&DMat3::ZERO, &DMat3::ZERO, &invert(spin)),
        [false, false] => Matrix::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regular_blocks_are_inverted_and_singular_ones_stay_positive() {
        let regular = DMat3::from_cols(DVec3::new(4e9, 1e9, 0.0), DVec3::new(1e9, 3e9, 0.0), DVec3::new(0.0, 0.0, 2e9));
        let line = DMat3::from_diagonal(DVec3::new(5.0, 0.0, 0.0));
        let jacobi = BlockJacobi::new(&[regular, line, DMat3::ZERO]);
        let x = DVec3::new(1.0, -2.0, 3.0);
        let mut field = Vectors::default();
        (0..3).for_each(|i| field.push(if i == 0 { regular * x } else { x }));
        let mut y = Vectors::default();
        jacobi.apply(&field, &mut y);
        assert!((y.get(0) - x).length() < 1e-6);
        assert!(y.get(1).dot(x) > 0.0 && y.get(2) == x);
    }
}
