//! From triangles as the file has them to a closed surface that is turned outwards: the order of the work.

use crate::Loaded;
use crate::error::Problem;
use crate::format::Format;
use crate::options::{Fill, ReadOptions};
use crate::repair::orient::Shells;
use crate::repair::{Mesh, clean, edges, flat, holes, intersect, nest, orient, remesh, weld};
use crate::report::{MeshReport, Repairs};
use crate::size;
use crate::soup::Soup;
use crate::space::tree::Tree;
use crate::trace;
use kreisel::DVec3;

/// No body is larger than this in any unit.
const ABSURD: f64 = 1e12;
/// Vertices along open edges closer than this share of the diagonal are one; crossings less deep are none.
const CLOSE: f64 = 1e-6;

/// Volume over area to the power of 3/2, below which a surface is folded flat; rounding alone makes 1e-16.
const LEAST_VOLUME: f64 = 1e-12;

/// What becomes known on the way.
#[derive(Default)]
struct Findings {
    repairs: Repairs,
    shells: usize,
    cavities: usize,
    warnings: Vec<String>,
}

/// Welds, cleans, orients, closes and checks.
pub fn prepare(name: &str, format: Format, mut soup: Soup, options: &ReadOptions) -> Result<Loaded, Problem> {
    if soup.triangles.is_empty() {
        return Err(Problem::Empty { remark: String::new() });
    }
    let mut found = Findings { warnings: std::mem::take(&mut soup.warnings), ..Findings::default() };
    let (mut mesh, mut number) = used_vertices(&mut soup)?;
    let (kind, file_vertices, file_triangles) = (soup.kind, number.len(), soup.triangles.len());
    join(&mut mesh, &mut number, &mut found.repairs, options)?;
    if options.fill == Fill::LeaveOpen {
        face_one_way(&mut mesh, &mut found);
    } else if let Err(problem) = close(&mut mesh, &mut found) {
        if options.fill != Fill::WindingNumber || !problem.can_be_filled() {
            return Err(problem);
        }
        make_anew(&mut mesh, &mut found, options, &problem)?;
    }
    let scale = options.scale;
    mesh.vertices.iter_mut().for_each(|x| *x *= scale);
    let (area, (low, high)) = (mesh.area(), mesh.bounds());
    found.warnings.extend(size::implausible((high - low).max_element() / scale, scale));
    let surface = trace::surface(mesh, soup, number, found.repairs.made_anew);
    let Findings { repairs, shells, cavities, warnings } = found;
    let (vertices, triangles, volume) = (surface.vertices.len(), surface.triangles.len(), surface.volume());
    if options.fill != Fill::LeaveOpen && volume <= LEAST_VOLUME * area.powf(1.5) {
        return Err(Problem::NoVolume);
    }
    let report = MeshReport {
        name: name.to_string(),
        format,
        kind,
        file_vertices,
        file_triangles,
        repairs,
        vertices,
        triangles,
        shells,
        cavities,
        volume,
        area,
        low,
        high,
        warnings,
    };
    Ok(Loaded { surface, report })
}

/// The vertices that triangles use, all finite and of a size that exists, and their numbers; the soup gives them away.
fn used_vertices(soup: &mut Soup) -> Result<(Mesh, Vec<u32>), Problem> {
    let places = std::mem::take(&mut soup.vertices);
    let mut used = vec![false; places.len()];
    soup.triangles.iter().flatten().for_each(|&v| used[v as usize] = true);
    let mut number = vec![trace::UNUSED; places.len()];
    let mut vertices = Vec::with_capacity(places.len());
    for (k, x) in places.into_iter().enumerate().filter(|(k, _)| used[*k]) {
        if !x.is_finite() {
            return Err(Problem::NotFinite { vertex: k + 1, at: x.to_array() });
        }
        if x.abs().max_element() > ABSURD {
            return Err(Problem::Absurd { vertex: k + 1, at: x });
        }
        number[k] = vertices.len() as u32;
        vertices.push(x);
    }
    let triangles = soup.triangles.iter().map(|t| t.map(|v| number[v as usize])).collect();
    let source = (0..soup.triangles.len() as u32).collect();
    Ok((Mesh { vertices, triangles, source }, number))
}

