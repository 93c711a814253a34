//! Structures of Apache Thrift's compact protocol, as far as Parquet's metadata need it.
//!
//! A field is a byte of the distance of its number from that of the field before (1 to 15) and its kind, then its value.
//! Integers are folded (0, −1, 1, −2, … as 0, 1, 2, 3, …) and written seven bits at a time, lowest first.

/// Kinds of fields.
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// A structure; its fields are added in the order of their numbers.
#[derive(Clone, Debug, Default)]
pub struct Struct {
    bytes: Vec<u8>,
    last: u8,
}

impl Struct {
    /// Adds an integer of 32 bits.
    pub fn i32(&mut self, number: u8, value: i32) -> &mut Self {
        self.field(number, I32);
        integer(&mut self.bytes, value.into());
        self
    }

    /// Adds an integer of 64 bits.
    pub fn i64(&mut self, number: u8, value: i64) -> &mut Self {
        self.field(number, I64);
        integer(&mut self.bytes, value);
        self
    }

    /// Adds a text.
    pub fn text(&mut self, number: u8, value: &str) -> &mut Self {
        self.field(number, BINARY);
        text(&mut self.bytes, value);
        self
    }

    /// Adds a structure.
    pub fn inner(&mut self, number: u8, value: &Self) -> &mut Self {
        self.field(number, STRUCT);
        self.bytes.extend(value.bytes());
        self
    }

    /// Adds a list of structures.
    pub fn structs(&mut self, number: u8, values: &[Self]) -> &mut Self {
        self.list(number, STRUCT, values.len());
        values.iter().for_each(|v| self.bytes.extend(v.bytes()));
        self
    }

    /// Adds a list of integers.
    pub fn i32s(&mut self, number: u8, values: &[i32]) -> &mut Self {
        self.list(number, I32, values.len());
        values.iter().for_each(|&v| integer(&mut self.bytes, v.into()));
        self
    }

    /// Adds a list of texts.
    pub fn texts(&mut self, number: u8, values: &[&str]) -> &mut Self {
        self.list(number, BINARY, values.len());
        values.iter().for_each(|v| text(&mut self.bytes, v));
        self
    }

    /// The structure with its end.
    pub fn bytes(&self) -> Vec<u8> {
        [&self.bytes[..], &[0]].concat()
    }

    fn field(&mut self, number: u8, kind: u8) {
        self.bytes.push((number - self.last) << 4 | kind);
        self.last = number;
    }

    fn list(&mut self, number: u8, kind: u8, length: usize) {
        self.field(number, LIST);
        if length < 15 {
            self.bytes.push((length as u8) << 4 | kind);
        } else {
            self.bytes.push(0xf0 | kind);
            number_of(&mut self.bytes, length as u64);
        }
    }
}

fn text(bytes: &mut Vec<u8>, value: &str) {
    number_of(bytes, value.len() as u64);
    bytes.extend(value.as_bytes());
}

fn integer(bytes: &mut Vec<u8>, value: i64) {
    number_of(bytes, (value << 1 ^ value >> 63) as u64);
}

/// Seven bits at a time, the eighth says that more come.
fn number_of(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 128 {
        bytes.push(value as u8 | 128);
        value >>= 7;
    }
    bytes.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_folded_and_lists_of_many_have_their_length_apart() {
        let mut s = Struct::default();
        s.i32(1, -1).i64(3, 300).text(4, "ab");
        assert_eq!(s.bytes(), [0x15, 1, 0x26, 0xd8, 4, 0x18, 2, b'a', b'b', 0]);
        let mut list = Struct::default();
        list.i32s(2, &[0; 15]);
        assert_eq!(list.bytes()[..3], [0x29, 0xf5, 15]);
    }
}
