//! Recordings in the formats people open: ParaView, Blender, notebooks.
//!
//! | format | what is written | where |
//! |---|---|---|
//! | `vtu` | per frame `elements_00000.vtu` and `surfaces_00000.vtu`; `NAME.pvd` lists them with their times | a directory |
//! | `gltf`, `glb` | glTF 2.0 with an animation, as text with the numbers inside or as one binary file | a file |
//! | `usd` | Universal Scene Description as text (`.usda`) | a file |
//! | `obj`, `stl` | the surfaces at one moment | a file |
//! | `csv`, `parquet` | `probes`, `ledger` and `events` | a directory |
//!
//! **Frames.** Without a rate every recorded frame is exported. With a rate, the recorded frames nearest to
//! `t₀ + k/fps`, each at its own recorded time; nothing is interpolated, and no frame is written twice. The end that a
//! crash tore off a recording is left out, so the export of a crashed run is whole.
//!
//! **Surfaces.** A body is shown by its skins; a box without one by the faces of its lattice; other bodies by their
//! elements, a ball of the contact radius each.
//!
//! **Elements in VTU.** Points have `displacement` \[m\], `velocity` \[m/s\], `force` \[N\] (that of the unbroken connections
//! and cells; contacts, dampers, loads and gravity are not in it), `stress` (xx, yy, zz, xy, yz, xz) and `von_mises`
//! \[Pa\], `body`, `material`, `rigid` (0, 1), `radius` \[m\], `mass` \[kg\]. Cells are the elements, then the connections,
//! with `strain` \[1\], `damage` (of a connection 0 or 1, of an element the share of its connections that broke) and
//! `connection` (0, 1).
//!
//! **glTF.** A body that is one rigid aggregate in all frames is a node that moves and turns. Any other is baked: the
//! first frame is the mesh, every later one a morph target, and an animation of the weights goes from one to the next.
//! At most 300 frames are taken of such a body; more are thinned out evenly, which is noted. When a surface breaks, the
//! pieces between one break and the next are nodes of their own, shown by their scale while they last. Texture
//! coordinates are kept; parts of a surface are primitives with a material of their name. `y` is up, as glTF wants it.
//!
//! **USD.** A `Mesh` per surface with time-sampled points, and triangles where they change; `Points` for elements
//! without a surface; time codes count frames of the rate; `z` is up.
//!
//! **OBJ** keeps the vertices of the mesh file that the body was made from, in its order, its texture coordinates and the
//! names of its parts; vertices that refinement or fracture added come after.
//!
//! **Tables.** A rate thins out probes and ledger; events are always all there. Numbers are exact.
//!
//! **Files.** A file is written under another name and renamed when it is whole. A file that an export did not write is
//! never replaced.

mod csv;
mod error;
mod fields;
mod format;
mod gltf;
mod numbering;
mod obj;
mod palette;
mod parquet;
mod place;
mod rigid;
mod sample;
mod stl;
mod story;
mod surface;
mod tables;
mod takes;
mod usd;
mod usd_text;
mod vtu;

pub use error::ExportError;
pub use format::Format;

use kreisel_record::Recording;
use std::path::{Path, PathBuf};
use story::Story;

/// What is to be exported, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// To which format.
    pub format: Format,
    /// Frames per second; `None`: all frames.
    pub fps: Option<f64>,
    /// Which moment [s], for formats that show one; `None`: the last.
    pub time: Option<f64>,
    /// Only this body.
    pub body: Option<String>,
}

/// What was written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exported {
    /// The file to open, or the directory of the tables.
    pub path: PathBuf,
    /// Frames in it; rows of the probes for tables.
    pub frames: usize,
    /// What the user should know: what was thinned out, torn off.
    pub notes: Vec<String>,
}

/// Exports a recording to `path`: a file, or for formats of several files a directory.
pub fn export(recording: &mut Recording, options: &Options, path: &Path) -> Result<Exported, ExportError> {
    if recording.is_empty() {
        return Err(ExportError::NoFrames);
    }
    let mut exported = match options.format {
        Format::Csv | Format::Parquet => export_tables(recording, options, path)?,
        _ => export_shapes(&mut Story::new(recording, options)?, options.format, path)?,
    };
    if let Some(bytes) = recording.torn_bytes() {
        exported.notes.insert(0, format!("the last {bytes} bytes of the recording are torn and left out"));
    }
    Ok(exported)
}

/// Where an export goes if nobody says: beside the recording, `DIR/vtu` or `DIR/SCENE.glb`.
pub fn default_path(recording: &Recording, directory: &Path, format: Format) -> PathBuf {
    match format.extension() {
        Some(extension) => directory.join(format!("{}.{extension}", story::name_of(recording))),
        None => directory.join(format.name()),
    }
}

fn export_tables(recording: &mut Recording, options: &Options, path: &Path) -> Result<Exported, ExportError> {
    let tables = tables::read(recording, options.fps)?;
    place::make_directory(path)?;
    for table in &tables {
        match options.format {
            Format::Parquet => parquet::write(table, path)?,
            _ => csv::write(table, path)?,
        }
    }
    Ok(Exported { path: path.to_path_buf(), frames: tables[0].rows(), notes: Vec::new() })
}

fn export_shapes(story: &mut Story, format: Format, path: &Path) -> Result<Exported, ExportError> {
    let (mut written, mut notes) = (path.to_path_buf(), Vec::new());
    match format {
        Format::Gltf => notes = gltf::write(story, path, gltf::Packing::Text)?,
        Format::Glb => notes = gltf::write(story, path, gltf::Packing::Binary)?,
        Format::Usd => usd::write(story, path)?,
        Format::Obj => obj::write(story, path)?,
        Format::Stl => stl::write(story, path)?,
        Format::Vtu | Format::Csv | Format::Parquet => written = vtu::write(story, path)?,
    }
    Ok(Exported { path: written, frames: story.frames.len(), notes })
}
