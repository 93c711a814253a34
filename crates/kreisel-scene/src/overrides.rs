//! Overrides from the command line: `--set body.beam.material.young="2 MPa"`.

use crate::diagnostic::{Diagnostic, SceneError, Severity};
use crate::path::{Step, parse_path};
use crate::source::{Place, Source};
use crate::suggest::offer;
use crate::{Scene, guard, read, syntax_error};
use toml::de::DeTable;
use toml_edit::{ArrayOfTables, DocumentMut, InlineTable, Item, TableLike, Value};

/// Why an override cannot be applied: what is wrong, and what to write instead.
type Refusal = (String, Option<String>);

/// The text of a scene with fields replaced or added, each override as `path.to.field=value`.
///
/// Entries of arrays go by number (`body[0].cells=3`) or by name (`body.beam.cells=3`). A value that is not TOML is taken
/// as a text, so that quotation marks may be left to the shell. A field of a material that is given by name makes it a
/// material that is `like` it. Comments and lines of the scene stay as they are.
pub fn apply_overrides(name: &str, text: &str, overrides: &[impl AsRef<str>]) -> Result<String, SceneError> {
    let source = Source { name: name.into(), text: text.into() };
    guard::text_of(name, text.as_bytes())?;
    guard::check_extent(&source)?;
    DeTable::parse(text).map_err(|e| syntax_error(&source, &e))?;
    let mut document: DocumentMut = text.parse().map_err(|e: toml_edit::TomlError| {
        SceneError::one(Diagnostic::about_file(name, format!("this is not TOML: {}", e.message()), None))
    })?;
    for line in overrides {
        apply(&mut document, line.as_ref()).map_err(|(message, help)| refused(line.as_ref(), message, help))?;
    }
    Ok(document.to_string())
}

/// Reads a scene with overrides applied.
pub fn read_with_overrides(name: &str, text: &str, overrides: &[impl AsRef<str>]) -> Result<Scene, SceneError> {
    if overrides.is_empty() {
        return read(name, text);
    }
    let mut scene = read(&format!("{name} (with --set)"), &apply_overrides(name, text, overrides)?)?;
    if scene.setup.title == scene.source.name {
        scene.setup.title = name.to_string();
    }
    Ok(scene)
}

fn refused(line: &str, message: String, help: Option<String>) -> SceneError {
    let source = Source { name: "--set".into(), text: line.into() };
    let place = Place { span: 0..line.find('=').unwrap_or(line.len()), path: String::new() };
    SceneError::one(Diagnostic::new(&source, &place, Severity::Error, message, help))
}

fn apply(document: &mut DocumentMut, line: &str) -> Result<(), Refusal> {
    let example = || Some("write for example --set step=1e-4 or --set body.beam.cells=3".to_string());
    guard::check_extent(&Source { name: "--set".into(), text: line.into() })
        .map_err(|_| ("this is nested too deep".to_string(), None))?;
    let (path, value) = line.split_once('=').ok_or_else(|| ("an override needs a `=`".to_string(), example()))?;
    let steps = parse_path(path).map_err(|e| (e, example()))?;
    if value.trim().is_empty() {
        return Err(("the value after `=` is missing".to_string(), example()));
    }
    if steps.len() > guard::DEEPEST {
        return Err(("the path is too long".to_string(), None));
    }
    let value: Value = value.trim().parse().unwrap_or_else(|_| Value::from(value.trim()));
    set_in_table(document.as_table_mut(), &steps, value)
}

fn set_in_table(table: &mut dyn TableLike, steps: &[Step], value: Value) -> Result<(), Refusal> {
    let (first, rest) =
        steps.split_first().ok_or_else(|| ("a table cannot be replaced as a whole".to_string(), None))?;
    let Step::Key(key) = first else {
        return Err(("a table has no entries by number".to_string(), None));
    };
    let fresh = !table.contains_key(key);
    if fresh {
        table.insert(key, Item::Value(Value::InlineTable(InlineTable::new())));
    }
    let Some(item) = table.get_mut(key) else { return Err((format!("`{key}` cannot be set"), None)) };
    if rest.is_empty() {
        return replace(item, value, key);
    }
    if let Some(name) = item.as_str().filter(|_| key == "material").map(str::to_string) {
        let like = InlineTable::from_iter([("like", Value::from(name))]);
        replace(item, Value::InlineTable(like), key)?;
    }
    set_in_item(item, rest, value, key)
}

fn set_in_item(item: &mut Item, steps: &[Step], value: Value, key: &str) -> Result<(), Refusal> {
    if let Some(entries) = item.as_array_of_tables_mut() {
        let index = entry_of(entries, &steps[0], key)?;
        let Some(table) = entries.get_mut(index) else { return Err((format!("`{key}` has no entry {index}"), None)) };
        return set_in_table(table, &steps[1..], value);
    }
    if let Some(array) = item.as_array_mut() {
        let Step::Index(index) = steps[0] else {
            return Err((format!("`{key}` is a list: its entries go by number"), Some(format!("write `{key}[0]`"))));
        };
        let count = array.len();
        let Some(entry) = array.get_mut(index) else {
            return Err((format!("`{key}` has {count} entries, numbered from 0; there is no number {index}"), None));
        };
        let mut inner = Item::Value(entry.clone());
        if steps.len() == 1 {
            replace(&mut inner, value, key)?;
        } else {
            set_in_item(&mut inner, &steps[1..], value, key)?;
        }
        if let Ok(changed) = inner.into_value() {
            *entry = changed;
        }
        return Ok(());
    }
    match item.as_table_like_mut() {
        Some(table) => set_in_table(table, steps, value),
        None => Err((format!("`{key}` is a single value and has no fields"), None)),
    }
}

/// The number of the entry that a step names.
fn entry_of(entries: &ArrayOfTables, step: &Step, key: &str) -> Result<usize, Refusal> {
    match step {
        Step::Index(i) if *i < entries.len() => Ok(*i),
        Step::Index(i) => {
            Err((format!("there are {} of `{key}`, numbered from 0; there is no number {i}", entries.len()), None))
        }
        Step::Key(name) => {
            let names: Vec<&str> = entries.iter().map(|t| t.get("name").and_then(Item::as_str).unwrap_or("")).collect();
            names.iter().position(|n| n == name).ok_or_else(|| {
                let named: Vec<&str> = names.into_iter().filter(|n| !n.is_empty()).collect();
                (format!("there is no `{key}` called `{name}`"), offer(name, &named))
            })
        }
    }
}

/// Replaces a value and keeps the spaces and the comment around it.
fn replace(item: &mut Item, value: Value, key: &str) -> Result<(), Refusal> {
    let Some(old) = item.as_value() else {
        return Err((format!("`{key}` has fields of its own and cannot be replaced as a whole"), None));
    };
    let mut value = value;
    *value.decor_mut() = old.decor().clone();
    *item = Item::Value(value);
    Ok(())
}
