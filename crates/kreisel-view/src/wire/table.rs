//! Tables: named arrays of numbers after a JSON head that says what and where they are.

use serde_json::{Value, json};

/// A table that is being put together.
#[derive(Debug, Default)]
pub struct Table {
    arrays: Vec<Value>,
    bytes: Vec<u8>,
}

impl Table {
    /// Adds 32-bit floats.
    pub fn f32s(&mut self, name: &str, values: impl Iterator<Item = f32>) {
        self.add_shorter(name, ["f32", "f32d"], values.map(f32::to_bits));
    }

    /// Adds 64-bit floats.
    pub fn f64s(&mut self, name: &str, values: impl Iterator<Item = f64>) {
        self.add(name, "f64", values.map(f64::to_le_bytes));
    }

    /// Adds whole numbers.
    pub fn u32s(&mut self, name: &str, values: impl Iterator<Item = u32>) {
        self.add_shorter(name, ["u32", "u32d"], values);
    }

    /// Adds bytes.
    pub fn u8s(&mut self, name: &str, values: impl Iterator<Item = u8>) {
        self.add(name, "u8", values.map(|b| [b]));
    }

    /// Adds words as they are, or as differences where that is shorter.
    fn add_shorter(&mut self, name: &str, [plain, differences]: [&str; 2], values: impl Iterator<Item = u32>) {
        let words: Vec<u32> = values.collect();
        let packed = pack(&words);
        if packed.len() >= 4 * words.len() {
            return self.add(name, plain, words.into_iter().map(u32::to_le_bytes));
        }
        let offset = self.begin();
        self.bytes.extend(packed);
        self.note(name, differences, offset, words.len());
    }

    fn add<const N: usize>(&mut self, name: &str, kind: &str, values: impl Iterator<Item = [u8; N]>) {
        let offset = self.begin();
        values.for_each(|v| self.bytes.extend(v));
        let length = (self.bytes.len() - offset) / N;
        self.note(name, kind, offset, length);
    }

    /// Where the next array begins.
    fn begin(&mut self) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        self.bytes.len()
    }

    fn note(&mut self, name: &str, kind: &str, offset: usize, length: usize) {
        self.arrays.push(json!({ "name": name, "type": kind, "offset": offset, "length": length }));
    }

    /// Length of the head (u32), the head padded to a multiple of eight, the arrays.
    pub fn finish(self, meta: &Value) -> Vec<u8> {
        let head = json!({ "meta": meta, "arrays": self.arrays }).to_string();
        let padded = (head.len() + 4).next_multiple_of(8);
        let mut out = ((padded - 4) as u32).to_le_bytes().to_vec();
        out.extend(head.as_bytes());
        out.resize(padded, b' ');
        out.extend(self.bytes);
        out
    }
}

/// Differences of words from those before (the first: from zero), as signed numbers `d` of 32 bits that wrap around, written
/// as `2 d` or `−2 d − 1` in groups of seven bits, the lowest first, all but the last with the high bit set.
/// Indices of neighbours and repeated numbers take a byte or two this way.
fn pack(words: &[u32]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(2 * words.len());
    let mut last = 0u32;
    for &word in words {
        let difference = word.wrapping_sub(last) as i32;
        let mut rest = ((difference << 1) ^ (difference >> 31)) as u32;
        while rest >= 128 {
            bytes.push(rest as u8 | 128);
            rest >>= 7;
        }
        bytes.push(rest as u8);
        last = word;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the page reads them.
    fn unpack(bytes: &[u8]) -> Vec<u32> {
        let (mut words, mut last, mut value, mut shift) = (Vec::new(), 0u32, 0u32, 0);
        for &byte in bytes {
            value |= u32::from(byte & 127) << shift;
            shift += 7;
            if byte < 128 {
                last = last.wrapping_add((value >> 1) ^ (value & 1).wrapping_neg());
                words.push(last);
                (value, shift) = (0, 0);
            }
        }
        words
    }

    #[test]
    fn differences_come_back_as_the_same_words_to_the_last_bit() {
        let hard = vec![0, u32::MAX, 0, 1 << 31, 5, 4, 3, u32::MAX - 1, f32::NAN.to_bits(), 1.5f32.to_bits()];
        assert_eq!(unpack(&pack(&hard)), hard);
        let mut seed = 0x5EED_u64;
        let random: Vec<u32> = (0..5000)
            .map(|i| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (seed >> 32) as u32 >> (i % 32)
            })
            .collect();
        assert_eq!(unpack(&pack(&random)), random);
    }

    #[test]
    fn neighbours_take_a_byte_each_and_noise_stays_as_it_is() {
        let length = |table: Table| table.finish(&json!({})).len();
        let mut neighbours = Table::default();
        neighbours.u32s("a", 0..1000);
        assert!(length(neighbours) < 1100);
        let mut noise = Table::default();
        noise.u32s("a", (0..1000u32).map(|i| i.wrapping_mul(2_654_435_761)));
        assert!((4000..4200).contains(&length(noise)));
    }
}
