//! Joints as parameters: what their motors are told to do, and how much they rub.

use crate::session::parameters::{Parameter, check, slider};
use crate::session::world::World;
use kreisel::model::{Command, Joint, Model};

/// Joints whose parameters are shown.
const MOST: usize = 12;

/// The parameters of all joints that have a coordinate.
pub fn list(model: &Model) -> Vec<Parameter> {
    let driven = model.joints.iter().enumerate().filter(|(_, j)| j.is_driven()).take(MOST);
    driven.flat_map(|(k, joint)| of_joint(k, joint)).collect()
}

fn of_joint(k: usize, joint: &Joint) -> Vec<Parameter> {
    let turns = joint.kind.turns();
    let group = format!("{} (joint)", joint.name);
    let around = |value: f64, least: f64| (-(2.0 * value.abs()).max(least), (2.0 * value.abs()).max(least));
    let motor = |label: &str, unit: &'static str, value: f64, least: f64| {
        slider(&format!("joint.{k}.motor"), &group, label, unit, value, around(value, least))
    };
    let mut all = match joint.motor {
        Command::Free => Vec::new(),
        Command::Position { target, .. } => vec![motor("target", if turns { "rad" } else { "m" }, target, 1.0)],
        Command::Speed { speed, .. } => vec![motor("speed", if turns { "rad/s" } else { "m/s" }, speed, 5.0)],
        Command::Force { force } => vec![motor("force", if turns { "N m" } else { "N" }, force, 10.0)],
    };
    let most = (4.0 * joint.friction).max(10.0);
    let unit = if turns { "N m" } else { "N" };
    all.push(slider(&format!("joint.{k}.friction"), &group, "friction", unit, joint.friction, (0.0, most)));
    all
}

/// Gives one of them a value.
pub fn set(world: &mut World, k: usize, key: &str, x: f64) -> Result<(), String> {
    let joint = world.model.joints.get(k).ok_or_else(|| format!("there is no joint {k}"))?;
    match key {
        "motor" => {
            let command = with_goal(joint.motor, x);
            check(command.is_sound(), "a motor")?;
            world.change(|m| m.joints[k].motor = command);
            if let Some(state) = world.state.joints.get_mut(k) {
                state.command = command;
            }
        }
        "friction" => {
            check(x.is_finite() && x >= 0.0, "friction")?;
            world.change(|m| m.joints[k].friction = x);
        }
        _ => return Err(format!("a joint has no {key}")),
    }
    Ok(())
}

/// The same kind of command with another goal.
fn with_goal(command: Command, x: f64) -> Command {
    match command {
        Command::Free => Command::Free,
        Command::Position { stiffness, damping, most, .. } => Command::Position { target: x, stiffness, damping, most },
        Command::Speed { most, .. } => Command::Speed { speed: x, most },
        Command::Force { .. } => Command::Force { force: x },
    }
}
