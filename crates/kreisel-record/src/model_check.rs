//! A model that was read is not trusted: before anything is looked up in it, its numbers must fit together.

use kreisel::DVec3;
use kreisel::model::element::{NO_ANCHOR, NO_PERCH};
use kreisel::model::{Bindings, Model, ObstacleShape, Skin, Surface};

/// What does not fit, in words.
type Check = Result<(), String>;

/// Checks that all lists of the model are as long as they should be, that all numbers of elements, connections,
/// materials, bodies, vertices and so on exist, and that positions, masses, radii and constants are finite.
pub fn check_model(model: &Model) -> Result<(), String> {
    check_elements(model)?;
    check_connections(model)?;
    check_surroundings(model)?;
    check_drives(model)?;
    check_bindings("perches", &model.perches, model.elements.len())?;
    model.skins.iter().enumerate().try_for_each(|(i, skin)| check_skin(&format!("skin {i}"), skin, model))
}

fn check_elements(model: &Model) -> Check {
    let (e, n) = (&model.elements, model.elements.len());
    let lengths = [
        ("coordinates", e.rest.x.len()),
        ("coordinates", e.rest.y.len()),
        ("coordinates", e.rest.z.len()),
        ("radii", e.radius.len()),
        ("materials", e.material.len()),
        ("bodies", e.body.len()),
        ("anchors", e.anchor.len()),
        ("insets", e.inset.len()),
        ("perches", if e.perch.is_empty() { n } else { e.perch.len() }),
        ("components", e.component.len()),
        ("surface marks", e.surface.len()),
    ];
    for (what, length) in lengths {
        same(&format!("{what} of the elements"), length, n)?;
    }
    all_finite("the elements", [&e.rest.x, &e.rest.y, &e.rest.z, &e.mass, &e.radius, &e.inset].into_iter().flatten())?;
    all_below("a material of an element", e.material.iter().map(|m| m.0.into()), model.materials.len())?;
    all_below("a body of an element", e.body.iter().map(|b| b.0), model.bodies.len())?;
    all_below("an anchor", e.anchor.iter().copied().filter(|&a| a != NO_ANCHOR), n)?;
    let perches = model.perches.starts.len().saturating_sub(1);
    all_below("a perch", e.perch.iter().copied().filter(|&p| p != NO_PERCH), perches)?;
    all_below("a component", e.component.iter().copied(), n)?;
    model.bodies.iter().try_for_each(|b| all_below("an element of a body", b.elements.iter().copied(), n))
}

fn check_connections(model: &Model) -> Check {
    let (c, n) = (&model.connections, model.elements.len());
    same("classes of the connections", c.class.len(), c.ends.len())?;
    all_below("an end of a connection", c.ends.iter().flatten().copied(), n)?;
    all_below("a class of a connection", c.class.iter().copied(), c.classes.len())?;
    // An infinite fracture distance is one that never breaks.
    let constants = c.classes.iter().flat_map(|k| [k.stiffness, k.rest_length, k.damping]);
    all_finite("the connections", constants)?;
    all_below("a corner of a cell", model.cells.iter().flat_map(|k| k.corners), n)?;
    all_finite("the cells", model.cells.iter().flat_map(|k| [k.sides[0], k.sides[1], k.sides[2], k.modulus]))?;
    all_below("a corner of a face", model.faces.iter().flatten().copied(), n)
}

fn check_surroundings(model: &Model) -> Check {
    let m = model;
    all_finite("the frame", [m.duration, m.frame, m.drag, m.view.field_of_view].into_iter().chain(m.step))?;
    all_finite("gravity", m.gravity.to_array())?;
    all_finite("the view", [m.view.eye, m.view.target].into_iter().flatten().flat_map(|x| x.to_array()))?;
    all_finite("the materials", m.materials.iter().flat_map(|k| [k.young, k.poisson, k.density, k.damping]))?;
    for obstacle in &m.obstacles {
        let numbers = match &obstacle.shape {
            ObstacleShape::Plane { normal, offset } => vec![normal.x, normal.y, normal.z, *offset],
            ObstacleShape::Sphere { centre, radius } => vec![centre.x, centre.y, centre.z, *radius],
            ObstacleShape::Box { centre, half_size, rotation } => {
                let half_size = half_size.to_array();
                centre.to_array().into_iter().chain(half_size).chain(rotation.to_array()).collect()
            }
        };
        all_finite(&format!("the obstacle {}", obstacle.name), numbers)?;
    }
    Ok(())
}

