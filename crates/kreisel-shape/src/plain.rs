//! Triangles around plain solids, by formula.

use crate::Solid;
use crate::grid::too_fine;
use crate::{MOST_TRIANGLES, ShapeError};
use kreisel::DVec3;
use kreisel::model::Surface;
use std::collections::HashMap;

/// Triangles around a block or a ball, moved or not; none for other solids.
pub fn mesh(solid: &Solid, size: f64) -> Option<Result<Surface, ShapeError>> {
    match solid {
        Solid::Box { size: edges } => Some(block(*edges, size)),
        Solid::Sphere { radius } => Some(ball(*radius, size)),
        Solid::Moved { at, rotation, scale, solid } => {
            let mut made = mesh(solid, size / scale)?;
            if let Ok(surface) = &mut made {
                surface.vertices.iter_mut().for_each(|x| *x = *at + *rotation * (*x * *scale));
            }
            Some(made)
        }
        _ => None,
    }
}

/// A block: squares as equal as they go, each cut in two.
fn block(edges: DVec3, size: f64) -> Result<Surface, ShapeError> {
    let n = (edges / size).round().max(DVec3::ONE);
    let triangles = 4.0 * (n.x * n.y + n.y * n.z + n.z * n.x);
    if triangles > MOST_TRIANGLES {
        return Err(too_fine(size, edges.max_element(), triangles));
    }
    let mut net = Welded::default();
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for (i, j) in (0..n[u] as i64).flat_map(|i| (0..n[v] as i64).map(move |j| (i, j))) {
            for (end, top) in [(0, false), (n[axis] as i64, true)] {
                let corner = |di: i64, dj: i64| {
                    let mut key = [0; 3];
                    (key[axis], key[u], key[v]) = (end, i + di, j + dj);
                    key
                };
                let square = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                net.add_square(square, top, (i + j) % 2 == 0);
            }
        }
    }
    let place = |k: &[i64; 3]| edges * (DVec3::new(k[0] as f64, k[1] as f64, k[2] as f64) / n - 0.5);
    Ok(net.surface(place))
}

/// A ball: the faces of an icosahedron cut into n² triangles each and blown up.
fn ball(radius: f64, size: f64) -> Result<Surface, ShapeError> {
    // The area 4πr² over 20 n² equilateral triangles of √3/4 size².
    let n = (radius / size * (std::f64::consts::PI / 5.0 * 4.0 / 3f64.sqrt()).sqrt()).round().max(1.0);
    if 20.0 * n * n > MOST_TRIANGLES {
        return Err(too_fine(size, 2.0 * radius, 20.0 * n * n));
    }
    let (corners, faces) = icosahedron();
    let mut net = Welded::default();
    for face in &faces {
        let n = n as i64;
        // A place on a face: shares of its three corners, by the numbers of the corners, so that faces weld.
        let key = |i: i64, j: i64| {
            let mut shares: Vec<(i64, i64)> = face.iter().copied().zip([n - i - j, i, j]).filter(|s| s.1 > 0).collect();
            shares.sort_unstable();
            shares
        };
        for (i, j) in (0..n).flat_map(|i| (0..n - i).map(move |j| (i, j))) {
            net.add([key(i, j), key(i + 1, j), key(i, j + 1)]);
            if i + j + 2 <= n {
                net.add([key(i + 1, j), key(i + 1, j + 1), key(i, j + 1)]);
            }
        }
    }
    let place = |shares: &Vec<(i64, i64)>| {
        let sum: DVec3 = shares.iter().map(|(c, k)| corners[*c as usize] * *k as f64).sum();
        radius * sum.normalize_or_zero()
    };
    Ok(net.surface(place))
}

/// Corners (cyclic permutations of (0, ±1, ±φ)) and the faces between corners that are neighbours.
fn icosahedron() -> (Vec<DVec3>, Vec<[i64; 3]>) {
    let golden = 0.5 * (1.0 + 5f64.sqrt());
    let mut corners = Vec::new();
    for (s, t) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
        corners.push(DVec3::new(0.0, s, t * golden));
        corners.push(DVec3::new(s, t * golden, 0.0));
        corners.push(DVec3::new(t * golden, 0.0, s));
    }
    let edge = |a: usize, b: usize| (corners[a] - corners[b]).length() < 2.1;
    let mut faces = Vec::new();
    for (a, b) in (0..12).flat_map(|a| (a + 1..12).map(move |b| (a, b))).filter(|(a, b)| edge(*a, *b)) {
        for c in (b + 1..12).filter(|c| edge(a, *c) && edge(b, *c)) {
            let outward = corners[a].dot(corners[b].cross(corners[c])) > 0.0;
            let [b, c] = if outward { [b, c] } else { [c, b] };
            faces.push([a as i64, b as i64, c as i64]);
        }
    }
    (corners, faces)
}

/// Triangles whose corners are numbered by what they are called.
struct Welded<K> {
    numbers: HashMap<K, u32>,
    keys: Vec<K>,
    triangles: Vec<[u32; 3]>,
}

impl<K> Default for Welded<K> {
    fn default() -> Self {
        Welded { numbers: HashMap::new(), keys: Vec::new(), triangles: Vec::new() }
    }
}

impl<K: Clone + Eq + std::hash::Hash> Welded<K> {
    fn add(&mut self, corners: [K; 3]) {
        let triangle = corners.map(|key| {
            *self.numbers.entry(key).or_insert_with_key(|key| {
                self.keys.push(key.clone());
                self.keys.len() as u32 - 1
            })
        });
        self.triangles.push(triangle);
    }

    /// A square, anticlockwise if `top`, cut along one diagonal or the other.
    fn add_square(&mut self, square: [K; 4], top: bool, first: bool) {
        let [a, b, c, d] = if top {
            square
        } else {
            let [a, b, c, d] = square;
            [a, d, c, b]
        };
        if first {
            self.add([a.clone(), b, c.clone()]);
            self.add([a, c, d]);
        } else {
            self.add([a, b.clone(), d.clone()]);
            self.add([b, c, d]);
        }
    }

    fn surface(self, place: impl Fn(&K) -> DVec3) -> Surface {
        Surface { vertices: self.keys.iter().map(place).collect(), triangles: self.triangles, ..Surface::default() }
    }
}
