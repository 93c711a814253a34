//! Sparse systems of 3×3 blocks whose pattern is symmetric but whose values need not be, eliminated front by front. [DR83, Liu92]
//!
//! A front is the dense matrix of some contacts that are eliminated together and of those that they touch; pivots are chosen among the
//! rows of the former, and what is left of the latter goes to the front that eliminates the next of them.

use crate::linear::lu::{add_scaled, dot, eliminate};
use glamx::{DMat3, DVec3};

/// Blocks of one row: the other contact and the block.
pub(super) type BlockRow = Vec<(usize, DMat3)>;

/// One dense step of the elimination.
#[derive(Clone, Debug, Default)]
struct Front {
    /// Contacts that are eliminated here.
    own: Vec<usize>,
    /// Contacts that they touch and that come later, in the order of elimination.
    rest: Vec<usize>,
    children: Vec<usize>,
    /// `L` and `U` of the own rows, then `L` of the rest, all rows `3 (own + rest)` long.
    factors: Vec<f64>,
    /// Which own row came into which place.
    order: Vec<usize>,
}

/// What happens to pivots that are too small.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum SmallPivots {
    /// They become as large as this share of the largest entry.
    Lifted(f64),
    /// Below this share of the largest entry they stand for a direction in which the solution has nothing.
    Dropped(f64),
}

/// A factored matrix.
pub(super) struct Fronts {
    fronts: Vec<Front>,
}

/// What else a row costs, in multiplications.
const OVERHEAD: f64 = 300.0;
/// Zero blocks that a merger of two fronts may store.
const PADDING: usize = 24;

impl Fronts {
    /// Factors the matrix of these rows of blocks; `None` if a number is not finite.
    pub(super) fn new(rows: &[BlockRow], small: SmallPivots) -> Option<Self> {
        Self::in_order(rows, &least_degree_order(rows), small)
    }

    /// Factors with the order of elimination given.
    pub(super) fn in_order(rows: &[BlockRow], order: &[usize], small: SmallPivots) -> Option<Self> {
        let entries = || rows.iter().flatten().flat_map(|(_, b)| b.to_cols_array());
        if entries().any(|x| !x.is_finite()) {
            return None;
        }
        let scale = entries().fold(0.0_f64, |s, x| s.max(x.abs()));
        let (smallest, instead) = match small {
            SmallPivots::Lifted(share) => ((share * scale).max(f64::MIN_POSITIVE), share * scale),
            SmallPivots::Dropped(share) => ((share * scale).max(f64::MIN_POSITIVE), f64::MAX.sqrt()),
        };
        let mut factored = Self { fronts: merged(symbolic(rows, order), order) };
        factored.assemble(rows, order, (smallest, instead.max(f64::MIN_POSITIVE)));
        Some(factored)
    }

    /// Solves in place.
    pub(super) fn solve(&self, b: &mut [DVec3]) {
        for front in &self.fronts {
            front.forward(b);
        }
        for front in self.fronts.iter().rev() {
            front.backward(b);
        }
    }

    /// About how many multiplications it took; what goes with every contact counted as such.
    pub(super) fn work(&self) -> f64 {
        let of = |front: &Front| front.size().0 as f64 * (front.size().1 as f64 * front.size().1 as f64 + OVERHEAD);
        self.fronts.iter().map(of).sum()
    }

    /// True if the determinant is negative.
    pub(super) fn is_negative(&self) -> bool {
        self.fronts.iter().fold(false, |negative, front| negative ^ front.is_negative())
    }

