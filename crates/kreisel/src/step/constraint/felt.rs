//! What the contacts of the last step push the elements with, for probes.

use crate::linear::Vectors;
use crate::model::collider::OBSTACLES;
use crate::model::{Body, FREE, Model, ShapeContact, State};
use glamx::DVec3;

/// Adds the forces of all contacts to the elements that feel them [N].
pub fn add_forces(model: &Model, state: &State, felt: &mut Vectors) {
    for c in state.shape_contacts.iter() {
        for (number, whose, force) in [(c.first, c.between[0], c.force()), (c.second, c.between[1], -c.force())] {
            if whose & OBSTACLES != 0 || force == DVec3::ZERO {
                continue;
            }
            let Some(body) = model.bodies.get(whose as usize) else { continue };
            match (number as usize) < model.colliders.len() {
                true => share_by_mass(model, body, force, felt),
                false => give_to_nearest(state, body, c, force, felt),
            }
        }
    }
}

/// Adds the mean forces of joints over the last step to the rigid bodies that they join [N].
pub fn add_joint_forces(model: &Model, state: &State, felt: &mut Vectors) {
    for (joint, memory) in model.joints.iter().zip(&state.joints).filter(|(_, memory)| memory.force != DVec3::ZERO) {
        // What several seats bear is known as a sum only.
        let mut seats = joint.seats(memory);
        let (Some(seat), None) = (seats.next(), seats.next()) else { continue };
        for (side, force) in seat.sides.iter().zip([memory.force, -memory.force]) {
            let Some(e) = side.element.filter(|e| state.owner[*e as usize] != FREE) else { continue };
            share_by_mass(model, &model.bodies[model.elements.body[e as usize].0 as usize], force, felt);
        }
    }
}

/// An exact body feels a force as a whole: its elements only stand for its mass.
fn share_by_mass(model: &Model, body: &Body, force: DVec3, felt: &mut Vectors) {
    let mass = |e: &u32| model.elements.mass[*e as usize];
    let whole: f64 = body.elements.iter().map(mass).sum();
    body.elements.iter().for_each(|e| felt.add(*e as usize, force * (mass(e) / whole)));
}

/// The sphere of an element touches: that of the one nearest to the contact.
fn give_to_nearest(state: &State, body: &Body, c: &ShapeContact, force: DVec3, felt: &mut Vectors) {
    let distance = |e: &u32| state.position.get(*e as usize).distance_squared(c.point);
    if let Some(&e) = body.elements.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))) {
        felt.add(e as usize, force);
    }
}
