//! Tables of comma-separated values, each row written whole before the next. [RFC 4180]

use crate::error::RecordError;
use crate::header::Header;
use crate::row::Row;
use kreisel::model::Ledger;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A table that is being written.
#[derive(Debug)]
struct Table {
    file: File,
    path: PathBuf,
}

impl Table {
    /// Begins a table with its column names; a file of that name is replaced.
    fn create(path: &Path, columns: &[String]) -> Result<Self, RecordError> {
        let file = File::create(path).map_err(RecordError::file(path))?;
        let mut table = Self { file, path: path.to_path_buf() };
        table.append(&line(columns))?;
        Ok(table)
    }

    /// Appends whole lines in one write: a crash leaves whole lines.
    fn append(&mut self, lines: &str) -> Result<(), RecordError> {
        self.file.write_all(lines.as_bytes()).map_err(RecordError::file(&self.path))
    }
}

/// The three tables of a run: probes, ledger and events.
#[derive(Debug)]
pub struct Tables {
    probes: Table,
    ledger: Table,
    events: Table,
}

impl Tables {
    /// Begins `probes.csv`, `ledger.csv` and `events.csv` in a directory.
    pub fn create(directory: &Path, header: &Header) -> Result<Self, RecordError> {
        let time = || "time".to_string();
        let probes: Vec<String> = std::iter::once(time()).chain(header.probe_columns.iter().cloned()).collect();
        let ledger: Vec<String> = std::iter::once(time()).chain(ledger_columns()).collect();
        let events = ["time", "event", "x", "y", "z", "energy", "detail"].map(String::from);
        Ok(Self {
            probes: Table::create(&directory.join("probes.csv"), &probes)?,
            ledger: Table::create(&directory.join("ledger.csv"), &ledger)?,
            events: Table::create(&directory.join("events.csv"), &events)?,
        })
    }

    /// Appends a frame.
    pub fn append(&mut self, row: &Row) -> Result<(), RecordError> {
        let numbers = |values: &[f64]| line(&values.iter().map(f64::to_string).collect::<Vec<_>>());
        let with_time = |values: &[f64]| numbers(&[&[row.time], values].concat());
        self.probes.append(&with_time(&row.probes))?;
        self.ledger.append(&with_time(&ledger_values(&row.ledger)))?;
        if row.events.is_empty() {
            return Ok(());
        }
        self.events.append(&row.events.iter().map(event_line).collect::<String>())
    }
}

fn ledger_columns() -> Vec<String> {
    let ledger = Ledger::default();
    let energies = ledger.entries().into_iter().map(|(name, _)| name.to_string());
    let momenta = ledger.momenta().into_iter().flat_map(|(name, _)| ["x", "y", "z"].map(|c| format!("{name}.{c}")));
    energies.chain(momenta).collect()
}

fn ledger_values(ledger: &Ledger) -> Vec<f64> {
    let energies = ledger.entries().into_iter().map(|(_, value)| value);
    energies.chain(ledger.momenta().into_iter().flat_map(|(_, value)| value.to_array())).collect()
}

fn event_line(event: &kreisel::model::Event) -> String {
    let [x, y, z] = event.place.to_array();
    line(&[
        event.time.to_string(),
        event.kind.word().into(),
        x.to_string(),
        y.to_string(),
        z.to_string(),
        event.energy.to_string(),
        event.kind.detail(),
    ])
}

fn line(fields: &[String]) -> String {
    let mut line = fields.iter().map(|f| quoted(f)).collect::<Vec<_>>().join(",");
    line.push('\n');
    line
}

/// A field with a comma, a quotation mark or a line break is put in quotation marks, those inside doubled.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_with_commas_quotation_marks_and_line_breaks_are_quoted() {
        assert_eq!(quoted("plain 1.5"), "plain 1.5");
        assert_eq!(quoted("a,b"), "\"a,b\"");
        assert_eq!(quoted("the \"cow\""), "\"the \"\"cow\"\"\"");
        assert_eq!(quoted("two\nlines"), "\"two\nlines\"");
    }

    #[test]
    fn the_ledger_has_as_many_columns_as_values_and_names_the_components() {
        let columns = ledger_columns();
        assert_eq!(columns.len(), ledger_values(&Ledger::default()).len());
        assert!(columns.contains(&"turnover".into()) && columns.contains(&"angular_momentum.z".into()));
    }
}