    fn assemble(&mut self, rows: &[BlockRow], order: &[usize], pivots: (f64, f64)) {
        let mut rank = vec![0; rows.len()];
        order.iter().enumerate().for_each(|(r, &i)| rank[i] = r);
        let mut front_of = vec![0; rows.len()];
        for (f, front) in self.fronts.iter().enumerate() {
            front.own.iter().for_each(|&i| front_of[i] = f);
        }
        let mut entries: Vec<Vec<(usize, usize, DMat3)>> = vec![Vec::new(); self.fronts.len()];
        for (i, row) in rows.iter().enumerate() {
            for &(j, block) in row {
                entries[front_of[if rank[i] < rank[j] { i } else { j }]].push((i, j, block));
            }
        }
        let mut place = vec![0; rows.len()];
        let mut updates: Vec<Vec<f64>> = vec![Vec::new(); self.fronts.len()];
        for f in 0..self.fronts.len() {
            let front = &self.fronts[f];
            front.own.iter().chain(&front.rest).enumerate().for_each(|(at, &i)| place[i] = 3 * at);
            let n = 3 * (front.own.len() + front.rest.len());
            let mut a = vec![0.0; n * n];
            entries[f].iter().for_each(|(i, j, block)| add_block(&mut a, n, place[*i], place[*j], block));
            for &child in &front.children {
                add_update(&mut a, n, &std::mem::take(&mut updates[child]), &self.fronts[child].rest, &place);
            }
            let own = 3 * front.own.len();
            let (order, _) = eliminate(&mut a, n, own, pivots.0, pivots.1);
            updates[f] = a.chunks_exact(n.max(1)).skip(own).flat_map(|row| row[own..].iter().copied()).collect();
            let front = &mut self.fronts[f];
            (front.factors, front.order) = (a, order);
        }
    }
}

fn add_block(a: &mut [f64], n: usize, i: usize, j: usize, block: &DMat3) {
    for column in 0..3 {
        for row in 0..3 {
            a[(i + row) * n + j + column] += block.col(column)[row];
        }
    }
}

/// A child's Schur complement goes where its contacts are in the parent.
fn add_update(a: &mut [f64], n: usize, update: &[f64], contacts: &[usize], place: &[usize]) {
    let m = 3 * contacts.len();
    for (i, row) in update.chunks_exact(m.max(1)).enumerate() {
        let start = (place[contacts[i / 3]] + i % 3) * n;
        for (values, &j) in row.chunks_exact(3).zip(contacts) {
            add_scaled(&mut a[start + place[j]..start + place[j] + 3], 1.0, values);
        }
    }
}

impl Front {
    fn size(&self) -> (usize, usize) {
        (3 * self.own.len(), 3 * (self.own.len() + self.rest.len()))
    }

    /// True if the determinant of the own block is negative: pivots that are, and rows that changed places.
    fn is_negative(&self) -> bool {
        let (own, n) = self.size();
        let below_zero = (0..own).filter(|i| self.factors[i * n + i] < 0.0).count();
        let (mut seen, mut cycles) = (vec![false; own], 0);
        for start in 0..own {
            let mut at = start;
            while !std::mem::replace(&mut seen[at], true) {
                at = self.order[at];
                cycles += usize::from(at == start);
            }
        }
        (below_zero + own - cycles) % 2 == 1
    }

    fn forward(&self, b: &mut [DVec3]) {
        let (own, n) = self.size();
        let mut y: Vec<f64> = self.order.iter().map(|&r| b[self.own[r / 3]][r % 3]).collect();
        for i in 0..own {
            y[i] -= dot(&self.factors[i * n..i * n + i], &y[..i]);
        }
        for (k, &contact) in self.rest.iter().enumerate() {
            let below = |c: usize| dot(&self.factors[(own + 3 * k + c) * n..(own + 3 * k + c) * n + own], &y);
            b[contact] -= DVec3::new(below(0), below(1), below(2));
        }
        self.own.iter().zip(y.chunks_exact(3)).for_each(|(&i, y)| b[i] = DVec3::from_slice(y));
    }

    fn backward(&self, b: &mut [DVec3]) {
        let (own, n) = self.size();
        let mut x: Vec<f64> = self.own.iter().chain(&self.rest).flat_map(|&i| b[i].to_array()).collect();
        for i in (0..own).rev() {
            let sum = dot(&self.factors[i * n + i + 1..(i + 1) * n], &x[i + 1..]);
            x[i] = (x[i] - sum) / self.factors[i * n + i];
        }
        self.own.iter().zip(x.chunks_exact(3)).for_each(|(&i, x)| b[i] = DVec3::from_slice(x));
    }
}

