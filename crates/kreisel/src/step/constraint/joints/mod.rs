//! Joints in the step: solved together with the contacts, with their error at the end of the step as the condition.
//!
//! In first-order steps the impulses act at the beginning and the joint is to be closed at the end, `g(q⁺) = 0`, as in the
//! method SHAKE [RCB77]: the scheme is symplectic, does not drift, and its joints do no work. In second-order steps they act
//! in the middle on the average velocity; position and velocity are put right at the end. What is left of an error is taken
//! out by position only.

mod correct;
mod drive;
mod energy;
mod finish;
mod link;
mod linkage;
mod make;
mod solve;
mod start;
pub mod stops;
mod struck;
mod taut;
mod turn;

pub use correct::{correct, farthest_open, parting, settle};
pub use finish::{apply, break_overloaded, note, record};
pub use link::{Link, Pose, poses};
pub use linkage::{Linkage, begin, begin_implicitly, bent_implicitly, find, finish, give_half_back, keep_energy};
pub use make::{make, make_average, make_blow, make_whole};
pub use solve::{errors, solve, solve_all};
pub use start::{start, strike_disallowed};
pub use struck::is_struck;
pub use turn::turn;

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::groups::Group;
use crate::contact::constraint::joint::JointBlock;
use crate::model::{BodyId, FREE, Model, State};
use crate::step::constraint::detect;
use crate::step::constraint::space::ContactSpace;
use glamx::DVec3;
use stops::Closed;
use taut::Taut;

/// Buffers of the joints in a contact problem.
#[derive(Debug, Default)]
pub struct JointSpace {
    /// Free elements that carry joints or spheres of others and have no sphere themselves, ascending: the carriers after the world.
    pub riders: Vec<u32>,
    /// Pairs of bodies that do not touch because a joint joins them, sorted.
    pub apart: Vec<(u32, u32)>,
    /// Who is joined to whom, and how.
    pub links: Vec<Link>,
    /// One block for each link.
    pub blocks: Vec<JointBlock>,
    /// Contacts that hang together with joints.
    pub contacts: Vec<u32>,
    /// What the solver may leave of them [m/s].
    tolerance: f64,
    /// What pulls so hard that links swing faster than the step can see.
    taut: Taut,
    /// In steps that look for the moments when stops are struck: which stops of each joint do something.
    pub landing: Option<Vec<Closed>>,
    /// Groups of bodies that nothing but their weight moves.
    linkages: Vec<Linkage>,
    /// For how long joints act on each carrier [s]; empty: for the whole step.
    spans: Vec<f64>,
    /// How the carriers of linkages moved when the step began.
    began: Carriers,
}

impl JointSpace {
    /// For how long a joint acts in a step of size `h` [s].
    fn span(&self, link: &Link, h: f64) -> f64 {
        link.carriers.iter().filter_map(|&c| self.spans.get(c as usize)).fold(h, |least, s| least.min(*s))
    }

    /// Carriers that are joined.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        self.blocks.iter().map(|b| (b.a, b.b))
    }

    /// Takes the islands with joints out of the list: those with numbers from `contacts` on.
    pub fn take_islands(&mut self, islands: &mut Vec<Group>, contacts: usize) {
        let joined = |g: &Group| g.contacts.last().is_some_and(|&k| k as usize >= contacts);
        let own = islands.iter().filter(|g| joined(g)).flat_map(|g| &g.contacts).copied();
        self.contacts = own.filter(|&k| (k as usize) < contacts).collect();
        self.contacts.sort_unstable();
        islands.retain(|g| !joined(g));
    }

    /// True if two bodies do not touch because a joint joins them.
    pub fn keep_apart(&self, a: Option<BodyId>, b: Option<BodyId>) -> bool {
        let Some((a, b)) = a.zip(b).filter(|_| !self.apart.is_empty()) else { return false };
        self.apart.binary_search(&(a.0.min(b.0), a.0.max(b.0))).is_ok()
    }
}

/// The free element that a carrier is, if it is one.
pub fn element_of(space: &ContactSpace, bodies: usize, carrier: usize) -> Option<u32> {
    let world = bodies + space.balls.len();
    match carrier {
        k if k < bodies || k == world => None,
        k if k < world => Some(space.balls[k - bodies]),
        k => space.joints.riders.iter().chain(&space.rub_elements).nth(k - world - 1).copied(),
    }
}

/// Adds the free elements that carry joints or spheres of others to the carriers, after the world.
pub fn add_riders(model: &Model, state: &State, space: &mut ContactSpace) {
    if model.joints.is_empty() {
        space.joints.riders.clone_from(&space.seats);
        push_riders(model, state, space);
        return;
    }
    let whole = || model.joints.iter().zip(&state.joints).filter(|(_, s)| !s.broken);
    let sides = whole().flat_map(|(j, s)| j.seats(s)).flat_map(|seat| seat.sides).filter_map(|side| side.element);
    let joints = &mut space.joints;
    let rides = |e: &u32| state.owner[*e as usize] == FREE && space.balls.binary_search(e).is_err();
    joints.riders = sides.filter(rides).chain(space.seats.iter().copied()).collect();
    joints.riders.sort_unstable();
    joints.riders.dedup();
    joints.apart = whole().filter_map(|(j, _)| j.apart).collect();
    joints.apart.sort_unstable();
    push_riders(model, state, space);
}

fn push_riders(model: &Model, state: &State, space: &mut ContactSpace) {
    for &e in &space.joints.riders {
        let held = model.holds.binary_search_by_key(&e, |h| h.element).is_ok();
        space.carriers.list.push(detect::element(model, state, e, held));
    }
}

/// Copies velocities of riders from the state.
pub fn take_velocities(state: &State, space: &mut ContactSpace) {
    let first = state.aggregates.len() + space.balls.len() + 1;
    for (carrier, &e) in space.carriers.iter_mut().skip(first).zip(&space.joints.riders) {
        carrier.velocity = state.velocity.get(e as usize);
        carrier.spin = DVec3::ZERO;
    }
}
