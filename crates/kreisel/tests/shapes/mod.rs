//! Closed surfaces to test with: solids of revolution, prisms, boxes, shells with cavities.
#![allow(dead_code)]

use kreisel::model::Surface;
use kreisel::{DQuat, DVec3};
use std::f64::consts::PI;

/// A profile `(r, z)` turned about z; it begins and ends on the axis, or is closed if its ends agree.
pub fn revolved(profile: &[(f64, f64)], segments: u32) -> Surface {
    let closed = profile.first() == profile.last();
    let count = profile.len() - usize::from(closed);
    let mut surface = Surface::default();
    let mut rings = Vec::new();
    for &(r, z) in &profile[..count] {
        let first = surface.vertices.len() as u32;
        let on_ring = |j: u32| {
            let (sin, cos) = (2.0 * PI * f64::from(j) / f64::from(segments)).sin_cos();
            DVec3::new(r * cos, r * sin, z)
        };
        surface.vertices.extend((0..if r == 0.0 { 1 } else { segments }).map(on_ring));
        rings.push((first, r == 0.0));
    }
    let at = |(first, point): (u32, bool), j: u32| if point { first } else { first + j % segments };
    for k in 0..count - usize::from(!closed) {
        let (a, b) = (rings[k], rings[(k + 1) % count]);
        for j in 0..segments {
            let quad = [at(a, j), at(a, j + 1), at(b, j + 1), at(b, j)];
            surface.triangles.extend([[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]]);
        }
    }
    surface.triangles.retain(|t| t[0] != t[1] && t[1] != t[2] && t[2] != t[0]);
    outward(surface)
}

fn outward(mut surface: Surface) -> Surface {
    if surface.volume() < 0.0 {
        surface.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    }
    surface
}

/// A cylinder about z, from `z = 0`.
pub fn cylinder(radius: f64, height: f64, segments: u32) -> Surface {
    revolved(&[(0.0, 0.0), (radius, 0.0), (radius, height), (0.0, height)], segments)
}

/// A cone about z with its tip above.
pub fn cone(radius: f64, height: f64, segments: u32) -> Surface {
    revolved(&[(0.0, 0.0), (radius, 0.0), (0.0, height)], segments)
}

/// A bellied vase with a thick wall and a foot.
pub fn vase(segments: u32) -> Surface {
    let outer = |t: f64| 0.3 + 0.12 * (2.0 * PI * t).sin() - 0.05 * t;
    let steps = 32;
    let height = |k: u32| f64::from(k) / f64::from(steps);
    let mut profile = vec![(0.0, 0.0)];
    profile.extend((0..=steps).map(|k| (outer(height(k)), height(k))));
    profile.extend((3..=steps).rev().map(|k| (outer(height(k)) - 0.09, height(k))));
    profile.push((0.0, 0.09));
    revolved(&profile, segments)
}

/// A torus about z.
pub fn torus(ring: f64, tube: f64, segments: u32) -> Surface {
    let point = |k: u32| {
        let (sin, cos) = (2.0 * PI * f64::from(k % segments) / f64::from(segments)).sin_cos();
        (ring + tube * cos, tube * sin)
    };
    revolved(&(0..=segments).map(point).collect::<Vec<_>>(), 2 * segments)
}

/// A ball about the origin.
pub fn ball(radius: f64, segments: u32) -> Surface {
    let point = |k: u32| {
        let (sin, cos) = (PI * f64::from(k) / f64::from(segments)).sin_cos();
        (if k.is_multiple_of(segments) { 0.0 } else { radius * sin }, -radius * cos)
    };
    revolved(&(0..=segments).map(point).collect::<Vec<_>>(), 2 * segments)
}

/// A ball with a ball-shaped cavity.
pub fn hollow_ball(outer: f64, inner: f64, segments: u32) -> Surface {
    let mut cavity = ball(inner, segments);
    cavity.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    together(ball(outer, segments), &cavity)
}

/// Two surfaces as one.
pub fn together(mut a: Surface, b: &Surface) -> Surface {
    let shift = a.vertices.len() as u32;
    a.vertices.extend(&b.vertices);
    a.triangles.extend(b.triangles.iter().map(|t| t.map(|v| v + shift)));
    a
}

/// An L of two arms, 1 m by 0.8 m, each 0.3 m wide, 0.4 m thick.
pub fn angle_bracket() -> Surface {
    let outline = [(0.0, 0.0), (1.0, 0.0), (1.0, 0.3), (0.3, 0.3), (0.3, 0.8), (0.0, 0.8)];
    let n = outline.len() as u32;
    let level = |z: f64| outline.iter().map(move |&(x, y)| DVec3::new(x, y, z));
    let caps = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]];
    let mut triangles: Vec<[u32; 3]> = caps.iter().map(|&[a, b, c]| [a, c, b]).collect();
    triangles.extend(caps.map(|t| t.map(|v| v + n)));
    triangles.extend((0..n).flat_map(|k| {
        let next = (k + 1) % n;
        [[k, next, next + n], [k, next + n, k + n]]
    }));
    outward(Surface { vertices: level(0.0).chain(level(0.4)).collect(), triangles, ..Surface::default() })
}

/// A box about the origin.
pub fn cuboid(size: DVec3) -> Surface {
    let side = |c: usize, axis: usize| if c >> axis & 1 == 1 { 0.5 } else { -0.5 };
    let corner = |c: usize| size * DVec3::new(side(c, 0), side(c, 1), side(c, 2));
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Surface { vertices: (0..8).map(corner).collect(), triangles, ..Surface::default() }
}

/// A surface turned about the origin and moved.
pub fn placed(mut surface: Surface, turn: DQuat, shift: DVec3) -> Surface {
    surface.vertices.iter_mut().for_each(|x| *x = turn * *x + shift);
    surface
}
