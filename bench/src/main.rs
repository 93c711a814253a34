//! Benchmarks, each a subcommand: prints a table with medians, ratios and a hash of the result.

mod broad_phase;

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    match name.as_str() {
        "broad-phase" => broad_phase::run(),
        _ => {
            eprintln!("usage: kreisel-bench broad-phase");
            std::process::exit(2);
        }
    }
}
