//! Triangles of a surface that pass through each other.

use super::Mesh;
use crate::error::Problem;
use crate::space::crossing::crossing;
use crate::space::tree::{Extent, Tree};
use kreisel::DVec3;

/// Counting ends here: nobody reads on.
const MOST_FOUND: usize = 1000;
/// Pairs compared per triangle before giving up; ordinary meshes need about 20.
const MOST_PAIRS: usize = 400;

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Crossings {
    /// Pairs of triangles with the place.
    pub pairs: Vec<(u32, u32, DVec3)>,
    /// Whether all pairs were looked at.
    pub complete: bool,
}

/// Finds pairs of triangles that pass through each other deeper than `tolerance`.
pub fn find(mesh: &Mesh, tree: &Tree, tolerance: f64) -> Crossings {
    let extents: Vec<Extent> = tree.corners.iter().map(|c| Extent::around(*c)).collect();
    let mut found = Crossings { pairs: Vec::new(), complete: true };
    let mut budget = MOST_PAIRS * mesh.triangles.len() + 1_000_000;
    let mut stack = vec![(1usize, 1usize)];
    while let Some((one, other)) = stack.pop() {
        if one != other && !tree.boxes[one].meets(&tree.boxes[other]) {
            continue;
        }
        if one < tree.first_leaf {
            descend(one, other, &mut stack);
            continue;
        }
        let tested = compare(mesh, tree, &extents, (one, other), tolerance, &mut found);
        budget = budget.saturating_sub(tested + 1);
        if budget == 0 || found.pairs.len() >= MOST_FOUND {
            found.complete = false;
            break;
        }
    }
    found.pairs.sort_by_key(|p| (p.0.min(p.1), p.0.max(p.1)));
    found
}

/// Both are on the same level: the children of one against those of the other, each pair once.
fn descend(one: usize, other: usize, stack: &mut Vec<(usize, usize)>) {
    let [(a, b), (c, d)] = [one, other].map(|k| (2 * k, 2 * k + 1));
    stack.extend([(a, c), (b, d), (a, d)]);
    if one != other {
        stack.push((b, c));
    }
}

/// Compares the triangles of two leaves, or of one with each other. Returns how many pairs had to be tested.
fn compare(
    mesh: &Mesh,
    tree: &Tree,
    extents: &[Extent],
    leaves: (usize, usize),
    tolerance: f64,
    found: &mut Crossings,
) -> usize {
    let mut tested = 0;
    for i in tree.leaf(leaves.0) {
        let others = tree.leaf(leaves.1);
        let begin = if leaves.0 == leaves.1 { i + 1 } else { others.start };
        for j in begin..others.end {
            if !extents[i].meets(&extents[j]) {
                continue;
            }
            let (s, t) = (tree.order[i], tree.order[j]);
            if shared(&mesh.triangles[s as usize], &mesh.triangles[t as usize]) >= 2 {
                continue;
            }
            tested += 1;
            if let Some(at) = crossing(&tree.corners[i], &tree.corners[j], tolerance) {
                found.pairs.push((s, t, at));
            }
        }
    }
    tested
}

fn shared(a: &[u32; 3], b: &[u32; 3]) -> usize {
    a.iter().filter(|v| b.contains(v)).count()
}

impl Crossings {
    /// Refuses a surface that cuts itself.
    pub fn check(&self) -> Result<(), Problem> {
        let Some(&(_, _, at)) = self.pairs.first() else { return Ok(()) };
        Err(Problem::SelfIntersecting { count: self.pairs.len(), more: !self.complete, at })
    }
}
