//! Contacts of either law as people read them.

use crate::contact::connections::Active;
use crate::model::{Model, ObstacleId, State, Touched};
use crate::readout::contact::{ContactReading, Grip, Party, Unique};
use crate::step::workspace::Workspace;
use crate::step::{constraint, evaluate};
use glamx::DVec3;

/// All contacts at the state: those of springs with the forces of the moment, those of exact shapes with the mean forces of
/// the last step.
pub fn contacts(model: &Model, state: &mut State, w: &mut Workspace) -> Vec<ContactReading> {
    w.refresh(model, state);
    evaluate::find_contacts(model, state, w, 0.0, 0.0);
    let mut all: Vec<ContactReading> = w.contacts.iter().map(|c| spring(model, state, c)).collect();
    all.extend(constraint::readings(model, state, w));
    all
}

fn spring(model: &Model, state: &State, c: &Active) -> ContactReading {
    let body = |e: u32| Party::Body(model.elements.body[e as usize]);
    let second = match c.contact.other {
        Touched::Element(e) => body(e),
        Touched::Obstacle(o) => Party::Obstacle(ObstacleId(o)),
        Touched::Skin(s) => Party::Body(model.skins[s as usize].body),
    };
    let u = c.relative_velocity(model, state, &state.velocity);
    ContactReading {
        first: body(c.contact.element),
        second,
        point: c.point,
        normal: c.normal,
        gap: -c.overlap,
        force: c.force(),
        torque: DVec3::ZERO,
        step: 0.0,
        slip: u - c.normal * c.normal.dot(u),
        grip: Grip::of(c.force() != DVec3::ZERO, c.contact.slipping),
        unique: Unique::YES,
    }
}
