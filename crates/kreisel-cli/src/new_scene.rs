//! `kreisel new`: writes a scene to start from, empty or around a mesh.

use crate::console;
use crate::failure::Failure;
use crate::mesh_scene::scene_around;
use std::io::Write as _;
use std::path::Path;

/// Writes a scene to start from; never over a file that is there.
pub fn new_scene(file: &Path, out: Option<&Path>) -> Result<i32, Failure> {
    if !kreisel_mesh::is_mesh_name(&file.display().to_string()) {
        return write(out.unwrap_or(file), kreisel_scene::starter_scene());
    }
    let scene = out.map_or_else(|| file.with_extension("toml"), Path::to_path_buf);
    if scene.exists() {
        return Err(exists(&scene)); // before a large mesh is read
    }
    let (text, report) = scene_around(file, &scene)?;
    console::print(&report);
    write(&scene, &text)
}

fn exists(path: &Path) -> Failure {
    Failure::input(format!("{} exists already and is left as it is", path.display()), "choose another name")
}

fn write(path: &Path, text: &str) -> Result<i32, Failure> {
    let shown = path.display();
    let mut file = std::fs::File::create_new(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => exists(path),
        std::io::ErrorKind::NotFound => Failure::input(format!("{shown}: {error}"), "make the directory first"),
        _ => Failure::input(format!("{shown}: {error}"), "choose a place that may be written to"),
    })?;
    file.write_all(text.as_bytes())
        .map_err(|error| Failure::input(format!("{shown}: {error}"), "see that there is room left"))?;
    console::print(&format!("{shown} is written; try\n  kreisel check {shown}\n  kreisel run {shown}"));
    Ok(0)
}
