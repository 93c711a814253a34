//! Settings of the scene: gravity, contact, switching, schedule, and checks of times.

use crate::keys::{AT, CONTACT, IMPLICIT, Limits, SWITCHING};
use crate::read::node::Node;
use crate::read::region::Scope;
use crate::read::table::Table;
use crate::units::quantity::ACCELERATION;
use kreisel::DVec3;
use kreisel::model::setup::{
    Combine, ContactSettings, Gaps, ImplicitSettings, LinearSolver, Release, Switch, Switching,
};

/// An acceleration beyond which the unit is probably another [m/s²].
const UNLIKELY_GRAVITY: f64 = 1e3;

/// Gravity: a vector, or one number that means downwards.
pub(super) fn gravity(node: &Node<'_>) -> Option<DVec3> {
    let g = if node.is_list() {
        node.vector(&ACCELERATION, Limits::Any)?
    } else {
        DVec3::new(0.0, 0.0, -node.number(&ACCELERATION, Limits::Any)?.abs())
    };
    if g.length() > UNLIKELY_GRAVITY {
        node.warn(format!("gravity is {} m/s2", g.length()), "that of the Earth is 9.81 m/s2".to_string());
    }
    Some(g)
}

/// Contact settings: a switch, or a table.
pub(super) fn contact(node: &Node<'_>) -> Option<ContactSettings> {
    let default = ContactSettings::default();
    if node.is_flag() {
        return Some(ContactSettings { enabled: node.flag()?, ..default });
    }
    let table = node.table(&CONTACT)?;
    Some(ContactSettings {
        enabled: table.flag("enabled").unwrap_or(default.enabled),
        self_collision: table.flag("self_collision").unwrap_or(default.self_collision),
        adhesion: table.number("adhesion").unwrap_or(default.adhesion),
        gaps: match table.word("gaps") {
            Some(0) => Gaps::Spheres,
            Some(_) => Gaps::Skins,
            None => default.gaps,
        },
        friction: combine(&table, "friction").unwrap_or(default.friction),
        restitution: combine(&table, "restitution").unwrap_or(default.restitution),
    })
}

/// How coefficients combine.
pub(super) fn combine(table: &Table<'_>, key: &str) -> Option<Combine> {
    Some(match table.word(key)? {
        0 => Combine::Average,
        1 => Combine::Minimum,
        2 => Combine::Maximum,
        _ => Combine::Multiply,
    })
}

/// Pairs of names that do not touch. What is wrong with one is noted; the others are read.
pub(super) fn apart(node: &Node<'_>) -> Vec<[String; 2]> {
    let pair = |n: &Node<'_>| {
        let names: Option<Vec<&str>> = n.list("two names")?.iter().map(Node::text).collect();
        match names?[..] {
            [a, b] => Some([a.to_string(), b.to_string()]),
            _ => n.error("a pair has two names", "write for example `[\"lid\", \"ground\"]`".to_string()),
        }
    };
    node.list("a list of pairs").unwrap_or_default().iter().filter_map(pair).collect()
}

/// Automatic switching.
pub(super) fn switching(node: &Node<'_>) -> Option<Switching> {
    let default = Switching::default();
    let table = node.table(&SWITCHING)?;
    let switching = Switching {
        rigid_below: table.number("rigid_below").unwrap_or(default.rigid_below),
        soft_above: table.number("soft_above").unwrap_or(default.soft_above),
        patience: table.number("patience").unwrap_or(default.patience),
        release: if table.word("release") == Some(1) { Release::AsFrozen } else { Release::Relief },
    };
    if switching.rigid_below > switching.soft_above {
        let message = format!(
            "`rigid_below` ({}) must not exceed `soft_above` ({}): parts would switch back and forth",
            switching.rigid_below, switching.soft_above
        );
        return table.error(message, None);
    }
    Some(switching)
}

/// How implicit steps are solved.
pub(super) fn implicit(node: &Node<'_>) -> Option<ImplicitSettings> {
    let default = ImplicitSettings::default();
    let table = node.table(&IMPLICIT)?;
    Some(ImplicitSettings {
        tolerance: table.number("tolerance").unwrap_or(default.tolerance),
        keep_momentum: table.flag("keep_momentum").unwrap_or(default.keep_momentum),
        solver: match table.word("solver") {
            Some(1) => LinearSolver::Jacobi,
            Some(2) => LinearSolver::TwoLevel,
            Some(3) => LinearSolver::Direct,
            _ => LinearSolver::Automatic,
        },
    })
}

/// Switches at a given time: one entry may make one thing soft and another rigid.
pub(super) fn switches(node: &Node<'_>, scope: Scope<'_>, duration: f64) -> Option<Vec<Switch>> {
    let table = node.table(&AT)?;
    let time = table.required_number("time")?;
    if let Some(n) = table.get("time").filter(|_| time > duration) {
        n.warn(format!("this is never reached: the run ends at {duration} s"), None);
    }
    let switch = |key: &str, make_rigid: bool, table: &Table<'_>| {
        let region = scope.region(&table.get(key)?)?;
        Some(Switch { time, region, make_rigid })
    };
    if table.get("make_soft").is_none() && table.get("make_rigid").is_none() {
        return table
            .error("nothing happens at this time", "add `make_soft = \"…\"` or `make_rigid = \"…\"`".to_string());
    }
    let both = [switch("make_soft", false, &table), switch("make_rigid", true, &table)];
    Some(both.into_iter().flatten().collect())
}
