//! The matter of one body: elements and connections in local numbering, before they join a model.

use crate::linear::Vectors;
use crate::model::{Bindings, Cell, Connections, Fidelity, Skin};

/// More elements than this in one body are refused: a slip of the pen, or more memory than a machine has.
pub const MAX_ELEMENTS: usize = 20_000_000;

/// Elements and connections of one body, numbered from zero, in the body's own axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matter {
    /// Where the elements are [m]; a box is centred on the origin.
    pub positions: Vectors,
    /// Masses [kg].
    pub masses: Vec<f64>,
    /// Radii of the contact spheres [m].
    pub radii: Vec<f64>,
    /// The contact sphere lies from the element towards this one; [`crate::model::element::NO_ANCHOR`]: on the element.
    pub anchors: Vec<u32>,
    /// Distance from the element to the centre of its contact sphere [m].
    pub insets: Vec<f64>,
    /// The contact sphere sits on this one of `perches`, or [`crate::model::element::NO_PERCH`]; empty: none do.
    pub perch: Vec<u32>,
    /// Centres of contact spheres that ride on several elements.
    pub perches: Bindings,
    /// Material of each element: 0 is the body's own, 1, 2, … its inlays; empty: all 0.
    pub material: Vec<u16>,
    /// The surface that follows, in the body's own axes; its `body` is not yet known.
    pub skin: Option<Skin>,
    /// True for elements of the surface.
    pub surface: Vec<bool>,
    /// Connections, each once, the smaller number first.
    pub connections: Connections,
    /// Cells with a volume term; none if Poisson's ratio is 1/4.
    pub cells: Vec<Cell>,
    /// Quadrilaterals of the surface, anticlockwise seen from outside; none for a list of elements.
    pub faces: Vec<[u32; 4]>,
    /// How many contact spheres lie in one place: 2 along each axis on which a box is one cell thick.
    pub coincident_spheres: u32,
    /// How well the lattice stands for a solid; `None` for boxes and lists of elements.
    pub fidelity: Option<Fidelity>,
}

impl Matter {
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.masses.len()
    }

    /// True if there are no elements.
    pub fn is_empty(&self) -> bool {
        self.masses.is_empty()
    }
}
