//! Peak memory of the balls, in flight and in a heap, each in a process of its own: what a body takes, and what a contact.

use super::{Engine, own, scenes};
use crate::measure::with_threads;
use kreisel_record::peak_bytes_without_program;

/// Steps in flight: nothing touches yet.
const FLIGHT: usize = 3;
/// Steps until the heap lies.
const HEAP: usize = 240;
/// The bars [bytes per body, bytes per contact].
const BARS: [f64; 2] = [3000.0, 1000.0];

/// Balls in a flight, and in one of more: their difference is free of what the program takes anyway.
const FEW: i32 = 2000;
const MANY: i32 = 8000;
/// Balls that fall before anything is measured: what the program keeps for contact at all is then there. Its own pages do not count.
const FIRST: i32 = 100;

/// Runs one case, or all, and compares them.
pub fn run(case: Option<&str>) {
    match case {
        Some("few") => print_case(FEW, FLIGHT),
        Some("many") => print_case(MANY, FLIGHT),
        Some("heap") => print_case(FEW, HEAP),
        _ => compare(),
    }
}

fn compare() {
    let ([few, _], [many, _], [heap, contacts]) = (child("few"), child("many"), child("heap"));
    let (body, contact) = ((many - few) / f64::from(MANY - FEW), (heap - few) / contacts);
    println!("{body:.0} bytes per body (bar {}), {contact:.0} per contact of {contacts} (bar {})", BARS[0], BARS[1]);
}

/// Peak memory beyond that of the empty program [bytes], and most contacts.
fn child(case: &str) -> [f64; 2] {
    let program = std::env::current_exe().expect("the path of this program");
    let out = std::process::Command::new(program).args(["rigid", "memory", case]).output().expect("a child process");
    let text = String::from_utf8_lossy(&out.stdout);
    let mut numbers = text.split_whitespace().filter_map(|n| n.parse().ok());
    std::array::from_fn(|_| numbers.next().unwrap_or(f64::NAN))
}

fn print_case(balls: i32, steps: usize) {
    with_threads(1, || {
        let mut first: Box<dyn Engine> = own::start(&scenes::flock(FIRST));
        (0..HEAP).for_each(|_| first.step());
        drop(first);
        let empty = peak_bytes_without_program();
        let mut engine: Box<dyn Engine> = own::start(&scenes::flock(balls));
        (0..steps).for_each(|_| engine.step());
        println!("{} {}", peak_bytes_without_program() - empty, engine.cost().contacts);
    });
}
