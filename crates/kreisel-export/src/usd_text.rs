//! The grammar of USD's text files: names, strings, lists and series in time.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Names of siblings, each once.
#[derive(Debug, Default)]
pub struct Names(BTreeSet<String>);

impl Names {
    /// A name that USD takes, like this one and unlike all before: letters, digits and `_`, no digit first.
    pub fn unique(&mut self, name: &str) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let mut base: String = name.chars().map(plain).collect();
        if base.is_empty() || base.starts_with(|c: char| c.is_ascii_digit()) {
            base.insert(0, '_');
        }
        let numbered = (2..).map(|k| format!("{base}_{k}"));
        let free = std::iter::once(base.clone()).chain(numbered).find(|name| !self.0.contains(name));
        let name = free.unwrap_or(base);
        self.0.insert(name.clone());
        name
    }
}

/// A string in quotation marks; control characters become blanks.
pub fn quoted(text: &str) -> String {
    let clean = text.replace(|c: char| c.is_control(), " ");
    format!("\"{}\"", clean.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A list in brackets.
pub fn join(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// A list of vectors; what is not finite becomes zero.
pub fn triples(vectors: &[[f32; 3]]) -> String {
    let mut text = String::from("[");
    for (k, v) in vectors.iter().enumerate() {
        let [x, y, z] = v.map(|a| if a.is_finite() { a } else { 0.0 });
        let _ = write!(text, "{}({x}, {y}, {z})", if k > 0 { ", " } else { "" });
    }
    text + "]"
}

/// The time code of a time [s]; frames of the rate have whole ones, whatever the last bit of their times.
pub fn time_code(time: f64, rate: f64) -> f64 {
    (time * rate * 1e6).round() / 1e6
}

/// Values at time codes.
pub fn series(samples: impl Iterator<Item = (f64, String)>) -> String {
    let mut text = String::from(".timeSamples = {\n");
    samples.for_each(|(code, value)| {
        let _ = writeln!(text, "            {code}: {value},");
    });
    text + "        }"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_identifiers_and_stay_different() {
        let mut names = Names::default();
        let made = ["top beam", "top-beam", "3rd", "", "Kuh äöü"].map(|n| names.unique(n));
        assert_eq!(made, ["top_beam", "top_beam_2", "_3rd", "_", "Kuh____"]);
        assert_eq!(quoted("a \"b\"\n\\c"), r#""a \"b\" \\c""#);
    }
}
