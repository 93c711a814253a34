//! Deforming surfaces: a node for every run of frames between one break and the next, baked as morph targets.

use super::{Document, animation, mesh};
use crate::error::ExportError;
use crate::takes::{Course, Take};
use serde_json::json;

/// More morph targets than this make viewers slow, and the weights grow as their square.
const MOST_TAKES: usize = 300;

/// Adds a shape run by run; returns a note if frames were left out.
pub fn add_baked(document: &mut Document, course: &Course) -> Result<Option<String>, ExportError> {
    let (takes, note) = thinned(course);
    let last = takes.last().map_or(0.0, |t| t.time);
    let runs: Vec<&[&Take]> = takes.chunk_by(|a, b| a.topology == b.topology).collect();
    for (k, run) in runs.iter().enumerate() {
        let (Some(first), Some(topology)) = (run.first(), run.first().and_then(|t| course.topologies.get(t.topology)))
        else {
            continue;
        };
        let Some(mesh) = mesh::add(document, course, topology, run)? else { continue };
        let node = document.nodes.len();
        let name = if k == 0 { course.shape.name.clone() } else { format!("{} {}", course.shape.name, k + 1) };
        document.nodes.push(json!({ "name": name, "mesh": mesh }));
        let times: Vec<f64> = run.iter().map(|t| t.time).collect();
        animation::add_weights(document, node, &times)?;
        if runs.len() > 1 {
            let end = runs.get(k + 1).and_then(|next| next.first()).map(|t| t.time);
            animation::add_visibility(document, node, (takes[0].time, last), (first.time, end))?;
        }
    }
    Ok(note)
}

/// The frames, evenly thinned out if there are too many; first and last stay.
fn thinned<'a>(course: &'a Course) -> (Vec<&'a Take>, Option<String>) {
    let n = course.takes.len();
    if n <= MOST_TAKES {
        return (course.takes.iter().collect(), None);
    }
    let chosen = (0..MOST_TAKES).map(|k| k * (n - 1) / (MOST_TAKES - 1));
    let note = format!(
        "{} deforms: {MOST_TAKES} of its {n} frames are baked, evenly spread; a lower --fps chooses others",
        course.shape.name
    );
    (chosen.filter_map(|k| course.takes.get(k)).collect(), Some(note))
}
