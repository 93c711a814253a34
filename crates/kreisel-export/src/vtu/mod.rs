//! VTU and PVD for ParaView: per frame a file of the elements and connections and one of the surfaces; a list with times.

mod array;
mod base64_text;
mod elements;
mod grid;
mod surfaces;

use crate::error::ExportError;
use crate::fields::Fields;
use crate::place;
use crate::story::Story;
use crate::surface::shapes;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

pub(crate) use base64_text::encode as base64;

/// Writes the frames and then the collection `NAME.pvd` into a directory; returns the collection's path.
pub fn write(story: &mut Story, directory: &Path) -> Result<PathBuf, ExportError> {
    let model = story.model.clone();
    let mut shapes = shapes(&model, story.body.as_deref())?;
    let fields = Fields::new(&model);
    place::make_directory(directory)?;
    let mut list = String::new();
    for k in 0..story.frames.len() {
        let frame = story.frame(k)?;
        let chosen = story.body_number();
        let parts = [
            ("elements", elements::grid(&fields, &model, &frame, chosen)),
            ("surfaces", surfaces::grid(&model, &mut shapes, &frame)),
        ];
        for (part, (name, grid)) in parts.into_iter().enumerate() {
            let file = format!("{name}_{k:05}.vtu");
            grid.write(&directory.join(&file), frame.time)?;
            let _ = writeln!(
                list,
                "    <DataSet timestep=\"{}\" group=\"\" part=\"{part}\" name=\"{name}\" file=\"{file}\"/>",
                frame.time
            );
        }
    }
    let path = directory.join(format!("{}.pvd", story.name));
    place::write_bytes(&path, collection(&list).as_bytes())?;
    Ok(path)
}

fn collection(list: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<!-- {} -->\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n  \
         <Collection>\n{list}  </Collection>\n</VTKFile>\n",
        place::MARK
    )
}
