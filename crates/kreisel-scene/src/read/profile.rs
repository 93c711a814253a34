//! Courses in time.

use crate::keys::{Limits, PROFILE, SINE};
use crate::read::node::Node;
use crate::read::table::Table;
use crate::units::quantity::{NUMBER, TIME};
use kreisel::model::Profile;

/// The `profile` of a table, constant if it is not written.
pub(super) fn profile_of(table: &Table<'_>) -> Option<Profile> {
    match table.get("profile") {
        Some(node) => profile(&node),
        None => Some(Profile::Constant),
    }
}

fn profile(node: &Node<'_>) -> Option<Profile> {
    if node.is_text() {
        return node.word(&["constant"]).map(|_| Profile::Constant);
    }
    let table = node.table(&PROFILE)?;
    let key = table.only_one_of(&["ramp", "pulse", "sine", "table"], true)?;
    let entry = table.get(key)?;
    match key {
        "ramp" => times(&entry).map(|(start, end)| Profile::Ramp { start, end }),
        "pulse" => times(&entry).map(|(start, end)| Profile::Pulse { start, end }),
        "sine" => {
            let sine = entry.table(&SINE)?;
            Some(Profile::Sine {
                frequency: sine.required_number("frequency")?,
                phase: sine.number("phase").unwrap_or(0.0),
            })
        }
        _ => points(&entry).map(Profile::Table),
    }
}

fn times(node: &Node<'_>) -> Option<(f64, f64)> {
    let ends = node.list("two times")?;
    let [start, end] = &ends[..] else {
        return node.error(
            format!("expected two times, found {} entries", ends.len()),
            "write for example `[0, \"1 s\"]`".to_string(),
        );
    };
    let (start, end) = (start.number(&TIME, Limits::Any), end.number(&TIME, Limits::Any));
    let (start, end) = (start?, end?);
    if end < start {
        return node.error(format!("it ends at {end} s, before it starts at {start} s"), None);
    }
    Some((start, end))
}

fn points(node: &Node<'_>) -> Option<Vec<(f64, f64)>> {
    let mut points: Vec<(f64, f64)> = Vec::new();
    for entry in node.list("a list of pairs `[time, factor]`")? {
        let pair = entry.list("a pair `[time, factor]`")?;
        let [time, factor] = &pair[..] else { return entry.error("expected a time and a factor", None) };
        let (time, factor) = (time.number(&TIME, Limits::Any)?, factor.number(&NUMBER, Limits::Any)?);
        if points.last().is_some_and(|last| last.0 >= time) {
            return entry.error("the times of a table must ascend", None);
        }
        points.push((time, factor));
    }
    if points.is_empty() { node.error("the table is empty", None) } else { Some(points) }
}
