//! A table of the file, read by the keys that it may have.

use crate::keys::{Kind, Limits, REQUIRED, Section};
use crate::read::node::{Node, Reader, shorten};
use crate::source::Place;
use crate::suggest::{nearest, offer};
use crate::units::Quantity;
use kreisel::DVec3;
use toml::de::DeTable;

/// A table of the file.
pub(crate) struct Table<'a> {
    pub reader: &'a Reader<'a>,
    pub map: &'a DeTable<'a>,
    pub place: Place,
    pub section: &'static Section,
}

impl<'a> Table<'a> {
    /// Notes keys that the section does not have.
    pub fn refuse_unknown_keys(&self) {
        let names: Vec<&str> = self.section.fields.iter().map(|f| f.name).collect();
        for (key, _) in self.map.iter().filter(|(key, _)| self.section.field(key.get_ref()).is_none()) {
            if self.reader.full() {
                return;
            }
            let place = Place { span: key.span(), path: self.path_of(&shorten(key.get_ref())) };
            let message = format!("unknown field `{}` in {}", shorten(key.get_ref()), self.section.title);
            self.reader.error::<()>(&place, message, offer(key.get_ref(), &names));
        }
    }

    fn path_of(&self, key: &str) -> String {
        let simple = key.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
        let key = if simple { key.to_string() } else { format!("\"{key}\"") };
        if self.place.path.is_empty() { key } else { format!("{}.{key}", self.place.path) }
    }

    /// The value of a key, if it is written.
    pub fn get(&self, key: &str) -> Option<Node<'a>> {
        debug_assert!(self.section.field(key).is_some(), "{} has no key {key}", self.section.name);
        self.entry(key)
    }

    /// As `get`, also for tables whose keys are names of the user's choice.
    pub fn entry(&self, key: &str) -> Option<Node<'a>> {
        let value = self.map.get(key)?;
        let place = Place { span: value.span(), path: self.path_of(key) };
        Some(Node { reader: self.reader, value: value.get_ref(), place })
    }

    /// The value of a key that must be written.
    pub fn require(&self, key: &str) -> Option<Node<'a>> {
        self.get(key).or_else(|| {
            let field = self.section.field(key)?;
            debug_assert_eq!(field.default, REQUIRED, "{}.{key}", self.section.name);
            let message = format!("the field `{key}` is missing in {}", self.section.title);
            self.error(message, Some(format!("write for example `{}`", field.example)))
        })
    }

    /// Notes that something is wrong with the table as a whole.
    pub fn error<T>(&self, message: impl Into<String>, help: impl Into<Option<String>>) -> Option<T> {
        self.reader.error(&self.place, message, help)
    }

    /// The keys among `keys` that are written; more than one is an error, and so is none if one is `needed`.
    pub fn only_one_of(&self, keys: &[&'static str], needed: bool) -> Option<&'static str> {
        let written: Vec<&'static str> = keys.iter().copied().filter(|k| self.map.get(*k).is_some()).collect();
        let list = |names: &[&str]| names.iter().map(|k| format!("`{k}`")).collect::<Vec<_>>().join(", ");
        match written[..] {
            [] if needed && self.misspells_one_of(keys) => None,
            [] if needed => self.error(format!("one of {} is missing in {}", list(keys), self.section.title), None),
            [] => None,
            [one] => Some(one),
            _ => {
                let second = self.get(written[1])?;
                second
                    .error(format!("{} exclude each other", list(&written)), format!("keep one of {}", list(&written)))
            }
        }
    }

    /// True if an unknown key looks like one of these: that has been told, and is the one mistake that was made.
    fn misspells_one_of(&self, keys: &[&'static str]) -> bool {
        let unknown = self.map.iter().map(|(key, _)| key.get_ref()).filter(|key| self.section.field(key).is_none());
        unknown.into_iter().any(|key| nearest(key, keys.iter().copied()).is_some())
    }

    pub fn text(&self, key: &str) -> Option<&'a str> {
        self.get(key)?.text()
    }

    pub fn flag(&self, key: &str) -> Option<bool> {
        self.get(key)?.flag()
    }

    /// A number that may be left out.
    pub fn number(&self, key: &str) -> Option<f64> {
        let (quantity, limits) = self.quantity_of(key)?;
        self.get(key)?.number(quantity, limits)
    }

    /// A number that must be written.
    pub fn required_number(&self, key: &str) -> Option<f64> {
        let (quantity, limits) = self.quantity_of(key)?;
        self.require(key)?.number(quantity, limits)
    }

    /// A vector that may be left out.
    pub fn vector(&self, key: &str) -> Option<DVec3> {
        let (quantity, limits) = self.quantity_of(key)?;
        self.get(key)?.vector(quantity, limits)
    }

    /// A vector that must be written.
    pub fn required_vector(&self, key: &str) -> Option<DVec3> {
        let (quantity, limits) = self.quantity_of(key)?;
        self.require(key)?.vector(quantity, limits)
    }

    /// A whole number.
    pub fn count(&self, node: Option<Node<'a>>, key: &str) -> Option<u32> {
        match self.section.field(key)?.kind {
            Kind::Count(least, most) => node?.count(least, most),
            _ => None,
        }
    }

    /// The place of a word among those of the key.
    pub fn word(&self, key: &str) -> Option<usize> {
        match self.section.field(key)?.kind {
            Kind::Word(words) => self.get(key)?.word(words),
            _ => None,
        }
    }

    fn quantity_of(&self, key: &str) -> Option<(&'static Quantity, Limits)> {
        fn find(kind: &Kind) -> Option<(&'static Quantity, Limits)> {
            match kind {
                Kind::Number(q, limits) | Kind::Vector(q, limits) => Some((q, *limits)),
                Kind::OneOf(kinds) => kinds.iter().find_map(find),
                _ => None,
            }
        }
        let found = self.section.field(key).and_then(|f| find(&f.kind));
        debug_assert!(found.is_some(), "{}.{key} is not a number", self.section.name);
        found
    }
}
