//! A large island is cut in halves, and these again: contacts of different halves share no body that moves, so that both are
//! swept at the same time, then the contacts between them. Cuts go by place and number alone: the order of the sweep, and with
//! it every bit, is the same for any number of threads.

use crate::contact::constraint::carriers::{Carrier, Carriers};
use crate::contact::constraint::groups::Group;
use crate::contact::constraint::row::Row;
use glamx::DVec3;

/// Islands, and halves, of at least twice so many contacts are cut: a sweep over fewer takes no longer than waking a thread.
const LEAST: usize = 512;

/// A part of an island: its contacts and carriers lie together, those of its first half first; contacts between both come last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Half {
    contacts: usize,
    movers: usize,
    halves: Option<Box<[Half; 2]>>,
}

/// Cuts an island of contacts between `ends`, and brings its carriers and contacts into order. None if it is too small, or if
/// spheres on seats join carriers that their contacts do not name.
pub fn cut(group: &mut Group, ends: &dyn Fn(u32) -> (u32, u32), carriers: &Carriers) -> Option<Half> {
    if group.contacts.len() < 2 * LEAST || group.carriers.len() < 2 || !carriers.seats.is_empty() {
        return None;
    }
    let mut side = vec![Side::Neither; carriers.len()];
    Some(divide(&mut group.carriers, &mut group.contacts, ends, carriers, &mut side))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    First,
    Second,
    Neither,
}

fn divide(
    movers: &mut [u32],
    contacts: &mut [u32],
    ends: &dyn Fn(u32) -> (u32, u32),
    carriers: &Carriers,
    side: &mut [Side],
) -> Half {
    let mut part = Half { contacts: contacts.len(), movers: movers.len(), halves: None };
    if contacts.len() < 2 * LEAST || movers.len() < 2 {
        movers.sort_unstable();
        return part;
    }
    let (first, second) = part_across(movers, carriers);
    first.iter().for_each(|&c| side[c as usize] = Side::First);
    second.iter().for_each(|&c| side[c as usize] = Side::Second);
    let (own, others, between) = sort_out(contacts, ends, side);
    first.iter().chain(second.iter()).for_each(|&c| side[c as usize] = Side::Neither);
    let (head, tail) = contacts.split_at_mut(own.len());
    let (middle, end) = tail.split_at_mut(others.len());
    head.copy_from_slice(&own);
    middle.copy_from_slice(&others);
    end.copy_from_slice(&between);
    let halves = [divide(first, head, ends, carriers, side), divide(second, middle, ends, carriers, side)];
    part.halves = Some(Box::new(halves));
    part
}

/// Both sides of the median along the longest extent; numbers decide between equals.
fn part_across<'a>(movers: &'a mut [u32], carriers: &[Carrier]) -> (&'a mut [u32], &'a mut [u32]) {
    let at = |c: u32| carriers[c as usize].position;
    let (low, high) =
        movers.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &c| (low.min(at(c)), high.max(at(c))));
    let axis = (high - low).max_position();
    let middle = movers.len() / 2;
    movers.select_nth_unstable_by(middle, |&a, &b| at(a)[axis].total_cmp(&at(b)[axis]).then(a.cmp(&b)));
    movers.split_at_mut(middle)
}

/// The contacts of the first half, of the second, and between both, each in the order in which they came.
fn sort_out(contacts: &[u32], ends: &dyn Fn(u32) -> (u32, u32), side: &[Side]) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
    let (mut first, mut second, mut between) = (Vec::new(), Vec::new(), Vec::new());
    for &k in contacts {
        let (a, b) = ends(k);
        match (side[a as usize], side[b as usize]) {
            (Side::First, Side::Second) | (Side::Second, Side::First) => between.push(k),
            (Side::First, _) | (_, Side::First) => first.push(k),
            _ => second.push(k),
        }
    }
    (first, second, between)
}

