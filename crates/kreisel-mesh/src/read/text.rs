//! Lines, words and numbers of text files.

use crate::error::Problem;

/// The lines of a text with their numbers, from 1; any ending of lines.
pub struct Lines<'a> {
    rest: &'a [u8],
    /// Number of the line returned last.
    pub number: usize,
}

impl<'a> Lines<'a> {
    /// The lines of a text.
    pub fn new(text: &'a [u8]) -> Self {
        Self { rest: text, number: 0 }
    }

    /// Whether the last line was returned.
    pub fn at_end(&self) -> bool {
        self.rest.is_empty()
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        self.number += 1;
        let end = self.rest.iter().position(|&b| b == b'\n').unwrap_or(self.rest.len());
        let line = self.rest.get(..end).unwrap_or_default();
        self.rest = self.rest.get(end + 1..).unwrap_or_default();
        Some(line)
    }
}

/// The words of a line or a text.
#[derive(Clone)]
pub struct Words<'a> {
    rest: &'a [u8],
}

impl<'a> Words<'a> {
    /// The words of a line or a text.
    pub fn new(text: &'a [u8]) -> Self {
        Self { rest: text }
    }

    /// What follows as it is.
    pub fn after(&self) -> &'a [u8] {
        self.rest
    }

    /// What follows, without white space at the ends.
    pub fn remainder(&self) -> &'a [u8] {
        self.rest.trim_ascii()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let begin = self.rest.iter().position(|b| *b > b' ')?;
        let rest = self.rest.get(begin..)?;
        let end = rest.iter().position(|b| *b <= b' ').unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        self.rest = after;
        Some(word)
    }
}

/// A number as text; `place` is asked for only if it is none.
pub fn number(word: Option<&[u8]>, place: impl Fn() -> String) -> Result<f64, Problem> {
    let Some(word) = word else {
        return Err(Problem::syntax(place(), "a number is missing"));
    };
    let parsed = std::str::from_utf8(word).ok().and_then(|w| w.parse::<f64>().ok());
    parsed.ok_or_else(|| Problem::syntax(place(), format!("`{}` is not a number", shown(word))))
}

/// A whole number as text.
pub fn integer(word: &[u8], place: impl Fn() -> String) -> Result<i64, Problem> {
    let parsed = std::str::from_utf8(word).ok().and_then(|w| w.parse::<i64>().ok());
    parsed.ok_or_else(|| Problem::syntax(place(), format!("`{}` is not a whole number", shown(word))))
}

/// A word for a message, never long.
pub fn shown(word: &[u8]) -> String {
    let text = String::from_utf8_lossy(word.get(..word.len().min(40)).unwrap_or_default());
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}
