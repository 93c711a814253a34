//! Numbers out of the buffers of glTF.

use super::base64;
use super::gltf_json::{Accessor, Buffer, Document};
use super::text::shown;
use crate::error::Problem;
use crate::soup::limit;
use std::path::{Component, Path, PathBuf};

/// The bytes of all buffers.
pub fn load_buffers(
    document: &Document,
    binary: Option<&[u8]>,
    beside: Option<&Path>,
) -> Result<Vec<Vec<u8>>, Problem> {
    let load = |(k, buffer): (usize, &Buffer)| -> Result<Vec<u8>, Problem> {
        let bytes = match (&buffer.uri, binary) {
            (None, Some(binary)) if k == 0 => binary.to_vec(),
            (None, _) => {
                return Err(Problem::syntax(format!("buffer {k}"), "it has neither a URI nor bytes in the file"));
            }
            (Some(uri), _) => from_uri(uri, k, beside)?,
        };
        if (bytes.len() as u64) < buffer.byte_length {
            let what = format!("{} bytes of buffer {k}", buffer.byte_length);
            return Err(Problem::Truncated { what, found: format!("{} bytes", bytes.len()) });
        }
        Ok(bytes)
    };
    document.buffers.iter().enumerate().map(load).collect()
}

fn from_uri(uri: &str, k: usize, beside: Option<&Path>) -> Result<Vec<u8>, Problem> {
    let fail = |reason: String| Problem::syntax(format!("buffer {k}"), reason);
    if let Some(data) = uri.strip_prefix("data:") {
        let (kind, text) = data.split_once(',').ok_or_else(|| fail("its data URI has no data".to_string()))?;
        if !kind.ends_with(";base64") {
            return Err(fail("its data URI is not in base64".to_string()));
        }
        return base64::decode(text.as_bytes()).ok_or_else(|| fail("its data URI is no base64".to_string()));
    }
    let named = shown(uri.as_bytes());
    let relative = PathBuf::from(percent_decoded(uri));
    if !relative.components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir)) || uri.contains(':') {
        return Err(fail(format!("its file `{named}` is not beside the mesh; only files there are read")));
    }
    let beside =
        beside.ok_or_else(|| fail(format!("its bytes are in the file `{named}`; give the path of the mesh")))?;
    let path = beside.join(relative);
    std::fs::read(&path).map_err(|e| fail(format!("its file `{named}` cannot be read: {e}")))
}

/// `%20` and the like.
fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|d| std::str::from_utf8(d).ok());
        match digits.and_then(|d| u8::from_str_radix(d, 16).ok()).filter(|_| first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Reads accessors.
pub struct Access<'a> {
    /// The document.
    pub document: &'a Document,
    /// The bytes of its buffers.
    pub buffers: &'a [Vec<u8>],
    /// The largest number of rows.
    pub most: usize,
}

impl Access<'_> {
    /// The rows of an accessor with `N` numbers each.
    pub fn rows<const N: usize>(&self, index: usize) -> Result<Vec<[f64; N]>, Problem> {
        let fail = |reason: &str| Problem::syntax(format!("accessor {index}"), reason);
        let accessor = self.document.accessors.get(index).ok_or_else(|| fail("there is no such accessor"))?;
        let wanted = ["SCALAR", "VEC2", "VEC3"].get(N - 1).copied().unwrap_or_default();
        if accessor.shape != wanted {
            return Err(fail(&format!("it is `{}`, but {wanted} is needed", shown(accessor.shape.as_bytes()))));
        }
        if accessor.sparse.is_some() {
            return Err(fail("sparse accessors are not read; export it without"));
        }
        let size = component_size(accessor.component_type).ok_or_else(|| fail("it has an unknown type of numbers"))?;
        let (bytes, stride) = self.stretch(accessor, index, size * N)?;
        let count = limit("rows of an accessor", accessor.count, self.most.saturating_mul(3))?;
        let row = |k: usize| {
            let at = k * stride;
            std::array::from_fn(|c| {
                let from = at + c * size;
                component(accessor, bytes.get(from..from + size).unwrap_or_default())
            })
        };
        Ok((0..count).map(row).collect())
    }

    /// The bytes of an accessor, checked to hold all of its rows, and the distance between rows.
    fn stretch(&self, accessor: &Accessor, index: usize, row: usize) -> Result<(&[u8], usize), Problem> {
        let fail = |reason: &str| Problem::syntax(format!("accessor {index}"), reason);
        let view_index = accessor.buffer_view.ok_or_else(|| fail("it has no bytes (compressed or empty)"))?;
        let view = self.document.buffer_views.get(view_index).ok_or_else(|| fail("there is no such buffer view"))?;
        if let Some(extension) = view.extensions.keys().find(|k| k.contains("meshopt")) {
            return Err(Problem::Compressed { extension: shown(extension.as_bytes()) });
        }
        let buffer = self.buffers.get(view.buffer).ok_or_else(|| fail("there is no such buffer"))?;
        let stride = view.byte_stride.filter(|s| *s > 0).unwrap_or(row as u64);
        let need = accessor.count.checked_sub(1).map_or(Some(0), |n| n.checked_mul(stride)?.checked_add(row as u64));
        let room = view.byte_length.checked_sub(accessor.byte_offset);
        let begin = view.byte_offset.checked_add(accessor.byte_offset);
        let (Some(need), Some(room), Some(begin)) = (need, room, begin) else {
            return Err(fail("its numbers lie outside its buffer view"));
        };
        let rest = usize::try_from(begin).ok().and_then(|b| buffer.get(b..)).unwrap_or_default();
        if need > room || need > rest.len() as u64 || stride > 1 << 16 {
            return Err(fail(&format!("its {} rows lie outside its buffer", accessor.count)));
        }
        Ok((rest, stride as usize))
    }
}

fn component_size(kind: u32) -> Option<usize> {
    match kind {
        5120 | 5121 => Some(1),
        5122 | 5123 => Some(2),
        5125 | 5126 => Some(4),
        _ => None,
    }
}

/// A number; whole numbers that are `normalized` stand for fractions.
fn component(accessor: &Accessor, bytes: &[u8]) -> f64 {
    let mut four = [0u8; 4];
    four.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
    let bits = u32::from_le_bytes(four);
    let (value, largest) = match accessor.component_type {
        5120 => (f64::from(bits as u8 as i8), 127.0),
        5121 => (f64::from(bits as u8), 255.0),
        5122 => (f64::from(bits as u16 as i16), 32767.0),
        5123 => (f64::from(bits as u16), 65535.0),
        5125 => (f64::from(bits), f64::from(u32::MAX)),
        _ => return f64::from(f32::from_bits(bits)),
    };
    if accessor.normalized { (value / largest).max(-1.0) } else { value }
}
