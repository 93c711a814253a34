//! Exact shapes, copies of bodies, and settings of the law `constraint`.

use crate::keys::{
    CAPSULE, CONE, CONSTRAINT, COPIES, CYLINDER, EXACT, EXACT_SHAPES, Limits, MOST_COPIES, SPHERE, SPIRAL,
};
use crate::read::mesh::{Surfaces, surface_of};
use crate::read::node::Node;
use crate::read::rotation::rotation;
use crate::read::table::Table;
use crate::units::quantity::LENGTH;
use kreisel::model::setup::{BodySetup, BodyShape, ConstraintSettings, ContactSolver, RestitutionLaw};
use kreisel::model::shape::{PlacedShape, Polyhedron, Shape, TriangleMesh};
use kreisel::{DQuat, DVec3};
use std::sync::Arc;

/// A rigid body of exact shapes.
pub(super) fn exact(node: &Node<'_>, centre: Option<DVec3>) -> Option<BodyShape> {
    let parts = if node.is_list() {
        let entries = node.list("a list of shapes")?;
        if entries.is_empty() {
            return node.error("the list of shapes is empty", "write for example `[{ box = [1, 1, 1] }]`".to_string());
        }
        let parts: Vec<Option<PlacedShape>> = entries.iter().map(part).collect();
        parts.into_iter().collect::<Option<Vec<_>>>()?
    } else {
        vec![part(node)?]
    };
    Some(BodyShape::Exact { parts, centre })
}

fn part(node: &Node<'_>) -> Option<PlacedShape> {
    let table = node.table(&EXACT)?;
    let shape = one(&table, table.only_one_of(&EXACT_SHAPES, true)?)?;
    if let Err(error) = shape.check() {
        return node.error(error.to_string(), None);
    }
    Some(PlacedShape {
        shape,
        at: table.vector("at").unwrap_or(DVec3::ZERO),
        rotation: table.get("rotation").and_then(|n| rotation(&n)).unwrap_or(DQuat::IDENTITY),
    })
}

fn one(table: &Table<'_>, key: &str) -> Option<Shape> {
    let node = table.get(key)?;
    match key {
        "box" => Some(Shape::Box { half_size: 0.5 * table.vector("box")? }),
        "ellipsoid" => Some(Shape::Ellipsoid { semi_axes: table.vector("ellipsoid")? }),
        "sphere" => Some(Shape::Sphere { radius: node.table(&SPHERE)?.required_number("radius")? }),
        "cylinder" | "capsule" => rod(&node, key),
        "cone" => cone(&node),
        "points" => hull(&node),
        "hull" => hull_of(&node, &surface_of(&node, Surfaces::Vertices)?.vertices),
        _ => mesh(&node),
    }
}

fn rod(node: &Node<'_>, key: &str) -> Option<Shape> {
    let table = node.table(if key == "cylinder" { &CYLINDER } else { &CAPSULE })?;
    let (radius, height) = (table.required_number("radius")?, table.required_number("height")?);
    if key == "cylinder" {
        return Some(Shape::Cylinder { half_length: 0.5 * height, radius });
    }
    if height == 2.0 * radius {
        return Some(Shape::Sphere { radius });
    }
    if height < 2.0 * radius {
        return node.error("a capsule is at least as high as its two round ends", "`height` includes them".to_string());
    }
    Some(Shape::Capsule { half_length: 0.5 * height - radius, radius })
}

fn cone(node: &Node<'_>) -> Option<Shape> {
    let table = node.table(&CONE)?;
    if let Some(top) = table.get("top") {
        return top.error("an exact cone has no flat top", "use the hull of `points` instead".to_string());
    }
    Some(Shape::Cone { half_length: 0.5 * table.required_number("height")?, radius: table.required_number("radius")? })
}

fn hull(node: &Node<'_>) -> Option<Shape> {
    let points: Option<Vec<DVec3>> =
        node.list("a list of points")?.iter().map(|n| n.vector(&LENGTH, Limits::Any)).collect();
    hull_of(node, &points?)
}

fn hull_of(node: &Node<'_>, points: &[DVec3]) -> Option<Shape> {
    match Polyhedron::from_points(points) {
        Ok(hull) => Some(Shape::Polyhedron(Arc::new(hull))),
        Err(error) => node.error(error.to_string(), None),
    }
}

fn mesh(node: &Node<'_>) -> Option<Shape> {
    let surface = surface_of(node, Surfaces::Touched)?;
    match TriangleMesh::new(surface.vertices, surface.triangles) {
        Ok(mesh) => Some(Shape::Mesh(Arc::new(mesh))),
        Err(error) => node.error(error.to_string(), None),
    }
}

