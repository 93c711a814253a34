//! References in comments: `[JV03]`, `[JV03 eq. 3]`, `[after CS79; JV03]` are keys of the bibliography.

use std::collections::BTreeSet;

/// The keys of the bibliography, listed there as `**[Key]**`.
pub fn bibliography() -> BTreeSet<String> {
    let path = super::files::root().join("book/src/bibliography.md");
    let text = std::fs::read_to_string(path).expect("the bibliography is there");
    text.split("**[").skip(1).filter_map(|rest| rest.split("]**").next()).map(String::from).collect()
}

/// What is wrong with the references of a line.
pub fn problems(line: &str, known: &BTreeSet<String>) -> Vec<String> {
    let mut found = Vec::new();
    for bracket in line.split('[').skip(1).filter_map(|rest| rest.split_once(']').map(|(inside, _)| inside)) {
        let words: Vec<&str> = bracket.split([' ', ',', ';']).collect();
        if words.iter().any(|w| is_year(w)) && words.iter().any(|w| w.starts_with(char::is_uppercase)) {
            found.push(format!("[{bracket}]: cite by a key of book/src/bibliography.md, as in [JV03]"));
        }
        if bracket.starts_with("theory") {
            found.push(format!(
                "[{bracket}]: the reader has no such page; derive it here, or cite a key of the bibliography"
            ));
        }
        for key in words.into_iter().filter(|w| is_key(w) && !known.contains(*w)) {
            found.push(format!("[{key}]: no such key in book/src/bibliography.md; add the reference there"));
        }
    }
    found
}

/// Letters with a capital first, then two digits of a year.
fn is_key(word: &str) -> bool {
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    word.len() == letters.len() + 2
        && letters.len() >= 2
        && letters.starts_with(|c: char| c.is_ascii_uppercase())
        && letters.chars().all(|c| c.is_ascii_alphabetic())
}

fn is_year(word: &str) -> bool {
    word.len() == 4 && word.parse::<u32>().is_ok_and(|y| (1600..2100).contains(&y))
}
