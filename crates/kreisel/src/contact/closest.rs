//! The point of a triangle that is closest to another point [Eri05].

use glamx::DVec3;

/// Weights `β` of the corners of triangle `[a, b, c]` for the point of it that is closest to `p`: `q = Σ β x`, `β ≥ 0`,
/// `Σ β = 1`. A weight is exactly zero where the point lies on the edge across, or in a corner.
///
/// The region of `p` among the corners, edges and the face follows from the signs of scalar products; degenerate
/// triangles are edges or points.
pub fn closest_on_triangle(p: DVec3, [a, b, c]: [DVec3; 3]) -> [f64; 3] {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let t = d1 / (d1 - d3);
        return [1.0 - t, t, 0.0];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let t = d2 / (d2 - d6);
        return [1.0 - t, 0.0, t];
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - t, t];
    }
    let whole = va + vb + vc;
    let (v, w) = (vb / whole, vc / whole);
    [1.0 - v - w, v, w]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_other_point_of_the_triangle_is_closer() {
        let corners = [DVec3::new(0.1, 0.0, 0.2), DVec3::new(1.2, 0.3, -0.1), DVec3::new(0.4, 0.9, 0.3)];
        let place = |b: [f64; 3]| corners[0] * b[0] + corners[1] * b[1] + corners[2] * b[2];
        for k in 0..500 {
            let k = f64::from(k);
            let p = DVec3::new((1.7 * k).sin(), (2.3 * k).sin(), (3.1 * k).sin()) * 1.5;
            let beta = closest_on_triangle(p, corners);
            assert!(beta.iter().all(|&b| (0.0..=1.0).contains(&b)) && (beta.iter().sum::<f64>() - 1.0).abs() < 1e-14);
            let best = place(beta).distance(p);
            for i in 0..=20 {
                for j in 0..=20 - i {
                    let (u, v) = (f64::from(i) / 20.0, f64::from(j) / 20.0);
                    assert!(place([1.0 - u - v, u, v]).distance(p) >= best - 1e-12);
                }
            }
        }
    }
}
