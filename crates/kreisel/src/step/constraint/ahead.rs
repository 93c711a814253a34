//! Spheres of elements that a shape slides over: they meet it where they will be at the end of the step.
//!
//! A sphere of radius `r` that comes below an edge at the distance `s` closes its gap `√(r² + s²) − r`, although the flat surface
//! that it stands for comes no nearer. The plane across the shortest way to the edge lies before the edge, and would stop the
//! shape, or lift it. So gap and normal are those of the place to which the motion of the moment leads, `φ = φ⁺ − h n⁺·u`: the same
//! where shapes have faces. What opens needs no plane at all and keeps what it has; nobody overlaps who did not before.

use crate::collide::shapes::{Pose, Touch, touch};
use crate::model::Model;
use crate::model::shape::Shape;
use crate::step::constraint::space::{ContactSpace, Found, Kind};
use crate::step::workspace::Workspace;

/// Looks ahead by a step of size `h` for spheres among what was found. Blows are followed through the step anyway.
pub fn look(model: &Model, w: &Workspace, space: &mut ContactSpace, h: f64) {
    if space.balls.is_empty() {
        return;
    }
    let mut touches = Vec::new();
    for k in 0..space.found.len() {
        let f = space.found[k];
        let Some(ahead) = ahead(model, w, space, &f, h, &mut touches) else { continue };
        space.found[k].touch = ahead;
        // Whoever finds it where it was must look again.
        [f.first, f.second].into_iter().for_each(|k| space.last.reach[k as usize] = f64::NAN);
    }
}

/// How a sphere and a shape touch at the end of the step, from where they are; none where that makes no difference.
fn ahead(
    model: &Model,
    w: &Workspace,
    space: &ContactSpace,
    f: &Found,
    h: f64,
    touches: &mut Vec<Touch>,
) -> Option<Touch> {
    let is_ball = |k: u32| matches!(space.kind(model, k), Kind::Ball(_));
    let (ball, sign) = match (is_ball(f.first), is_ball(f.second)) {
        (true, false) => (f.first, 1.0),
        (false, true) => (f.second, -1.0),
        _ => return None,
    };
    let Shape::Sphere { radius } = *space.shape(model, ball) else { return None };
    let centre = space.poses[ball as usize].position;
    let [a, b] = [f.first, f.second].map(|k| space.carrier[k as usize]);
    let way = space.carriers.relative_velocity((a, b), centre) * h;
    let comes = f.touch.normal.dot(way) < 0.0 && way.reject_from_normalized(f.touch.normal).length() > space.slack;
    if !comes || space.coefficients(model, w, f.first, f.second).restitution > 0.0 {
        return None;
    }
    let pose = |k: u32| match space.poses[k as usize] {
        pose if k == ball => Pose { position: centre + way * sign, ..pose },
        pose => pose,
    };
    touches.clear();
    let margin = space.reach[f.first as usize] + space.reach[f.second as usize];
    let (a, b) = (space.shape(model, f.first), space.shape(model, f.second));
    touch(a, &pose(f.first), b, &pose(f.second), margin, touches);
    // One that is left is the same in another place: on a face, where it was on an edge.
    let same = touches.iter().find(|t| t.feature == f.touch.feature);
    let next = same.or(touches.first().filter(|_| touches.len() == 1)).filter(|t| t.normal != f.touch.normal)?;
    let (n, gap) = (next.normal, (next.gap - next.normal.dot(way)).max(f.touch.gap.min(0.0)));
    let surface = |inwards: f64| centre - n * (inwards * radius);
    let [point_a, point_b] =
        if sign > 0.0 { [surface(1.0), surface(1.0) - n * gap] } else { [surface(-1.0) + n * gap, surface(-1.0)] };
    Some(Touch { point_a, point_b, normal: n, gap, feature: f.touch.feature })
}
