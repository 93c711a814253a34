//! Exact signed distances of the primitives: negative inside, positive outside [m].

use kreisel::DVec3;

/// Block: outside the distance to the nearest point, inside to the nearest face.
pub fn cuboid(p: DVec3, size: DVec3) -> f64 {
    let q = p.abs() - 0.5 * size;
    q.max(DVec3::ZERO).length() + q.max_element().min(0.0)
}

/// Cylinder: a rectangle in the half plane (ρ, z).
pub fn cylinder(p: DVec3, radius: f64, height: f64) -> f64 {
    let (x, z) = (hypotenuse(p.x, p.y) - radius, p.z.abs() - 0.5 * height);
    hypotenuse(x.max(0.0), z.max(0.0)) + x.max(z).min(0.0)
}

/// Capsule: distance to the segment between the centres of the ends.
pub fn capsule(p: DVec3, radius: f64, height: f64) -> f64 {
    let half = 0.5 * height - radius;
    (p - DVec3::Z * p.z.clamp(-half, half)).length() - radius
}

/// Torus: distance to the circle in the middle of the tube.
pub fn torus(p: DVec3, radius: f64, thickness: f64) -> f64 {
    hypotenuse(hypotenuse(p.x, p.y) - radius, p.z) - 0.5 * thickness
}

/// Frustum: distance to the three sides of its profile in the half plane (ρ, z); the axis is no side.
pub fn cone(p: DVec3, radius: f64, height: f64, top: f64) -> f64 {
    let (q, half) = ([hypotenuse(p.x, p.y), p.z], 0.5 * height);
    let (foot, head) = ([radius, -half], [top, half]);
    let sides = [([0.0, -half], foot), (foot, head), (head, [0.0, half])];
    let distance = sides.iter().map(|&(a, b)| to_segment(q, a, b)).fold(f64::INFINITY, f64::min);
    let width = radius + (top - radius) * (q[1] + half) / height;
    let inside = q[1].abs() < half && q[0] < width;
    if inside { -distance } else { distance }
}

fn to_segment(q: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let (e, w) = ([b[0] - a[0], b[1] - a[1]], [q[0] - a[0], q[1] - a[1]]);
    let square = e[0] * e[0] + e[1] * e[1];
    let t = if square > 0.0 { ((w[0] * e[0] + w[1] * e[1]) / square).clamp(0.0, 1.0) } else { 0.0 };
    hypotenuse(w[0] - t * e[0], w[1] - t * e[1])
}

/// `√(a² + b²)`; sizes are checked not to overflow, and the library's `hypot` takes four times as long.
fn hypotenuse(a: f64, b: f64) -> f64 {
    (a * a + b * b).sqrt()
}

/// Hull of two balls, exact outside.
///
/// The hull is the union of the balls with centres `a + s (b − a)` and radii `r_a + s (r_b − r_a)`, 0 ≤ s ≤ 1. With
/// axial and radial coordinates (u, v) of p the distance `hypot(u − s l, v) − r(s)` is least where the line from the
/// centre leans by sin α = (r_a − r_b)/l from the normal of the axis: `s l = u − v tan α`, kept in [0, l].
pub fn limb(p: DVec3, from: DVec3, to: DVec3, start: f64, end: f64) -> f64 {
    let (axis, w) = (to - from, p - from);
    let l = axis.length();
    let sine = if l > 0.0 { (start - end) / l } else { 2.0 };
    if sine.abs() >= 1.0 {
        // One ball contains the other.
        return if start > end { w.length() - start } else { (p - to).length() - end };
    }
    let u = w.dot(axis) / l;
    let v = (w.length_squared() - u * u).max(0.0).sqrt();
    let s = (u - v * sine / (1.0 - sine * sine).sqrt()).clamp(0.0, l);
    hypotenuse(u - s, v) - (start + (end - start) * s / l)
}

/// Ellipsoid by root finding.
///
/// The nearest surface point of y (all yᵢ ≥ 0) is `xᵢ = rᵢ² yᵢ/(t + rᵢ²)` with the largest root t of
/// `F(t) = Σ (rᵢ yᵢ/(t + rᵢ²))² − 1`, where F falls from +∞ at t = −min rᵢ² and is convex. Each term alone gives
/// `t ≥ rᵢ yᵢ − rᵢ²`, the largest radius in every denominator gives `t ≥ |r y| − max rᵢ²`; from there Newton's steps rise
/// to the root and never pass it. Coordinates that vanish are lifted by 1e-13 of the smallest radius, so that the root
/// is never hidden; the distance changes by no more than that.
pub fn ellipsoid(p: DVec3, radii: DVec3) -> f64 {
    let scale = radii.min_element();
    let (r, y) = (radii / scale, (p / scale).abs().max(DVec3::splat(1e-13)));
    // With s = t + 1 (the smallest radius is one) nothing cancels near the pole s = 0.
    let (square, stretched) = (r * r, r * y);
    let offset = square - 1.0;
    let mut s = (stretched - offset).max_element().max(stretched.length() - offset.max_element());
    for _ in 0..100 {
        let inverse = (offset + s).recip();
        let q = stretched * inverse;
        let (value, slope) = (q.length_squared() - 1.0, 2.0 * (q * q * inverse).element_sum());
        let step = value / slope;
        if step > 0.0 {
            s += step;
        }
        // Newton squares the error: after a step of 1e-9 there is none left.
        if step.is_nan() || step <= 1e-9 * s {
            break;
        }
    }
    let nearest = square * y / (offset + s);
    let inside = (y / r).length_squared() < 1.0;
    let distance = (y - nearest).length() * scale;
    if inside { -distance } else { distance }
}
