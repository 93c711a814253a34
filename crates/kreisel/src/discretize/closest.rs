//! The nearest point of a surface, and the first hit of a ray: a tree of boxes around its triangles.

use crate::model::Surface;
use glamx::DVec3;

/// Triangles in a leaf at most.
const LEAF: usize = 4;
/// Deeper than any tree of halves over triangles that can be numbered.
const DEEPEST: usize = 64;

/// A box around triangles; a leaf if `count > 0`.
#[derive(Clone, Copy, Debug)]
struct Node {
    low: DVec3,
    high: DVec3,
    /// A leaf's first triangle in `order`, or the second child (the first follows its parent).
    first: u32,
    count: u32,
}

/// A tree over the triangles of a surface.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    surface: &'a Surface,
    nodes: Vec<Node>,
    order: Vec<u32>,
}

/// The part of a triangle on which a point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feature {
    /// Its inside.
    Face,
    /// The edge from this corner to the next.
    Edge(usize),
    /// This corner.
    Corner(usize),
}

/// The nearest point of a surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    /// The point [m].
    pub point: DVec3,
    /// The triangle it lies on.
    pub triangle: u32,
    /// Where on the triangle.
    pub feature: Feature,
    /// Its distance [m].
    pub distance: f64,
}

impl<'a> Tree<'a> {
    /// Sorts the triangles of a surface into boxes, halving each across its longest side.
    pub fn new(surface: &'a Surface) -> Self {
        let mut order: Vec<u32> = (0..surface.triangles.len() as u32).collect();
        let middle = |t: usize| surface.corners(t).into_iter().sum::<DVec3>();
        let middles: Vec<DVec3> = (0..order.len()).map(middle).collect();
        let mut tree = Self { surface, nodes: Vec::new(), order: Vec::new() };
        tree.split(&mut order, 0, &middles);
        tree.order = order;
        tree
    }

    fn split(&mut self, part: &mut [u32], first: usize, middles: &[DVec3]) {
        let number = self.nodes.len();
        let around = |(low, high): (DVec3, DVec3), x: DVec3| (low.min(x), high.max(x));
        let none = (DVec3::splat(f64::INFINITY), DVec3::splat(f64::NEG_INFINITY));
        let (low, high) = part.iter().flat_map(|&t| self.surface.corners(t as usize)).fold(none, around);
        self.nodes.push(Node { low, high, first: first as u32, count: part.len() as u32 });
        if part.len() <= LEAF {
            return;
        }
        let (from, to) = part.iter().map(|&t| middles[t as usize]).fold(none, around);
        let (axis, half) = ((to - from).max_position(), part.len() / 2);
        let along = |t: &u32| middles[*t as usize][axis];
        // Equal places are told apart by their numbers: the tree depends on the surface only.
        part.select_nth_unstable_by(half, |a, b| along(a).total_cmp(&along(b)).then(a.cmp(b)));
        let (lower, upper) = part.split_at_mut(half);
        self.split(lower, first, middles);
        let second = self.nodes.len() as u32;
        self.nodes[number].first = second;
        self.nodes[number].count = 0;
        self.split(upper, first + half, middles);
    }

    /// The nearest point; `None` if the surface is empty.
    pub fn nearest(&self, x: DVec3) -> Option<Nearest> {
        let mut best: Option<Nearest> = None;
        let (mut stack, mut depth) = ([(0u32, 0.0); DEEPEST], 1);
        while depth > 0 {
            depth -= 1;
            let (number, bound) = stack[depth];
            if best.is_some_and(|b| bound >= b.distance * b.distance) {
                continue;
            }
            let Some(node) = self.nodes.get(number as usize) else { continue };
            for k in node.first..node.first + node.count {
                let triangle = self.order[k as usize];
                let (point, feature) = nearest_on_triangle(x, self.surface.corners(triangle as usize));
                let distance = point.distance(x);
                if best.is_none_or(|b| (distance, triangle) < (b.distance, b.triangle)) {
                    best = Some(Nearest { point, triangle, feature, distance });
                }
            }
            if node.count == 0 {
                let children = [number + 1, node.first].map(|c| (c, self.distance_squared(c, x)));
                let (near, far) = if children[0].1 <= children[1].1 {
                    (children[0], children[1])
                } else {
                    (children[1], children[0])
                };
                (stack[depth], stack[depth + 1]) = (far, near);
                depth += 2;
            }
        }
        best
    }

    fn distance_squared(&self, node: u32, x: DVec3) -> f64 {
        self.nodes.get(node as usize).map_or(f64::INFINITY, |n| x.distance_squared(x.clamp(n.low, n.high)))
    }

    /// Distance along a ray to the first triangle that it leaves the solid through; infinite if there is none.
    pub fn way_out(&self, from: DVec3, way: DVec3) -> f64 {
        let (mut best, mut stack) = (f64::INFINITY, vec![0u32]);
        while let Some(node) = stack.pop().and_then(|number| Some((number, self.nodes.get(number as usize)?))) {
            let (number, node) = node;
            if !meets(node, from, way, best) {
                continue;
            }
            for k in node.first..node.first + node.count {
                let corners = self.surface.corners(self.order[k as usize] as usize);
                best = best.min(exit(from, way, corners).unwrap_or(f64::INFINITY));
            }
            if node.count == 0 {
                stack.extend([node.first, number + 1]);
            }
        }
        best
    }
}

