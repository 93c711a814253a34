//! Linkages that nothing but their weight moves: velocities and positions belong to one time, at both ends of a step.
//!
//! The method RATTLE [And83]: `v½ = v + ½ h g + M⁻¹ Jᵀ p` with `p` such that `q⁺ = q ⊕ h v½` is closed, then
//! `v⁺ = v½ + ½ h g + M⁻¹ J⁺ᵀ p⁺` with `p⁺` such that `J⁺ v⁺ = 0`. Steps of one size move as those of SHAKE do; but where `h` changes,
//! every force still acts for `½ (h + h')` on the way from one position to the next, and the energy of the moment can be read.
//! Kicks for the whole of the new step made an error of `½ (h' − h) P` at each change, with the power `P` of the weights.

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::groups::Group;
use crate::contact::constraint::joint::JointBlock;
use crate::contact::constraint::jointed;
use crate::model::mapping::carry_velocities;
use crate::model::{JointKind, Model, State};
use crate::step::constraint::joints::JointSpace;
use crate::step::constraint::joints::correct::look;
use crate::step::constraint::joints::energy::{self, Before};
use crate::step::constraint::joints::finish::push;
use crate::step::constraint::joints::link::{Link, linked};
use crate::step::constraint::joints::make::{find_links, make_plain, start};
use crate::step::constraint::joints::stops::{Ahead, BOTH, Closed};
use crate::step::constraint::joints::struck::{closes, may_close};
use crate::step::constraint::joints::taut::tauten;
use crate::step::constraint::joints::turn::turn;
use crate::step::constraint::space::{ContactSpace, Found};
use crate::step::evaluate::evaluate_apart;
use crate::step::flow::Flow;
use crate::step::kick::kick;
use crate::step::support::Support;
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// Kicks that differ from that of the weight by more than this share have other sources [1].
const SAME: f64 = 1e-9;
/// Velocities at the end of a step are solved to this share of what is to be stopped [1].
const SHARP: f64 = 1e-4;
/// What the two halves of a step may change in how far an arm turns in it [rad]; the step is of second order.
const MOST_BEND: f64 = 0.1;
/// Arms of taut joints turn by no more than this in a step [rad].
const MOST_TAUT_TURN: f64 = 0.05;
/// Looks at where taut joints act at the end of a step at most.
const MOST_LOOKS: u32 = 8;
/// Spins that are off by less than this way in a step are found [m].
const FOUND: f64 = 1e-12;

/// A group of bodies that joints, their weight and nothing else act on in a step.
#[derive(Debug)]
pub struct Linkage {
    /// Its bodies.
    bodies: Vec<u32>,
    /// Its joints.
    joints: Vec<u32>,
    /// True if what holds it does not move.
    is_held_still: bool,
    /// Its energy when the step began, if it is to be kept.
    before: Option<Before>,
}

/// Finds the linkages of a step of size `h` and takes half of their weights' kick back. Elsewhere joints act for the whole step.
pub fn begin(
    model: &Model,
    state: &mut State,
    w: &Workspace,
    space: &mut ContactSpace,
    before: &Carriers,
    h: f64,
    flow: &mut Flow,
) {
    let mut found = find(model, state, w, space, before, h);
    // What hangs on something that is driven gets the velocity of that at once, and for the whole step.
    found.retain(|linkage| linkage.is_held_still);
    take_half_back(model, state, w, (space, found), before, h, flow);
}

/// The same when an implicit step of size `h` begins, whose kick is still to come. Nothing in the equation of such a step holds
/// a linkage but its joints, which act at the pose of its beginning, so that it is RATTLE's first half as well.
pub fn begin_implicitly(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    space: &mut ContactSpace,
    before: &Carriers,
    h: f64,
    flow: &mut Flow,
) {
    let mut kicked = state.clone();
    evaluate_apart(model, &kicked, w, state.time);
    w.couples.clear();
    w.couples.resize(state.aggregates.len(), DVec3::ZERO);
    kick(model, &mut kicked, w, state.time, h);
    w.moment = None;
    let mut found = find(model, &kicked, w, space, before, h);
    // Whoever is near may touch before the equation is solved, whose contacts know of whole kicks only.
    let near = |f: &Found| [f.first, f.second].map(|k| space.carrier[k as usize]);
    let alone = |linkage: &Linkage| !space.found.iter().flat_map(near).any(|c| linkage.bodies.contains(&c));
    found.retain(|linkage| linkage.is_held_still && alone(linkage));
    take_half_back(model, state, w, (space, found), before, h, flow);
}

