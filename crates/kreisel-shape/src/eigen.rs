//! Eigenvalues of symmetric 3 × 3 matrices, and least squares that ignore directions nothing is known about.

use kreisel::{DMat3, DVec3};

/// Sweeps of Jacobi rotations; four suffice for double precision.
const SWEEPS: usize = 8;

/// Eigenvalues in falling order and their vectors, by Jacobi's rotations. [GVL13 §8.5]
pub fn symmetric(matrix: DMat3) -> ([f64; 3], [DVec3; 3]) {
    let mut a = matrix.to_cols_array_2d();
    let mut v = DMat3::IDENTITY.to_cols_array_2d();
    for _ in 0..SWEEPS {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            rotate(&mut a, &mut v, p, q);
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| a[j][j].total_cmp(&a[i][i]));
    (order.map(|k| a[k][k]), order.map(|k| DVec3::from_array(v[k])))
}

/// Makes `a[p][q]` vanish; the columns of `v` turn along.
fn rotate(a: &mut [[f64; 3]; 3], v: &mut [[f64; 3]; 3], p: usize, q: usize) {
    if a[p][q].abs() <= f64::MIN_POSITIVE {
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
    let c = 1.0 / t.hypot(1.0);
    let s = t * c;
    for row in a.iter_mut() {
        let (x, y) = (row[p], row[q]);
        (row[p], row[q]) = (c * x - s * y, s * x + c * y);
    }
    for k in 0..3 {
        let (x, y) = (a[p][k], a[q][k]);
        (a[p][k], a[q][k]) = (c * x - s * y, s * x + c * y);
        let (x, y) = (v[p][k], v[q][k]);
        (v[p][k], v[q][k]) = (c * x - s * y, s * x + c * y);
    }
}

/// Planes `n · (x − p) = 0`, gathered relative to a centre: the point nearest to all of them.
#[derive(Clone, Copy, Debug)]
pub struct Planes {
    square: DMat3,
    right: DVec3,
    count: f64,
}

/// The point nearest to all planes, and in how many directions they fix it: 1 face, 2 crease, 3 corner.
pub struct Meeting {
    /// From the centre to the point [m].
    pub shift: DVec3,
    /// Number of directions in which the planes fix it.
    pub rank: u8,
}

impl Default for Planes {
    fn default() -> Self {
        Planes { square: DMat3::ZERO, right: DVec3::ZERO, count: 0.0 }
    }
}

impl Planes {
    /// A plane through `p` (relative to the centre) with unit normal `n`.
    pub fn add(&mut self, p: DVec3, n: DVec3) {
        self.square += DMat3::from_cols(n * n.x, n * n.y, n * n.z);
        self.right += n * n.dot(p);
        self.count += 1.0;
    }

    /// Least squares over the directions whose share of the normals exceeds `threshold`.
    pub fn meet(&self, threshold: f64) -> Meeting {
        let (values, vectors) = symmetric(self.square);
        let mut meeting = Meeting { shift: DVec3::ZERO, rank: 0 };
        for (value, vector) in values.into_iter().zip(vectors) {
            if value > threshold * self.count {
                meeting.shift += vector * (vector.dot(self.right) / value);
                meeting.rank += 1;
            }
        }
        meeting
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvectors_are_stretched_by_their_eigenvalues() {
        let m = DMat3::from_cols(DVec3::new(2.0, 0.3, -0.7), DVec3::new(0.3, 1.0, 0.5), DVec3::new(-0.7, 0.5, -0.4));
        let (values, vectors) = symmetric(m);
        for (value, vector) in values.into_iter().zip(vectors) {
            assert!((m * vector - value * vector).length() < 1e-14);
            assert!((vector.length() - 1.0).abs() < 1e-14);
        }
        assert!(values[0] >= values[1] && values[1] >= values[2]);
    }

    #[test]
    fn three_planes_meet_in_a_corner_and_two_in_a_crease() {
        let mut planes = Planes::default();
        planes.add(DVec3::new(1.0, 5.0, 5.0), DVec3::X);
        planes.add(DVec3::new(5.0, 2.0, 5.0), DVec3::Y);
        let crease = planes.meet(0.02);
        assert!(crease.rank == 2 && (crease.shift - DVec3::new(1.0, 2.0, 0.0)).length() < 1e-14);
        planes.add(DVec3::new(5.0, 5.0, 3.0), DVec3::Z);
        let corner = planes.meet(0.02);
        assert!(corner.rank == 3 && (corner.shift - DVec3::new(1.0, 2.0, 3.0)).length() < 1e-14);
    }
}
