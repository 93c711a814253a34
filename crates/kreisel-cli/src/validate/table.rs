//! Checks as a table for people and as JSON for programs.

use super::check::Check;
use crate::console::print;
use serde_json::{Value, json};

/// Width of the column of measures; longer ones push the rest to the right.
const MEASURE: usize = 52;

/// Prints the names of the columns.
pub fn print_head() {
    print(&format!(
        "{:<17} {:<MEASURE$} {:>16} {:>16} {:>10}  {:<7} {:>8}",
        "case", "measure", "value", "reference", "tolerance", "verdict", "time"
    ));
}

/// Prints checks, one line each; the reasons of the tolerances below those that failed, or below all.
pub fn print_rows(checks: &[Check], reasons: bool) {
    for check in checks {
        print(&row(check));
        if reasons || !check.passes() {
            print(&format!("{:<17}   tolerance: {}", "", check.reason));
        }
    }
}

fn row(check: &Check) -> String {
    format!(
        "{:<17} {:<MEASURE$} {:>16} {:>16} {:>10}  {:<7} {:>6.2} s",
        check.case,
        check.measure,
        figure(check.value),
        figure(check.reference),
        format!("{:.1e}", check.tolerance),
        if check.passes() { "pass" } else { "FAIL" },
        check.seconds
    )
}

/// Ten digits of a number of everyday size, an exponent otherwise.
fn figure(a: f64) -> String {
    if a == 0.0 {
        "0".into()
    } else if (1e-3..1e6).contains(&a.abs()) {
        format!("{a:.9}")
    } else {
        format!("{a:.4e}")
    }
}

/// An array of objects; numbers that are not finite become `null`.
pub fn to_json(checks: &[Check]) -> Value {
    let object = |c: &Check| {
        json!({
            "case": c.case,
            "measure": c.measure,
            "value": c.value,
            "reference": c.reference,
            "tolerance": c.tolerance,
            "pass": c.passes(),
            "seconds": c.seconds,
        })
    };
    Value::Array(checks.iter().map(object).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::check::Checks;

    #[test]
    fn json_has_exactly_the_keys_that_scripts_rely_on() {
        let mut checks = Checks::new("test");
        checks.near("x", f64::NAN, 1.0, 0.5, "");
        let json = to_json(&checks.done);
        let mut keys: Vec<&str> = json[0].as_object().map_or_else(Vec::new, |o| o.keys().map(String::as_str).collect());
        keys.sort_unstable();
        assert_eq!(keys, ["case", "measure", "pass", "reference", "seconds", "tolerance", "value"]);
        assert!(json[0]["value"].is_null() && json[0]["pass"] == false);
    }
}
