//! Checks as a chapter of the book: a section per case, with what it shows, its reference, every figure and the command.
//!
//! Nothing in it is of one machine: times are left out, and where a figure is made of times only its verdict is shown.

use super::case::{Case, Settings};
use super::check::Check;

/// What makes the chapter.
pub const COMMAND: &str = "cargo run --release -- validate --markdown > book/src/validation.md";

/// Title and how to read the tables.
pub fn head() -> String {
    format!(
        "# Validation\n\n\
         Every known answer that Kreisel is compared with, as a run printed it. This page is generated; do not edit it:\n\n\
         ```sh\n{COMMAND}\n```\n\n\
         A check passes if the value is within the tolerance of the reference. *Off by* is the difference of the two. Where the \
         reference is 0 the value itself is an error and the tolerance its limit. Values that differ from their reference by \
         rounding alone are others on another processor or with another compiler. A section whose command says `--quick` is \
         of the cheaper run, with fewer variants. Keys in brackets are those of the [bibliography](bibliography.md)."
    )
}

/// A case: what it shows, what it is compared with, the command, and its checks.
pub fn section(case: &Case, checks: &[Check], settings: &Settings) -> String {
    let mut text = format!(
        "\n## {}\n\n{}\n\n*Reference.* {}\n\n```sh\ncargo run --release -- validate {}{}\n```\n\n\
         | measure | value | reference | off by | tolerance | verdict | reason for the tolerance |\n\
         |---|--:|--:|--:|--:|---|---|\n",
        case.name,
        sentence(case.about),
        case.reference,
        case.name,
        settings.pick(" --quick", "")
    );
    checks.iter().for_each(|check| text.push_str(&row(check)));
    text
}

/// How many checks there were, as the last line.
pub fn verdict(count: usize, failed: usize) -> String {
    format!("\n---\n\n{} of {count} checks passed.", count - failed)
}

/// A capital at the beginning and a full stop at the end.
pub fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", letters.as_str())
}

fn row(check: &Check) -> String {
    let (value, off) = if check.is_of_this_machine {
        ("a time".into(), "a time".into())
    } else {
        (figure(check.value), size((check.value - check.reference).abs()))
    };
    let verdict = if check.passes() { "pass" } else { "**FAIL**" };
    format!(
        "| {} | {value} | {} | {off} | {} | {verdict} | {} |\n",
        cell(&check.measure),
        figure(check.reference),
        size(check.tolerance),
        cell(&check.reason)
    )
}

/// Six digits: what is finer than that is in the column of differences.
fn figure(value: f64) -> String {
    if value == 0.0 {
        "0".into()
    } else if (1e-3..1e6).contains(&value.abs()) {
        let digits = (5 - value.abs().log10().floor() as i32).max(0) as usize;
        format!("{value:.digits$}")
    } else {
        format!("{value:.2e}")
    }
}

/// Two digits of a difference or a tolerance.
fn size(value: f64) -> String {
    if value == 0.0 { "0".into() } else { format!("{value:.1e}") }
}

/// Text that does not end its cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::check::Checks;

    const CASE: Case = Case { name: "test", about: "a thing holds", reference: "Arithmetic.", run: |_, _| Ok(()) };

    #[test]
    fn a_section_has_sentence_reference_command_and_every_figure() {
        let mut checks = Checks::new("test");
        checks.near("|L| [m]", 1.25, 1.0, 0.5, "half");
        checks.near("none", 2.0, 1.0, 0.5, "half");
        let text = section(&CASE, &checks.done, &Settings { quick: false });
        for words in ["## test", "A thing holds.", "*Reference.* Arithmetic.", "cargo run --release -- validate test"] {
            assert!(text.contains(words), "{words} is missing in {text}");
        }
        assert!(text.contains("| \\|L\\| [m] | 1.25000 | 1.00000 | 2.5e-1 | 5.0e-1 | pass | half |"), "{text}");
        assert!(text.contains("| 1.0e0 | 5.0e-1 | **FAIL** |"), "{text}");
        let quick = section(&CASE, &checks.done, &Settings { quick: true });
        assert!(quick.contains("validate test --quick") && !text.contains("--quick"), "a quick run says so: {quick}");
    }

    #[test]
    fn times_of_a_machine_are_not_shown() {
        let mut checks = Checks::new("test");
        checks.takes_at_most("share of the time", 0.123, 1.0, "a saving");
        let text = section(&CASE, &checks.done, &Settings { quick: false });
        assert!(
            text.contains("| share of the time | a time | 0 | a time | 1.0e0 | pass |") && !text.contains("0.123"),
            "{text}"
        );
    }

    #[test]
    fn figures_have_six_digits() {
        assert_eq!([0.0, 0.599_999_9, -12.345_678, 1.5e-9].map(figure), ["0", "0.600000", "-12.3457", "1.50e-9"]);
    }
}
