//! A field of 3-vectors, one per element, stored as three arrays so that neighbouring elements fill a SIMD register.

use crate::linear::chunks;
use glamx::DVec3;
use serde::{Deserialize, Serialize};

/// One 3-vector per element: positions [m], velocities [m/s], forces [N] … as three arrays of equal length.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Vectors {
    /// First components.
    pub x: Vec<f64>,
    /// Second components.
    pub y: Vec<f64>,
    /// Third components.
    pub z: Vec<f64>,
}

impl Vectors {
    /// A field of `n` zero vectors.
    pub fn zeros(n: usize) -> Self {
        Self { x: staggered_zeros(n), y: staggered_zeros(n), z: staggered_zeros(n) }
    }

    /// Number of vectors.
    pub fn len(&self) -> usize {
        self.x.len()
    }

    /// True if there are no vectors.
    pub fn is_empty(&self) -> bool {
        self.x.is_empty()
    }

    /// True if all vectors are zero.
    pub fn is_zero(&self) -> bool {
        [&self.x, &self.y, &self.z].iter().all(|c| c.iter().all(|a| *a == 0.0))
    }

    /// The vector of element `i`.
    #[inline]
    pub fn get(&self, i: usize) -> DVec3 {
        DVec3::new(self.x[i], self.y[i], self.z[i])
    }

    /// Replaces the vector of element `i`.
    #[inline]
    pub fn set(&mut self, i: usize, a: DVec3) {
        self.x[i] = a.x;
        self.y[i] = a.y;
        self.z[i] = a.z;
    }

    /// Adds `a` to the vector of element `i`.
    #[inline]
    pub fn add(&mut self, i: usize, a: DVec3) {
        self.x[i] += a.x;
        self.y[i] += a.y;
        self.z[i] += a.z;
    }

    /// Appends one vector.
    pub fn push(&mut self, a: DVec3) {
        self.x.push(a.x);
        self.y.push(a.y);
        self.z.push(a.z);
    }

    /// Makes the field `n` zero vectors, keeping its memory.
    pub fn reset(&mut self, n: usize) {
        if self.x.capacity() < n {
            *self = Self::zeros(n);
        }
        for c in [&mut self.x, &mut self.y, &mut self.z] {
            c.truncate(n);
            chunks::clear(c);
            c.resize(n, 0.0);
        }
    }

    /// Makes the field `n` vectors of whatever value, for who overwrites them all, keeping its memory.
    pub fn fit(&mut self, n: usize) {
        if self.x.capacity() < n {
            *self = Self::zeros(n);
        }
        for c in [&mut self.x, &mut self.y, &mut self.z] {
            c.resize(n, 0.0);
        }
    }

    /// Copies `other` into this field, keeping its memory.
    pub fn copy_from(&mut self, other: &Self) {
        if self.x.capacity() < other.len() {
            *self = Self::zeros(other.len());
        }
        self.x.clone_from(&other.x);
        self.y.clone_from(&other.y);
        self.z.clone_from(&other.z);
    }

    /// `self += s · other`, the seed's `axpy`.
    pub fn axpy(&mut self, s: f64, other: &Self) {
        let pairs = [(&mut self.x, &other.x), (&mut self.y, &other.y), (&mut self.z, &other.z)];
        for (a, b) in pairs {
            for (a, b) in a.iter_mut().zip(b) {
                *a += s * b;
            }
        }
    }

    /// `self ← s · self + other`, the update of a conjugate direction.
    pub fn scale_add(&mut self, s: f64, other: &Self) {
        let pairs = [(&mut self.x, &other.x), (&mut self.y, &other.y), (&mut self.z, &other.z)];
        for (a, b) in pairs {
            for (a, b) in a.iter_mut().zip(b) {
                *a = s * *a + b;
            }
        }
    }

    /// The inner product `Σ selfᵢ · otherᵢ`, summed in a fixed order.
    pub fn dot(&self, other: &Self) -> f64 {
        let mut sum = 0.0;
        for (a, b) in [(&self.x, &other.x), (&self.y, &other.y), (&self.z, &other.z)] {
            sum += dot_in_lanes(a, b);
        }
        sum
    }

    /// True if no component is infinite or NaN.
    pub fn is_finite(&self) -> bool {
        self.first_not_finite().is_none()
    }

    /// The first element with a component that is infinite or NaN.
    pub fn first_not_finite(&self) -> Option<usize> {
        // A sum of products with zero is zero unless a component is not finite: one pass without branches.
        let probe = |c: &[f64]| c.iter().fold(0.0, |s, a| s + a * 0.0) == 0.0;
        if probe(&self.x) && probe(&self.y) && probe(&self.z) {
            return None;
        }
        (0..self.len()).find(|&i| !self.get(i).is_finite())
    }
}

impl Clone for Vectors {
    fn clone(&self) -> Self {
        let mut copy = Self::zeros(self.len());
        copy.copy_from(self);
        copy
    }

    fn clone_from(&mut self, other: &Self) {
        self.copy_from(other);
    }
}

/// `n` zeros with room for a few more, so that arrays allocated one after the other begin 320 bytes apart within a page.
///
/// Element `i` of a dozen arrays that all begin alike falls on the same few cache lines of the nearest cache: up to 30 % slower.
/// The capacity is 38 numbers (with the allocator's 16 bytes: 320) more than whole pages. It is a matter of speed only.
fn staggered_zeros(n: usize) -> Vec<f64> {
    const PAGE: usize = 4096 / size_of::<f64>();
    const MORE: usize = 38;
    if n < PAGE {
        return vec![0.0; n];
    }
    let mut zeros = Vec::with_capacity((n - MORE).next_multiple_of(PAGE) + MORE);
    zeros.resize(n, 0.0);
    zeros
}

/// Eight partial sums added in a fixed order: the same bits on every machine, and fast.
#[inline(always)]
pub(crate) fn dot_in_lanes(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; 8];
    let (a8, b8) = (a.chunks_exact(8), b.chunks_exact(8));
    let tail: f64 = a8.remainder().iter().zip(b8.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a8.zip(b8) {
        for l in 0..8 {
            lanes[l] += a[l] * b[l];
        }
    }
    lanes.iter().sum::<f64>() + tail
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inner_product_agrees_with_the_definition() {
        let mut a = Vectors::default();
        for i in 0..29 {
            a.push(DVec3::new(i as f64, 0.5, -1.0));
        }
        let expected: f64 = (0..29).map(|i| (i * i) as f64 + 1.25).sum();
        assert_eq!(a.dot(&a), expected);
    }

    #[test]
    fn an_element_that_is_not_finite_is_named() {
        let mut a = Vectors::zeros(20);
        assert!(a.is_finite());
        a.y[13] = f64::NAN;
        assert_eq!(a.first_not_finite(), Some(13));
        a.y[13] = 0.0;
        a.z[7] = f64::INFINITY;
        assert_eq!(a.first_not_finite(), Some(7));
    }
}
