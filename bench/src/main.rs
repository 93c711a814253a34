//! Benchmarks of Kreisel: `cargo run --release -- NAME`, one name per benchmark.

mod springs;

fn main() -> std::process::ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("springs") => springs::run(),
        _ => {
            eprintln!("usage: cargo run --release -- springs");
            return std::process::ExitCode::from(2);
        }
    }
    std::process::ExitCode::SUCCESS
}
