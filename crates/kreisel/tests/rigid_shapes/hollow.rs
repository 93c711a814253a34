//! Meshes that are not convex: whatever is in them is told, and by a way out that is not far longer than it is deep.

use crate::angle::angle;
use crate::convex::touches;
use crate::random::Random;
use crate::smooth::solids;
use kreisel::DVec3;
use kreisel::collide::shapes::{Pose, bounds, nearest};
use kreisel::model::Shape;
use kreisel::model::shape::surface;

/// Points all over a surface, so many along the sides of a large triangle.
fn points(shape: &Shape, most: u32) -> Vec<DVec3> {
    let (v, triangles) = surface(shape, 24);
    let cuts = if v.len() < 40 { most } else { most / 6 };
    let part = |k: u32| f64::from(k) / f64::from(cuts);
    let on = |[a, b, c]: [DVec3; 3]| {
        let rows = (0..=cuts).flat_map(move |i| (0..=cuts - i).map(move |j| (part(i), part(j))));
        rows.map(move |(s, u)| a + (b - a) * s + (c - a) * u)
    };
    triangles.iter().flat_map(|t| on(t.map(|k| v[k as usize]))).collect()
}

/// How deep the deepest of some points on a shape is inside of another [m]; negative if none is.
fn depth(points: &[DVec3], at: &Pose, other: &Shape, of_other: &Pose) -> f64 {
    let (low, high) = bounds(other, &Pose::IDENTITY);
    let inside = |x: &DVec3| {
        let world = at.position + at.rotation * *x;
        let local = of_other.rotation.inverse() * (world - of_other.position);
        // What is outside of the box is no nearer than that.
        let outside = local.distance(local.clamp(low, high));
        if outside > 0.0 {
            return -outside;
        }
        nearest(other, local, f64::INFINITY).map_or(f64::NEG_INFINITY, |near| -near.distance)
    };
    points.iter().map(inside).fold(f64::NEG_INFINITY, f64::max)
}

fn width(shape: &Shape) -> f64 {
    let (low, high) = bounds(shape, &Pose::IDENTITY);
    (high - low).min_element()
}

/// Pairs of a shape and an angle profile that are in each other by between a hundredth and a tenth of the thinner one: the two, their poses, and how
/// deep their points are in each other [m].
fn overlapping(random: &mut Random, shape: &Shape, count: usize) -> Vec<(Shape, Pose, Pose, f64)> {
    let mut pairs = Vec::new();
    while pairs.len() < count {
        let mesh = angle(random.between(0.3, 1.0) * width(shape));
        let (on_shape, on_mesh) = (points(shape, 12), points(&mesh, 12));
        let of_mesh = random.pose(0.3);
        let (direction, rotation) = (random.direction(), random.rotation());
        let at = |d: f64| Pose { position: of_mesh.position + direction * d, rotation };
        let deep = |d: f64| depth(&on_shape, &at(d), &mesh, &of_mesh).max(depth(&on_mesh, &of_mesh, shape, &at(d)));
        let thin = width(shape).min(width(&mesh));
        let wanted = random.between(0.01, 0.1) * thin;
        // From outside: a signed distance changes by no more than the way, so that this does not step over the first overlap.
        let mut d = 4.0 * (width(shape) + width(&mesh));
        for _ in 0..60 {
            d -= (wanted - deep(d)).max(0.0);
        }
        let (found, place) = (deep(d), at(d));
        if (found - wanted).abs() < 0.01 * thin {
            pairs.push((mesh, place, of_mesh, found));
        }
    }
    pairs
}

#[test]
fn whatever_is_in_a_mesh_that_is_not_convex_is_told_and_not_far_deeper_than_it_is() {
    let mut random = Random(17);
    for shape in solids().into_iter().chain([angle(0.3)]) {
        for (mesh, at, of_mesh, deep) in overlapping(&mut random, &shape, 60) {
            let told = touches(&shape, &at, &mesh, &of_mesh, 0.0).iter().map(|t| -t.gap).fold(0.0, f64::max);
            let fine = [(&shape, &at, &mesh, &of_mesh), (&mesh, &of_mesh, &shape, &at)];
            let deep = fine.map(|(a, at, b, of_b)| depth(&points(a, 90), at, b, of_b)).into_iter().fold(deep, f64::max);
            // Whatever leads all points out is as long as the deepest of them is deep; up to three ways across each other share that.
            assert!(told > deep / 2.0, "{told} m for {deep} m: {shape:?} {at:?} in {mesh:?} {of_mesh:?}");
            // Edges that cross are deeper in each other than any of their points, by what a wedge is steep.
            let most = 3.0 * deep + 0.02 * width(&mesh).min(width(&shape));
            assert!(told < most, "{told} m for {deep} m: {shape:?} {at:?} in {mesh:?} {of_mesh:?}");
        }
    }
}