/// Welds vertices, drops triangles that became none or are there twice, and refuses what has no area.
fn join(mesh: &mut Mesh, number: &mut [u32], repairs: &mut Repairs, options: &ReadOptions) -> Result<(), Problem> {
    let all = mesh.triangles.len();
    let renumber = |number: &mut [u32], new: Vec<u32>| {
        number.iter_mut().filter(|n| **n != trace::UNUSED).for_each(|n| *n = new[*n as usize]);
    };
    let first = weld::weld_exactly(&mesh.vertices);
    renumber(number, clean::join(mesh, &first, repairs));
    if let Some(distance) = options.weld.filter(|d| *d > 0.0) {
        let first = weld::weld_near(&mesh.vertices, distance);
        renumber(number, clean::join(mesh, &first, repairs));
    }
    clean::drop_duplicates(mesh, repairs);
    let twins = edges::twins(mesh);
    if options.weld.is_none() && twins.open > 0 {
        let first = weld_open_edges(mesh, &twins);
        renumber(number, clean::join(mesh, &first, repairs));
        clean::drop_duplicates(mesh, repairs);
    }
    if mesh.triangles.is_empty() || mesh.area() <= f64::EPSILON * mesh.diagonal().powi(2) {
        return Err(Problem::NoArea { triangles: all });
    }
    Ok(())
}

/// Joins vertices along open edges that are closer than rounding explains.
fn weld_open_edges(mesh: &Mesh, twins: &edges::Twins) -> Vec<u32> {
    let mut first: Vec<u32> = (0..mesh.vertices.len() as u32).collect();
    let mut at_rim = vec![false; mesh.vertices.len()];
    for half in (0..twins.of.len() as u32).filter(|h| twins.of[*h as usize] == edges::OPEN) {
        let (a, b) = edges::ends(mesh, half);
        at_rim[a as usize] = true;
        at_rim[b as usize] = true;
    }
    let rim: Vec<u32> = first.iter().copied().filter(|v| at_rim[*v as usize]).collect();
    let places: Vec<DVec3> = rim.iter().map(|v| mesh.vertices[*v as usize]).collect();
    let near = weld::weld_near(&places, CLOSE * mesh.diagonal());
    rim.iter().zip(near).for_each(|(v, w)| first[*v as usize] = rim[w as usize]);
    first
}

/// Orients the surface, closes tiny holes, turns shells by how deep they lie in others, and checks the result.
fn close(mesh: &mut Mesh, found: &mut Findings) -> Result<(), Problem> {
    let mut twins = edges::twins(mesh);
    twins.check_manifold(mesh)?;
    let mut shells = orient::orient(mesh, &mut twins);
    found.repairs.turned_triangles = shells.turned;
    orient::check_two_sided(mesh, &shells)?;
    if twins.open > 0 {
        found.repairs.filled_holes = holes::fill_tiny(mesh, &twins)?;
        twins = edges::twins(mesh);
        twins.check_manifold(mesh)?;
        shells = orient::orient(mesh, &mut twins);
    }
    let (taken, left) = flat::take_out(mesh, &mut twins);
    found.repairs.flat_triangles = taken;
    if left > 0 {
        found.warnings.push(format!("{left} triangles have no area"));
    }
    let tree = Tree::new(mesh.triangles.len(), |t| mesh.corners(t));
    let crossings = intersect::find(mesh, &tree, CLOSE * mesh.diagonal());
    crossings.check()?;
    if !crossings.complete {
        found.warnings.push("whether the surface cuts itself was not looked for everywhere".to_string());
    }
    if let Some(at) = turn_shells(mesh, &mut twins, &shells, &tree, found) {
        return Err(Problem::SelfIntersecting { count: 1, more: true, at });
    }
    Ok(())
}