fn check_drives(model: &Model) -> Check {
    let (m, n) = (model, model.elements.len());
    all_below("a held element", m.holds.iter().map(|h| h.element), n)?;
    all_below("a motion of a held element", m.holds.iter().filter_map(|h| h.motion), m.motions.len())?;
    all_below("a fix", m.holds.iter().map(|h| h.fix), m.fix_names.len())?;
    all_below("a loaded element", m.loads.iter().flat_map(|l| &l.forces).map(|f| f.0), n)?;
    all_below("a corner of a pressed face", m.pressures.iter().flat_map(|p| &p.faces).flatten().copied(), n)?;
    all_below("a grabbed element", m.grabs.iter().flat_map(|g| &g.carried_by).map(|c| c.0), n)?;
    all_below("a switched element", m.schedule.iter().flat_map(|s| &s.elements).copied(), n)?;
    all_below("a probed element", m.probes.iter().flat_map(|p| &p.elements).copied(), n)?;
    all_below("an element of a probed point", m.probes.iter().flat_map(|p| &p.shares).map(|s| s.0), n)
}

fn check_bindings(what: &str, bindings: &Bindings, elements: usize) -> Check {
    let starts = &bindings.starts;
    same(&format!("weights of the {what}"), bindings.weights.len(), bindings.elements.len())?;
    let ends_well = starts.first() == Some(&0) && starts.last().map(|&s| s as usize) == Some(bindings.elements.len());
    if !ends_well || starts.windows(2).any(|w| w[0] > w[1]) {
        return Err(format!("the starts of the {what} are not in order"));
    }
    all_below(&format!("an element of the {what}"), bindings.elements.iter().copied(), elements)?;
    all_finite(&format!("the weights of the {what}"), bindings.weights.iter())
}

fn check_skin(what: &str, skin: &Skin, model: &Model) -> Check {
    all_below(&format!("the body of {what}"), std::iter::once(skin.body.0), model.bodies.len())?;
    check_surface(what, &skin.surface)?;
    check_bindings(&format!("vertices of {what}"), &skin.bindings, model.elements.len())?;
    same(&format!("vertices of {what}"), skin.bindings.len(), skin.rest.len())?;
    if skin.rest.len() < skin.surface.vertices.len() {
        return Err(format!("{what} has fewer vertices than its surface"));
    }
    all_below(&format!("a corner of {what}"), skin.triangles.iter().flatten().copied(), skin.rest.len())?;
    same(&format!("origins of the triangles of {what}"), skin.origin.len(), skin.triangles.len())?;
    all_below(&format!("an origin of {what}"), skin.origin.iter().copied(), skin.surface.triangles.len())?;
    all_finite(what, skin.rest.iter().flat_map(DVec3::to_array))
}

fn check_surface(what: &str, surface: &Surface) -> Check {
    let triangles = surface.triangles.len();
    all_below(&format!("a corner of {what}"), surface.triangles.iter().flatten().copied(), surface.vertices.len())?;
    all_finite(what, surface.vertices.iter().flat_map(DVec3::to_array))?;
    let beyond = |first: u32, count: u32| first as usize + count as usize > triangles;
    if let Some(part) = surface.parts.iter().find(|p| beyond(p.first, p.count)) {
        return Err(format!("{what} has fewer triangles than its part \"{}\"", part.name));
    }
    let trace = &surface.trace;
    let file_vertices = if trace.vertices.is_empty() { surface.vertices.len() } else { trace.vertices.len() };
    all_below(&format!("a traced vertex of {what}"), trace.vertices.iter().copied(), surface.vertices.len())?;
    all_below(&format!("a traced corner of {what}"), trace.corners.iter().flatten().copied(), file_vertices)?;
    all_below(&format!("a texture corner of {what}"), trace.uv_corners.iter().flatten().copied(), trace.uvs.len())?;
    for (name, length) in [("traced corners", trace.corners.len()), ("texture corners", trace.uv_corners.len())] {
        same(&format!("{name} of {what}"), length, if length == 0 { 0 } else { triangles })?;
    }
    all_finite(what, trace.uvs.iter().flatten())
}

fn same(what: &str, found: usize, expected: usize) -> Check {
    if found == expected { Ok(()) } else { Err(format!("there are {found} {what} instead of {expected}")) }
}

fn all_below(what: &str, mut numbers: impl Iterator<Item = u32> + Sized, count: usize) -> Check {
    match numbers.find(|&i| i as usize >= count) {
        Some(i) => Err(format!("{what} has the number {i}, but there are only {count}")),
        None => Ok(()),
    }
}

fn all_finite<N: std::borrow::Borrow<f64>>(what: &str, numbers: impl IntoIterator<Item = N>) -> Check {
    match numbers.into_iter().all(|a| a.borrow().is_finite()) {
        true => Ok(()),
        false => Err(format!("a number of {what} is not finite")),
    }
}
