//! From recordings to charts: which numbers go into which panel.

use crate::error::RenderError;
use crate::plot::chart::{Chart, Panel, Series};
use kreisel::model::setup::Quantity;
use kreisel_record::{Recording, Row};

/// What is to be plotted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// Names of probes, or of single columns such as `tip.z`; none: all, unless the ledger is wanted.
    pub probes: Vec<String>,
    /// Energies, losses and residual.
    pub ledger: bool,
}

/// The numbers of one recording.
struct Run {
    /// Its name in the legend.
    name: String,
    title: String,
    columns: Vec<String>,
    /// Names of probes with what they read.
    units: Vec<(String, &'static str)>,
    rows: Vec<Row>,
}

/// Energies of the ledger, and where they went.
const ENERGIES: [&str; 4] = ["kinetic", "gravity", "elastic", "frozen"];
const FLOWS: [&str; 7] =
    ["load_work", "support_work", "damping_loss", "friction_loss", "contact_loss", "fracture_loss", "conversion_loss"];

/// The chart of some recordings, each with its name in the legend.
pub fn chart(recordings: &mut [(String, Recording)], wishes: &Wishes) -> Result<Chart, RenderError> {
    let runs: Vec<Run> = recordings.iter_mut().map(|(name, r)| read(name, r)).collect::<Result<_, _>>()?;
    let all = wishes.probes.is_empty() && !wishes.ledger;
    let mut panels = probe_panels(&runs, &wishes.probes, all)?;
    if wishes.ledger || all {
        panels.extend(ledger_panels(&runs, wishes.ledger));
    }
    let title = runs.first().map_or(String::new(), |r| r.title.clone());
    Ok(Chart { title, panels })
}

fn read(name: &str, recording: &mut Recording) -> Result<Run, RenderError> {
    // Units are a courtesy: a model that cannot be read does not keep the numbers back.
    let units = match recording.model().ok().flatten() {
        Some(model) => model.probes.iter().map(|p| (p.probe.name.clone(), unit(p.probe.quantity))).collect(),
        None => Vec::new(),
    };
    let rows: Vec<Row> = recording.rows().collect::<Result<_, _>>()?;
    if rows.is_empty() {
        return Err(RenderError::Empty);
    }
    let header = recording.header();
    Ok(Run { name: name.into(), title: header.title.clone(), columns: header.probe_columns.clone(), units, rows })
}

fn unit(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::Position | Quantity::Displacement => "m",
        Quantity::Velocity => "m/s",
        Quantity::Spin => "rad/s",
        Quantity::Momentum => "kg m/s",
        Quantity::AngularMomentum => "kg m²/s",
        Quantity::Force | Quantity::Reaction | Quantity::ContactForce => "N",
        Quantity::Stress | Quantity::PrincipalStress | Quantity::VonMises => "Pa",
        Quantity::Energy => "J",
        Quantity::Strain | Quantity::Rigid => "1",
        Quantity::Joint => "m, rad, N, N m",
    }
}

/// The probe of a column: its name without a component.
fn probe_of<'a>(run: &'a Run, column: &'a str) -> &'a str {
    let is_probe = |name: &str| run.units.iter().any(|(known, _)| known == name);
    if is_probe(column) { column } else { column.rsplit_once('.').map_or(column, |(probe, _)| probe) }
}

/// One panel per probe, in the order of the columns; a wish that nothing answers is an error.
fn probe_panels(runs: &[Run], wanted: &[String], all: bool) -> Result<Vec<Panel>, RenderError> {
    let mut columns: Vec<(&Run, &String)> = Vec::new();
    for column in runs.iter().flat_map(|r| r.columns.iter().map(move |c| (r, c))) {
        if !columns.iter().any(|(_, known)| *known == column.1) {
            columns.push(column);
        }
    }
    for name in wanted {
        if !columns.iter().any(|(run, c)| *c == name || probe_of(run, c) == name) {
            let mut known: Vec<&str> = columns.iter().map(|(run, c)| probe_of(run, c)).collect();
            known.dedup();
            let known = if known.is_empty() { "none".into() } else { known.join(", ") };
            return Err(RenderError::Wish(format!("there is no probe `{name}`; there are {known}")));
        }
    }
    columns.retain(|(run, c)| all || wanted.iter().any(|name| *c == name || probe_of(run, c) == name));
    let groups = columns.chunk_by(|a, b| probe_of(a.0, a.1) == probe_of(b.0, b.1));
    Ok(groups.map(|group| probe_panel(runs, group)).collect())
}

fn probe_panel(runs: &[Run], group: &[(&Run, &String)]) -> Panel {
    let (run, first) = group[0];
    let probe = probe_of(run, first);
    let unit = run.units.iter().find(|(name, _)| name == probe).map_or("", |(_, unit)| unit);
    let names: Vec<String> = group.iter().map(|(_, column)| (*column).clone()).collect();
    let short = |name: &str| name.strip_prefix(probe).and_then(|n| n.strip_prefix('.')).unwrap_or(name).to_string();
    let value = |run: &Run, row: &Row, name: &str| {
        let place = run.columns.iter().position(|c| c == name)?;
        row.probes.get(place).copied()
    };
    let series = lines(runs, &names, short, value);
    Panel { title: probe.into(), unit: unit.into(), series }
}

fn ledger_panels(runs: &[Run], whole: bool) -> Vec<Panel> {
    let value = |_: &Run, row: &Row, name: &str| {
        if name == "total" {
            return Some(row.ledger.energy());
        }
        if name == "residual" {
            return Some(100.0 * row.ledger.relative_residual());
        }
        row.ledger.entries().into_iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    };
    let panel = |title: &str, unit: &str, names: &[&str]| {
        let names: Vec<String> = names.iter().map(|n| n.to_string()).collect();
        let mut series = lines(runs, &names, |n| n.replace('_', " "), value);
        series.retain(|s| s.name.starts_with("total") || s.points.iter().any(|p| p.1 != 0.0));
        Panel { title: title.into(), unit: unit.into(), series }
    };
    let mut energies = ENERGIES.to_vec();
    energies.push("total");
    let mut panels = vec![panel("energy", "J", &energies)];
    if whole {
        panels.push(panel("work received and energy lost", "J", &FLOWS));
        panels.push(panel("residual of the numerics", "% of turnover", &["residual"]));
    }
    panels.retain(|p| !p.series.is_empty());
    panels
}

/// A line per name and run. Colours tell names apart and dashes runs; with a single name, colours tell runs apart.
fn lines(
    runs: &[Run],
    names: &[String],
    short: impl Fn(&str) -> String,
    value: impl Fn(&Run, &Row, &str) -> Option<f64>,
) -> Vec<Series> {
    let mut series = Vec::new();
    for (r, run) in runs.iter().enumerate() {
        for (k, column) in names.iter().enumerate() {
            let point = |row: &Row| value(run, row, column).map(|v| (row.time, v));
            let points: Vec<(f64, f64)> = run.rows.iter().filter_map(point).collect();
            if points.is_empty() {
                continue;
            }
            let name = match (runs.len(), names.len()) {
                (1, _) => short(column),
                (_, 1) => run.name.clone(),
                _ => format!("{} {}", short(column), run.name),
            };
            let (colour, dashes) = if names.len() == 1 { (r, 0) } else { (k, r) };
            series.push(Series { name, points, colour, dashes });
        }
    }
    series
}
