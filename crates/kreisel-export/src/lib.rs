//! Recordings in the formats people open: ParaView, Blender, notebooks.
//!
//! | format | what is written | where |
//! |---|---|---|
//! | `vtu` | per frame `elements_00000.vtu` and `surfaces_00000.vtu`; `NAME.pvd` lists them with their times | a directory |
//! | `csv` | `probes.csv`, `ledger.csv`, `events.csv` | a directory |
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
//! **Files.** A file is written under another name and renamed when it is whole. A file that an export did not write is
//! never replaced.

mod check;
mod csv;
mod error;
mod fields;
mod format;
mod place;
mod sample;
mod story;
mod surface;
mod tables;
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
        csv::write(table, path)?;
    }
    Ok(Exported { path: path.to_path_buf(), frames: tables[0].rows(), notes: Vec::new() })
}

fn export_shapes(story: &mut Story, _format: Format, path: &Path) -> Result<Exported, ExportError> {
    let written = vtu::write(story, path)?;
    Ok(Exported { path: written, frames: story.frames.len(), notes: Vec::new() })
}