/// Brings everything to its `place`, without room for a second list.
pub fn bring<T>(list: &mut [T], mut place: Vec<u32>) {
    for k in 0..list.len() {
        while place[k] as usize != k {
            let at = place[k] as usize;
            list.swap(k, at);
            place.swap(k, at);
        }
    }
}

/// The carriers of a part, and those that no push can move, which all parts see.
pub struct Bodies<'a> {
    movers: &'a mut [Carrier],
    /// Number of the first of them in the island.
    first: u32,
    held: &'a [Carrier],
    /// Number of movers in the island: those that are held come after.
    count: u32,
}

impl<'a> Bodies<'a> {
    fn new(carriers: &'a mut [Carrier], count: usize) -> Self {
        let (movers, held) = carriers.split_at_mut(count);
        Self { movers, first: 0, held, count: count as u32 }
    }

    fn split(&mut self, at: usize) -> (Bodies<'_>, Bodies<'_>) {
        let (low, high) = self.movers.split_at_mut(at);
        let one = |movers, first| Bodies { movers, first, held: self.held, count: self.count };
        (one(low, self.first), one(high, self.first + at as u32))
    }

    /// A carrier, by its number in the island.
    #[inline]
    pub fn get(&self, k: u32) -> &Carrier {
        match k.checked_sub(self.count) {
            Some(held) => &self.held[held as usize],
            None => &self.movers[(k - self.first) as usize],
        }
    }

    /// A carrier of this part, to be moved; none if no push can.
    #[inline]
    pub fn mover(&mut self, k: u32) -> Option<&mut Carrier> {
        let count = self.count;
        self.movers.get_mut(k.wrapping_sub(self.first) as usize).filter(|_| k < count)
    }

    /// Relative velocity of a contact, in world axes [m/s].
    #[inline]
    pub fn velocity(&self, row: &Row) -> DVec3 {
        row.velocity_between(self.get(row.a), self.get(row.b))
    }

    /// Adds an impulse in contact axes to both sides.
    #[inline]
    pub fn push(&mut self, row: &Row, p: DVec3) {
        let world = row.in_world(p);
        if let Some(a) = self.mover(row.a) {
            row.push_first(world, a);
        }
        if let Some(b) = self.mover(row.b) {
            row.push_second(world, b);
        }
    }
}

/// What a pass over all contacts found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// The largest.
    pub largest: f64,
    /// Sum of squares.
    pub squares: f64,
}

impl Tally {
    fn and(self, other: Self) -> Self {
        Self { largest: self.largest.max(other.largest), squares: self.squares + other.squares }
    }

    fn take(&mut self, one: f64) {
        self.largest = self.largest.max(one);
        self.squares += one * one;
    }
}

/// Contacts that lie together, and a note to each.
pub struct Noted<'a, C, N> {
    /// The contacts.
    pub contacts: &'a mut [C],
    /// As many notes.
    pub notes: &'a mut [N],
}

impl<'a, C, N> Noted<'a, C, N> {
    fn split(self, at: usize) -> (Self, Self) {
        let (a, b) = self.contacts.split_at_mut(at);
        let (note_a, note_b) = self.notes.split_at_mut(at);
        (Self { contacts: a, notes: note_a }, Self { contacts: b, notes: note_b })
    }
}

/// Visits all contacts of an island, forwards or backwards; the numbers that `what` hands back are tallied.
pub fn visit<C: Send, N: Send>(
    half: &Half,
    contacts: Noted<C, N>,
    carriers: &mut [Carrier],
    backwards: bool,
    what: &(impl Fn(&mut C, &mut N, &mut Bodies) -> f64 + Sync),
) -> Tally {
    visit_half(half, contacts, &mut Bodies::new(carriers, half.movers), backwards, what)
}

