//! What implicit steps need of the law `constraint`: who meets in the step, how fast, and the record at its end.

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::row::{Jacobian, Row};
use crate::contact::constraint::sweep;
use crate::model::mapping::carry_all;
use crate::model::{Model, State};
use crate::step::constraint::apply::readout;
use crate::step::constraint::joints::element_of;
use crate::step::constraint::space::ContactSpace;
use crate::step::constraint::{detect, overlap, sleep};
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
    space: ContactSpace,
    /// The carriers when the step began.
    before: Carriers,
}

impl Meetings {
    /// Finds what may touch in a step of size `h`; overlap is taken out by position.
    pub fn find(model: &Model, state: &mut State, w: &mut Workspace, h: f64, flow: &mut Flow) -> Self {
        let mut space = std::mem::take(&mut w.contact_space);
        state.sleep.wake_all();
        sleep::detect_awake(model, state, w, &mut space, h);
        overlap::separate(state, &mut space, flow);
        carry_all(state);
        detect::seat_again(model, state, w, &mut space);
        space.rows.clear();
        Self { before: space.carriers.clone(), space }
    }

    /// Makes the rows of a state that moves as it would without contact; they start from the impulses of the step before.
    pub fn make_rows(&mut self, model: &Model, state: &State, w: &Workspace, h: f64) {
        self.space.carriers = self.carriers(state);
        let starts = self.space.starts(model, state, w, &self.before, h);
        self.space.rows = starts.iter().map(|(meeting, start)| Row::new(meeting, &self.before, *start)).collect();
    }

    /// The contacts, with their impulses.
    pub fn rows(&self) -> &[Row] {
        &self.space.rows
    }

    /// The same, to be given impulses.
    pub fn rows_mut(&mut self) -> &mut [Row] {
        &mut self.space.rows
    }

    /// What a contact moves with, and its rows for each, as the step begins.
    pub fn sides(&self, state: &State, row: &Row) -> Vec<(Owner, Jacobian)> {
        let sides = row.sides(&self.before).into_iter();
        sides.filter_map(|(carrier, j)| Some((self.owner(state, carrier)?, j))).collect()
    }

    /// What a carrier stands for; `None`: the fixed world.
    pub fn owner(&self, state: &State, carrier: u32) -> Option<Owner> {
        let (k, bodies) = (carrier as usize, state.aggregates.len());
        let element = || element_of(&self.space, bodies, k).map(|e| Owner::Element(e as usize));
        if k < bodies { Some(Owner::Body(k)) } else { element() }
    }

    /// The carriers with the velocities of a state.
    pub fn carriers(&self, state: &State) -> Carriers {
        let mut now = self.before.clone();
        for (k, carrier) in now.iter_mut().enumerate() {
            match self.owner(state, k as u32) {
                Some(Owner::Body(a)) => {
                    (carrier.velocity, carrier.spin) = (state.aggregates[a].velocity, state.aggregates[a].spin());
                }
                Some(Owner::Element(e)) => carrier.velocity = state.velocity.get(e),
                None => {}
            }
        }
        now
    }

    /// Velocities of all contacts with their bias, in their axes [m/s].
    pub fn velocities(&self, carriers: &Carriers) -> Vec<DVec3> {
        self.rows().iter().map(|row| row.velocity(carriers) + DVec3::X * row.bias).collect()
    }

    /// The fastest that a contact was before the step [m/s].
    pub fn speed(&self) -> f64 {
        self.rows().iter().map(|row| row.velocity(&self.before).abs().max_element()).fold(0.0, f64::max)
    }

    /// Where the impulse of a contact acts after a time `h` [m]: it goes with the sphere of its element, or else with the bodies.
    pub fn point(&self, k: usize, carriers: &Carriers, h: f64) -> DVec3 {
        let (f, row) = (&self.space.found[k], &self.rows()[k]);
        let velocity = match self.space.centres(f) {
            [Some(_), _] => carriers.point_velocity(row.a, DVec3::ZERO),
            [_, Some(_)] => carriers.point_velocity(row.b, DVec3::ZERO),
            _ => mean_velocity(carriers, [row.a, row.b]),
        };
        self.space.point(f) + velocity * h
    }

    /// The contacts reach the ledger and the list of contacts; the state moves as it does at the end of the step.
    pub fn finish(mut self, model: &Model, state: &mut State, h: f64, flow: &mut Flow) -> ContactSpace {
        let after = self.carriers(state);
        let mut contacts = Vec::with_capacity(self.space.rows.len());
        for k in 0..self.space.rows.len() {
            let row = &mut self.space.rows[k];
            let (old, new) = (row.velocity(&self.before), row.velocity(&after));
            row.mode = sweep::mode(row, new);
            let work = row.impulse * (old + new) * 0.5;
            flow.contact_work += work.x;
            flow.friction_work += work.y + work.z;
            flow.turnover += work.x.abs() + (work.y + work.z).abs();
            let (row, f) = (&self.space.rows[k], &self.space.found[k]);
            if row.impulse != DVec3::ZERO || f.touch.gap <= 0.0 {
                contacts.push(readout(model, &self.space, row, f, &after, h));
            }
        }
        state.shape_contacts = contacts;
        self.space
    }

    /// Gives the buffers back after a step that failed.
    pub fn into_space(self) -> ContactSpace {
        self.space
    }
}

/// Of those that can be moved; zero if none can.
fn mean_velocity(carriers: &Carriers, pair: [u32; 2]) -> DVec3 {
    let moving = pair.map(|k| &carriers[k as usize]).into_iter().filter(|c| c.is_movable());
    let (sum, count) = moving.fold((DVec3::ZERO, 0.0), |(sum, n), c| (sum + c.velocity, n + 1.0));
    sum / f64::max(count, 1.0)
}
