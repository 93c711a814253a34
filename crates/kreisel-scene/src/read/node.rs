//! Values with their places, and the collector of what is wrong with them.

use crate::diagnostic::{Diagnostic, Severity};
use crate::keys::{Kind, Section};
use crate::read::table::Table;
use crate::source::{Place, Source};
use crate::suggest::offer;
use std::cell::RefCell;
use toml::de::DeValue;

/// How many problems are reported at once.
const MOST_PROBLEMS: usize = 20;
/// Longest title or name [bytes].
const LONGEST_TEXT: usize = 1000;

/// Collects what is wrong while a scene is read. Reading goes on after a problem, so that several are found at once.
pub(crate) struct Reader<'a> {
    source: &'a Source,
    found: RefCell<Vec<Diagnostic>>,
}

impl<'a> Reader<'a> {
    pub fn new(source: &'a Source) -> Self {
        Self { source, found: RefCell::new(Vec::new()) }
    }

    /// Notes an error. Always `None`, so that it can end a function.
    pub fn error<T>(&self, place: &Place, message: impl Into<String>, help: impl Into<Option<String>>) -> Option<T> {
        self.note(Severity::Error, place, message.into(), help.into());
        None
    }

    /// Notes a warning.
    pub fn warn(&self, place: &Place, message: impl Into<String>, help: impl Into<Option<String>>) {
        self.note(Severity::Warning, place, message.into(), help.into());
    }

    fn note(&self, severity: Severity, place: &Place, message: String, help: Option<String>) {
        let mut found = self.found.borrow_mut();
        let known = found.iter().any(|d| d.span == place.span && d.message == message);
        if !known && found.iter().filter(|d| d.severity == severity).count() < MOST_PROBLEMS {
            found.push(Diagnostic::new(self.source, place, severity, message, help));
        }
    }

    /// True if no more errors will be taken: what only serves to explain one need not be computed.
    pub fn full(&self) -> bool {
        self.found.borrow().iter().filter(|d| d.severity == Severity::Error).count() >= MOST_PROBLEMS
    }

    /// True if something is wrong already: what takes long need not be done.
    pub fn is_foul(&self) -> bool {
        self.found.borrow().iter().any(|d| d.severity == Severity::Error)
    }

    /// Name of the file.
    pub fn name(&self) -> &str {
        &self.source.name
    }

    /// The line of a byte.
    pub fn line_of(&self, byte: usize) -> usize {
        self.source.location(byte).line
    }

    /// Errors and warnings, each in the order of the file.
    pub fn finish(self) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
        let mut found = self.found.into_inner();
        found.sort_by_key(|d| d.span.start);
        found.into_iter().partition(|d| d.severity == Severity::Error)
    }
}

/// A value of the file, and where it is.
#[derive(Clone)]
pub(crate) struct Node<'a> {
    pub reader: &'a Reader<'a>,
    pub value: &'a DeValue<'a>,
    pub place: Place,
}

impl<'a> Node<'a> {
    /// Notes that this value is wrong.
    pub fn error<T>(&self, message: impl Into<String>, help: impl Into<Option<String>>) -> Option<T> {
        self.reader.error(&self.place, message, help)
    }

    /// Notes that this value is probably not meant.
    pub fn warn(&self, message: impl Into<String>, help: impl Into<Option<String>>) {
        self.reader.warn(&self.place, message, help);
    }

    /// Notes that something else was expected here.
    pub fn expected<T>(&self, what: &str) -> Option<T> {
        let found = match self.value {
            DeValue::String(_) => "a text",
            DeValue::Integer(_) | DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "`true` or `false`",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        self.error(format!("expected {what}, found {found}"), None)
    }

    pub fn text(&self) -> Option<&'a str> {
        match self.value {
            DeValue::String(text) if text.len() > LONGEST_TEXT => {
                self.error(format!("the text is longer than {LONGEST_TEXT} bytes"), None)
            }
            DeValue::String(text) if text.chars().any(char::is_control) => {
                self.error("the text has control characters or several lines", None)
            }
            DeValue::String(text) => Some(text),
            _ => self.expected(&Kind::Text.describe()),
        }
    }

    pub fn flag(&self) -> Option<bool> {
        match self.value {
            DeValue::Boolean(flag) => Some(*flag),
            _ => self.expected(&Kind::Flag.describe()),
        }
    }

    pub fn is_text(&self) -> bool {
        matches!(self.value, DeValue::String(_))
    }

    pub fn is_flag(&self) -> bool {
        matches!(self.value, DeValue::Boolean(_))
    }

    pub fn is_table(&self) -> bool {
        matches!(self.value, DeValue::Table(_))
    }

    pub fn is_list(&self) -> bool {
        matches!(self.value, DeValue::Array(_))
    }

    /// The place of the word among `words`; an unknown word is an error that offers the nearest.
    pub fn word(&self, words: &'static [&'static str]) -> Option<usize> {
        let DeValue::String(text) = self.value else { return self.expected(&Kind::Word(words).describe()) };
        match words.iter().position(|w| w == text) {
            Some(i) => Some(i),
            None if self.reader.full() => None,
            None => self.error(format!("`{}` is not known here", shorten(text)), offer(text, words)),
        }
    }

    /// The entries of a list.
    pub fn list(&self, what: &str) -> Option<Vec<Node<'a>>> {
        let DeValue::Array(array) = self.value else { return self.expected(what) };
        let entry = |(i, v): (usize, &'a toml::Spanned<DeValue<'a>>)| Node {
            reader: self.reader,
            value: v.get_ref(),
            place: Place { span: v.span(), path: format!("{}[{i}]", self.place.path) },
        };
        Some(array.iter().enumerate().map(entry).collect())
    }

    /// The table with the keys of `section`; unknown keys are noted.
    pub fn table(&self, section: &'static Section) -> Option<Table<'a>> {
        let DeValue::Table(map) = self.value else { return self.expected(&Kind::Table(section).describe()) };
        let table = Table { reader: self.reader, map, place: self.place.clone(), section };
        table.refuse_unknown_keys();
        Some(table)
    }
}

/// A text that is short enough for a message.
pub(crate) fn shorten(text: &str) -> String {
    const LONGEST: usize = 60;
    let clean = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let mut short: String = text.chars().take(LONGEST).map(clean).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
}
