//! A step that has to begin anew, because somebody in it should have been awake, gives back what free motion has done.

use crate::linear::Vectors;
use crate::model::State;
use crate::step::flow::Flow;
use glamx::DVec3;

/// Motions when a step begins. Overlap that has been taken out stays so.
pub struct Undo {
    /// Velocities and angular momenta of the rigid bodies [m/s, kg m²/s]; none if nobody sleeps.
    bodies: Vec<(DVec3, DVec3)>,
    velocity: Vectors,
    flow: Flow,
}

impl Undo {
    /// What there is to give back: nothing if nobody sleeps.
    pub fn new(state: &State, flow: &Flow) -> Self {
        if state.sleep.count(state.epoch) == 0 {
            return Self { bodies: Vec::new(), velocity: Vectors::default(), flow: *flow };
        }
        let bodies = state.aggregates.iter().map(|a| (a.velocity, a.angular_momentum)).collect();
        Self { bodies, velocity: state.velocity.clone(), flow: *flow }
    }

    /// Gives it back.
    pub fn give_back(self, state: &mut State, flow: &mut Flow) {
        for (a, (velocity, angular_momentum)) in state.aggregates.iter_mut().zip(self.bodies) {
            (a.velocity, a.angular_momentum) = (velocity, angular_momentum);
        }
        state.velocity = self.velocity;
        *flow = self.flow;
    }
}
