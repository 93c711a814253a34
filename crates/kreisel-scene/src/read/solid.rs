//! Solids: primitives and what they are combined to, and the surface around them.

use crate::keys::{BLEND, CAPSULE, CONE, COW, CYLINDER, HOLLOW, SOLID, SOLIDS, SPHERE, TORUS};
use crate::read::node::Node;
use crate::read::resolution::side;
use crate::read::rotation::rotation;
use crate::read::table::Table;
use kreisel::model::setup::{BodyShape, Resolution};
use kreisel::{DQuat, DVec3};
use kreisel_shape::{Solid, mesh};
use std::sync::Arc;

/// Length of a cow of 600 kg, if it is as dense as water [m].
const COW_LENGTH: f64 = 2.4;

/// A triangle's edge is at most this share of a cell, so that the surface is as fine as what it is cut into …
const EDGE_PER_CELL: f64 = 1.0;
/// … and this share of the shortest side, so that round things look round.
const EDGE_PER_SIDE: f64 = 1.0 / 12.0;

/// A body in the form of a solid; `key` is the word of the shape.
pub(super) fn solid_shape(table: &Table<'_>, key: &str, resolution: Resolution) -> Option<BodyShape> {
    let solid = one(table, key)?;
    surround(&table.get(key)?, &solid, resolution)
}

/// The cow that a shape means by its name alone.
pub(super) fn cow(node: &Node<'_>, resolution: Resolution) -> Option<BodyShape> {
    surround(node, &Solid::Cow { length: COW_LENGTH }, resolution)
}

fn surround(node: &Node<'_>, solid: &Solid, resolution: Resolution) -> Option<BodyShape> {
    if node.reader.is_foul() {
        return None;
    }
    if let Err(error) = solid.check() {
        return node.error(error.to_string(), None);
    }
    let (low, high) = solid.bounds();
    let sides = high - low;
    let cell = side(resolution, sides, sides.element_product());
    let edge = (EDGE_PER_CELL * cell).min(EDGE_PER_SIDE * sides.min_element());
    match mesh(solid, edge) {
        Ok(surface) => Some(BodyShape::Solid { surface: Arc::new(surface), resolution }),
        Err(error) => node.error(error.to_string(), None),
    }
}

/// The solid under a key of a shape or of a part.
fn one(table: &Table<'_>, key: &str) -> Option<Solid> {
    let node = table.get(key)?;
    match key {
        "box" => Some(Solid::Box { size: table.vector("box")? }),
        "ellipsoid" => Some(Solid::Ellipsoid { radii: table.vector("ellipsoid")? }),
        "sphere" => Some(Solid::Sphere { radius: node.table(&SPHERE)?.required_number("radius")? }),
        "cylinder" => rod(&node.table(&CYLINDER)?, key),
        "capsule" => rod(&node.table(&CAPSULE)?, key),
        "torus" => torus(&node.table(&TORUS)?),
        "cone" => cone(&node.table(&CONE)?),
        "cow" => Some(Solid::Cow { length: node.table(&COW)?.number("length").unwrap_or(COW_LENGTH) }),
        "union" => Some(Solid::Union(parts(&node)?)),
        "intersection" => Some(Solid::Intersection(parts(&node)?)),
        "difference" => {
            let mut parts = parts(&node)?;
            let first = parts.remove(0);
            Some(Solid::Difference(Box::new(first), parts))
        }
        "blend" => blend(&node.table(&BLEND)?),
        _ => hollow(&node.table(&HOLLOW)?),
    }
}

fn rod(table: &Table<'_>, key: &str) -> Option<Solid> {
    let (radius, height) = (table.required_number("radius")?, table.required_number("height")?);
    Some(if key == "capsule" { Solid::Capsule { radius, height } } else { Solid::Cylinder { radius, height } })
}

fn torus(table: &Table<'_>) -> Option<Solid> {
    let (radius, thickness) = (table.required_number("radius")?, table.required_number("thickness")?);
    Some(Solid::Torus { radius, thickness })
}

fn cone(table: &Table<'_>) -> Option<Solid> {
    let (radius, height) = (table.required_number("radius")?, table.required_number("height")?);
    Some(Solid::Cone { radius, height, top: table.number("top").unwrap_or(0.0) })
}

fn blend(table: &Table<'_>) -> Option<Solid> {
    Some(Solid::Blend { parts: parts(&table.require("parts")?)?, radius: table.required_number("radius")? })
}

fn hollow(table: &Table<'_>) -> Option<Solid> {
    let wall = table.required_number("wall")?;
    Some(Solid::Shell { solid: Box::new(part(&table.require("solid")?)?), wall })
}

fn parts(node: &Node<'_>) -> Option<Vec<Solid>> {
    let entries = node.list("a list of solids")?;
    if entries.is_empty() {
        return node.error("the list of solids is empty", "write for example `[{ box = [1, 1, 1] }]`".to_string());
    }
    let parts: Vec<Option<Solid>> = entries.iter().map(part).collect();
    parts.into_iter().collect()
}

/// A solid inside another, at its place.
fn part(node: &Node<'_>) -> Option<Solid> {
    let table = node.table(&SOLID)?;
    let words: Vec<&'static str> = std::iter::once("box").chain(SOLIDS).collect();
    let solid = one(&table, table.only_one_of(&words, true)?)?;
    let at = table.vector("at").unwrap_or(DVec3::ZERO);
    let rotation = table.get("rotation").and_then(|n| rotation(&n)).unwrap_or(DQuat::IDENTITY);
    if at == DVec3::ZERO && rotation == DQuat::IDENTITY {
        return Some(solid);
    }
    Some(Solid::Moved { at, rotation, scale: 1.0, solid: Box::new(solid) })
}
