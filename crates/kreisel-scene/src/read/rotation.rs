//! Orientations: axis and angle, or a quaternion.

use crate::keys::{Limits, ROTATION};
use crate::read::node::Node;
use crate::units::quantity::NUMBER;
use kreisel::{DQuat, DVec3};

/// How far from one the length of a quaternion may be without a warning.
const QUATERNION_SLACK: f64 = 1e-3;

/// An orientation.
pub(super) fn rotation(node: &Node<'_>) -> Option<DQuat> {
    if node.is_list() { quaternion(node) } else { rotation_vector(node).map(DQuat::from_scaled_axis) }
}

/// Axis times angle [rad].
pub(super) fn rotation_vector(node: &Node<'_>) -> Option<DVec3> {
    let table = node.table(&ROTATION)?;
    let axis = table.require("axis").and_then(|n| n.direction());
    let angle = table.required_number("angle");
    Some(axis? * angle?)
}

/// Four numbers w, x, y, z.
fn quaternion(node: &Node<'_>) -> Option<DQuat> {
    let entries = node.list("a quaternion")?;
    let numbers: Option<Vec<f64>> = entries.iter().map(|e| e.number(&NUMBER, Limits::Any)).collect();
    let numbers = numbers?;
    let [w, x, y, z] = numbers[..] else {
        let help = "write `[w, x, y, z]`, or `{ axis = [0, 1, 0], angle = \"30 deg\" }`".to_string();
        return node.error(format!("a quaternion has four numbers, found {}", numbers.len()), help);
    };
    let q = DQuat::from_xyzw(x, y, z, w);
    let length = q.length();
    if length < 1e-9 {
        return node.error("a quaternion cannot be zero", Some("no rotation is `[1, 0, 0, 0]`".to_string()));
    }
    if (length - 1.0).abs() > QUATERNION_SLACK {
        node.warn(format!("the quaternion has length {length}, not 1; it is made a unit quaternion"), None);
    }
    Some(q.normalize())
}
