//! Points carried by the elements of a body: how fields go from one lattice to another.

use crate::discretize::places::Places;
use crate::linear::{Vectors, chunks};
use crate::model::affine::affine_weights;
use crate::model::{Bindings, Neighbours};

/// Weights by which points ride on the elements of a body at rest at `x` [m], joined by `ends`, with cells as wide as
/// `cell` [m]; exact for affine fields. There must be elements.
pub fn carry(points: &Vectors, x: &Vectors, ends: &[[u32; 2]], cell: f64) -> Bindings {
    let (neighbours, places) = (Neighbours::new(x.len(), ends, &[]), Places::new(x, cell));
    let some = |range: std::ops::Range<usize>| {
        let mut bindings = Bindings::default();
        for p in range {
            let point = points.get(p);
            bindings.push(affine_weights(point, places.nearest(point), x, &neighbours, cell));
        }
        bindings
    };
    let mut bindings = Bindings::default();
    chunks::map_ranges(points.len(), some).iter().for_each(|part| bindings.append(part, 0));
    bindings
}
