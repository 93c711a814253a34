//! Edges of one mesh that run through another, whether corners are inside or not: the deepest place of each.
//!
//! A signed distance changes by no more than the way: where the middle of a stretch is farther from the inside than half its length, none of it is
//! inside. What is left is halved. [Har96]

use super::edges::sharp;
use super::pair::Placed;
use crate::collide::shapes::Touch;
use crate::collide::shapes::nearest::nearest_of_mesh;
use glamx::DVec3;

/// Depths are known up to this share of the smaller mesh; what is less deep is not looked for [1].
const COARSE: f64 = 1e-3;

/// Appends the deepest place of every sharp edge of A that is inside of B.
pub(super) fn through(a: &Placed, b: &Placed, out: &mut Vec<Touch>) {
    if b.mesh.open_edges() > 0 {
        return;
    }
    let coarse = COARSE * a.size().min(b.size());
    let (low, high) = super::edges::box_of_b_for_a(a, b);
    a.mesh.in_box(low, high, &mut |t| {
        for edge in (0..3).filter_map(|k| sharp(a.mesh, t, k)) {
            let [start, end] = [edge.start, edge.start + edge.along].map(|x| b.frame.to_local(a.frame.to_world(x)));
            out.extend(deepest(b, (start, end), coarse).map(|x| touch(b, x, edge.name)).filter(|t| t.gap < 0.0));
        }
    });
}

/// The deepest place of a stretch inside of a mesh, both in the frame of the mesh.
fn deepest(b: &Placed, whole: (DVec3, DVec3), coarse: f64) -> Option<DVec3> {
    let (mut best, mut place) = (-coarse, None);
    let mut left = vec![whole];
    while let Some((start, end)) = left.pop() {
        let (middle, half) = (0.5 * (start + end), 0.5 * start.distance(end));
        let near = nearest_of_mesh(middle, b.mesh, f64::INFINITY)?;
        if near.distance < best {
            (best, place) = (near.distance, Some(middle));
        }
        if near.distance - half < best - coarse && half > 0.25 * coarse {
            left.extend([(start, middle), (middle, end)]);
        }
    }
    place
}

/// The shortest way out for a place inside of a mesh.
fn touch(b: &Placed, x: DVec3, name: u64) -> Touch {
    let near = nearest_of_mesh(x, b.mesh, f64::INFINITY);
    let (gap, n) = near.map_or((0.0, DVec3::Z), |near| (near.distance, near.normal));
    let (point_a, normal) = (b.frame.to_world(x), b.frame.r * n);
    Touch { point_a, point_b: point_a - normal * gap, normal, gap, feature: 1 << 61 | name }
}
