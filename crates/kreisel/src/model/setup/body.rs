//! Bodies of a scene: shape, place, material, motion, and which parts are rigid.

use crate::model::shape::PlacedShape;
use crate::model::{Material, Region, Surface};
use glamx::{DMat3, DQuat, DVec3};
use std::sync::Arc;

/// A body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodySetup {
    /// Its name, unique in the scene.
    pub name: String,
    /// Its matter.
    pub shape: BodyShape,
    /// Where its centre (of the box) or its origin (of a surface, of an element list) is [m].
    pub at: DVec3,
    /// Its orientation.
    pub rotation: DQuat,
    /// What it is made of.
    pub material: Material,
    /// Regions that are made of something else; of several that hold a cell, the last counts. Boxes and solids only.
    pub inlays: Vec<(Region, Material)>,
    /// Velocity of its centre of mass [m/s].
    pub velocity: DVec3,
    /// Angular velocity [rad/s], about its centre of mass, world axes.
    pub spin: DVec3,
    /// Its rigid parts.
    pub rigid: Vec<RigidPart>,
    /// Total mass [kg]; `None`: from density and volume (or the elements' own masses).
    pub mass: Option<f64>,
    /// Inertia about the centre of mass in body axes [kg m²], for a wholly rigid body; `None`: from its elements.
    pub inertia: Option<DMat3>,
    /// Parts that are named as bodies of their own: same motion, other name.
    pub split: Vec<(String, Region)>,
    /// True if its elements take part in contact.
    pub contact: bool,
    /// The group that pairs in [`crate::model::Setup::apart`] may name.
    pub group: Option<String>,
}

impl Default for BodySetup {
    fn default() -> Self {
        Self {
            name: "body".into(),
            shape: BodyShape::default(),
            at: DVec3::ZERO,
            rotation: DQuat::IDENTITY,
            material: Material::default(),
            inlays: Vec::new(),
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            rigid: Vec::new(),
            mass: None,
            inertia: None,
            split: Vec::new(),
            contact: true,
            group: None,
        }
    }
}

/// The matter of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum BodyShape {
    /// A box, cut into cubic cells (as nearly cubic as its sides allow).
    Box {
        /// Sides [m].
        size: DVec3,
        /// Cells across the thinnest side.
        cells: u32,
    },
    /// The inside of a closed surface, cut into cubic cells; those at the surface count by how far they are filled.
    Solid {
        /// The surface, its origin at the body's `at`.
        surface: Arc<Surface>,
        /// How fine the cells are.
        resolution: Resolution,
    },
    /// Elements and connections one by one.
    Elements {
        /// The elements.
        elements: Vec<ElementSetup>,
        /// The connections.
        connections: Vec<ConnectionSetup>,
    },
    /// A rigid body with exact shapes, under the law [`crate::model::setup::Law::Constraint`].
    Exact {
        /// Its shapes in the body's own axes.
        parts: Vec<PlacedShape>,
        /// Centre of mass in the body's own axes [m]; `None`: that of the shapes.
        centre: Option<DVec3>,
    },
}

impl Default for BodyShape {
    fn default() -> Self {
        Self::Box { size: DVec3::ONE, cells: 4 }
    }
}

/// How fine a body is cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Resolution {
    /// Cells across the shortest side of the bounding box.
    CellsAcross(u32),
    /// Side of a cell [m].
    CellSize(f64),
    /// About so many elements.
    Elements(u32),
}

/// One element of a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElementSetup {
    /// Position relative to the body's `at` [m].
    pub at: DVec3,
    /// Velocity on top of the body's [m/s].
    pub velocity: DVec3,
    /// Mass [kg]; `None`: that of a ball of the material.
    pub mass: Option<f64>,
    /// Radius [m].
    pub radius: f64,
}

/// One connection of a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConnectionSetup {
    /// Numbers of its two elements within the body.
    pub ends: (u32, u32),
    /// Cross-section [m²]: the stiffness is `E · section / length`; `None`: the disc of the smaller radius.
    pub section: Option<f64>,
    /// Length without force [m]; `None`: the distance of its ends at the start.
    pub rest_length: Option<f64>,
}

/// A part of a body that is rigid.
#[derive(Clone, Debug, PartialEq)]
pub enum RigidPart {
    /// The whole body.
    Whole,
    /// The whole body; its deformation and stress are solved at each output, as if it stood still in its motion.
    QuasiStatic,
    /// The elements of the body in a region.
    Region(Region),
    /// Whatever does not deform at the moment, decided by the strain rate.
    Automatic,
}
