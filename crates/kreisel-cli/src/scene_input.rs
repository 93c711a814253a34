//! Scenes by name or by path, built, with messages that point at the line.

use crate::console;
use crate::failure::Failure;
use kreisel::Simulation;
use kreisel::build::BuildError;
use kreisel_record::RECORDING;
use kreisel_scene::{Diagnostic, Scene, SceneError};
use std::io::Read;
use std::path::Path;

/// A scene with its text.
#[derive(Debug)]
pub struct SceneText {
    /// Name of the scene, or path it was read from.
    pub name: String,
    /// The text.
    pub text: String,
}

/// True if this names a scene, by name or by path.
pub fn is_scene(word: &str) -> bool {
    kreisel_scene::find(word).is_ok() || Path::new(word).is_file()
}

/// Finds a scene by name or by path; names come first.
pub fn load(word: &str) -> Result<SceneText, Failure> {
    if let Ok(scene) = kreisel_scene::find(word) {
        return Ok(SceneText { name: word.into(), text: scene.text.into() });
    }
    let path = Path::new(word);
    if path.is_dir() {
        return Err(directory_error(word, path));
    }
    if !path.exists() {
        return Err(missing_error(word, path));
    }
    if is_recording(path) {
        let help = format!("`kreisel resume {word}` goes on with it");
        return Err(Failure::input(format!("{word} is a recording, not a scene"), &help));
    }
    Ok(SceneText { name: word.into(), text: kreisel_scene::load_text(path)? })
}

fn directory_error(word: &str, path: &Path) -> Failure {
    let help = if path.join(RECORDING).exists() {
        format!("it has a recording: `kreisel resume {word}` goes on with it")
    } else {
        "give the path of a scene file, or a name from `kreisel scenes`".into()
    };
    Failure::input(format!("{word} is a directory, not a scene"), &help)
}

/// Neither a scene nor a file: the nearest name, and the nearest file.
fn missing_error(word: &str, path: &Path) -> Failure {
    let with_extension = format!("{word}.toml");
    if Path::new(&with_extension).is_file() {
        let help = format!("did you mean `{with_extension}`?");
        return Failure::input(format!("there is neither a scene nor a file called `{word}`"), &help);
    }
    if word.contains(std::path::MAIN_SEPARATOR) || path.extension().is_some() {
        let message = "there is no such file".to_string();
        let help = match kreisel_scene::find(path.file_stem().and_then(|s| s.to_str()).unwrap_or("")) {
            Ok(scene) => format!("`{}` without a path is a scene that comes with Kreisel", scene.name),
            Err(_) => "`kreisel new` writes a scene file to start from".into(),
        };
        return SceneError::one(Diagnostic::about_file(word, message, Some(help))).into();
    }
    Failure::input(format!("there is neither a scene nor a file called `{word}`"), &nearest_scenes(word))
}

/// The scenes whose names contain the word, or the one that is spelt nearly so, or all.
fn nearest_scenes(word: &str) -> String {
    let containing = kreisel_scene::scenes().iter().filter(|s| !word.is_empty() && s.name.contains(word));
    let names: Vec<String> = containing.map(|s| format!("`{}`", s.name)).collect();
    if !names.is_empty() {
        return format!("did you mean {}?", names.join(" or "));
    }
    let error = kreisel_scene::find(word).err();
    error.and_then(|e| e.problems.into_iter().find_map(|p| p.help)).unwrap_or_else(|| "see `kreisel scenes`".into())
}

/// True if a file begins as recordings do.
pub fn is_recording(path: &Path) -> bool {
    let mut mark = [0; 8];
    path.is_file()
        && std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut mark)).is_ok()
        && mark == *b"KREISEL\0"
}

/// Reads a scene with overrides and prints what is probably not meant.
pub fn read(scene: &SceneText, overrides: &[String], quiet: bool) -> Result<Scene, Failure> {
    let read = kreisel_scene::read_with_overrides(&scene.name, &scene.text, overrides)?;
    if !quiet {
        read.warnings.iter().for_each(|warning| console::complain(&warning.to_string()));
    }
    if !quiet && read.setup.bodies.is_empty() {
        console::complain("warning: the scene has no [[body]]: nothing will move");
    }
    Ok(read)
}

/// Builds a scene; what is wrong is shown at its line.
pub fn build(scene: &Scene) -> Result<Simulation, Failure> {
    Simulation::new(&scene.setup).map_err(|error| at_its_line(scene, &error))
}

/// A complaint of the engine, at the line of the scene that it is about.
pub fn at_its_line(scene: &Scene, error: &BuildError) -> Failure {
    let path = written_path(scene, &error.path);
    let region = format!("{path}.where");
    let path = if is_written(scene, &region) { region } else { path };
    scene.source.error_at(&path, error.message.clone(), Some(error.help.clone())).into()
}

/// The engine counts the `fix` of bodies first, then the [[fix]] of the scene; the file has them in different places.
fn written_path(scene: &Scene, path: &str) -> String {
    let Some((number, field)) = path.strip_prefix("fix[").and_then(|rest| rest.split_once(']')) else {
        return path.into();
    };
    let Ok(number): Result<usize, _> = number.parse() else { return path.into() };
    let of_body = |b: usize| format!("body[{b}].fix");
    let of_bodies: Vec<String> =
        (0..scene.setup.bodies.len()).map(of_body).filter(|fix| is_written(scene, fix)).collect();
    match of_bodies.get(number) {
        Some(fix) => fix.clone(),
        None => format!("fix[{}]{field}", number - of_bodies.len()),
    }
}

/// True if the file has this very field, not only the table it would be in.
fn is_written(scene: &Scene, path: &str) -> bool {
    let table = path.rsplit_once('.').map_or("", |(table, _)| table);
    scene.source.find(path).span != scene.source.find(table).span
}
