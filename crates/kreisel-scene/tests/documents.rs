//! What the documents show is what the code does: listings are compiled, scenes are run, the reference is generated.

#[path = "../examples/hello.rs"]
mod hello;

use kreisel::Simulation;
use std::path::Path;

/// A file of the repository.
fn document(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(path)).expect(path)
}

/// The first listing in a language.
fn listing<'a>(text: &'a str, language: &str) -> &'a str {
    let begin = format!("```{language}\n");
    let (_, rest) = text.split_once(&begin).expect(language);
    rest.split_once("```").map_or(rest, |(inside, _)| inside)
}

#[test]
fn the_rust_of_the_readme_is_the_example_and_runs() {
    let readme = document("README.md");
    let example = document("crates/kreisel-scene/examples/hello.rs");
    let code = example.split_once("use kreisel").map_or(String::new(), |(_, rest)| format!("use kreisel{rest}"));
    assert_eq!(listing(&readme, "rust"), code, "copy crates/kreisel-scene/examples/hello.rs into README.md");
    hello::main().expect("the example runs");
}

#[test]
fn the_scene_of_the_readme_is_read_without_warnings_and_steps() {
    let readme = document("README.md");
    let scene = kreisel_scene::read("README.md", listing(&readme, "toml")).expect("the scene can be read");
    assert!(scene.warnings.is_empty(), "{:?}", scene.warnings.iter().map(|w| &w.message).collect::<Vec<_>>());
    let mut sim = Simulation::new(&scene.setup).expect("the scene can be built");
    sim.step().expect("the first frame goes well");
}

#[test]
fn the_scene_reference_of_the_book_is_up_to_date() {
    let hint = "write it anew: cargo run --release -- schema --markdown > book/src/scene-reference.md";
    let page = document("book/src/scene-reference.md");
    assert!(page.trim_end() == kreisel_scene::reference_markdown().trim_end(), "{hint}");
}
