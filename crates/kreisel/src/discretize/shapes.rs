//! Closed surfaces to test with: boxes and balls.

use crate::model::Surface;
use glamx::{DQuat, DVec3};
use std::f64::consts::PI;

/// A box of the given sides, turned about its centre, the origin.
pub(super) fn turned_box(size: DVec3, turn: DQuat) -> Surface {
    let side = |c: usize, axis: usize| if c >> axis & 1 == 1 { 0.5 } else { -0.5 };
    let corner = |c: usize| turn * (size * DVec3::new(side(c, 0), side(c, 1), side(c, 2)));
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Surface { vertices: (0..8).map(corner).collect(), triangles, ..Surface::default() }
}

/// A ball about the origin, of `n` rings and `2n` meridians.
pub(super) fn ball(radius: f64, n: u32) -> Surface {
    let m = 2 * n;
    let mut vertices = vec![radius * DVec3::Z];
    for i in 1..n {
        let (sin, cos) = (PI * f64::from(i) / f64::from(n)).sin_cos();
        let on_ring = |j: u32| {
            let (y, x) = (2.0 * PI * f64::from(j) / f64::from(m)).sin_cos();
            radius * DVec3::new(sin * x, sin * y, cos)
        };
        vertices.extend((0..m).map(on_ring));
    }
    vertices.push(-radius * DVec3::Z);
    let last = vertices.len() as u32 - 1;
    let at = |i: u32, j: u32| {
        if i == 0 {
            0
        } else if i == n {
            last
        } else {
            1 + (i - 1) * m + j % m
        }
    };
    let mut triangles = Vec::new();
    for (i, j) in (0..n).flat_map(|i| (0..m).map(move |j| (i, j))) {
        let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
        if i + 1 < n {
            triangles.push([a, b, c]);
        }
        if i > 0 {
            triangles.push([a, c, d]);
        }
    }
    Surface { vertices, triangles, ..Surface::default() }
}
