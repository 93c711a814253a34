//! Bodies: their matter joined into one model, their names, and how they move at the start.

use crate::build::BuildError;
use crate::discretize::{Fabric, Matter, bind, box_of_fabric, box_skin, element_list, exact, solid_lattice};
use crate::model::element::{NO_ANCHOR, NO_PERCH};
use crate::model::region::RegionPoint;
use crate::model::setup::{BodySetup, BodyShape, Fix, RigidPart};
use crate::model::shape::{ShapeError, Sheets};
use crate::model::{Body, BodyId, Cell, Material, MaterialId, Model, Origin, Region, Setup, State};
use glamx::DVec3;

/// All bodies of a setup in one model, without what refers to elements by region.
pub fn assemble(setup: &Setup) -> Result<Model, BuildError> {
    let mut model = Model {
        title: setup.title.clone(),
        gravity: setup.gravity,
        duration: setup.duration,
        step: setup.step,
        frame: setup.frame,
        integrator: setup.integrator,
        implicit: setup.implicit,
        law: setup.law,
        constraint: setup.constraint,
        drag: setup.drag,
        obstacles: setup.obstacles.clone(),
        switching: setup.switching,
        contact: setup.contact,
        view: setup.view.clone(),
        ..Model::default()
    };
    for (b, body) in setup.bodies.iter().enumerate() {
        let path = format!("body[{b}]");
        if model.bodies.iter().any(|other| other.name == body.name) {
            let message = format!("two bodies are called \"{}\"", body.name);
            return Err(BuildError::new(&format!("{path}.name"), message, "give each body a name of its own"));
        }
        let sheets = sheets(setup, body);
        let materials = effective_materials(body, sheets, &path)?;
        let mut matter = matter_of(body, &materials, sheets, &path)?;
        add_skin(body, &mut matter, &path)?;
        append(&mut model, body, materials, &matter, &path)?;
    }
    Ok(model)
}

/// The body's material and those of its inlays, with densities such that the body has the mass it was given.
fn effective_materials(body: &BodySetup, sheets: Sheets, path: &str) -> Result<Vec<Material>, BuildError> {
    let own = std::iter::once(&body.material);
    let mut materials: Vec<Material> = own.chain(body.inlays.iter().map(|(_, m)| m)).cloned().collect();
    let (Some(mass), false) = (body.mass, matches!(body.shape, BodyShape::Elements { .. })) else {
        return Ok(materials);
    };
    let total: f64 = matter_of(body, &materials, sheets, path)?.masses.iter().sum();
    if total > 0.0 {
        materials.iter_mut().for_each(|m| m.density *= mass / total);
    }
    Ok(materials)
}

/// What to do about a shape that cannot be.
fn help_for(error: &ShapeError) -> &'static str {
    match error {
        ShapeError::Open { .. } => "close it, hold the body in place, or give its mass: then it is a sheet",
        _ => "sizes are positive and finite, and a body has a volume",
    }
}

/// Open meshes may be sheets where the mass of the body is given, or held wholly and of no account.
pub fn sheets(setup: &Setup, body: &BodySetup) -> Sheets {
    let holds = |fix: &Fix| fix.axes == [true; 3] && fix.region == Region::Body(body.name.clone());
    if body.mass.is_some() || setup.fixes.iter().any(holds) { Sheets::Even } else { Sheets::Refused }
}

fn matter_of(body: &BodySetup, materials: &[Material], sheets: Sheets, path: &str) -> Result<Matter, BuildError> {
    let material_at = |place: DVec3| {
        let point = RegionPoint { position: body.at + body.rotation * place, body: &body.name, index: u32::MAX };
        let holds = |(region, _): &(Region, Material)| region.contains(point, Region::TOLERANCE);
        body.inlays.iter().rposition(holds).map_or(0, |k| k as u16 + 1)
    };
    let fabric = Fabric { materials, at: &material_at };
    if let BodyShape::Exact { parts, centre } = &body.shape {
        let wrong = |e: ShapeError| BuildError::new(&format!("{path}.shape"), e.to_string(), help_for(&e));
        return exact(parts, *centre, materials[0].density, sheets).map_err(wrong);
    }
    let matter = match &body.shape {
        BodyShape::Box { size, cells } => box_of_fabric(*size, *cells, fabric),
        BodyShape::Solid { surface, resolution } => solid_lattice(surface, *resolution, fabric),
        BodyShape::Elements { elements, connections } => element_list(elements, connections, &materials[0]),
        BodyShape::Exact { .. } => Ok(Matter::default()),
    };
    let mut matter =
        matter.map_err(|e| BuildError::new(&format!("{path}.shape"), e.to_string(), "see the scene reference"))?;
    if matter.is_empty() {
        return Err(BuildError::new(
            &format!("{path}.shape"),
            "the body has no elements",
            "give it at least one element",
        ));
    }
    let total: f64 = matter.masses.iter().sum();
    if let (Some(mass), BodyShape::Elements { .. }) = (body.mass, &body.shape) {
        matter.masses.iter_mut().for_each(|m| *m *= mass / total);
    }
    Ok(matter)
}

