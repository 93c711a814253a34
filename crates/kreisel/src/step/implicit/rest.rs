//! Steps of pseudo-time towards rest: each starts from standstill, so that what is at rest stays, whatever the step.
//!
//! `C (M/h² + K) C Δx = C f`: backward Euler with all velocities forgotten after each step. Small steps follow the force
//! downhill, large ones are Newton's on the balance of forces itself.

use crate::contact::connections::remember;
use crate::linear::Vectors;
use crate::linear::rotation::rotation_between;
use crate::model::mapping::carry_all;
use crate::model::setup::Integrator;
use crate::model::{Aggregate, FREE, Model, State};
use crate::step::implicit::filter::Filter;
use crate::step::implicit::groups::Groups;
use crate::step::implicit::newton::{Task, Unsolved, solve};
use crate::step::implicit::pose::Start;
use crate::step::implicit::residual::evaluate;
use crate::step::implicit::scheme::Scheme;
use crate::step::implicit::slots::Slots;
use crate::step::support::target;
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// What is left of a step's equation when it is close enough, as a share of what there was [1].
const CLOSE: f64 = 0.1;

/// What a step of pseudo-time took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stride {
    /// Newton iterations.
    pub newton: usize,
    /// Iterations of the linear solver.
    pub linear: usize,
    /// How far the element that moved farthest has moved [m].
    pub moved: f64,
    /// By how much the aggregate that turned farthest has turned [rad].
    pub turned: f64,
}

/// The forces of a state that stands still.
#[derive(Clone, Debug, Default)]
pub struct Balance {
    /// What nothing balances: on each element [N], then force [N] and torque [N m] of each aggregate.
    pub left: Vectors,
    /// What fixes balance, likewise.
    pub held: Vectors,
    /// Elastic energy of connections, cells and contacts [J].
    pub elastic: f64,
}

/// Stops everything.
pub fn stand_still(state: &mut State) {
    state.velocity.reset(state.position.len());
    state.joints.iter_mut().for_each(|joint| joint.speed = 0.0);
    for a in &mut state.aggregates {
        (a.velocity, a.angular_momentum) = (DVec3::ZERO, DVec3::ZERO);
    }
    carry_all(state);
}

/// One step of pseudo-time `h` [s] with loads and fixes as they are at `time`; the state stands still before and after.
pub fn stride(model: &Model, state: &mut State, w: &mut Workspace, time: f64, h: f64) -> Result<Stride, Unsolved> {
    let scheme = Scheme::new(Integrator::BackwardEuler, h);
    let start = Start::new(state, &scheme);
    // A fix is where it is at the end of the step.
    let begin = time - h;
    let filter = Filter::new(model, state, &start, begin, &scheme);
    let groups = Groups::new(model, state, &w.topology);
    let task = Task {
        model,
        start: &start,
        scheme,
        begin,
        time,
        filter: &filter,
        groups: &groups,
        pieces: &groups,
        pushes: &[],
    };
    let mut solver = std::mem::take(&mut w.solver);
    let solved = solve(&task, state, w, &mut solver, None);
    w.solver = solver;
    let (newton, linear) = match solved {
        Ok(solved) => (solved.iterations, solved.linear_iterations),
        // The state is at the last pose that was tried. Nearer to rest it need not solve any equation of motion.
        Err(Unsolved::NotConverged(left)) if left < CLOSE => (0, 0),
        Err(why) => return Err(why),
    };
    remember(model, state, &w.contacts, 0.0);
    put_where_held(model, state, w, &start, time, h);
    stand_still(state);
    let moved = |e: usize| state.position.get(e).distance(start.position.get(e));
    let moved = (0..state.position.len()).map(moved).fold(0.0, f64::max);
    let turn = |(a, b): (&Aggregate, &Aggregate)| rotation_between(b.orientation, a.orientation).length();
    let turned = state.aggregates.iter().zip(&start.bodies).map(turn).fold(0.0, f64::max);
    Ok(Stride { newton, linear, moved, turned })
}

/// What is held is where its fix has it.
fn put_where_held(model: &Model, state: &mut State, w: &Workspace, start: &Start, time: f64, h: f64) {
    for hold in model.holds.iter().filter(|hold| state.owner[hold.element as usize] == FREE) {
        let (e, place) = (hold.element as usize, target(model, hold, time));
        let mut x = state.position.get(e);
        (0..3).filter(|&k| hold.axes[k]).for_each(|k| x[k] = place[k]);
        state.position.set(e, x);
    }
    for (a, body) in state.aggregates.iter_mut().enumerate() {
        w.supports[a].settle(model, body, &start.bodies[a], time, h);
    }
}

/// The forces of a state that stands still, at a time.
pub fn balance(model: &Model, state: &mut State, w: &mut Workspace, time: f64) -> Balance {
    let scheme = Scheme::new(Integrator::BackwardEuler, 1.0);
    let start = Start::new(state, &scheme);
    let filter = Filter::new(model, state, &start, time, &scheme);
    let slots = Slots { elements: model.elements.len(), bodies: start.bodies.len(), riders: Vec::new() };
    let du = Vectors::zeros(slots.len());
    let forces = evaluate(model, state, w, (&start, &scheme, time), (&du, &[]), None);
    // Nothing moves and the step is 1 s: what is left of its equation is minus the force.
    let mut left = Vectors::zeros(slots.len());
    left.axpy(-1.0, &forces.residual);
    let mut held = left.clone();
    filter.apply(&slots, &mut left);
    held.axpy(-1.0, &left);
    Balance { left, held, elastic: forces.found.elastic }
}
