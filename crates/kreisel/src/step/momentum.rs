//! Kinetic energy and momenta of a state, summed in a fixed order.

use crate::model::{Aggregate, FREE, Model, State};
use glamx::DVec3;
use rayon::prelude::*;

const CHUNK: usize = 1 << 14;

/// Kinetic energy [J], linear momentum [kg m/s], angular momentum about the origin [kg m²/s].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Kinetic energy [J].
    pub kinetic: f64,
    /// Linear momentum [kg m/s].
    pub momentum: DVec3,
    /// Angular momentum about the origin [kg m²/s].
    pub angular_momentum: DVec3,
}

/// Sums over free elements and aggregates.
pub fn of_state(model: &Model, state: &State) -> Motion {
    let n = state.owner.len();
    let starts: Vec<usize> = (0..n).step_by(CHUNK).collect();
    let partial: Vec<Motion> = starts.par_iter().map(|&s| of_free(model, state, s..(s + CHUNK).min(n))).collect();
    let mut sum = Motion::default();
    for p in partial {
        sum.kinetic += p.kinetic;
        sum.momentum += p.momentum;
        sum.angular_momentum += p.angular_momentum;
    }
    for a in &state.aggregates {
        let (p, l) = of_aggregate(a);
        sum.kinetic += a.kinetic_energy();
        sum.momentum += p;
        sum.angular_momentum += l;
    }
    sum
}

fn of_free(model: &Model, state: &State, range: std::ops::Range<usize>) -> Motion {
    let mut sum = Motion::default();
    for i in range.filter(|&i| state.owner[i] == FREE) {
        let (m, v) = (model.elements.mass[i], state.velocity.get(i));
        sum.kinetic += 0.5 * m * v.length_squared();
        sum.momentum += v * m;
        sum.angular_momentum += state.position.get(i).cross(v) * m;
    }
    sum
}

/// Linear momentum of an aggregate and its angular momentum about the origin.
pub fn of_aggregate(a: &Aggregate) -> (DVec3, DVec3) {
    let p = a.velocity * a.mass;
    (p, a.position.cross(p) + a.angular_momentum)
}