/// Boxes and solids get their own surface as a skin.
fn add_skin(body: &BodySetup, matter: &mut Matter, path: &str) -> Result<(), BuildError> {
    match &body.shape {
        BodyShape::Box { .. } => matter.skin = Some(box_skin(matter)),
        BodyShape::Solid { surface, .. } if matter.skin.is_none() => {
            // The edges of the cells are the shortest connections.
            let cell = matter.connections.classes.iter().map(|c| c.rest_length).fold(f64::INFINITY, f64::min);
            let help = "choose smaller cells, or leave the surface's vertices where numbers are finite";
            let skin = bind(surface, matter, cell);
            matter.skin = Some(skin.map_err(|e| BuildError::new(&format!("{path}.shape"), e.to_string(), help))?);
        }
        BodyShape::Solid { .. } | BodyShape::Elements { .. } | BodyShape::Exact { .. } => {}
    }
    Ok(())
}

fn append(
    model: &mut Model,
    body: &BodySetup,
    materials: Vec<Material>,
    matter: &Matter,
    path: &str,
) -> Result<(), BuildError> {
    let first = model.elements.len();
    if first + matter.len() > u32::MAX as usize / 2 {
        return Err(BuildError::new(path, "more elements than can be numbered", "choose fewer cells"));
    }
    let shift = first as u32;
    let known = model.materials.iter().position(|m| materials.len() == 1 && *m == materials[0]);
    let own_material = known.unwrap_or(model.materials.len()) as u16;
    if known.is_none() {
        model.materials.extend(materials);
    }
    let e = &mut model.elements;
    for i in 0..matter.len() {
        e.rest.push(body.at + body.rotation * matter.positions.get(i));
        let anchor = matter.anchors[i];
        e.anchor.push(if anchor == NO_ANCHOR { NO_ANCHOR } else { anchor + shift });
        e.material.push(MaterialId(own_material + matter.material.get(i).copied().unwrap_or(0)));
    }
    e.mass.extend(&matter.masses);
    e.radius.extend(&matter.radii);
    e.inset.extend(&matter.insets);
    e.surface.extend(&matter.surface);
    append_connections(model, matter, shift);
    append_perches(model, matter, first);
    append_skin(model, body, matter, shift);
    append_names(model, body, first, matter, path)
}

fn append_connections(model: &mut Model, matter: &Matter, shift: u32) {
    let c = &mut model.connections;
    let class_shift = c.classes.len() as u32;
    c.ends.extend(matter.connections.ends.iter().map(|&[a, b]| [a + shift, b + shift]));
    c.class.extend(matter.connections.class.iter().map(|k| k + class_shift));
    c.classes.extend(&matter.connections.classes);
    model.cells.extend(matter.cells.iter().map(|cell| Cell { corners: cell.corners.map(|k| k + shift), ..*cell }));
    model.faces.extend(matter.faces.iter().map(|face| face.map(|k| k + shift)));
}

/// The list stays empty until a body has perches.
fn append_perches(model: &mut Model, matter: &Matter, first: usize) {
    let perch = &mut model.elements.perch;
    if matter.perches.is_empty() && perch.is_empty() {
        return;
    }
    let before = model.perches.len() as u32;
    perch.resize(first, NO_PERCH);
    perch.extend(matter.perch.iter().map(|&p| if p == NO_PERCH { NO_PERCH } else { p + before }));
    perch.resize(first + matter.len(), NO_PERCH);
    model.perches.append(&matter.perches, first as u32);
}

