//! Why a shape cannot become elements, with the facts.

use glamx::DVec3;
use std::fmt;

/// Why a shape cannot become elements.
#[derive(Clone, Debug, PartialEq)]
pub enum DiscretizeError {
    /// A box needs three positive finite sides.
    BadSize {
        /// The sides given [m].
        size: DVec3,
    },
    /// A box needs at least one cell across its thinnest side.
    NoCells,
    /// A constant of the material is out of its range.
    BadMaterial {
        /// Name of the material.
        material: String,
        /// Which constant.
        constant: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        expected: &'static str,
    },
    /// More elements than can be held.
    TooMany {
        /// How many there would be.
        elements: f64,
        /// How many there may be.
        limit: usize,
    },
    /// Cells so far from cubic that no springs of positive stiffness make them isotropic.
    FlatCells {
        /// Sides of a cell [m].
        sides: DVec3,
        /// Axis (0, 1, 2) whose edges would need a stiffness that is not positive.
        axis: usize,
        /// That stiffness [N/m].
        stiffness: f64,
        /// Cells across the thinnest side.
        cells: u32,
    },
    /// A surface that encloses no solid.
    BadSurface {
        /// Why not.
        reason: String,
    },
    /// A resolution that is no number of cells and no length.
    BadResolution {
        /// The side of a cell it asks for [m].
        side: f64,
    },
    /// Thin places fall between the cells: the solid would come apart.
    FallsApart {
        /// Pieces that the cells form, or 0 if nothing is left.
        pieces: usize,
        /// Pieces that the solid has.
        expected: usize,
        /// A place of a piece that came off [m].
        at: DVec3,
        /// How thick the solid is there [m].
        thickness: f64,
        /// Side of a cell [m].
        side: f64,
    },
    /// A value of an element is out of its range.
    BadElement {
        /// Its number in the list.
        element: usize,
        /// Which value.
        field: &'static str,
        /// The value.
        value: f64,
    },
    /// A connection cannot be made.
    BadConnection {
        /// Its number in the list.
        connection: usize,
        /// Its ends.
        ends: (u32, u32),
        /// Why not.
        reason: String,
    },
    /// A surface cannot be bound to the elements.
    BadSkin {
        /// Why not.
        reason: String,
    },
}

/// Side of a cell [m] that keeps a part of the given thickness: a round rod of thickness `t` that runs along the edge of four
/// cells fills each by `π t²/16 a²`, a tenth or more if `a ≤ 1.4 t`; slanted ones need a little less.
pub(super) fn needed_side(thickness: f64, side: f64) -> f64 {
    if thickness.is_finite() { (1.25 * thickness).min(0.7 * side) } else { 0.5 * side }
}

impl fmt::Display for DiscretizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadSize { size } => write!(f, "a box needs three positive finite sides, not {size} m"),
            Self::NoCells => write!(f, "a box needs at least one cell across its thinnest side"),
            Self::BadMaterial { material, constant, value, expected } => {
                write!(f, "material {material}: {constant} is {value}, expected {expected}")
            }
            Self::TooMany { elements, limit } => {
                write!(f, "{elements:.3e} elements in one body, at most {limit} are possible: use fewer cells")
            }
            Self::FlatCells { sides, axis, stiffness, cells } => {
                let name = ["x", "y", "z"].get(*axis).copied().unwrap_or("?");
                write!(f, "{cells} cells across give cells of {sides} m, too far from cubic: edges along {name} ")?;
                write!(f, "would need a stiffness of {stiffness:.3e} N/m; use more cells, or another size")
            }
            Self::BadSurface { reason } => write!(f, "the surface encloses no solid: {reason}"),
            Self::BadResolution { side } => write!(f, "cells need a positive finite side, not {side} m"),
            Self::FallsApart { pieces, expected, at, thickness, side } => {
                write!(f, "cut into cells of {side:.3e} m the solid has {pieces} pieces instead of {expected}: near ")?;
                write!(f, "{at:.4} m it is about {thickness:.3e} m thick; ")?;
                write!(f, "use cells of {:.3e} m or smaller", needed_side(*thickness, *side))
            }
            Self::BadElement { element, field, value } => write!(f, "element {element}: {field} is {value}"),
            Self::BadConnection { connection, ends, reason } => {
                write!(f, "connection {connection} ({}–{}): {reason}", ends.0, ends.1)
            }
            Self::BadSkin { reason } => write!(f, "the surface cannot follow the body: {reason}"),
        }
    }
}

impl std::error::Error for DiscretizeError {}
