//! What documents name: files, folders, tests, other pages.

use super::files::{File, root};

/// The files, folders and tests that a text names in code marks.
pub fn in_code(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split('`').skip(1).step_by(2).filter(|w| !w.contains([' ', '\n']));
    words.filter(|w| w.ends_with(".rs") || w.ends_with('/') || is_test(w))
}

/// Tests are sentences.
pub fn is_test(name: &str) -> bool {
    !name.contains(['.', '/']) && name.matches('_').count() >= 3
}

/// True if there is such a file or folder, from the root or inside the engine, or such a function.
pub fn exists(name: &str, code: &[File]) -> bool {
    if is_test(name) {
        let declaration = format!("fn {name}(");
        return code.iter().any(|f| f.text.contains(&declaration));
    }
    [root().join(name), root().join("crates/kreisel/src").join(name)].iter().any(|p| p.exists())
}

/// The pages that a text links to, without those on the web and places on the same page.
pub fn links(text: &str) -> impl Iterator<Item = &str> {
    let prose = text.split('`').step_by(2);
    let targets = prose.flat_map(|part| part.split("](").skip(1)).filter_map(|rest| rest.split(')').next());
    targets.filter(|t| !t.contains("://") && !t.starts_with('#')).map(|t| t.split('#').next().unwrap_or(t))
}
