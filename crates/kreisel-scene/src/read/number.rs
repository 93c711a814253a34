//! Numbers, vectors and directions: finite, within their limits, of the right dimension.

use crate::keys::{Kind, Limits};
use crate::read::node::Node;
use crate::units::{Quantity, parse_quantity};
use kreisel::DVec3;
use toml::de::{DeInteger, DeValue};

/// Largest magnitude of any quantity: beyond it squares and products of a simulation overflow.
const LARGEST: f64 = 1e30;
/// Smallest positive quantity, for the same reason.
const SMALLEST: f64 = 1e-30;

impl<'a> Node<'a> {
    /// A quantity in SI within limits.
    pub fn number(&self, quantity: &'static Quantity, limits: Limits) -> Option<f64> {
        let value = match self.value {
            DeValue::Integer(integer) => float_of(integer),
            DeValue::Float(float) => float.as_str().parse().ok()?,
            DeValue::String(text) => match parse_quantity(text, quantity) {
                Ok(value) => value,
                Err(e) => return self.error(e.message, e.help),
            },
            _ => return self.expected(&Kind::Number(quantity, limits).describe()),
        };
        self.within(value, quantity, limits)
    }

    fn within(&self, value: f64, quantity: &'static Quantity, limits: Limits) -> Option<f64> {
        let name = self.place.path.rsplit('.').next().unwrap_or("value").to_string();
        let unit = if quantity.unit == "1" { String::new() } else { format!(" {}", quantity.unit) };
        let help = || Some(format!("write for example \"{}\"", quantity.example)).filter(|_| !unit.is_empty());
        if value.is_nan() || (value.is_infinite() && limits != Limits::Unbounded) {
            return self.error(format!("`{name}` must be a finite number, not {value}"), help());
        }
        if value.abs() > LARGEST && value.is_finite() {
            return self.error(format!("`{name}` = {value:e}{unit} is too large to compute with"), help());
        }
        let broken = match limits {
            Limits::Positive if value <= 0.0 => "must be larger than zero".to_string(),
            Limits::Positive if value < SMALLEST => "is too small to compute with".to_string(),
            Limits::NotNegative if value < 0.0 => "must not be negative".to_string(),
            Limits::Within(least, most) if value < least || value > most => {
                format!("must be from {least} to {most}")
            }
            _ => return Some(value),
        };
        self.error(format!("`{name}` {broken}, but is {}{unit}", plain(value)), help())
    }

    /// A whole number from `least` to `most`.
    pub fn count(&self, least: u32, most: u32) -> Option<u32> {
        let value = match self.value {
            DeValue::Integer(integer) => float_of(integer),
            DeValue::Float(float) => float.as_str().parse().ok()?,
            _ => return self.expected(&Kind::Count(least, most).describe()),
        };
        if value.fract() != 0.0 || !(f64::from(least)..=f64::from(most)).contains(&value) {
            return self
                .error(format!("expected {}, found {}", Kind::Count(least, most).describe(), plain(value)), None);
        }
        Some(value as u32)
    }

    /// Three quantities.
    pub fn vector(&self, quantity: &'static Quantity, limits: Limits) -> Option<DVec3> {
        let kind = Kind::Vector(quantity, limits);
        let entries = self.list(&kind.describe())?;
        let [x, y, z] = &entries[..] else {
            return self.error(format!("expected {}, found {} entries", kind.describe(), entries.len()), None);
        };
        let components = [x, y, z].map(|c| c.number(quantity, limits));
        Some(DVec3::new(components[0]?, components[1]?, components[2]?))
    }

    /// A direction as a unit vector.
    pub fn direction(&self) -> Option<DVec3> {
        let v = self.vector(&crate::units::quantity::NUMBER, Limits::Any)?;
        let largest = v.abs().max_element();
        if largest < SMALLEST {
            return self.error("a direction cannot be zero", Some("write for example `[0, 0, 1]`".to_string()));
        }
        Some((v / largest).normalize())
    }
}

/// A number as a person would write it.
pub(crate) fn plain(value: f64) -> String {
    if value != 0.0 && !(1e-4..1e7).contains(&value.abs()) { format!("{value:e}") } else { format!("{value}") }
}

/// An integer of the file; one that is too long even for 128 bits becomes infinite and is refused as such.
fn float_of(integer: &DeInteger<'_>) -> f64 {
    i128::from_str_radix(integer.as_str(), integer.radix()).map_or(f64::INFINITY, |i| i as f64)
}
