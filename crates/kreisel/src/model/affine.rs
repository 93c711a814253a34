//! Weights by which a point rides on elements near it so that affine motions are followed exactly.
//!
//! Moving least squares with a linear basis [LS81]: with `w_i` a kernel of the distance, `X̄ = Σ w X_i/W` and
//! `G = Σ w (X_i − X̄)(X_i − X̄)ᵀ`, the weights are `φ_i = w_i [1/W + (X − X̄)ᵀ G⁻¹ (X_i − X̄)]`. Then `Σ φ = 1` and
//! `Σ φ X_i = X`. They are constant in time. Weights may be negative outside the hull of the elements; cutting them
//! off would break the balance of moments, so more elements are taken instead until `Σ|φ|` is small.

use crate::linear::Vectors;
use crate::linear::eigen::pseudo_inverse;
use crate::model::Neighbours;
use glamx::{DMat3, DVec3};

/// Radii of the search in multiples of the first one, and how many elements are taken at most.
const RINGS: [(f64, usize); 4] = [(1.0, 16), (1.4, 24), (2.0, 48), (3.0, 96)];
/// `Σ|φ|` must not be larger than this, if it can be helped.
const LARGEST_SUM: f64 = 3.0;
/// Elements are not coplanar if `det G` is larger than this share of `(tr G/3)³`.
const FLAT: f64 = 1e-4;

/// Weights of the elements around `seed` that a point rides on; `cell` is the usual distance of neighbours [m].
///
/// Only elements that can be reached from the seed over connections near the point count: those of another leg do not,
/// however near they are. Fragments with fewer than four elements that are not coplanar cannot carry a point off them:
/// then it rides on its projection.
pub fn affine_weights(point: DVec3, seed: u32, x: &Vectors, neighbours: &Neighbours, cell: f64) -> Vec<(u32, f64)> {
    let first = (1.8 * cell).max(x.get(seed as usize).distance(point) + 1.2 * cell);
    let mut weights = Vec::new();
    for (growth, most) in RINGS {
        let (near, radius) = nearest(point, neighbours.reach(seed, point, growth * first, x), x, growth * first, most);
        let good;
        (weights, good) = weights_of(point, &near, x, radius);
        if good {
            break;
        }
    }
    weights
}

/// At most so many of the elements, the nearest, ascending by number; and the radius at which the kernel vanishes.
///
/// It is the distance of the first element left out: the weights of neighbouring points then change smoothly.
fn nearest(point: DVec3, mut found: Vec<u32>, x: &Vectors, radius: f64, most: usize) -> (Vec<u32>, f64) {
    let distance = |e: u32| x.get(e as usize).distance_squared(point);
    if found.len() <= most {
        found.sort_unstable();
        return (found, radius);
    }
    found.sort_unstable_by(|&a, &b| distance(a).total_cmp(&distance(b)).then(a.cmp(&b)));
    let radius = distance(found[most]).sqrt();
    found.truncate(most);
    found.sort_unstable();
    (found, radius)
}

/// The weights, and whether the elements are many enough and not coplanar.
fn weights_of(point: DVec3, elements: &[u32], x: &Vectors, radius: f64) -> (Vec<(u32, f64)>, bool) {
    let kernel = |r: DVec3| (1.0 - r.length_squared() / (radius * radius)).max(0.0).powi(2).max(1e-9);
    // From the point on, so that the sums are of small numbers: X = 0.
    let arms: Vec<(DVec3, f64)> = elements.iter().map(|&e| x.get(e as usize) - point).map(|r| (r, kernel(r))).collect();
    let total: f64 = arms.iter().map(|a| a.1).sum();
    let mean = arms.iter().fold(DVec3::ZERO, |s, (r, w)| s + *r * *w) / total;
    let spread = arms.iter().fold(DMat3::ZERO, |g, (r, w)| g + outer(*r - mean, (*r - mean) * *w));
    let mean_moment = spread.diagonal().element_sum() / 3.0;
    let full = spread.determinant() > FLAT * mean_moment.powi(3);
    let inverse = if full { spread.inverse() } else { pseudo_inverse(spread) };
    let mut weights = vec![0.0; arms.len()];
    // The second pass mends what the first left open by rounding: Σ δ = 1 − Σ φ and Σ δ r = −Σ φ r.
    let (mut missing, mut moment) = (1.0, DVec3::ZERO);
    for _ in 0..2 {
        let slope = inverse * (moment - missing * mean);
        for (weight, (r, w)) in weights.iter_mut().zip(&arms) {
            *weight += w * (missing / total + slope.dot(*r - mean));
        }
        missing = 1.0 - weights.iter().sum::<f64>();
        moment = -weights.iter().zip(&arms).fold(DVec3::ZERO, |s, (weight, (r, _))| s + *r * *weight);
    }
    let good = full && weights.iter().map(|a| a.abs()).sum::<f64>() <= LARGEST_SUM;
    (elements.iter().copied().zip(weights).collect(), good)
}

/// `a bᵀ`.
fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}
