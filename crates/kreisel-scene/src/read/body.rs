//! Bodies.

use crate::keys::{BODY, INLAY, Limits};
use crate::read::estimate::check_size;
use crate::read::material::{Library, Stated, friction, resist};
use crate::read::node::Node;
use crate::read::region::Scope;
use crate::read::rotation::rotation;
use crate::read::shape::shape;
use crate::read::table::Table;
use crate::units::quantity::INERTIA;
use kreisel::model::setup::{BodySetup, BodyShape, Fix, RigidPart};
use kreisel::model::{Material, Region};
use kreisel::{DMat3, DQuat, DVec3};

/// What of the scene a body needs.
pub(super) struct Surroundings<'a, 'b> {
    pub scope: Scope<'b>,
    pub library: &'b Library<'a>,
    /// The scene's default friction.
    pub friction: Option<(f64, f64)>,
    /// The scene's default restitution.
    pub restitution: Option<f64>,
}

/// A velocity beyond which the unit is probably another [m/s].
const UNLIKELY_FAST: f64 = 1e4;

/// A body, and the fix that it may carry. `None` only if its shape cannot be read.
pub(super) fn body<'a>(
    node: &Node<'a>,
    name: &str,
    shape: BodyShape,
    around: &Surroundings<'a, '_>,
) -> Option<(BodySetup, Option<Fix>)> {
    let table = Table { reader: node.reader, map: node.value.as_table()?, place: node.place.clone(), section: &BODY };
    let scope = around.scope.within(name);
    let exact = matches!(shape, BodyShape::Exact { .. });
    let rigid = table.get("rigid").and_then(|n| rigid(&n, name, scope));
    if let Some(n) = table.get("rigid").filter(|_| exact && rigid != Some(vec![RigidPart::Whole])) {
        n.error::<()>(
            "an exact body is rigid as a whole",
            "leave `rigid` out, or take a shape of elements".to_string(),
        );
    }
    let rigid = rigid.unwrap_or_else(|| if exact { vec![RigidPart::Whole] } else { Vec::new() });
    let setup = BodySetup {
        name: name.to_string(),
        shape,
        at: table.vector("at").unwrap_or(DVec3::ZERO),
        rotation: table.get("rotation").and_then(|n| rotation(&n)).unwrap_or(DQuat::IDENTITY),
        material: body_material(&table, name, around),
        inlays: table.get("inlays").map(|n| inlays(&n, scope, around)).unwrap_or_default(),
        velocity: table.vector("velocity").unwrap_or(DVec3::ZERO),
        spin: table.vector("spin").unwrap_or(DVec3::ZERO),
        mass: table.number("mass"),
        inertia: table.get("inertia").and_then(|n| inertia(&n, &rigid)),
        split: table.get("split").map(|n| split(&n, scope)).unwrap_or_default(),
        contact: table.flag("contact").unwrap_or(true),
        group: table.text("group").map(str::to_string),
        rigid,
    };
    check_size(&setup, &table);
    if let Some(n) = table.get("velocity").filter(|_| setup.velocity.length() > UNLIKELY_FAST) {
        n.warn(format!("`{name}` moves at {} m/s", setup.velocity.length()), "numbers are m/s".to_string());
    }
    let fix = table.get("fix").and_then(|n| scope.region(&n)).map(|region| held(name, region));
    Some((setup, fix))
}

fn held(name: &str, region: Region) -> Fix {
    Fix { name: format!("{name}-fix"), region, axes: [true; 3], motion: None }
}

/// The shape of a body, read first because regions ask how many elements the others have.
pub(super) fn body_shape(node: &Node<'_>) -> Option<BodyShape> {
    shape(&node.table(&BODY)?)
}

/// Regions of other materials. What is wrong with one is noted; the others are read.
fn inlays<'a>(node: &Node<'a>, scope: Scope<'_>, around: &Surroundings<'a, '_>) -> Vec<(Region, Material)> {
    let read = |n: &Node<'a>| {
        let table = n.table(&INLAY)?;
        let region = scope.region(&table.require("where")?);
        let stated = around.library.material(&table.require("material")?);
        Some((region?, stated?.material))
    };
    node.list("a list of inlays").unwrap_or_default().iter().filter_map(read).collect()
}

