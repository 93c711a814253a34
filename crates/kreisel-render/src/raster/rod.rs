//! Rods: where a ray meets a cylinder with round ends.

use crate::raster::Screen;
use crate::raster::project::{Frame, NEAR, ball_frame};
use kreisel::DVec3;

/// Where a rod can be in the picture.
pub(crate) struct RodSight {
    /// The rectangle around it [pixels].
    pub(crate) frame: Frame,
    ends: [(f64, f64); 2],
    /// Square of the distance from its axis that it cannot exceed [pixels²]; infinite: unknown.
    reach: f64,
}

impl RodSight {
    /// `None` if it is behind the camera.
    pub(crate) fn new(screen: &Screen, ends: [DVec3; 2], radius: f64) -> Option<Self> {
        let frames = ends.map(|x| ball_frame(screen, x, radius));
        let nearest = ends[0].z.min(ends[1].z) - radius;
        let everything = Frame { low: (0.0, 0.0), high: (screen.width as f64, screen.height as f64) };
        match frames {
            [None, None] => None,
            [Some(a), Some(b)] if nearest > NEAR => {
                let low = (a.low.0.min(b.low.0), a.low.1.min(b.low.1));
                let high = (a.high.0.max(b.high.0), a.high.1.max(b.high.1));
                let extent = |f: Frame| (f.high.0 - f.low.0).max(f.high.1 - f.low.1);
                // Balls far from the axis of the picture are seen as ellipses, no wider than their rectangle's diagonal.
                let reach = 0.75 * extent(a).max(extent(b)) + 1.0;
                let ends = ends.map(|x| screen.pixel((x.x / x.z, x.y / x.z)));
                Some(Self { frame: Frame { low, high }, ends, reach: reach * reach })
            }
            _ => Some(Self { frame: everything, ends: [(0.0, 0.0); 2], reach: f64::INFINITY }),
        }
    }

    /// False if a place in the picture is certainly beside it.
    pub(crate) fn may_cover(&self, x: f64, y: f64) -> bool {
        if self.reach == f64::INFINITY {
            return true;
        }
        let [a, b] = self.ends;
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let square = dx * dx + dy * dy;
        let s = if square > 0.0 { (((x - a.0) * dx + (y - a.1) * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
        let (ex, ey) = (x - a.0 - s * dx, y - a.1 - s * dy);
        ex * ex + ey * ey <= self.reach
    }
}

/// Depth at which the ray `z d` meets the rod. With `u = b − a` and everything perpendicular to `u`, the cylinder is
/// `|z d⊥ − a⊥| = r`; where the foot of the point lies beyond an end, that end's ball counts.
pub(crate) fn rod_depth(ends: [DVec3; 2], radius: f64, d: DVec3) -> Option<f64> {
    let [a, b] = ends;
    let u = b - a;
    let (uu, ud, ua) = (u.dot(u), u.dot(d), u.dot(a));
    let (dd, da, aa) = (d.dot(d), d.dot(a), a.dot(a));
    let square = uu * dd - ud * ud;
    if square > 1e-12 * uu * dd {
        let along = uu * da - ua * ud;
        let root = along * along - square * (uu * aa - ua * ua - radius * radius * uu);
        if root <= 0.0 {
            return None;
        }
        let z = (along - root.sqrt()) / square;
        let foot = z * ud - ua;
        if (0.0..=uu).contains(&foot) {
            return Some(z);
        }
    }
    let ends = [ball_depth(a, radius, d), ball_depth(b, radius, d)];
    ends.into_iter().flatten().reduce(f64::min)
}

/// Depth at which the ray `z d` first meets a ball.
pub(crate) fn ball_depth(centre: DVec3, radius: f64, d: DVec3) -> Option<f64> {
    let (along, square) = (d.dot(centre), d.length_squared());
    let root = along * along - square * (centre.length_squared() - radius * radius);
    (root > 0.0).then(|| (along - root.sqrt()) / square)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_meets_a_rod_where_its_distance_from_the_axis_is_the_radius() {
        let ends = [DVec3::new(-1.0, 0.3, 4.0), DVec3::new(1.2, -0.4, 6.0)];
        let distance = |x: DVec3| {
            let u = ends[1] - ends[0];
            let s = ((x - ends[0]).dot(u) / u.dot(u)).clamp(0.0, 1.0);
            x.distance(ends[0] + s * u)
        };
        let mut met = 0;
        for i in -40..40 {
            for j in -20..20 {
                let d = DVec3::new(i as f64 * 0.01, j as f64 * 0.01, 1.0);
                let near_axis = (0..2000).map(|k| distance(d * (3.0 + k as f64 * 0.002))).fold(f64::MAX, f64::min);
                match rod_depth(ends, 0.3, d) {
                    Some(z) => assert!((distance(d * z) - 0.3).abs() < 1e-9),
                    None => assert!(near_axis > 0.2999),
                }
                met += rod_depth(ends, 0.3, d).is_some() as u32;
            }
        }
        assert!(met > 300);
    }
}