fn visit_half<C: Send, N: Send>(
    half: &Half,
    contacts: Noted<C, N>,
    bodies: &mut Bodies,
    backwards: bool,
    what: &(impl Fn(&mut C, &mut N, &mut Bodies) -> f64 + Sync),
) -> Tally {
    let Some([first, second]) = half.halves.as_deref() else {
        return visit_each(&mut { contacts }, bodies, backwards, what);
    };
    let (own, mut between) = contacts.split(first.contacts + second.contacts);
    let mut tally = Tally::default();
    if backwards {
        tally = visit_each(&mut between, bodies, backwards, what);
    }
    let (mut low, mut high) = bodies.split(first.movers);
    let (a, b) = own.split(first.contacts);
    let (a, b) = rayon::join(
        || visit_half(first, a, &mut low, backwards, what),
        || visit_half(second, b, &mut high, backwards, what),
    );
    tally = tally.and(a.and(b));
    if !backwards {
        tally = tally.and(visit_each(&mut between, bodies, backwards, what));
    }
    tally
}

fn visit_each<C, N>(
    Noted { contacts, notes }: &mut Noted<C, N>,
    bodies: &mut Bodies,
    backwards: bool,
    what: &impl Fn(&mut C, &mut N, &mut Bodies) -> f64,
) -> Tally {
    let mut tally = Tally::default();
    let each = contacts.iter_mut().zip(notes.iter_mut());
    if backwards {
        each.rev().for_each(|(contact, note)| tally.take(what(contact, note, bodies)));
    } else {
        each.for_each(|(contact, note)| tally.take(what(contact, note, bodies)));
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Balls on a cubic lattice that touch their neighbours, the lowest the world.
    fn lattice(side: u32) -> (Group, Vec<(u32, u32)>, Carriers) {
        let count = side * side * side;
        let place = |k: u32| DVec3::new(f64::from(k % side), f64::from(k / side % side), f64::from(k / side / side));
        let ball = |k: u32| Carrier { position: place(k), inverse_mass: 1.0, ..Carrier::WORLD };
        let mut list: Vec<Carrier> = (0..count).map(ball).collect();
        list.push(Carrier::WORLD);
        let mut ends = Vec::new();
        for k in 0..count {
            let next = [(k % side, 1), (k / side % side, side), (k / side / side, side * side)];
            ends.extend(next.into_iter().filter(|(at, _)| at + 1 < side).map(|(_, step)| (k, k + step)));
            if k < side * side {
                ends.push((k, count));
            }
        }
        let group = Group { contacts: (0..ends.len() as u32).collect(), carriers: (0..count).collect(), half: None };
        (group, ends, Carriers::from(list))
    }

    /// True if contacts within both halves touch movers of their own half only, and so on.
    fn is_apart(half: &Half, contacts: &[u32], movers: &[u32], ends: &[(u32, u32)], world: u32) -> bool {
        let Some([first, second]) = half.halves.as_deref() else {
            return contacts.iter().all(|&k| {
                let (a, b) = ends[k as usize];
                [a, b].iter().all(|c| *c == world || movers.contains(c))
            });
        };
        let both = first.contacts + second.contacts;
        is_apart(first, &contacts[..first.contacts], &movers[..first.movers], ends, world)
            && is_apart(second, &contacts[first.contacts..both], &movers[first.movers..], ends, world)
    }

    #[test]
    fn halves_have_all_contacts_and_share_no_carrier_that_moves() {
        let (mut group, ends, carriers) = lattice(9);
        let half = cut(&mut group, &|k| ends[k as usize], &carriers);
        let Some(half) = half.filter(|h| h.halves.is_some()) else { panic!("an island of {} contacts", ends.len()) };
        assert!(is_apart(&half, &group.contacts, &group.carriers, &ends, carriers.len() as u32 - 1));
        for mut list in [group.contacts, group.carriers] {
            list.sort_unstable();
            assert!((0..).zip(&list).all(|(k, n)| k == *n), "each once");
        }
    }

    #[test]
    fn a_small_island_stays_whole() {
        let (mut group, ends, carriers) = lattice(4);
        assert_eq!(cut(&mut group, &|k| ends[k as usize], &carriers), None);
    }
}