/// Undoes that where a step of size `h` is not made.
pub fn give_half_back(
    model: &Model,
    state: &mut State,
    w: &Workspace,
    space: &mut ContactSpace,
    h: f64,
    flow: &mut Flow,
) {
    for linkage in std::mem::take(&mut space.joints.linkages) {
        kick_half(model, state, w, &linkage.bodies, 0.5 * h, flow);
    }
    space.joints.spans.clear();
}

fn take_half_back(
    model: &Model,
    state: &mut State,
    w: &Workspace,
    (space, found): (&mut ContactSpace, Vec<Linkage>),
    before: &Carriers,
    h: f64,
    flow: &mut Flow,
) {
    space.joints.spans.clear();
    space.joints.linkages = found;
    let JointSpace { linkages, spans, .. } = &mut space.joints;
    if linkages.is_empty() {
        return;
    }
    spans.resize(space.carriers.len(), h);
    for linkage in linkages {
        linkage.note(model, state, |k| before[k as usize].velocity, h);
        kick_half(model, state, w, &linkage.bodies, -0.5 * h, flow);
        linkage.bodies.iter().for_each(|&c| spans[c as usize] = 0.5 * h);
    }
    space.joints.began.clone_from(before);
    space.take_velocities(state);
}

/// Groups of bodies that joints and weights alone act on, once these have kicked them for the time `h`; `before` has the
/// velocities that they had.
pub fn find(
    model: &Model,
    state: &State,
    w: &Workspace,
    space: &mut ContactSpace,
    before: &Carriers,
    h: f64,
) -> Vec<Linkage> {
    if model.joints.is_empty() {
        return Vec::new();
    }
    find_links(model, state, space);
    let links = &space.joints.links;
    let touched = touched(model, space, h);
    let free = |&c: &u32| !touched[c as usize] && falls_freely(model, state, w, c as usize, before, h);
    let still = |&c: &u32| space.carriers[c as usize].is_movable() || space.carriers[c as usize].is_still();
    let driven = |&n: &u32| is_driven(model, state, &links[n as usize], space.joints.landing.as_deref(), h);
    let mut found = Vec::new();
    for group in linked(links, &space.carriers) {
        if group.carriers.iter().all(free) && !group.contacts.iter().any(driven) {
            let joints: Vec<u32> = group.contacts.iter().map(|&k| links[k as usize].joint).collect();
            let is_held_still = group.contacts.iter().all(|&k| links[k as usize].carriers.iter().all(still));
            found.push(Linkage { bodies: group.carriers, joints, is_held_still, before: None });
        }
    }
    found
}

/// Carriers that something may touch within the time `h`.
fn touched(model: &Model, space: &ContactSpace, h: f64) -> Vec<bool> {
    let mut touched = vec![false; space.carriers.len()];
    for f in space.found.iter().filter(|f| closes(model, space, f, h)) {
        for c in [f.first, f.second].map(|k| space.carrier[k as usize]) {
            touched[c as usize] = true;
            space.carriers.members(c).iter().for_each(|m| touched[m.carrier as usize] = true);
        }
    }
    touched
}

/// True for a rigid body that the kick has given the velocity of its fall, and nothing else.
fn falls_freely(model: &Model, state: &State, w: &Workspace, k: usize, before: &Carriers, h: f64) -> bool {
    let Some(a) = state.aggregates.get(k).filter(|_| matches!(w.supports[k], Support::None)) else { return false };
    let fall = model.gravity * h;
    (a.velocity - before[k].velocity - fall).length() <= SAME * fall.length() && a.spin() == before[k].spin
}

/// True if a motor or friction acts in a joint, or if it leans on a stop or may reach one within the time `h`. Steps that look for
/// the moment when stops are struck know which of them are `closed`.
fn is_driven(model: &Model, state: &State, link: &Link, closed: Option<&[Closed]>, h: f64) -> bool {
    let (joint, memory) = (&model.joints[link.joint as usize], &state.joints[link.joint as usize]);
    let acts = |stop: usize| closed.is_none_or(|closed| closed[link.joint as usize][stop]);
    let nears = |stop: usize| may_close(model, Ahead::new(joint, memory, stop).times(link.unit()), h);
    let stopped = BOTH.into_iter().any(|stop| acts(stop) && (memory.drive[2 + stop] != 0.0 || nears(stop)));
    joint.is_driven() && (joint.is_forced(memory) || stopped)
}

/// Weights act for a time [s] on some bodies where they are.
fn kick_half(model: &Model, state: &mut State, w: &Workspace, bodies: &[u32], time: f64, flow: &mut Flow) {
    for k in bodies.iter().map(|&k| k as usize) {
        let a = &mut state.aggregates[k];
        let fall = model.gravity * time;
        a.velocity += fall;
        flow.impulse += fall * a.mass;
        flow.angular_impulse += a.position.cross(fall * a.mass);
        carry_velocities(a, &w.ports[k], &mut state.velocity);
    }
}

