//! What holds, loads, grabs, switches and reads elements chosen by region.

use crate::build::BuildError;
use crate::build::select::Selector;
use crate::model::setup::{BodyShape, LoadKind};
use crate::model::world::{ElementGrab, ElementProbe, Hold, NodalLoad, PressureLoad, ScheduledSwitch};
use crate::model::{Model, Region, Setup, weights_on_four};
use glamx::DVec3;
use std::collections::BTreeMap;

/// Held elements; the axes of several fixes of one element add up, a later motion replaces an earlier one.
pub fn add_holds(setup: &Setup, model: &mut Model, selector: &Selector) -> Result<(), BuildError> {
    let mut holds: BTreeMap<u32, Hold> = BTreeMap::new();
    for (k, fix) in setup.fixes.iter().enumerate() {
        let path = format!("fix[{k}]");
        if fix.axes == [false; 3] {
            return Err(BuildError::new(&path, "holds no axis", "name at least one of x, y, z"));
        }
        let motion = fix.motion.as_ref().map(|m| {
            model.motions.push(m.clone());
            (model.motions.len() - 1) as u32
        });
        for e in selector.select(&fix.region, &path)? {
            let hold = holds.entry(e).or_insert(Hold { element: e, axes: [false; 3], motion: None, fix: k as u32 });
            if hold.motion.is_some() && motion.is_some() && hold.motion != motion {
                let message = format!("element {e} is moved by two fixes");
                return Err(BuildError::new(&path, message, "let each element follow one motion"));
            }
            hold.motion = motion.or(hold.motion);
            (0..3).for_each(|a| hold.axes[a] |= fix.axes[a]);
        }
        model.fix_names.push(fix.name.clone());
    }
    model.holds = holds.into_values().collect();
    Ok(())
}

/// Loads, region loads spread by mass.
pub fn add_loads(setup: &Setup, model: &mut Model, selector: &Selector) -> Result<(), BuildError> {
    for (k, load) in setup.loads.iter().enumerate() {
        let path = format!("load[{k}]");
        let profile = load.profile.clone();
        match &load.kind {
            LoadKind::Point { region, at, force } => {
                let e = selector.nearest(region, *at, &path)?;
                let forces = carriers(setup, model, e, *at).into_iter().map(|(e, weight)| (e, *force * weight));
                model.loads.push(NodalLoad { forces: forces.collect(), profile });
            }
            LoadKind::Region { region, force } => {
                let elements = selector.select(region, &path)?;
                model.loads.push(NodalLoad { forces: by_mass(model, &elements, *force), profile });
            }
            LoadKind::Pressure { region, pressure } => {
                let faces = faces_in(model, selector, region, &path)?;
                model.pressures.push(PressureLoad { faces, pressure: *pressure, profile });
            }
        }
    }
    Ok(())
}

fn by_mass(model: &Model, elements: &[u32], force: DVec3) -> Vec<(u32, DVec3)> {
    let mass = |e: u32| model.elements.mass[e as usize];
    let total: f64 = elements.iter().map(|&e| mass(e)).sum();
    elements.iter().map(|&e| (e, force * (mass(e) / total))).collect()
}

fn faces_in(model: &Model, selector: &Selector, region: &Region, path: &str) -> Result<Vec<[u32; 4]>, BuildError> {
    let chosen = selector.select(region, path)?;
    let inside = |e: &u32| chosen.binary_search(e).is_ok();
    let faces: Vec<[u32; 4]> = model.faces.iter().filter(|f| f.iter().all(inside)).copied().collect();
    if faces.is_empty() {
        let help = "pressure acts on faces of box bodies whose four corners lie in the region";
        return Err(BuildError::new(path, "no face lies wholly in the region", help));
    }
    Ok(faces)
}

