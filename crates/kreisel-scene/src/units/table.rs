//! The units that are known, and the SI prefixes.

use super::quantity::Dimension;
use std::f64::consts::PI;

/// A unit: its symbol, its size in SI, its dimension, and whether it takes SI prefixes.
pub(super) struct Unit {
    pub symbol: &'static str,
    pub size: f64,
    pub dimension: Dimension,
    pub prefixes: bool,
}

const fn si(symbol: &'static str, size: f64, exponents: [i8; 4]) -> Unit {
    Unit { symbol, size, dimension: Dimension(exponents), prefixes: true }
}

const fn plain(symbol: &'static str, size: f64, exponents: [i8; 4]) -> Unit {
    Unit { symbol, size, dimension: Dimension(exponents), prefixes: false }
}

/// Sizes outside SI: BIPM, *The International System of Units*, 9th edition, table 8; inch and foot: 1959 agreement.
static UNITS: [Unit; 34] = [
    si("m", 1.0, [1, 0, 0, 0]),
    si("g", 1e-3, [0, 1, 0, 0]),
    si("s", 1.0, [0, 0, 1, 0]),
    si("rad", 1.0, [0, 0, 0, 1]),
    si("N", 1.0, [1, 1, -2, 0]),
    si("Pa", 1.0, [-1, 1, -2, 0]),
    si("J", 1.0, [2, 1, -2, 0]),
    si("W", 1.0, [2, 1, -3, 0]),
    si("Hz", 1.0, [0, 0, -1, 0]),
    si("l", 1e-3, [3, 0, 0, 0]),
    si("L", 1e-3, [3, 0, 0, 0]),
    si("bar", 1e5, [-1, 1, -2, 0]),
    si("t", 1e3, [0, 1, 0, 0]),
    plain("deg", PI / 180.0, [0, 0, 0, 1]),
    plain("degree", PI / 180.0, [0, 0, 0, 1]),
    plain("degrees", PI / 180.0, [0, 0, 0, 1]),
    plain("°", PI / 180.0, [0, 0, 0, 1]),
    plain("rev", 2.0 * PI, [0, 0, 0, 1]),
    plain("rpm", PI / 30.0, [0, 0, -1, 1]),
    plain("min", 60.0, [0, 0, 1, 0]),
    plain("h", 3600.0, [0, 0, 1, 0]),
    plain("in", 0.0254, [1, 0, 0, 0]),
    plain("inch", 0.0254, [1, 0, 0, 0]),
    plain("ft", 0.3048, [1, 0, 0, 0]),
    plain("lb", 0.45359237, [0, 1, 0, 0]),
    plain("lbf", 4.4482216152605, [1, 1, -2, 0]),
    plain("psi", 6894.757293168, [-1, 1, -2, 0]),
    plain("mph", 0.44704, [1, 0, -1, 0]),
    plain("g0", 9.80665, [1, 0, -2, 0]),
    plain("%", 0.01, [0, 0, 0, 0]),
    plain("metre", 1.0, [1, 0, 0, 0]),
    plain("metres", 1.0, [1, 0, 0, 0]),
    plain("second", 1.0, [0, 0, 1, 0]),
    plain("seconds", 1.0, [0, 0, 1, 0]),
];

static PREFIXES: [(&str, f64); 15] = [
    ("da", 1e1),
    ("T", 1e12),
    ("G", 1e9),
    ("M", 1e6),
    ("k", 1e3),
    ("h", 1e2),
    ("d", 1e-1),
    ("c", 1e-2),
    ("m", 1e-3),
    ("µ", 1e-6),
    ("μ", 1e-6),
    ("u", 1e-6),
    ("n", 1e-9),
    ("p", 1e-12),
    ("f", 1e-15),
];

/// Size in SI and dimension of a unit by its symbol; a whole symbol wins over a prefixed one (`min` is a minute).
pub(super) fn lookup(symbol: &str) -> Option<(f64, Dimension)> {
    let exact = UNITS.iter().find(|u| u.symbol == symbol).map(|u| (u.size, u.dimension));
    exact.or_else(|| {
        PREFIXES.iter().find_map(|(prefix, factor)| {
            let rest = symbol.strip_prefix(prefix)?;
            UNITS.iter().find(|u| u.prefixes && u.symbol == rest).map(|u| (factor * u.size, u.dimension))
        })
    })
}

/// Symbols that may be offered when one is not known: all units, and the common prefixed ones.
pub(super) fn symbols() -> impl Iterator<Item = &'static str> {
    let prefixed = ["mm", "cm", "km", "kg", "mg", "ms", "kN", "MN", "kPa", "MPa", "GPa", "kJ", "kHz", "mrad"];
    UNITS.iter().map(|u| u.symbol).chain(prefixed)
}
