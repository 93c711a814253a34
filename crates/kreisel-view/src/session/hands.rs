//! Hands: what a person holds and pulls, by damped springs on a patch of elements.
//!
//! The spring of a hand is chosen from the mass `M` of what hangs together: `K = M (2π f)²`, damped to `C = 2 M (2π f)`
//! (critical). It is shared by the elements of the patch. A soft element of mass `m` takes at most the damper
//! `0.3 m/h`, so that holding it does not shrink the step `h`.

use crate::session::world::World;
use kreisel::linear::Vectors;
use kreisel::model::world::ElementGrab;
use kreisel::model::{FREE, Model, weights_on_four};
use kreisel::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Frequency with which a held body follows the hand [Hz].
const FREQUENCY: f64 = 2.5;
/// Elements that a hand takes at most.
const PATCH: usize = 14;
/// Hands at the same time.
const MOST_HANDS: usize = 16;
/// Share of `m/h` that the damper of a soft element may have.
const DAMPER_SHARE: f64 = 0.3;

/// How something is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grasp {
    /// A soft body by a patch, a rigid one by a point.
    Point,
    /// By a patch, so that it turns with the hand.
    Firm,
    /// By its far ends, to turn it.
    Turn,
}

/// Something held.
#[derive(Clone, Debug, PartialEq)]
pub struct Hand {
    /// Number given by whoever holds.
    pub id: u32,
    /// What was taken.
    pub element: u32,
    /// True if it turns what it holds instead of pulling it.
    pub twists: bool,
    /// Where the hand is [m].
    pub target: DVec3,
    /// How far it is turned: axis times angle [rad].
    pub rotation: DVec3,
    /// Where it took hold [m].
    pub begin: DVec3,
    /// The patch.
    pub fingers: Vec<Finger>,
}

/// One point of the patch.
#[derive(Clone, Debug, PartialEq)]
pub struct Finger {
    /// The elements that carry it, and their weights: one element, or the four of an exact body.
    pub carried_by: Vec<(u32, f64)>,
    /// Its place when it was taken, from `begin` [m].
    pub arm: DVec3,
    /// Spring [N/m].
    pub stiffness: f64,
    /// Damper [N s/m].
    pub damping: f64,
    /// Where it is pulled at the moment [m].
    pub target: DVec3,
}

/// What is shown of a hand.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct HandLook {
    /// Its number.
    pub id: u32,
    /// What it holds.
    pub element: u32,
    /// Where it pulls to [m].
    pub target: [f64; 3],
    /// Where it holds [m].
    pub at: [f64; 3],
    /// With which force [N].
    pub force: [f64; 3],
    /// With which couple, about the middle of what it holds [N m].
    pub couple: [f64; 3],
    /// True if it turns what it holds instead of pulling it.
    pub twists: bool,
}

/// Takes hold of an element.
pub fn take(world: &mut World, id: u32, element: u32, at: DVec3, grasp: Grasp) -> Result<(), String> {
    if element as usize >= world.model.elements.len() {
        return Err(format!("there is no element {element}"));
    }
    if !at.is_finite() {
        return Err("a hand must be somewhere".into());
    }
    release(world, id);
    if world.hands.len() >= MOST_HANDS {
        return Err(format!("{MOST_HANDS} hands are the most"));
    }
    let step = world.plan().step;
    let fingers = fingers(world, element, at, grasp, step);
    let twists = grasp == Grasp::Turn;
    world.hands.push(Hand { id, element, twists, target: at, rotation: DVec3::ZERO, begin: at, fingers });
    write_grabs(world, true);
    Ok(())
}

/// Moves a hand; what it holds is pulled there within the next frame.
pub fn pull(world: &mut World, id: u32, target: DVec3, rotation: DVec3) -> Result<(), String> {
    if !(target.is_finite() && rotation.is_finite()) {
        return Err("a hand must be somewhere".into());
    }
    let Some(hand) = world.hands.iter_mut().find(|h| h.id == id) else { return Err(format!("hand {id} is empty")) };
    hand.target = target;
    hand.rotation = rotation;
    write_grabs(world, false);
    Ok(())
}

