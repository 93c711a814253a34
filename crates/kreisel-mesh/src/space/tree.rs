//! A balanced tree of boxes around triangles that are sorted along a Morton curve.

use kreisel::DVec3;

/// Triangles per leaf.
pub const LEAF: usize = 4;

/// An axis-parallel box.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Smallest coordinates.
    pub low: DVec3,
    /// Largest coordinates.
    pub high: DVec3,
}

impl Extent {
    /// Nothing.
    pub const EMPTY: Self = Self { low: DVec3::splat(f64::INFINITY), high: DVec3::splat(f64::NEG_INFINITY) };

    /// Around points.
    pub fn around(points: [DVec3; 3]) -> Self {
        let [a, b, c] = points;
        Self { low: a.min(b).min(c), high: a.max(b).max(c) }
    }

    /// Around both.
    pub fn union(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Whether both have a point in common.
    pub fn meets(&self, other: &Self) -> bool {
        let (a, b) = (self, other);
        a.low.x <= b.high.x
            && b.low.x <= a.high.x
            && a.low.y <= b.high.y
            && b.low.y <= a.high.y
            && a.low.z <= b.high.z
            && b.low.z <= a.high.z
    }
}

/// The tree: node 1 is the root, node `i` has the children `2 i` and `2 i + 1`.
pub struct Tree {
    /// Boxes of the nodes.
    pub boxes: Vec<Extent>,
    /// Triangles in the order of the leaves, `LEAF` in each.
    pub order: Vec<u32>,
    /// Corners in that order.
    pub corners: Vec<[DVec3; 3]>,
    /// The first leaf's node, a power of two.
    pub first_leaf: usize,
}

impl Tree {
    /// A tree over `n` triangles.
    pub fn new(n: usize, corners: impl Fn(usize) -> [DVec3; 3]) -> Self {
        let whole = (0..n).fold(Extent::EMPTY, |e, t| e.union(Extent::around(corners(t))));
        let mut keys: Vec<(u64, u32)> =
            (0..n).map(|t| (morton(&whole, &Extent::around(corners(t))), t as u32)).collect();
        keys.sort_unstable();
        let order: Vec<u32> = keys.into_iter().map(|k| k.1).collect();
        let corners: Vec<[DVec3; 3]> = order.iter().map(|&t| corners(t as usize)).collect();
        let first_leaf = n.div_ceil(LEAF).max(1).next_power_of_two();
        let mut boxes = vec![Extent::EMPTY; 2 * first_leaf];
        for (k, leaf) in corners.chunks(LEAF).enumerate() {
            boxes[first_leaf + k] = leaf.iter().fold(Extent::EMPTY, |e, c| e.union(Extent::around(*c)));
        }
        (1..first_leaf).rev().for_each(|k| boxes[k] = boxes[2 * k].union(boxes[2 * k + 1]));
        Self { boxes, order, corners, first_leaf }
    }

    /// Where the triangles of a leaf are in `order` and `corners`.
    pub fn leaf(&self, node: usize) -> std::ops::Range<usize> {
        let begin = ((node - self.first_leaf) * LEAF).min(self.order.len());
        begin..(begin + LEAF).min(self.order.len())
    }
}

/// The place of a box's middle along the Morton curve, 21 bits per axis.
fn morton(whole: &Extent, one: &Extent) -> u64 {
    let size = (whole.high - whole.low).max(DVec3::splat(f64::MIN_POSITIVE));
    let relative = (0.5 * (one.low + one.high) - whole.low) / size * f64::from((1u32 << 21) - 1);
    relative.to_array().into_iter().enumerate().fold(0, |key, (axis, x)| key | spread(x as u64) << axis)
}

/// Two free bits between any two of 21.
fn spread(x: u64) -> u64 {
    let x = x & 0x1f_ffff;
    let x = (x | x << 32) & 0x001f_0000_0000_ffff;
    let x = (x | x << 16) & 0x001f_0000_ff00_00ff;
    let x = (x | x << 8) & 0x100f_00f0_0f00_f00f;
    let x = (x | x << 4) & 0x10c3_0c30_c30c_30c3;
    (x | x << 2) & 0x1249_2492_4924_9249
}