/// The other half of the step's kick, where the bodies are at its end.
pub fn finish(model: &Model, state: &mut State, w: &mut Workspace, space: &mut ContactSpace, h: f64, flow: &mut Flow) {
    let mut linkages = std::mem::take(&mut space.joints.linkages);
    // Who has fallen asleep in this step stands still, and its weight does nothing.
    linkages.retain(|linkage| !linkage.bodies.iter().any(|&k| state.sleep.is_asleep(state.epoch, k as usize)));
    if !linkages.is_empty() {
        kick_on(model, state, w, (space, &linkages), h, flow);
    }
    space.joints.spans.clear();
}

fn kick_on(
    model: &Model,
    state: &mut State,
    w: &mut Workspace,
    (space, linkages): (&mut ContactSpace, &[Linkage]),
    h: f64,
    flow: &mut Flow,
) {
    let began = std::mem::take(&mut space.joints.began);
    look(model, state, w, space);
    let before = space.carriers.clone();
    linkages.iter().for_each(|l| kick_half(model, state, w, &l.bodies, 0.5 * h, flow));
    space.take_velocities(state);
    stop(model, state, space, (linkages, &before), h);
    flow.strayed = flow.strayed.max(bent(space, (&began, &before), h));
    push(model, state, w, (space, &before), 0.0, flow);
    turn(state, w, space, &before, flow);
    for k in linkages.iter().flat_map(|l| &l.bodies).map(|&k| k as usize) {
        carry_velocities(&state.aggregates[k], &w.ports[k], &mut state.velocity);
    }
    keep_energy(model, state, w, (space, linkages), flow);
}

/// Linkages that nothing has disturbed get the energy back that they had when the step began; what is left of that waits.
pub fn keep_energy(
    model: &Model,
    state: &mut State,
    w: &Workspace,
    (space, linkages): (&ContactSpace, &[Linkage]),
    flow: &mut Flow,
) {
    for linkage in linkages {
        let undisturbed = !linkage.is_disturbed(state, space);
        if let Some((energy, &first)) = linkage.before.as_ref().zip(linkage.joints.first()).filter(|_| undisturbed) {
            let (surplus, liveliest) = energy::keep(model, state, w, (space, &linkage.bodies), energy, flow);
            let memory = &mut state.joints[first as usize];
            (memory.surplus, memory.liveliest) = (surplus, liveliest);
        }
    }
}

/// Solves for the impulses that stop what joints do not allow, where those act on average.
fn stop(model: &Model, state: &State, space: &mut ContactSpace, (linkages, before): (&[Linkage], &Carriers), h: f64) {
    let mut swings = vec![false; space.carriers.len()];
    linkages.iter().flat_map(|l| &l.bodies).for_each(|&c| swings[c as usize] = true);
    make_plain(model, state, space);
    let mut links = std::mem::take(&mut space.joints.links);
    let kept: Vec<bool> = links.iter().map(|l| l.carriers.iter().any(|&c| swings[c as usize])).collect();
    let mut each = kept.iter();
    links.retain(|_| each.next() == Some(&true));
    let mut each = kept.iter();
    space.joints.blocks.retain(|_| each.next() == Some(&true));
    for (link, block) in links.iter().zip(&mut space.joints.blocks) {
        start(block, link, &state.joints[link.joint as usize], 0.5 * h);
    }
    space.joints.links = links;
    tauten(model, state, space, before, h);
    let ContactSpace { joints, carriers, .. } = &mut *space;
    let scale = joints.blocks.iter().fold(0.0, |m: f64, b| m.max(b.scale(before)).max(b.swirl(before) * h));
    let scale = scale.max(model.gravity.length() * h).max(f64::MIN_POSITIVE);
    jointed::solve((&mut [], &mut []), &mut joints.blocks, carriers, SHARP * scale, &model.constraint);
    let mut last = f64::INFINITY;
    for _ in 0..MOST_LOOKS {
        let off = joints.taut.look(&joints.blocks, carriers, before, h);
        if off <= FOUND || off >= 0.9 * last {
            break;
        }
        last = off;
        joints.taut.give(carriers);
        jointed::go_on((&mut [], &mut []), &mut joints.blocks, carriers, SHARP * scale, &model.constraint);
    }
    joints.taut.place(&mut joints.blocks, carriers, before);
}

