//! Bodies that touch nothing fly along parabolas; what the fall of the others lacks is the work of contact.
//!
//! Forces change the kinetic energy along the mean velocity `½ (v + v⁺)`, positions move by `h v⁺`: the two differ by
//! `h v⁺ − ½ h (v + v⁺) = ½ h (v⁺ − v)`. A body that nothing holds moves by its mean velocity: its parabola is exact, its
//! energy kept. A body in contact moves to where the law wants it at the end of the step; that gravity has less or more way
//! to act along is the contact's doing. With it an inelastic impact at speed `v` costs `½ m v²`, at any step.
//!
//! Where bodies bounce, flight stays that of symplectic Euler: a bounce at the end of a step gains what such a flight loses,
//! and apexes are right to second order; after exact flight they would be too high by `g h/v`.

use crate::contact::constraint::carriers::Carriers;
use crate::model::{Model, State};
use crate::step::constraint::space::ContactSpace;
use crate::step::flow::Flow;
use glamx::DVec3;

/// What holds a body in the step.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Held {
    /// Nothing is near.
    Not,
    /// Something is as near as the parabola is from where velocities lead, or a joint holds it.
    Near,
    /// A contact has pushed it.
    Pushed,
}

/// Puts free bodies onto their parabolas, for velocities to move them by `h v⁺` from there; books the others' fall.
pub fn fly(model: &Model, state: &mut State, space: &ContactSpace, before: &Carriers, h: f64, flow: &mut Flow) {
    let lags: Vec<DVec3> =
        before.iter().zip(space.carriers.iter()).map(|(old, new)| (old.velocity - new.velocity) * (0.5 * h)).collect();
    let bounces = bounces(model);
    let held = held(space, &lags, h);
    for (k, a) in state.aggregates.iter_mut().enumerate() {
        match held[k] {
            _ if !before[k].is_movable() => {}
            Held::Not if !bounces => {
                a.position += lags[k];
                // The moment of the weight is that on the way, not that at its beginning.
                flow.angular_impulse += lags[k].cross(a.velocity * a.mass);
            }
            Held::Not | Held::Near => {}
            Held::Pushed => {
                let work = a.mass * model.gravity.dot(lags[k]);
                flow.contact_work += work;
                flow.turnover += work.abs();
            }
        }
    }
}

/// True if anything may bounce.
fn bounces(model: &Model) -> bool {
    let of_world = model.obstacles.iter().filter_map(|o| o.restitution);
    model.materials.iter().map(|m| m.restitution).chain(of_world).any(|e| e > 0.0)
}

fn held(space: &ContactSpace, lags: &[DVec3], h: f64) -> Vec<Held> {
    let mut held = vec![Held::Not; space.carriers.len()];
    let mut hold = |k: u32, by: Held| {
        if let Some(held) = held.get_mut(k as usize).filter(|held| **held < by) {
            *held = by;
        }
    };
    for row in &space.rows {
        let gap_at_end = h * (row.bias + row.velocity(&space.carriers).x);
        let by = match row.impulse == DVec3::ZERO {
            true if gap_at_end > lags[row.a as usize].length() + lags[row.b as usize].length() => Held::Not,
            true => Held::Near,
            false => Held::Pushed,
        };
        for k in [row.a, row.b] {
            hold(k, by);
            space.carriers.members(k).iter().for_each(|m| hold(m.carrier, by));
        }
    }
    space.joints.pairs().for_each(|(a, b)| [a, b].into_iter().for_each(|k| hold(k, Held::Near)));
    held
}
