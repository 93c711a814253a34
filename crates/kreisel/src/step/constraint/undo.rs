//! A step that has to begin anew gives back what free motion has done: somebody in it should have been awake, or it has to be of
//! second order.

use crate::linear::Vectors;
use crate::model::{ShapeContact, State};
use crate::step::flow::Flow;
use glamx::DVec3;
use std::sync::Arc;

/// Motions when a step begins. Overlap that has been taken out stays so.
pub struct Undo {
    /// Velocities and angular momenta of the rigid bodies [m/s, kg m²/s].
    bodies: Vec<(DVec3, DVec3)>,
    velocity: Vectors,
    contacts: Arc<Vec<ShapeContact>>,
    flow: Flow,
}

impl Undo {
    /// What there is to give back: nothing if nobody sleeps and the step cannot be of second order.
    pub fn new(state: &State, flow: &Flow, second_order: bool) -> Self {
        if state.sleep.count(state.epoch) == 0 && !second_order {
            return Self { bodies: Vec::new(), velocity: Vectors::default(), contacts: Arc::default(), flow: *flow };
        }
        let bodies = state.aggregates.iter().map(|a| (a.velocity, a.angular_momentum)).collect();
        Self { bodies, velocity: state.velocity.clone(), contacts: state.shape_contacts.clone(), flow: *flow }
    }

    /// Gives it back.
    pub fn give_back(self, state: &mut State, flow: &mut Flow) {
        for (a, (velocity, angular_momentum)) in state.aggregates.iter_mut().zip(self.bodies) {
            (a.velocity, a.angular_momentum) = (velocity, angular_momentum);
        }
        (state.velocity, state.shape_contacts) = (self.velocity, self.contacts);
        *flow = self.flow;
    }
}
