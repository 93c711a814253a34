//! Cells that hold too little give it to a neighbour; parts that would fall off are joined again, or told about.
//!
//! Cells that touch only along an edge or at a corner would be a hinge, so only those that share a face count as joined.

use crate::discretize::lattice::{Cells, FACES};
use crate::model::topology;
use glamx::DVec3;
use std::collections::VecDeque;

/// Cells filled less than this give their matter to the fullest of those beside them.
const LIGHT: f64 = 0.1;
/// Pieces smaller than this share of the solid are crumbs: they are left out, with a word.
const CRUMB: f64 = 1e-3;

/// The cells that remain, and what happened on the way.
#[derive(Clone, Debug)]
pub(super) struct Joined {
    /// The cells with all matter that they hold.
    pub cells: Cells,
    /// Pieces that share no face, the largest first: volume [cells] and a place in each [m].
    pub pieces: Vec<(f64, DVec3)>,
    /// Matter that no cell took [cells], and a place where most of it was [m].
    pub lost: f64,
    /// Where matter was lost [m]; `None` if none was.
    pub lost_at: Option<DVec3>,
    /// Cells kept only because they join pieces, and one of their places [m].
    pub bridges: (usize, Option<DVec3>),
}

/// Numbers of the cells that share a face with each cell.
fn neighbours(cells: &Cells) -> Vec<[Option<u32>; 6]> {
    cells.places().map(|p| FACES.map(|way| cells.neighbour(p, way))).collect()
}

/// Gives light matter to neighbours, joins pieces through light cells, and leaves crumbs out.
pub(super) fn join(filled: &Cells, outer_shells: usize) -> Joined {
    let beside = neighbours(filled);
    let mut kept: Vec<bool> = filled.weight.iter().map(|&w| w >= LIGHT).collect();
    let bridges = bridge(&beside, &mut kept, outer_shells);
    let middles: Vec<DVec3> = filled.places().map(|p| filled.lattice.middle(p)).collect();
    let (mut pieces, piece_of) = pieces(&beside, &kept, filled, &middles);
    let total: f64 = filled.weight.iter().sum();
    let crumbs: Vec<bool> = pieces.iter().enumerate().map(|(k, p)| k >= outer_shells && p.0 < CRUMB * total).collect();
    for (c, keep) in kept.iter_mut().enumerate() {
        *keep &= !piece_of[c].is_some_and(|k| crumbs[k]);
    }
    let (weight, lost, lost_at) = hand_over(filled, &beside, &kept, &middles);
    let mut crumb = crumbs.iter();
    pieces.retain(|_| crumb.next() == Some(&false));
    let cells = filled.keep(|c| kept[c].then_some(weight[c]));
    Joined { cells, pieces, lost, lost_at, bridges: (bridges.len(), bridges.first().map(|&c| middles[c as usize])) }
}

/// Weights after light cells have given theirs; the total that nobody took, and where the most of it was.
fn hand_over(
    filled: &Cells,
    beside: &[[Option<u32>; 6]],
    kept: &[bool],
    middles: &[DVec3],
) -> (Vec<f64>, f64, Option<DVec3>) {
    let mut weight: Vec<f64> = filled.weight.iter().map(|w| w.max(0.0)).collect();
    let (mut lost, mut most) = (0.0, (0.0, None));
    for c in (0..filled.len()).filter(|&c| !kept[c]) {
        let fuller = |best: Option<u32>, n: u32| match best {
            Some(b) if filled.weight[b as usize] >= filled.weight[n as usize] => Some(b),
            _ => Some(n),
        };
        let taker = beside[c].iter().flatten().copied().filter(|&n| kept[n as usize]).fold(None, fuller);
        match taker {
            Some(n) => weight[n as usize] += filled.weight[c],
            None => {
                lost += filled.weight[c];
                if filled.weight[c] > most.0 {
                    most = (filled.weight[c], Some(middles[c]));
                }
            }
        }
    }
    // What is kept holds at least the least that a cell may hold.
    weight.iter_mut().for_each(|w| *w = w.max(LIGHT));
    (weight, lost, most.1)
}

/// Labels of the pieces that kept cells form by sharing faces, `None` for cells that are not kept.
fn label(beside: &[[Option<u32>; 6]], kept: &[bool]) -> (Vec<u32>, u32) {
    let mut pairs = Vec::new();
    for (c, ways) in beside.iter().enumerate().filter(|(c, _)| kept[*c]) {
        let upper = ways.iter().flatten().filter(|&&n| n as usize > c && kept[n as usize]);
        pairs.extend(upper.map(|&n| [c as u32, n]));
    }
    topology::components(beside.len(), &pairs, &[])
}

/// The pieces, the largest first, and the piece of every kept cell.
fn pieces(
    beside: &[[Option<u32>; 6]],
    kept: &[bool],
    filled: &Cells,
    middles: &[DVec3],
) -> (Vec<(f64, DVec3)>, Vec<Option<usize>>) {
    let (labels, count) = label(beside, kept);
    let mut volume = vec![(0.0, 0); count as usize];
    for c in (0..kept.len()).filter(|&c| kept[c]) {
        let piece = &mut volume[labels[c] as usize];
        if piece.0 == 0.0 {
            piece.1 = c;
        }
        piece.0 += filled.weight[c];
    }
    let mut order: Vec<usize> = (0..volume.len()).filter(|&k| volume[k].0 > 0.0).collect();
    order.sort_by(|&a, &b| volume[b].0.total_cmp(&volume[a].0));
    let mut rank = vec![None; volume.len()];
    order.iter().enumerate().for_each(|(place, &k)| rank[k] = Some(place));
    let of_cell = labels.iter().zip(kept).map(|(&l, &keep)| if keep { rank[l as usize] } else { None }).collect();
    (order.into_iter().map(|k| (volume[k].0, middles[volume[k].1])).collect(), of_cell)
}

