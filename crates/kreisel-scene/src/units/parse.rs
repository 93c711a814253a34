//! Reading a number with a unit.
//!
//! Grammar: `number unit`, `unit = factor { ("*" | "·" | " " | "/") factor }`, `factor = symbol [["^"] integer]`.
//! Each `/` divides by the one factor after it.

use super::quantity::{Dimension, QUANTITIES, Quantity};
use super::table::{lookup, symbols};
use crate::suggest::nearest;

/// Why a text is not a quantity of the kind that is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitError {
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

impl UnitError {
    fn new(message: String, help: Option<String>) -> Self {
        Self { message, help }
    }
}

/// Longest text that is looked at.
const LONGEST: usize = 200;

/// The value in SI of a text such as `"2 cm"`; a text without a unit is a number in SI.
///
/// ```
/// use kreisel_scene::units::{parse_quantity, quantity};
/// assert_eq!(parse_quantity("2 cm", &quantity::LENGTH), Ok(0.02));
/// assert!(parse_quantity("2 kg", &quantity::LENGTH).is_err());
/// ```
pub fn parse_quantity(text: &str, wanted: &Quantity) -> Result<f64, UnitError> {
    let example = || Some(format!("write for example \"{}\", or a number in {}", wanted.example, wanted.unit));
    if text.len() > LONGEST {
        return Err(UnitError::new("the text is too long for a number with a unit".into(), example()));
    }
    let trimmed = text.trim();
    let (number, unit) = split_number(trimmed)
        .ok_or_else(|| UnitError::new(format!("\"{trimmed}\" does not start with a number"), example()))?;
    if unit.starts_with(',') {
        let help = Some(format!("the decimal sign is a point: \"{}\"", trimmed.replacen(',', ".", 1)));
        return Err(UnitError::new(format!("\"{trimmed}\" is not a number with a unit"), help));
    }
    if unit.is_empty() {
        return Ok(number);
    }
    let (size, dimension) = parse_unit(unit)?;
    if dimension != wanted.dimension {
        let found = name_of(dimension);
        return Err(UnitError::new(
            format!("\"{trimmed}\" is {found}, not {} {}", wanted.article, wanted.name),
            example(),
        ));
    }
    Ok(number * size)
}

fn name_of(dimension: Dimension) -> String {
    match QUANTITIES.iter().find(|q| q.dimension == dimension) {
        Some(q) => format!("{} {}", q.article, q.name),
        None => "something else".into(),
    }
}

/// The number at the start of a text, and the rest. `1e3` is a number with an exponent, the `e` of `1 erg` is not.
fn split_number(text: &str) -> Option<(f64, &str)> {
    let text = text.trim_start();
    let sign = ['+', '-', '−'].into_iter().find(|c| text.starts_with(*c));
    let unsigned = sign.map_or(text, |c| &text[c.len_utf8()..]);
    let bytes = unsigned.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit() || **b == b'_').count();
    let mut end = digits(0);
    if bytes.get(end) == Some(&b'.') {
        end += 1 + digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let after_sign = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if bytes.get(after_sign).is_some_and(u8::is_ascii_digit) {
            end = after_sign + digits(after_sign);
        }
    }
    let value: f64 = unsigned[..end].replace('_', "").parse().ok()?;
    let signed = if matches!(sign, Some('-' | '−')) { -value } else { value };
    Some((signed, unsigned[end..].trim()))
}

/// Size in SI and dimension of a unit such as `kg/m3`.
fn parse_unit(text: &str) -> Result<(f64, Dimension), UnitError> {
    let mut size = 1.0;
    let mut dimension = Dimension::default();
    let mut rest = text;
    let mut direction = 1;
    loop {
        let (factor_size, factor_dimension, power, after) = parse_factor(rest, text)?;
        let power = power * direction;
        size *= f64::powi(factor_size, i32::from(power));
        dimension = dimension
            .times(factor_dimension, power)
            .ok_or_else(|| UnitError::new(format!("the exponents in the unit `{text}` are too large"), None))?;
        rest = after.trim_start();
        direction = if rest.starts_with('/') { -1 } else { 1 };
        match rest.strip_prefix(['/', '*', '·']) {
            Some(next) => rest = next.trim_start(),
            None if rest.is_empty() => return Ok((size, dimension)),
            None => {}
        }
    }
}

