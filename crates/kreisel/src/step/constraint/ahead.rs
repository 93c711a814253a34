//! Spheres of elements that a shape slides over: they meet it where they will be at the end of the step.
//!
//! A sphere of radius `r` that comes below an edge at the distance `s` closes its gap `√(r² + s²) − r`, although the flat surface
//! that it stands for comes no nearer. The plane across the shortest way to the edge lies before the edge, and would stop the
//! shape, or lift it. So gap and normal are those of the place to which the motion of the moment leads, `φ = φ⁺ − h n⁺·u`: the same
//! where shapes have faces. What opens needs no plane at all and keeps what it has; nobody overlaps who did not before.

use crate::collide::shapes::{Pose, Touch, touch_soon};
use crate::model::Model;
use crate::model::shape::Shape;
use crate::step::constraint::space::{ContactSpace, Found, Kind};
use crate::step::workspace::Workspace;
use glamx::DVec3;

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
    let (ball, sign) = lone_ball(model, space, f)?;
    let Shape::Sphere { radius } = *space.shape(model, ball) else { return None };
    let centre = space.poses[ball as usize].position;
    let carriers = [f.first, f.second].map(|k| space.carrier[k as usize]);
    let way = space.carriers.relative_velocity(carriers.into(), centre) * h;
    let comes = f.touch.normal.dot(way) < 0.0 && way.reject_from_normalized(f.touch.normal).length() > space.slack;
    if !comes || space.coefficients(model, w, f.first, f.second).restitution > 0.0 {
        return None;
    }
    let next = at_end(model, space, f, (ball, way * sign), touches)?;
    let (normal, gap) = (next.normal, (next.gap - next.normal.dot(way)).max(f.touch.gap.min(0.0)));
    let surface = centre - normal * (sign * radius);
    let other = surface - normal * (sign * gap);
    let [point_a, point_b] = if sign > 0.0 { [surface, other] } else { [other, surface] };
    Some(Touch { point_a, point_b, normal, gap, feature: f.touch.feature })
}

/// The sphere of an element that meets a shape, and 1 if it is the first of the two, else −1.
fn lone_ball(model: &Model, space: &ContactSpace, f: &Found) -> Option<(u32, f64)> {
    let is_ball = |k: u32| matches!(space.kind(model, k), Kind::Ball(_));
    match (is_ball(f.first), is_ball(f.second)) {
        (true, false) => Some((f.first, 1.0)),
        (false, true) => Some((f.second, -1.0)),
        _ => None,
    }
}

/// How the two touch when the sphere has gone on by its `way` [m]; none if it does so in the same direction, or is gone.
fn at_end(
    model: &Model,
    space: &ContactSpace,
    f: &Found,
    (ball, way): (u32, DVec3),
    touches: &mut Vec<Touch>,
) -> Option<Touch> {
    let pose = |k: u32| match space.poses[k as usize] {
        pose if k == ball => Pose { position: pose.position + way, ..pose },
        pose => pose,
    };
    touches.clear();
    let margin = space.reach[f.first as usize] + space.reach[f.second as usize];
    let (a, b) = (space.shape(model, f.first), space.shape(model, f.second));
    touch_soon(a, &pose(f.first), b, &pose(f.second), margin, touches);
    // One that is left is the same in another place: on a face, where it was on an edge.
    let same = touches.iter().find(|t| t.feature == f.touch.feature);
    same.or(touches.first().filter(|_| touches.len() == 1)).filter(|t| t.normal != f.touch.normal).copied()
}
