//! The text of a scene file, and the places in it.

use crate::diagnostic::{Diagnostic, SceneError, Severity};
use crate::path::{Step, parse_path};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// How many characters of a line a message shows.
const EXCERPT_WIDTH: usize = 100;

/// The text of a scene file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// Name of the file, as it is shown in messages.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A place in a scene file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Place {
    /// Range of bytes.
    pub span: Range<usize>,
    /// The field, such as `body[2].shape`.
    pub path: String,
}

/// Line and column, both from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
}

impl Source {
    /// Line and column of a byte.
    pub fn location(&self, byte: usize) -> Location {
        let start = self.line_start(byte);
        let byte = self.boundary(byte);
        let line = self.text.as_bytes()[..start].iter().filter(|&&b| b == b'\n').count() + 1;
        Location { line, column: self.text[start..byte].chars().count() + 1 }
    }

    /// Where the field with this path (`body[2].shape`, `body.beam.shape`) is written; the nearest table that
    /// exists if the field itself is not written.
    pub fn find(&self, path: &str) -> Place {
        let mut place = Place { span: 0..0, path: path.into() };
        let (Ok(table), Ok(steps)) = (DeTable::parse(&self.text), parse_path(path)) else { return place };
        let mut value: &DeValue<'_> = &DeValue::Table(table.into_inner());
        for step in &steps {
            let Some(next) = child(value, step) else { break };
            place.span = next.span();
            value = next.get_ref();
        }
        place
    }

    /// The error that the field with this path is wrong, for what is found after reading, while the model is built.
    pub fn error_at(&self, path: &str, message: impl Into<String>, help: Option<String>) -> SceneError {
        SceneError::one(Diagnostic::new(self, &self.find(path), Severity::Error, message.into(), help))
    }

    /// The part of the line that a message shows, and where its mark starts and how long it is, in characters.
    pub(crate) fn excerpt(&self, span: &Range<usize>) -> (String, usize, usize) {
        let start = self.line_start(span.start);
        let rest = &self.text[start..];
        let line = rest.lines().next().unwrap_or("");
        let first = self.boundary(span.start);
        let mark = self.text[start..first].chars().count();
        let length = self.text[first..self.boundary(span.end).max(first)].lines().next().unwrap_or("").chars().count();
        let skip = if mark + length > EXCERPT_WIDTH { mark.saturating_sub(EXCERPT_WIDTH / 3) } else { 0 };
        let shown: String = line.chars().skip(skip).take(EXCERPT_WIDTH).map(visible).collect();
        (shown, mark - skip, length.clamp(1, EXCERPT_WIDTH - (mark - skip).min(EXCERPT_WIDTH - 1)))
    }

    fn line_start(&self, byte: usize) -> usize {
        let byte = byte.min(self.text.len());
        self.text.as_bytes()[..byte].iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1)
    }

    /// The last start of a character at or before `byte`.
    fn boundary(&self, byte: usize) -> usize {
        (0..=byte.min(self.text.len())).rev().find(|&i| self.text.is_char_boundary(i)).unwrap_or(0)
    }
}

/// A character as it may be printed: control characters would garble a terminal.
fn visible(c: char) -> char {
    if c == '\t' {
        ' '
    } else if c.is_control() {
        '\u{fffd}'
    } else {
        c
    }
}

/// The member of a table or array that a step of a path leads to; members of arrays by number or by their `name`.
fn child<'a>(value: &'a DeValue<'_>, step: &Step) -> Option<&'a Spanned<DeValue<'a>>> {
    match (value, step) {
        (DeValue::Table(table), Step::Key(key)) => table.get(key.as_str()),
        (DeValue::Array(array), Step::Index(i)) => array.get(*i),
        (DeValue::Array(array), Step::Key(name)) => {
            array.iter().find(|entry| entry.get_ref().get("name").and_then(|n| n.get_ref().as_str()) == Some(name))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source() -> Source {
        let text = "title = \"ü\"\n[[body]]\nname = \"a\"\n[[body]]\nname = \"b\"\nat = [1, \"2 cm\", 3]\n";
        Source { name: "x.toml".into(), text: text.into() }
    }

    #[test]
    fn a_field_is_found_by_number_and_by_name() {
        let s = source();
        for path in ["body[1].at[1]", "body.b.at[1]"] {
            let place = s.find(path);
            assert_eq!(&s.text[place.span.clone()], "\"2 cm\"");
            assert_eq!(s.location(place.span.start), Location { line: 6, column: 10 });
        }
        assert_eq!(&s.text[s.find("body.a.cells").span], "[[body]]", "a field that is not written: its table");
    }

    #[test]
    fn columns_count_characters_and_odd_bytes_do_no_harm() {
        let s = source();
        assert_eq!(s.location(9 + 2), Location { line: 1, column: 11 });
        for start in 0..s.text.len() + 3 {
            for end in start..s.text.len() + 3 {
                let (line, mark, length) = s.excerpt(&(start..end));
                assert!(mark + length <= line.chars().count() + 1 && length > 0, "{start}..{end}");
            }
        }
    }
}
