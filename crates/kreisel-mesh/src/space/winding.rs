//! Generalised winding numbers: how often a surface, closed or not, winds around a point [JKS13].
//!
//! `w(q) = 1/(4π) Σ Ω_t(q)`, the sum of the solid angles of the triangles. Far triangles are taken together as one
//! dipole, `Ω ≈ N · (p − q)/|p − q|³` with their summed area vector `N` at their middle `p` [BDSLJ18].

use super::tree::Tree;
use kreisel::DVec3;
use std::f64::consts::PI;

/// A node is far if it is farther than this many of its radii: the dipole is then right to about one per cent.
const FAR: f64 = 2.5;

/// Triangles of a node taken together.
#[derive(Clone, Copy, Default)]
struct Dipole {
    /// Sum of area times normal.
    normal: DVec3,
    /// Sum of the areas.
    area: f64,
    /// Middle, weighted with the areas.
    middle: DVec3,
    /// No triangle is farther from the middle.
    radius: f64,
}

/// Winding numbers of a surface.
pub struct Winding<'a> {
    tree: &'a Tree,
    dipoles: Vec<Dipole>,
}

impl<'a> Winding<'a> {
    /// Sums the dipoles of a tree over triangles that look outwards.
    pub fn new(tree: &'a Tree) -> Self {
        let mut dipoles = vec![Dipole::default(); 2 * tree.first_leaf];
        for node in (1..2 * tree.first_leaf).rev() {
            dipoles[node] = if node >= tree.first_leaf {
                of_leaf(tree, node)
            } else {
                joined(&dipoles[2 * node], &dipoles[2 * node + 1])
            };
            let (d, e) = (&mut dipoles[node], &tree.boxes[node]);
            if d.area > 0.0 {
                d.radius = (e.high - d.middle).max(d.middle - e.low).length();
            }
        }
        Self { tree, dipoles }
    }

    /// How often the surface winds around a point.
    pub fn at(&self, q: DVec3) -> f64 {
        let mut stack = [0usize; 128];
        let mut depth = 1;
        stack[0] = 1;
        let mut angle = 0.0;
        while depth > 0 {
            depth -= 1;
            let node = stack[depth];
            let dipole = &self.dipoles[node];
            let r = dipole.middle - q;
            let distance = r.length();
            if dipole.area == 0.0 {
                continue;
            }
            if distance > FAR * dipole.radius {
                angle += dipole.normal.dot(r) / (distance * distance * distance);
            } else if node >= self.tree.first_leaf {
                angle += self.tree.leaf(node).map(|k| solid_angle(&self.tree.corners[k], q)).sum::<f64>();
            } else {
                stack[depth] = 2 * node;
                stack[depth + 1] = 2 * node + 1;
                depth += 2;
            }
        }
        angle / (4.0 * PI)
    }
}

fn of_leaf(tree: &Tree, node: usize) -> Dipole {
    let mut sum = Dipole::default();
    for k in tree.leaf(node) {
        let [a, b, c] = tree.corners[k];
        let normal = 0.5 * (b - a).cross(c - a);
        let area = normal.length();
        sum.normal += normal;
        sum.area += area;
        sum.middle += area * (a + b + c) / 3.0;
    }
    if sum.area > 0.0 {
        sum.middle /= sum.area;
    }
    sum
}

fn joined(a: &Dipole, b: &Dipole) -> Dipole {
    let area = a.area + b.area;
    let middle = if area > 0.0 { (a.area * a.middle + b.area * b.middle) / area } else { DVec3::ZERO };
    Dipole { normal: a.normal + b.normal, area, middle, radius: 0.0 }
}

/// `tan(Ω/2) = a · (b × c) / (abc + (a·b) c + (b·c) a + (c·a) b)` [VOS83].
fn solid_angle(corners: &[DVec3; 3], q: DVec3) -> f64 {
    let [a, b, c] = corners.map(|x| x - q);
    let (la, lb, lc) = (a.length(), b.length(), c.length());
    let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    2.0 * a.dot(b.cross(c)).atan2(below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_octahedron_is_wound_around_once_inside_and_not_outside() {
        let corner = |axis: usize, sign: f64| DVec3::AXES[axis] * sign;
        let mut faces = Vec::new();
        for k in 0..8 {
            let s = [0, 1, 2].map(|a| if k >> a & 1 == 0 { 1.0 } else { -1.0 });
            let [a, b, c] = [corner(0, s[0]), corner(1, s[1]), corner(2, s[2])];
            faces.push(if s[0] * s[1] * s[2] > 0.0 { [a, b, c] } else { [a, c, b] });
        }
        let tree = Tree::new(8, |t| faces[t]);
        let winding = Winding::new(&tree);
        assert!((winding.at(DVec3::new(0.1, 0.2, -0.3)) - 1.0).abs() < 1e-12);
        assert!(winding.at(DVec3::new(0.7, 0.7, 0.7)).abs() < 1e-12);
        assert!(winding.at(DVec3::splat(30.0)).abs() < 1e-3);
    }
}