/// How many copies a body has.
pub(super) fn copy_count(copies: &Node<'_>) -> Option<[u32; 3]> {
    let table = copies.table(&COPIES)?;
    let node = table.require("count")?;
    if !node.is_list() {
        return Some([node.count(1, MOST_COPIES)?, 1, 1]);
    }
    let counts: Option<Vec<u32>> = node.list("three numbers")?.iter().map(|n| n.count(1, MOST_COPIES)).collect();
    match counts?[..] {
        [x, y, z] if u64::from(x) * u64::from(y) * u64::from(z) <= u64::from(MOST_COPIES) => Some([x, y, z]),
        [_, _, _] => node.error(format!("more than {MOST_COPIES} copies"), None),
        _ => node.error("write one number, or three", None),
    }
}

/// The copies of a body, in order; `None` if they cannot be read.
pub(super) fn copies(node: &Node<'_>, body: &BodySetup) -> Option<Vec<BodySetup>> {
    let table = node.table(&COPIES)?;
    let [nx, ny, nz] = copy_count(node)?;
    let pitch = table.vector("pitch").unwrap_or(DVec3::ZERO);
    let turn = table.get("turn").and_then(|n| rotation(&n)).unwrap_or(DQuat::IDENTITY);
    let in_a_row = !table.get("count")?.is_list();
    let spiral = table.get("spiral").and_then(|n| spiral_places(&n, nx));
    let mut all = Vec::new();
    let mut turned = DQuat::IDENTITY;
    for (k, (x, y, z)) in grid(nx, ny, nz).enumerate() {
        let row = DVec3::new(f64::from(x), f64::from(y), f64::from(z));
        let shift = if in_a_row { pitch * f64::from(x) } else { pitch * row };
        let (shift, heading) = match &spiral {
            Some(places) => places[k],
            None => (shift, turned),
        };
        let mut copy = body.clone();
        copy.name = format!("{}-{}", body.name, k + 1);
        copy.at = body.at + shift;
        copy.rotation = (heading * body.rotation).normalize();
        all.push(copy);
        turned = (turn * turned).normalize();
    }
    Some(all)
}

fn grid(nx: u32, ny: u32, nz: u32) -> impl Iterator<Item = (u32, u32, u32)> {
    (0..nz).flat_map(move |z| (0..ny).flat_map(move |y| (0..nx).map(move |x| (x, y, z))))
}

/// Places along a spiral `r = r₀ + w θ/2π` and headings along it: `dθ = s/√(r² + (w/2π)²)` from one to the next.
fn spiral_places(node: &Node<'_>, count: u32) -> Option<Vec<(DVec3, DQuat)>> {
    let table = node.table(&SPIRAL)?;
    let (start, width) = (table.required_number("radius")?, table.required_number("width")?);
    let spacing = table.required_number("spacing")?;
    let growth = width / std::f64::consts::TAU;
    let mut angle: f64 = 0.0;
    let mut places = Vec::new();
    for _ in 0..count {
        let r = start + growth * angle;
        let (sine, cosine) = angle.sin_cos();
        let tangent = DVec3::new(growth * cosine - r * sine, growth * sine + r * cosine, 0.0);
        places.push((DVec3::new(r * cosine, r * sine, 0.0), DQuat::from_rotation_z(tangent.y.atan2(tangent.x))));
        angle += spacing / r.hypot(growth);
    }
    Some(places)
}

/// How the law `constraint` is solved.
pub(super) fn constraint(node: &Node<'_>) -> Option<ConstraintSettings> {
    let default = ConstraintSettings::default();
    let table = node.table(&CONSTRAINT)?;
    let count = |key: &str| table.count(table.get(key), key);
    let facets = count("facets").unwrap_or(default.facets);
    if facets % 2 == 1 || facets == 2 {
        return table
            .get("facets")?
            .error(format!("a pyramid of {facets} facets"), "an even number from 4 on".to_string());
    }
    Some(ConstraintSettings {
        solver: match table.word("solver") {
            Some(1) => ContactSolver::GaussSeidel,
            Some(2) => ContactSolver::Newton,
            Some(3) => ContactSolver::Lemke,
            _ => ContactSolver::Automatic,
        },
        facets,
        isotropic: table.flag("isotropic").unwrap_or(default.isotropic),
        restitution_law: match table.word("restitution_law") {
            Some(1) => RestitutionLaw::Poisson,
            _ => RestitutionLaw::Newton,
        },
        tolerance: table.number("tolerance").unwrap_or(default.tolerance),
        sweeps: count("sweeps").unwrap_or(default.sweeps),
        gap_iterations: count("gap_iterations").unwrap_or(default.gap_iterations),
        sleep_after: match table.flag("sleep") {
            Some(false) => f64::INFINITY,
            _ => table.number("sleep_after").unwrap_or(default.sleep_after),
        },
    })
}
