//! Rules of the repository that a program can check: who may import whom, how long files are, what comments cite.

#[path = "tidy/files.rs"]
mod files;
#[path = "tidy/names.rs"]
mod names;
#[path = "tidy/references.rs"]
mod references;

use files::{File, documents, rust_files, sources, without_tests};
use std::collections::BTreeSet;

/// Modules of the engine from the bottom up, and what each may import. Whoever is not named here may not be there.
const LAYERS: [(&str, &[&str]); 11] = [
    ("linear", &[]),
    ("model", &["linear"]),
    ("collide", &["linear", "model"]),
    ("discretize", &["linear", "model"]),
    ("force", &["linear", "model"]),
    ("readout", &["linear", "model", "force"]),
    ("statics", &["linear", "model", "force"]),
    ("contact", &["linear", "model", "force"]),
    ("step", &["linear", "model", "collide", "force", "readout", "statics", "contact"]),
    ("build", &["linear", "model", "collide", "discretize", "contact", "step"]),
    ("simulation", &["model", "readout", "step", "build"]),
];

/// Crates from the bottom up, and which of ours each may depend on.
const CRATES: [(&str, &[&str]); 9] = [
    ("kreisel", &[]),
    ("kreisel-mesh", &["kreisel"]),
    ("kreisel-shape", &["kreisel"]),
    ("kreisel-scene", &["kreisel", "kreisel-mesh", "kreisel-shape"]),
    ("kreisel-record", &["kreisel"]),
    ("kreisel-render", &["kreisel", "kreisel-record"]),
    ("kreisel-export", &["kreisel", "kreisel-record"]),
    ("kreisel-view", &["kreisel", "kreisel-scene", "kreisel-record", "kreisel-render"]),
    (
        "kreisel-cli",
        &[
            "kreisel",
            "kreisel-scene",
            "kreisel-record",
            "kreisel-mesh",
            "kreisel-render",
            "kreisel-export",
            "kreisel-view",
        ],
    ),
];

/// A file that is longer than this has more than one subject.
const LONGEST_FILE: usize = 400;

/// Beginnings of paths that exist on somebody's machine only.
const MACHINE_PATHS: [&str; 3] = ["/home/", "/Users/", "/mnt/"];

