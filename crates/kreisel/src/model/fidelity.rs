//! How well a lattice stands for the solid that it was cut from.

use glamx::DVec3;
use serde::{Deserialize, Serialize};

/// What cutting a solid into cells did to its mass properties, and what got lost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fidelity {
    /// Number of cells, partly filled ones included.
    pub cells: usize,
    /// Number of elements.
    pub elements: usize,
    /// Side of a cell [m].
    pub side: f64,
    /// Mass of the solid [kg].
    pub mass: f64,
    /// Mass of the elements over that of the solid, less one [1].
    pub mass_error: f64,
    /// Distance of the centre of mass from that of the solid [m].
    pub centre_error: f64,
    /// Principal moments of inertia over those of the solid, less one, ascending [1].
    pub inertia_error: DVec3,
    /// Volume of parts that are thinner than cells can show [m³]; their mass is spread over the rest.
    pub lost_volume: f64,
    /// What a user should know, in sentences.
    pub warnings: Vec<String>,
}

impl Fidelity {
    /// The largest of the three relative errors of the principal moments of inertia [1].
    pub fn worst_inertia_error(&self) -> f64 {
        self.inertia_error.abs().max_element()
    }
}
