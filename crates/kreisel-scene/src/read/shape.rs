//! Shapes of bodies.

use crate::keys::{CONNECTION, ELEMENT, SHAPE, SOLIDS};
use crate::read::exact::exact;
use crate::read::lists::{ball, chain, dumbbell, ring};
use crate::read::mesh::mesh_shape;
use crate::read::node::Node;
use crate::read::resolution::resolution;
use crate::read::solid::{cow, solid_shape};
use crate::read::table::Table;
use kreisel::DVec3;
use kreisel::model::setup::{BodyShape, ConnectionSetup, ElementSetup};

/// The words for shapes that are not solids.
const OTHERS: [&str; 8] = ["box", "elements", "chain", "ring", "dumbbell", "ball", "mesh", "exact"];

/// The shape of a body; `cells`, `cell` and `elements` are the body's keys of those names.
pub(super) fn shape(body: &Table<'_>) -> Option<BodyShape> {
    let node = body.require("shape")?;
    if node.is_text() {
        node.word(&["cow"])?;
        return cow(&node, resolution(body)?);
    }
    let table = node.table(&SHAPE)?;
    let words: Vec<&'static str> = OTHERS.into_iter().chain(SOLIDS).collect();
    let key = table.only_one_of(&words, true)?;
    refuse_strays(body, &table, key);
    let entry = table.get(key)?;
    match key {
        "box" => Some(BodyShape::Box {
            size: table.vector("box")?,
            cells: if body.get("cells").is_some() { body.count(body.get("cells"), "cells")? } else { 4 },
        }),
        "elements" => elements(&table, &entry),
        "chain" => chain(&entry),
        "ring" => ring(&entry),
        "dumbbell" => dumbbell(&entry),
        "ball" => ball(&entry),
        "exact" => exact(&entry, body.vector("centre")),
        "mesh" => mesh_shape(&entry, resolution(body)?),
        _ => solid_shape(&table, key, resolution(body)?),
    }
}

/// Refuses keys that mean nothing for this shape.
fn refuse_strays(body: &Table<'_>, shape: &Table<'_>, key: &str) {
    let is_solid = key == "mesh" || SOLIDS.contains(&key);
    let strays = [
        ("connections", "`elements`", shape.get("connections"), key == "elements"),
        ("cells", "`box`, a mesh or a solid", body.get("cells"), key == "box" || is_solid),
        ("cell", "a mesh or a solid", body.get("cell"), is_solid),
        ("elements", "a mesh or a solid", body.get("elements"), is_solid),
        ("centre", "`exact`", body.get("centre"), key == "exact"),
        ("inlays", "`box`, a mesh or a solid", body.get("inlays"), key == "box" || is_solid),
    ];
    for (name, owner, node, fits) in strays {
        if let Some(stray) = node.filter(|_| !fits) {
            stray.error::<()>(format!("`{name}` belongs to a shape of {owner}, this one is `{key}`"), None);
        }
    }
}

fn elements(table: &Table<'_>, node: &Node<'_>) -> Option<BodyShape> {
    let entries = node.list("a list of elements")?;
    if entries.is_empty() {
        return node.error("the list of elements is empty", "write for example `[{ radius = \"2 cm\" }]`".to_string());
    }
    let elements: Vec<Option<ElementSetup>> = entries.iter().map(element).collect();
    let connections = match table.get("connections") {
        Some(list) => connections(&list, entries.len())?,
        None => Vec::new(),
    };
    let elements: Option<Vec<ElementSetup>> = elements.into_iter().collect();
    let elements = elements?;
    refuse_same_place(&elements, &entries)?;
    Some(BodyShape::Elements { elements, connections })
}

fn element(node: &Node<'_>) -> Option<ElementSetup> {
    let table = node.table(&ELEMENT)?;
    Some(ElementSetup {
        at: table.vector("at").unwrap_or(DVec3::ZERO),
        velocity: table.vector("velocity").unwrap_or(DVec3::ZERO),
        mass: table.number("mass"),
        radius: table.required_number("radius")?,
    })
}

/// Two elements at one place have no direction between them.
fn refuse_same_place(elements: &[ElementSetup], nodes: &[Node<'_>]) -> Option<()> {
    let key = |i: &usize| elements[*i].at.to_array().map(|c| (c + 0.0).to_bits());
    let mut order: Vec<usize> = (0..elements.len()).collect();
    order.sort_by_key(|i| (key(i), *i));
    match order.windows(2).find(|w| key(&w[0]) == key(&w[1])) {
        Some(w) => nodes[w[1]].error(format!("elements {} and {} are at the same place", w[0], w[1]), None),
        None => Some(()),
    }
}

fn connections(list: &Node<'_>, count: usize) -> Option<Vec<ConnectionSetup>> {
    let entries = list.list("a list of connections")?;
    let connections: Vec<Option<ConnectionSetup>> = entries.iter().map(|n| connection(n, count)).collect();
    let connections: Option<Vec<ConnectionSetup>> = connections.into_iter().collect();
    let connections = connections?;
    let pair = |i: &usize| {
        let (a, b) = connections[*i].ends;
        (a.min(b), a.max(b))
    };
    let mut order: Vec<usize> = (0..connections.len()).collect();
    order.sort_by_key(|i| (pair(i), *i));
    if let Some(w) = order.windows(2).find(|w| pair(&w[0]) == pair(&w[1])) {
        let (a, b) = pair(&w[0]);
        return entries[w[1]].error(format!("elements {a} and {b} are connected twice"), None);
    }
    Some(connections)
}

fn connection(node: &Node<'_>, count: usize) -> Option<ConnectionSetup> {
    let table = node.table(&CONNECTION)?;
    let ends_node = table.require("ends")?;
    let ends = ends_node.list("two numbers of elements")?;
    let [first, second] = &ends[..] else {
        return ends_node.error(format!("a connection has two ends, found {}", ends.len()), None);
    };
    let end = |n: &Node<'_>| {
        let number = n.count(0, u32::MAX)?;
        if number as usize >= count {
            return n.error(format!("there are {count} elements, numbered from 0; there is no number {number}"), None);
        }
        Some(number)
    };
    let (a, b) = (end(first), end(second));
    let (a, b) = (a?, b?);
    if a == b {
        return ends_node.error("a connection needs two different elements", None);
    }
    Some(ConnectionSetup { ends: (a, b), section: table.number("section"), rest_length: table.number("rest_length") })
}
