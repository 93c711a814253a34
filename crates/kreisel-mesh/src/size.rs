//! Which unit a file was probably written in, judged by its size.

/// A unit of length that mesh files use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LengthUnit {
    /// Millimetre.
    Millimetre,
    /// Centimetre.
    Centimetre,
    /// Inch.
    Inch,
    /// Metre.
    Metre,
}

impl LengthUnit {
    /// How a scene writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Millimetre => "mm",
            Self::Centimetre => "cm",
            Self::Inch => "in",
            Self::Metre => "m",
        }
    }

    /// Its length [m].
    pub fn metres(self) -> f64 {
        match self {
            Self::Millimetre => 1e-3,
            Self::Centimetre => 1e-2,
            Self::Inch => 0.0254,
            Self::Metre => 1.0,
        }
    }
}

/// Bodies that people simulate are between a millimetre [m] …
const SMALLEST: f64 = 1e-3;
/// … and a hundred metres [m] long.
const LARGEST: f64 = 100.0;
/// A length in the file above this is rather in millimetres: few bodies are longer than ten metres.
const LONG: f64 = 10.0;

/// The unit in which a body whose longest side is `longest` in the file was probably written: CAD programs write
/// millimetres, modelling programs metres.
pub fn probable_unit(longest: f64) -> LengthUnit {
    if longest > LONG { LengthUnit::Millimetre } else { LengthUnit::Metre }
}

/// A warning if a body of this longest side is of no usual size; `scale` is the unit's length [m] that was assumed.
pub fn implausible(longest: f64, scale: f64) -> Option<String> {
    let size = longest * scale;
    if (SMALLEST..=LARGEST).contains(&size) {
        return None;
    }
    let meant = probable_unit(longest);
    let hint = if (meant.metres() / scale - 1.0).abs() > 1e-9 {
        format!(
            "if the file is in {0}, say unit = \"{0}\": then it is {1:.4} m",
            meant.symbol(),
            longest * meant.metres()
        )
    } else {
        "see whether unit and scale are right".to_string()
    };
    Some(format!("the longest side is {size:.4e} m, which is unusual; {hint}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_two_hundred_is_in_millimetres_and_the_warning_says_so() {
        assert_eq!(probable_unit(200.0), LengthUnit::Millimetre);
        assert_eq!(probable_unit(1.8), LengthUnit::Metre);
        let warning = implausible(200.0, 1.0).unwrap();
        assert!(warning.contains("unit = \"mm\"") && warning.contains("0.2000 m"), "{warning}");
        assert_eq!(implausible(200.0, 1e-3), None);
        assert!(implausible(1e-5, 1e-3).unwrap().contains("unit = \"m\""));
    }
}
