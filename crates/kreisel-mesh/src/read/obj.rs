//! Wavefront OBJ: vertices, texture coordinates, polygons, names of objects, groups and materials.

use super::polygon::triangulate;
use super::text::{Lines, Words, integer, number, shown};
use crate::error::Problem;
use crate::soup::{NO_UV, Soup, limit};
use kreisel::DVec3;

/// What is known while reading.
#[derive(Default)]
struct Reader {
    soup: Soup,
    object: String,
    group: String,
    material: String,
    /// Whether a name changed since the last polygon.
    renamed: bool,
    /// Corners of the polygon at hand: vertex and texture coordinates.
    corners: Vec<(u32, u32)>,
    places: Vec<DVec3>,
    /// A polygon before its vertices are known: numbers are checked at the end.
    highest: Option<(u32, usize)>,
    doubtful: usize,
    lines_and_points: usize,
}

/// Reads an OBJ file.
pub fn read(bytes: &[u8], most: usize) -> Result<Soup, Problem> {
    let mut reader = Reader { soup: Soup { kind: "OBJ", numbered: true, ..Soup::default() }, ..Reader::default() };
    let mut lines = Lines::new(bytes);
    while let Some(line) = lines.next() {
        let at = lines.number;
        match ends_with_backslash(line) {
            false => reader.line(line, at, most)?,
            true => {
                let joined = join_lines(line, &mut lines);
                reader.line(&joined, at, most)?;
            }
        }
    }
    reader.finish()
}

fn ends_with_backslash(line: &[u8]) -> bool {
    line.trim_ascii_end().last() == Some(&b'\\')
}

/// A line that goes on after a backslash.
fn join_lines(first: &[u8], lines: &mut Lines) -> Vec<u8> {
    let strip = |l: &[u8]| l.trim_ascii_end().strip_suffix(b"\\").unwrap_or(l).to_vec();
    let mut joined = strip(first);
    for next in lines.by_ref() {
        joined.push(b' ');
        joined.extend(strip(next));
        if !ends_with_backslash(next) {
            break;
        }
    }
    joined
}

impl Reader {
    fn line(&mut self, line: &[u8], at: usize, most: usize) -> Result<(), Problem> {
        let place = || format!("line {at}");
        let mut words = Words::new(line);
        let name = |words: &Words| String::from_utf8_lossy(words.remainder()).into_owned();
        match words.next() {
            Some(b"v") => {
                limit("vertices", self.soup.vertices.len() as u64 + 1, most)?;
                let mut next = || number(words.next(), place);
                self.soup.vertices.push(DVec3::new(next()?, next()?, next()?));
            }
            Some(b"vt") => {
                limit("texture coordinates", self.soup.uvs.len() as u64 + 1, most.saturating_mul(3))?;
                let u = number(words.next(), place)?;
                let v = words.next().map_or(Ok(0.0), |w| number(Some(w), place))?;
                self.soup.uvs.push([u, v]);
            }
            Some(b"f" | b"fo") => self.polygon(words, at, most)?,
            Some(b"o") => (self.object, self.renamed) = (name(&words), true),
            Some(b"g") => (self.group, self.renamed) = (name(&words), true),
            Some(b"usemtl") => (self.material, self.renamed) = (name(&words), true),
            Some(b"l" | b"p") => self.lines_and_points += 1,
            Some(b"curv" | b"curv2" | b"surf" | b"cstype") => {
                return Err(Problem::syntax(place(), "free-form curves and surfaces are not read; export polygons"));
            }
            Some(word) if !is_known(word) => {
                return Err(Problem::syntax(place(), format!("`{}` is no word of OBJ", shown(word))));
            }
            _ => return Ok(()),
        }
        Ok(())
    }

