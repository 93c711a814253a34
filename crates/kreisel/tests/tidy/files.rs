//! The files of the repository, as text.

use std::path::{Path, PathBuf};

/// A text file.
pub struct File {
    /// From the root of the repository.
    pub path: String,
    /// Its last part.
    pub name: String,
    /// What it says.
    pub text: String,
}

impl File {
    /// The module of the crate that a file in its `src` belongs to.
    pub fn module(&self) -> String {
        let inside = self.path.split("/src/").nth(1).unwrap_or_default();
        inside.split('/').next().unwrap_or_default().trim_end_matches(".rs").into()
    }

    /// True if all of it is a test.
    pub fn is_test(&self) -> bool {
        self.path.contains("/tests/") || self.name == "tests.rs"
    }
}

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file's text before its tests.
pub fn without_tests(text: &str) -> &str {
    text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default()
}

/// Rust files in `src` of a crate.
pub fn sources(name: &str) -> Vec<File> {
    found_in(&format!("crates/{name}/src"), "rs")
}

/// Rust files in `src` of all crates.
pub fn all_sources() -> Vec<File> {
    found_in("crates", "rs").into_iter().filter(|f| f.path.contains("/src/")).collect()
}

/// All Rust files.
pub fn rust_files() -> Vec<File> {
    ["crates", "bench/src", "fuzz/fuzz_targets"].iter().flat_map(|folder| found_in(folder, "rs")).collect()
}

/// Scenes, and all text for people.
pub fn documents() -> Vec<File> {
    let mut files: Vec<File> = ["scenes", "crates"].iter().flat_map(|folder| found_in(folder, "toml")).collect();
    files.extend(found_in("book", "md"));
    for entry in std::fs::read_dir(root()).expect("the root can be read").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".md") || name.ends_with(".toml") || name == "test" {
            files.push(read(&name));
        }
    }
    files
}

/// Files under a folder with an ending, in the order of their names.
fn found_in(folder: &str, ending: &str) -> Vec<File> {
    let mut entries: Vec<_> = std::fs::read_dir(root().join(folder)).into_iter().flatten().flatten().collect();
    entries.sort_by_key(|e| e.file_name());
    let mut files = Vec::new();
    for entry in entries {
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            if !path.ends_with("/target") {
                files.extend(found_in(&path, ending));
            }
        } else if path.ends_with(&format!(".{ending}")) {
            files.push(read(&path));
        }
    }
    files
}

fn read(path: &str) -> File {
    let text = std::fs::read_to_string(root().join(path)).expect(path);
    File { path: path.into(), name: path.rsplit('/').next().unwrap_or_default().into(), text }
}
