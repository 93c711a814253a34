//! What cannot be is refused before anything is built: place, fact and help.

mod body;
mod drive;
mod number;
mod overlap;
mod world;

pub use overlap::check_overlaps;
pub use world::goes_with;

use crate::build::BuildError;
use crate::model::Setup;

/// Every number of a setup must be one that some motion can follow from.
pub fn check_numbers(setup: &Setup) -> Result<(), BuildError> {
    world::check_times(setup)?;
    world::check_settings(setup)?;
    world::check_law(setup)?;
    world::check_obstacles(setup)?;
    body::check_bodies(setup)?;
    drive::check_fixes(setup)?;
    drive::check_loads(setup)?;
    drive::check_grabs(setup)?;
    drive::check_schedule(setup)?;
    drive::check_probes(setup)
}