/// Grabs.
pub fn add_grabs(setup: &Setup, model: &mut Model, selector: &Selector) -> Result<(), BuildError> {
    for (k, grab) in setup.grabs.iter().enumerate() {
        let element = selector.nearest(&grab.region, grab.at, &format!("grab[{k}]"))?;
        model.grabs.push(ElementGrab {
            carried_by: carriers(setup, model, element, grab.at),
            stiffness: grab.stiffness,
            damping: grab.damping,
            path: grab.path.clone(),
            active: grab.active,
        });
    }
    Ok(())
}

/// Who carries the point where an element is loaded, grabbed or read, with their weights: the element, or all four of an exact body,
/// so that the point is where it was asked for. Where the four masses of such a body lie is nobody's business.
fn carriers(setup: &Setup, model: &Model, element: u32, at: DVec3) -> Vec<(u32, f64)> {
    let body = model.elements.body[element as usize].0 as usize;
    let exact = setup.bodies.get(body).is_some_and(|b| matches!(b.shape, BodyShape::Exact { .. }));
    match <[u32; 4]>::try_from(&model.bodies[body].elements[..]) {
        Ok(four) if exact => weights_on_four(four.map(|e| (e, model.elements.rest.get(e as usize))), at).to_vec(),
        _ => vec![(element, 1.0)],
    }
}

/// Scheduled switches, by time.
pub fn add_schedule(setup: &Setup, model: &mut Model, selector: &Selector) -> Result<(), BuildError> {
    for (k, switch) in setup.schedule.iter().enumerate() {
        let path = format!("at[{k}]");
        let elements = selector.select(&switch.region, &path)?;
        if !switch.make_rigid {
            check_soft(setup, model, &elements, &path)?;
        }
        model.schedule.push(ScheduledSwitch { time: switch.time, elements, make_rigid: switch.make_rigid });
    }
    model.schedule.sort_by(|a, b| a.time.total_cmp(&b.time));
    Ok(())
}

/// Exact bodies have no elements that could be soft.
fn check_soft(setup: &Setup, model: &Model, elements: &[u32], path: &str) -> Result<(), BuildError> {
    let bodies = elements.iter().filter_map(|&e| setup.bodies.get(model.elements.body[e as usize].0 as usize));
    let Some(exact) = bodies.into_iter().find(|b| matches!(b.shape, BodyShape::Exact { .. })) else { return Ok(()) };
    let message = format!("\"{}\" is an exact body, which can only be rigid", exact.name);
    Err(BuildError::new(path, message, "select bodies that are made of elements, or give it such a shape"))
}

/// Probes.
pub fn add_probes(setup: &Setup, model: &mut Model, selector: &Selector) -> Result<(), BuildError> {
    for (k, probe) in setup.probes.iter().enumerate() {
        let path = format!("probe[{k}]");
        let (elements, shares) = match (&probe.joint, probe.nearest) {
            (Some(name), _) => (of_joint(setup, name, &path)?, Vec::new()),
            (None, Some(point)) => at_point(setup, model, selector.nearest(&probe.region, point, &path)?, point),
            (None, None) => (selector.select(&probe.region, &path)?, Vec::new()),
        };
        model.probes.push(ElementProbe { probe: probe.clone(), elements, shares });
    }
    Ok(())
}

/// What is read at a point: the element there, or that very point of an exact body.
fn at_point(setup: &Setup, model: &Model, element: u32, point: DVec3) -> (Vec<u32>, Vec<(u32, f64)>) {
    let carriers = carriers(setup, model, element, point);
    let elements = carriers.iter().map(|c| c.0).collect();
    (elements, if carriers.len() > 1 { carriers } else { Vec::new() })
}

/// A joint is read without elements, but it must be there.
fn of_joint(setup: &Setup, name: &str, path: &str) -> Result<Vec<u32>, BuildError> {
    if setup.joints.iter().any(|joint| joint.name == name) {
        return Ok(Vec::new());
    }
    let known: Vec<&str> = setup.joints.iter().map(|joint| joint.name.as_str()).take(20).collect();
    let help = if known.is_empty() { "the scene has none".into() } else { format!("joints: {}", known.join(", ")) };
    Err(BuildError::new(&format!("{path}.joint"), format!("no joint is called \"{name}\""), help))
}