/// By how many times a step of size `h` was too long for how its links turn: they began to turn faster or slower in the one half
/// than in the other, or turned so far that averages over the step, where joints are taut, say nothing.
fn bent(space: &ContactSpace, (began, half): (&Carriers, &Carriers), h: f64) -> f64 {
    let mut most: f64 = 0.0;
    for (k, (link, block)) in space.joints.links.iter().zip(&space.joints.blocks).enumerate() {
        for c in [block.a as usize, block.b as usize] {
            let arm = (block.point - half[c].position).normalize_or_zero();
            let bend = (space.carriers[c].spin - half[c].spin * 2.0 + began[c].spin).cross(arm).length() * h;
            let turn = if space.joints.taut.pulls_at(k) { half[c].spin.cross(arm).length() * h } else { 0.0 };
            most = most.max(bend / MOST_BEND).max(turn / MOST_TAUT_TURN);
        }
        if let Some((line, row)) =
            link.length.filter(|l| *l > 0.0 && link.kind == JointKind::Distance).zip(block.rows.first())
        {
            // The line of a distance turns, too.
            let n = row.wrench().0;
            let across = |of: &Carriers| {
                let (a, b) = (&half[block.a as usize], &half[block.b as usize]);
                let ends = (block.point - a.position, block.point - n * line - b.position);
                of[block.a as usize].velocity_at(ends.0) - of[block.b as usize].velocity_at(ends.1)
            };
            let bend =
                (across(&space.carriers) - across(half) * 2.0 + across(began)).reject_from(n).length() / line * h;
            most = most.max(bend / MOST_BEND);
        }
    }
    most
}

/// By how many times an implicit step of size `h` was too long for how links turn that are no linkages: those of rigid bodies that
/// drag, loads or springs act on. Their joints act at the pose of the beginning of the step, and give energy to what whips.
pub fn bent_implicitly(
    model: &Model,
    state: &State,
    space: &ContactSpace,
    (before, after): (&Carriers, &Carriers),
    h: f64,
) -> f64 {
    let links = &space.joints.links;
    // A blow and a motor turn them as far in any step, and what is soft is not to be resolved.
    let else_moved = else_moved(state, space);
    let driven = |&n: &u32| is_driven(model, state, &links[n as usize], None, h);
    let loose = |g: &Group| !g.carriers.iter().any(|&c| else_moved[c as usize]) && !g.contacts.iter().any(driven);
    let bend = |block: &JointBlock, c: u32| {
        let (new, old) = (&after[c as usize], &before[c as usize]);
        (new.spin - old.spin).cross((block.point - old.position).normalize_or_zero()).length() * h
    };
    let blocks = linked(links, &space.carriers).into_iter().filter(loose).flat_map(|g| g.contacts);
    let blocks = blocks.map(|n| &space.joints.blocks[n as usize]);
    blocks.map(|b| bend(b, b.a).max(bend(b, b.b))).fold(0.0, f64::max) / MOST_BEND
}

/// Carriers that are elements, that a contact has pushed, or that belong to a linkage.
fn else_moved(state: &State, space: &ContactSpace) -> Vec<bool> {
    let mut moved: Vec<bool> = (0..space.carriers.len()).map(|c| c >= state.aggregates.len()).collect();
    let struck = space.rows.iter().filter(|row| row.impulse != DVec3::ZERO).flat_map(|row| [row.a, row.b]);
    let own = space.joints.linkages.iter().flat_map(|l| l.bodies.iter().copied());
    struck.chain(own).for_each(|c| moved[c as usize] = true);
    moved
}

impl Linkage {
    /// Notes its energy when a step of size `h` begins, with the velocities that are told of each body, and what it is to be.
    pub fn note(&mut self, model: &Model, start: &State, velocity: impl Fn(u32) -> DVec3, h: f64) {
        let surplus: f64 = self.joints.iter().map(|&k| start.joints[k as usize].surplus).sum();
        let liveliest = self.joints.iter().map(|&k| start.joints[k as usize].liveliest).fold(0.0, f64::max);
        let before = || Before::new(model, start, (&self.bodies, surplus, liveliest), velocity, h);
        // What joints that act for the first time stop is lost: bodies may begin with velocities that they do not allow.
        let known = self.joints.iter().all(|&k| start.joints[k as usize].step > 0.0);
        self.before = (known && self.is_held_still).then(before);
    }

    /// True if something else has pushed it in the step after all.
    fn is_disturbed(&self, state: &State, space: &ContactSpace) -> bool {
        let own = |c: u32| self.bodies.binary_search(&c).is_ok();
        let struck = space.rows.iter().any(|row| row.impulse != DVec3::ZERO && (own(row.a) || own(row.b)));
        struck || self.joints.iter().any(|&k| state.joints[k as usize].drive != [0.0; 4])
    }
}
