//! Joints.

use crate::keys::{JOINT, Limits, MOTOR};
use crate::read::node::Node;
use crate::read::region::Scope;
use crate::read::table::Table;
use crate::units::Quantity;
use crate::units::quantity::{ANGLE, LENGTH, SPIN, VELOCITY};
use kreisel::model::joint::{Command, JointKind, JointSetup};

const KINDS: [JointKind; 5] =
    [JointKind::Fixed, JointKind::Ball, JointKind::Hinge, JointKind::Slider, JointKind::Distance];

/// A joint.
pub(super) fn joint(node: &Node<'_>, number: usize, scope: Scope<'_>) -> Option<JointSetup> {
    let table = node.table(&JOINT)?;
    let (kind, at) = (table.require("kind"), table.required_vector("at"));
    let a = table.require("a").and_then(|n| scope.body_name(&n));
    let b = match table.get("b") {
        Some(n) => Some(scope.body_name(&n)?),
        None => None,
    };
    let (_, a, at) = (kind?, a?, at?);
    let kind = KINDS[table.word("kind")?];
    refuse_idle_keys(&table, kind)?;
    let default = JointSetup::default();
    let to = match (kind, table.vector("to")) {
        (JointKind::Distance, None) => {
            return table.error("where the distance ends is not said", "add `to = [0, 0, 1]`".to_string());
        }
        (_, to) => to.unwrap_or(at),
    };
    let axis = match table.get("axis") {
        Some(n) => n.direction()?,
        None => default.axis,
    };
    let limits = match table.get("limits") {
        Some(n) => limits(&n, kind)?,
        None => default.limits,
    };
    let motor = match table.get("motor") {
        Some(n) => motor(&n, kind)?,
        None => Command::Free,
    };
    Some(JointSetup {
        name: table.text("name").map_or_else(|| format!("joint-{}", number + 1), str::to_string),
        kind,
        a,
        b,
        at,
        to,
        axis,
        limits,
        motor,
        friction: table.number("friction").unwrap_or(0.0),
        restitution: table.number("restitution").unwrap_or(0.0),
        break_force: table.number("break_force").unwrap_or(f64::INFINITY),
        break_torque: table.number("break_torque").unwrap_or(f64::INFINITY),
        collide: table.flag("collide").unwrap_or(false),
    })
}

/// Keys that a kind of joint has no use for are mistakes, not decoration.
fn refuse_idle_keys(table: &Table<'_>, kind: JointKind) -> Option<()> {
    let axial = matches!(kind, JointKind::Hinge | JointKind::Slider);
    if let Some(axis) = table.get("axis").filter(|_| !axial) {
        return axis.error("this kind of joint has no axis", "hinges and sliders have one".to_string());
    }
    if let Some(to) = table.get("to").filter(|_| kind != JointKind::Distance) {
        return to.error("this kind of joint is at one place", "a distance goes from `at` to `to`".to_string());
    }
    match table.get("restitution").filter(|_| table.get("limits").is_none()) {
        Some(e) => e.error("the joint has no stops that could bounce", "add `limits`".to_string()),
        None => Some(()),
    }
}

/// What a coordinate of a kind of joint is measured in.
fn quantity(kind: JointKind, turning: &'static Quantity, shifting: &'static Quantity) -> &'static Quantity {
    if kind.turns() { turning } else { shifting }
}

fn limits(node: &Node<'_>, kind: JointKind) -> Option<(f64, f64)> {
    let list = node.list("two numbers, the smaller first")?;
    let [low, high] = list.as_slice() else {
        return node.error("limits are two numbers", "write `limits = [\"-30 deg\", \"90 deg\"]`".to_string());
    };
    let of = quantity(kind, &ANGLE, &LENGTH);
    let (low, high) = (low.number(of, Limits::Unbounded)?, high.number(of, Limits::Unbounded)?);
    if low > high {
        return node.error(format!("{low} is not below {high}"), "write the smaller limit first".to_string());
    }
    Some((low, high))
}

/// What a motor with this aim would not listen to.
fn unheard(aim: &str) -> &'static [&'static str] {
    match aim {
        "position" => &[],
        "speed" => &["stiffness", "damping"],
        _ => &["stiffness", "damping", "most"],
    }
}

fn motor(node: &Node<'_>, kind: JointKind) -> Option<Command> {
    let table: Table<'_> = node.table(&MOTOR)?;
    let most = table.number("most").unwrap_or(f64::INFINITY);
    let aim = table.only_one_of(&["position", "speed", "force"], true)?;
    if let Some((key, node)) = unheard(aim).iter().find_map(|key| Some((key, table.get(key)?))) {
        return node.error(format!("a motor with a `{aim}` has no `{key}`"), "leave it out".to_string());
    }
    match aim {
        "position" => {
            let target = table.get("position")?.number(quantity(kind, &ANGLE, &LENGTH), Limits::Any)?;
            // What is written and no good has been told, and is not the same as nothing.
            let written = |key| table.get(key).map_or(Some(0.0), |_| table.number(key));
            let (stiffness, damping) = (written("stiffness"), written("damping"));
            let (stiffness, damping) = (stiffness?, damping?);
            if stiffness + damping <= 0.0 {
                return table.error("a position is held by a spring", "add `stiffness = 100, damping = 5`".to_string());
            }
            Some(Command::Position { target, stiffness, damping, most })
        }
        "speed" => {
            let speed = table.get("speed")?.number(quantity(kind, &SPIN, &VELOCITY), Limits::Any)?;
            Some(Command::Speed { speed, most })
        }
        _ => Some(Command::Force { force: table.number("force")? }),
    }
}
