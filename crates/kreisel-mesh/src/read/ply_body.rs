//! The values of PLY: a stream of numbers, as text or binary.

use super::ply_header::{Element, Encoding, Scalar};
use super::text::{Words, number};
use crate::error::Problem;

/// The numbers of a body, one after the other.
pub struct Values<'a> {
    encoding: Encoding,
    rest: &'a [u8],
    /// What is being read, for messages.
    pub row: String,
}

impl<'a> Values<'a> {
    /// The numbers that follow the header.
    pub fn new(encoding: Encoding, body: &'a [u8]) -> Self {
        Self { encoding, rest: body, row: String::new() }
    }

    /// Refuses a table that is longer than the file, before memory is taken for it.
    pub fn check_room(&self, element: &Element) -> Result<(), Problem> {
        let smallest = |size: usize| if self.encoding == Encoding::Text { 2 } else { size as u64 };
        let row: u64 = element.properties.iter().map(|p| smallest(p.length.unwrap_or(p.scalar).size())).sum();
        let room = self.rest.len() as u64 + 1; // the last number of a text needs no space after it
        if row.checked_mul(element.count).is_none_or(|need| need > room) {
            let found = format!("{} bytes are left for them", self.rest.len());
            return Err(Problem::Truncated { what: format!("{} rows of `{}`", element.count, element.name), found });
        }
        Ok(())
    }

    /// The next number.
    pub fn next(&mut self, scalar: Scalar, row: u64) -> Result<f64, Problem> {
        if self.encoding == Encoding::Text {
            let mut words = Words::new(self.rest);
            let word = words.next();
            if word.is_none() {
                return Err(self.cut(row));
            }
            self.rest = words.after();
            return number(word, || format!("row {} of `{}`", row + 1, self.row));
        }
        let Some((bytes, after)) = self.rest.split_at_checked(scalar.size()) else {
            return Err(self.cut(row));
        };
        self.rest = after;
        Ok(binary(scalar, bytes, self.encoding == Encoding::Little))
    }

    /// The length of a list, checked against what is left.
    pub fn length(&mut self, length: Scalar, scalar: Scalar, row: u64) -> Result<usize, Problem> {
        let count = self.next(length, row)?;
        let size = if self.encoding == Encoding::Text { 1 } else { scalar.size() };
        if !(count >= 0.0 && count.fract() == 0.0) {
            let reason = format!("a list cannot have {count} entries");
            return Err(Problem::syntax(format!("row {} of `{}`", row + 1, self.row), reason));
        }
        if count > (self.rest.len() / size) as f64 {
            return Err(self.cut(row));
        }
        Ok(count as usize)
    }

    fn cut(&self, row: u64) -> Problem {
        Problem::Truncated { what: format!("more rows of `{}`", self.row), found: format!("{row} of them") }
    }
}

fn binary(scalar: Scalar, bytes: &[u8], little: bool) -> f64 {
    let mut eight = [0u8; 8];
    for (k, to) in eight.iter_mut().take(bytes.len()).enumerate() {
        let from = if little { k } else { bytes.len() - 1 - k };
        *to = bytes.get(from).copied().unwrap_or(0);
    }
    let bits = u64::from_le_bytes(eight);
    match scalar {
        Scalar::I8 => f64::from(bits as u8 as i8),
        Scalar::U8 => f64::from(bits as u8),
        Scalar::I16 => f64::from(bits as u16 as i16),
        Scalar::U16 => f64::from(bits as u16),
        Scalar::I32 => f64::from(bits as u32 as i32),
        Scalar::U32 => f64::from(bits as u32),
        Scalar::F32 => f64::from(f32::from_bits(bits as u32)),
        Scalar::F64 => f64::from_bits(bits),
    }
}
