//! Nearest point of an ellipsoid by the secular equation.

use super::{Nearest, sign};
use glamx::DVec3;

/// More than Newton ever needs from its lower bound; it stops by itself when the parameter no longer grows.
const MOST_ITERATIONS: usize = 100;

/// The foot `y` of `x` satisfies `x − y = t y/a²`, so `y_i = a_i² x_i/(a_i² + t)`, and `t` is the greatest root of
/// `S(t) = Σ (a_i x_i/(a_i² + t))² = 1`. With `s = t + a_min²` no denominator cancels. Newton on `1 − 1/√S`, which is nearly
/// linear, from the lower bound `s ≥ a_i|x_i| − (a_i² − a_min²)`, grows monotonically to the root. Then `distance = t |y/a²|`.
pub(super) fn nearest(x: DVec3, a: DVec3) -> Nearest {
    let least = a.min_element();
    let e = (a - least) * (a + least);
    let (s, y) = match root(x, a, e) {
        Some(s) => (s, a * a * x / (e + s)),
        None => (0.0, on_the_short_axis(x, a, e)),
    };
    let gradient = y / (a * a);
    let length = gradient.length();
    Nearest { distance: (s - least * least) * length, normal: gradient / length, point: y, feature: 0 }
}

/// The root `s > 0`, or nothing if the foot lies above the centre of the shortest axis.
fn root(x: DVec3, a: DVec3, e: DVec3) -> Option<f64> {
    let mut s = (a * x.abs() - e).max_element();
    let smallest = 1e-200 * a.min_element() * a.min_element();
    if s <= smallest {
        let w = a * x / e.max(DVec3::splat(smallest));
        let far = (0..3).filter(|&i| e[i] > 0.0).map(|i| w[i] * w[i]).sum::<f64>();
        if far <= 1.0 {
            return None;
        }
        s = smallest;
    }
    for _ in 0..MOST_ITERATIONS {
        let d = e + s;
        let w = a * x / d;
        let (sum, slope) = (w.length_squared(), (w * w / d).element_sum());
        let next = s + sum * (sum.sqrt() - 1.0) / slope;
        if next <= s || !next.is_finite() {
            break;
        }
        s = next;
    }
    Some(s)
}

/// Inside, in the plane of symmetry across the shortest axis: two feet above each other, the one of `x`'s side is taken.
fn on_the_short_axis(x: DVec3, a: DVec3, e: DVec3) -> DVec3 {
    let short = a.min_position();
    let mut y = DVec3::ZERO;
    for i in (0..3).filter(|&i| e[i] > 0.0) {
        y[i] = a[i] * a[i] * x[i] / e[i];
    }
    y[short] = 0.0;
    let rest = (1.0 - (y / a).length_squared()).max(0.0).sqrt();
    y[short] = sign(x[short]) * a[short] * rest;
    y
}
