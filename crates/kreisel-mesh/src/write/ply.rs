//! PLY, binary, in double precision.

use kreisel::DVec3;
use kreisel::model::Surface;
use std::io::{self, Write};

/// Writes a surface as binary PLY in double precision; `place` moves its vertices.
pub fn write_ply(out: impl Write, surface: &Surface, place: impl Fn(usize) -> DVec3) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    let (vertices, faces) = (surface.vertices.len(), surface.triangles.len());
    write!(out, "ply\nformat binary_little_endian 1.0\ncomment written by Kreisel\nelement vertex {vertices}\n")?;
    write!(out, "property double x\nproperty double y\nproperty double z\n")?;
    write!(out, "element face {faces}\nproperty list uchar uint vertex_indices\nend_header\n")?;
    for x in (0..vertices).flat_map(|v| place(v).to_array()) {
        out.write_all(&x.to_le_bytes())?;
    }
    for triangle in &surface.triangles {
        out.write_all(&[3])?;
        triangle.iter().try_for_each(|v| out.write_all(&v.to_le_bytes()))?;
    }
    out.flush()
}
