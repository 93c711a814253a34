//! Overlap is taken out by position only, before the step begins.
//!
//! The smallest shift in the mass metric with `φ + J δ ≥ 0` for every contact: a frictionless problem of the same form as
//! that of the velocities. Angular momenta of the bodies stay as they are; the centres of two bodies that are pushed apart
//! move on one line with their contact, so that `Σ m δ = 0`.

use crate::contact::constraint::carriers::Carrier;
use crate::contact::constraint::row::{Meeting, Row};
use crate::contact::constraint::sweep::{self, Local};
use crate::model::State;
use crate::step::constraint::space::ContactSpace;
use crate::step::flow::Flow;
use glamx::{DQuat, DVec3};

/// Overlap below this share of the size of the smaller body is rounding [1].
const ROUNDING: f64 = 1e-9;
/// What may be left of an overlap [1].
const LEFT: f64 = 0.02;
/// Passes over all overlaps at most.
const MOST_SWEEPS: u32 = 50;

/// Takes out the overlap of all contacts found; gaps and points are brought up to date.
pub fn separate(state: &mut State, space: &mut ContactSpace, flow: &mut Flow) {
    let deepest = space.found.iter().map(|f| f.touch.gap).fold(0.0, f64::min);
    let size = space.boxes.first().map_or(1.0, |b| (b.1 - b.0).min_element());
    if deepest >= -ROUNDING * size {
        return;
    }
    let mut moved: Vec<Carrier> =
        space.carriers.iter().map(|c| Carrier { velocity: DVec3::ZERO, spin: DVec3::ZERO, ..*c }).collect();
    let mut rows: Vec<Row> = space.found.iter().map(|f| row(space, f, &moved)).collect();
    sweep::solve(&mut rows, &mut moved, LEFT * deepest.abs(), MOST_SWEEPS, Local::ByTurns);
    shift(state, space, &moved, flow);
}

/// Moves the bodies by the velocities and spins of `moved`, taken as shifts; gaps and points follow.
pub fn shift(state: &mut State, space: &mut ContactSpace, moved: &[Carrier], flow: &mut Flow) {
    for f in &mut space.found {
        let way = |k: u32, point: DVec3| {
            let c = &moved[space.carrier[k as usize] as usize];
            c.velocity_at(point - c.position)
        };
        f.touch.point_a += way(f.first, f.touch.point_a);
        f.touch.point_b += way(f.second, f.touch.point_b);
        f.touch.gap = f.touch.normal.dot(f.touch.point_a - f.touch.point_b);
    }
    let bodies = state.aggregates.len();
    for (k, &e) in space.balls.iter().enumerate() {
        let way = moved[bodies + k].velocity;
        if way != DVec3::ZERO {
            let momentum = space.carriers[bodies + k].velocity / space.carriers[bodies + k].inverse_mass;
            state.position.add(e as usize, way);
            space.carriers[bodies + k].position += way;
            flow.angular_impulse += way.cross(momentum);
        }
    }
    for (k, a) in state.aggregates.iter_mut().enumerate() {
        let way = &moved[k];
        if way.velocity == DVec3::ZERO && way.spin == DVec3::ZERO {
            continue;
        }
        let before = a.momenta().1;
        a.position += way.velocity;
        a.orientation = (DQuat::from_scaled_axis(way.spin) * a.orientation).normalize();
        space.carriers[k].position = a.position;
        // What the shift of a moving centre does to the angular momentum about the origin is no push of anybody.
        flow.angular_impulse += a.momenta().1 - before;
    }
}

fn row(space: &ContactSpace, f: &super::space::Found, moved: &[Carrier]) -> Row {
    let (a, b) = (space.carrier[f.first as usize], space.carrier[f.second as usize]);
    let point = space.point(f);
    let meeting = Meeting { a, b, point, normal: f.touch.normal, bias: f.touch.gap, friction: 0.0 };
    Row::new(&meeting, moved, DVec3::ZERO)
}
