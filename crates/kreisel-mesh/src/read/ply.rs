//! PLY: vertices and polygons, as text or binary in either order of bytes.

use super::ply_body::Values;
use super::ply_header::{self, Element, Encoding};
use super::polygon::triangulate;
use crate::error::Problem;
use crate::soup::{NO_UV, Soup, limit};
use kreisel::DVec3;

/// Reads a PLY file.
pub fn read(bytes: &[u8], most: usize) -> Result<Soup, Problem> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let header = ply_header::read(bytes)?;
    let kind = match header.encoding {
        Encoding::Text => "PLY as text",
        Encoding::Little | Encoding::Big => "binary PLY",
    };
    let mut soup = Soup { kind, numbered: true, ..Soup::default() };
    let mut values = Values::new(header.encoding, bytes.get(header.body..).unwrap_or_default());
    for element in header.elements.iter().filter(|e| !e.properties.is_empty()) {
        values.row.clone_from(&element.name);
        values.check_room(element)?;
        match element.name.as_str() {
            "vertex" => read_vertices(&mut soup, &mut values, element, most)?,
            "face" => read_faces(&mut soup, &mut values, element, most)?,
            "tristrips" => {
                return Err(Problem::syntax("header", "strips of triangles are not read; export faces"));
            }
            _ => skip(&mut values, element)?,
        }
    }
    check_corners(&soup)?;
    if soup.triangles.is_empty() && !soup.vertices.is_empty() {
        return Err(Problem::Empty { remark: "it is a cloud of points".to_string() });
    }
    Ok(soup)
}

fn column(element: &Element, names: &[&str]) -> Option<usize> {
    element.properties.iter().position(|p| p.length.is_none() && names.contains(&p.name.as_str()))
}

fn read_vertices(soup: &mut Soup, values: &mut Values, element: &Element, most: usize) -> Result<(), Problem> {
    let count = limit("vertices", element.count, most)?;
    let [Some(x), Some(y), Some(z)] = ["x", "y", "z"].map(|n| column(element, &[n])) else {
        return Err(Problem::syntax("header", "the vertices have no x, y and z"));
    };
    let u = column(element, &["s", "u", "texture_u", "texture_s"]);
    let v = column(element, &["t", "v", "texture_v", "texture_t"]);
    soup.vertices.reserve_exact(count);
    let mut numbers = vec![0.0; element.properties.len()];
    for row in 0..element.count {
        read_row(values, element, row, &mut numbers)?;
        soup.vertices.push(DVec3::new(numbers[x], numbers[y], numbers[z]));
        if let (Some(u), Some(v)) = (u, v) {
            soup.uvs.push([numbers[u], numbers[v]]);
        }
    }
    Ok(())
}

/// One row; lists are read over.
fn read_row(values: &mut Values, element: &Element, row: u64, numbers: &mut [f64]) -> Result<(), Problem> {
    for (property, number) in element.properties.iter().zip(numbers) {
        match property.length {
            None => *number = values.next(property.scalar, row)?,
            Some(length) => {
                for _ in 0..values.length(length, property.scalar, row)? {
                    values.next(property.scalar, row)?;
                }
            }
        }
    }
    Ok(())
}

fn skip(values: &mut Values, element: &Element) -> Result<(), Problem> {
    let mut numbers = vec![0.0; element.properties.len()];
    (0..element.count).try_for_each(|row| read_row(values, element, row, &mut numbers))
}

fn read_faces(soup: &mut Soup, values: &mut Values, element: &Element, most: usize) -> Result<(), Problem> {
    limit("triangles", element.count, most)?;
    let list =
        |names: &[&str]| element.properties.iter().position(|p| p.length.is_some() && names.contains(&p.name.as_str()));
    let corners_at = list(&["vertex_indices", "vertex_index"]);
    let uvs_at = list(&["texcoord"]);
    if corners_at.is_none() {
        return Err(Problem::syntax("header", "the faces have no list `vertex_indices`"));
    }
    let (mut corners, mut uvs, mut other) = (Vec::new(), Vec::new(), Vec::new());
    for row in 0..element.count {
        for (k, property) in element.properties.iter().enumerate() {
            let Some(length) = property.length else {
                values.next(property.scalar, row)?;
                continue;
            };
            let into = match Some(k) {
                at if at == corners_at => &mut corners,
                at if at == uvs_at => &mut uvs,
                _ => &mut other,
            };
            into.clear();
            for _ in 0..values.length(length, property.scalar, row)? {
                into.push(values.next(property.scalar, row)?);
            }
        }
        push_polygon(soup, &corners, &uvs, row, most)?;
    }
    Ok(())
}

fn push_polygon(soup: &mut Soup, corners: &[f64], uvs: &[f64], row: u64, most: usize) -> Result<(), Problem> {
    let place = || format!("face {}", row + 1);
    if corners.len() < 3 {
        return Err(Problem::syntax(place(), format!("{} corners; a face needs at least three", corners.len())));
    }
    if let Some(bad) = corners.iter().find(|c| !(**c >= 0.0 && **c < f64::from(u32::MAX) && c.fract() == 0.0)) {
        return Err(Problem::syntax(place(), format!("{bad} is no number of a vertex")));
    }
    limit("triangles", (soup.triangles.len() + corners.len()) as u64, most)?;
    let per_vertex = !soup.uvs.is_empty() && soup.uvs.len() == soup.vertices.len();
    let per_corner = uvs.len() == 2 * corners.len() && !per_vertex;
    let first_uv = soup.uvs.len() as u32;
    if per_corner {
        soup.uvs.extend(uvs.chunks_exact(2).map(|p| [p[0], p[1]]));
    }
    let places: Vec<DVec3> =
        corners.iter().map(|&c| soup.vertices.get(c as usize).copied().unwrap_or(DVec3::NAN)).collect();
    triangulate(&places, |t| {
        let vertices = t.map(|k| corners[k] as u32);
        let uvs = match (per_vertex, per_corner) {
            (true, _) => vertices,
            (_, true) => t.map(|k| first_uv + k as u32),
            _ => [NO_UV; 3],
        };
        soup.push(vertices, uvs);
    });
    Ok(())
}

/// Faces may come before vertices: numbers are checked at the end.
fn check_corners(soup: &Soup) -> Result<(), Problem> {
    let count = soup.vertices.len();
    let beyond = soup.triangles.iter().position(|t| t.iter().any(|&c| c as usize >= count));
    let Some(t) = beyond else { return Ok(()) };
    let worst = soup.triangles[t].iter().max().copied().unwrap_or(0);
    let reason = format!("it names vertex {worst}, but there are {count} only (from 0)");
    Err(Problem::syntax(format!("triangle {}", t + 1), reason))
}
