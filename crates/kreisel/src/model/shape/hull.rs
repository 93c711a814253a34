//! Convex hull of points by quickhull.

use super::ShapeError;
use super::polyhedron::{FLATNESS, extent};
use glamx::DVec3;

/// Points within this of a face count as in it, relative to the extent.
const ROUNDING: f64 = 1e-11;

/// A solid thinner than this, relative to its extent, counts as flat: its upper and its lower side would be one face.
const THINNEST: f64 = FLATNESS;

struct Facet {
    corners: [u32; 3],
    normal: DVec3,
    offset: f64,
    outside: Vec<u32>,
    alive: bool,
}

/// Triangles of the hull, anticlockwise seen from outside, by numbers of points.
pub(super) fn hull_triangles(points: &[DVec3]) -> Result<Vec<[u32; 3]>, ShapeError> {
    if let Some(index) = points.iter().position(|p| !p.is_finite()) {
        return Err(ShapeError::Vertex { index, value: points[index] });
    }
    if points.len() < 4 {
        return Err(ShapeError::TooFewPoints(points.len()));
    }
    let tolerance = ROUNDING * extent(points);
    let mut facets = first_tetrahedron(points)?;
    let everything: Vec<u32> = (0..points.len() as u32).collect();
    share_out(points, &mut facets, 0, &everything, tolerance);
    let mut next = 0;
    while next < facets.len() {
        if !facets[next].alive || facets[next].outside.is_empty() {
            next += 1;
            continue;
        }
        let apex = farthest(points, &facets[next]);
        if !grow(points, &mut facets, next, apex, tolerance) {
            facets[next].outside.retain(|&p| p != apex);
        }
    }
    Ok(facets.iter().filter(|f| f.alive).map(|f| f.corners).collect())
}

fn facet(points: &[DVec3], corners: [u32; 3]) -> Option<Facet> {
    let [a, b, c] = corners.map(|v| points[v as usize]);
    let normal = (b - a).cross(c - a).try_normalize()?;
    Some(Facet { corners, normal, offset: normal.dot((a + b + c) / 3.0), outside: Vec::new(), alive: true })
}

fn height(points: &[DVec3], f: &Facet, p: u32) -> f64 {
    f.normal.dot(points[p as usize]) - f.offset
}

fn farthest(points: &[DVec3], f: &Facet) -> u32 {
    let mut best = f.outside[0];
    for &p in &f.outside {
        if height(points, f, p) > height(points, f, best) {
            best = p;
        }
    }
    best
}

/// Gives every point to the first facet from number `from` on that it lies outside of.
fn share_out(points: &[DVec3], facets: &mut [Facet], from: usize, who: &[u32], tolerance: f64) {
    for &p in who {
        if let Some(f) = facets[from..].iter_mut().find(|f| height(points, f, p) > tolerance) {
            f.outside.push(p);
        }
    }
}

/// Replaces all facets that `apex` sees, connected with facet `seen`, by the cone from their rim; false if that makes a facet without area.
fn grow(points: &[DVec3], facets: &mut Vec<Facet>, seen: usize, apex: u32, tolerance: f64) -> bool {
    let visible = visible_from(points, facets, seen, apex, tolerance);
    let mut rim: Vec<[u32; 2]> = Vec::new();
    for &f in &visible {
        let [a, b, c] = facets[f].corners;
        rim.extend([[a, b], [b, c], [c, a]]);
    }
    let outer: Vec<[u32; 2]> = rim.iter().copied().filter(|s| !rim.contains(&[s[1], s[0]])).collect();
    let fresh: Option<Vec<Facet>> = outer.iter().map(|s| facet(points, [s[0], s[1], apex])).collect();
    let Some(fresh) = fresh else { return false };
    let mut orphans = Vec::new();
    for &f in &visible {
        facets[f].alive = false;
        orphans.append(&mut facets[f].outside);
    }
    orphans.retain(|&p| p != apex);
    let from = facets.len();
    facets.extend(fresh);
    share_out(points, facets, from, &orphans, tolerance);
    true
}

/// The facets that `apex` lies above, found over shared edges.
fn visible_from(points: &[DVec3], facets: &[Facet], seen: usize, apex: u32, tolerance: f64) -> Vec<usize> {
    let mut visible = vec![seen];
    let mut k = 0;
    while k < visible.len() {
        let of = facets[visible[k]].corners;
        for (f, facet) in facets.iter().enumerate().filter(|(_, f)| f.alive) {
            let shares = facet.corners.iter().filter(|v| of.contains(v)).count() == 2;
            if shares && !visible.contains(&f) && height(points, facet, apex) > tolerance {
                visible.push(f);
            }
        }
        k += 1;
    }
    visible
}

/// Four points far apart: the ends of the longest axis, the farthest from that line, the farthest from that plane.
fn first_tetrahedron(points: &[DVec3]) -> Result<Vec<Facet>, ShapeError> {
    let extent = extent(points);
    let flat = |thickness: f64| ShapeError::Flat { thickness, extent };
    let best = |measure: &dyn Fn(DVec3) -> f64| {
        let better = |a: u32, b: u32| if measure(points[b as usize]) > measure(points[a as usize]) { b } else { a };
        (0..points.len() as u32).fold(0, better)
    };
    let at = |v: u32| points[v as usize];
    let a = best(&|p| p.x + p.y * 1e-3 + p.z * 1e-6);
    let b = best(&|p| (p - at(a)).length_squared());
    let line = (at(b) - at(a)).try_normalize().ok_or(flat(0.0))?;
    let away = |p: DVec3| (p - at(a)).reject_from_normalized(line).length();
    let c = best(&away);
    let normal = line.cross(at(c) - at(a)).try_normalize().ok_or(flat(0.0))?;
    let d = best(&|p| (p - at(a)).dot(normal).abs());
    let thickness = away(at(c)).min((at(d) - at(a)).dot(normal).abs());
    if thickness <= THINNEST * extent || !thickness.is_finite() {
        return Err(flat(thickness));
    }
    let [b, c] = if (at(d) - at(a)).dot(normal) > 0.0 { [c, b] } else { [b, c] };
    let sides = [[a, b, c], [a, c, d], [c, b, d], [b, a, d]];
    sides.iter().map(|s| facet(points, *s)).collect::<Option<Vec<_>>>().ok_or(flat(thickness))
}
