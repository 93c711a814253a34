//! Readers: bytes become triangles as the file has them.

mod base64;
mod gltf;
mod gltf_access;
mod gltf_json;
mod obj;
mod ply;
mod ply_body;
mod ply_header;
mod polygon;
pub mod stl;
mod text;

use crate::error::Problem;
use crate::format::Format;
use crate::options::ReadOptions;
use crate::soup::Soup;
use std::path::Path;

/// Reads a file of a known format; `beside` is the directory in which a glTF file finds its buffers.
pub fn read(format: Format, bytes: &[u8], beside: Option<&Path>, options: &ReadOptions) -> Result<Soup, Problem> {
    let most = options.most_triangles;
    let mut soup = match format {
        Format::Obj => obj::read(bytes, most),
        Format::Stl => stl::read(bytes, most),
        Format::Ply => ply::read(bytes, most),
        Format::Gltf => gltf::read_json(bytes, beside, most),
        Format::Glb => gltf::read_binary(bytes, beside, most),
    }?;
    soup.end_parts();
    soup.complete_uvs();
    Ok(soup)
}
