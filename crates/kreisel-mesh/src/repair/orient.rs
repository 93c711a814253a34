//! Orientation: neighbours run through their common edge in opposite ways; pieces that hang together are shells.

use super::Mesh;
use super::edges::{OPEN, Twins, ends};
use crate::error::Problem;

/// Not visited yet.
const NONE: u32 = u32::MAX;

/// The shells of a surface.
#[derive(Clone, Debug, Default)]
pub struct Shells {
    /// For every triangle its shell.
    pub of: Vec<u32>,
    /// How many there are.
    pub count: usize,
    /// Triangles turned to agree with their neighbours.
    pub turned: usize,
    /// Where the surface contradicts itself, if it has one side only.
    pub one_sided: Option<u32>,
}

/// Turns the fewer triangles of every shell so that all agree; where that is impossible it says so.
pub fn orient(mesh: &mut Mesh, twins: &mut Twins) -> Shells {
    let n = mesh.triangles.len();
    let mut shells = Shells { of: vec![NONE; n], ..Shells::default() };
    let mut flip = vec![false; n];
    let mut members: Vec<u32> = Vec::new();
    for seed in 0..n as u32 {
        if shells.of[seed as usize] != NONE {
            continue;
        }
        flood(mesh, twins, seed, &mut shells, &mut flip, &mut members);
        let flipped = members.iter().filter(|t| flip[**t as usize]).count();
        if 2 * flipped > members.len() {
            members.iter().for_each(|t| flip[*t as usize] ^= true);
        }
        shells.turned += flipped.min(members.len() - flipped);
        shells.count += 1;
    }
    if shells.turned > 0 {
        apply(mesh, twins, |t| flip[t]);
    }
    shells
}

fn flood(mesh: &Mesh, twins: &Twins, seed: u32, shells: &mut Shells, flip: &mut [bool], members: &mut Vec<u32>) {
    members.clear();
    members.push(seed);
    shells.of[seed as usize] = shells.count as u32;
    let mut done = 0;
    while let Some(&t) = members.get(done) {
        done += 1;
        for half in 3 * t..3 * t + 3 {
            let twin = twins.of[half as usize];
            if twin == OPEN {
                continue;
            }
            let same_way = ends(mesh, half).0 == ends(mesh, twin).0;
            let (u, wanted) = (twin as usize / 3, flip[t as usize] ^ same_way);
            if shells.of[u] == NONE {
                shells.of[u] = shells.count as u32;
                flip[u] = wanted;
                members.push(u as u32);
            } else if flip[u] != wanted {
                shells.one_sided = shells.one_sided.or(Some(half));
            }
        }
    }
}

/// Turns triangles `(a, b, c) → (a, c, b)`: half-edges 0 and 2 change places.
pub fn apply(mesh: &mut Mesh, twins: &mut Twins, flip: impl Fn(usize) -> bool) {
    let moved = |h: u32| {
        if h == OPEN || !flip(h as usize / 3) {
            return h;
        }
        [2, 1, 0][h as usize % 3] + h / 3 * 3
    };
    twins.of.iter_mut().for_each(|h| *h = moved(*h));
    for t in 0..mesh.triangles.len() {
        if flip(t) {
            mesh.triangles[t].swap(1, 2);
            twins.of.swap(3 * t, 3 * t + 2);
        }
    }
}

/// Refuses a surface with one side.
pub fn check_two_sided(mesh: &Mesh, shells: &Shells) -> Result<(), Problem> {
    let Some(half) = shells.one_sided else { return Ok(()) };
    let middle = mesh.corners(half as usize / 3);
    Err(Problem::OneSided { at: (middle[0] + middle[1] + middle[2]) / 3.0 })
}
