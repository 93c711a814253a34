//! What is printed, and where: results on standard output, everything else on standard error.

use std::io::{IsTerminal, Write};

const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[1;33m";
const BLUE: &str = "\x1b[1;34m";
const PLAIN: &str = "\x1b[0m";

/// Prints on standard output. A reader that has gone away is no error.
pub fn print(text: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{}", text.trim_end());
}

/// Prints on standard error; `error:`, `warning:` and `note:` at the beginning of a line are coloured on terminals.
pub fn complain(text: &str) {
    let coloured = is_colourful();
    let mut err = std::io::stderr().lock();
    for line in text.trim_end().lines() {
        let _ = if coloured { writeln!(err, "{}", paint(line)) } else { writeln!(err, "{line}") };
    }
}

/// True if standard error is a terminal.
pub fn is_terminal() -> bool {
    std::io::stderr().is_terminal()
}

/// True if standard error is a terminal and its user has nothing against colours. [no-color.org]
fn is_colourful() -> bool {
    is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}

fn paint(line: &str) -> String {
    for (word, colour) in [("error:", RED), ("warning:", YELLOW), ("note:", BLUE)] {
        if let Some(rest) = line.strip_prefix(word) {
            return format!("{colour}{word}{PLAIN}{rest}");
        }
    }
    line.into()
}

/// A number with four digits, for people.
pub fn short(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 {
        "0".into()
    } else if !(1e-3..1e5).contains(&size) {
        format!("{value:.3e}")
    } else {
        let digits = (3 - size.log10().floor() as i32).max(0) as usize;
        format!("{value:.digits$}")
    }
}

/// A number of bytes, for people.
pub fn bytes(count: u64) -> String {
    match count {
        0..10_000 => format!("{count} bytes"),
        10_000..10_000_000 => format!("{:.0} kB", count as f64 / 1e3),
        10_000_000..10_000_000_000 => format!("{:.0} MB", count as f64 / 1e6),
        _ => format!("{:.1} GB", count as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_with_four_digits() {
        let shown = [0.0, 0.012346, 1.0, -123.456, 99999.0, 1e-9].map(short);
        assert_eq!(shown, ["0", "0.01235", "1.000", "-123.5", "99999", "1.000e-9"]);
    }

    #[test]
    fn the_first_word_of_a_complaint_is_coloured_and_the_rest_is_not() {
        assert_eq!(paint("error: no"), format!("{RED}error:{PLAIN} no"));
        assert_eq!(paint("no error: here"), "no error: here");
    }
}
