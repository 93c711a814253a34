//! STL, as text or binary; the content decides which, because binary files too begin with "solid" at times.

use super::text::{Lines, Words, number, shown};
use crate::error::Problem;
use crate::soup::{NO_UV, Soup, limit};
use kreisel::DVec3;

/// Length of the header with the number of triangles.
const HEADER: usize = 84;
/// Length of a triangle: normal, three corners, attribute.
const RECORD: usize = 50;

/// Whether the length is what the number of triangles in the header of a binary file wants.
pub fn is_binary_by_length(bytes: &[u8]) -> bool {
    announced(bytes).is_some_and(|n| n > 0 && bytes.len() as u64 == HEADER as u64 + n * RECORD as u64)
}

fn announced(bytes: &[u8]) -> Option<u64> {
    let count: [u8; 4] = bytes.get(80..HEADER)?.try_into().ok()?;
    Some(u64::from(u32::from_le_bytes(count)))
}

/// Reads an STL file.
pub fn read(bytes: &[u8], most: usize) -> Result<Soup, Problem> {
    if !is_binary_by_length(bytes) && is_text(bytes) {
        return read_text(bytes, most);
    }
    read_binary(bytes, most)
}

/// "solid" first, and one of the words of a text soon after.
fn is_text(bytes: &[u8]) -> bool {
    let start = bytes.trim_ascii_start();
    let beginning = start.get(..start.len().min(4000)).unwrap_or_default().to_ascii_lowercase();
    let has = |word: &[u8]| beginning.windows(word.len()).any(|w| w == word);
    beginning.starts_with(b"solid")
        && !beginning.contains(&0)
        && (has(b"facet") || has(b"endsolid") || start.len() < HEADER)
}

fn read_binary(bytes: &[u8], most: usize) -> Result<Soup, Problem> {
    let Some(count) = announced(bytes) else {
        let reason = "neither `solid` nor the 84 bytes of a binary header: this is no STL file";
        return Err(Problem::syntax("header", reason));
    };
    let body = bytes.get(HEADER..).unwrap_or_default();
    let present = (body.len() / RECORD) as u64;
    if present < count {
        // Text that is no STL at all would be a header with an absurd number.
        let is_text = bytes.iter().take(HEADER).all(|b| b.is_ascii_graphic() || b.is_ascii_whitespace());
        if is_text {
            let reason = format!("`{}` begins no STL file: neither `solid` nor a binary header", shown(bytes));
            return Err(Problem::syntax("header", reason));
        }
        return Err(Problem::Truncated { what: format!("{count} triangles"), found: format!("{present} triangles") });
    }
    let count = limit("triangles", count, most)?;
    let mut soup = Soup { kind: "binary STL", ..Soup::default() };
    soup.vertices.reserve_exact(3 * count);
    soup.triangles.reserve_exact(count);
    for record in body.chunks_exact(RECORD).take(count) {
        let corners = record.get(12..48).unwrap_or_default().chunks_exact(12);
        push_triangle(&mut soup, corners.map(|c| DVec3::from_array([0, 4, 8].map(|k| single(c, k)))));
    }
    if body.len() > count * RECORD {
        let more = body.len() - count * RECORD;
        soup.warnings.push(format!("{more} bytes after the last triangle were left aside"));
    }
    Ok(soup)
}

fn single(bytes: &[u8], at: usize) -> f64 {
    let four = bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).unwrap_or_default();
    f64::from(f32::from_le_bytes(four))
}

fn push_triangle(soup: &mut Soup, corners: impl Iterator<Item = DVec3>) {
    let first = soup.vertices.len() as u32;
    soup.vertices.extend(corners);
    soup.push([first, first + 1, first + 2], [NO_UV; 3]);
}

/// Reads text; a last line that is not ended and makes no sense was cut off.
fn read_text(bytes: &[u8], most: usize) -> Result<Soup, Problem> {
    let mut lines = Lines::new(bytes);
    read_lines(&mut lines, most).map_err(|problem| match problem {
        Problem::Syntax { place, .. } if lines.at_end() && !bytes.ends_with(b"\n") => {
            Problem::Truncated { what: "facets with `endfacet`".to_string(), found: format!("half of {place}") }
        }
        other => other,
    })
}

fn read_lines(lines: &mut Lines, most: usize) -> Result<Soup, Problem> {
    let mut soup = Soup { kind: "STL as text", ..Soup::default() };
    let mut corners: Vec<DVec3> = Vec::new();
    let (mut open_facet, mut open_solid) = (false, false);
    while let Some(line) = lines.next() {
        let at = lines.number;
        let place = || format!("line {at}");
        let mut words = Words::new(line);
        let Some(word) = words.next() else { continue };
        match word.to_ascii_lowercase().as_slice() {
            b"vertex" => {
                let mut next = || number(words.next(), place);
                corners.push(DVec3::new(next()?, next()?, next()?));
            }
            b"endfacet" => {
                if corners.len() != 3 {
                    let reason = format!("a facet of {} corners; STL has triangles only", corners.len());
                    return Err(Problem::syntax(place(), reason));
                }
                limit("triangles", soup.triangles.len() as u64 + 1, most)?;
                push_triangle(&mut soup, corners.drain(..));
                open_facet = false;
            }
            b"facet" => open_facet = true,
            b"solid" => {
                soup.begin_part(&String::from_utf8_lossy(words.remainder()));
                open_solid = true;
            }
            b"endsolid" => open_solid = false,
            b"outer" | b"endloop" => {}
            other => return Err(Problem::syntax(place(), format!("`{}` is no word of STL", shown(other)))),
        }
        if corners.len() > 3 {
            return Err(Problem::syntax(place(), "a facet of more than three corners; STL has triangles only"));
        }
    }
    finish_text(soup, open_facet, open_solid)
}

/// A facet that is not ended was cut off; a solid that is not ended may have been.
fn finish_text(mut soup: Soup, open_facet: bool, open_solid: bool) -> Result<Soup, Problem> {
    if open_facet {
        let found = format!("{} whole triangles", soup.triangles.len());
        return Err(Problem::Truncated { what: "facets with `endfacet`".to_string(), found });
    }
    if open_solid {
        soup.warnings.push("there is no `endsolid`: the file may have been cut short".to_string());
    }
    Ok(soup)
}
