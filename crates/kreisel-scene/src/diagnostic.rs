//! What is wrong with a scene file, where, and what to write instead.

use crate::source::Place;
use crate::source::Source;
use std::fmt;
use std::ops::Range;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The scene cannot be run.
    Error,
    /// The scene can be run, but probably is not what was meant.
    Warning,
}

/// One thing that is wrong with a scene file.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Name of the file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Range of bytes in the file.
    pub span: Range<usize>,
    /// The field, such as `body[2].shape`; empty for the file as a whole.
    pub field: String,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// The part of the line that is shown, and where in it the mark begins and how long it is (in characters).
    excerpt: (String, usize, usize),
}

/// Something that is allowed but probably not meant.
pub type Warning = Diagnostic;

impl Diagnostic {
    /// Points at `place` in `source`.
    pub fn new(source: &Source, place: &Place, severity: Severity, message: String, help: Option<String>) -> Self {
        let location = source.location(place.span.start);
        Self {
            severity,
            file: source.name.clone(),
            line: location.line,
            column: location.column,
            span: place.span.clone(),
            field: place.path.clone(),
            message,
            help,
            excerpt: source.excerpt(&place.span),
        }
    }

    /// A diagnostic about a file that could not be read at all.
    pub fn about_file(file: &str, message: String, help: Option<String>) -> Self {
        let source = Source { name: file.into(), text: String::new() };
        Self::new(&source, &Place { span: 0..0, path: String::new() }, Severity::Error, message, help)
    }
}

impl fmt::Display for Diagnostic {
    /// The message, the line with a mark under the place, and the help, in the manner of the Rust compiler.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.severity == Severity::Error { "error" } else { "warning" };
        writeln!(f, "{word}: {}", self.message)?;
        let number = self.line.to_string();
        let margin = " ".repeat(number.len());
        write!(f, "{margin}--> {}:{}:{}", self.file, self.line, self.column)?;
        if !self.field.is_empty() {
            write!(f, " in `{}`", self.field)?;
        }
        let (line, start, length) = &self.excerpt;
        if !line.is_empty() {
            writeln!(f, "\n{margin} |")?;
            writeln!(f, "{number} | {line}")?;
            write!(f, "{margin} | {}{}", " ".repeat(*start), "^".repeat(*length))?;
        }
        if let Some(help) = &self.help {
            write!(f, "\n{margin} = help: {help}")?;
        }
        Ok(())
    }
}

/// A scene file that cannot be run: everything that is wrong with it, in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneError {
    /// What is wrong; never empty.
    pub problems: Vec<Diagnostic>,
}

impl SceneError {
    /// An error with one problem.
    pub fn one(problem: Diagnostic) -> Self {
        Self { problems: vec![problem] }
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().enumerate() {
            if i > 0 {
                f.write_str("\n\n")?;
            }
            problem.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for SceneError {}
