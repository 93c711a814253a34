//! Colours of bodies, their named parts, and the fixed world.

use crate::colour::Rgb;

/// Colours of bodies, one after the other: easily told apart, none of them loud.
const BODIES: [u32; 8] = [0xE07A3F, 0x3E86B5, 0xE9B949, 0x5BA36B, 0xC8553D, 0x8C6BB1, 0x2A9D8F, 0xD88C9A];

/// Colours of parts that have a look of their own, by their names.
const PARTS: [(&str, u32); 12] = [
    ("coat", 0xF3EDE2),
    ("patch", 0x3A2A22),
    ("muzzle", 0xE3A99A),
    ("nose", 0xE3A99A),
    ("udder", 0xEDB2A8),
    ("horn", 0xDCCBA6),
    ("hoof", 0x3B332E),
    ("eye", 0x15110F),
    ("ear", 0xC99E88),
    ("tail", 0x4A382E),
    ("bone", 0xEFE6D0),
    ("tissue", 0xD9776A),
];

/// Rigid parts.
pub(crate) const RIGID: u32 = 0x3F6FA8;
/// Soft parts.
pub(crate) const SOFT: u32 = 0xEDA04A;
/// Grounds.
pub(crate) const GROUND: u32 = 0xCFCBC2;
/// Boxes and balls of the fixed world.
pub(crate) const OBSTACLE: u32 = 0x9A9A96;

/// The colour of a body, by its number.
pub(crate) fn body(number: usize) -> Rgb {
    Rgb::from_hex(BODIES[number % BODIES.len()])
}

/// The colour of a named part, if its name says something.
pub(crate) fn part(name: &str) -> Option<Rgb> {
    let name = name.to_lowercase();
    PARTS.iter().find(|(word, _)| name.contains(word)).map(|(_, hex)| Rgb::from_hex(*hex))
}
