//! Paths to fields: `body[2].shape`, `body.beam.material.young`, `body."left arm".at`.

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Into a table, or to the entry of an array with this name.
    Key(String),
    /// To the entry of an array with this number.
    Index(usize),
}

/// Takes a path apart; the error says what is wrong with it.
pub(crate) fn parse_path(path: &str) -> Result<Vec<Step>, String> {
    let mut steps = Vec::new();
    let mut rest = path.trim();
    while !rest.is_empty() {
        let (step, after) = match rest.as_bytes()[0] {
            b'[' => bracket(rest)?,
            b'"' => quoted(rest)?,
            _ => plain(rest)?,
        };
        steps.push(step);
        rest = match after.strip_prefix('.') {
            Some("") => return Err("the path ends with a dot".into()),
            Some(next) => next,
            None if after.is_empty() || after.starts_with('[') => after,
            None => return Err(format!("expected `.` or `[` before `{after}`")),
        };
    }
    if steps.is_empty() { Err("the path is empty".into()) } else { Ok(steps) }
}

fn bracket(text: &str) -> Result<(Step, &str), String> {
    let (inside, after) = text[1..].split_once(']').ok_or("a `[` without its `]`")?;
    let inside = inside.trim();
    let step = match inside.parse::<usize>() {
        Ok(index) => Step::Index(index),
        Err(_) => Step::Key(inside.trim_matches('"').to_string()),
    };
    Ok((step, after))
}

fn quoted(text: &str) -> Result<(Step, &str), String> {
    let (inside, after) = text[1..].split_once('"').ok_or("a quotation mark without its partner")?;
    Ok((Step::Key(inside.to_string()), after))
}

fn plain(text: &str) -> Result<(Step, &str), String> {
    let end = text.find(['.', '[', '"']).unwrap_or(text.len());
    let (key, after) = text.split_at(end);
    if key.trim().is_empty() {
        return Err(format!("a name is missing before `{after}`"));
    }
    Ok((Step::Key(key.trim().to_string()), after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_numbers_and_quotes_are_steps() {
        let key = |s: &str| Step::Key(s.into());
        assert_eq!(parse_path("body[2].shape"), Ok(vec![key("body"), Step::Index(2), key("shape")]));
        assert_eq!(
            parse_path("body.\"left arm\".at[0]"),
            Ok(vec![key("body"), key("left arm"), key("at"), Step::Index(0)])
        );
        assert_eq!(parse_path("body[\"a.b\"].at"), Ok(vec![key("body"), key("a.b"), key("at")]));
    }

    #[test]
    fn broken_paths_are_refused() {
        for path in ["", ".", "a.", "a..b", "a[1", "a[1]b", "\"a"] {
            assert!(parse_path(path).is_err(), "{path}");
        }
    }
}