/// The skin, moved from the body's axes to the reference configuration. Exact shapes that touch need none: who wants to see them
/// [dresses](crate::readout::dress::dress) the model.
fn append_skin(model: &mut Model, body: &BodySetup, matter: &Matter, shift: u32) {
    let touches_exactly = body.contact && matches!(body.shape, BodyShape::Exact { .. });
    let Some(skin) = matter.skin.as_ref().filter(|_| !touches_exactly) else { return };
    let mut skin = skin.clone();
    skin.body = BodyId(model.bodies.len() as u32);
    let place = |x: &mut DVec3| *x = body.at + body.rotation * *x;
    skin.rest.iter_mut().for_each(place);
    skin.surface.vertices.iter_mut().for_each(place);
    skin.bindings.elements.iter_mut().for_each(|e| *e += shift);
    model.skins.push(skin);
}

/// Elements get the name of the body, or of the split part that they lie in.
fn append_names(
    model: &mut Model,
    body: &BodySetup,
    first: usize,
    matter: &Matter,
    path: &str,
) -> Result<(), BuildError> {
    let (count, coincident_spheres) = (matter.len(), matter.coincident_spheres);
    let automatic = body.rigid.contains(&RigidPart::Automatic);
    let quasi_static = body.rigid.contains(&RigidPart::QuasiStatic);
    let start = model.bodies.len();
    for name in std::iter::once(&body.name).chain(body.split.iter().map(|s| &s.0)) {
        let (name, contact) = (name.clone(), body.contact);
        let fidelity = matter.fidelity.clone().filter(|_| model.bodies.len() == start);
        let cell_side = matter.fidelity.as_ref().map(|f| f.side);
        let elements = Vec::new();
        model.bodies.push(Body {
            name,
            elements,
            automatic,
            quasi_static,
            contact,
            coincident_spheres,
            cell_side,
            fidelity,
        });
    }
    let slack = Region::TOLERANCE;
    for i in first..first + count {
        let point = RegionPoint { position: model.elements.rest.get(i), body: &body.name, index: (i - first) as u32 };
        let part = body.split.iter().position(|(_, region)| region.contains(point, slack)).map_or(0, |k| k + 1);
        model.elements.body.push(BodyId((start + part) as u32));
        model.bodies[start + part].elements.push(i as u32);
    }
    match model.bodies[start..].iter().position(|b| b.elements.is_empty()) {
        Some(k) if k > 0 => {
            Err(BuildError::new(&format!("{path}.split"), "a part has no elements", "check the region of the split"))
        }
        _ => Ok(()),
    }
}

/// All elements of the `b`-th body of the setup, its split parts included.
pub fn elements_of(setup: &Setup, model: &Model, b: usize) -> Vec<u32> {
    let before: usize = setup.bodies[..b].iter().map(|x| 1 + x.split.len()).sum();
    let parts = &model.bodies[before..before + 1 + setup.bodies[b].split.len()];
    let mut all: Vec<u32> = parts.iter().flat_map(|p| p.elements.iter().copied()).collect();
    all.sort_unstable();
    all
}

/// Each body's velocity and spin about its centre of mass, and its elements' own velocities.
pub fn set_velocities(setup: &Setup, model: &Model, state: &mut State) {
    for (b, body) in setup.bodies.iter().enumerate() {
        let elements = elements_of(setup, model, b);
        let mass: f64 = elements.iter().map(|&e| model.elements.mass[e as usize]).sum();
        let moment = elements
            .iter()
            .fold(DVec3::ZERO, |s, &e| s + state.position.get(e as usize) * model.elements.mass[e as usize]);
        let centre = moment / mass;
        for (k, &e) in elements.iter().enumerate() {
            let own = match &body.shape {
                BodyShape::Elements { elements, .. } => elements[k].velocity,
                BodyShape::Box { .. } | BodyShape::Solid { .. } | BodyShape::Exact { .. } => DVec3::ZERO,
            };
            let r = state.position.get(e as usize) - centre;
            state.velocity.set(e as usize, body.velocity + body.spin.cross(r) + own);
        }
    }
}

/// Lone balls turn with their body.
pub fn spin_balls(setup: &Setup, model: &Model, state: &mut State) {
    for (b, body) in setup.bodies.iter().enumerate().filter(|(_, body)| body.spin != DVec3::ZERO) {
        for e in elements_of(setup, model, b) {
            let owner = state.owner[e as usize] as usize;
            if let Some(ball) = state.aggregates.get_mut(owner).filter(|a| a.origin == Origin::Lone) {
                ball.angular_momentum = body.spin * ball.inertia;
            }
        }
    }
}
