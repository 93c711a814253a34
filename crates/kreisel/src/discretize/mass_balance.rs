//! Masses that have the solid's own mass, centre and inertia: `m_i ← m_i (1 + q(x_i))` with a quadratic `q`.
//!
//! Matter lumped at the corners of cells has the right mass, a slightly wrong centre (cells at the surface are filled on
//! one side) and moments of inertia too large by about `m a²/3`. Of all corrections `q_i` that give the wanted moments
//! `Σ m_i q_i φ_c(x_i) = b_c`, `φ = 1, x, y, z, x², y², z², xy, yz, zx`, the smallest in the mean, `Σ m_i q_i²`, is
//! `q = Σ λ_c φ_c` with `(Σ m_i φ_c φ_d) λ_d = b_c`. As far as `|q| ≤ 0.3` allows all ten are met, and mass and centre always.

use crate::linear::Vectors;
use crate::linear::eigen::principal_frame;
use crate::model::Surface;
use glamx::{DMat3, DVec3};

/// Larger changes of an element's mass are not made for the sake of second moments: they would shorten the explicit step.
const LARGEST_CHANGE: f64 = 0.3;
/// Number of monomials up to the second degree.
const TERMS: usize = 10;
/// Monomials that count as sums of others: bodies one cell thick have no second moment of their own across.
const DEPENDENT: f64 = 1e-9;

/// Mass and its first and second moments about a point, or those of a volume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moments {
    /// `∫ dm` [kg].
    pub mass: f64,
    /// `∫ x dm` [kg m].
    pub first: DVec3,
    /// `∫ x xᵀ dm` [kg m²].
    pub second: DMat3,
}

impl Moments {
    /// Nothing.
    pub const ZERO: Self = Self { mass: 0.0, first: DVec3::ZERO, second: DMat3::ZERO };

    /// Of a point mass.
    pub fn point(mass: f64, x: DVec3) -> Self {
        Self { mass, first: mass * x, second: outer(x) * mass }
    }

    /// Of a box of sides `a` about `x`.
    pub fn cell(mass: f64, x: DVec3, a: [f64; 3]) -> Self {
        let own = DMat3::from_diagonal(DVec3::from(a.map(|a| a * a / 12.0)));
        Self { mass, first: mass * x, second: (outer(x) + own) * mass }
    }

    /// The sum of two.
    pub fn plus(self, other: Self) -> Self {
        Self { mass: self.mass + other.mass, first: self.first + other.first, second: self.second + other.second }
    }

    /// A multiple.
    pub fn times(self, s: f64) -> Self {
        Self { mass: s * self.mass, first: s * self.first, second: self.second * s }
    }

    /// The volume inside a closed surface about `origin` (density 1), from tetrahedra between `origin` and the triangles:
    /// `∫ x xᵀ dV = V/20 (Σ v_i v_iᵀ + s sᵀ)`, `s = Σ v_i`.
    pub fn inside(surface: &Surface, origin: DVec3) -> Self {
        (0..surface.triangles.len()).fold(Self::ZERO, |sum, t| {
            let [a, b, c] = surface.corners(t).map(|x| x - origin);
            let (volume, s) = (a.dot(b.cross(c)) / 6.0, a + b + c);
            let second = (outer(a) + outer(b) + outer(c) + outer(s)) * (volume / 20.0);
            sum.plus(Self { mass: volume, first: 0.25 * volume * s, second })
        })
    }

    /// Of elements about `origin`.
    pub fn of_elements(x: &Vectors, masses: &[f64], origin: DVec3) -> Self {
        masses.iter().enumerate().fold(Self::ZERO, |sum, (i, &m)| sum.plus(Self::point(m, x.get(i) - origin)))
    }

    /// Centre of mass, from where the moments are taken [m].
    pub fn centre(&self) -> DVec3 {
        self.first / self.mass
    }

    /// Principal moments of inertia about the centre of mass, ascending [kg m²].
    pub fn principal_inertia(&self) -> DVec3 {
        let c = self.centre();
        let about = self.second - outer(c) * self.mass;
        let trace = about.x_axis.x + about.y_axis.y + about.z_axis.z;
        let mut values = principal_frame(DMat3::from_diagonal(DVec3::splat(trace)) - about).0.to_array();
        values.sort_by(f64::total_cmp);
        DVec3::from(values)
    }