/// Always the contact that touches fewest others next; those become neighbours of each other. [GL81]
pub(super) fn least_degree_order(rows: &[BlockRow]) -> Vec<usize> {
    let k = rows.len();
    let words = k.div_ceil(64);
    let mut touches = vec![vec![0_u64; words]; k];
    for (i, row) in rows.iter().enumerate() {
        for &(j, _) in row.iter().filter(|(j, _)| *j != i) {
            touches[i][j / 64] |= 1 << (j % 64);
            touches[j][i / 64] |= 1 << (i % 64);
        }
    }
    let count = |set: &[u64]| set.iter().map(|w| w.count_ones()).sum::<u32>();
    let mut degree: Vec<u32> = touches.iter().map(|t| count(t)).collect();
    let mut left: Vec<usize> = (0..k).collect();
    let mut order = Vec::with_capacity(k);
    while let Some(at) = (0..left.len()).min_by_key(|&at| (degree[left[at]], left[at])) {
        let next = left.swap_remove(at);
        let set = std::mem::take(&mut touches[next]);
        for other in members(&set) {
            let own = &mut touches[other];
            own.iter_mut().zip(&set).for_each(|(o, s)| *o |= s);
            own[other / 64] &= !(1 << (other % 64));
            own[next / 64] &= !(1 << (next % 64));
            degree[other] = count(own);
        }
        order.push(next);
    }
    order
}

fn members(set: &[u64]) -> impl Iterator<Item = usize> {
    set.iter().enumerate().flat_map(|(w, &word)| (0..64).filter(move |b| word >> b & 1 == 1).map(move |b| 64 * w + b))
}

/// One front per contact, in the order of elimination, `rest` as ranks.
fn symbolic(rows: &[BlockRow], order: &[usize]) -> Vec<Front> {
    let k = rows.len();
    let mut rank = vec![0; k];
    order.iter().enumerate().for_each(|(r, &i)| rank[i] = r);
    let mut fronts: Vec<Front> = Vec::with_capacity(k);
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); k];
    // The pattern of a row and of its column: blocks may be listed on one side only.
    let mut both: Vec<Vec<usize>> = vec![Vec::new(); k];
    for (i, row) in rows.iter().enumerate() {
        for &(j, _) in row {
            both[rank[i]].push(rank[j]);
            both[rank[j]].push(rank[i]);
        }
    }
    for r in 0..k {
        let of_children = children[r].iter().flat_map(|&c: &usize| fronts[c].rest.iter().copied());
        let mut rest: Vec<usize> = both[r].iter().copied().chain(of_children).filter(|&s| s > r).collect();
        rest.sort_unstable();
        rest.dedup();
        if let Some(&parent) = rest.first() {
            children[parent].push(r);
        }
        fronts.push(Front { own: vec![r], rest, children: std::mem::take(&mut children[r]), ..Front::default() });
    }
    fronts
}

