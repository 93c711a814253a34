//! Before a rigid part becomes soft: the strain that balances the loads of the moment replaces the one that was frozen.
//!
//! Loads that changed while a part was rigid leave its frozen strain stale; released as it is, the part would ring with
//! the energy `½ uᵀK u`. Inertia relief solves `K u = f − m (a + α × r + ω × (ω × r))` for the displacements `u` that
//! put the strain right. Centre of mass, `P` and `L` stay what they were.

use crate::linear::{CgParams, Vectors};
use crate::model::setup::Law;
use crate::model::{Aggregate, Model, Origin, State};
use crate::statics::{Held, Part, StaticParams, StaticProblem, relieve, solve_statics};
use crate::step::evaluate::evaluate;
use crate::step::support::Support;
use crate::step::workspace::Workspace;
use crate::step::{constraint, convert};
use glamx::DVec3;

/// Relative residual of the solve: what is left of the stale strain.
const TOLERANCE: f64 = 1e-8;
/// Iterations times elements beyond which a solve takes longer than it is worth: a million elements have 600 iterations,
/// would need more, and keep their frozen strain; the event says so.
const MOST_WORK: usize = 600_000_000;
/// What does not converge in so many iterations does not converge.
const MOST_ITERATIONS: usize = 10_000;
/// Displacements beyond this share of the shortest connection are no longer small: the frozen strain is kept.
const LARGEST_SHARE: f64 = 0.25;

/// Puts the strain of the aggregates of `elements` right; returns why not, where it was not done.
pub fn relieve_strain(model: &Model, state: &mut State, w: &mut Workspace, elements: &[u32]) -> Result<(), String> {
    evaluate(model, state, w, state.time, 0.0, 0.0);
    let mut owners: Vec<u32> = elements.iter().filter_map(|&e| state.owner.get(e as usize).copied()).collect();
    owners.sort_unstable();
    owners.dedup();
    for a in owners {
        let Some(body) = state.aggregates.get(a as usize) else { continue };
        if body.origin == Origin::Lone || body.given_inertia {
            continue;
        }
        if is_pushed(model, state, body) {
            return Err("contacts push it, and which of its elements bear that is open while it is rigid".into());
        }
        if hangs_on_a_joint(model, state, a) {
            return Err(format!("a joint pulls at the part of {} elements", body.elements.len()));
        }
        let moved = displacements(model, state, w, a as usize)?;
        apply(model, state, a as usize, &moved);
    }
    Ok(())
}

/// True if a joint holds an aggregate: what it will pull with is not known before the step, and its point must stay where it is.
fn hangs_on_a_joint(model: &Model, state: &State, a: u32) -> bool {
    let whole = model.joints.iter().zip(&state.joints).filter(|(_, memory)| !memory.broken);
    let mut sides = whole.flat_map(|(joint, memory)| joint.seats(memory)).flat_map(|seat| seat.sides);
    sides.any(|side| side.element.is_some_and(|e| state.owner[e as usize] == a))
}

/// The displacements that balance the loads on an aggregate, with its inertia, if they are small.
pub fn displacements(model: &Model, state: &State, w: &Workspace, a: usize) -> Result<Vectors, String> {
    let (part, moved) = linear_displacements(model, state, w, a)?;
    check_small(&part, &moved)?;
    Ok(moved)
}

/// The part of an aggregate, and the displacements that balance the loads on it to first order, however large.
pub fn linear_displacements(model: &Model, state: &State, w: &Workspace, a: usize) -> Result<(Part, Vectors), String> {
    let body = &state.aggregates[a];
    let part = Part::new(&body.elements, &state.position, &model.connections, &state.broken, &model.cells);
    let masses: Vec<f64> = body.elements.iter().map(|&e| model.elements.mass[e as usize]).collect();
    let mut loads = Vectors::zeros(masses.len());
    for &k in &w.ports[a] {
        let e = body.elements[k as usize] as usize;
        for field in [&w.force, &w.damping, &w.load].into_iter().filter(|f| !f.is_empty()) {
            loads.add(k as usize, field.get(e));
        }
    }
    let held = held_elements(model, body, w, a)?;
    if held.is_empty() {
        relieve(&part.positions, &masses, body.spin(), &mut loads);
    } else {
        masses.iter().enumerate().for_each(|(k, m)| loads.add(k, model.gravity * *m));
    }
    let (positions, connections) = (&part.positions, &part.connections);
    let problem = StaticProblem { positions, connections, cells: &part.cells, loads: &loads, held: &held };
    let max_iterations = (MOST_WORK / masses.len().max(1)).min(MOST_ITERATIONS);
    let params =
        StaticParams { cg: CgParams { tolerance: TOLERANCE, max_iterations, verify: true }, semidefinite: true };
    let solution = solve_statics(&problem, &params).map_err(|e| e.to_string())?;
    Ok((part, solution.displacements))
}

/// True if contacts of the law `constraint` pushed a body in the last step. Which of the elements of a rigid body bear it is open: three
/// corners may, whose strain would be nothing like that of the soft body.
fn is_pushed(model: &Model, state: &State, body: &Aggregate) -> bool {
    if model.law != Law::Constraint || state.shape_contacts.is_empty() {
        return false;
    }
    let mut pushed = Vectors::zeros(model.elements.len());
    constraint::add_forces(model, state, &mut pushed);
    body.elements.iter().any(|&e| pushed.get(e as usize) != DVec3::ZERO)
}

/// Elements that stay where they are; a body that swings about a joint is left to its motion.
fn held_elements(model: &Model, body: &Aggregate, w: &Workspace, a: usize) -> Result<Vec<Held>, String> {
    match &w.supports[a] {
        Support::None => Ok(Vec::new()),
        Support::Guided(held) if w.immovable[a] => {
            let hold = |(k, h): &(u32, crate::model::world::Hold)| Held {
                element: *k,
                axes: h.axes,
                displacement: DVec3::ZERO,
            };
            Ok(held.iter().map(hold).collect())
        }
        _ => {
            Err(format!("the part of {} elements swings about a joint", body.elements.len().min(model.elements.len())))
        }
    }
}

fn check_small(part: &Part, u: &Vectors) -> Result<(), String> {
    let largest = (0..u.len()).map(|i| u.get(i).length()).fold(0.0, f64::max);
    let lengths = part.connections.class.iter().map(|&c| part.connections.classes[c as usize].rest_length);
    let shortest = lengths.fold(f64::INFINITY, f64::min);
    if largest <= LARGEST_SHARE * shortest {
        Ok(())
    } else {
        Err(format!("the relief would move an element by {largest:.3e} m, too far for a linear solve"))
    }
}

/// Moves the elements, the centre of mass and both momenta kept.
fn apply(model: &Model, state: &mut State, a: usize, u: &Vectors) {
    let old = state.aggregates[a].clone();
    let mass = |e: u32| model.elements.mass[e as usize];
    let drift = old.elements.iter().enumerate().fold(DVec3::ZERO, |s, (k, &e)| s + u.get(k) * mass(e)) / old.mass;
    for (k, &e) in old.elements.iter().enumerate() {
        state.position.add(e as usize, u.get(k) - drift);
    }
    let moved = convert::gather_aggregate(model, state, &old.elements, old.origin);
    state.aggregates[a] =
        Aggregate { position: old.position, velocity: old.velocity, angular_momentum: old.angular_momentum, ..moved };
}
