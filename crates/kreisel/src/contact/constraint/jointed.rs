//! Contacts and joints are one problem: sweeps over both, and Newton's method where sweeps are slow.

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::joint::JointBlock;
use crate::contact::constraint::newton;
use crate::contact::constraint::row::Row;
use crate::contact::constraint::sweep::{self, Goal, Local, Outcome};
use crate::contact::constraint::twist::Twist;
use crate::contact::constraint::twisted;
use crate::model::setup::{ConstraintSettings, ContactSolver};

/// Joints are solved to this share of what contacts may leave: what they leave drifts [1].
const SHARPER: f64 = 1e-4;
/// Sweeps after Newton's method at most: where that fails, joints contradict each other, and sweeps do not end either.
const MOST_SWEEPS: u32 = 100;
/// With more joints than this, Newton's method takes over after so many sweeps.
const FEW: usize = 4;
/// Sweeps after which Newton's method takes over.
const PATIENCE: u32 = 16;

/// Contacts, and their couples.
type Contacts<'a> = (&'a mut [Row], &'a mut [Twist]);

/// Solves contacts and joints until the natural map is below `tolerance` [m/s]. The carriers bring the velocities without
/// either.
pub fn solve(
    (rows, twists): Contacts,
    joints: &mut [JointBlock],
    carriers: &mut Carriers,
    tolerance: f64,
    settings: &ConstraintSettings,
) -> Outcome {
    rows.iter().for_each(|row| row.push(row.impulse, carriers));
    twists.iter().for_each(|twist| twist.push(twist.impulse, carriers));
    joints.iter().for_each(|joint| joint.push_all(1.0, carriers));
    go_on((rows, twists), joints, carriers, tolerance, settings)
}

/// As [`solve`], from velocities with the impulses of the moment.
pub fn go_on(
    (rows, twists): Contacts,
    joints: &mut [JointBlock],
    carriers: &mut Carriers,
    tolerance: f64,
    settings: &ConstraintSettings,
) -> Outcome {
    let patience = match settings.solver {
        ContactSolver::GaussSeidel => settings.sweeps,
        _ if joints.len() > FEW => FEW as u32,
        _ => PATIENCE,
    };
    let mut outcome = by_sweeps((&mut *rows, &mut *twists), joints, carriers, tolerance, patience.min(settings.sweeps));
    if !outcome.converged {
        // A light link may bear a heavy one: penalties go by the heaviest.
        let least = joints.iter().map(JointBlock::least_mobility).fold(f64::INFINITY, f64::min);
        joints.iter_mut().for_each(|joint| joint.master(least));
        let found = newton::solve(rows, joints, carriers, Goal::strict(tolerance)).unwrap_or_default();
        // Newton's method takes couples as they are.
        let converged = twists.is_empty() && found.newton_steps > 0 && found.residual <= tolerance;
        outcome = Outcome { sweeps: outcome.sweeps, converged, ..found };
    }
    if !outcome.converged {
        let rest = by_sweeps((&mut *rows, &mut *twists), joints, carriers, tolerance, settings.sweeps.min(MOST_SWEEPS));
        outcome = Outcome { sweeps: outcome.sweeps + rest.sweeps, newton_steps: outcome.newton_steps, ..rest };
    }
    twisted::finish(rows, twists, carriers);
    outcome
}

/// Joints and contacts by turns.
fn by_sweeps(
    (rows, twists): Contacts,
    joints: &mut [JointBlock],
    carriers: &mut Carriers,
    tolerance: f64,
    most: u32,
) -> Outcome {
    let mut outcome = Outcome::default();
    while outcome.sweeps < most {
        let backwards = outcome.sweeps % 2 == 1;
        let mut change = match twists.is_empty() {
            true => sweep::pass(rows, carriers, Local::ByTurns, backwards),
            false => twisted::pass(rows, twists, carriers, backwards),
        };
        for k in 0..joints.len() {
            let joint = &mut joints[if backwards { k } else { joints.len() - 1 - k }];
            change = change.max(joint.relax(carriers) / SHARPER);
        }
        outcome.sweeps += 1;
        if change <= 4.0 * tolerance || outcome.sweeps.is_multiple_of(4) || outcome.sweeps == most {
            outcome.residual = joint_residual(joints, carriers).max(twisted::residual(rows, twists, carriers));
            outcome.converged = outcome.residual <= tolerance;
            if outcome.converged {
                break;
            }
        }
    }
    outcome
}

/// The largest natural map of contacts and joints [m/s], that of joints magnified as they are solved more sharply.
pub fn residual(rows: &[Row], joints: &[JointBlock], carriers: &Carriers) -> f64 {
    sweep::residual(rows, carriers).max(joint_residual(joints, carriers))
}

fn joint_residual(joints: &[JointBlock], carriers: &Carriers) -> f64 {
    joints.iter().fold(0.0, |m: f64, j| m.max(j.residual(carriers))) / SHARPER
}
