//! What of a scene can be changed while it runs, with its ranges; and the change.

use crate::session::world::World;
use crate::session::{laws, loads, matter, motors, solving};
use kreisel::DVec3;
use kreisel::model::Model;
use serde::{Deserialize, Serialize};

/// Steps of a frame that a change may lead to at most: beyond this the scene would stand still.
const MOST_STEPS: f64 = 50_000.0;

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// On or off.
    Flag(bool),
    /// A number, SI.
    Number(f64),
    /// A vector, SI.
    Vector([f64; 3]),
    /// One of several words.
    Word(String),
}

/// A parameter as the page shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parameter {
    /// How it is called in [`set`].
    pub path: String,
    /// Under which heading it stands.
    pub group: String,
    /// What people call it.
    pub label: String,
    /// Its unit.
    pub unit: &'static str,
    /// Its value now.
    pub value: Value,
    /// Smallest value of a slider.
    pub min: f64,
    /// Largest value of a slider.
    pub max: f64,
    /// True if the slider goes by factors.
    pub log: bool,
    /// Words to choose from.
    pub choices: Vec<&'static str>,
}

/// All parameters of a model with their values.
pub fn list(model: &Model) -> Vec<Parameter> {
    let mut all = vec![
        Parameter {
            value: Value::Vector(model.gravity.to_array()),
            ..slider("gravity", "World", "gravity", "m/s²", 0.0, (-25.0, 25.0))
        },
        slider("drag", "World", "air drag", "1/s", model.drag, (0.0, 5.0)),
    ];
    if let Some(step) = model.step {
        let range = (model.frame / 2000.0, model.frame);
        all.push(Parameter { log: true, ..slider("step", "World", "time step", "s", step, range) });
    }
    all.extend(laws::list(model));
    all.extend(solving::list(model));
    all.extend(motors::list(model));
    all.extend(loads::list(model));
    all.extend(matter::list(model));
    for (i, o) in model.obstacles.iter().enumerate().take(8) {
        let path = |key: &str| format!("obstacle.{i}.{key}");
        let group = if o.name.is_empty() { format!("obstacle {}", i + 1) } else { o.name.clone() };
        let friction = o.friction.map_or(0.5, |f| f.1);
        all.push(slider(&path("friction"), &group, "friction", "", friction, (0.0, 1.5)));
        all.push(slider(&path("restitution"), &group, "restitution", "", o.restitution.unwrap_or(0.5), (0.0, 1.0)));
    }
    all
}

/// A number with a range.
pub fn slider(path: &str, group: &str, label: &str, unit: &'static str, value: f64, range: (f64, f64)) -> Parameter {
    Parameter {
        path: path.into(),
        group: group.into(),
        label: label.into(),
        unit,
        value: Value::Number(value),
        min: range.0,
        max: range.1,
        log: false,
        choices: Vec::new(),
    }
}

/// On or off.
pub fn flag(path: &str, group: &str, label: &str, value: bool) -> Parameter {
    Parameter { value: Value::Flag(value), ..slider(path, group, label, "", 0.0, (0.0, 1.0)) }
}

/// One of several words.
pub fn word(path: &str, group: &str, label: &str, value: &str, choices: Vec<&'static str>) -> Parameter {
    Parameter { value: Value::Word(value.into()), choices, ..slider(path, group, label, "", 0.0, (0.0, 0.0)) }
}

/// One of several named values.
pub fn choice<T: Copy + PartialEq>(
    path: &str,
    group: &str,
    label: &str,
    all: &[(&'static str, T)],
    now: T,
) -> Parameter {
    let value = all.iter().find(|(_, v)| *v == now).map_or("other", |(name, _)| name);
    word(path, group, label, value, all.iter().map(|(name, _)| *name).collect())
}

/// The value that has a name.
pub fn named<T: Copy>(all: &[(&'static str, T)], word: &str) -> Result<T, String> {
    let found = all.iter().find(|(name, _)| *name == word).map(|(_, value)| *value);
    found.ok_or_else(|| format!("there is no `{word}` here"))
}

/// Gives a parameter a value.
pub fn set(world: &mut World, path: &str, value: &Value) -> Result<(), String> {
    let keys: Vec<&str> = path.split('.').collect();
    match (keys.as_slice(), value) {
        (["gravity"], Value::Vector(g)) => {
            let g = DVec3::from_array(*g);
            check(g.is_finite() && g.length() <= 1e4, "gravity")?;
            world.change(|m| m.gravity = g);
        }
        (["drag"], Value::Number(x)) => {
            check((0.0..=1e3).contains(x), "drag")?;
            world.change(|m| m.drag = *x);
        }
        (["step"], Value::Number(x)) => {
            check((1e-8..=world.model.frame).contains(x), "the time step")?;
            world.change(|m| m.step = Some(*x));
        }
        (["material", i, key], Value::Number(x)) => matter::set(world, number(i)?, key, *x)?,
        (["load", kind, k], Value::Number(x)) => loads::set(world, kind, number(k)?, *x)?,
        (["joint", i, key], Value::Number(x)) => motors::set(world, number(i)?, key, *x)?,
        (["obstacle", i, key], Value::Number(x)) => set_obstacle(world, number(i)?, key, *x)?,
        (keys, value) => {
            let done = laws::set(world, keys, value).or_else(|| solving::set(world, keys, value));
            done.unwrap_or_else(|| Err(format!("`{path}` cannot be set to that")))?;
        }
    }
    let steps = world.model.frame / world.plan().step.max(f64::MIN_POSITIVE);
    check_words(steps <= MOST_STEPS, || format!("a frame would take {steps:.0} steps with that"))
}

fn check_words(holds: bool, words: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(words()) }
}

/// Refuses a value that cannot be.
pub fn check(holds: bool, what: &str) -> Result<(), String> {
    check_words(holds, || format!("that is no possible value of {what}"))
}

fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("`{text}` is no number"))
}

fn set_obstacle(world: &mut World, i: usize, key: &str, x: f64) -> Result<(), String> {
    check(i < world.model.obstacles.len(), "an obstacle that is not there")?;
    match key {
        "friction" => {
            check((0.0..=10.0).contains(&x), "friction")?;
            world.change(|m| m.obstacles[i].friction = Some((x, x)));
        }
        "restitution" => {
            check((0.0..=1.0).contains(&x), "restitution")?;
            world.change(|m| m.obstacles[i].restitution = Some(x));
        }
        _ => return Err(format!("an obstacle has no {key}")),
    }
    Ok(())
}
