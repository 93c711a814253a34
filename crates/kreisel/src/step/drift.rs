//! Positions change: `x⁺ = x + h v`, aggregates by their own motion, and their elements after them.

use crate::linear::chunks::map_chunks;
use crate::model::mapping::carry;
use crate::model::{Model, State};
use crate::step::push;
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// Everything moves on for the time `h`, to time `t`; of aggregates only the elements that forces reach are updated.
pub fn drift(model: &Model, state: &mut State, w: &mut Workspace, t: f64, h: f64) {
    let State { position: p, velocity: v, aggregates, sleep, epoch, .. } = state;
    let m = &w.free_mass;
    let parts = map_chunks([&mut p.x, &mut p.y, &mut p.z], |first, [x, y, z]| {
        let along = |v: &[f64], x: &mut [f64]| push::drift(&m[first..], &v[first..], h, x);
        DVec3::new(along(&v.x, x), along(&v.y, y), along(&v.z, z))
    });
    w.moment = Some(parts.into_iter().fold(DVec3::ZERO, |sum, part| sum + part));
    for (a, body) in aggregates.iter_mut().enumerate().filter(|(a, _)| !sleep.is_asleep(*epoch, *a)) {
        w.supports[a].drift(model, body, t, h);
        carry(body, &w.ports[a], p, v);
    }
}
