//! The fixed world.

use crate::keys::{GROUND, OBSTACLE, OBSTACLE_BOX, OBSTACLE_PLANE, OBSTACLE_SPHERE};
use crate::read::material::friction;
use crate::read::node::Node;
use crate::read::rotation::rotation;
use crate::read::table::Table;
use kreisel::model::{Obstacle, ObstacleShape};
use kreisel::{DQuat, DVec3};

/// An obstacle with a name for when it has none.
pub(super) fn obstacle(node: &Node<'_>, number: usize) -> Option<Obstacle> {
    let table = node.table(&OBSTACLE)?;
    let key = table.only_one_of(&["plane", "box", "sphere"], true)?;
    let entry = table.get(key)?;
    let shape = match key {
        "plane" => plane(&entry.table(&OBSTACLE_PLANE)?),
        "box" => obstacle_box(&entry.table(&OBSTACLE_BOX)?),
        _ => sphere(&entry.table(&OBSTACLE_SPHERE)?),
    };
    let name = table.text("name").map_or_else(|| format!("obstacle-{}", number + 1), str::to_string);
    Some(Obstacle { name, shape: shape?, friction: friction_of(&table), restitution: table.number("restitution") })
}

fn friction_of(table: &Table<'_>) -> Option<(f64, f64)> {
    friction(&table.get("friction")?)
}

fn plane(table: &Table<'_>) -> Option<ObstacleShape> {
    let normal = table.require("normal").and_then(|n| n.direction())?;
    table.only_one_of(&["offset", "at"], false);
    let offset = table.number("offset").or(table.vector("at").map(|p| normal.dot(p))).unwrap_or(0.0);
    Some(ObstacleShape::Plane { normal, offset })
}

fn obstacle_box(table: &Table<'_>) -> Option<ObstacleShape> {
    Some(ObstacleShape::Box {
        centre: table.vector("at").unwrap_or(DVec3::ZERO),
        half_size: 0.5 * table.required_vector("size")?,
        rotation: table.get("rotation").and_then(|n| rotation(&n)).unwrap_or(DQuat::IDENTITY),
    })
}

fn sphere(table: &Table<'_>) -> Option<ObstacleShape> {
    let radius = table.required_number("radius")?;
    Some(ObstacleShape::Sphere { centre: table.vector("at").unwrap_or(DVec3::ZERO), radius })
}

/// The plane normal to gravity; normal to z if there is none.
pub(super) fn ground(node: &Node<'_>, gravity: DVec3) -> Option<Obstacle> {
    let normal = (-gravity).try_normalize().unwrap_or(DVec3::Z);
    let at = |offset| Obstacle {
        name: "ground".into(),
        shape: ObstacleShape::Plane { normal, offset },
        friction: None,
        restitution: None,
    };
    if node.is_flag() {
        return node.flag()?.then(|| at(0.0));
    }
    let table = node.table(&GROUND)?;
    let plane = at(table.number("height").unwrap_or(0.0));
    Some(Obstacle { friction: friction_of(&table), restitution: table.number("restitution"), ..plane })
}
