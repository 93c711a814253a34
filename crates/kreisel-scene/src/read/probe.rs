//! Probes.

use crate::keys::PROBE;
use crate::read::node::Node;
use crate::read::region::Scope;
use crate::read::table::Table;
use kreisel::model::Region;
use kreisel::model::setup::{Probe, Quantity};

/// Quantities in the order of their words.
const QUANTITIES: [Quantity; 16] = [
    Quantity::Position,
    Quantity::Velocity,
    Quantity::Displacement,
    Quantity::Spin,
    Quantity::Momentum,
    Quantity::AngularMomentum,
    Quantity::Force,
    Quantity::Reaction,
    Quantity::ContactForce,
    Quantity::Strain,
    Quantity::Stress,
    Quantity::PrincipalStress,
    Quantity::VonMises,
    Quantity::Energy,
    Quantity::Rigid,
    Quantity::Joint,
];

/// A probe.
pub(super) fn probe(node: &Node<'_>, scope: Scope<'_>) -> Option<Probe> {
    let table = node.table(&PROBE)?;
    let region = scope.selected(&table);
    let joint = table.text("joint").map(str::to_string);
    let quantity = match (table.get("quantity"), &joint) {
        (Some(_), _) => *QUANTITIES.get(table.word("quantity")?)?,
        (None, Some(_)) => Quantity::Joint,
        (None, None) => Quantity::default(),
    };
    if (quantity == Quantity::Joint) != joint.is_some() {
        let key = table.get("quantity").or(table.get("joint"))?;
        return key.error(
            "joints, and they alone, are read by name",
            "write `joint = \"…\"` and no other quantity".to_string(),
        );
    }
    let mut region = region?.unwrap_or(Region::Everything);
    if let Some(entry) = table.get("element") {
        region = element(&table, &entry, scope)?;
    }
    let component = match table.get("component") {
        Some(entry) => Some(component(&entry, quantity)?),
        None => None,
    };
    let default_name = || joint.clone().unwrap_or_else(|| default_name(&region, &table));
    let name = table.text("name").map_or_else(default_name, str::to_string);
    Some(Probe { name, quantity, region, nearest: table.vector("nearest"), component, joint })
}

fn element(table: &Table<'_>, entry: &Node<'_>, scope: Scope<'_>) -> Option<Region> {
    let index = entry.count(0, u32::MAX)?;
    match table.get("body") {
        Some(body) => scope.element_of(entry, scope.body_name(&body)?, index),
        None => entry.error("an element needs its body", "add `body = \"…\"`".to_string()),
    }
}

fn default_name(region: &Region, table: &Table<'_>) -> String {
    let quantity = table.text("quantity").unwrap_or("position");
    match region.bodies().first() {
        Some(body) => format!("{body}-{quantity}"),
        None => quantity.to_string(),
    }
}

/// The words for the components of a quantity; none for scalars.
fn components_of(quantity: Quantity) -> &'static [&'static str] {
    match quantity {
        Quantity::Strain | Quantity::Stress => &["xx", "yy", "zz", "yz", "xz", "xy"],
        Quantity::PrincipalStress => &["largest", "middle", "smallest"],
        Quantity::Energy => &["kinetic", "gravity", "elastic"],
        Quantity::VonMises | Quantity::Rigid => &[],
        Quantity::Joint => &["coordinate", "speed", "effort", "force", "torque"],
        _ => &["x", "y", "z"],
    }
}

fn component(entry: &Node<'_>, quantity: Quantity) -> Option<u8> {
    let words = components_of(quantity);
    if words.is_empty() {
        return entry.error("this quantity is a single number and has no components", None);
    }
    u8::try_from(entry.word(words)?).ok()
}
