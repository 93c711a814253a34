//! The numbers of a glTF file: one buffer, views of it, and accessors that say what they are.

use crate::error::ExportError;
use serde_json::{Value, json};

/// More than this no loader reads.
const LARGEST: usize = (1 << 31) - 1;

/// What a view is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Attributes of vertices.
    Vertices = 34962,
    /// Indices of triangles.
    Indices = 34963,
    /// Times and values of animations.
    Animation = 0,
}

/// The buffer as it grows.
#[derive(Debug, Default)]
pub struct Buffer {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Views.
    pub views: Vec<Value>,
    /// Accessors.
    pub accessors: Vec<Value>,
}

impl Buffer {
    /// Adds vectors of single-precision numbers, with their bounds; returns the accessor.
    pub fn add_floats<const N: usize>(&mut self, purpose: Purpose, values: &[[f32; N]]) -> Result<usize, ExportError> {
        let finite = |a: f32| if a.is_finite() { a } else { 0.0 };
        let values: Vec<[f32; N]> = values.iter().map(|v| v.map(finite)).collect();
        let bound = |start: f32, take: fn(f32, f32) -> f32| {
            values.iter().fold([start; N], |all, v| std::array::from_fn(|k| take(all[k], v[k])))
        };
        let (low, high) = (bound(f32::INFINITY, f32::min), bound(f32::NEG_INFINITY, f32::max));
        let view = self.add_view(purpose, values.iter().flatten().flat_map(|a| a.to_le_bytes()))?;
        let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"].get(N.wrapping_sub(1)).copied().unwrap_or("SCALAR");
        Ok(self.add_accessor(json!({
            "bufferView": view, "componentType": 5126, "type": kind, "count": values.len(),
            "min": low.to_vec(), "max": high.to_vec(),
        })))
    }

    /// Adds indices; returns the accessor.
    pub fn add_indices(&mut self, indices: &[u32]) -> Result<usize, ExportError> {
        let view = self.add_view(Purpose::Indices, indices.iter().flat_map(|i| i.to_le_bytes()))?;
        Ok(self.add_accessor(
            json!({ "bufferView": view, "componentType": 5125, "type": "SCALAR", "count": indices.len() }),
        ))
    }

    fn add_view(&mut self, purpose: Purpose, bytes: impl Iterator<Item = u8>) -> Result<usize, ExportError> {
        let offset = self.bytes.len();
        self.bytes.extend(bytes);
        if self.bytes.len() > LARGEST {
            return Err(ExportError::TooLarge { what: "glTF", bytes: self.bytes.len() as u64 });
        }
        let mut view = json!({ "buffer": 0, "byteOffset": offset, "byteLength": self.bytes.len() - offset });
        if purpose != Purpose::Animation {
            view["target"] = json!(purpose as u32);
        }
        self.views.push(view);
        Ok(self.views.len() - 1)
    }

    fn add_accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }
}
