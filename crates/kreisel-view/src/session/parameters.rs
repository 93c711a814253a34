//! What of a scene can be changed while it runs, with its ranges; and the change.

use crate::session::rebuild;
use crate::session::world::World;
use kreisel::DVec3;
use kreisel::model::setup::Integrator;
use kreisel::model::{Material, Model};
use serde::{Deserialize, Serialize};

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

/// The integrators that can be chosen, by the words of scene files.
const INTEGRATORS: [Integrator; 6] = [
    Integrator::SymplecticEuler,
    Integrator::VelocityVerlet,
    Integrator::BackwardEuler,
    Integrator::LinearBackwardEuler,
    Integrator::ImplicitMidpoint,
    Integrator::ForwardEuler,
];

/// All parameters of a model with their values.
pub fn list(model: &Model) -> Vec<Parameter> {
    let mut all = vec![
        Parameter {
            value: Value::Vector(model.gravity.to_array()),
            ..slider("gravity", "World", "gravity", "m/s²", 0.0, (-25.0, 25.0))
        },
        slider("drag", "World", "air drag", "1/s", model.drag, (0.0, 5.0)),
        slider("adhesion", "World", "adhesion", "", model.contact.adhesion, (0.0, 0.5)),
        flag("contact", "World", "bodies touch", model.contact.enabled),
        flag("self-collision", "World", "bodies touch themselves", model.contact.self_collision),
        Parameter {
            value: Value::Word(kreisel_scene::integrator_word(model.integrator).into()),
            choices: INTEGRATORS.map(kreisel_scene::integrator_word).to_vec(),
            ..slider("integrator", "World", "integrator", "", 0.0, (0.0, 0.0))
        },
    ];
    for (i, m) in model.materials.iter().enumerate().take(12) {
        all.extend(of_material(i, m, model));
    }
    for (i, o) in model.obstacles.iter().enumerate().take(8) {
        let path = |key: &str| format!("obstacle.{i}.{key}");
        let group = if o.name.is_empty() { format!("obstacle {}", i + 1) } else { o.name.clone() };
        let friction = o.friction.map_or(0.5, |f| f.1);
        all.push(slider(&path("friction"), &group, "friction", "", friction, (0.0, 1.5)));
        all.push(slider(&path("restitution"), &group, "restitution", "", o.restitution.unwrap_or(0.5), (0.0, 1.0)));
    }
    all
}

fn of_material(i: usize, m: &Material, model: &Model) -> Vec<Parameter> {
    let path = |key: &str| format!("material.{i}.{key}");
    let user = model.elements.material.iter().position(|x| usize::from(x.0) == i);
    let body = user.map_or("", |e| model.body_name(e as u32));
    let group = format!("{} ({body})", m.name);
    let scaled = |key: &str, label: &str, unit, value: f64, factor: f64| Parameter {
        log: true,
        ..slider(&path(key), &group, label, unit, value, (value / factor, value * factor))
    };
    vec![
        scaled("young", "Young's modulus", "Pa", m.young, 30.0),
        scaled("density", "density", "kg/m³", m.density, 10.0),
        slider(&path("damping"), &group, "damping ratio", "", m.damping, (0.0, 0.5)),
        slider(&path("friction"), &group, "friction", "", m.dynamic_friction, (0.0, 1.5)),
        slider(&path("restitution"), &group, "restitution", "", m.restitution, (0.0, 1.0)),
    ]
}

fn slider(path: &str, group: &str, label: &str, unit: &'static str, value: f64, range: (f64, f64)) -> Parameter {
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

fn flag(path: &str, group: &str, label: &str, value: bool) -> Parameter {
    Parameter { value: Value::Flag(value), ..slider(path, group, label, "", 0.0, (0.0, 1.0)) }
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
        (["adhesion"], Value::Number(x)) => {
            check((0.0..=10.0).contains(x), "adhesion")?;
            world.change(|m| m.contact.adhesion = *x);
        }
        (["contact"], Value::Flag(on)) => world.change(|m| m.contact.enabled = *on),
        (["self-collision"], Value::Flag(on)) => world.change(|m| m.contact.self_collision = *on),
        (["integrator"], Value::Word(word)) => {
            let named = |i: &&Integrator| kreisel_scene::integrator_word(**i) == word;
            let integrator = *INTEGRATORS.iter().find(named).ok_or_else(|| format!("there is no integrator {word}"))?;
            world.change(|m| m.integrator = integrator);
        }
        (["material", i, key], Value::Number(x)) => set_material(world, number(i)?, key, *x)?,
        (["obstacle", i, key], Value::Number(x)) => set_obstacle(world, number(i)?, key, *x)?,
        _ => return Err(format!("`{path}` cannot be set to that")),
    }
    Ok(())
}

fn check(holds: bool, what: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("that is no possible value of {what}")) }
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

fn set_material(world: &mut World, i: usize, key: &str, x: f64) -> Result<(), String> {
    let Some(old) = world.model.materials.get(i).cloned() else { return Err(format!("there is no material {i}")) };
    match key {
        "friction" => {
            check((0.0..=10.0).contains(&x), "friction")?;
            let ratio = if old.dynamic_friction > 0.0 { old.static_friction / old.dynamic_friction } else { 1.0 };
            world.change(|m| (m.materials[i].dynamic_friction, m.materials[i].static_friction) = (x, x * ratio));
            Ok(())
        }
        "restitution" => {
            check((0.0..=1.0).contains(&x), "restitution")?;
            world.change(|m| m.materials[i].restitution = x);
            Ok(())
        }
        "young" => change_material(world, &old, key, x, |m| m.young = x),
        "density" => change_material(world, &old, key, x, |m| m.density = x),
        "damping" => change_material(world, &old, key, x, |m| m.damping = x),
        _ => Err(format!("a material has no {key}")),
    }
}

/// What springs and masses are made from: the model is built anew.
fn change_material(
    world: &mut World,
    old: &Material,
    key: &str,
    x: f64,
    change: impl Fn(&mut Material),
) -> Result<(), String> {
    check(x.is_finite() && (x > 0.0 || (key == "damping" && x == 0.0)), key)?;
    let mut setup = rebuild::setup_of(world, &format!("{key} can be changed"))?;
    for body in &mut setup.bodies {
        let own = std::iter::once(&mut body.material);
        own.chain(body.inlays.iter_mut().map(|(_, m)| m)).filter(|m| m.name == old.name).for_each(&change);
    }
    rebuild::with_setup(world, setup)
}
