//! Contacts and joints are one problem: sweeps over both, and Newton's method where sweeps are slow.

use crate::contact::constraint::bilateral::{self, Factor};
use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::joint::JointBlock;
use crate::contact::constraint::row::Row;
use crate::contact::constraint::sweep::{self, Goal, Local, Outcome};
use crate::contact::constraint::twist::Twist;
use crate::contact::constraint::twisted;
use crate::contact::constraint::{eliminated, newton};
use crate::model::setup::{ConstraintSettings, ContactSolver};

/// Joints are solved to this share of what contacts may leave: what they leave drifts [1].
pub const SHARPER: f64 = 1e-4;
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
    if let Some(outcome) = factor(rows, joints, carriers).and_then(|f| directly(joints, carriers, tolerance, &f)) {
        return outcome;
    }
    by_turns((rows, twists), joints, carriers, tolerance, settings)
}

/// What joints that nothing else has to do with are solved with; one alone needs nothing.
pub fn factor(rows: &[Row], joints: &[JointBlock], carriers: &Carriers) -> Option<Factor> {
    if rows.is_empty() && joints.len() > 1 { bilateral::factor(joints, carriers) } else { None }
}

/// Sweeps over both, and Newton's method where they are slow.
pub fn by_turns(
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
    let first = by_sweeps((&mut *rows, &mut *twists), joints, carriers, tolerance, patience.min(settings.sweeps));
    let outcome = match first.converged {
        true => first,
        false => by_newton((&mut *rows, &mut *twists), joints, carriers, tolerance, (first, settings.sweeps)),
    };
    twisted::finish(rows, twists, carriers);
    outcome
}

/// Joints that only hold, all at once. Nothing has changed if they were not solved so.
pub fn directly(
    joints: &mut [JointBlock],
    carriers: &mut Carriers,
    tolerance: f64,
    factor: &Factor,
) -> Option<Outcome> {
    let kept = Kept::of((&[], &[]), joints, carriers);
    let solved = bilateral::solve(joints, carriers, factor);
    let outcome = solved.map(|(passes, left)| {
        let residual = left / SHARPER;
        Outcome { newton_steps: passes, residual, converged: residual <= tolerance, ..Outcome::default() }
    });
    let outcome = outcome.filter(|o| o.converged);
    if outcome.is_none() {
        kept.give((&mut [], &mut []), joints, carriers);
    }
    outcome
}

/// Newton's method, and more sweeps where it leaves something; what was before stays where nothing comes closer. Joints that
/// contradict each other, or are about to, would ask for any impulse.
fn by_newton(
    (rows, twists): Contacts,
    joints: &mut [JointBlock],
    carriers: &mut Carriers,
    tolerance: f64,
    (first, most): (Outcome, u32),
) -> Outcome {
    let kept = Kept::of((&*rows, &*twists), joints, carriers);
    // A light link may bear a heavy one: penalties go by the heaviest.
    let least = joints.iter().map(JointBlock::least_mobility).fold(f64::INFINITY, f64::min);
    joints.iter_mut().for_each(|joint| joint.master(least));
    let found = newton::solve(rows, joints, carriers, Goal::strict(tolerance)).filter(|f| f.newton_steps > 0);
    let newton_steps = found.map_or(0, |f| f.newton_steps);
    // Newton's method takes couples as they are.
    if let Some(found) = found.filter(|f| twists.is_empty() && f.residual <= tolerance) {
        return Outcome { sweeps: first.sweeps, converged: true, ..found };
    }
    if !found.is_some_and(|f| f.residual < first.residual) {
        kept.give((&mut *rows, &mut *twists), joints, carriers);
    }
    let rest = by_sweeps((&mut *rows, &mut *twists), joints, carriers, tolerance, most.min(MOST_SWEEPS));
    let (sweeps, closer) = (first.sweeps + rest.sweeps, rest.residual < first.residual);
    if !closer {
        kept.give((&mut *rows, &mut *twists), joints, carriers);
    }
    let best = Outcome { sweeps, newton_steps, ..if closer { rest } else { first } };
    if best.converged || !twists.is_empty() { best } else { without_joints(rows, joints, carriers, tolerance, best) }
}

/// The contacts alone, with joints that answer them; what was `before` stays where that does not come closer.
fn without_joints(
    rows: &mut [Row],
    joints: &mut [JointBlock],
    carriers: &mut Carriers,
    tolerance: f64,
    before: Outcome,
) -> Outcome {
    let kept = Kept::of((&*rows, &[]), joints, carriers);
    let residual = match eliminated::solve(rows, joints, carriers) {
        true => residual(rows, joints, carriers),
        false => f64::INFINITY,
    };
    // What is not a number is not closer either.
    if residual < before.residual {
        return Outcome { residual, converged: residual <= tolerance, ..before };
    }
    kept.give((rows, &mut []), joints, carriers);
    before
}

/// Impulses and velocities to come back to.
#[derive(Clone, Debug)]
pub struct Kept {
    rows: Vec<Row>,
    twists: Vec<Twist>,
    joints: Vec<JointBlock>,
    carriers: Carriers,
}

impl Kept {
    /// Those of the moment.
    pub fn of((rows, twists): (&[Row], &[Twist]), joints: &[JointBlock], carriers: &Carriers) -> Self {
        Self { rows: rows.to_vec(), twists: twists.to_vec(), joints: joints.to_vec(), carriers: carriers.clone() }
    }

    /// Gives them back.
    pub fn give(&self, (rows, twists): Contacts, joints: &mut [JointBlock], carriers: &mut Carriers) {
        rows.clone_from_slice(&self.rows);
        twists.copy_from_slice(&self.twists);
        joints.clone_from_slice(&self.joints);
        carriers.clone_from(&self.carriers);
    }
}

/// Joints and contacts by turns.
pub fn by_sweeps(
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
