//! Bodies from mesh files.

use crate::keys::{MESH, MESH_UNITS};
use crate::read::node::Node;
use kreisel::model::Surface;
use kreisel::model::setup::{BodyShape, Resolution};
use kreisel_mesh::{Fill, ReadOptions, read_path};
use std::path::Path;
use std::sync::Arc;

/// The inside of the surface in a file; what was repaired is a warning.
pub(super) fn mesh_shape(node: &Node<'_>, resolution: Resolution) -> Option<BodyShape> {
    Some(BodyShape::Solid { surface: Arc::new(surface_of(node)?), resolution })
}

/// The surface in a file; what was repaired is a warning.
pub(super) fn surface_of(node: &Node<'_>) -> Option<Surface> {
    let (file, options) = if node.is_text() { (node.text()?, ReadOptions::default()) } else { table(node)? };
    if node.reader.is_foul() {
        return None;
    }
    let path = Path::new(node.reader.name()).parent().unwrap_or(Path::new("")).join(file);
    match read_path(&path, &options) {
        Ok(loaded) => {
            for warning in loaded.report.warnings {
                node.warn(warning, None);
            }
            Some(loaded.surface)
        }
        Err(error) => node.error(error.to_string(), None),
    }
}

fn table<'a>(node: &Node<'a>) -> Option<(&'a str, ReadOptions)> {
    let table = node.table(&MESH)?;
    let unit = table.word("unit").map_or(1.0, |k| MESH_UNITS[k].1);
    let fill = if table.flag("fill").unwrap_or(false) { Fill::WindingNumber } else { Fill::Refuse };
    let scale = unit * table.number("scale").unwrap_or(1.0);
    Some((table.require("file")?.text()?, ReadOptions { scale, fill, ..ReadOptions::default() }))
}
