//! STL, binary.

use kreisel::DVec3;
use kreisel::model::Surface;
use std::io::{self, Write};

/// Writes a surface as binary STL; `place` moves its vertices, for instance to where they are in a frame.
/// STL has single precision and no names.
pub fn write_stl(out: impl Write, surface: &Surface, place: impl Fn(usize) -> DVec3) -> io::Result<()> {
    let vertices: Vec<DVec3> = (0..surface.vertices.len()).map(place).collect();
    write_triangles(out, &vertices, &surface.triangles)
}

/// Writes triangles as binary STL; numbers that name no vertex are an error.
pub fn write_triangles(out: impl Write, vertices: &[DVec3], triangles: &[[u32; 3]]) -> io::Result<()> {
    let too_many = |_| io::Error::other("an STL file cannot hold that many triangles");
    let count = u32::try_from(triangles.len()).map_err(too_many)?;
    let mut out = io::BufWriter::new(out);
    let mut header = [b' '; 80];
    header.iter_mut().zip(b"written by Kreisel").for_each(|(to, from)| *to = *from);
    out.write_all(&header)?;
    out.write_all(&count.to_le_bytes())?;
    for triangle in triangles {
        let corner = |v: u32| vertices.get(v as usize).copied().ok_or_else(|| io::Error::other("no such vertex"));
        let [a, b, c] = [corner(triangle[0])?, corner(triangle[1])?, corner(triangle[2])?];
        let normal = (b - a).cross(c - a).normalize_or_zero();
        for x in [normal, a, b, c].iter().flat_map(|x| x.to_array()) {
            out.write_all(&(x as f32).to_le_bytes())?;
        }
        out.write_all(&[0, 0])?;
    }
    out.flush()
}
