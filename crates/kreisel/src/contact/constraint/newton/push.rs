//! Push and friction of a contact that is asked for an impulse: no less than the least push, and friction inside the disc that the push allows.

use super::terms::length;
use glamx::{DMat3, DVec3};

/// The impulse `P(y)` [N s], `P_n = max(y_n, least)`, `P_t` the nearest point to `y_t` of the disc of radius `μ P_n`; and its derivative by
/// `y` [1].
pub(super) fn push(y: DVec3, friction: f64, least: f64) -> (DVec3, DMat3) {
    let (normal, pushes) = if y.x > least { (y.x, 1.0) } else { (least, 0.0) };
    let (radius, rub) = (friction * normal, length(y.y, y.z));
    if rub <= radius {
        return (DVec3::new(normal, y.y, y.z), DMat3::from_diagonal(DVec3::new(pushes, 1.0, 1.0)));
    }
    let (along, share) = (DVec3::new(0.0, y.y, y.z) / rub, radius / rub);
    let across = DVec3::new(0.0, -along.z, along.y);
    let slope = DMat3::from_cols(
        DVec3::X * pushes + along * (friction * pushes),
        across * (across.y * share),
        across * (across.z * share),
    );
    (DVec3::X * normal + along * radius, slope)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::noise::Noise;

    #[test]
    fn the_slope_is_the_derivative_of_the_impulse_wherever_it_has_one() {
        let (mut noise, h) = (Noise(5), 1e-6);
        let mut signed = || 2.0 * noise.next() - 1.0;
        let (mut slides, mut sticks, mut open) = (0, 0, 0);
        for n in 0..3000 {
            let y = DVec3::new(signed(), signed(), signed());
            let (friction, least) = (0.7, if n % 3 == 0 { 0.2 } else { 0.0 });
            let (p, slope) = push(y, friction, least);
            let rub = length(y.y, y.z);
            // Corners have no derivative.
            if (y.x - least).abs() < 10.0 * h || (rub - friction * p.x).abs() < 10.0 * h {
                continue;
            }
            *(if p.x == 0.0 {
                &mut open
            } else if rub > friction * p.x {
                &mut slides
            } else {
                &mut sticks
            }) += 1;
            for (axis, column) in
                [DVec3::X, DVec3::Y, DVec3::Z].into_iter().zip([slope.x_axis, slope.y_axis, slope.z_axis])
            {
                let change =
                    (push(y + axis * h, friction, least).0 - push(y - axis * h, friction, least).0) / (2.0 * h);
                assert!((change - column).length() < 1e-5, "{y}: {change} for {column}");
            }
        }
        assert!(slides > 500 && sticks > 100 && open > 500, "{slides} {sticks} {open}");
    }
}
