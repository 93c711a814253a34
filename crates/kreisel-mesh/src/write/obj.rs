//! OBJ with the names, texture coordinates and vertex order of the file that the surface came from.

use kreisel::DVec3;
use kreisel::model::Surface;
use std::io::{self, Write};

/// Writes a surface as OBJ; `place` moves its vertices, for instance to where they are in a frame. Every number is
/// written so that reading gives the same bits.
pub fn write_obj(out: impl Write, surface: &Surface, place: impl Fn(usize) -> DVec3) -> io::Result<()> {
    let mut out = io::BufWriter::new(out);
    let trace = &surface.trace;
    let identity = trace.vertices.is_empty();
    let count = if identity { surface.vertices.len() } else { trace.vertices.len() };
    for k in 0..count {
        let vertex = if identity { k } else { trace.vertices[k] as usize };
        let [x, y, z] = place(vertex).to_array();
        writeln!(out, "v {x} {y} {z}")?;
    }
    for [u, v] in &trace.uvs {
        writeln!(out, "vt {u} {v}")?;
    }
    write_faces(&mut out, surface)?;
    out.flush()
}

fn write_faces(out: &mut impl Write, surface: &Surface) -> io::Result<()> {
    let trace = &surface.trace;
    let corners = if trace.corners.len() == surface.triangles.len() { &trace.corners } else { &surface.triangles };
    let mut parts = surface.parts.iter().peekable();
    for (t, corner) in corners.iter().enumerate() {
        while let Some(part) = parts.next_if(|p| p.first as usize <= t) {
            writeln!(out, "g {}", part.name.replace(['\n', '\r'], " "))?;
        }
        let [a, b, c] = corner.map(|v| u64::from(v) + 1);
        match trace.uv_corners.get(t) {
            Some(uv) => {
                let [i, j, k] = uv.map(|u| u64::from(u) + 1);
                writeln!(out, "f {a}/{i} {b}/{j} {c}/{k}")?;
            }
            None => writeln!(out, "f {a} {b} {c}")?,
        }
    }
    Ok(())
}
