//! Regions.

use crate::keys::{AXIS, Kind, REGION, REGION_BOX, REGION_HALF_SPACE, REGION_SPHERE};
use crate::read::node::{Node, shorten};
use crate::read::table::Table;
use crate::suggest::offer;
use kreisel::DVec3;
use kreisel::model::Region;
use std::collections::BTreeMap;

/// The names of bodies (and of parts of bodies), each with the number of its elements if that is known.
pub(crate) type Names = BTreeMap<String, Option<u32>>;

/// What a region needs to know of its surroundings.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    /// All bodies.
    pub names: &'a Names,
    /// The body that the region is written in, or of.
    pub body: Option<&'a str>,
}

impl<'a> Scope<'a> {
    /// The same, inside a body.
    pub fn within(self, body: &'a str) -> Self {
        Self { body: Some(body), ..self }
    }

    /// A region, of the body that it is written in if it is written in one.
    pub fn region(&self, node: &Node<'_>) -> Option<Region> {
        let region = self.bare(node)?;
        let Some(body) = self.body else { return Some(region) };
        Some(match region {
            Region::Everything => Region::Body(body.into()),
            Region::Body(ref name) | Region::Element { body: ref name, .. } if name == body => region,
            _ => Region::All(vec![Region::Body(body.into()), region]),
        })
    }

    /// The elements that `body` and `where` of a table select together; `None` if neither is written.
    pub fn selected(&self, table: &Table<'_>) -> Option<Option<Region>> {
        let body = match table.get("body") {
            Some(node) => Some(self.body_name(&node)?),
            None => None,
        };
        let scope = Scope { body: body.as_deref(), ..*self };
        match table.get("where") {
            Some(node) => scope.region(&node).map(Some),
            None => Some(body.map(Region::Body)),
        }
    }

    /// The name of a body that exists.
    pub fn body_name(&self, node: &Node<'_>) -> Option<String> {
        let name = node.text()?;
        if self.names.contains_key(name) {
            return Some(name.to_string());
        }
        if node.reader.full() {
            return None;
        }
        let names: Vec<&str> = self.names.keys().map(String::as_str).collect();
        node.error(format!("there is no body called `{}`", shorten(name)), offer(name, &names))
    }

    fn bare(&self, node: &Node<'_>) -> Option<Region> {
        if node.is_text() {
            return match node.text()? {
                "all" => Some(Region::Everything),
                _ => self.body_name(node).map(Region::Body),
            };
        }
        if !node.is_table() {
            return node.expected(&Kind::Region.describe());
        }
        let table = node.table(&REGION)?;
        let mut parts = Vec::new();
        for field in REGION.fields {
            if let Some(entry) = table.get(field.name) {
                parts.push(self.part(field.name, &entry, &table)?);
            }
        }
        parts.retain(|p| *p != Region::Everything);
        match (parts.pop(), parts.is_empty()) {
            (None, _) if table.map.is_empty() => node.error(
                "the region is empty",
                Some("write for example `{ x = { above = 0 } }`, or \"all\"".to_string()),
            ),
            (None, _) => Some(Region::Everything),
            (Some(one), true) => Some(one),
            (Some(last), false) => {
                parts.push(last);
                Some(Region::All(parts))
            }
        }
    }

    fn part(&self, key: &str, entry: &Node<'_>, table: &Table<'_>) -> Option<Region> {
        match key {
            "x" => bounds(entry, DVec3::X),
            "y" => bounds(entry, DVec3::Y),
            "z" => bounds(entry, DVec3::Z),
            "box" => region_box(&entry.table(&REGION_BOX)?),
            "sphere" => {
                let t = entry.table(&REGION_SPHERE)?;
                let (centre, radius) = (t.required_vector("centre"), t.required_number("radius"));
                Some(Region::Sphere { centre: centre?, radius: radius? })
            }
            "half_space" => {
                let t = entry.table(&REGION_HALF_SPACE)?;
                let normal = t.require("normal").and_then(|n| n.direction());
                Some(Region::HalfSpace { normal: normal?, offset: t.number("offset").unwrap_or(0.0) })
            }
            // A region of one element says its body itself.
            "body" if table.get("element").is_some() => self.body_name(entry).map(|_| Region::Everything),
            "body" => self.body_name(entry).map(Region::Body),
            "element" => self.element(entry, table),
            "any" => self.several(entry).map(Region::Any),
            "all" => self.several(entry).map(Region::All),
            _ => Some(Region::Not(Box::new(self.bare(entry)?))),
        }
    }

    fn several(&self, entry: &Node<'_>) -> Option<Vec<Region>> {
        let entries = entry.list("a list of regions")?;
        if entries.is_empty() {
            return entry.error("the list of regions is empty", None);
        }
        entries.iter().map(|e| self.bare(e)).collect()
    }

    fn element(&self, entry: &Node<'_>, table: &Table<'_>) -> Option<Region> {
        let index = entry.count(0, u32::MAX)?;
        let body = match table.get("body") {
            Some(node) => self.body_name(&node)?,
            None => match self.body {
                Some(body) => body.to_string(),
                None => return entry.error("an element needs its body", Some("add `body = \"…\"`".to_string())),
            },
        };
        self.element_of(entry, body, index)
    }

    /// The element with a number, if its body has so many.
    pub fn element_of(&self, entry: &Node<'_>, body: String, index: u32) -> Option<Region> {
        match self.names.get(&body).copied().flatten() {
            Some(count) if index >= count => {
                entry.error(format!("`{body}` has {count} elements, numbered from 0; there is no number {index}"), None)
            }
            _ => Some(Region::Element { body, index }),
        }
    }
}

fn bounds(entry: &Node<'_>, axis: DVec3) -> Option<Region> {
    let table = entry.table(&AXIS)?;
    let above = |offset: f64| Region::HalfSpace { normal: axis, offset };
    let below = |offset: f64| Region::HalfSpace { normal: -axis, offset: -offset };
    let (least, most) = match table.get("between") {
        Some(node) => {
            if table.map.len() > 1 {
                return node
                    .error("`between` stands alone", Some("keep `between`, or `above` and `below`".to_string()));
            }
            let ends = node.list("two lengths")?;
            let [a, b] = &ends[..] else { return node.error("`between` needs two numbers", None) };
            let length = |n: &Node<'_>| n.number(&crate::units::quantity::LENGTH, crate::keys::Limits::Any);
            (Some(length(a)?), Some(length(b)?))
        }
        None => (table.number("above"), table.number("below")),
    };
    match (least, most) {
        (Some(a), Some(b)) if a > b => {
            entry.error(format!("the bounds are the wrong way round: {a} is above {b}"), None)
        }
        (Some(a), Some(b)) => Some(Region::All(vec![above(a), below(b)])),
        (Some(a), None) => Some(above(a)),
        (None, Some(b)) => Some(below(b)),
        (None, None) if table.map.is_empty() => {
            entry.error("the bounds are empty", Some("write for example `{ above = 0 }`".to_string()))
        }
        (None, None) => None,
    }
}

fn region_box(table: &Table<'_>) -> Option<Region> {
    let (min, max) = (table.required_vector("min"), table.required_vector("max"));
    let (min, max) = (min?, max?);
    if !min.cmple(max).all() {
        return table
            .error("the corners of the box are the wrong way round", Some("`min` must not exceed `max`".to_string()));
    }
    Some(Region::Box { min, max })
}
