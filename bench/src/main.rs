//! Benchmarks of Kreisel: `cargo run --release -- NAME`. Each prints medians, ratios and a hash of the result.

mod broad_phase;
mod springs;

fn main() -> std::process::ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("springs") => springs::run(),
        Some("broad-phase") => broad_phase::run(),
        _ => {
            eprintln!("usage: cargo run --release -- springs | broad-phase");
            return std::process::ExitCode::from(2);
        }
    }
    std::process::ExitCode::SUCCESS
}
