//! Bodies from mesh files.

use crate::keys::{EXACT_MESH, MESH, MESH_UNITS};
use crate::read::node::Node;
use kreisel::model::Surface;
use kreisel::model::setup::{BodyShape, Resolution};
use kreisel_mesh::{Fill, MeshError, Problem, ReadOptions, read_path};
use std::path::Path;
use std::sync::Arc;

/// The inside of the surface in a file; what was repaired is a warning.
pub(super) fn mesh_shape(node: &Node<'_>, resolution: Resolution) -> Option<BodyShape> {
    Some(BodyShape::Solid { surface: Arc::new(surface_of(node, Surfaces::Closed)?), resolution })
}

/// What a surface in a file is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Surfaces {
    /// The boundary of matter.
    Closed,
    /// What an exact body touches with: it may be an open sheet if the scene says so.
    Touched,
    /// Its vertices only.
    Vertices,
}

/// The surface in a file; what was repaired is a warning.
pub(super) fn surface_of(node: &Node<'_>, wanted: Surfaces) -> Option<Surface> {
    let (file, mut options) = match (node.is_text(), node.is_table()) {
        (true, _) => (node.text()?, ReadOptions::default()),
        (_, true) => table(node, wanted)?,
        _ => {
            let help = "write for example `\"part.stl\"` or `{ file = \"part.stl\", unit = \"mm\" }`".to_string();
            return node.error("expected the path of a mesh file, or a table with it", help);
        }
    };
    if wanted == Surfaces::Vertices {
        options.fill = Fill::LeaveOpen;
    }
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
        Err(error) => node.error(error.to_string(), help(&error, wanted)),
    }
}

/// An exact body may have a surface with holes.
fn help(error: &MeshError, wanted: Surfaces) -> Option<String> {
    let holes = matches!(error.problem, Problem::Holes { .. } | Problem::NoVolume) && wanted == Surfaces::Touched;
    holes.then(|| "as ground that is held it may stay open: `{ file = …, open = true }`".to_string())
}

fn table<'a>(node: &Node<'a>, wanted: Surfaces) -> Option<(&'a str, ReadOptions)> {
    let table = node.table(if wanted == Surfaces::Touched { &EXACT_MESH } else { &MESH })?;
    let unit = table.word("unit").map_or(1.0, |k| MESH_UNITS[k].1);
    let open = wanted == Surfaces::Touched && table.flag("open").unwrap_or(false);
    let fill = match (table.flag("fill").unwrap_or(false), open) {
        (true, true) => {
            return table.error("a mesh is filled or left open", "keep one of `fill` and `open`".to_string());
        }
        (true, false) => Fill::WindingNumber,
        (false, true) => Fill::LeaveOpen,
        (false, false) => Fill::Refuse,
    };
    let scale = unit * table.number("scale").unwrap_or(1.0);
    Some((table.require("file")?.text()?, ReadOptions { scale, fill, ..ReadOptions::default() }))
}
