//! Nearest points of capsule, cylinder and cone: a problem in the half-plane of distance from the axis and height.

use super::{Nearest, sign};
use glamx::{DVec2, DVec3};

/// The nearest place is beyond the nearest point of the segment.
pub(super) fn capsule(x: DVec3, half_length: f64, radius: f64) -> Nearest {
    let z = x.z.clamp(-half_length, half_length);
    let away = x - DVec3::Z * z;
    let distance = away.length();
    let normal = if distance > 1e-150 { (away / distance).normalize_or(DVec3::X) } else { DVec3::X };
    let point = DVec3::Z * z + normal * radius;
    let feature = if z == x.z {
        0
    } else if x.z > 0.0 {
        1
    } else {
        2
    };
    Nearest { distance: distance - radius, normal, point, feature }
}

/// Direction away from the axis (x on it) and distance from it.
fn radial(x: DVec3) -> (DVec3, f64) {
    let flat = DVec3::new(x.x, x.y, 0.0);
    let rho = flat.length();
    (if rho > 1e-150 { (flat / rho).normalize_or(DVec3::X) } else { DVec3::X }, rho)
}

fn lift(u: DVec3, distance: f64, n: DVec2, p: DVec2, feature: u32) -> Nearest {
    let up = |v: DVec2| u * v.x + DVec3::Z * v.y;
    Nearest { distance, normal: up(n).normalize_or(DVec3::Z), point: up(p), feature }
}

/// Features: 0 side, 1 and 2 caps, 3 and 4 rims.
pub(super) fn cylinder(x: DVec3, half_length: f64, radius: f64) -> Nearest {
    let (u, rho) = radial(x);
    let up = sign(x.z);
    let which = u32::from(up < 0.0);
    let q = DVec2::new(rho - radius, x.z.abs() - half_length);
    let rim = DVec2::new(radius, up * half_length);
    if q.x > 0.0 && q.y > 0.0 {
        let d = q.length();
        return lift(u, d, DVec2::new(q.x, up * q.y) / d, rim, 3 + which);
    }
    if q.x >= q.y {
        return lift(u, q.x, DVec2::X, DVec2::new(radius, x.z), 0);
    }
    lift(u, q.y, DVec2::new(0.0, up), DVec2::new(rho, rim.y), 1 + which)
}

/// Features: 0 side, 1 base, 2 rim, 3 apex.
pub(super) fn cone(x: DVec3, half_length: f64, radius: f64) -> Nearest {
    let (u, rho) = radial(x);
    let p = DVec2::new(rho, x.z);
    let (apex, rim) = (DVec2::new(0.0, half_length), DVec2::new(radius, -half_length));
    let slant = (apex - rim).length();
    let along = (apex - rim) / slant;
    let n = DVec2::new(along.y, -along.x);
    let (side, base) = (n.dot(p - rim), -half_length - x.z);
    let s = along.dot(p - rim);
    if side <= 0.0 && base <= 0.0 {
        return match side >= base {
            true => lift(u, side, n, p - n * side, 0),
            false => lift(u, base, -DVec2::Y, DVec2::new(rho, -half_length), 1),
        };
    }
    if base > 0.0 && rho <= radius {
        return lift(u, base, -DVec2::Y, DVec2::new(rho, -half_length), 1);
    }
    if s > 0.0 && s < slant {
        return lift(u, side, n, rim + along * s, 0);
    }
    let (corner, feature) = if s <= 0.0 { (rim, 2) } else { (apex, 3) };
    let away = p - corner;
    let d = away.length();
    lift(u, d, if d > 1e-150 { away / d } else { n }, corner, feature)
}
