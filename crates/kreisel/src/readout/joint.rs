//! What joints say of themselves.

use crate::model::{Command, JointKind, Model, State};
use glamx::DVec3;

/// A joint at the moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointReading {
    /// Angle [rad], turns counted; shift [m]; or distance [m]. Zero for kinds without a coordinate.
    pub coordinate: f64,
    /// How that changes [rad/s or m/s].
    pub speed: f64,
    /// Force that the first body feels [N], the mean over the last step.
    pub force: DVec3,
    /// Torque that it feels about the joint, on soft elements about the one nearest to where it was set [N m].
    pub torque: DVec3,
    /// Force of the motor along the coordinate [N or N m].
    pub effort: f64,
    /// By how much the points of the two sides are off [m]; of distances and sliders: what they should not be.
    pub error: f64,
    /// What the motor is told to do.
    pub command: Command,
    /// True once it has broken.
    pub broken: bool,
}

/// Reads the joint with a number.
pub fn read(model: &Model, state: &State, joint: usize) -> Option<JointReading> {
    let memory = state.joints.get(joint)?;
    Some(JointReading {
        coordinate: memory.coordinate,
        speed: memory.speed,
        force: memory.force,
        torque: memory.torque,
        effort: memory.effort,
        error: if memory.broken { 0.0 } else { error(model, state, joint) },
        command: memory.command,
        broken: memory.broken,
    })
}

/// By how much the points of a joint are off [m].
fn error(model: &Model, state: &State, joint: usize) -> f64 {
    let (Some(made), Some(memory)) = (model.joints.get(joint), state.joints.get(joint)) else { return 0.0 };
    made.seats(memory).fold(0.0, |worst: f64, seat| {
        let [(a, _), (b, axes)] = seat.sides.map(|side| side.place(state));
        let (off, axis) = (a - b, axes * DVec3::X);
        worst.max(match seat.kind {
            JointKind::Slider => (off - axis * axis.dot(off)).length(),
            JointKind::Distance if made.is_slack(&memory.command) => 0.0,
            JointKind::Distance => (off.length() - seat.length).abs(),
            _ => off.length(),
        })
    })
}
