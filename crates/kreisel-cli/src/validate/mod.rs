//! `kreisel validate`: every known answer, each as a scene, a reference, a measure and a tolerance with its reason.

mod beam_reference;
mod case;
mod cases;
mod check;
mod lab;
mod page;
mod reference;
mod table;

use crate::console::{complain, print};
use case::{Case, Settings};
use check::{Check, Checks};

/// How the checks are shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// One line per check, as they come.
    Table,
    /// An array of objects.
    Json,
    /// The chapter of the book: one section per case.
    Markdown,
}

/// Runs the named cases (all of them if none is named), prints what came out, and returns the exit code: 0 if every check
/// passed, 1 if one failed, 2 for a case that does not exist.
pub fn run(cases: &[String], quick: bool, form: Form) -> i32 {
    let chosen = match choose(cases) {
        Ok(chosen) => chosen,
        Err(message) => {
            complain(&format!("error: {message}"));
            return 2;
        }
    };
    let settings = Settings { quick };
    let mut all = Vec::new();
    print_head(form);
    for case in chosen {
        let done = perform(case, &settings);
        match form {
            Form::Table => table::print_rows(&done, !cases.is_empty()),
            Form::Json => {}
            Form::Markdown => print(&page::section(case, &done, &settings)),
        }
        all.extend(done);
    }
    let failed = all.iter().filter(|c| !c.passes()).count();
    match form {
        Form::Table => print(&format!("{} passed, {failed} failed", all.len() - failed)),
        Form::Json => print(&table::to_json(&all).to_string()),
        Form::Markdown => print(&page::verdict(all.len(), failed)),
    }
    i32::from(failed > 0)
}

/// What comes before the first case.
fn print_head(form: Form) {
    match form {
        Form::Table => table::print_head(),
        Form::Json => {}
        Form::Markdown => print(&page::head()),
    }
}

/// Prints the names of all cases and what each shows.
pub fn list() -> i32 {
    print(&names());
    0
}

/// One line per case.
fn names() -> String {
    let lines: Vec<String> = cases::ALL.iter().map(|c| format!("{:<18} {}", c.name, c.about)).collect();
    lines.join("\n")
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
    let list = names().replace('\n', "\n  ");
    format!("there is no case `{name}`{}\nThe cases are:\n  {list}", offer.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_case_is_refused_with_the_nearest_name() {
        let message = choose(&["free-topp".into()]).err().unwrap_or_default();
        assert!(message.contains("did you mean `free-top`?"), "{message}");
        assert_eq!(run(&["no such thing".into()], true, Form::Table), 2);
    }

    #[test]
    fn every_case_has_a_name_of_its_own() {
        let mut names: Vec<_> = cases::ALL.iter().map(|c| c.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), cases::ALL.len());
    }

    #[test]
    fn the_chapter_of_the_book_has_a_section_for_every_case_and_for_no_other() {
        let chapter = include_str!("../../../../book/src/validation.md");
        let sections: Vec<&str> = chapter.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        let names: Vec<&str> = cases::ALL.iter().map(|c| c.name).collect();
        assert_eq!(sections, names, "make it anew: {}", page::COMMAND);
        for case in cases::ALL {
            let (about, reference) = (page::sentence(case.about), case.reference);
            assert!(chapter.contains(&about) && chapter.contains(reference), "{}: {}", case.name, page::COMMAND);
        }
        assert!(!chapter.contains("FAIL"), "the chapter has a check that failed");
    }

    #[test]
    fn references_cite_keys_that_the_bibliography_has() {
        let known = include_str!("../../../../book/src/bibliography.md");
        for case in cases::ALL {
            for key in case.reference.split('[').skip(1).filter_map(|rest| rest.split_once(']')).map(|(key, _)| key) {
                assert!(known.contains(&format!("**[{key}]**")), "{}: there is no [{key}]", case.name);
            }
        }
    }
}