/// True if a ray meets a box nearer than `limit`.
fn meets(node: &Node, from: DVec3, way: DVec3, limit: f64) -> bool {
    let inverse = way.recip();
    let (a, b) = ((node.low - from) * inverse, (node.high - from) * inverse);
    // Rays inside a plane of the box give 0 · ∞: such bounds do not count.
    let defined = |v: f64, other: f64| if v.is_nan() { other } else { v };
    let (near, far) = (a.min(b), a.max(b));
    let enter = (0..3).map(|k| defined(near[k], 0.0)).fold(0.0, f64::max);
    let leave = (0..3).map(|k| defined(far[k], f64::INFINITY)).fold(limit, f64::min);
    enter <= leave
}

/// Distance at which a ray goes through a triangle from behind.
fn exit(from: DVec3, way: DVec3, [a, b, c]: [DVec3; 3]) -> Option<f64> {
    let (e1, e2) = (b - a, c - a);
    let normal = e1.cross(e2);
    let facing = normal.dot(way);
    if facing <= 0.0 {
        return None;
    }
    let s = from - a;
    let q = way.cross(s);
    let (u, v) = (e2.dot(q) / facing, -e1.dot(q) / facing);
    let t = -normal.dot(s) / facing;
    (t > 0.0 && u >= -1e-9 && v >= -1e-9 && u + v <= 1.0 + 1e-9).then_some(t)
}

/// The nearest point of a triangle: on the edges beyond which `x` lies, or inside. Of triangles without area only the
/// edges count.
fn nearest_on_triangle(x: DVec3, corners: [DVec3; 3]) -> (DVec3, Feature) {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a);
    let mut best = (a, Feature::Corner(0), f64::INFINITY);
    let flat = normal.length_squared() < f64::MIN_POSITIVE;
    let mut outside = flat;
    for k in 0..3 {
        let (p, q) = (corners[k], corners[(k + 1) % 3]);
        let edge = q - p;
        if normal.cross(edge).dot(x - p) >= 0.0 && !flat {
            continue;
        }
        outside = true;
        let t = (x - p).dot(edge) / edge.length_squared();
        let (point, feature) = if t.is_nan() || t <= 0.0 {
            (p, Feature::Corner(k))
        } else if t >= 1.0 {
            (q, Feature::Corner((k + 1) % 3))
        } else {
            (p + edge * t, Feature::Edge(k))
        };
        let distance = point.distance_squared(x);
        if distance < best.2 {
            best = (point, feature, distance);
        }
    }
    if outside {
        return (best.0, best.1);
    }
    (x - normal * (normal.dot(x - a) / normal.length_squared()), Feature::Face)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discretize::shapes::{ball, turned_box};
    use glamx::DQuat;

    /// Points of a fixed pseudo-random sequence in a cube of side 2.
    fn points(n: u32) -> impl Iterator<Item = DVec3> {
        let fraction = |k: u32, step: f64| 2.0 * (f64::from(k) * step).fract() - 1.0;
        (1..=n).map(move |k| DVec3::new(fraction(k, 0.8191725), fraction(k, 0.6710436), fraction(k, 0.5497005)))
    }

    #[test]
    fn the_tree_finds_what_a_search_over_all_triangles_finds() {
        let surface = ball(0.7, 12);
        let tree = Tree::new(&surface);
        for x in points(300) {
            let all = (0..surface.triangles.len()).map(|t| nearest_on_triangle(x, surface.corners(t)).0.distance(x));
            let found = tree.nearest(x).unwrap();
            assert_eq!(found.distance, all.fold(f64::INFINITY, f64::min));
        }
    }

    #[test]
    fn faces_edges_and_corners_of_a_box_are_told_apart() {
        let surface = turned_box(DVec3::splat(2.0), DQuat::IDENTITY);
        let tree = Tree::new(&surface);
        for x in points(300).map(|x| 3.0 * x) {
            let expected = x.clamp(DVec3::NEG_ONE, DVec3::ONE);
            let found = tree.nearest(x).unwrap();
            if expected != x {
                assert!(found.point.distance(expected) < 1e-12);
                let outside = (0..3).filter(|&k| x[k].abs() > 1.0).count();
                assert_eq!(outside == 3, matches!(found.feature, Feature::Corner(_)));
                assert!(outside != 2 || matches!(found.feature, Feature::Edge(_)));
            }
        }
    }

    #[test]
    fn rays_leave_a_box_on_the_other_side() {
        let surface = turned_box(DVec3::new(2.0, 1.0, 3.0), DQuat::IDENTITY);
        let tree = Tree::new(&surface);
        assert!((tree.way_out(DVec3::new(1.0, 0.1, 0.2), -DVec3::X) - 2.0).abs() < 1e-12);
        assert!((tree.way_out(DVec3::ZERO, DVec3::Z) - 1.5).abs() < 1e-12);
        assert_eq!(tree.way_out(DVec3::new(5.0, 0.0, 0.0), DVec3::X), f64::INFINITY);
    }
}
