//! What became of a scene.

use super::scenes::{INNER, Question, RADIUS, Scene};
use kreisel::{DQuat, DVec3};
use std::collections::HashMap;

/// Where a body is and how it is turned.
pub type Pose = (DVec3, DQuat);

/// A ball whose centre is so far beyond the inner walls, or below ground, has got out [m].
const OUTSIDE: f64 = 0.05;

/// The result in words: the same questions to every engine.
pub fn outcome(scene: &Scene, end: &[Pose], worst_overlap: f64) -> String {
    match scene.question {
        Question::Stands => {
            let away = || end.iter().zip(&scene.bodies).map(|(p, b)| p.0 - b.at);
            let sink = away().map(|d| -d.y).fold(0.0, f64::max);
            let drift = away().map(|d| d.x.hypot(d.z)).fold(0.0, f64::max);
            format!("sink {:.3} mm, drift {:.3} mm", 1e3 * sink, 1e3 * drift)
        }
        Question::Fills => {
            let out = end.iter().filter(|p| is_outside(p.0)).count();
            let (last, worst) = (1e3 * overlap(end), 1e3 * worst_overlap);
            format!("overlap {last:.2} mm at the end, {worst:.2} mm at worst, {out} escaped")
        }
        Question::Topples => {
            let upright = |p: &&Pose| (p.1 * DVec3::Y).y < 0.5_f64.sqrt();
            format!("{} toppled", end.iter().filter(upright).count())
        }
    }
}

fn is_outside(at: DVec3) -> bool {
    at.x.abs().max(at.z.abs()) > INNER + OUTSIDE || at.y < -OUTSIDE
}

/// The deepest overlap of two balls, or of a ball with walls or ground [m].
pub fn overlap(poses: &[Pose]) -> f64 {
    let cell = |p: DVec3| (p / (2.0 * RADIUS)).floor().as_i64vec3().to_array();
    let mut cells: HashMap<[i64; 3], Vec<DVec3>> = HashMap::new();
    poses.iter().for_each(|p| cells.entry(cell(p.0)).or_default().push(p.0));
    let mut deepest: f64 = 0.0;
    for (at, here) in &cells {
        for n in 0..27 {
            let beside = [at[0] + n % 3 - 1, at[1] + n / 3 % 3 - 1, at[2] + n / 9 - 1];
            for p in here {
                let others = cells.get(&beside).into_iter().flatten().filter(|q| *q != p);
                deepest = others.map(|q| 2.0 * RADIUS - p.distance(*q)).fold(deepest, f64::max);
            }
        }
    }
    let inside = poses.iter().map(|p| p.0).filter(|p| !is_outside(*p));
    let at_walls = inside.map(|p| (p.x.abs().max(p.z.abs()) + RADIUS - INNER).max(RADIUS - p.y));
    at_walls.fold(deepest, f64::max)
}
