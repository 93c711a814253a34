//! Positions change: `x⁺ = x + h v`, aggregates by their own motion, and their elements after them.

use crate::model::mapping::carry;
use crate::model::{Model, State};
use crate::step::workspace::Workspace;
use rayon::prelude::*;

const CHUNK: usize = 1 << 14;

/// Everything moves on for the time `h`, to time `t`; of aggregates only the elements that forces reach are updated.
pub fn drift(model: &Model, state: &mut State, w: &Workspace, t: f64, h: f64) {
    let State { position, velocity, aggregates, .. } = state;
    for (x, v) in [(&mut position.x, &velocity.x), (&mut position.y, &velocity.y), (&mut position.z, &velocity.z)] {
        x.par_chunks_mut(CHUNK).zip(v.par_chunks(CHUNK)).zip(w.free_mass.par_chunks(CHUNK)).for_each(|((x, v), m)| {
            for k in 0..x.len() {
                if m[k] != 0.0 {
                    x[k] += h * v[k];
                }
            }
        });
    }
    for (a, body) in aggregates.iter_mut().enumerate() {
        w.supports[a].drift(model, body, t, h);
        carry(body, &w.ports[a], position, velocity);
    }
}
