//! The name that was probably meant.

/// Names that people bring from elsewhere, and what they are called here.
const SYNONYMS: [(&str, &str); 28] = [
    ("position", "at"),
    ("pos", "at"),
    ("centre", "at"),
    ("center", "at"),
    ("g", "gravity"),
    ("dt", "step"),
    ("time_step", "step"),
    ("timestep", "step"),
    ("t_end", "duration"),
    ("end_time", "duration"),
    ("fps", "output_rate"),
    ("e", "young"),
    ("youngs_modulus", "young"),
    ("stiffness", "young"),
    ("nu", "poisson"),
    ("poissons_ratio", "poisson"),
    ("rho", "density"),
    ("mu", "friction"),
    ("bounciness", "restitution"),
    ("omega", "spin"),
    ("angular_velocity", "spin"),
    ("orientation", "rotation"),
    ("resolution", "cells"),
    ("fixed", "fix"),
    ("region", "where"),
    ("schedule", "at"),
    ("size", "shape"),
    ("quantities", "quantity"),
];

/// Longest name for which a likeness is computed, so that a name of a megabyte costs nothing.
const LONGEST: usize = 64;

/// The one of `names` that `word` probably stands for.
pub(crate) fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST {
        return None;
    }
    let word = word.to_lowercase();
    let synonym = SYNONYMS.iter().find(|(other, _)| *other == word).map(|(_, ours)| *ours);
    let allowed = (word.chars().count() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for name in names.into_iter().filter(|n| n.len() <= LONGEST) {
        if Some(name) == synonym {
            return Some(name);
        }
        let distance = strsim::damerau_levenshtein(&word, &name.to_lowercase());
        if distance <= allowed && best.is_none_or(|(d, _)| distance < d) {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
}

/// The sentence that offers the nearest name, or lists what there is.
pub(crate) fn offer(word: &str, names: &[&str]) -> Option<String> {
    if let Some(name) = nearest(word, names.iter().copied()) {
        return Some(format!("did you mean `{name}`?"));
    }
    let shown: Vec<String> = names.iter().take(40).map(|n| format!("`{n}`")).collect();
    match shown.len() {
        0 => None,
        n if n < names.len() => Some(format!("there are {} and {} more", shown.join(", "), names.len() - n)),
        _ => Some(format!("one of {}", shown.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_errors_and_foreign_names_are_understood() {
        let fields = ["material", "at", "young", "mass", "spin"];
        for (word, name) in [("materail", "material"), ("Mass", "mass"), ("omega", "spin"), ("E", "young")] {
            assert_eq!(nearest(word, fields), Some(name));
        }
        assert_eq!(nearest("zebra", fields), None);
        assert_eq!(nearest(&"m".repeat(1_000_000), fields), None);
    }

    #[test]
    fn without_a_likeness_everything_is_listed() {
        assert_eq!(offer("zebra", &["x", "y"]).as_deref(), Some("one of `x`, `y`"));
        assert_eq!(offer("zebra", &[]), None);
    }
}
