//! The commands that only print a text.

use crate::console;
use crate::failure::Failure;
use std::fmt::Write as _;

/// What can be done first.
pub const WELCOME: &str = "\
Kreisel: mechanics in which rigid and soft bodies are one thing.

  kreisel view lever              show a scene that comes with Kreisel, live in the browser
  kreisel run beam-part-rigid     run one and record it
  kreisel scenes --long           see which there are
  kreisel new mine.toml           write a scene of your own to start from
  kreisel new part.stl            write one around a mesh

`kreisel --help` lists all commands, `kreisel run --help` explains one.";

/// The names of the scenes that come with Kreisel, with their titles if wanted.
pub fn scenes(long: bool) -> Result<i32, Failure> {
    let scenes = kreisel_scene::scenes();
    let width = scenes.iter().map(|s| s.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for scene in scenes {
        let title = || kreisel_scene::read(scene.name, scene.text).map(|s| s.setup.title);
        let _ = match long {
            true => writeln!(text, "{:width$}  {}", scene.name, title()?),
            false => writeln!(text, "{}", scene.name),
        };
    }
    console::print(&text);
    Ok(0)
}

/// The schema of scene files for editors, or the reference for people.
pub fn schema(markdown: bool) -> Result<i32, Failure> {
    console::print(&if markdown { kreisel_scene::reference_markdown() } else { kreisel_scene::schema() });
    Ok(0)
}