fn body_material<'a>(table: &Table<'a>, name: &str, around: &Surroundings<'a, '_>) -> Material {
    let default = Stated { material: Material::default(), friction: false, restitution: false };
    let stated = table.get("material").and_then(|n| around.library.material(&n)).unwrap_or(default);
    let mut material = stated.material;
    if table.get("material").is_some_and(|n| n.is_table()) {
        material.name = format!("material of {name}");
    }
    let own = table.get("friction").and_then(|n| friction(&n));
    if let Some((stick, slide)) = own.or(around.friction.filter(|_| !stated.friction)) {
        (material.static_friction, material.dynamic_friction) = (stick, slide);
    }
    if let Some(e) = table.number("restitution").or(around.restitution.filter(|_| !stated.restitution)) {
        material.restitution = e;
    }
    resist(table, &mut material);
    material
}

/// The rigid parts of a body.
fn rigid(node: &Node<'_>, body: &str, scope: Scope<'_>) -> Option<Vec<RigidPart>> {
    if node.is_flag() {
        return Some(if node.flag()? { vec![RigidPart::Whole] } else { Vec::new() });
    }
    if node.is_list() {
        return node.list("a list of regions")?.iter().map(|n| rigid_part(n, body, scope)).collect();
    }
    rigid_part(node, body, scope).map(|part| vec![part])
}

fn rigid_part(node: &Node<'_>, body: &str, scope: Scope<'_>) -> Option<RigidPart> {
    if !node.is_text() {
        return scope.region(node).map(RigidPart::Region);
    }
    match node.text()? {
        "automatic" => Some(RigidPart::Automatic),
        "quasi-static" => Some(RigidPart::QuasiStatic),
        "all" => Some(RigidPart::Whole),
        name if name == body => Some(RigidPart::Whole),
        _ => node.word(&["automatic", "quasi-static", "all"]).map(|_| RigidPart::Whole),
    }
}

/// Names for parts of a body, in the order of the file.
fn split(node: &Node<'_>, scope: Scope<'_>) -> Vec<(String, Region)> {
    let Some(map) = node.value.as_table() else {
        return node.expected("a table of names, each with a region").unwrap_or_default();
    };
    let table = Table { reader: node.reader, map, place: node.place.clone(), section: &BODY };
    let mut entries: Vec<(&str, Node<'_>)> =
        map.iter().filter_map(|(k, _)| Some((&**k.get_ref(), table.entry(k.get_ref())?))).collect();
    entries.sort_by_key(|(_, n)| n.place.span.start);
    entries.into_iter().filter_map(|(name, n)| Some((name.to_string(), scope.region(&n)?))).collect()
}

/// Inertia of a body that is rigid as a whole: three moments, or a matrix.
///
/// No moment of a real body exceeds the sum of the other two, because `I₁ + I₂ − I₃ = 2 ∫ z² dm ≥ 0`.
fn inertia(node: &Node<'_>, rigid: &[RigidPart]) -> Option<DMat3> {
    if rigid != [RigidPart::Whole] {
        return node
            .error("only a body that is rigid as a whole can be given its inertia", "add `rigid = true`".to_string());
    }
    let rows = node.list("three moments, or three rows")?;
    let matrix = if rows.first().is_some_and(Node::is_list) {
        let rows: Option<Vec<DVec3>> = rows.iter().map(|r| r.vector(&INERTIA, Limits::Any)).collect();
        let rows = rows?;
        let [a, b, c] = rows[..] else { return node.error("a matrix of inertia has three rows", None) };
        DMat3::from_cols(a, b, c)
    } else {
        DMat3::from_diagonal(node.vector(&INERTIA, Limits::Positive)?)
    };
    check_inertia(node, matrix)
}

fn check_inertia(node: &Node<'_>, matrix: DMat3) -> Option<DMat3> {
    let size = matrix.x_axis.x + matrix.y_axis.y + matrix.z_axis.z;
    let asymmetry = (matrix - matrix.transpose()).to_cols_array().iter().fold(0.0, |a: f64, b| a.max(b.abs()));
    if asymmetry > 1e-9 * size.abs() {
        return node.error("a matrix of inertia is symmetric", None);
    }
    // ∫ x xᵀ dm = ½ tr(I) 1 − I must be positive semi-definite, and I itself definite.
    let moments = DMat3::from_diagonal(DVec3::splat(0.5 * size)) - matrix;
    if smallest_minor(matrix) <= 0.0 || smallest_minor(moments + DMat3::from_diagonal(DVec3::splat(1e-9 * size))) < 0.0
    {
        let help = "every moment is positive, and none exceeds the sum of the other two".to_string();
        return node.error("no body has this inertia", help);
    }
    Some(matrix)
}

/// The smallest leading principal minor, positive exactly for positive definite matrices (Sylvester's criterion).
fn smallest_minor(m: DMat3) -> f64 {
    let second = m.x_axis.x * m.y_axis.y - m.x_axis.y * m.y_axis.x;
    m.x_axis.x.min(second).min(m.determinant())
}
