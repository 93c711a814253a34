//! The scene as a whole: reads every table in the order in which they need each other.

use crate::keys::SCENE;
use crate::read::body::{Surroundings, body, body_shape};
use crate::read::drive::{fix, grab};
use crate::read::estimate::{extent, refuse_too_many};
use crate::read::exact::{constraint, copies, copy_count};
use crate::read::integrator::integrator;
use crate::read::joint::joint;
use crate::read::load::load;
use crate::read::material::{Library, friction};
use crate::read::node::{Node, Reader, shorten};
use crate::read::obstacle::{ground, obstacle};
use crate::read::probe::probe;
use crate::read::region::{Names, Scope};
use crate::read::table::Table;
use crate::read::view::view;
use crate::read::world::{apart, contact, gravity, implicit, switches, switching};
use crate::source::Place;
use kreisel::model::Setup;
use kreisel::model::setup::{BodyShape, Law};
use std::collections::BTreeMap;
use toml::de::DeTable;

/// Most frames of a run.
const MOST_FRAMES: f64 = 1e7;
/// A run longer than this [s] is probably in another unit.
const UNLIKELY_LONG: f64 = 3600.0;

/// Reads a parsed scene file. What is wrong is noted in the reader.
pub(crate) fn read_scene<'a>(reader: &'a Reader<'a>, map: &'a DeTable<'a>) -> Setup {
    let table = Table { reader, map, place: Place::default(), section: &SCENE };
    table.refuse_unknown_keys();
    let mut setup = Setup { title: table.text("title").unwrap_or_default().to_string(), ..Setup::default() };
    read_settings(&table, &mut setup);
    let bodies = entries(&table, "body");
    let shapes: Vec<Option<BodyShape>> = bodies.iter().map(body_shape).collect();
    let names = body_names(&bodies, &shapes);
    let scope = Scope { names: &names, body: None };
    let exact = shapes.iter().flatten().any(|s| matches!(s, BodyShape::Exact { .. }));
    setup.law = law(&table).unwrap_or(if exact { Law::Constraint } else { Law::Connections });
    read_bodies(&table, &bodies, shapes, scope, &mut setup);
    read_world(&table, scope, &mut setup);
    refuse_same_names(&table);
    setup
}

/// The entries of an array of tables.
fn entries<'a>(table: &Table<'a>, key: &str) -> Vec<Node<'a>> {
    table.get(key).and_then(|n| n.list(&format!("tables `[[{key}]]`"))).unwrap_or_default()
}

fn read_settings(table: &Table<'_>, setup: &mut Setup) {
    let default = Setup::default();
    setup.duration = table.number("duration").unwrap_or(default.duration);
    setup.step = table.number("step");
    table.only_one_of(&["frame", "output_rate"], false);
    setup.frame = table.number("frame").or(table.number("output_rate").map(f64::recip)).unwrap_or(default.frame);
    setup.gravity = table.get("gravity").and_then(|n| gravity(&n)).unwrap_or(default.gravity);
    setup.drag = table.number("drag").unwrap_or(0.0);
    setup.settle = table.flag("settle").unwrap_or(false);
    setup.allow_overlap = table.flag("allow_overlap").unwrap_or(false);
    setup.contact = table.get("contact").and_then(|n| contact(&n)).unwrap_or_default();
    setup.apart = table.get("apart").map(|n| apart(&n)).unwrap_or_default();
    setup.switching = table.get("switching").and_then(|n| switching(&n)).unwrap_or_default();
    setup.integrator = table.word("integrator").map(integrator).unwrap_or_default();
    setup.implicit = table.get("implicit").and_then(|n| implicit(&n)).unwrap_or_default();
    setup.constraint = table.get("constraint").and_then(|n| constraint(&n)).unwrap_or_default();
    check_times(table, setup);
}

fn law(table: &Table<'_>) -> Option<Law> {
    match table.word("law")? {
        0 => Some(Law::Connections),
        2 => Some(Law::Constraint),
        _ => {
            let node = table.get("law")?;
            let message = format!("the law `{}` is not available yet", node.text()?);
            node.error(message, "`\"connections\"` and `\"constraint\"` are".to_string())
        }
    }
}

fn check_times(table: &Table<'_>, setup: &Setup) {
    let place = |keys: [&str; 3]| keys.into_iter().find_map(|k| table.get(k)).map_or_else(Place::default, |n| n.place);
    let frames = setup.duration / setup.frame;
    if frames > MOST_FRAMES {
        let message = format!("the run has {frames:.0} frames; at most {MOST_FRAMES:.0} are possible");
        let help = "make `duration` shorter or `frame` longer".to_string();
        table.reader.error::<()>(&place(["frame", "output_rate", "duration"]), message, help);
    }
    if setup.duration > UNLIKELY_LONG {
        let message = format!("the run takes {} s", setup.duration);
        table.reader.warn(&place(["duration", "title", "frame"]), message, "numbers are seconds".to_string());
    }
    if setup.step.is_some_and(|h| h > setup.duration) {
        table.reader.warn(&place(["step", "title", "frame"]), "the step is longer than the run", None);
    }
}

