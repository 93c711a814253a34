//! Animations of glTF: motions of nodes, weights of morph targets, and what is visible when.

use super::Document;
use super::buffer::Purpose;
use crate::error::ExportError;
use kreisel::{DQuat, DVec3};
use serde_json::json;

/// Animates place and orientation of a node.
pub fn add_motion(
    document: &mut Document,
    node: usize,
    times: &[f64],
    poses: &[(DVec3, DQuat)],
) -> Result<(), ExportError> {
    let keys = distinct(times);
    if keys.len() < 2 {
        return Ok(());
    }
    let pose = |&(k, _): &(usize, f32)| poses[k.min(poses.len() - 1)];
    let places: Vec<[f32; 3]> = keys.iter().map(|key| pose(key).0.as_vec3().to_array()).collect();
    let turns: Vec<[f32; 4]> = keys.iter().map(|key| pose(key).1.normalize().as_quat().to_array()).collect();
    let input = add_times(document, &keys)?;
    let translation = document.buffer.add_floats(Purpose::Animation, &places)?;
    let rotation = document.buffer.add_floats(Purpose::Animation, &turns)?;
    add_channel(document, node, "translation", (input, translation), "LINEAR");
    add_channel(document, node, "rotation", (input, rotation), "LINEAR");
    Ok(())
}

/// Animates the weights of a node: at the first time none, at the `k`th only morph target `k − 1`.
pub fn add_weights(document: &mut Document, node: usize, times: &[f64]) -> Result<(), ExportError> {
    let keys = distinct(times);
    if keys.len() < 2 {
        return Ok(());
    }
    let weight = |k: usize, target: usize| [if k == target + 1 { 1.0 } else { 0.0 }];
    let weights: Vec<[f32; 1]> =
        keys.iter().flat_map(|&(k, _)| (0..times.len() - 1).map(move |target| weight(k, target))).collect();
    let input = add_times(document, &keys)?;
    let output = document.buffer.add_floats(Purpose::Animation, &weights)?;
    add_channel(document, node, "weights", (input, output), "LINEAR");
    Ok(())
}

/// Shows a node from `begin` until `end` only, within the `span` of the animation [s].
pub fn add_visibility(
    document: &mut Document,
    node: usize,
    span: (f64, f64),
    (begin, end): (f64, Option<f64>),
) -> Result<(), ExportError> {
    let mut keys: Vec<(f64, f32)> = Vec::new();
    if begin > span.0 {
        keys.push((span.0, 0.0));
    }
    keys.push((begin, 1.0));
    keys.extend(end.map(|end| (end, 0.0)));
    if keys.last().is_some_and(|&(t, _)| t < span.1) {
        keys.extend(keys.last().copied().map(|(_, shown)| (span.1, shown)));
    }
    let times: Vec<f64> = keys.iter().map(|k| k.0).collect();
    let distinct = distinct(&times);
    let scales: Vec<[f32; 3]> = distinct.iter().map(|&(k, _)| [keys[k].1; 3]).collect();
    let input = add_times(document, &distinct)?;
    let output = document.buffer.add_floats(Purpose::Animation, &scales)?;
    add_channel(document, node, "scale", (input, output), "STEP");
    Ok(())
}

/// The times that are later than all before also in single precision, with their numbers; none below zero.
fn distinct(times: &[f64]) -> Vec<(usize, f32)> {
    let mut keys: Vec<(usize, f32)> = Vec::new();
    for (k, &t) in times.iter().enumerate() {
        let t = t as f32;
        if t >= 0.0 && keys.last().is_none_or(|&(_, before)| t > before) {
            keys.push((k, t));
        }
    }
    keys
}

fn add_times(document: &mut Document, keys: &[(usize, f32)]) -> Result<usize, ExportError> {
    let times: Vec<[f32; 1]> = keys.iter().map(|&(_, t)| [t]).collect();
    document.buffer.add_floats(Purpose::Animation, &times)
}

fn add_channel(document: &mut Document, node: usize, path: &str, (input, output): (usize, usize), how: &str) {
    let sampler = document.samplers.len();
    document.samplers.push(json!({ "input": input, "output": output, "interpolation": how }));
    document.channels.push(json!({ "sampler": sampler, "target": { "node": node, "path": path } }));
}
