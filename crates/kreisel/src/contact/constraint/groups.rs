//! Islands: bodies that touch, directly or through others that can move. The fixed world joins nobody.

use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::halves::Half;

/// Contacts and carriers of an island.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// Numbers of its contacts, ascending unless it is cut.
    pub contacts: Vec<u32>,
    /// Numbers of its movable carriers, ascending unless it is cut.
    pub carriers: Vec<u32>,
    /// How it is cut, if it is large.
    pub half: Option<Half>,
}

/// The islands of contacts between pairs of carriers, ordered by their first contact.
pub fn groups(pairs: &[(u32, u32)], carriers: &Carriers) -> Vec<Group> {
    let mut parent = union(pairs, carriers);
    let movable = |c: u32| carriers[c as usize].is_movable();
    let mut number = vec![u32::MAX; carriers.len()];
    let mut all: Vec<Group> = Vec::new();
    for (k, &(a, b)) in pairs.iter().enumerate() {
        let Some(mover) = first_mover((a, b), carriers) else { continue };
        let first = root(&mut parent, mover) as usize;
        if number[first] == u32::MAX {
            number[first] = all.len() as u32;
            all.push(Group::default());
        }
        all[number[first] as usize].contacts.push(k as u32);
    }
    for c in (0..carriers.len() as u32).filter(|&c| movable(c)) {
        let first = root(&mut parent, c) as usize;
        if number[first] != u32::MAX {
            all[number[first] as usize].carriers.push(c);
        }
    }
    all
}

/// Which contacts are in an island with one of those that `stir`.
pub fn stirred(pairs: &[(u32, u32)], carriers: &Carriers, stirs: &dyn Fn(usize) -> bool) -> Vec<bool> {
    let mut parent = union(pairs, carriers);
    let roots: Vec<Option<u32>> =
        pairs.iter().map(|&pair| first_mover(pair, carriers).map(|c| root(&mut parent, c))).collect();
    let mut awake = vec![false; carriers.len()];
    roots
        .iter()
        .enumerate()
        .filter(|(k, _)| stirs(*k))
        .for_each(|(_, c)| c.iter().for_each(|&c| awake[c as usize] = true));
    roots.iter().map(|c| c.is_some_and(|c| awake[c as usize])).collect()
}

/// Each movable carrier leads up to the first of its island.
fn union(pairs: &[(u32, u32)], carriers: &Carriers) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..carriers.len() as u32).collect();
    let mut join = |a: u32, b: u32| {
        let (a, b) = (root(&mut parent, a), root(&mut parent, b));
        parent[a.max(b) as usize] = a.min(b);
    };
    for &(a, b) in pairs {
        let movable = |c: u32| carriers[c as usize].is_movable();
        if movable(a) && movable(b) {
            join(a, b);
        }
        // Most scenes have no seats, and most sides none.
        if !carriers.seats.is_empty()
            && let Some(mover) = first_mover((a, b), carriers)
        {
            seated((a, b), carriers).filter(|&c| movable(c)).for_each(|c| join(mover, c));
        }
    }
    parent
}

/// The carriers that the seats of both sides rest on.
fn seated((a, b): (u32, u32), carriers: &Carriers) -> impl Iterator<Item = u32> {
    carriers.members(a).iter().chain(carriers.members(b)).map(|m| m.carrier)
}

/// The first carrier of a pair that moves.
fn first_mover((a, b): (u32, u32), carriers: &Carriers) -> Option<u32> {
    let movable = |c: &u32| carriers[*c as usize].is_movable();
    [a, b].into_iter().find(movable).or_else(|| seated((a, b), carriers).find(movable))
}

fn root(parent: &mut [u32], mut c: u32) -> u32 {
    while parent[c as usize] != c {
        let up = parent[parent[c as usize] as usize];
        parent[c as usize] = up;
        c = up;
    }
    c
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::constraint::carriers::Carrier;

    #[test]
    fn what_touches_is_one_island_but_not_through_the_world() {
        let body = Carrier { inverse_mass: 1.0, ..Carrier::WORLD };
        let carriers = Carriers::from(vec![body, body, body, body, Carrier::WORLD]);
        let found = groups(&[(0, 4), (1, 4), (0, 2), (3, 4), (3, 1)], &carriers);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0], Group { contacts: vec![0, 2], carriers: vec![0, 2], half: None });
        assert_eq!(found[1], Group { contacts: vec![1, 3, 4], carriers: vec![1, 3], half: None });
    }
}