/// One factor of a unit: size, dimension and exponent, and the text after it.
fn parse_factor<'a>(rest: &'a str, whole: &str) -> Result<(f64, Dimension, i8, &'a str), UnitError> {
    let unknown = |symbol: &str| {
        let help = nearest(symbol, symbols()).map(|s| format!("did you mean `{s}`?"));
        let help = help
            .or_else(|| Some("units are SI with prefixes, such as `mm`, `kg/m3`, `m/s^2`, `GPa`, `deg`, `rpm`".into()));
        UnitError::new(
            if symbol == whole {
                format!("unknown unit `{symbol}`")
            } else {
                format!("unknown unit `{symbol}` in `{whole}`")
            },
            help,
        )
    };
    if let Some(after) = rest.strip_prefix('1').filter(|a| a.trim_start().starts_with('/')) {
        return Ok((1.0, Dimension::default(), 1, after));
    }
    if rest.starts_with('/') && rest.len() == whole.len() {
        return Ok((1.0, Dimension::default(), 1, rest));
    }
    let end = rest.find(|c: char| !(c.is_alphabetic() || c == '°' || c == '%')).unwrap_or(rest.len());
    let (symbol, after) = if rest.starts_with("g0") { rest.split_at(2) } else { rest.split_at(end) };
    let (size, dimension) = lookup(symbol).ok_or_else(|| unknown(if symbol.is_empty() { rest } else { symbol }))?;
    let (power, after) =
        parse_power(after).ok_or_else(|| UnitError::new(format!("bad exponent in the unit `{whole}`"), None))?;
    Ok((size, dimension, power, after))
}

/// The exponent after a symbol, 1 if there is none: `^2`, `2`, `²`, `^-1`.
fn parse_power(text: &str) -> Option<(i8, &str)> {
    for (sign, power) in [('²', 2), ('³', 3)] {
        if let Some(after) = text.strip_prefix(sign) {
            return Some((power, after));
        }
    }
    let caret = text.strip_prefix('^');
    let body = caret.unwrap_or(text);
    let negative = caret.is_some() && body.starts_with('-');
    let digits = &body[usize::from(negative)..];
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    if end == 0 {
        return if caret.is_some() { None } else { Some((1, text)) };
    }
    let power: i8 = digits[..end].parse().ok().filter(|p| *p <= 6)?;
    Some((if negative { -power } else { power }, &digits[end..]))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::quantity::*;
    use super::*;

    fn value(text: &str, wanted: &Quantity) -> f64 {
        parse_quantity(text, wanted).unwrap_or(f64::NAN)
    }

    #[test]
    fn the_units_of_the_handbook_have_their_sizes() {
        let cases = [
            ("2 cm", &LENGTH, 0.02),
            ("210 GPa", &PRESSURE, 210e9),
            ("1.5 s", &TIME, 1.5),
            ("180 deg", &ANGLE, std::f64::consts::PI),
            ("7850 kg/m3", &DENSITY, 7850.0),
            ("1 g/cm^3", &DENSITY, 1000.0),
            ("9.81 m/s^2", &ACCELERATION, 9.81),
            ("1 g0", &ACCELERATION, 9.80665),
            ("5kN", &FORCE, 5000.0),
            ("10 N", &FORCE, 10.0),
            ("60 Hz", &RATE, 60.0),
            ("60 1/s", &RATE, 60.0),
            ("60/s", &RATE, 60.0),
            ("60 rpm", &SPIN, std::f64::consts::TAU),
            ("36 km/h", &VELOCITY, 10.0),
            ("100 J/m²", &SURFACE_ENERGY, 100.0),
            ("250 g", &MASS, 0.25),
            ("3 mm^2", &AREA, 3e-6),
            ("-1e-3 m", &LENGTH, -1e-3),
            ("2 min", &TIME, 120.0),
            ("5 N s/m", &DAMPING, 5.0),
            ("5 N*s/m", &DAMPING, 5.0),
            ("5 N·s·m^-1", &DAMPING, 5.0),
            ("20 g cm2", &INERTIA, 2e-6),
            ("30 %", &NUMBER, 0.3),
            ("1_000 mm", &LENGTH, 1.0),
            ("7", &LENGTH, 7.0),
        ];
        for (text, wanted, expected) in cases {
            let v = value(text, wanted);
            assert!((v - expected).abs() <= 1e-12 * expected.abs(), "{text}: {v} is not {expected}");
        }
    }

    #[test]
    fn a_wrong_dimension_names_what_was_found_and_what_is_wanted() {
        let e = parse_quantity("2 kg", &LENGTH).unwrap_err();
        assert_eq!(e.message, "\"2 kg\" is a mass, not a length");
        assert_eq!(e.help.as_deref(), Some("write for example \"2 cm\", or a number in m"));
        assert!(parse_quantity("30 deg", &NUMBER).is_err() && parse_quantity("60 Hz", &SPIN).is_err());
    }

    #[test]
    fn an_unknown_unit_is_named_with_the_nearest_known_one() {
        let e = parse_quantity("2 kgg", &MASS).unwrap_err();
        assert_eq!((e.message.as_str(), e.help.as_deref()), ("unknown unit `kgg`", Some("did you mean `kg`?")));
        let e = parse_quantity("2,5 cm", &LENGTH).unwrap_err();
        assert_eq!(e.help.as_deref(), Some("the decimal sign is a point: \"2.5 cm\""));
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "",
            "cm",
            "2 cm/",
            "2 /cm",
            "2 m^",
            "2 m^99",
            "2 m^-",
            "2 m//s",
            "nan m",
            "inf m",
            "2 m m^6^6",
            ".",
            "1e m",
            "²",
        ] {
            assert!(parse_quantity(text, &LENGTH).is_err(), "{text}");
        }
    }
}
