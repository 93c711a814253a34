//! How long a mesh of a million triangles takes to load, and how much memory, in every format:
//! `cargo run --release -p kreisel-mesh --example million [FORMAT]`.

#[path = "../tests/common/mod.rs"]
mod common;

use kreisel_mesh::{ReadOptions, read_path};
use std::time::Instant;

/// Runs itself once per format, so that the peak of memory is that of one format alone.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = std::env::temp_dir().join("kreisel-million");
    if let Some(file) = std::env::args().nth(1) {
        return load(&directory.join(file));
    }
    std::fs::create_dir_all(&directory)?;
    for (name, bytes) in common::all_formats(&common::torus(1000, 500)) {
        std::fs::write(directory.join(name), bytes)?;
        std::process::Command::new(std::env::current_exe()?).arg(name).status()?;
    }
    Ok(std::fs::remove_dir_all(&directory)?)
}

fn load(path: &std::path::Path) -> Result<(), Box<dyn std::error::Error>> {
    let begun = Instant::now();
    let loaded = read_path(path, &ReadOptions::default())?;
    let took = begun.elapsed().as_secs_f64();
    let name = path.file_name().unwrap_or_default().display();
    let (triangles, volume) = (loaded.report.triangles, loaded.report.volume);
    println!(
        "{name:12} {took:6.2} s ({:.2} s of one core), peak {:5} MB, {triangles} triangles, volume {volume:.6} m³",
        processor(),
        peak() / 1024
    );
    Ok(())
}

/// Time that this process had a core [s], where the system tells: others may have been busy.
fn processor() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|w| w.parse::<f64>().ok()).unwrap_or(0.0) * 1e-9
}

/// The largest memory this process had [kB], where the system tells.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|w| w.parse().ok()).unwrap_or(0)
}
