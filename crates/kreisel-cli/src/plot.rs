//! `kreisel plot`: probes and ledger over time.

use crate::arguments::PlotArguments;
use crate::console;
use crate::failure::Failure;
use crate::recording_source;
use kreisel_record::{RECORDING, Recording};
use kreisel_render::plot::{Wishes, chart};
use std::path::{Path, PathBuf};

/// Plots recordings and returns the exit code.
pub fn plot(arguments: &PlotArguments) -> Result<i32, Failure> {
    let out = arguments.out.clone().unwrap_or_else(|| PathBuf::from("plot.svg"));
    let extension = out.extension().and_then(|e| e.to_str()).map(str::to_lowercase);
    if !matches!(extension.as_deref(), Some("svg" | "png")) {
        let what = format!("{}: plots are written as .svg or .png", out.display());
        return Err(Failure::input(what, "give a file that ends so with --out"));
    }
    let mut recordings = Vec::new();
    for word in &arguments.recordings {
        recordings.push((name_of(word), recording_source::open_existing(word)?.recording));
    }
    number_doubles(&mut recordings);
    let wishes = Wishes { probes: arguments.probes.clone(), ledger: arguments.ledger };
    let chart = chart(&mut recordings, &wishes)?;
    chart.write(&out)?;
    if !arguments.quiet {
        let panels: Vec<&str> = chart.panels.iter().map(|p| p.title.as_str()).collect();
        console::print(&format!("{} is written: {}", out.display(), panels.join(", ")));
    }
    Ok(0)
}

/// What a recording is called in the legend: the directory of its run, or its file.
fn name_of(word: &str) -> String {
    let path = Path::new(word);
    let path = if path.ends_with(RECORDING) { path.parent().unwrap_or(path) } else { path };
    path.file_stem().map_or_else(|| word.into(), |s| s.to_string_lossy().into_owned())
}

/// Recordings of one name are told apart by a number.
fn number_doubles(recordings: &mut [(String, Recording)]) {
    let names: Vec<String> = recordings.iter().map(|r| r.0.clone()).collect();
    for (k, (name, _)) in recordings.iter_mut().enumerate() {
        if names.iter().filter(|n| *n == name).count() > 1 {
            *name = format!("{name} {}", names[..=k].iter().filter(|n| *n == name).count());
        }
    }
}
