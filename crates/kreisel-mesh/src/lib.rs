//! Surface meshes: read, checked, repaired and written.
//!
//! ```no_run
//! use kreisel_mesh::{ReadOptions, read_path};
//! let millimetres = ReadOptions { scale: 1e-3, ..ReadOptions::default() };
//! let part = read_path("part.stl", &millimetres)?;
//! println!("{}", part.report);
//! # Ok::<(), kreisel_mesh::MeshError>(())
//! ```
//!
//! Whatever a file holds, the outcome is a closed, manifold surface that is turned outwards, or an error that says what
//! is wrong and where. The order of the work is in `prepare.rs`.

mod error;
mod format;
mod options;
mod prepare;
mod read;
mod repair;
mod report;
mod size;
mod soup;
mod space;
mod trace;
mod write;

pub use error::{MeshError, Problem};
pub use format::{Format, is_mesh_name};
pub use options::{Fill, ReadOptions};
pub use report::{MeshReport, Repairs};
pub use size::{LengthUnit, probable_unit};
pub use write::{write_obj, write_ply, write_stl, write_triangles};

use kreisel::model::Surface;
use std::path::Path;

/// A surface that was read, and what was found and done on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The surface: closed, manifold, anticlockwise seen from outside [m].
    pub surface: Surface,
    /// What the file held and what was repaired.
    pub report: MeshReport,
}

/// Reads a mesh file; buffers of a glTF file are looked for beside it.
pub fn read_path(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Loaded, MeshError> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let fail = |problem| MeshError::new(&name, problem);
    let bytes = std::fs::read(path).map_err(|e| fail(Problem::File { reason: e.to_string() }))?;
    read_with(&name, bytes, path.parent(), options)
}

/// Reads a mesh from memory; `name` is for messages, and its ending decides where the content does not.
pub fn read_bytes(name: &str, bytes: &[u8], options: &ReadOptions) -> Result<Loaded, MeshError> {
    read_with(name, bytes.to_vec(), None, options)
}

fn read_with(name: &str, bytes: Vec<u8>, beside: Option<&Path>, options: &ReadOptions) -> Result<Loaded, MeshError> {
    let fail = |problem| MeshError::new(name, problem);
    options.check().map_err(fail)?;
    let format = format::recognise(name, &bytes).map_err(fail)?;
    let soup = read::read(format, &bytes, beside, options).map_err(fail)?;
    drop(bytes); // a large text is not kept while the mesh is checked
    prepare::prepare(name, format, soup, options).map_err(fail)
}