    fn polygon(&mut self, words: Words, at: usize, most: usize) -> Result<(), Problem> {
        self.corners.clear();
        self.places.clear();
        for word in words {
            let corner = self.corner(word, at)?;
            self.places.push(self.soup.vertices.get(corner.0 as usize).copied().unwrap_or(DVec3::NAN));
            self.corners.push(corner);
        }
        if self.corners.len() < 3 {
            return Err(Problem::syntax(format!("line {at}"), "a face needs at least three corners"));
        }
        limit("triangles", (self.soup.triangles.len() + self.corners.len()) as u64, most)?;
        self.name_part();
        let (soup, corners) = (&mut self.soup, &self.corners);
        let good = triangulate(&self.places, |t| soup.push(t.map(|k| corners[k].0), t.map(|k| corners[k].1)));
        self.doubtful += usize::from(!good);
        Ok(())
    }

    /// `v`, `v/vt`, `v//vn` or `v/vt/vn`; from 1, or negative and counted from the last.
    fn corner(&mut self, word: &[u8], at: usize) -> Result<(u32, u32), Problem> {
        let mut pieces = word.split(|&b| b == b'/');
        let place = || format!("line {at}");
        let vertex = resolve(pieces.next().unwrap_or_default(), self.soup.vertices.len(), "vertex", place)?;
        let uv = match pieces.next() {
            None | Some(b"") => NO_UV,
            Some(piece) => resolve(piece, self.soup.uvs.len(), "texture coordinate", place)?,
        };
        if vertex as usize >= self.soup.vertices.len() && self.highest.is_none_or(|(h, _)| vertex > h) {
            self.highest = Some((vertex, at));
        }
        Ok((vertex, if uv as usize >= self.soup.uvs.len() { NO_UV } else { uv }))
    }

    /// The run of triangles is named after object, group and material, whichever are there.
    fn name_part(&mut self) {
        if !std::mem::take(&mut self.renamed) {
            return;
        }
        let mut names: Vec<&str> = Vec::new();
        for name in [&self.object, &self.group, &self.material] {
            if !name.is_empty() && !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        self.soup.begin_part(&names.join("/"));
    }

    fn finish(mut self) -> Result<Soup, Problem> {
        let count = self.soup.vertices.len();
        if let Some((vertex, at)) = self.highest.filter(|(v, _)| *v as usize >= count) {
            let reason = format!("the face names vertex {}, but there are {count} only", u64::from(vertex) + 1);
            return Err(Problem::syntax(format!("line {at}"), reason));
        }
        if self.doubtful > 0 {
            let text = format!("{} polygons cross themselves or are huge and were cut as fans", self.doubtful);
            self.soup.warnings.push(text);
        }
        if self.lines_and_points > 0 && self.soup.triangles.is_empty() {
            return Err(Problem::Empty { remark: "lines and points only".to_string() });
        }
        Ok(self.soup)
    }
}

/// A number of OBJ, from 1 or negative, as a number from 0.
fn resolve(word: &[u8], count: usize, what: &str, place: impl Fn() -> String) -> Result<u32, Problem> {
    let number = integer(word, &place)?;
    if number == 0 {
        return Err(Problem::syntax(place(), format!("a face names {what} 0, but OBJ counts from 1")));
    }
    let index = if number < 0 { count as i64 + number } else { number - 1 };
    match u32::try_from(index) {
        Ok(index) if index < u32::MAX / 2 => Ok(index),
        _ => {
            let reason = format!("a face names {what} {number}, but there are {count} so far");
            Err(Problem::syntax(place(), reason))
        }
    }
}

/// Words of OBJ that say nothing about the shape.
fn is_known(word: &[u8]) -> bool {
    const KNOWN: [&[u8]; 22] = [
        b"vn",
        b"vp",
        b"s",
        b"mtllib",
        b"mg",
        b"lod",
        b"bevel",
        b"c_interp",
        b"d_interp",
        b"shadow_obj",
        b"trace_obj",
        b"maplib",
        b"usemap",
        b"parm",
        b"end",
        b"deg",
        b"bmat",
        b"step",
        b"call",
        b"csh",
        b"trim",
        b"hole",
    ];
    word.starts_with(b"#") || KNOWN.contains(&word)
}