/// Lets go.
pub fn release(world: &mut World, id: u32) {
    let before = world.hands.len();
    world.hands.retain(|h| h.id != id);
    if world.hands.len() != before {
        write_grabs(world, true);
    }
}

/// Lets go of everything.
pub fn release_all(world: &mut World) {
    if !world.hands.is_empty() {
        world.hands.clear();
        write_grabs(world, true);
    }
}

/// The hands as they are shown.
pub fn looks(world: &World) -> Vec<HandLook> {
    world.hands.iter().map(|hand| look(world, hand)).collect()
}

fn look(world: &World, hand: &Hand) -> HandLook {
    let of = |f: &Finger, all: &Vectors| {
        f.carried_by.iter().fold(DVec3::ZERO, |sum, &(e, weight)| sum + weight * all.get(e as usize))
    };
    let place = |f: &Finger| of(f, &world.state.position);
    let pull = |f: &Finger| f.stiffness * (f.target - place(f)) - f.damping * of(f, &world.state.velocity);
    let sum = hand.fingers.iter().fold(DVec3::ZERO, |sum, f| sum + place(f));
    let middle = sum / hand.fingers.len().max(1) as f64;
    let force = hand.fingers.iter().fold(DVec3::ZERO, |sum, f| sum + pull(f));
    let couple = hand.fingers.iter().fold(DVec3::ZERO, |sum, f| sum + (place(f) - middle).cross(pull(f)));
    let at = match &hand.fingers[..] {
        [one] => place(one),
        _ => world.state.position.get(hand.element as usize),
    };
    HandLook {
        id: hand.id,
        element: hand.element,
        target: hand.target.to_array(),
        at: at.to_array(),
        force: force.to_array(),
        couple: couple.to_array(),
        twists: hand.twists,
    }
}

/// The patch around an element, or the far ends of its body if it is to be turned, with springs.
fn fingers(world: &World, element: u32, at: DVec3, grasp: Grasp, step: f64) -> Vec<Finger> {
    let (model, state) = (&world.model, &world.state);
    let owner = state.owner[element as usize];
    if let (Grasp::Point, Some(carried_by)) = (grasp, on_exact_body(world, element, at)) {
        return vec![Finger { carried_by, arm: DVec3::ZERO, target: at, ..spring(mass_of(world, element), 1.0) }];
    }
    let chosen = match (grasp, owner) {
        (Grasp::Turn, _) => spread(world, element),
        (Grasp::Firm, a) if a != FREE && state.aggregates[a as usize].elements.len() <= PATCH => {
            state.aggregates[a as usize].elements.clone()
        }
        (Grasp::Point, FREE) | (Grasp::Firm, _) => patch(world, element, owner),
        (Grasp::Point, _) => vec![element],
    };
    let mass = mass_of(world, element);
    let share = 1.0 / chosen.len() as f64;
    let finger = |&e: &u32| {
        let bearable = match state.owner[e as usize] {
            FREE => DAMPER_SHARE * model.elements.mass[e as usize] / step.max(f64::MIN_POSITIVE),
            _ => f64::INFINITY,
        };
        let place = state.position.get(e as usize);
        let whole = spring(mass, share);
        let damping = whole.damping.min(bearable);
        Finger { carried_by: vec![(e, 1.0)], arm: place - at, target: place, damping, ..whole }
    };
    chosen.iter().map(finger).collect()
}

/// A finger with its share of the spring and the damper that hold a mass [kg], nowhere yet.
fn spring(mass: f64, share: f64) -> Finger {
    let rate = std::f64::consts::TAU * FREQUENCY;
    let (stiffness, damping) = (mass * rate * rate * share, 2.0 * mass * rate * share);
    Finger { carried_by: Vec::new(), arm: DVec3::ZERO, stiffness, damping, target: DVec3::ZERO }
}

