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
        self.add(name, "f32", values.map(f32::to_le_bytes));
    }

    /// Adds 64-bit floats.
    pub fn f64s(&mut self, name: &str, values: impl Iterator<Item = f64>) {
        self.add(name, "f64", values.map(f64::to_le_bytes));
    }

    /// Adds whole numbers.
    pub fn u32s(&mut self, name: &str, values: impl Iterator<Item = u32>) {
        self.add(name, "u32", values.map(u32::to_le_bytes));
    }

    /// Adds bytes.
    pub fn u8s(&mut self, name: &str, values: impl Iterator<Item = u8>) {
        self.add(name, "u8", values.map(|b| [b]));
    }

    fn add<const N: usize>(&mut self, name: &str, kind: &str, values: impl Iterator<Item = [u8; N]>) {
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        let offset = self.bytes.len();
        values.for_each(|v| self.bytes.extend(v));
        let length = (self.bytes.len() - offset) / N;
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
