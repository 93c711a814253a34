//! Pairs that a scene has switched off: names of bodies, groups and obstacles become classes.

use crate::build::BuildError;
use crate::model::apart::Apart;
use crate::model::{Model, Setup};

/// What a pair may name of a body or obstacle: itself, and its group.
type Names = [Option<String>; 2];

/// Fills [`Model::apart`].
pub fn add(setup: &Setup, model: &mut Model) -> Result<(), BuildError> {
    if setup.apart.is_empty() {
        return Ok(());
    }
    let mentioned = |name: &String| setup.apart.iter().flatten().any(|n| n == name);
    let group = |name: &str| setup.bodies.iter().find(|b| b.name == name).and_then(|b| b.group.clone());
    let only = |name: Option<String>| name.filter(mentioned);
    let bodies = model.bodies.iter().map(|b| [only(Some(b.name.clone())), only(group(&b.name))]);
    let bodies: Vec<Names> = bodies.collect();
    let obstacles: Vec<Names> = model.obstacles.iter().map(|o| [only(Some(o.name.clone())), None]).collect();
    for (k, name) in setup.apart.iter().flatten().enumerate() {
        if !bodies.iter().chain(&obstacles).flatten().flatten().any(|n| n == name) {
            let message = format!("`{name}` is no body, no group and no obstacle");
            return Err(BuildError::new(&format!("apart[{}]", k / 2), message, "name what the scene has"));
        }
    }
    let mut classes: Vec<Names> = bodies.iter().chain(&obstacles).cloned().collect();
    classes.sort_unstable();
    classes.dedup();
    let class = |names: &Names| classes.binary_search(names).unwrap_or_default() as u16;
    let has = |names: &Names, name: &String| names.iter().flatten().any(|n| n == name);
    let mut pairs = Vec::new();
    for (i, a) in classes.iter().enumerate() {
        for (j, b) in classes.iter().enumerate().skip(i) {
            let off = |[p, q]: &[String; 2]| (has(a, p) && has(b, q)) || (has(a, q) && has(b, p));
            if setup.apart.iter().any(off) {
                pairs.push((i as u16, j as u16));
            }
        }
    }
    model.apart =
        Apart { bodies: bodies.iter().map(class).collect(), obstacles: obstacles.iter().map(class).collect(), pairs };
    Ok(())
}