/// Triangles of a sheet that face another way than most of those that they hang together with are turned.
fn face_one_way(mesh: &mut Mesh, found: &mut Findings) {
    let mut twins = edges::twins(mesh);
    let shells = orient::orient(mesh, &mut twins);
    found.shells = shells.count;
    found.repairs.turned_triangles = shells.turned;
}

/// Turns shells so that they bound what lies between them; returns a place where they pass through each other.
fn turn_shells(
    mesh: &mut Mesh,
    twins: &mut edges::Twins,
    shells: &Shells,
    tree: &Tree,
    found: &mut Findings,
) -> Option<DVec3> {
    let nesting = nest::nest(mesh, shells, tree);
    if nesting.turn.contains(&true) {
        orient::apply(mesh, twins, |t| nesting.turn[shells.of[t] as usize]);
    }
    found.shells = shells.count;
    found.cavities = nesting.depth.iter().filter(|d| **d % 2 == 1).count();
    found.repairs.flipped_shells = nesting.turn.iter().filter(|t| **t).count();
    if nesting.undecided > 0 {
        let text = format!("{} shells touch others: whether they lie inside is not certain", nesting.undecided);
        found.warnings.push(text);
    }
    nesting.entangled
}

/// Makes the surface anew from its winding number. Open shells keep the orientation of the file.
fn make_anew(mesh: &mut Mesh, found: &mut Findings, options: &ReadOptions, why: &Problem) -> Result<(), Problem> {
    let mut twins = edges::twins(mesh);
    let shells = orient::orient(mesh, &mut twins);
    turn_for_winding(mesh, &mut twins, &shells);
    *mesh = remesh::remesh(mesh, options.fill_cells)?;
    found.repairs.made_anew = true;
    found.repairs.filled_holes = 0;
    found.warnings.push(format!("{why}; the surface was made anew, without names and texture coordinates"));
    let mut twins = edges::twins(mesh);
    let shells = orient::orient(mesh, &mut twins);
    let tree = Tree::new(mesh.triangles.len(), |t| mesh.corners(t));
    turn_shells(mesh, &mut twins, &shells, &tree, found);
    found.repairs.flipped_shells = 0;
    Ok(())
}

/// Closed shells are turned outwards, or inwards if they lie in others without crossing them; if the volume of all
/// is negative then, the open ones are inside out.
fn turn_for_winding(mesh: &mut Mesh, twins: &mut edges::Twins, shells: &Shells) {
    let tree = Tree::new(mesh.triangles.len(), |t| mesh.corners(t));
    let mut nesting = nest::nest(mesh, shells, &tree);
    let crossings = intersect::find(mesh, &tree, CLOSE * mesh.diagonal());
    let shell = |t: u32| shells.of[t as usize] as usize;
    for &(s, t, _) in crossings.pairs.iter().filter(|(s, t, _)| shell(*s) != shell(*t)) {
        for k in [shell(s), shell(t)] {
            // Its turn was chosen for the depth; outwards means the other one if that was odd.
            nesting.turn[k] ^= std::mem::take(&mut nesting.depth[k]) % 2 == 1;
        }
    }
    let mut open = vec![false; shells.count];
    (0..twins.of.len()).filter(|h| twins.of[*h] == edges::OPEN).for_each(|h| open[shell(h as u32 / 3)] = true);
    orient::apply(mesh, twins, |t| nesting.turn[shells.of[t] as usize] && !open[shells.of[t] as usize]);
    let origin = mesh.corners(0)[0];
    let sixfold = |t: usize| {
        let [a, b, c] = mesh.corners(t).map(|x| x - origin);
        a.dot(b.cross(c))
    };
    let volume: f64 = (0..mesh.triangles.len()).filter(|t| open[shells.of[*t] as usize]).map(sixfold).sum();
    if volume < 0.0 {
        orient::apply(mesh, twins, |t| open[shells.of[t] as usize]);
    }
}
