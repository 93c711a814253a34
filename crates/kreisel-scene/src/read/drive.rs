//! What is held or moved, and grabs.

use crate::keys::{FIX, GRAB, KEYFRAME, MOTION, WAYPOINT};
use crate::read::node::Node;
use crate::read::profile::profile_of;
use crate::read::region::Scope;
use crate::read::rotation::rotation_vector;
use crate::read::table::Table;
use kreisel::DVec3;
use kreisel::model::setup::{Fix, Grab, Motion};
use kreisel::model::{Keyframe, Profile, Region};

/// Elements held or moved.
pub(super) fn fix(node: &Node<'_>, number: usize, scope: Scope<'_>) -> Option<Fix> {
    let table = node.table(&FIX)?;
    let region = scope.selected(&table).and_then(|region| {
        let help = "add `body = \"…\"`, or `where = { x = { below = 0 } }`, or `where = \"all\"`".to_string();
        region.or_else(|| table.error("what is held is not said", help))
    });
    let motion = match table.get("motion") {
        Some(node) => Some(motion(&node)?),
        None => None,
    };
    Some(Fix {
        name: table.text("name").map_or_else(|| format!("fix-{}", number + 1), str::to_string),
        axes: table.get("axes").map_or(Some([true; 3]), |n| axes(&n))?,
        region: region?,
        motion,
    })
}

/// Which axes: `"xz"` or `["x", "z"]`.
fn axes(node: &Node<'_>) -> Option<[bool; 3]> {
    let mut held = [false; 3];
    if node.is_list() {
        for entry in node.list("a list of axes")? {
            held[entry.word(&["x", "y", "z"])?] = true;
        }
    } else {
        for letter in node.text()?.chars() {
            match "xyz".find(letter) {
                Some(i) => held[i] = true,
                None => {
                    return node.error(
                        format!("`{}` is not an axis", letter.escape_debug()),
                        "axes are x, y and z: `axes = \"xz\"`".to_string(),
                    );
                }
            }
        }
    }
    if held == [false; 3] {
        node.error("no axis is held", "leave it out to hold all three".to_string())
    } else {
        Some(held)
    }
}

fn motion(node: &Node<'_>) -> Option<Motion> {
    let table = node.table(&MOTION)?;
    Some(Motion {
        velocity: table.vector("velocity").unwrap_or(DVec3::ZERO),
        displacement: table.vector("displacement").unwrap_or(DVec3::ZERO),
        rotation: table.get("rotation").and_then(|n| rotation_vector(&n)).unwrap_or(DVec3::ZERO),
        centre: table.vector("centre").unwrap_or(DVec3::ZERO),
        profile: match table.get("keys") {
            Some(node) => Profile::Keyframes(keyframes(&table, &node)?),
            None => profile_of(&table)?,
        },
    })
}

fn keyframes(table: &Table<'_>, node: &Node<'_>) -> Option<Vec<Keyframe>> {
    if let Some(other) = ["displacement", "rotation", "profile"].into_iter().find_map(|k| table.get(k)) {
        return other.error("keyframes say it all", "leave this out, or `keys`".to_string());
    }
    let mut keys: Vec<Keyframe> = Vec::new();
    for entry in node.list("a list of keyframes `{ time = …, displacement = […] }`")? {
        let key = entry.table(&KEYFRAME)?;
        let time = key.required_number("time")?;
        if keys.last().is_some_and(|last| last.time >= time) {
            return entry.error("the times of keyframes must ascend", None);
        }
        let shift = key.vector("displacement").unwrap_or(DVec3::ZERO);
        let turn = key.get("rotation").and_then(|n| rotation_vector(&n)).unwrap_or(DVec3::ZERO);
        keys.push(Keyframe { time, shift, turn });
    }
    if keys.is_empty() { node.error("there are no keyframes", None) } else { Some(keys) }
}

/// A grab.
pub(super) fn grab(node: &Node<'_>, number: usize, scope: Scope<'_>) -> Option<Grab> {
    let table = node.table(&GRAB)?;
    let (at, stiffness) = (table.required_vector("at"), table.required_number("stiffness"));
    let region = scope.selected(&table);
    let path = match table.only_one_of(&["target", "path"], true)? {
        "target" => vec![(0.0, table.vector("target")?)],
        _ => path(&table)?,
    };
    let active = (table.number("from").unwrap_or(0.0), table.number("until").unwrap_or(f64::INFINITY));
    if active.1 <= active.0 {
        return table.error(format!("it holds until {} s, which is not after {} s", active.1, active.0), None);
    }
    Some(Grab {
        name: table.text("name").map_or_else(|| format!("grab-{}", number + 1), str::to_string),
        region: region?.unwrap_or(Region::Everything),
        at: at?,
        stiffness: stiffness?,
        damping: table.number("damping").unwrap_or(0.0),
        path,
        active,
    })
}

fn path(table: &Table<'_>) -> Option<Vec<(f64, DVec3)>> {
    let node = table.get("path")?;
    let mut points: Vec<(f64, DVec3)> = Vec::new();
    for entry in node.list("a list of points `{ time = …, at = […] }`")? {
        let point = entry.table(&WAYPOINT)?;
        let (time, at) = (point.required_number("time"), point.required_vector("at"));
        let (time, at) = (time?, at?);
        if points.last().is_some_and(|last| last.0 >= time) {
            return entry.error("the times of a path must ascend", None);
        }
        points.push((time, at));
    }
    if points.is_empty() { node.error("the path is empty", None) } else { Some(points) }
}