/// The name of the body with this number.
fn body_name(node: &Node<'_>, number: usize) -> String {
    let written = node.value.as_table().and_then(|t| t.get("name")).and_then(|n| n.get_ref().as_str());
    written.map_or_else(|| format!("body-{}", number + 1), str::to_string)
}

/// Names of bodies and of their parts, with the number of elements where they are listed.
fn body_names(bodies: &[Node<'_>], shapes: &[Option<BodyShape>]) -> Names {
    let mut names = Names::new();
    for (i, (node, shape)) in bodies.iter().zip(shapes).enumerate() {
        let listed = shape.as_ref().filter(|s| matches!(s, BodyShape::Elements { .. }));
        let count = listed.map(|s| extent(s).0 as u32);
        let name = body_name(node, i);
        match copies_of(node).and_then(|n| copy_count(&n)) {
            Some([x, y, z]) => names.extend((1..=x * y * z).map(|k| (format!("{name}-{k}"), count))),
            None => names.extend([(name, count)]),
        }
        let split = node.value.as_table().and_then(|t| t.get("split")).and_then(|s| s.get_ref().as_table());
        names.extend(split.into_iter().flat_map(|s| s.keys()).map(|part| (part.get_ref().to_string(), None)));
    }
    names
}

/// The key `copies` of a body.
fn copies_of<'a>(node: &Node<'a>) -> Option<Node<'a>> {
    let map = node.value.as_table()?;
    Table { reader: node.reader, map, place: node.place.clone(), section: &crate::keys::BODY }.get("copies")
}

fn read_bodies<'a>(
    table: &Table<'a>,
    nodes: &[Node<'a>],
    shapes: Vec<Option<BodyShape>>,
    scope: Scope<'_>,
    setup: &mut Setup,
) {
    let library = Library::new(table);
    let around = Surroundings {
        scope,
        library: &library,
        friction: table.get("friction").and_then(|n| friction(&n)),
        restitution: table.number("restitution"),
    };
    let mut read = Vec::new();
    for (i, (node, shape)) in nodes.iter().zip(shapes).enumerate() {
        // A body whose shape is wrong is still read with another, so that its other fields are checked too.
        if let Some((one, fix)) = body(node, &body_name(node, i), shape.unwrap_or_default(), &around) {
            let all = match copies_of(node) {
                Some(n) => copies(&n, &one).unwrap_or_default(),
                None => vec![one],
            };
            read.extend(all.iter().map(|_| node.clone()));
            setup.bodies.extend(all);
            setup.fixes.extend(fix);
        }
    }
    refuse_too_many(&setup.bodies, &read);
}

fn read_world(table: &Table<'_>, scope: Scope<'_>, setup: &mut Setup) {
    setup.obstacles.extend(table.get("ground").and_then(|n| ground(&n, setup.gravity)));
    setup.obstacles.extend(entries(table, "obstacle").iter().enumerate().filter_map(|(i, n)| obstacle(n, i)));
    setup.fixes.extend(entries(table, "fix").iter().enumerate().filter_map(|(i, n)| fix(n, i, scope)));
    setup.loads.extend(entries(table, "load").iter().enumerate().filter_map(|(i, n)| load(n, i, scope)));
    setup.grabs.extend(entries(table, "grab").iter().enumerate().filter_map(|(i, n)| grab(n, i, scope)));
    setup.joints.extend(entries(table, "joint").iter().enumerate().filter_map(|(i, n)| joint(n, i, scope)));
    setup.probes.extend(entries(table, "probe").iter().filter_map(|n| probe(n, scope)));
    setup.view = table.get("view").and_then(|n| view(&n, scope)).unwrap_or_default();
    let switched = entries(table, "at");
    setup.schedule.extend(switched.iter().filter_map(|n| switches(n, scope, setup.duration)).flatten());
}

/// Names are unique among bodies (with their parts), obstacles, fixes, loads, grabs, joints and probes, each for itself.
fn refuse_same_names(table: &Table<'_>) {
    for key in ["body", "obstacle", "fix", "load", "grab", "joint", "probe"] {
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for node in entries(table, key) {
            if table.reader.full() {
                return;
            }
            let Some(map) = node.value.as_table() else { continue };
            let named = Table { reader: node.reader, map, place: node.place.clone(), section: &SCENE };
            let own = named.entry("name").filter(Node::is_text);
            let split = map.get("split").and_then(|s| s.get_ref().as_table()).filter(|_| key == "body");
            let parts = split.into_iter().flat_map(|s| s.keys()).map(|k| (&**k.get_ref(), k.span()));
            let all = own.iter().filter_map(|n| Some((n.text()?, n.place.span.clone()))).chain(parts);
            for (name, span) in all {
                if let Some(first) = seen.insert(name, span.start) {
                    let place = Place { span, path: format!("{}.name", node.place.path) };
                    let line = table.reader.line_of(first);
                    let message = format!("there are two of `{key}` with the name `{}`", shorten(name));
                    table.reader.error::<()>(&place, message, format!("the first is in line {line}"));
                } else if name.trim().is_empty() || name == "all" || name.chars().any(char::is_control) {
                    let place = Place { span, path: format!("{}.name", node.place.path) };
                    table.reader.error::<()>(&place, format!("`{}` cannot be a name", shorten(name)), None);
                }
            }
        }
    }
}
