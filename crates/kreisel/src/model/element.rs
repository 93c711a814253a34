//! Elements: point masses with a radius, `{p, v, m, r}` [JV03]. What does not change by itself.

use crate::linear::Vectors;
use crate::model::{BodyId, MaterialId};
use serde::{Deserialize, Serialize};

/// No anchor: the contact sphere sits on the element.
pub const NO_ANCHOR: u32 = u32::MAX;

/// No perch: the contact sphere leans on an anchor, or sits on the element.
pub const NO_PERCH: u32 = u32::MAX;

/// All elements of the model, one array per property.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Elements {
    /// Position in the reference configuration [m].
    pub rest: Vectors,
    /// Mass [kg].
    pub mass: Vec<f64>,
    /// Radius of the contact sphere [m].
    pub radius: Vec<f64>,
    /// Material.
    pub material: Vec<MaterialId>,
    /// Body.
    pub body: Vec<BodyId>,
    /// The contact sphere of a surface element lies `inset` from the element towards this one, so that the sphere
    /// touches the true surface from inside; [`NO_ANCHOR`]: it lies on the element itself.
    pub anchor: Vec<u32>,
    /// Distance from the element to the centre of its contact sphere [m].
    pub inset: Vec<f64>,
    /// The contact sphere sits on this point of [`crate::model::Model::perches`] instead, or [`NO_PERCH`]; empty: none do.
    pub perch: Vec<u32>,
    /// Connected component in the reference configuration.
    pub component: Vec<u32>,
    /// True if the element can touch something from the start (surface of a body); inner elements only after fracture.
    pub surface: Vec<bool>,
}

impl Elements {
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.mass.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.mass.is_empty()
    }

    /// The point of [`crate::model::Model::perches`] that the contact sphere of element `i` sits on.
    pub fn perch_of(&self, i: usize) -> Option<u32> {
        self.perch.get(i).copied().filter(|&p| p != NO_PERCH)
    }

    /// The element that the contact sphere of element `i` leans on.
    pub fn anchor_of(&self, i: usize) -> Option<u32> {
        self.anchor.get(i).copied().filter(|&a| a != NO_ANCHOR)
    }
}