/// What carries a point of an exact body, whose elements are four masses that nobody sees.
fn on_exact_body(world: &World, element: u32, at: DVec3) -> Option<Vec<(u32, f64)>> {
    let body = world.model.elements.body[element as usize];
    let four = <[u32; 4]>::try_from(&world.model.bodies[body.0 as usize].elements[..]).ok()?;
    let exact = world.model.colliders.iter().any(|c| c.body == body);
    exact.then(|| weights_on_four(four.map(|e| (e, world.state.position.get(e as usize))), at).to_vec())
}

/// Mass of what moves with an element [kg]: of its aggregate, or of its body.
fn mass_of(world: &World, element: u32) -> f64 {
    let (model, state) = (&world.model, &world.state);
    match state.owner[element as usize] {
        FREE => {
            let body = model.elements.body[element as usize].0 as usize;
            model.bodies[body].elements.iter().map(|&e| model.elements.mass[e as usize]).sum()
        }
        a => state.aggregates[a as usize].mass,
    }
}

/// The elements of the same body and owner nearest to an element.
fn patch(world: &World, element: u32, owner: u32) -> Vec<u32> {
    let (model, state) = (&world.model, &world.state);
    let rest = |e: u32| model.elements.rest.get(e as usize);
    let centre = rest(element);
    let reach = 3.2 * model.elements.radius[element as usize];
    let body = model.elements.body[element as usize].0 as usize;
    let near = |e: &&u32| state.owner[**e as usize] == owner && rest(**e).distance(centre) <= reach;
    let mut chosen: Vec<u32> = model.bodies[body].elements.iter().filter(near).copied().collect();
    chosen.sort_by(|&a, &b| rest(a).distance(centre).total_cmp(&rest(b).distance(centre)).then(a.cmp(&b)));
    chosen.truncate(PATCH);
    if chosen.is_empty() { vec![element] } else { chosen }
}

/// Elements of the same body that lie far out in each direction: they turn it.
fn spread(world: &World, element: u32) -> Vec<u32> {
    let (model, state) = (&world.model, &world.state);
    let body = model.elements.body[element as usize].0 as usize;
    let members = &model.bodies[body].elements;
    let mut chosen = Vec::new();
    for axis in [DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X, -DVec3::Y, -DVec3::Z] {
        let far = |e: u32| state.position.get(e as usize).dot(axis);
        chosen.extend(members.iter().copied().max_by(|&a, &b| far(a).total_cmp(&far(b))));
    }
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

/// Writes the hands into the model. What is new or gone changes the stable step, so caches go; what moves does not.
fn write_grabs(world: &mut World, anew: bool) {
    let (time, frame) = (world.state.time, world.model.frame);
    let mut grabs = Vec::new();
    for hand in &mut world.hands {
        let turn = DQuat::from_scaled_axis(hand.rotation);
        let centre = hand_centre(hand);
        for finger in &mut hand.fingers {
            let target = match hand.twists {
                true => centre + turn * (hand.begin + finger.arm - centre),
                false => hand.target + turn * finger.arm,
            };
            let path = vec![(time, finger.target), (time + frame, target)];
            finger.target = target;
            let (stiffness, damping) = (finger.stiffness, finger.damping);
            let carried_by = finger.carried_by.clone();
            grabs.push(ElementGrab { carried_by, stiffness, damping, path, active: (time, f64::INFINITY) });
        }
    }
    let own = world.own_grabs;
    let model: &mut Model = Arc::make_mut(&mut world.model);
    model.grabs.truncate(own);
    model.grabs.extend(grabs);
    if anew {
        world.forget();
    }
}

/// The middle of the places where a twisting hand holds [m].
fn hand_centre(hand: &Hand) -> DVec3 {
    let sum = hand.fingers.iter().fold(DVec3::ZERO, |sum, f| sum + hand.begin + f.arm);
    sum / hand.fingers.len().max(1) as f64
}
