//! The tables of a recording: probes, ledger and events, as columns.

use crate::error::ExportError;
use crate::sample;
use kreisel::model::Ledger;
use kreisel_record::{Recording, Row};

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Numbers.
    Numbers(Vec<f64>),
    /// Words.
    Words(Vec<String>),
}

/// A table of named columns of one length.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its name, and that of its file.
    pub name: &'static str,
    /// Its columns.
    pub columns: Vec<(String, Values)>,
}

impl Table {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        match self.columns.first() {
            Some((_, Values::Numbers(v))) => v.len(),
            Some((_, Values::Words(v))) => v.len(),
            None => 0,
        }
    }

    fn of_numbers(name: &'static str, columns: Vec<String>, rows: &[Vec<f64>]) -> Self {
        let column =
            |k: usize| Values::Numbers(rows.iter().map(|row| row.get(k).copied().unwrap_or(f64::NAN)).collect());
        Self { name, columns: columns.into_iter().enumerate().map(|(k, name)| (name, column(k))).collect() }
    }
}

/// Probes and ledger at the frames of a rate (or all), and all events.
pub fn read(recording: &mut Recording, fps: Option<f64>) -> Result<[Table; 3], ExportError> {
    let chosen = sample::choose(recording, fps)?;
    let (mut probes, mut ledger, mut events) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..recording.len() {
        let row = recording.row(i)?;
        if chosen.binary_search(&i).is_ok() {
            probes.push([&[row.time], &row.probes[..]].concat());
            ledger.push([&[row.time], &ledger_values(&row.ledger)[..]].concat());
        }
        events.push(row);
    }
    let time = || std::iter::once("time".to_string());
    let probe_columns = time().chain(recording.header().probe_columns.iter().cloned()).collect();
    let ledger_columns = time().chain(ledger_columns()).collect();
    Ok([
        Table::of_numbers("probes", probe_columns, &probes),
        Table::of_numbers("ledger", ledger_columns, &ledger),
        event_table(&events),
    ])
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

fn event_table(rows: &[Row]) -> Table {
    let events = || rows.iter().flat_map(|row| &row.events);
    let numbers = |f: fn(&kreisel::model::Event) -> f64| Values::Numbers(events().map(f).collect());
    let columns = vec![
        ("time".into(), numbers(|e| e.time)),
        ("event".into(), Values::Words(events().map(|e| e.kind.word().into()).collect())),
        ("x".into(), numbers(|e| e.place.x)),
        ("y".into(), numbers(|e| e.place.y)),
        ("z".into(), numbers(|e| e.place.z)),
        ("energy".into(), numbers(|e| e.energy)),
        ("detail".into(), Values::Words(events().map(|e| e.kind.detail()).collect())),
    ];
    Table { name: "events", columns }
}
