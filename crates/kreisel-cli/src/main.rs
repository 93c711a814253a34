//! The `kreisel` command.

mod validate;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let flag = |name: &str| words.iter().any(|w| w == name);
    let cases: Vec<String> = words.iter().skip(1).filter(|w| !w.starts_with("--")).cloned().collect();
    std::process::exit(match words.first().map(String::as_str) {
        Some("validate") => validate::run(&cases, flag("--quick"), flag("--json")),
        _ => 2,
    });
}
