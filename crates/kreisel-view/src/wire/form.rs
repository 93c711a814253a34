//! What does not change from frame to frame: the model, who carries what, and the surfaces.

use crate::session::parameters;
use crate::wire::encoder::Shown;
use crate::wire::table::Table;
use kreisel::DVec3;
use kreisel::model::collider::Collider;
use kreisel::model::joint::{Joint, JointKind, Side};
use kreisel::model::setup::{Colour, Show};
use kreisel::model::shape::{Shape, surface};
use kreisel::model::{FREE, Model, ObstacleShape};
use kreisel::readout::skin::{SkinForm, WOUND};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Copies of a body differ by rounding; nobody sees that [m].
const ROUNDING: f64 = 1e-7;
/// Sides of round shapes.
const SIDES: usize = 40;

/// The model as the page needs it.
pub fn model(model: &Model) -> Vec<u8> {
    let mut table = Table::default();
    let e = &model.elements;
    table.f32s("radius", e.radius.iter().map(|&r| r as f32));
    table.f32s("mass", e.mass.iter().map(|&m| m as f32));
    table.u32s("body", e.body.iter().map(|b| b.0));
    table.u8s("outer", outer(model).into_iter().map(u8::from));
    table.u8s("held", held(model).into_iter().map(u8::from));
    table.u32s("ends", model.connections.ends.iter().flatten().copied());
    table.finish(&meta(model))
}

fn meta(model: &Model) -> Value {
    let v = &model.view;
    json!({
        "title": model.title,
        "elements": model.elements.len(),
        "connections": model.connections.len(),
        "frame": model.frame,
        "duration": model.duration,
        "gravity": model.gravity.to_array(),
        "bodies": model.bodies.iter().map(|b| json!({ "name": b.name, "elements": b.elements.len() })).collect::<Vec<_>>(),
        "bare": bare(model),
        "materials": model.materials.iter().map(|m| m.name.clone()).collect::<Vec<_>>(),
        "obstacles": model.obstacles.iter().map(|o| obstacle(&o.name, &o.shape)).collect::<Vec<_>>(),
        "shapes": [],
        "joints": model.joints.iter().map(joint).collect::<Vec<_>>(),
        "parameters": parameters::list(model),
        "view": {
            "eye": v.eye.map(|a| a.to_array()), "target": v.target.map(|a| a.to_array()), "angle": v.field_of_view,
            "follow": v.follow, "start": followed(model).map(|a| a.to_array()),
            "show": match v.show { Show::Skins => "skins", Show::Elements => "elements", Show::Connections => "connections" },
            "colour": match v.colour { Colour::Body => "body", Colour::Rigid => "rigid", Colour::Speed => "speed", Colour::Stress => "stress" },
        },
    })
}

/// Where the body that the camera follows was at first [m]: who comes later is as far on as it is.
fn followed(model: &Model) -> Option<DVec3> {
    let body = model.bodies.iter().find(|b| Some(&b.name) == model.view.follow.as_ref())?;
    let sum: DVec3 = body.elements.iter().map(|&e| model.elements.rest.get(e as usize)).sum();
    (!body.elements.is_empty()).then(|| sum / body.elements.len() as f64)
}

fn obstacle(name: &str, shape: &ObstacleShape) -> Value {
    match shape {
        ObstacleShape::Plane { normal, offset } => {
            json!({ "name": name, "kind": "plane", "normal": normal.to_array(), "offset": offset })
        }
        ObstacleShape::Sphere { centre, radius } => {
            json!({ "name": name, "kind": "sphere", "centre": centre.to_array(), "radius": radius })
        }
        ObstacleShape::Box { centre, half_size, rotation } => json!({
            "name": name, "kind": "box", "centre": centre.to_array(), "half": half_size.to_array(),
            "rotation": rotation.to_array(),
        }),
    }
}

/// A joint: what it is called, what it leaves free, and where its sides are.
fn joint(joint: &Joint) -> Value {
    let side = |s: &Side| {
        json!({
            "element": s.element, "at": s.at.to_array(), "axis": (s.frame * DVec3::X).to_array(), "rigid": s.rigid,
        })
    };
    let kind = match joint.kind {
        JointKind::Fixed => "fixed",
        JointKind::Ball => "ball",
        JointKind::Hinge => "hinge",
        JointKind::Slider => "slider",
        JointKind::Distance => "distance",
    };
    let pairs: Vec<_> = joint.pairs.iter().map(|[a, b]| [side(a), side(b)]).collect();
    json!({ "name": joint.name, "kind": kind, "pairs": pairs })
}

/// Bodies without a skin.
fn bare(model: &Model) -> Vec<bool> {
    let mut bare = vec![true; model.bodies.len()];
    for skin in &model.skins {
        skin.bindings.elements.iter().for_each(|&e| bare[model.elements.body[e as usize].0 as usize] = false);
    }
    model.colliders.iter().for_each(|c| bare[c.body.0 as usize] = false);
    bare
}

fn outer(model: &Model) -> Vec<bool> {
    let surface = &model.elements.surface;
    let mut outer = surface.clone();
    for &[a, b] in &model.connections.ends {
        outer[a as usize] |= surface[b as usize];
        outer[b as usize] |= surface[a as usize];
    }
    outer
}

fn held(model: &Model) -> Vec<bool> {
    let mut held = vec![false; model.elements.len()];
    model.holds.iter().for_each(|h| held[h.element as usize] = true);
    held
}

