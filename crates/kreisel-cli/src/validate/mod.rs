//! `kreisel validate`: every known answer, each as a scene, a reference, a measure and a tolerance with its reason.

mod beam_reference;
mod case;
mod cases;
mod check;
mod lab;
mod reference;
mod table;

use crate::console::{complain, print};
use case::{Case, Settings};
use check::{Check, Checks};

/// Runs the named cases (all of them if none is named), prints what came out, and returns the exit code: 0 if every check
/// passed, 1 if one failed, 2 for a case that does not exist.
pub fn run(cases: &[String], quick: bool, json: bool) -> i32 {
    let chosen = match choose(cases) {
        Ok(chosen) => chosen,
        Err(message) => {
            complain(&format!("error: {message}"));
            return 2;
        }
    };
    let settings = Settings { quick };
    let mut all = Vec::new();
    if !json {
        table::print_head();
    }
    for case in chosen {
        let done = perform(case, &settings);
        if !json {
            table::print_rows(&done, !cases.is_empty());
        }
        all.extend(done);
    }
    let failed = all.iter().filter(|c| !c.passes()).count();
    if json {
        print(&table::to_json(&all).to_string());
    } else {
        print(&format!("{} passed, {failed} failed", all.len() - failed));
    }
    i32::from(failed > 0)
}

/// Runs one case; if it breaks off, that is a check that failed.
fn perform(case: &'static Case, settings: &Settings) -> Vec<Check> {
    let mut checks = Checks::new(case.name);
    if let Err(reason) = (case.run)(settings, &mut checks) {
        checks.broke_off(&reason);
    }
    checks.done
}

/// The cases with the given names, in the given order.
fn choose(names: &[String]) -> Result<Vec<&'static Case>, String> {
    if names.is_empty() {
        return Ok(cases::ALL.iter().collect());
    }
    names.iter().map(|name| cases::ALL.iter().find(|c| c.name == name).ok_or_else(|| unknown(name))).collect()
}

/// The sentence for a case that does not exist, with the nearest that does.
fn unknown(name: &str) -> String {
    let likeness = |c: &&Case| strsim::jaro_winkler(c.name, name);
    let nearest = cases::ALL.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    let offer = nearest.filter(|c| likeness(c) > 0.7).map(|c| format!("; did you mean `{}`?", c.name));
    let list: Vec<String> = cases::ALL.iter().map(|c| format!("  {:<18} {}", c.name, c.about)).collect();
    format!("there is no case `{name}`{}\nThe cases are:\n{}", offer.unwrap_or_default(), list.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_case_is_refused_with_the_nearest_name() {
        let message = choose(&["free-topp".into()]).err().unwrap_or_default();
        assert!(message.contains("did you mean `free-top`?"), "{message}");
        assert_eq!(run(&["no such thing".into()], true, false), 2);
    }

    #[test]
    fn every_case_has_a_name_of_its_own() {
        let mut names: Vec<_> = cases::ALL.iter().map(|c| c.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), cases::ALL.len());
    }
}
