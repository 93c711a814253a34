//! `W = J A⁻¹ Jᵀ` against finite differences of the step itself.
#![allow(clippy::unwrap_used)]

use super::Mobility;
use crate::model::obstacle::ObstacleShape;
use crate::model::setup::{BodySetup, BodyShape, Integrator, Law, RigidPart};
use crate::model::{Material, Model, Obstacle, Region, Setup, State};
use crate::step::constraint::{Meetings, Tie};
use crate::step::flow::Flow;
use crate::step::implicit::filter::Filter;
use crate::step::implicit::groups::Groups;
use crate::step::implicit::newton::{Task, solve};
use crate::step::implicit::pose::Start;
use crate::step::implicit::residual::Push;
use crate::step::implicit::scheme::Scheme;
use crate::step::implicit::solver::Solver;
use crate::step::implicit::unilateral::tied;
use crate::step::workspace::Workspace;
use glamx::{DMat3, DVec3};

const STEP: f64 = 5e-3;
/// Small enough for the block to stay as it is, large enough for what the step calls solved to be small beside it [N s].
const SMALL: f64 = 1e-4;

/// A block on the ground, one half of it rigid, that is at rest without weight: nothing is stressed.
fn block() -> Setup {
    let half = Region::HalfSpace { normal: -DVec3::X, offset: 0.01 };
    let body = BodySetup {
        shape: BodyShape::Box { size: DVec3::new(0.4, 0.2, 0.2), cells: 2 },
        at: DVec3::Z * 0.1,
        material: Material { young: 1e6, damping: 0.2, ..Material::default() },
        rigid: vec![RigidPart::Region(half)],
        ..BodySetup::default()
    };
    let plane = ObstacleShape::Plane { normal: DVec3::Z, offset: 0.0 };
    let ground = Obstacle { name: "ground".into(), shape: plane, friction: None, restitution: None };
    let (law, integrator) = (Law::Constraint, Integrator::BackwardEuler);
    let (bodies, obstacles, gravity) = (vec![body], vec![ground], DVec3::ZERO);
    Setup { law, integrator, bodies, obstacles, gravity, step: Some(STEP), frame: STEP, ..Setup::default() }
}

/// `W` of all contacts as the step has it, and as small impulses on one after the other show it.
fn both((model, state): (&Model, &mut State), w: &mut Workspace) -> (Vec<DMat3>, Vec<DMat3>) {
    let scheme = Scheme::new(model.integrator, STEP);
    let mut meetings = Meetings::find(model, state, w, STEP, &mut Flow::default());
    let start = Start::new(state, &scheme);
    let filter = Filter::new(model, state, &start, 0.0, &scheme);
    let pieces = Groups::new(model, state, &w.topology);
    let (groups, pieces, filter, start) = (&pieces, &pieces, &filter, &start);
    let task = Task { model, start, scheme, begin: 0.0, time: STEP, filter, groups, pieces, pushes: &[] };
    let mut solver = Solver::default();
    let solved = solve(&task, state, w, &mut solver, None).unwrap();
    meetings.make_rows(model, state, w);
    let ties = tied(&task, state, &meetings);
    let kinds: Vec<Tie> = ties.iter().map(|t| t.tie).collect();
    let rest = meetings.velocities(state, &kinds);
    let mobility = Mobility::new(&task, (&*state, &*w), &mut solver, &solved, &ties, (0..ties.len()).collect());
    let mut seen = vec![DMat3::ZERO; ties.len() * ties.len()];
    for (j, axis) in (0..ties.len()).flat_map(|j| (0..3).map(move |axis| (j, axis))) {
        let mut impulse = DVec3::ZERO;
        impulse[axis] = SMALL;
        let pushes = [Push { row: ties[j].row.clone(), impulse }];
        solve(&Task { pushes: &pushes, ..task }, state, w, &mut solver, None).unwrap();
        for (i, u) in meetings.velocities(state, &kinds).into_iter().enumerate() {
            *seen[i * ties.len() + j].col_mut(axis) = (u - rest[i]) / SMALL;
        }
    }
    (mobility.blocks, seen)
}

#[test]
fn impulses_on_a_part_rigid_block_move_its_contacts_as_the_matrix_says() {
    let (model, mut state) = crate::build::build(&block()).unwrap();
    let mut w = Workspace::default();
    w.refresh(&model, &state);
    let (derived, seen) = both((&model, &mut state), &mut w);
    let largest = derived.iter().flat_map(|w| w.to_cols_array()).fold(0.0, |m: f64, x| m.max(x.abs()));
    assert!(derived.len() >= 16 && largest > 0.0, "{} blocks", derived.len());
    for (derived, seen) in derived.iter().zip(&seen) {
        let off = (*derived - *seen).to_cols_array().into_iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        assert!(off < 1e-3 * largest, "{derived} instead of {seen}");
    }
}
