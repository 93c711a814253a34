//! How fine a solid is cut.

use crate::read::table::Table;
use kreisel::DVec3;
use kreisel::model::setup::Resolution;

/// Cells across the shortest side of the box around a solid, if nothing is said.
const CELLS_OF_A_SOLID: u32 = 12;

/// The resolution that a body asks for by `cells`, `cell` or `elements`.
pub(super) fn resolution(body: &Table<'_>) -> Option<Resolution> {
    match body.only_one_of(&["cells", "cell", "elements"], false) {
        Some("cell") => Some(Resolution::CellSize(body.number("cell")?)),
        Some("elements") => Some(Resolution::Elements(body.count(body.get("elements"), "elements")?)),
        Some(_) => Some(Resolution::CellsAcross(body.count(body.get("cells"), "cells")?)),
        None => Some(Resolution::CellsAcross(CELLS_OF_A_SOLID)),
    }
}

/// About the side of a cell [m], for a body in a box of these sides with this volume.
pub(super) fn side(resolution: Resolution, sides: DVec3, volume: f64) -> f64 {
    match resolution {
        Resolution::CellsAcross(cells) => sides.min_element() / f64::from(cells),
        Resolution::CellSize(size) => size,
        Resolution::Elements(count) => (volume / f64::from(count)).cbrt(),
    }
}
