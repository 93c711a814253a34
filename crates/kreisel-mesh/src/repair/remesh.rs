//! A leaky surface is made anew: the boundary of where it winds around more than half.

use super::Mesh;
use super::tetrahedra::{Grid, surround};
use crate::error::Problem;
use crate::space::tree::{Extent, Tree};
use crate::space::winding::Winding;
use kreisel::DVec3;

/// Cells along a block: only blocks near the surface are looked at point by point.
const BLOCK: usize = 4;
/// Halvings until the surface is found between two points of the grid: a 64th of a cell.
const HALVINGS: usize = 6;
/// New vertices keep this share of an edge away from its ends, so that no triangle is without area.
const MARGIN: f64 = 0.05;

/// Makes the surface anew on a grid with so many cells along its longest side.
pub fn remesh(mesh: &Mesh, cells: u32) -> Result<Mesh, Problem> {
    let tree = Tree::new(mesh.triangles.len(), |t| mesh.corners(t));
    let winding = Winding::new(&tree);
    let inside = |x: DVec3| winding.at(x) > 0.5;
    let grid = grid_around(mesh, cells);
    let marked = mark(&grid, mesh, inside);
    let result = surround(&grid, &marked, |a, b| {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if inside(a + (b - a) * middle) { low = middle } else { high = middle }
        }
        (0.5 * (low + high)).clamp(MARGIN, 1.0 - MARGIN)
    });
    if result.triangles.is_empty() {
        return Err(Problem::NothingToFill { cells });
    }
    Ok(result)
}

/// Points around the surface with two cells to spare; a little off, so that faces do not fall upon points.
fn grid_around(mesh: &Mesh, cells: u32) -> Grid {
    let (low, high) = mesh.bounds();
    let step = (high - low).max_element() / f64::from(cells);
    let points = ((high - low) / step).to_array().map(|n| n.ceil() as usize + 6);
    Grid { low: low - step * DVec3::new(2.413, 2.377, 2.431), step, points }
}

/// Which points are inside. Blocks that no triangle is near and whose corners agree are not looked into.
fn mark(grid: &Grid, mesh: &Mesh, inside: impl Fn(DVec3) -> bool) -> Vec<bool> {
    let blocks =
        Grid { low: grid.low, step: grid.step * BLOCK as f64, points: grid.points.map(|n| n.div_ceil(BLOCK) + 1) };
    let corners: Vec<bool> = all_points(&blocks).map(|b| inside(blocks.place(b))).collect();
    let mixed = mixed_blocks(&blocks, mesh, &corners);
    let rim = |p: [usize; 3]| (0..3).any(|a| p[a] == 0 || p[a] + 1 == grid.points[a]);
    let marked = |p: [usize; 3]| {
        let block = p.map(|k| k / BLOCK);
        if rim(p) {
            false
        } else if mixed[blocks.index(block)] {
            inside(grid.place(p))
        } else {
            corners[blocks.index(block)]
        }
    };
    all_points(grid).map(marked).collect()
}

fn all_points(grid: &Grid) -> impl Iterator<Item = [usize; 3]> + use<> {
    let [nx, ny, nz] = grid.points;
    (0..nz).flat_map(move |z| (0..ny).flat_map(move |y| (0..nx).map(move |x| [x, y, z])))
}

/// Blocks that a triangle is near or whose corners differ.
fn mixed_blocks(blocks: &Grid, mesh: &Mesh, corners: &[bool]) -> Vec<bool> {
    let mut mixed = vec![false; blocks.len()];
    let last = blocks.points.map(|n| n - 1);
    for b in all_points(blocks) {
        let corner = |c: usize| {
            let at = [b[0] + (c & 1), b[1] + (c >> 1 & 1), b[2] + (c >> 2 & 1)];
            corners[blocks.index(std::array::from_fn(|a| at[a].min(last[a])))]
        };
        mixed[blocks.index(b)] = (1..8).any(|c| corner(c) != corner(0));
    }
    let margin = blocks.step / BLOCK as f64;
    for t in 0..mesh.triangles.len() {
        let extent = Extent::around(mesh.corners(t));
        let cell = |x: DVec3| ((x - blocks.low) / blocks.step).to_array().map(|k| k.max(0.0) as usize);
        let (from, to) = (cell(extent.low - margin), cell(extent.high + margin));
        let to: [usize; 3] = std::array::from_fn(|a| to[a].min(last[a]));
        for z in from[2]..=to[2] {
            for y in from[1]..=to[1] {
                (from[0]..=to[0]).for_each(|x| mixed[blocks.index([x, y, z])] = true);
            }
        }
    }
    mixed
}
