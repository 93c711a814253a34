//! Arrays of a VTK file: little-endian numbers, packed by zlib in blocks, as base64.

use crate::vtu::base64;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use kreisel::DVec3;
use std::io::Write;

/// Bytes that are packed together.
const BLOCK: usize = 1 << 20;

/// Numbers with a name.
#[derive(Clone, Debug)]
pub struct Array {
    /// Its name.
    pub name: &'static str,
    /// Numbers per point or cell, with their names if there is more than one way to count them.
    pub components: &'static [&'static str],
    kind: &'static str,
    bytes: Vec<u8>,
}

/// The components of a vector.
pub const VECTOR: &[&str] = &["x", "y", "z"];
/// The components of a symmetric tensor, in VTK's order.
pub const TENSOR: &[&str] = &["xx", "yy", "zz", "xy", "yz", "xz"];
/// A single number.
pub const NUMBER: &[&str] = &[""];

impl Array {
    /// Numbers in double precision; infinities and numbers that are none become zero.
    pub fn doubles(
        name: &'static str,
        components: &'static [&'static str],
        values: impl IntoIterator<Item = f64>,
    ) -> Self {
        let finite = |a: f64| if a.is_finite() { a } else { 0.0 };
        let bytes = values.into_iter().flat_map(|a| finite(a).to_le_bytes()).collect();
        Self { name, components, kind: "Float64", bytes }
    }

    /// Numbers in single precision.
    pub fn floats(
        name: &'static str,
        components: &'static [&'static str],
        values: impl IntoIterator<Item = f64>,
    ) -> Self {
        let finite = |a: f32| if a.is_finite() { a } else { 0.0 };
        let bytes = values.into_iter().flat_map(|a| finite(a as f32).to_le_bytes()).collect();
        Self { name, components, kind: "Float32", bytes }
    }

    /// Vectors in single precision.
    pub fn vectors(name: &'static str, values: impl IntoIterator<Item = DVec3>) -> Self {
        Self::floats(name, VECTOR, values.into_iter().flat_map(|v| v.to_array()))
    }

    /// Whole numbers.
    pub fn integers(name: &'static str, values: impl IntoIterator<Item = i64>) -> Self {
        let bytes = values.into_iter().flat_map(i64::to_le_bytes).collect();
        Self { name, components: NUMBER, kind: "Int64", bytes }
    }

    /// Small numbers, such as flags.
    pub fn small(name: &'static str, values: impl IntoIterator<Item = u8>) -> Self {
        Self { name, components: NUMBER, kind: "UInt8", bytes: values.into_iter().collect() }
    }

    /// The element of the file that announces the array, its numbers `offset` letters into the appended data.
    pub fn tag(&self, offset: usize) -> String {
        let mut tag = format!(
            "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\"",
            self.kind,
            self.name,
            self.components.len()
        );
        if self.components.len() > 1 {
            for (k, name) in self.components.iter().enumerate() {
                tag.push_str(&format!(" ComponentName{k}=\"{name}\""));
            }
        }
        tag + &format!(" format=\"appended\" offset=\"{offset}\"/>")
    }

    /// The numbers as text: number of blocks, size of a block, of the last one if smaller, sizes packed; the blocks.
    pub fn text(&self) -> std::io::Result<String> {
        let blocks = self.bytes.chunks(BLOCK).map(pack).collect::<std::io::Result<Vec<_>>>()?;
        let partial = self.bytes.len() % BLOCK;
        let sizes = blocks.iter().map(|b| b.len() as u64);
        let head = [blocks.len() as u64, BLOCK as u64, partial as u64].into_iter().chain(sizes);
        let head: Vec<u8> = head.flat_map(u64::to_le_bytes).collect();
        Ok(base64(&head) + &base64(&blocks.concat()))
    }
}

fn pack(block: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(block)?;
    encoder.finish()
}
