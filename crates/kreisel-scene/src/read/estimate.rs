//! How many elements a scene will have, and whether its sizes can be right.

use crate::keys::BODY;
use crate::read::node::Node;
use crate::read::number::plain;
use crate::read::resolution::side;
use crate::read::table::Table;
use kreisel::collide::shapes::{Pose, bounds};
use kreisel::model::setup::{BodySetup, BodyShape};
use kreisel::model::shape::{PlacedShape, Shape};
use kreisel::{DQuat, DVec3};

/// Most elements of a scene.
pub(crate) const MOST_ELEMENTS: f64 = 50e6;
/// A body larger than this [m] is probably in another unit.
const UNLIKELY_LARGE: f64 = 1e3;
/// A body smaller than this [m] is probably in another unit.
const UNLIKELY_SMALL: f64 = 1e-4;
/// How many times the size of its cells a body may be away from the origin: beyond, its elements cannot be told apart.
const FARTHEST: f64 = 1e12;

/// About how many elements a body has, and the distance between them [m].
pub(super) fn extent(shape: &BodyShape) -> (f64, f64) {
    match shape {
        BodyShape::Box { size, cells } => {
            let cell = size.min_element() / f64::from(*cells);
            let along = |side: f64| (side / cell).round().max(1.0) + 1.0;
            (along(size.x) * along(size.y) * along(size.z), cell)
        }
        BodyShape::Solid { surface, resolution } => {
            let (low, high) = surface.bounds();
            let (sides, volume) = (high - low, surface.volume().abs());
            let cell = side(*resolution, sides, volume);
            (volume / cell.powi(3), cell)
        }
        BodyShape::Elements { elements, .. } => {
            let smallest = elements.iter().map(|e| e.radius).fold(f64::INFINITY, f64::min);
            (elements.len() as f64, smallest)
        }
        BodyShape::Exact { parts, .. } => (4.0, size_of(parts).1),
    }
}

/// The largest side of the boxes around exact shapes, and their smallest [m]: that of an open sheet may be nothing at all.
fn size_of(parts: &[PlacedShape]) -> (f64, f64) {
    let sides = parts.iter().map(|p| {
        let (low, high) = bounds(&p.shape, &Pose { position: DVec3::ZERO, rotation: DQuat::IDENTITY });
        let sheet = matches!(&p.shape, Shape::Mesh(mesh) if mesh.open_edges() > 0);
        let (most, least) = ((high - low).max_element(), (high - low).min_element());
        (most, if sheet { most } else { least })
    });
    sides.fold((0.0, f64::INFINITY), |(most, least), s| (s.0.max(most), s.1.min(least)))
}

/// Refuses scenes with more elements than any machine holds.
pub(super) fn refuse_too_many(bodies: &[BodySetup], nodes: &[Node<'_>]) {
    let mut total = 0.0;
    for (body, node) in bodies.iter().zip(nodes) {
        let Some(map) = node.value.as_table() else { continue };
        let (count, _) = extent(&body.shape);
        total += count;
        if total > MOST_ELEMENTS {
            let message = format!(
                "`{}` has about {count:.2e} elements, the scene up to here {total:.2e}; at most {MOST_ELEMENTS:.0e} are possible",
                body.name
            );
            let table = Table { reader: node.reader, map, place: node.place.clone(), section: &BODY };
            let place = table.get("cells").or(table.get("shape")).map_or(node.place.clone(), |n| n.place);
            let help = "take fewer `cells`: half of them is an eighth of the elements".to_string();
            node.reader.error::<()>(&place, message, help);
            return;
        }
    }
}

/// Sizes that are probably in another unit, and places where numbers have too few digits.
pub(super) fn check_size(body: &BodySetup, table: &Table<'_>) {
    let (largest, smallest) = match &body.shape {
        BodyShape::Box { size, .. } => (size.max_element(), size.min_element()),
        BodyShape::Solid { surface, .. } => {
            let (low, high) = surface.bounds();
            ((high - low).max_element(), (high - low).min_element())
        }
        BodyShape::Elements { elements, .. } => {
            let far = elements.iter().map(|e| e.at.abs().max_element() + e.radius).fold(0.0, f64::max);
            (far, elements.iter().map(|e| e.radius).fold(f64::INFINITY, f64::min))
        }
        BodyShape::Exact { parts, .. } => size_of(parts),
    };
    let Some(node) = table.get("shape") else { return };
    if largest > UNLIKELY_LARGE {
        let help = format!("numbers are metres; millimetres are written \"{} mm\"", plain(largest));
        node.warn(format!("`{}` is {} m large", body.name, plain(largest)), help);
    }
    if smallest < UNLIKELY_SMALL {
        node.warn(format!("`{}` is only {} m thick", body.name, plain(smallest)), "numbers are metres".to_string());
    }
    let (_, cell) = extent(&body.shape);
    let reach = body.at.abs().max_element() + largest;
    if reach / cell > FARTHEST {
        let message = format!(
            "`{}` reaches {} m from the origin, too far for elements {} m apart",
            body.name,
            plain(reach),
            plain(cell)
        );
        node.error::<()>(message, "double precision has 16 digits".to_string());
    }
}
