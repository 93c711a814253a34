//! Benchmarks of Kreisel: `cargo run --release -- NAME`. Each prints medians, ratios and a hash of the result.

mod broad_phase;
mod conversion;
mod crossover;
mod implicit_beam;
mod implicit_size;
mod implicit_solve;
mod measure;
mod memory;
mod rigid;
mod scenes;
mod soft_beam;
mod soft_beam_peer;
mod springs;
mod step;

fn main() -> std::process::ExitCode {
    // As the product does.
    kreisel_record::keep_large_lists_apart();
    let mut arguments = std::env::args().skip(1);
    let (name, detail, more) = (arguments.next(), arguments.next(), arguments.next());
    match name.as_deref() {
        Some("springs") => springs::run(),
        Some("broad-phase") => broad_phase::run(),
        Some("step") => step::run(),
        Some("conversion") => conversion::run(),
        Some("implicit-beam") => implicit_beam::run(detail.as_deref()),
        Some("implicit-solve") => implicit_solve::run(detail.as_deref()),
        Some("implicit-size") => implicit_size::run(detail.as_deref(), more.as_deref()),
        Some("crossover") => crossover::run(),
        Some("soft-beam") => soft_beam::run(detail.as_deref()),
        Some("scenes") => scenes::run(detail.as_deref()),
        Some("rigid") => rigid::run(&std::env::args().skip(2).collect::<Vec<_>>()),
        Some("memory") => memory::run(detail.as_deref()),
        _ => {
            eprintln!(
                "usage: cargo run --release -- springs | broad-phase | step | conversion | implicit-beam | implicit-solve | implicit-size | crossover | soft-beam | rigid | scenes | memory"
            );
            return std::process::ExitCode::from(2);
        }
    }
    std::process::ExitCode::SUCCESS
}
