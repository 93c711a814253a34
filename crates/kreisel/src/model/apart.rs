//! Who does not touch whom: pairs of bodies, groups of bodies and obstacles that a scene has switched off.

use crate::model::collider::OBSTACLES;
use crate::model::{Model, State};
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

/// True if two bodies or obstacles, numbered as contacts number them, do not touch: the scene or a call has switched them off.
pub fn are_apart(model: &Model, state: &State, a: u32, b: u32) -> bool {
    model.apart.keeps(a, b) || state.apart.binary_search(&(a.min(b), a.max(b))).is_ok()
}

/// The same for two elements: by the bodies that they belong to.
pub fn elements_are_apart(model: &Model, state: &State, i: u32, j: u32) -> bool {
    let body = |e: u32| model.elements.body[e as usize].0;
    is_used(model, state) && are_apart(model, state, body(i), body(j))
}

/// The same for an element and an obstacle.
pub fn obstacle_is_apart(model: &Model, state: &State, i: u32, obstacle: usize) -> bool {
    let body = model.elements.body[i as usize].0;
    is_used(model, state) && are_apart(model, state, body, OBSTACLES | obstacle as u32)
}

/// True if anything is switched off.
fn is_used(model: &Model, state: &State) -> bool {
    !(model.apart.pairs.is_empty() && state.apart.is_empty())
}
