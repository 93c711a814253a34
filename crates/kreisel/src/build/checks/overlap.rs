//! Bodies that overlap at the start.

use crate::build::BuildError;
use crate::collide::grid::Grid;
use crate::contact::cladding::Cladding;
use crate::contact::coefficients::CoefficientTable;
use crate::contact::touch::Touch;
use crate::linear::Vectors;
use crate::model::apart::{elements_are_apart, obstacle_is_apart};
use crate::model::{Contact, Model, Setup, State, Topology, Touched};
use crate::step;
use glamx::DVec3;

/// Overlaps up to this share of the smaller radius are rounding, not a mistake.
const TOLERATED_OVERLAP: f64 = 0.01;

/// Refuses bodies that overlap at the start; where that is allowed, the overlap is the rest state of the contact.
pub fn check_overlaps(setup: &Setup, model: &Model, state: &mut State) -> Result<(), BuildError> {
    let topology = Topology::new(model, state);
    // Who is clad does not depend on how stiff it is.
    let cladding = Cladding::new(model, &topology, &CoefficientTable::default());
    let (centres, radii) = spheres(model, state, &topology);
    let mut pairs = Vec::new();
    let element = |k: u32| topology.touching[k as usize];
    let apart = |a: u32, b: u32| {
        let (i, j) = (element(a) as usize, element(b) as usize);
        let together = state.owner[i] == state.owner[j] && state.owner[i] != crate::model::FREE;
        let clad = cladding.is_clad(i as u32) && cladding.is_clad(j as u32);
        let off = elements_are_apart(model, state, i as u32, j as u32);
        !together && !clad && !off && model.elements.component[i] != model.elements.component[j]
    };
    Grid::default().detect(&centres, &radii, 0.0, apart, &mut pairs);
    for (a, b) in pairs {
        let distance = centres.get(a as usize).distance(centres.get(b as usize));
        let (ra, rb) = (radii[a as usize], radii[b as usize]);
        let names = (name(model, element(a)), name(model, element(b)));
        refuse_deep(setup, names, ra + rb - distance, ra.min(rb))?;
        add_contact(state, element(a), Touched::Element(element(b)), distance);
    }
    for (k, &i) in topology.touching.iter().enumerate() {
        for (o, obstacle) in model.obstacles.iter().enumerate() {
            let distance = obstacle.shape.distance(centres.get(k)).0;
            if distance < radii[k] && !obstacle_is_apart(model, state, i, o) {
                refuse_deep(setup, (name(model, i), &obstacle.name), radii[k] - distance, radii[k])?;
                add_contact(state, i, Touched::Obstacle(o as u16), distance);
            }
        }
    }
    for (i, foot) in step::feet(model, state) {
        let radius = model.elements.radius[i as usize];
        if foot.distance < radius {
            refuse_deep(setup, (name(model, i), name(model, foot.bearer)), radius - foot.distance, radius)?;
            add_contact(state, i, Touched::Skin(foot.skin), foot.distance);
        }
    }
    state.contacts.sort_by_key(|c| (c.element, c.other));
    Ok(())
}

fn name(model: &Model, e: u32) -> &str {
    &model.bodies[model.elements.body[e as usize].0 as usize].name
}

fn add_contact(state: &mut State, element: u32, other: Touched, distance: f64) {
    state.contacts.push(Contact { element, other, rest: distance, stretch: DVec3::ZERO, slipping: false });
}

fn refuse_deep(setup: &Setup, names: (&str, &str), overlap: f64, radius: f64) -> Result<(), BuildError> {
    if setup.allow_overlap || overlap <= TOLERATED_OVERLAP * radius {
        return Ok(());
    }
    let b = setup.bodies.iter().position(|b| b.name == names.0).unwrap_or(0);
    let message = format!("\"{}\" and \"{}\" overlap by {overlap:.3e} m at the start", names.0, names.1);
    Err(BuildError::new(&format!("body[{b}].at"), message, "move one of them, or set allow_overlap = true"))
}

/// Centres and radii of the contact spheres of all touching elements.
fn spheres(model: &Model, state: &State, topology: &Topology) -> (Vectors, Vec<f64>) {
    let mut centres = Vectors::default();
    for &i in &topology.touching {
        centres.push(Touch::new(model, i, topology.leans(i), &state.position).centre);
    }
    (centres, topology.touching.iter().map(|&i| model.elements.radius[i as usize]).collect())
}
