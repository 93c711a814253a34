//! How far a closed surface fills each cell of a lattice: exactly, by Gauss's theorem.
//!
//! Along a row of cells (direction `z`, unit cells) the solid begins where the surface looks down and ends where it looks
//! up. A piece of the surface inside cell `k` with the shadow `A` (negative if it looks down) therefore takes
//! `∫ (k + 1 − z) dA` from that cell and `A` from every cell above. The sums are the volumes to rounding errors; no ray has
//! to hit or miss an edge, so no row can leak. Cavities count negative, as their shells are turned inwards.

use crate::discretize::clip::Polygon;
use crate::discretize::lattice::{Cells, Lattice};
use crate::discretize::matter::MAX_ELEMENTS;
use crate::discretize::{DiscretizeError, DiscretizeError::TooMany};
use crate::model::Surface;
use glamx::DVec3;
use rayon::prelude::*;

/// Fractions nearer to 0 or 1 than this are 0 or 1: rounding errors.
const ROUNDING: f64 = 1e-9;
/// Triangles whose pieces are found by one task.
const CHUNK: usize = 4096;

/// The cells that hold matter, and what does not fit into them.
#[derive(Clone, Debug)]
pub(super) struct Filling {
    /// Cells with the fractions that are filled, each more than 0 and at most 1.
    pub cells: Cells,
    /// Volume that shells have in common, or hold inside out [m³].
    pub excess: f64,
}

/// What the surface in one cell takes from it and from those above.
#[derive(Clone, Copy)]
struct Piece {
    row: u32,
    along: u32,
    volume: f64,
    area: f64,
}

/// Filled fractions of all cells.
pub(super) fn fill(surface: &Surface, lattice: &Lattice) -> Result<Filling, DiscretizeError> {
    let of_chunk = |triangles: &[[u32; 3]]| {
        let mut pieces = Vec::new();
        triangles.iter().for_each(|t| add_pieces(t.map(|v| surface.vertices[v as usize]), lattice, &mut pieces));
        pieces
    };
    let parts: Vec<Vec<Piece>> = surface.triangles.par_chunks(CHUNK).map(of_chunk).collect();
    let mut pieces = parts.concat();
    // A stable sort: sums are taken in the order of the triangles.
    pieces.par_sort_by_key(|p| (p.row, p.along));
    let (mut list, mut excess) = (Vec::new(), 0.0);
    for row in pieces.chunk_by(|p, q| p.row == q.row) {
        excess += sweep(row, &mut list)?;
    }
    Ok(Filling { cells: Cells::new(*lattice, &list), excess: excess * lattice.volume() })
}

/// The pieces of a triangle in cells.
fn add_pieces(corners: [DVec3; 3], lattice: &Lattice, pieces: &mut Vec<Piece>) {
    let [fast, middle, slow] = lattice.order;
    let count = |axis: usize| lattice.cells[axis];
    // Exchanging two axes turns clockwise into anticlockwise.
    let sign = if (middle + 1) % 3 == slow { 1.0 } else { -1.0 };
    let place = |x: DVec3| {
        let u = lattice.local(x);
        let inside = |axis: usize| u[axis].clamp(0.0, f64::from(count(axis)));
        DVec3::new(inside(middle), inside(slow), inside(fast))
    };
    let triangle = Polygon::triangle(corners.map(place));
    if triangle.shadow().0 == 0.0 {
        return;
    }
    triangle.slices(1, count(slow), |part, j| {
        part.slices(0, count(middle), |part, i| {
            part.slices(2, count(fast), |part, along| {
                let (area, moment) = part.shadow();
                let volume = -sign * (f64::from(along + 1) * area - moment);
                let row = j * count(middle) + i;
                pieces.push(Piece { row, along, volume, area: -sign * area });
            });
        });
    });
}

