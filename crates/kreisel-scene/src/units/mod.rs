//! Units: `"2 cm"`, `"210 GPa"`, `"7850 kg/m3"` as numbers in SI, with their dimension checked.

mod parse;
pub mod quantity;
mod table;

pub use parse::{UnitError, parse_quantity};
pub use quantity::{Dimension, Quantity};
