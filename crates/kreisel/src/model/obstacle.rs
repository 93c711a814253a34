//! The fixed world: planes, boxes and balls that push back and never move.

use glamx::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// A thing of the fixed world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Obstacle {
    /// What it is called in messages.
    pub name: String,
    /// Its geometry.
    pub shape: ObstacleShape,
    /// Friction coefficients (static, dynamic) [1]; `None`: those of what touches it.
    pub friction: Option<(f64, f64)>,
    /// Coefficient of restitution [1]; `None`: that of what touches it.
    pub restitution: Option<f64>,
}

/// Geometry of an obstacle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ObstacleShape {
    /// The half-space below `normal · x = offset`.
    Plane {
        /// Outward unit normal [1].
        normal: DVec3,
        /// Distance of the surface from the origin along the normal [m].
        offset: f64,
    },
    /// A box.
    Box {
        /// Centre [m].
        centre: DVec3,
        /// Half of each side [m].
        half_size: DVec3,
        /// Orientation.
        rotation: DQuat,
    },
    /// A ball.
    Sphere {
        /// Centre [m].
        centre: DVec3,
        /// Radius [m].
        radius: f64,
    },
}

impl ObstacleShape {
    /// Signed distance of `x` from the surface [m] and the outward unit normal there.
    pub fn distance(&self, x: DVec3) -> (f64, DVec3) {
        match self {
            Self::Plane { normal, offset } => (normal.dot(x) - offset, *normal),
            Self::Sphere { centre, radius } => {
                let r = x - *centre;
                let d = r.length();
                (d - radius, if d > 0.0 { r / d } else { DVec3::Z })
            }
            Self::Box { centre, half_size, rotation } => {
                let local = rotation.inverse() * (x - *centre);
                let (d, n) = distance_to_box(local, *half_size);
                (d, *rotation * n)
            }
        }
    }

    /// An axis-parallel box around the obstacle, if it is bounded.
    pub fn bounds(&self) -> Option<(DVec3, DVec3)> {
        match self {
            Self::Plane { .. } => None,
            Self::Sphere { centre, radius } => Some((*centre - *radius, *centre + *radius)),
            Self::Box { centre, half_size, .. } => {
                let reach = half_size.length();
                Some((*centre - reach, *centre + reach))
            }
        }
    }
}

/// Signed distance and normal of an axis-parallel box around the origin: outside, from the nearest point of the box;
/// inside, through the nearest face.
fn distance_to_box(p: DVec3, half: DVec3) -> (f64, DVec3) {
    let sign = |a: f64| if a < 0.0 { -1.0 } else { 1.0 };
    let q = p.abs() - half;
    let outside = q.max(DVec3::ZERO);
    if outside != DVec3::ZERO {
        let d = outside.length();
        return (d, outside / d * DVec3::new(sign(p.x), sign(p.y), sign(p.z)));
    }
    let (x, y, z) = (q.x, q.y, q.z);
    if x >= y && x >= z {
        (x, DVec3::X * sign(p.x))
    } else if y >= z {
        (y, DVec3::Y * sign(p.y))
    } else {
        (z, DVec3::Z * sign(p.z))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_is_the_gradient_of_the_distance() {
        let shapes = [
            ObstacleShape::Plane { normal: DVec3::new(0.6, 0.0, 0.8), offset: 0.3 },
            ObstacleShape::Sphere { centre: DVec3::new(0.1, 0.2, 0.3), radius: 0.7 },
            ObstacleShape::Box {
                centre: DVec3::new(0.3, -0.2, 0.1),
                half_size: DVec3::new(0.5, 0.6, 0.7),
                rotation: DQuat::from_rotation_x(0.4) * DQuat::from_rotation_z(1.1),
            },
        ];
        let points = [DVec3::new(1.1, 0.4, -0.9), DVec3::new(0.2, 0.1, 0.15), DVec3::new(-0.9, -1.4, 1.3)];
        for shape in &shapes {
            for &x in &points {
                let (_, n) = shape.distance(x);
                for (axis, component) in [(DVec3::X, n.x), (DVec3::Y, n.y), (DVec3::Z, n.z)] {
                    let h = 1e-6;
                    let fd = (shape.distance(x + axis * h).0 - shape.distance(x - axis * h).0) / (2.0 * h);
                    assert!((fd - component).abs() < 1e-8, "{shape:?} at {x}");
                }
            }
        }
    }

    #[test]
    fn the_centre_of_a_ball_has_a_normal() {
        let ball = ObstacleShape::Sphere { centre: DVec3::ONE, radius: 2.0 };
        assert_eq!(ball.distance(DVec3::ONE), (-2.0, DVec3::Z));
    }
}
