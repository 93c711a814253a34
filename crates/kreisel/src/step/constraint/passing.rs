//! Who is so fast that it may pass another unseen.
//!
//! Steps of second order look at gaps where they end. Whoever goes by more than half the widths of two bodies in a step may have been
//! before the other when it began and behind it when it ends. So a part of a step ends where the boxes around two such bodies
//! meet, and from there on it goes by no more than that way.

use crate::collide::shapes::{Pose, bounds};
use crate::model::shape::Shape;
use crate::model::{Model, State};
use crate::step::constraint::detect::{far, may_meet};
use crate::step::constraint::space::ContactSpace;
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// The share of both widths that nobody may go by unseen [1].
const SHARE: f64 = 0.5;
/// Two surfaces, which have no width, may go by this share of the size of the smaller one [1].
const THIN: f64 = 0.01;
/// No part is shorter than this share of what is left of a step [1].
const SHORTEST: f64 = 1e-4;

/// How a collider moves.
#[derive(Clone, Copy)]
struct Mover {
    velocity: DVec3,
    /// How fast its surface turns, and how much faster it may fall [m/s].
    more: f64,
    /// Its smallest width; none of a surface, which has only one side [m].
    width: f64,
    /// Its largest one [m].
    size: f64,
}

/// The time in which nobody can pass another unseen [s], at most `left`. Colliders are those that were found at the state.
pub fn seen_for(model: &Model, state: &State, w: &Workspace, left: f64) -> f64 {
    let space = &w.contact_space;
    if !model.contact.enabled {
        return left;
    }
    let exact = (model.colliders.len() + space.world.len()).min(space.poses.len());
    let movers: Vec<Mover> = (0..exact).map(|k| mover(model, space, k, left)).collect();
    let mut seen = left;
    for i in (0..exact).filter(|&i| is_fast(&movers[i], left)) {
        for j in (0..exact).filter(|&j| j != i && !(j < i && is_fast(&movers[j], left))) {
            let unseen = || may_meet(model, state, w, space, i as u32, j as u32);
            if let Some(time) = until_meeting(model, space, (i, j), (&movers[i], &movers[j]), left).filter(|_| unseen())
            {
                seen = seen.min(time);
            }
        }
    }
    seen.max(SHORTEST * left)
}

/// True if it may pass somebody in the time `left`.
fn is_fast(mover: &Mover, left: f64) -> bool {
    (mover.velocity.length() + mover.more) * left > SHARE * mover.width
}

fn mover(model: &Model, space: &ContactSpace, k: usize, left: f64) -> Mover {
    let (shape, carrier) = (space.shape(model, k as u32), &space.carriers[space.carrier[k] as usize]);
    let (low, high) = bounds(shape, &Pose::IDENTITY);
    let width = if matches!(shape, Shape::Mesh(_)) { 0.0 } else { (high - low).min_element() };
    let (falls, turns) = (carrier.is_movable(), carrier.spin != DVec3::ZERO && width.is_finite());
    let surface =
        if turns { carrier.spin.length() * far(model, space, k, bounds(shape, &space.poses[k])) } else { 0.0 };
    let fall = if falls { model.gravity.length() * left } else { 0.0 };
    Mover { velocity: carrier.velocity, more: surface + fall, width, size: (high - low).max_element() }
}

/// Until when two can be left alone [s], if that is less than `left`: until their boxes meet, or until they have gone by their share
/// of both widths.
fn until_meeting(
    model: &Model,
    space: &ContactSpace,
    (i, j): (usize, usize),
    (a, b): (&Mover, &Mover),
    left: f64,
) -> Option<f64> {
    let (velocity, more) = (a.velocity - b.velocity, a.more + b.more);
    let width = (a.width + b.width).max(THIN * a.size.min(b.size));
    let step = SHARE * width / (velocity.length() + more);
    if step >= left {
        return None;
    }
    let [(low_a, high_a), (low_b, high_b)] = [i, j].map(|k| bounds(space.shape(model, k as u32), &space.poses[k]));
    let grown = DVec3::splat(more * left);
    let meets = first_meeting((low_b - high_a - grown, high_b - low_a + grown), velocity, left)?;
    Some(meets.max(step)).filter(|time| *time < left)
}

/// When a point that starts at the origin comes into a box [s], if it does within the time `left`.
fn first_meeting((low, high): (DVec3, DVec3), velocity: DVec3, left: f64) -> Option<f64> {
    let (mut enter, mut leave) = (0.0_f64, left);
    for k in 0..3 {
        if velocity[k] == 0.0 {
            if low[k] > 0.0 || high[k] < 0.0 {
                return None;
            }
            continue;
        }
        let (first, last) = (low[k] / velocity[k], high[k] / velocity[k]);
        (enter, leave) = (enter.max(first.min(last)), leave.min(first.max(last)));
    }
    (enter <= leave).then_some(enter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_comes_into_a_box_when_it_has_come_into_all_its_slabs() {
        let slab = (DVec3::new(2.0, -1.0, -1.0), DVec3::new(3.0, 1.0, 1.0));
        assert_eq!(first_meeting(slab, DVec3::X * 4.0, 1.0), Some(0.5));
        assert_eq!(first_meeting(slab, DVec3::X * 4.0, 0.4), None, "too late");
        assert_eq!(first_meeting(slab, DVec3::new(4.0, 4.0, 0.0), 1.0), None, "past it");
        assert_eq!(first_meeting(slab, DVec3::NEG_X, 1.0), None, "away from it");
        assert_eq!(first_meeting((DVec3::NEG_ONE, DVec3::ONE), DVec3::ZERO, 1.0), Some(0.0), "there already");
    }
}