/// Who carries what: for every element its aggregate, and its place in the frame of that; whose places are sent although they
/// are carried; and what is broken.
pub fn topology(shown: &Shown) -> Vec<u8> {
    let mut table = Table::default();
    let local = |e: usize| {
        let pose = shown.poses.get(shown.owner[e] as usize);
        pose.map_or(DVec3::ZERO, |(p, q)| q.inverse() * (shown.position.get(e) - *p))
    };
    let carried = (0..shown.owner.len()).filter(|&e| shown.owner[e] != FREE);
    table.u32s("owner", shown.owner.iter().copied());
    table.f32s("local", carried.flat_map(|e| local(e).as_vec3().to_array()));
    table.u32s("bent", (0..shown.owner.len()).filter(|&e| shown.bends(e)).map(|e| e as u32));
    table.u32s("broken", shown.broken.iter().copied());
    table.u32s("parted", shown.parted.iter().copied());
    table.finish(&json!({ "aggregates": shown.poses.len() }))
}

/// Surfaces of all bodies with what their vertices ride on.
pub fn skins(model: &Model, broken: &[u32]) -> Vec<u8> {
    let mut table = Table::default();
    let mut metas = Vec::new();
    let mut has_faces = vec![false; model.bodies.len()];
    model.faces.iter().for_each(|f| has_faces[model.elements.body[f[0] as usize].0 as usize] = true);
    let mut is_exact = vec![false; model.bodies.len()];
    model.colliders.iter().for_each(|c| is_exact[c.body.0 as usize] = true);
    // Exact shapes are drawn as they are.
    for skin in model.skins.iter().filter(|s| !is_exact[s.body.0 as usize]) {
        let i = metas.len();
        let form = SkinForm::new(model, skin, broken);
        let (bindings, name) = (form.bindings(), |key: &str| format!("{key}{i}"));
        table.u32s(&name("starts"), bindings.starts.iter().copied());
        table.u32s(&name("riders"), bindings.elements.iter().copied());
        table.f32s(&name("weights"), bindings.weights.iter().map(|&w| w as f32));
        table.u32s(&name("node"), form.nodes().iter().copied());
        table.u32s(&name("triangles"), form.triangles().iter().flatten().copied());
        let part = |t: usize| part_of(skin, form.origin(t));
        table.u8s(&name("part"), (0..form.triangles().len()).map(part));
        let parts: Vec<&str> = skin.surface.parts.iter().map(|p| p.name.as_str()).collect();
        // Lines along the cells are for surfaces that are made of them, not for those that only ride on them.
        let of_cells = bindings.starts.windows(2).all(|w| w[1] - w[0] == 1);
        let ruled = of_cells && has_faces[skin.body.0 as usize];
        metas.push(json!({ "body": skin.body.0, "parts": parts, "ruled": ruled }));
    }
    add_colliders(&mut table, &mut metas, model);
    table.finish(&json!({ "skins": metas }))
}

/// What colliders have in common that look the same: shape, and place in the frame of the body up to rounding.
fn likeness(collider: &Collider) -> (String, [i64; 7]) {
    let ([x, y, z], [a, b, c, d]) = (collider.at.to_array(), collider.rotation.to_array());
    (format!("{:?}", collider.shape), [x, y, z, a, b, c, d].map(|v| (v / ROUNDING).round() as i64))
}

/// Exact shapes; those that are equal share one surface, and balls say so.
fn add_colliders(table: &mut Table, metas: &mut Vec<Value>, model: &Model) {
    let mut known: BTreeMap<(String, [i64; 7]), usize> = BTreeMap::new();
    for collider in &model.colliders {
        let i = metas.len();
        let like = *known.entry(likeness(collider)).or_insert(i);
        if like == i {
            let triangles = add_shape(table, &format!("local{i}"), collider);
            table.u32s(&format!("triangles{i}"), triangles.into_iter().flatten());
        }
        let ball = if let Shape::Sphere { radius } = collider.shape { Some(radius) } else { None };
        metas.push(json!({
            "body": collider.body.0, "parts": [], "ruled": false, "carrier": collider.element, "like": like,
            "ball": ball, "at": collider.at.to_array(),
        }));
    }
}

/// The surface of an exact shape in the frame of the rigid body that carries it. Round shapes share their vertices, others
/// have three for each triangle, so that their edges stay sharp.
fn add_shape(table: &mut Table, name: &str, collider: &Collider) -> Vec<[u32; 3]> {
    let (vertices, triangles) = surface(&collider.shape, SIDES);
    let place = |v: DVec3| (collider.at + collider.rotation * v).as_vec3().to_array();
    if matches!(collider.shape, Shape::Sphere { .. } | Shape::Ellipsoid { .. } | Shape::Capsule { .. }) {
        table.f32s(name, vertices.iter().flat_map(|&v| place(v)));
        return triangles;
    }
    table.f32s(name, triangles.iter().flatten().flat_map(|&v| place(vertices[v as usize])));
    (0..triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect()
}

/// The part of the surface that a triangle belongs to, from 0; 254: none, 255: laid bare by fracture.
fn part_of(skin: &kreisel::model::Skin, triangle: u32) -> u8 {
    if triangle == WOUND {
        return 255;
    }
    let Some(&origin) = skin.origin.get(triangle as usize) else { return 254 };
    let holds = |p: &kreisel::model::SurfacePart| origin >= p.first && origin - p.first < p.count;
    skin.surface.parts.iter().position(holds).map_or(254, |p| p.min(253) as u8)
}
