//! Scene files: TOML in, [`kreisel::model::Setup`] out, and messages that say where and what.
//!
//! ```
//! let scene = kreisel_scene::read("hello.toml", r#"
//!     duration = "2 s"
//!     [[body]]
//!     name = "block"
//!     shape = { box = ["20 cm", "20 cm", "10 cm"] }
//!     material = "gel"
//! "#)?;
//! assert_eq!(scene.setup.bodies[0].name, "block");
//! # Ok::<(), kreisel_scene::SceneError>(())
//! ```

mod diagnostic;
mod embedded;
mod guard;
pub mod keys;
pub mod materials;
mod overrides;
mod path;
mod read;
mod reference;
mod schema;
mod source;
mod suggest;
pub mod units;

pub use diagnostic::{Diagnostic, SceneError, Severity, Warning};
pub use embedded::{EmbeddedScene, find, scenes, starter_scene};
pub use guard::{DEEPEST, LARGEST_FILE};
pub use overrides::{apply_overrides, read_with_overrides};
pub use read::{integrator_word, integrators};
pub use reference::reference_markdown;
pub use schema::schema;
pub use source::{Location, Place, Source};

use kreisel::model::Setup;
use std::io::Read;
use std::path::Path;
use toml::de::DeTable;

/// A scene, read.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What the file says, in SI.
    pub setup: Setup,
    /// What is probably not meant, in the order of the file.
    pub warnings: Vec<Warning>,
    /// The text, to point at a field when something is found wrong with it later.
    pub source: Source,
}

/// Reads a scene from its text; `name` is what messages call the file.
pub fn read(name: &str, text: &str) -> Result<Scene, SceneError> {
    guard::text_of(name, text.as_bytes())?;
    let source = Source { name: name.into(), text: text.into() };
    guard::check_extent(&source)?;
    let parsed = DeTable::parse(&source.text).map_err(|e| syntax_error(&source, &e))?;
    let reader = read::Reader::new(&source);
    let mut setup = read::read_scene(&reader, parsed.get_ref());
    let (problems, warnings) = reader.finish();
    if !problems.is_empty() {
        return Err(SceneError { problems });
    }
    if setup.title.is_empty() {
        setup.title = name.to_string();
    }
    drop(parsed);
    Ok(Scene { setup, warnings, source })
}

/// Reads a scene from bytes that may be anything.
pub fn read_bytes(name: &str, bytes: &[u8]) -> Result<Scene, SceneError> {
    read(name, guard::text_of(name, bytes)?)
}

/// Reads a scene file.
pub fn read_path(path: impl AsRef<Path>) -> Result<Scene, SceneError> {
    let (name, bytes) = load(path.as_ref())?;
    read_bytes(&name, &bytes)
}

/// The text of a scene file, refused if it is too large or not a text.
pub fn load_text(path: impl AsRef<Path>) -> Result<String, SceneError> {
    let (name, bytes) = load(path.as_ref())?;
    guard::text_of(&name, &bytes).map(str::to_string)
}

/// Reads at most a byte more than a scene file may have, so that endless files end.
fn load(path: &Path) -> Result<(String, Vec<u8>), SceneError> {
    let name = path.display().to_string();
    let failed =
        |e: std::io::Error| SceneError::one(Diagnostic::about_file(&name, format!("cannot be read: {e}"), None));
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(failed)?;
    file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(failed)?;
    Ok((name, bytes))
}

fn syntax_error(source: &Source, error: &toml::de::Error) -> SceneError {
    let place = Place { span: error.span().unwrap_or(0..0), path: String::new() };
    let message = format!("this is not TOML: {}", error.message().trim_end().replace('\n', ", "));
    SceneError::one(Diagnostic::new(source, &place, Severity::Error, message, None))
}
