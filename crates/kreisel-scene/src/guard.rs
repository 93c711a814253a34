//! What is refused before a scene file is parsed: too large, too deep, not text.

use crate::diagnostic::{Diagnostic, SceneError, Severity};
use crate::source::{Place, Source};
use toml_parser::lexer::TokenKind;

/// Largest scene file [bytes].
pub const LARGEST_FILE: u64 = 64 << 20;
/// Deepest nesting of tables and lists.
pub const DEEPEST: usize = 64;
/// Most tokens of a scene file: a parsed file takes about a hundred bytes of memory per token.
const MOST_TOKENS: usize = 16_000_000;

/// The text in `bytes`, if it is one.
pub(crate) fn text_of<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str, SceneError> {
    let refuse =
        |message: String, help: &str| Err(SceneError::one(Diagnostic::about_file(name, message, Some(help.into()))));
    if bytes.len() as u64 > LARGEST_FILE {
        return refuse(
            format!("the file is larger than {} MiB", LARGEST_FILE >> 20),
            "a scene file is written by hand; large bodies are made of boxes with many cells",
        );
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(e) => refuse(
            format!("the file is not UTF-8 text (byte {} is invalid)", e.valid_up_to()),
            "a scene file is a TOML text; is this a recording?",
        ),
    }
}

/// Refuses texts whose nesting would exhaust the stack or whose size would exhaust the memory.
pub(crate) fn check_extent(source: &Source) -> Result<(), SceneError> {
    let mut open: Vec<usize> = Vec::new();
    let mut depth = 0;
    let mut dots = 0;
    for (count, token) in toml_parser::Source::new(&source.text).lex().enumerate() {
        let span = token.span().start()..token.span().end();
        match token.kind() {
            TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket => {
                open.push(dots);
                depth += dots + 1;
                dots = 0;
            }
            TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket => {
                depth -= open.pop().map_or(0, |d| d + 1);
                dots = 0;
            }
            TokenKind::Dot => dots += 1,
            TokenKind::Comma | TokenKind::Newline => dots = 0,
            _ => {}
        }
        let complaint = if depth + dots > DEEPEST {
            format!("tables and lists are nested more than {DEEPEST} deep")
        } else if count > MOST_TOKENS {
            format!("the file has more than {MOST_TOKENS} words and signs")
        } else {
            continue;
        };
        let place = Place { span, path: String::new() };
        return Err(SceneError::one(Diagnostic::new(source, &place, Severity::Error, complaint, None)));
    }
    Ok(())
}
