//! A scene run without looking at any clock: for profilers that count instructions, such as callgrind.

use super::{contenders, scenes};
use crate::measure::with_threads;

/// Runs `bare SCENE ENGINE [STEPS]`, all steps of the scene if nothing else is said.
pub fn run(details: &[String]) {
    let [scene, engine, rest @ ..] = details else {
        return eprintln!("rigid bare SCENE ENGINE [STEPS]");
    };
    let scenes = scenes::all();
    let Some(scene) = scenes.iter().find(|s| s.name == scene) else {
        return eprintln!("no scene of that name: {scene}");
    };
    let Some(engine) = contenders().into_iter().find(|c| c.name == *engine) else {
        return eprintln!("no engine of that name: {engine}");
    };
    let steps = rest.first().and_then(|n| n.parse().ok()).unwrap_or(scene.steps);
    with_threads(1, || {
        let mut running = (engine.start)(scene);
        (0..steps).for_each(|_| running.step());
    });
}
