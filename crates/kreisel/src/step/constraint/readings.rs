//! The contacts of the last step as people read them, each with the mark whether statics determines its force.

use crate::contact::constraint::carriers::Carrier;
use crate::model::{Model, ShapeContact, State};
use crate::readout::contact::unique::{Unique, Unknown, determined};
use crate::readout::contact::{ContactReading, Grip, Party};
use crate::step::constraint::space::ContactSpace;
use crate::step::constraint::{detect, joints, rest};
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// All contacts between exact shapes, elements and obstacles, in the order of the state.
pub fn readings(model: &Model, state: &State, w: &mut Workspace) -> Vec<ContactReading> {
    // Whoever sleeps bears its load all the same.
    let mut awake = state.clone();
    awake.sleep.wake_all();
    let state = &awake;
    let mut space = std::mem::take(&mut w.contact_space);
    space.refresh(model, state, w);
    detect::fill_carriers(model, state, w, &mut space);
    joints::add_riders(model, state, &mut space);
    joints::make(model, state, &mut space, model.frame);
    let unique = unique_forces(model, state, w, &space);
    w.contact_space = space;
    state.shape_contacts.iter().zip(unique).map(|(c, unique)| reading(model, c, unique)).collect()
}

fn reading(model: &Model, c: &ShapeContact, unique: Unique) -> ContactReading {
    let [first, second] = c.between.map(Party::from_number);
    ContactReading {
        first,
        second,
        point: c.point,
        normal: c.normal,
        gap: c.gap,
        force: c.force(),
        torque: if c.step > 0.0 { c.torque / c.step } else { DVec3::ZERO },
        step: c.step,
        slip: c.slip,
        grip: Grip::of(c.presses(), slides(model, c)),
        unique,
    }
}

/// True if the two slide, or turn on each other by a patch of contact that shares its friction between slip and spin. Friction that
/// is used up where nothing moves holds all the same.
fn slides(model: &Model, c: &ShapeContact) -> bool {
    let twisted = c.torque.dot(c.normal).abs() > 1e-6 * c.torque.length();
    c.slides(rest::slow(model, c.step)) || c.slipping && twisted
}

/// Looks at everything that presses, might press, or holds at once: what joints take, contacts may give.
fn unique_forces(model: &Model, state: &State, w: &Workspace, space: &ContactSpace) -> Vec<Unique> {
    let mut unknowns: Vec<Unknown> = Vec::new();
    let own: Vec<(usize, usize)> = state
        .shape_contacts
        .iter()
        .map(|c| {
            let before = unknowns.len();
            match is_known(space, c) {
                true if c.presses() => add_contact(model, w, space, c, &mut unknowns),
                true if might_press(model, space, c) => add_push(space, c, &mut unknowns),
                _ => {}
            }
            (before, unknowns.len())
        })
        .collect();
    for block in &space.joints.blocks {
        let held = block.terms(&space.carriers, 1.0).take(block.holding);
        unknowns.extend(held.map(|(a, b, _, _)| Unknown {
            between: [mover(space, block.a), mover(space, block.b)],
            force: DVec3::new(a[0], a[1], a[2]),
            torque: [DVec3::new(a[3], a[4], a[5]), DVec3::new(b[3], b[4], b[5])],
        }));
    }
    let found = determined(&unknowns);
    own.into_iter().map(|(from, to)| mark(&found[from..to])).collect()
}

/// The first unknown of a contact is its push, or all of it where it slides.
fn mark(found: &[Option<bool>]) -> Unique {
    let Some((&push, rest)) = found.split_first() else { return Unique::YES };
    let both = |a: Option<bool>, b: &Option<bool>| a.zip(*b).map(|(a, b)| a && b);
    let friction = if rest.is_empty() { push } else { rest.iter().fold(Some(true), both) };
    Unique { push, friction }
}

/// False for contacts of elements that do not take part any more.
fn is_known(space: &ContactSpace, c: &ShapeContact) -> bool {
    (c.first.max(c.second) as usize) < space.carrier.len()
}

/// True if a contact is closed and stays so without bearing anything: that the solver has found no push there does not mean that
/// there can be none.
fn might_press(model: &Model, space: &ContactSpace, c: &ShapeContact) -> bool {
    let [a, b] = [c.first, c.second].map(|k| {
        let carrier = space.carrier[k as usize];
        space.carriers.point_velocity(carrier, c.point - space.carriers[carrier as usize].position)
    });
    c.gap <= space.slack && c.normal.dot(a - b).abs() <= rest::slow(model, c.step)
}

/// A contact that may push, and rubs only if it does.
fn add_push(space: &ContactSpace, c: &ShapeContact, out: &mut Vec<Unknown>) {
    let [a, b] = [c.first, c.second].map(|k| space.carrier[k as usize]);
    let torque = [a, b].map(|k| (c.point - space.carriers[k as usize].position).cross(c.normal));
    out.push(Unknown { between: [mover(space, a), mover(space, b)], force: c.normal, torque });
}

fn mover(space: &ContactSpace, carrier: u32) -> Option<u32> {
    space.carriers[carrier as usize].is_movable().then_some(carrier)
}

fn add_contact(model: &Model, w: &Workspace, space: &ContactSpace, c: &ShapeContact, out: &mut Vec<Unknown>) {
    let [a, b] = [c.first, c.second].map(|k| space.carrier[k as usize]);
    let carriers = [a, b].map(|k| &space.carriers[k as usize]);
    let point = carriers.iter().find(|k| !k.turns).map_or(c.point, |k| k.position);
    let between = [mover(space, a), mover(space, b)];
    let mut unknown = |force: DVec3, couple: DVec3| {
        let torque = carriers.map(|k: &Carrier| (point - k.position).cross(force) + couple);
        out.push(Unknown { between, force, torque });
    };
    let rubs = space.coefficients(model, w, c.first, c.second).rubs();
    if slides(model, c) && rubs {
        let size = c.impulse.length().max(f64::MIN_POSITIVE);
        unknown(c.impulse / size, c.torque / size);
        return;
    }
    unknown(c.normal, DVec3::ZERO);
    if rubs {
        let (t1, t2) = c.normal.any_orthonormal_pair();
        [t1, t2].into_iter().for_each(|t| unknown(t, DVec3::ZERO));
    }
    if c.torque != DVec3::ZERO {
        DVec3::AXES.into_iter().for_each(|axis| unknown(DVec3::ZERO, axis));
    }
}
