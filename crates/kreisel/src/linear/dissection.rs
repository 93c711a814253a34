//! The order in which a sparse matrix is eliminated: nested dissection by position [Geo73].

use crate::linear::clusters::sort_along_extent;
use glamx::DVec3;

/// Sets of so few nodes are not cut any more.
const SMALL: usize = 6;

/// An order of the nodes of a graph that keeps its Cholesky factor sparse: both halves first, then the nodes between them.
///
/// The halves lie on both sides of the median of the longest extent; between them are the nodes of the lower half that
/// touch the upper one.
pub(crate) fn nested_dissection(places: &[DVec3], neighbours: &[Vec<u32>]) -> Vec<u32> {
    let mut nodes: Vec<u32> = (0..places.len() as u32).collect();
    let mut order = Vec::with_capacity(nodes.len());
    let mut side = vec![0; nodes.len()];
    dissect(&mut nodes, places, neighbours, &mut side, &mut 0, &mut order);
    order
}

fn dissect(
    nodes: &mut [u32],
    places: &[DVec3],
    neighbours: &[Vec<u32>],
    side: &mut [u32],
    marks: &mut u32,
    order: &mut Vec<u32>,
) {
    if nodes.len() <= SMALL {
        return order.extend_from_slice(nodes);
    }
    sort_along_extent(nodes, &|i| places[i as usize]);
    let (low, high) = nodes.split_at_mut(nodes.len() / 2);
    *marks += 1;
    high.iter().for_each(|&i| side[i as usize] = *marks);
    let touches = |i: &u32| neighbours[*i as usize].iter().any(|j| side[*j as usize] == *marks);
    let (mut between, mut apart): (Vec<u32>, Vec<u32>) = low.iter().partition(|i| touches(i));
    dissect(&mut apart, places, neighbours, side, marks, order);
    dissect(high, places, neighbours, side, marks, order);
    between.sort_unstable();
    order.append(&mut between);
}