    /// In the order of the monomials, lengths in units of `scale`.
    fn list(&self, scale: f64) -> [f64; TERMS] {
        let (f, s) = (self.first / scale, self.second * (1.0 / (scale * scale)));
        [self.mass, f.x, f.y, f.z, s.x_axis.x, s.y_axis.y, s.z_axis.z, s.x_axis.y, s.y_axis.z, s.z_axis.x]
    }
}

fn outer(x: DVec3) -> DMat3 {
    DMat3::from_cols(x * x.x, x * x.y, x * x.z)
}

fn monomials(x: DVec3) -> [f64; TERMS] {
    [1.0, x.x, x.y, x.z, x.x * x.x, x.y * x.y, x.z * x.z, x.x * x.y, x.y * x.z, x.z * x.x]
}

/// Changes masses so that they have the wanted moments about `origin`: mass and centre, second moments as far as can be.
pub(super) fn balance(x: &Vectors, masses: &mut [f64], origin: DVec3, wanted: &Moments) {
    let place = |i: usize| x.get(i) - origin;
    let scale = (0..x.len()).map(|i| place(i).length_squared()).fold(0.0, f64::max).sqrt().max(f64::MIN_POSITIVE);
    let terms = |i: usize| monomials(place(i) / scale);
    let have = Moments::of_elements(x, masses, origin).list(scale);
    let wanted = wanted.list(scale);
    let missing: [f64; TERMS] = std::array::from_fn(|c| wanted[c] - have[c]);
    let mut gram = [[0.0; TERMS]; TERMS];
    for (i, &m) in masses.iter().enumerate() {
        let t = terms(i);
        (0..TERMS).for_each(|c| (0..=c).for_each(|d| gram[c][d] += m * t[c] * t[d]));
    }
    let (plain, full) = (solve(&gram, &missing, 4), solve(&gram, &missing, TERMS));
    let change = |q: &[f64; TERMS], i: usize| terms(i).iter().zip(q).map(|(t, q)| t * q).sum::<f64>();
    // Both meet mass and centre, so every mixture does: the largest share of the full one within the limit.
    let mut share: f64 = 1.0;
    for i in 0..masses.len() {
        let (p, f) = (change(&plain, i), change(&full, i));
        let room = if f > p { LARGEST_CHANGE - p } else { LARGEST_CHANGE + p };
        share = share.min(room.max(0.0) / (f - p).abs().max(f64::MIN_POSITIVE));
    }
    let mixed: [f64; TERMS] = std::array::from_fn(|c| plain[c] + share * (full[c] - plain[c]));
    // A lattice so coarse that the centre alone would need more keeps at least a tenth of each element.
    let worst = (0..masses.len()).map(|i| -change(&mixed, i)).fold(0.0, f64::max);
    let (uniform, shrink) = (missing[0] / have[0], (0.9 / worst.max(0.9)).min(1.0));
    for (i, m) in masses.iter_mut().enumerate() {
        *m *= 1.0 + if shrink < 1.0 { uniform + shrink * (change(&mixed, i) - uniform) } else { change(&mixed, i) };
    }
}

/// Solves the first `count` equations of a symmetric system by `L D Lᵀ`; unknowns that depend on earlier ones are zero.
fn solve(gram: &[[f64; TERMS]; TERMS], b: &[f64; TERMS], count: usize) -> [f64; TERMS] {
    let (mut l, mut d, mut y) = ([[0.0; TERMS]; TERMS], [0.0; TERMS], [0.0; TERMS]);
    for i in 0..count {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| l[i][k] * l[j][k] * d[k]).sum();
            let rest = gram[i][j] - known;
            if i == j {
                d[i] = if rest > DEPENDENT * gram[i][i] { rest } else { 0.0 };
            } else if d[j] > 0.0 {
                l[i][j] = rest / d[j];
            }
        }
        y[i] = b[i] - (0..i).map(|k| l[i][k] * y[k]).sum::<f64>();
    }
    let mut x = [0.0; TERMS];
    for i in (0..count).rev().filter(|&i| d[i] > 0.0) {
        x[i] = y[i] / d[i] - (i + 1..count).map(|k| l[k][i] * x[k]).sum::<f64>();
    }
    x
}
