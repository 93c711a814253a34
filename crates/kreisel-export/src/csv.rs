//! Tables of comma-separated values, numbers with every digit that matters. [RFC 4180]

use crate::error::ExportError;
use crate::place;
use crate::tables::{Table, Values};
use std::io::Write as _;
use std::path::Path;

/// Writes a table as `NAME.csv` into a directory.
pub fn write(table: &Table, directory: &Path) -> Result<(), ExportError> {
    let path = directory.join(format!("{}.csv", table.name));
    place::write_file(&path, |out| {
        let mut line = |fields: Vec<String>| writeln!(out, "{}", fields.join(",")).map_err(ExportError::file(&path));
        line(table.columns.iter().map(|(name, _)| quoted(name)).collect())?;
        (0..table.rows()).try_for_each(|k| line(table.columns.iter().map(|(_, values)| field(values, k)).collect()))
    })
}

fn field(values: &Values, k: usize) -> String {
    match values {
        Values::Numbers(numbers) => numbers.get(k).map(f64::to_string).unwrap_or_default(),
        Values::Words(words) => words.get(k).map(|w| quoted(w)).unwrap_or_default(),
    }
}

/// A field with a comma, a quotation mark or a line break is put in quotation marks, those inside doubled.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field.into() }
}
