//! Bodies that touch nothing fly along parabolas, and so do those that bounce, before the blow and after it; what the fall of
//! the others lacks is the work of contact.
//!
//! Forces change the kinetic energy along the mean velocity `½ (v + v⁺)`, positions move by `h v⁺`: the two differ by
//! `h v⁺ − ½ h (v + v⁺) = ½ h (v⁺ − v)`. A body that nothing holds moves by its mean velocity: its parabola is exact, its
//! energy kept. A body in contact moves to where the law wants it at the end of the step; that gravity has less or more way
//! to act along is the contact's doing. With it an inelastic impact at speed `v` costs `½ m v²`, at any step.
//!
//! A body that is struck at the time `t` moves by `½ h (v + v*) + (h − t) p/m` and turns likewise: its impulse acts from then
//! on. That is `(½ h − t) p/m` from its mean velocity, and gravity's work on that way is what the ledger lacks of the blow:
//! with it an impact at speed `s` costs `½ (1 − e²) m s²`, at any step.

use crate::contact::constraint::carriers::Carriers;
use crate::model::{Aggregate, Model, State};
use crate::step::constraint::timing::{Stray, Struck, Timing};
use crate::step::flow::Flow;
use glamx::{DQuat, DVec3};

/// Puts free bodies onto their parabolas, for velocities to move them by `h v⁺` from there; books the others' fall.
pub fn fly(model: &Model, state: &mut State, timing: &Timing, before: &Carriers, h: f64, flow: &mut Flow) {
    let lags = &timing.lags;
    for (k, a) in state.aggregates.iter_mut().enumerate() {
        let Some(Stray { shift, turn }) = timing.stray(k, before) else { continue };
        let mut work = a.mass * model.gravity.dot(lags[k] - shift);
        if turn != DVec3::ZERO {
            // The blow has been solved with the inertia of the beginning of the step; what that changes is the blow's.
            let kinetic = a.kinetic_energy();
            a.orientation = (DQuat::from_scaled_axis(turn) * a.orientation).normalize();
            work += a.kinetic_energy() - kinetic;
        }
        a.position += shift;
        flow.angular_impulse += moment_on_the_way(a, timing.struck(k), shift, h);
        flow.contact_work += work;
        flow.turnover += work.abs();
    }
}

/// What the moment of the weight on the way has beyond that at its beginning [kg m²/s]: of a body that flies freely
/// `−½ h² g × m v⁺ = ½ h v × m h g`; of one that is struck, weight times where that is on average.
fn moment_on_the_way(a: &Aggregate, struck: Option<&Struck>, shift: DVec3, h: f64) -> DVec3 {
    match struck {
        None => shift.cross(a.velocity * a.mass),
        Some(s) => s.mean_lead(h).cross(s.fall * a.mass),
    }
}
