//! Materials as parameters: what contacts know of them changes at once, what springs and masses come from builds the model anew.

use crate::session::parameters::{Parameter, check, slider};
use crate::session::rebuild;
use crate::session::world::World;
use kreisel::model::setup::{BodySetup, Law};
use kreisel::model::{Fracture, Material, Model, Setup};
use std::collections::BTreeSet;

/// Materials whose parameters are shown.
const MOST: usize = 12;
/// Friction of rolling and spinning that a slider offers at least [m].
const LEAST_RESISTANCE: f64 = 0.01;

/// The parameters of the first materials.
pub fn list(model: &Model) -> Vec<Parameter> {
    model.materials.iter().enumerate().take(MOST).flat_map(|(i, m)| of_material(i, m, model)).collect()
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
    let mut all = vec![
        scaled("young", "Young's modulus", "Pa", m.young, 30.0),
        slider(&path("poisson"), &group, "Poisson's ratio", "", m.poisson, (0.0, 0.45)),
        slider(&path("damping"), &group, "damping ratio", "", m.damping, (0.0, 0.5)),
        slider(&path("friction"), &group, "friction", "", m.dynamic_friction, (0.0, 1.5)),
        slider(&path("static-friction"), &group, "static friction", "", m.static_friction, (0.0, 1.5)),
        slider(&path("restitution"), &group, "restitution", "", m.restitution, (0.0, 1.0)),
    ];
    // Joints know where they are by the principal axes of the bodies as they were built.
    if model.joints.is_empty() {
        all.push(scaled("density", "density", "kg/m³", m.density, 10.0));
    }
    all.extend(match m.fracture {
        Fracture::Never => None,
        Fracture::Energy(x) => Some(scaled("fracture", "fracture energy", "J/m²", x, 100.0)),
        Fracture::Strain(x) => Some(scaled("fracture", "fracture strain", "", x, 10.0)),
        Fracture::Strength(x) => Some(scaled("fracture", "tensile strength", "Pa", x, 30.0)),
    });
    let resist = |key: &str, label: &str, value: f64| {
        slider(&path(key), &group, label, "m", value, (0.0, (4.0 * value).max(LEAST_RESISTANCE)))
    };
    if model.law == Law::Constraint && !model.integrator.is_implicit() {
        all.push(resist("rolling", "rolling friction", m.resistance.rolling));
        all.push(resist("torsional", "torsional friction", m.resistance.torsional));
    }
    all
}

/// Gives a property of a material a value.
pub fn set(world: &mut World, i: usize, key: &str, x: f64) -> Result<(), String> {
    let Some(old) = world.model.materials.get(i).cloned() else { return Err(format!("there is no material {i}")) };
    match key {
        "friction" | "static-friction" | "restitution" | "rolling" | "torsional" => touch(world, i, key, x),
        "young" => build_anew(world, i, key, x, |m| m.young = x),
        "poisson" => build_anew(world, i, key, x, |m| m.poisson = x),
        "density" if world.model.joints.is_empty() => weigh(world, i, x),
        "density" => Err("the density of bodies with joints is fixed once they are built".into()),
        "damping" => build_anew(world, i, key, x, |m| m.damping = x),
        "fracture" if old.fracture == Fracture::Never => Err(format!("{} does not break", old.name)),
        "fracture" => build_anew(world, i, key, x, |m| m.fracture = with_limit(m.fracture, x)),
        _ => Err(format!("a material has no {key}")),
    }
}

/// What only contacts know of.
fn touch(world: &mut World, i: usize, key: &str, x: f64) -> Result<(), String> {
    let most = if key == "restitution" { 1.0 } else { 10.0 };
    check((0.0..=most).contains(&x), &key.replace('-', " "))?;
    let mut m = world.model.materials[i].clone();
    match key {
        "friction" => {
            let ratio = if m.dynamic_friction > 0.0 { m.static_friction / m.dynamic_friction } else { 1.0 };
            (m.dynamic_friction, m.static_friction) = (x, x * ratio);
        }
        "static-friction" => (m.static_friction, m.dynamic_friction) = (x, m.dynamic_friction.min(x)),
        "rolling" => m.resistance.rolling = x,
        "torsional" => m.resistance.torsional = x,
        _ => m.restitution = x,
    }
    world.change(|model| model.materials[i] = m);
    Ok(())
}

/// What springs and masses are made from: the model is built anew.
fn build_anew(world: &mut World, i: usize, key: &str, x: f64, change: impl Fn(&mut Material)) -> Result<(), String> {
    let may_vanish = matches!(key, "damping" | "poisson");
    check(x.is_finite() && (x > 0.0 || (may_vanish && x == 0.0)), key)?;
    let mut setup = rebuild::setup_of(world, &format!("{key} can be changed"))?;
    let name = world.model.materials[i].name.clone();
    for body in users(&world.model, &mut setup, i) {
        of_body(body, &name).for_each(&change);
    }
    rebuild::with_setup(world, setup, false)
}

/// The density: bodies whose mass the scene gives have it from there.
fn weigh(world: &mut World, i: usize, x: f64) -> Result<(), String> {
    check(x.is_finite() && x > 0.0, "density")?;
    let mut setup = rebuild::setup_of(world, "density can be changed")?;
    let Material { name, density, .. } = world.model.materials[i].clone();
    for body in users(&world.model, &mut setup, i) {
        match &mut body.mass {
            Some(mass) => *mass *= x / density,
            None => of_body(body, &name).for_each(|m| m.density = x),
        }
        body.inertia = body.inertia.map(|inertia| inertia * (x / density));
    }
    rebuild::with_setup(world, setup, true)
}

/// The materials of a body that have a name.
fn of_body<'a>(body: &'a mut BodySetup, name: &'a str) -> impl Iterator<Item = &'a mut Material> {
    let own = std::iter::once(&mut body.material);
    own.chain(body.inlays.iter_mut().map(|(_, m)| m)).filter(move |m| m.name == name)
}

/// The bodies of the setup that have elements of a material: others may have one of the same name that differs.
fn users<'a>(model: &Model, setup: &'a mut Setup, material: usize) -> impl Iterator<Item = &'a mut BodySetup> {
    let parts = setup.bodies.iter().enumerate().flat_map(|(b, body)| vec![b; 1 + body.split.len()]);
    let origin: Vec<usize> = parts.collect();
    let of = model.elements.material.iter().zip(&model.elements.body);
    let mine = of.filter(|(m, _)| usize::from(m.0) == material);
    let users: BTreeSet<usize> = mine.filter_map(|(_, b)| origin.get(b.0 as usize).copied()).collect();
    setup.bodies.iter_mut().enumerate().filter(move |(b, _)| users.contains(b)).map(|(_, body)| body)
}

/// The same kind of limit with another value.
fn with_limit(fracture: Fracture, x: f64) -> Fracture {
    match fracture {
        Fracture::Never => Fracture::Never,
        Fracture::Energy(_) => Fracture::Energy(x),
        Fracture::Strain(_) => Fracture::Strain(x),
        Fracture::Strength(_) => Fracture::Strength(x),
    }
}
