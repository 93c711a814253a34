//! What implicit steps need of the law `constraint`: who meets in the step, how fast, and the record at its end.

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::row::Row;
use crate::contact::constraint::twist::Twist;
use crate::contact::constraint::twisted;
use crate::model::mapping::carry_all;
use crate::model::{Event, Model, ShapeContact, State};
use crate::step::constraint::apply::{book_couple, readout};
use crate::step::constraint::joints::{self, element_of};
use crate::step::constraint::solve::resistances;
use crate::step::constraint::space::ContactSpace;
use crate::step::constraint::ties::Tie;
use crate::step::constraint::{detect, flying, jam, overlap, sleep};
use crate::step::flow::Flow;
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// What a side of a contact moves with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A rigid body.
    Body(usize),
    /// A free element.
    Element(usize),
}

/// Contacts of an implicit step.
#[derive(Debug, Default)]
pub struct Meetings {
    pub(super) space: ContactSpace,
    /// The carriers when the step began.
    pub(super) before: Carriers,
    /// Errors of all rows of joints that hold, when the step began [m].
    pub(super) errors: Vec<f64>,
    /// Size of the step [s].
    pub(super) h: f64,
    /// True for rigid bodies that fly as in explicit steps.
    pub(super) flying: Vec<bool>,
}

impl Meetings {
    /// Finds what may touch in a step of size `h`; overlap is taken out by position.
    pub fn find(model: &Model, state: &mut State, w: &mut Workspace, h: f64, flow: &mut Flow) -> Self {
        let mut space = std::mem::take(&mut w.contact_space);
        state.sleep.wake_all();
        sleep::detect_awake(model, state, w, &mut space, h);
        overlap::separate(model, state, w, &mut space, flow);
        carry_all(state);
        detect::seat_again(model, state, w, &mut space);
        space.rows.clear();
        space.twists.clear();
        let (before, mut errors) = (space.carriers.clone(), Vec::new());
        if !model.joints.is_empty() {
            joints::begin_implicitly(model, state, w, &mut space, &before, h, flow);
            joints::make(model, state, &mut space, h);
            errors = joints::errors(&space.joints.links, &joints::poses(state, &space.carriers));
        }
        let flying = flying::flying(model, state, w, &space.joints);
        Self { before, space, errors, h, flying }
    }

    /// Makes the rows of a state that moves as it would without contact; they start from the impulses of the step before.
    pub fn make_rows(&mut self, model: &Model, state: &State, w: &Workspace) {
        self.space.carriers = self.carriers(state);
        self.space.make_rows(model, state, w, &self.before, self.h);
        self.space.rows.iter_mut().for_each(|row| row.weigh(&self.before));
        let resistances = resistances(model, &self.space).into_iter();
        self.space.twists = twisted::make(&self.space.rows, resistances, &self.before);
    }

    /// The contacts, with their impulses.
    pub fn rows(&self) -> &[Row] {
        &self.space.rows
    }

    /// The same, to be given impulses.
    pub fn rows_mut(&mut self) -> &mut [Row] {
        &mut self.space.rows
    }

    /// What a carrier stands for; `None`: the fixed world.
    pub fn owner(&self, state: &State, carrier: u32) -> Option<Owner> {
        let (k, bodies) = (carrier as usize, state.aggregates.len());
        let element = || element_of(&self.space, bodies, k).map(|e| Owner::Element(e as usize));
        if k < bodies { Some(Owner::Body(k)) } else { element() }
    }

    /// True if a contact is with something that moves, and that no push can move.
    pub fn is_driven(&self) -> bool {
        let driven = |c: u32| !self.before[c as usize].is_movable() && !self.before[c as usize].is_still();
        self.space.rows.iter().any(|row| driven(row.a) || driven(row.b))
    }

    /// The carriers with the velocities of a state. Those of bodies that fly are what impulses give at the beginning of the step, where
    /// their rows are: they turn by themselves on the way.
    pub fn carriers(&self, state: &State) -> Carriers {
        let mut now = self.before.clone();
        for (k, carrier) in now.iter_mut().enumerate() {
            match self.owner(state, k as u32) {
                Some(Owner::Body(a)) => {
                    let body = &state.aggregates[a];
                    let spin =
                        if self.flying[a] { carrier.inverse_inertia * body.angular_momentum } else { body.spin() };
                    (carrier.velocity, carrier.spin) = (body.velocity, spin);
                }
                Some(Owner::Element(e)) => carrier.velocity = state.velocity.get(e),
                None => {}
            }
        }
        now
    }