#[test]
fn imports_inside_the_engine_go_one_way() {
    let mut wrong = Vec::new();
    for file in sources("kreisel").iter().filter(|f| f.name != "lib.rs" && !f.is_test()) {
        let module = file.module();
        let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| *name == module) else {
            wrong.push(format!("{}: module `{module}` has no layer; give it one in LAYERS", file.path));
            continue;
        };
        for (line, import) in crate_imports(file) {
            if import != module && !allowed.contains(&import.as_str()) {
                wrong.push(format!(
                    "{}:{line}: `{module}` imports `{import}`; move the shared type to `model`, or the code up",
                    file.path
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn a_layer_rests_only_on_layers_below_it() {
    for (k, (module, allowed)) in LAYERS.iter().enumerate() {
        for import in *allowed {
            let below = LAYERS[..k].iter().any(|(name, _)| name == import);
            assert!(below, "LAYERS lets `{module}` import `{import}`, which is not below it");
        }
    }
    let contact = LAYERS.iter().find(|(name, _)| *name == "contact").expect("contact is a layer");
    assert!(!contact.1.contains(&"collide"), "laws see gaps through `model`; they never import `collide`");
}

#[test]
fn crates_depend_in_one_direction() {
    for (name, allowed) in CRATES {
        let path = files::root().join("crates").join(name).join("Cargo.toml");
        let manifest = std::fs::read_to_string(&path).expect("the manifest is there");
        let section = manifest.split("\n[").find(|s| s.starts_with("dependencies]")).unwrap_or_default();
        for line in section.lines().filter(|l| l.starts_with("kreisel")) {
            let other: String = line.chars().take_while(|c| c.is_alphanumeric() || *c == '-').collect();
            assert!(allowed.contains(&other.as_str()), "crates/{name}/Cargo.toml: {name} must not depend on {other}");
        }
    }
}

#[test]
fn no_source_file_has_more_than_one_subject() {
    let long = |f: &&File| f.text.lines().count() > LONGEST_FILE;
    let found: Vec<String> = files::all_sources()
        .iter()
        .filter(long)
        .map(|f| format!("{}: {} lines; split it by topic (at most {LONGEST_FILE})", f.path, f.text.lines().count()))
        .collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn every_source_file_opens_with_a_sentence_that_says_what_it_is() {
    let silent = |f: &&File| !f.text.starts_with("//! ");
    let found: Vec<String> = files::all_sources().iter().filter(silent).map(|f| f.path.clone()).collect();
    assert!(found.is_empty(), "begin these files with a `//!` sentence:\n{}", found.join("\n"));
}

#[test]
fn nothing_names_a_path_of_somebodys_machine() {
    let mut found = Vec::new();
    for file in rust_files().iter().chain(&documents()).filter(|f| f.name != "tidy.rs") {
        for (k, line) in file.text.lines().enumerate() {
            if let Some(word) = MACHINE_PATHS.iter().find(|w| line.contains(**w)) {
                found.push(format!("{}:{}: `{word}` exists on one machine only; say it without", file.path, k + 1));
            }
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn every_reference_in_a_comment_is_in_the_bibliography() {
    let known = references::bibliography();
    assert!(known.contains("JV03"), "book/src/bibliography.md lists its keys as **[JV03]**");
    let mut wrong = Vec::new();
    for file in rust_files() {
        for (k, line) in file.text.lines().enumerate().filter(|(_, l)| l.trim_start().starts_with("//")) {
            for problem in references::problems(line, &known) {
                wrong.push(format!("{}:{}: {problem}", file.path, k + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn the_checks_of_references_can_fail() {
    let known = BTreeSet::from(["JV03".to_string()]);
    let count = |line: &str| references::problems(line, &known).len();
    assert_eq!(count("//! Springs [JV03 eq. 3] with length l [m] and v[3]."), 0);
    assert_eq!(count("//! Springs [after JV03; XY99]."), 1);
    assert_eq!(count("//! Springs [Jansson and Vergeest 2003]."), 1);
    assert_eq!(count("//! Springs [theory: chapter 1]."), 1);
}

#[test]
fn the_architecture_and_the_book_name_only_files_and_tests_that_exist() {
    let code = rust_files();
    let (mut tests, mut chapters, mut wrong) = (0, 0, Vec::new());
    for page in documents().iter().filter(|f| f.name == "ARCHITECTURE.md" || f.name.starts_with("theory-")) {
        chapters += usize::from(page.name.starts_with("theory-"));
        for name in names::in_code(&page.text) {
            tests += usize::from(names::is_test(name));
            if !names::exists(name, &code) {
                wrong.push(format!("{}: there is no file or test `{name}`", page.path));
            }
        }
    }
    assert!(tests >= 10, "the invariants have lost their tests: {tests} are named");
    assert!(chapters >= 5, "the chapters of the book have other names: {chapters} were found");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn links_between_pages_lead_somewhere_and_every_page_of_the_book_is_in_its_summary() {
    let (pages, mut wrong) = (documents(), Vec::new());
    for page in pages.iter().filter(|f| f.name.ends_with(".md") && f.name != "scene-reference.md") {
        let folder = page.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for target in names::links(&page.text).filter(|target| !files::root().join(folder).join(target).exists()) {
            wrong.push(format!("{}: there is no page `{target}`", page.path));
        }
    }
    let summary = pages.iter().find(|f| f.name == "SUMMARY.md").expect("the book has a summary");
    for page in pages.iter().filter(|f| f.path.starts_with("book/src/") && f.name != "SUMMARY.md") {
        if !names::links(&summary.text).any(|target| target == page.name) {
            wrong.push(format!("{}: not in book/src/SUMMARY.md", page.path));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn the_checks_of_names_and_links_can_fail() {
    let code = rust_files();
    let exists = |text: &str| names::in_code(text).map(|name| names::exists(name, &code)).collect::<Vec<_>>();
    assert_eq!(exists("`step/mod.rs` `step/` `imports_inside_the_engine_go_one_way`"), [true; 3]);
    assert_eq!(exists("`step/modd.rs` `stepp/` `imports_inside_the_engine_go_two_ways`"), [false; 3]);
    assert_eq!(exists("`v⁺ = v` `cargo run` `SolverMemory`"), []);
    let links: Vec<&str> = names::links("[a](b.md#c) [d](https://e.f) [g](#h) `[i](j)`").collect();
    assert_eq!(links, ["b.md"]);
}

/// The modules of this crate that a file imports outside its tests, with line numbers.
fn crate_imports(file: &File) -> Vec<(usize, String)> {
    let mut imports = Vec::new();
    for (k, line) in without_tests(&file.text).lines().enumerate() {
        for after in line.split("crate::").skip(1).take_while(|_| !line.trim_start().starts_with("//")) {
            let name: String = after.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            assert!(!name.is_empty(), "{}:{}: write one `use crate::module` per module", file.path, k + 1);
            imports.push((k + 1, name));
        }
    }
    imports
}
