//! Shells inside shells: the outermost look outwards, those inside them bound cavities, and so on in turns.

use super::Mesh;
use super::orient::Shells;
use crate::space::ray::cast;
use crate::space::tree::Tree;
use kreisel::DVec3;

/// What is known about the shells.
#[derive(Clone, Debug, Default)]
pub struct Nesting {
    /// How many others each shell lies in.
    pub depth: Vec<u32>,
    /// Whether each shell must be turned.
    pub turn: Vec<bool>,
    /// A shell for which no ray was clear of edges.
    pub undecided: usize,
    /// A place of a shell that begins inside a smaller one: they pass through each other, if only along edges.
    pub entangled: Option<DVec3>,
}

/// Directions that are parallel to nothing that people draw.
const DIRECTIONS: [[f64; 3]; 8] = [
    [0.577_13, 0.331_71, 0.746_39],
    [-0.219_87, 0.871_13, 0.439_07],
    [0.811_93, -0.532_17, 0.240_11],
    [0.123_71, 0.317_39, -0.940_19],
    [-0.671_37, -0.402_91, -0.621_83],
    [0.441_29, 0.842_57, -0.307_91],
    [-0.913_37, 0.112_37, -0.391_51],
    [0.271_83, -0.618_03, 0.737_37],
];

/// Finds how deep each shell lies in others and whether its volume has the sign that this wants.
pub fn nest(mesh: &Mesh, shells: &Shells, tree: &Tree) -> Nesting {
    let mut first = vec![usize::MAX; shells.count];
    let mut sixfold = vec![0.0; shells.count];
    for t in 0..mesh.triangles.len() {
        let s = shells.of[t] as usize;
        first[s] = first[s].min(t);
        let origin = mesh.corners(first[s])[0];
        let [a, b, c] = mesh.corners(t).map(|x| x - origin);
        sixfold[s] += a.dot(b.cross(c));
    }
    let mut nesting = Nesting::default();
    for s in 0..shells.count {
        let around = if shells.count == 1 { Some(Vec::new()) } else { around(mesh, shells, tree, s as u32, first[s]) };
        nesting.undecided += usize::from(around.is_none());
        let around = around.unwrap_or_default();
        let smaller = around.iter().any(|&o| sixfold[o as usize].abs() <= sixfold[s].abs());
        nesting.entangled = nesting.entangled.or(smaller.then(|| mesh.corners(first[s])[0]));
        let depth = if smaller { 0 } else { around.len() as u32 };
        nesting.depth.push(depth);
        nesting.turn.push((depth % 2 == 1) != (sixfold[s] < 0.0));
    }
    nesting
}

/// The other shells that a ray from this one passes an odd number of times.
fn around(mesh: &Mesh, shells: &Shells, tree: &Tree, shell: u32, triangle: usize) -> Option<Vec<u32>> {
    let [a, b, c] = mesh.corners(triangle);
    let from = (a + b + c) / 3.0;
    let mut passed: Vec<u32> = Vec::new();
    for along in DIRECTIONS {
        passed.clear();
        let clear = cast(tree, from, DVec3::from_array(along), |t| passed.push(shells.of[t as usize]));
        if clear {
            passed.retain(|&s| s != shell);
            passed.sort_unstable();
            return Some(passed.chunk_by(|a, b| a == b).filter(|c| c.len() % 2 == 1).map(|c| c[0]).collect());
        }
    }
    None
}