/// Goes up one row; returns what is more than full or less than empty, in cells.
fn sweep(row: &[Piece], list: &mut Vec<(u32, u32, f64)>) -> Result<f64, DiscretizeError> {
    let (mut inside, mut next, mut excess) = (0.0, 0, 0.0);
    for cell in row.chunk_by(|p, q| p.along == q.along) {
        let (number, along) = (cell[0].row, cell[0].along);
        // Walls along the row have no shadow: cells between pieces are filled alike, but not all of them wholly.
        for (k, volume) in
            (next..along).map(|k| (k, inside)).chain([(along, cell.iter().fold(inside, |sum, p| sum + p.volume))])
        {
            let filled = if volume > 1.0 - ROUNDING { 1.0 } else { volume };
            excess += (volume - 1.0 - ROUNDING).max(0.0) + (-volume - ROUNDING).max(0.0);
            if filled > ROUNDING {
                list.push((number, k, filled));
            }
        }
        inside = cell.iter().fold(inside, |sum, p| sum + p.area);
        next = along + 1;
        if list.len() > MAX_ELEMENTS {
            return Err(TooMany { elements: list.len() as f64, limit: MAX_ELEMENTS });
        }
    }
    Ok(excess)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discretize::shapes::{ball, turned_box};
    use glamx::DQuat;

    fn total(cells: &Cells) -> f64 {
        cells.weight.iter().sum::<f64>() * cells.lattice.volume()
    }

    #[test]
    fn fractions_add_up_to_the_volume_along_every_axis() {
        let turn = DQuat::from_euler(glamx::EulerRot::XYZ, 0.3, 0.7, 1.1);
        for surface in [turned_box(DVec3::new(1.0, 0.6, 0.3), turn), ball(0.5, 24)] {
            for counts in [[31, 30, 29], [29, 31, 30], [30, 29, 31], [31, 29, 30], [29, 30, 31], [30, 31, 29]] {
                let lattice = Lattice::new(DVec3::new(0.01, -0.02, 0.005), counts, [0.051, 0.05, 0.052]);
                let filling = fill(&surface, &lattice).unwrap();
                assert!((total(&filling.cells) / surface.volume() - 1.0).abs() < 1e-10);
                assert!(filling.excess < 1e-10 && filling.cells.weight.iter().all(|w| (0.0..=1.0).contains(w)));
            }
        }
    }

    #[test]
    fn a_box_on_the_lattice_fills_its_cells_exactly_and_no_others() {
        let surface = turned_box(DVec3::new(0.5, 0.3, 0.2), DQuat::IDENTITY);
        let filling = fill(&surface, &Lattice::new(DVec3::ZERO, [7, 5, 4], [0.1; 3])).unwrap();
        assert_eq!(filling.cells.weight, vec![1.0; 5 * 3 * 2]);
    }

    #[test]
    fn a_wall_across_any_axis_fills_its_share() {
        let surface = turned_box(DVec3::new(0.44, 0.32, 0.28), DQuat::IDENTITY);
        let filling = fill(&surface, &Lattice::new(DVec3::ZERO, [5, 5, 5], [0.1; 3])).unwrap();
        let w = |p: [u32; 3]| filling.cells.weight[filling.cells.find(p).unwrap() as usize];
        let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(
            close(w([0, 2, 2]), 0.7) && close(w([2, 0, 2]), 0.1) && close(w([2, 2, 1]), 0.9) && w([2, 2, 2]) == 1.0
        );
    }

    #[test]
    fn what_two_shells_share_is_counted_once() {
        let mut surface = turned_box(DVec3::splat(0.4), DQuat::IDENTITY);
        let other = surface.clone();
        surface.triangles.extend(other.triangles.iter().map(|t| t.map(|v| v + 8)));
        surface.vertices.extend(other.vertices.iter().map(|x| *x + 0.2 * DVec3::X));
        let filling = fill(&surface, &Lattice::new(0.1 * DVec3::X, [6, 4, 4], [0.1; 3])).unwrap();
        assert!((total(&filling.cells) - 0.6 * 0.16).abs() < 1e-12);
        assert!((filling.excess - 0.2 * 0.16).abs() < 1e-9);
    }
}
