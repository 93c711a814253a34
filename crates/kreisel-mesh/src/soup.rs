//! What a file holds, before anything is welded or checked.

use crate::error::Problem;
use kreisel::DVec3;
use kreisel::model::SurfacePart;

/// Triangles as the file has them.
#[derive(Clone, Debug, Default)]
pub struct Soup {
    /// Vertices in the order of the file.
    pub vertices: Vec<DVec3>,
    /// Triangles: numbers of vertices.
    pub triangles: Vec<[u32; 3]>,
    /// Named runs of triangles.
    pub parts: Vec<SurfacePart>,
    /// Texture coordinates.
    pub uvs: Vec<[f64; 2]>,
    /// For every triangle its texture coordinates; [`NO_UV`] where there are none; empty if nobody has.
    pub uv_corners: Vec<[u32; 3]>,
    /// Whether the file numbers its vertices; if not (STL), their order means nothing.
    pub numbered: bool,
    /// What was noticed.
    pub warnings: Vec<String>,
    /// What the file holds in its own words, such as "binary STL".
    pub kind: &'static str,
}

/// A corner without texture coordinates.
pub const NO_UV: u32 = u32::MAX;

impl Soup {
    /// Ends the current run of triangles and begins one with another name.
    pub fn begin_part(&mut self, name: &str) {
        let first = self.triangles.len() as u32;
        match self.parts.last_mut() {
            Some(last) if last.name == name => {}
            Some(last) if last.first == first => last.name = name.to_string(),
            Some(last) => {
                last.count = first - last.first;
                self.parts.push(SurfacePart { name: name.to_string(), first, count: 0 });
            }
            None => {
                if first > 0 {
                    self.parts.push(SurfacePart { name: String::new(), first: 0, count: first });
                }
                self.parts.push(SurfacePart { name: name.to_string(), first, count: 0 });
            }
        }
    }

    /// Ends the last run; a single run without a name is none.
    pub fn end_parts(&mut self) {
        let end = self.triangles.len() as u32;
        if let Some(last) = self.parts.last_mut() {
            last.count = end - last.first;
        }
        self.parts.retain(|p| p.count > 0);
        if self.parts.iter().all(|p| p.name.is_empty()) {
            self.parts.clear();
        }
    }

    /// A triangle with or without texture coordinates.
    pub fn push(&mut self, corners: [u32; 3], uvs: [u32; 3]) {
        if self.uv_corners.is_empty() && uvs != [NO_UV; 3] {
            self.uv_corners.resize(self.triangles.len(), [NO_UV; 3]);
        }
        if !self.uv_corners.is_empty() || uvs != [NO_UV; 3] {
            self.uv_corners.push(uvs);
        }
        self.triangles.push(corners);
    }

    /// Corners without texture coordinates get (0, 0), so that every number is one of `uvs`.
    pub fn complete_uvs(&mut self) {
        if !self.uv_corners.iter().flatten().any(|&c| c == NO_UV) {
            return;
        }
        let none = self.uvs.len() as u32;
        self.uvs.push([0.0; 2]);
        self.uv_corners.iter_mut().flatten().filter(|c| **c == NO_UV).for_each(|c| *c = none);
    }
}

/// Refuses a number of things before memory is taken for them.
pub fn limit(what: &'static str, count: u64, most: usize) -> Result<usize, Problem> {
    let most = most.min(u32::MAX as usize / 4);
    if count > most as u64 {
        return Err(Problem::TooMany { what, count, limit: most as u64 });
    }
    Ok(count as usize)
}
