//! Shapes that stand for lists of elements: chain, ring, dumbbell, ball.

use crate::keys::{BALL, CHAIN, DUMBBELL, RING};
use crate::read::node::Node;
use crate::read::table::Table;
use kreisel::DVec3;
use kreisel::model::setup::{BodyShape, ConnectionSetup, ElementSetup};
use std::f64::consts::TAU;

/// What chain, ring and dumbbell have in common.
struct Links {
    radius: f64,
    mass: Option<f64>,
    section: Option<f64>,
}

impl Links {
    fn read(table: &Table<'_>) -> Option<Self> {
        let radius = table.required_number("radius");
        Some(Self { radius: radius?, mass: table.number("mass"), section: table.number("section") })
    }

    fn element(&self, at: DVec3) -> ElementSetup {
        ElementSetup { at, velocity: DVec3::ZERO, mass: self.mass, radius: self.radius }
    }

    fn connection(&self, a: u32, b: u32) -> ConnectionSetup {
        ConnectionSetup { ends: (a, b), section: self.section, rest_length: None }
    }
}

fn direction(table: &Table<'_>, key: &str, default: DVec3) -> Option<DVec3> {
    match table.get(key) {
        Some(node) => node.direction(),
        None => Some(default),
    }
}

/// Elements in a row from the origin on.
pub(super) fn chain(node: &Node<'_>) -> Option<BodyShape> {
    let table = node.table(&CHAIN)?;
    let (links, spacing) = (Links::read(&table), table.required_number("spacing"));
    let count = table.count(table.require("count"), "count")?;
    let step = direction(&table, "direction", DVec3::X)? * spacing?;
    let links = links?;
    Some(BodyShape::Elements {
        elements: (0..count).map(|i| links.element(step * f64::from(i))).collect(),
        connections: (1..count).map(|i| links.connection(i - 1, i)).collect(),
    })
}

/// Elements in a circle around the origin.
pub(super) fn ring(node: &Node<'_>) -> Option<BodyShape> {
    let table = node.table(&RING)?;
    let (links, size) = (Links::read(&table), table.required_number("size"));
    let count = table.count(table.require("count"), "count")?;
    let (u, v) = direction(&table, "axis", DVec3::Z)?.any_orthonormal_pair();
    let (links, size) = (links?, size?);
    let place = |i: u32| {
        let (sin, cos) = (TAU * f64::from(i) / f64::from(count)).sin_cos();
        size * (cos * u + sin * v)
    };
    Some(BodyShape::Elements {
        elements: (0..count).map(|i| links.element(place(i))).collect(),
        connections: (0..count).map(|i| links.connection(i, (i + 1) % count)).collect(),
    })
}

/// Two elements to either side of the origin.
pub(super) fn dumbbell(node: &Node<'_>) -> Option<BodyShape> {
    let table = node.table(&DUMBBELL)?;
    let (links, length) = (Links::read(&table), table.required_number("length"));
    let half = direction(&table, "direction", DVec3::X)? * (0.5 * length?);
    let links = links?;
    let elements = vec![links.element(-half), links.element(half)];
    Some(BodyShape::Elements { elements, connections: vec![links.connection(0, 1)] })
}

/// One element at the origin.
pub(super) fn ball(node: &Node<'_>) -> Option<BodyShape> {
    let table = node.table(&BALL)?;
    let links = Links { radius: table.required_number("radius")?, mass: table.number("mass"), section: None };
    Some(BodyShape::Elements { elements: vec![links.element(DVec3::ZERO)], connections: Vec::new() })
}
