//! What a ray meets first: exact shapes, contact spheres of elements, obstacles.

use crate::collide::shapes::{Pose, ray};
use crate::contact::touch::Touch as Sphere;
use crate::model::shape::Shape;
use crate::model::{Model, ObstacleId, State};
use crate::readout::contact::Party;
use crate::readout::ray::RayHit;
use crate::step::constraint::in_place;
use crate::step::workspace::Workspace;
use glamx::{DQuat, DVec3};

/// The first thing that a ray from `origin` [m] along `direction` (of any length) meets within `longest` [m]. Bodies that take
/// no part in contact are not met; nor is a convex shape from inside.
pub fn cast(
    model: &Model,
    state: &State,
    w: &mut Workspace,
    origin: DVec3,
    direction: DVec3,
    longest: f64,
) -> Option<RayHit> {
    let along = direction.try_normalize().filter(|_| origin.is_finite())?;
    w.refresh(model, state);
    let hit = |shape: &Shape, pose: &Pose, what: Party, element: Option<u32>| {
        let (distance, normal) = ray(shape, pose, origin, along)?;
        Some(RayHit { distance, point: origin + along * distance, normal, what, element })
    };
    let exact = model.colliders.iter().filter_map(|c| {
        let a = state.aggregates.get(state.owner[c.element as usize] as usize)?;
        let pose = Pose { position: a.position, rotation: a.orientation }.of_part(c.at, c.rotation);
        hit(&c.shape, &pose, Party::Body(c.body), None)
    });
    let world = model.obstacles.iter().enumerate().filter_map(|(k, o)| {
        let (shape, pose) = in_place(o);
        hit(&shape, &pose, Party::Obstacle(ObstacleId(k as u16)), None)
    });
    let spheres = w.topology.touching.iter().filter_map(|&e| {
        let position = Sphere::new(model, e, w.topology.leans(e), &state.position).centre;
        let shape = Shape::Sphere { radius: model.elements.radius[e as usize] };
        let pose = Pose { position, rotation: DQuat::IDENTITY };
        hit(&shape, &pose, Party::Body(model.elements.body[e as usize]), Some(e))
    });
    let nearest = exact.chain(world).chain(spheres).min_by(|a, b| a.distance.total_cmp(&b.distance));
    nearest.filter(|h| h.distance <= longest)
}
