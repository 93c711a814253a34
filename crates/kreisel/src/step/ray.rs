//! What a ray meets first: exact shapes, skins of bodies of elements, contact spheres, obstacles.

use crate::collide::shapes::{Pose, ray, ray_on_triangles, unit};
use crate::contact::touch::Touch as Sphere;
use crate::model::shape::Shape;
use crate::model::{Model, ObstacleId, Skin, State};
use crate::readout::contact::Party;
use crate::readout::ray::RayHit;
use crate::readout::skin;
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
    let along = unit(direction).filter(|_| origin.is_finite())?;
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
    let skins = model.skins.iter().filter_map(|skin| {
        let (distance, normal) = on_skin(model, state, w, skin, (origin, along))?;
        let point = origin + along * distance;
        let element = nearest_element(model, state, skin, point);
        Some(RayHit { distance, point, normal, what: Party::Body(skin.body), element })
    });
    let nearest = exact.chain(world).chain(spheres).chain(skins).min_by(|a, b| a.distance.total_cmp(&b.distance));
    nearest.filter(|h| h.distance <= longest)
}

/// Where a ray meets the skin of a body that takes part in contact: distance [m] and normal.
fn on_skin(
    model: &Model,
    state: &State,
    w: &Workspace,
    skin: &Skin,
    (origin, along): (DVec3, DVec3),
) -> Option<(f64, DVec3)> {
    let own = |e: &u32| model.elements.body[*e as usize] == skin.body;
    if !w.topology.touching.iter().any(own) {
        return None;
    }
    let pose = skin::pose(model, skin, &state.position, &state.broken);
    let corners = |t: &[u32; 3]| t.map(|v| pose.vertices[v as usize]);
    ray_on_triangles(pose.triangles.iter().map(corners), origin, along)
}

/// The element of a body of elements that is nearest to a point.
fn nearest_element(model: &Model, state: &State, skin: &Skin, point: DVec3) -> Option<u32> {
    let distance = |e: &u32| state.position.get(*e as usize).distance_squared(point);
    let own = model.bodies.get(skin.body.0 as usize).map_or(&[][..], |body| &body.elements);
    own.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).copied()
}
