//! Who does not touch whom: pairs of bodies, groups of bodies and obstacles that a scene has switched off.

use crate::model::collider::OBSTACLES;
use serde::{Deserialize, Serialize};

/// Classes of bodies and obstacles, and pairs of classes that do not touch. Empty: everything touches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Apart {
    /// Class of each body.
    pub bodies: Vec<u16>,
    /// Class of each obstacle.
    pub obstacles: Vec<u16>,
    /// Pairs of classes that pass through each other, the smaller first, sorted.
    pub pairs: Vec<(u16, u16)>,
}

impl Apart {
    /// True if two, numbered as contacts number them, do not touch.
    pub fn keeps(&self, a: u32, b: u32) -> bool {
        if self.pairs.is_empty() {
            return false;
        }
        let class = |k: u32| match k & OBSTACLES {
            0 => self.bodies.get(k as usize),
            _ => self.obstacles.get((k & !OBSTACLES) as usize),
        };
        let Some((a, b)) = class(a).zip(class(b)) else { return false };
        self.pairs.binary_search(&(*a.min(b), *a.max(b))).is_ok()
    }
}
