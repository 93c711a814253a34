//! Sleep: rigid bodies that have been at rest for a while cost nothing until something comes near.

use glamx::DVec3;
use serde::{Deserialize, Serialize};

/// For how long each rigid aggregate has been at rest.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sleep {
    /// The epoch of the state that `calm` belongs to; of another epoch it counts as all zero.
    pub epoch: u64,
    /// Gravity under which they fell asleep [m/s²]: if it changes, they wake.
    pub gravity: DVec3,
    /// Time at rest [s], one for each aggregate; infinite: asleep.
    pub calm: Vec<f64>,
}

impl Sleep {
    /// True if an aggregate is asleep in a state of this epoch.
    pub fn is_asleep(&self, epoch: u64, aggregate: usize) -> bool {
        self.epoch == epoch && self.calm.get(aggregate) == Some(&f64::INFINITY)
    }

    /// How many sleep.
    pub fn count(&self, epoch: u64) -> usize {
        if self.epoch == epoch { self.calm.iter().filter(|c| c.is_infinite()).count() } else { 0 }
    }

    /// Everybody is awake.
    pub fn wake_all(&mut self) {
        self.calm.clear();
    }
}
