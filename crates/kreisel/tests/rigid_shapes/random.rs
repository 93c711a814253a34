//! Random numbers with fixed seeds. [SLF14]

use kreisel::collide::shapes::Pose;
use kreisel::{DQuat, DVec3};

pub struct Random(pub u64);

impl Random {
    /// Between 0 and 1.
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// In a cube around the origin.
    pub fn vector(&mut self, reach: f64) -> DVec3 {
        DVec3::new(self.between(-reach, reach), self.between(-reach, reach), self.between(-reach, reach))
    }

    pub fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.vector(1.0);
            if v.length() > 0.1 && v.length() < 1.0 {
                return v.normalize();
            }
        }
    }

    pub fn rotation(&mut self) -> DQuat {
        let (axis, angle) = (self.direction(), self.between(0.0, 3.1));
        DQuat::from_axis_angle(axis, angle)
    }

    pub fn pose(&mut self, reach: f64) -> Pose {
        Pose { position: self.vector(reach), rotation: self.rotation() }
    }
}