/// Keeps light cells where they join pieces, along the shortest ways; returns them.
fn bridge(beside: &[[Option<u32>; 6]], kept: &mut [bool], outer_shells: usize) -> Vec<u32> {
    let mut bridges = Vec::new();
    // Every round joins at least one piece to another; those that reach nothing stay for the report.
    let mut hopeless = 0;
    loop {
        let (labels, count) = label(beside, kept);
        let mut sizes = vec![0usize; count as usize];
        (0..kept.len()).filter(|&c| kept[c]).for_each(|c| sizes[labels[c] as usize] += 1);
        let mut smallest: Vec<usize> = (0..sizes.len()).filter(|&k| sizes[k] > 0).collect();
        if smallest.len() <= outer_shells.max(1) || hopeless >= smallest.len() {
            return bridges;
        }
        smallest.sort_by_key(|&k| sizes[k]);
        match way_to_another(beside, kept, &labels, smallest[hopeless] as u32) {
            Some(way) => {
                way.iter().for_each(|&c| kept[c as usize] = true);
                bridges.extend(way);
                hopeless = 0;
            }
            None => hopeless += 1,
        }
    }
}

/// The shortest way from a piece through cells that are not kept to another piece: the cells in between.
fn way_to_another(beside: &[[Option<u32>; 6]], kept: &[bool], labels: &[u32], piece: u32) -> Option<Vec<u32>> {
    const UNSEEN: u32 = u32::MAX;
    let mut from = vec![UNSEEN; kept.len()];
    let mut queue: VecDeque<u32> =
        (0..kept.len()).filter(|&c| kept[c] && labels[c] == piece).map(|c| c as u32).collect();
    queue.iter().for_each(|&c| from[c as usize] = c);
    while let Some(c) = queue.pop_front() {
        for &n in beside[c as usize].iter().flatten() {
            if from[n as usize] != UNSEEN {
                continue;
            }
            if kept[n as usize] {
                let mut way = Vec::new();
                let mut at = c;
                while from[at as usize] != at {
                    way.push(at);
                    at = from[at as usize];
                }
                return Some(way);
            }
            from[n as usize] = c;
            queue.push_back(n);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discretize::lattice::Lattice;

    /// One layer of cells, filled as a picture says: `#` full, `9` nine tenths …, `.` a twentieth, blank nothing.
    fn layer(picture: &[&str]) -> Cells {
        let width = picture[0].len() as u32;
        let lattice = Lattice::new(DVec3::ZERO, [width, picture.len() as u32, 1], [1.0; 3]);
        let mut list = Vec::new();
        for (y, line) in picture.iter().enumerate() {
            for (x, mark) in line.chars().enumerate().filter(|(_, mark)| *mark != ' ') {
                let w = match mark {
                    '#' => 1.0,
                    '.' => 0.05,
                    digit => f64::from(digit.to_digit(10).unwrap()) / 10.0,
                };
                let p = [x as u32, y as u32, 0];
                list.push((lattice.cell_row(p), p[lattice.order[0]], w));
            }
        }
        list.sort_by_key(|c| (c.0, c.1));
        Cells::new(lattice, &list)
    }

    #[test]
    fn light_cells_give_their_matter_to_the_fullest_beside_them() {
        let joined = join(&layer(&["####", "8.3 ", "    "]), 1);
        assert_eq!(joined.cells.len(), 6);
        let total: f64 = joined.cells.weight.iter().sum();
        assert!((total - 5.15).abs() < 1e-12 && joined.cells.weight.iter().any(|w| (w - 1.05).abs() < 1e-12));
        assert_eq!((joined.lost, joined.pieces.len()), (0.0, 1));
    }

    #[test]
    fn a_part_that_hangs_on_a_thread_stays_on_it() {
        let joined = join(&layer(&["###..###", "        "]), 1);
        assert_eq!((joined.cells.len(), joined.pieces.len(), joined.bridges.0), (8, 1, 2));
        assert!(joined.cells.weight.iter().all(|w| *w >= LIGHT));
    }

    #[test]
    fn hinges_are_mended_if_there_is_matter_and_told_about_if_not() {
        let mended = join(&layer(&["###   ", "  .###", "      "]), 1);
        assert_eq!((mended.pieces.len(), mended.bridges.0), (1, 1));
        let hinge = join(&layer(&["###   ", "   ###", "      "]), 1);
        assert_eq!((hinge.pieces.len(), hinge.bridges.0), (2, 0));
        assert_eq!(join(&layer(&["###   ", "   ###", "      "]), 2).pieces.len(), 2);
    }

    #[test]
    fn what_is_too_thin_everywhere_is_lost_and_its_place_is_known() {
        let joined = join(&layer(&["###...", "      "]), 1);
        assert!((joined.lost - 0.1).abs() < 1e-12);
        assert!(joined.lost_at.unwrap().x > 1.0);
    }
}