    /// The fastest that a contact, or a row of a joint, was before the step [m/s].
    pub fn speed(&self) -> f64 {
        let touching = self.rows().iter().map(|row| row.velocity(&self.before).abs().max_element()).fold(0.0, f64::max);
        self.space.joints.blocks.iter().fold(touching, |m, block| m.max(block.scale(&self.before)))
    }

    /// The joint that is the farthest from what it asks for, if that is more than `least` [m/s]: by what opens in the step, or by what its motor,
    /// friction and stops leave of their laws.
    pub fn farthest_joint(&self, state: &State, least: f64) -> Option<usize> {
        let (carriers, opened) = (self.carriers(state), self.opened(state));
        let (mut farthest, mut most) = (None, least);
        for ((link, block), opened) in self.space.joints.links.iter().zip(&self.space.joints.blocks).zip(&opened) {
            let open = opened.iter().map(|x| (x / self.h).abs());
            let driven = block.rows[block.holding..].iter();
            let off =
                open.chain(driven.map(|row| row.residual(block.velocity(row, &carriers)).abs())).fold(0.0, f64::max);
            if off > most {
                (farthest, most) = (Some(link.joint as usize), off);
            }
        }
        farthest
    }

    /// Size of the smallest body, a metre at most [m].
    pub fn size(&self) -> f64 {
        self.space.size()
    }

    /// Size of the step [s].
    pub fn step(&self) -> f64 {
        self.h
    }

    /// Where the impulse of a tie acts when the step begins [m], and how fast each side carries it on [m/s]: free elements and
    /// skins as they move there, rigid bodies with their centres. What joints join is one group, for which it does not matter.
    pub fn place(&self, state: &State, tie: Tie, carriers: &Carriers) -> (DVec3, [DVec3; 2]) {
        let k = match tie {
            Tie::Contact(k) => k,
            Tie::Couple(_) => return (DVec3::ZERO, [DVec3::ZERO; 2]),
            Tie::Hold { block, .. } | Tie::Drive(block) => {
                return (self.space.joints.blocks[block].point, [DVec3::ZERO; 2]);
            }
        };
        let (point, row) = (self.space.point(&self.space.found[k]), &self.rows()[k]);
        let carried = |k: u32| match self.owner(state, k) {
            Some(Owner::Body(a)) => state.aggregates[a].velocity,
            _ => carriers.point_velocity(k, point - carriers[k as usize].position),
        };
        (point, [row.a, row.b].map(carried))
    }

    /// Every impulse without a collision of a solved step that begins at time `t`.
    pub fn jammed(&self, model: &Model, t: f64) -> Vec<Event> {
        jam::jammed(model, &self.space, &self.before, (t, self.h))
    }

    /// The contacts reach the ledger and the list of contacts; the state moves as it does at the end of the step.
    pub fn finish(mut self, model: &Model, state: &mut State, flow: &mut Flow) -> ContactSpace {
        let after = self.carriers(state);
        twisted::finish(&mut self.space.rows, &self.space.twists, &after);
        let mut couples = self.space.twists.iter().peekable();
        let mut contacts = Vec::with_capacity(self.space.rows.len());
        for k in 0..self.space.rows.len() {
            let (row, f) = (&self.space.rows[k], &self.space.found[k]);
            let (old, new) = (row.velocity(&self.before), row.velocity(&after));
            let work = row.impulse * (old + new) * 0.5;
            flow.contact_work += work.x;
            flow.friction_work += work.y + work.z;
            flow.turnover += work.x.abs() + (work.y + work.z).abs();
            let couple = couples.next_if(|t| t.row as usize == k);
            couple.into_iter().for_each(|t| book_couple(t, &self.before, &after, flow));
            if row.impulse != DVec3::ZERO || f.touch.gap <= 0.0 {
                let torque = couple.map_or(DVec3::ZERO, Twist::world_impulse);
                contacts
                    .push(ShapeContact { torque, ..readout(model, &self.space, row, f, row.velocity(&after), self.h) });
            }
        }
        state.shape_contacts = contacts.into();
        self.book_fall(model, state, &after, flow);
        if !model.joints.is_empty() {
            joints::record(model, state, (&self.space, &self.before, &after), self.h, flow);
            let bent = joints::bent_implicitly(model, state, &self.space, (&self.before, &after), self.h);
            flow.strayed = flow.strayed.max(bent);
        }
        self.space
    }

    /// Gives back what the step took when it began, and the buffers, after it has failed.
    pub fn give_back(mut self, model: &Model, state: &mut State, w: &Workspace, flow: &mut Flow) -> ContactSpace {
        joints::give_half_back(model, state, w, &mut self.space, self.h, flow);
        self.space
    }
}