/// Fronts that are nearly part of the next are merged with it; ranks become contacts.
fn merged(mut fronts: Vec<Front>, order: &[usize]) -> Vec<Front> {
    for p in 0..fronts.len() {
        let mut kept = Vec::new();
        let mut pending = std::mem::take(&mut fronts[p].children);
        while let Some(c) = pending.pop() {
            let missing = fronts[p].own.len() + fronts[p].rest.len() - fronts[c].rest.len();
            if missing * fronts[c].own.len() > PADDING {
                kept.push(c);
                continue;
            }
            let child = std::mem::take(&mut fronts[c]);
            // Its own come first: they are eliminated before.
            let later = std::mem::replace(&mut fronts[p].own, child.own);
            fronts[p].own.extend(later);
            kept.extend(child.children);
        }
        kept.sort_unstable();
        fronts[p].children = kept;
    }
    let mut number = vec![0; fronts.len()];
    let mut next = 0;
    for (f, front) in fronts.iter().enumerate().filter(|(_, front)| !front.own.is_empty()) {
        number[f] = next;
        next += usize::from(!front.own.is_empty());
    }
    fronts.retain(|front| !front.own.is_empty());
    for front in &mut fronts {
        front.own.iter_mut().chain(&mut front.rest).for_each(|r| *r = order[*r]);
        front.children.iter_mut().for_each(|c| *c = number[*c]);
    }
    fronts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(seed: u64) -> impl FnMut() -> f64 {
        let mut s = seed;
        move || {
            s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (s >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }
    }

    fn times(rows: &[BlockRow], x: &[DVec3]) -> Vec<DVec3> {
        rows.iter().map(|row| row.iter().map(|(j, b)| *b * x[*j]).sum()).collect()
    }

    fn random(k: usize, links: usize, next: &mut impl FnMut() -> f64) -> Vec<BlockRow> {
        let mut block = || DMat3::from_cols_array(&std::array::from_fn(|_| next()));
        let mut rows: Vec<BlockRow> =
            (0..k).map(|i| vec![(i, block() + DMat3::from_diagonal(DVec3::splat(3.0)))]).collect();
        for link in 0..links * k {
            let (i, j) = ((link * 7919) % k, (link * 104_729 + 1) % k);
            if i != j {
                rows[i].push((j, block()));
            }
        }
        rows
    }

    #[test]
    fn systems_of_any_pattern_are_solved() {
        let mut next = noise(3);
        for (k, links) in [(0, 0), (1, 0), (2, 1), (7, 1), (40, 1), (40, 3), (150, 2)] {
            let rows = random(k, links, &mut next);
            let x: Vec<DVec3> = (0..k).map(|_| DVec3::new(next(), next(), next())).collect();
            let mut b = times(&rows, &x);
            Fronts::new(&rows, SmallPivots::Lifted(1e-15)).unwrap().solve(&mut b);
            let error = b.iter().zip(&x).fold(0.0_f64, |e, (b, x)| e.max((*b - *x).length()));
            assert!(error < 1e-9, "{k} {links}: {error:e}");
        }
        assert!(Fronts::new(&[vec![(0, DMat3::NAN)]], SmallPivots::Lifted(0.0)).is_none());
    }

    #[test]
    fn what_a_singular_matrix_does_not_reach_is_left_alone() {
        // Two contacts that are one: the second direction of each is redundant.
        let block = DMat3::from_diagonal(DVec3::new(2.0, 1.0, 0.0));
        let rows = vec![vec![(0, block), (1, block)], vec![(0, block), (1, block)]];
        let mut b = times(&rows, &[DVec3::ONE, DVec3::ZERO]);
        Fronts::new(&rows, SmallPivots::Dropped(1e-12)).unwrap().solve(&mut b);
        let u = times(&rows, &b);
        assert!((u[0] - DVec3::new(2.0, 1.0, 0.0)).length() < 1e-12 && b.iter().all(|b| b.z.abs() < 1e-12), "{b:?}");
    }

    #[test]
    fn the_sign_of_the_determinant_turns_with_every_row_that_does() {
        let mut next = noise(5);
        for k in [1, 2, 9, 40] {
            let identity: Vec<BlockRow> = (0..k).map(|i| vec![(i, DMat3::IDENTITY)]).collect();
            assert!(!Fronts::new(&identity, SmallPivots::Lifted(0.0)).unwrap().is_negative());
            let rows = random(k, 2, &mut next);
            let sign = |rows: &[BlockRow]| Fronts::new(rows, SmallPivots::Lifted(0.0)).unwrap().is_negative();
            let with = |at: usize, change: DMat3| -> Vec<BlockRow> {
                let of = |i: usize, b: DMat3| if i == at { change * b } else { b };
                rows.iter().enumerate().map(|(i, r)| r.iter().map(|&(j, b)| (j, of(i, b))).collect()).collect()
            };
            // One row of a contact turned round, two of its rows exchanged, and one row added to another.
            let turned = DMat3::from_diagonal(DVec3::new(1.0, -1.0, 1.0));
            let exchanged = DMat3::from_cols(DVec3::Y, DVec3::X, DVec3::Z);
            let added = DMat3::from_cols(DVec3::new(1.0, 0.0, 1.0), DVec3::Y, DVec3::Z);
            for at in [0, k / 2, k - 1] {
                assert_ne!(sign(&with(at, turned)), sign(&rows), "{k} {at}");
                assert_ne!(sign(&with(at, exchanged)), sign(&rows), "{k} {at}");
                assert_eq!(sign(&with(at, added)), sign(&rows), "{k} {at}");
            }
        }
    }
}
