//! Loads as parameters: how strongly they pull and press, in the direction that the scene gives them.

use crate::session::parameters::{Parameter, check, slider};
use crate::session::world::World;
use kreisel::DVec3;
use kreisel::model::setup::LoadKind;
use kreisel::model::world::NodalLoad;
use kreisel::model::{Model, Setup};
use std::sync::Arc;

const GROUP: &str = "Loads";
/// Loads whose parameters are shown.
const MOST: usize = 12;
/// A slider goes from the value down and up by this factor.
const FACTOR: f64 = 30.0;

/// The parameters of all loads that pull at all.
pub fn list(model: &Model) -> Vec<Parameter> {
    let forces = model.loads.iter().enumerate().map(|(k, l)| ("force", k, "N", total(l)));
    let pressures = model.pressures.iter().enumerate().map(|(k, l)| ("pressure", k, "Pa", l.pressure.abs()));
    let all = forces.chain(pressures).filter(|(.., value)| *value > 0.0).take(MOST);
    all.map(|(kind, k, unit, value)| of_load(kind, k, unit, value)).collect()
}

fn of_load(kind: &str, k: usize, unit: &'static str, value: f64) -> Parameter {
    let range = (value / FACTOR, value * FACTOR);
    let label = format!("{kind} {}", k + 1);
    Parameter { log: true, ..slider(&format!("load.{kind}.{k}"), GROUP, &label, unit, value, range) }
}

/// The force of a load as a whole [N].
fn total(load: &NodalLoad) -> f64 {
    load.forces.iter().fold(DVec3::ZERO, |sum, (_, f)| sum + *f).length()
}

/// Gives one of them a strength.
pub fn set(world: &mut World, kind: &str, k: usize, x: f64) -> Result<(), String> {
    let now = match kind {
        "force" => world.model.loads.get(k).map(total),
        "pressure" => world.model.pressures.get(k).map(|l| l.pressure.abs()),
        _ => None,
    };
    let now = now.filter(|v| *v > 0.0).ok_or_else(|| format!("there is no {kind} {k} that pulls"))?;
    check(x.is_finite() && x > 0.0, "a load")?;
    let factor = x / now;
    let is_pressure = kind == "pressure";
    // A model that is built anew later follows from the setup.
    if let Some(setup) = &mut world.setup {
        scale_in_setup(Arc::make_mut(setup), is_pressure, k, factor);
    }
    world.change(|m| match is_pressure {
        true => m.pressures[k].pressure *= factor,
        false => m.loads[k].forces.iter_mut().for_each(|(_, f)| *f *= factor),
    });
    Ok(())
}

/// The model has forces and pressures apart, each in the order of the setup.
fn scale_in_setup(setup: &mut Setup, is_pressure: bool, k: usize, factor: f64) {
    let of_kind = |kind: &LoadKind| matches!(kind, LoadKind::Pressure { .. }) == is_pressure;
    match setup.loads.iter_mut().map(|l| &mut l.kind).filter(|kind| of_kind(kind)).nth(k) {
        Some(LoadKind::Point { force, .. } | LoadKind::Region { force, .. }) => *force *= factor,
        Some(LoadKind::Pressure { pressure, .. }) => *pressure *= factor,
        None => {}
    }
}
