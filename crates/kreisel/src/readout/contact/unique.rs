//! Which forces of rigid bodies statics determines: a table on four legs leaves one free.
//!
//! Forces `x` of contacts and joints that press balance what acts on the bodies, `B x = b`: six equations for each body. A
//! single force is unique exactly if it is zero in every `z` with `B z = 0`. Columns are reduced by Gauss and Jordan: a
//! column that is a combination of others is free, and so are those that it needs. Forces that the friction law bounds
//! strictly can be changed a little in every such direction, so none is called unique that is not.

use glamx::DVec3;

/// A column that leaves less than this share of itself is a combination of others [1].
const DEPENDENT: f64 = 1e-9;
/// Unknowns of an island at most: more are not looked at.
const MOST_UNKNOWNS: usize = 900;

/// Whether statics determines the force of a contact. `None`: nobody has looked, because too many bodies lean on each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unique {
    /// The push along the normal.
    pub push: Option<bool>,
    /// The friction across it, and torques.
    pub friction: Option<bool>,
}

impl Unique {
    /// Determined by springs, or because nothing presses.
    pub const YES: Self = Self { push: Some(true), friction: Some(true) };
}

/// A force or torque of unknown size between two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unknown {
    /// The bodies; `None`: the world.
    pub between: [Option<u32>; 2],
    /// Force on the first [1], and torque about the centre of each [m].
    pub force: DVec3,
    /// Torque about the centre of the first, and of the second [m].
    pub torque: [DVec3; 2],
}

/// For each unknown whether it is determined; `None` where the island is too large.
pub fn determined(unknowns: &[Unknown]) -> Vec<Option<bool>> {
    let mut answers = vec![None; unknowns.len()];
    for island in islands(unknowns) {
        if island.len() > MOST_UNKNOWNS {
            continue;
        }
        let own: Vec<&Unknown> = island.iter().map(|&k| &unknowns[k]).collect();
        let found = independent(&columns(&own));
        island.iter().zip(found).for_each(|(&k, yes)| answers[k] = Some(yes));
    }
    answers
}

/// Unknowns that hang together through bodies.
fn islands(unknowns: &[Unknown]) -> Vec<Vec<usize>> {
    let most = unknowns.iter().flat_map(|u| u.between).flatten().max().map_or(0, |b| b as usize + 1);
    let mut parent: Vec<usize> = (0..most).collect();
    let root = |parent: &[usize], mut k: usize| {
        while parent[k] != k {
            k = parent[k];
        }
        k
    };
    for u in unknowns {
        if let [Some(a), Some(b)] = u.between {
            let (a, b) = (root(&parent, a as usize), root(&parent, b as usize));
            parent[a.max(b)] = a.min(b);
        }
    }
    let mut own: Vec<Vec<usize>> = vec![Vec::new(); most];
    for (k, u) in unknowns.iter().enumerate() {
        if let Some(b) = u.between.into_iter().flatten().next() {
            own[root(&parent, b as usize)].push(k);
        }
    }
    own.retain(|i| !i.is_empty());
    own
}

/// The columns of `B`, six rows for each body, each column of length one; torques over a length, so that they compare.
fn columns(unknowns: &[&Unknown]) -> Vec<Vec<f64>> {
    let mut bodies: Vec<u32> = unknowns.iter().flat_map(|u| u.between).flatten().collect();
    bodies.sort_unstable();
    bodies.dedup();
    let reach = |u: &&Unknown| u.torque[0].length().max(u.torque[1].length());
    let length = unknowns.iter().map(reach).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let column = |u: &&Unknown| {
        let mut column = vec![0.0; 6 * bodies.len()];
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let Some(at) = u.between[side].and_then(|b| bodies.binary_search(&b).ok()) else { continue };
            let parts = [u.force.to_array(), (u.torque[side] / length).to_array()];
            parts.as_flattened().iter().enumerate().for_each(|(k, x)| column[6 * at + k] += sign * x);
        }
        let size = column.iter().map(|x| x * x).sum::<f64>().sqrt().max(f64::MIN_POSITIVE);
        column.iter_mut().for_each(|x| *x /= size);
        column
    };
    unknowns.iter().map(column).collect()
}

/// Which columns no combination that gives zero has a part in.
fn independent(columns: &[Vec<f64>]) -> Vec<bool> {
    let mut reduced: Vec<Vec<f64>> = columns.to_vec();
    let mut taken = vec![false; columns.first().map_or(0, Vec::len)];
    let mut pivots: Vec<Option<usize>> = Vec::with_capacity(columns.len());
    for k in 0..columns.len() {
        let size = |row: &usize| reduced[k][*row].abs();
        let free = (0..taken.len()).filter(|&row| !taken[row]);
        let pivot = free.max_by(|a, b| size(a).total_cmp(&size(b))).filter(|row| size(row) > DEPENDENT);
        if let Some(row) = pivot {
            taken[row] = true;
            eliminate(&mut reduced, k, row);
        }
        pivots.push(pivot);
    }
    let loose: Vec<&Vec<f64>> = reduced.iter().zip(&pivots).filter(|(_, p)| p.is_none()).map(|(c, _)| c).collect();
    let alone = |row: usize| loose.iter().all(|column| column[row].abs() <= DEPENDENT);
    pivots.iter().map(|pivot| pivot.is_some_and(alone)).collect()
}

/// Row operations on all columns that leave of column `k` a one in row `pivot`.
fn eliminate(columns: &mut [Vec<f64>], k: usize, pivot: usize) {
    let own = std::mem::take(&mut columns[k]);
    for column in columns.iter_mut().filter(|c| !c.is_empty() && c[pivot] != 0.0) {
        let share = column[pivot] / own[pivot];
        for (x, y) in column.iter_mut().zip(&own) {
            *x -= share * y;
        }
        column[pivot] = share;
    }
    let mut one = own;
    one.iter_mut().enumerate().for_each(|(row, x)| *x = if row == pivot { 1.0 } else { 0.0 });
    columns[k] = one;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn legs(places: &[(f64, f64)], directions: &[DVec3]) -> Vec<Unknown> {
        let leg = |&(x, y): &(f64, f64)| {
            let arm = DVec3::new(x, y, -1.0);
            let unknown = |&force: &DVec3| Unknown { between: [Some(7), None], force, torque: [arm.cross(force); 2] };
            directions.iter().map(unknown).collect::<Vec<_>>()
        };
        places.iter().flat_map(leg).collect()
    }

    #[test]
    fn a_table_on_three_legs_is_determined_and_on_four_it_is_not() {
        let three = [(1.0, 0.0), (-0.5, 0.8), (-0.5, -0.8)];
        assert_eq!(determined(&legs(&three, &[DVec3::Z])), vec![Some(true); 3]);
        let four = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
        assert_eq!(determined(&legs(&four, &[DVec3::Z])), vec![Some(false); 4]);
    }

    #[test]
    fn three_legs_that_grip_bear_known_weights_but_may_brace_each_other() {
        let three = [(1.0, 0.0), (-0.5, 0.8), (-0.5, -0.8)];
        let found = determined(&legs(&three, &[DVec3::Z, DVec3::X, DVec3::Y]));
        for leg in found.chunks(3) {
            assert_eq!(leg[0], Some(true));
            assert!(leg[1..].contains(&Some(false)), "{found:?}");
        }
    }

    #[test]
    fn a_lone_leg_beside_a_wobbly_table_is_still_determined() {
        let four = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
        let mut all = legs(&four, &[DVec3::Z]);
        // A cup stands on the table, on one point.
        let arm = DVec3::new(0.1, 0.2, 0.3);
        all.push(Unknown { between: [Some(9), Some(7)], force: DVec3::Z, torque: [DVec3::ZERO, arm.cross(DVec3::Z)] });
        assert_eq!(determined(&all)[4], Some(true));
        assert_eq!(determined(&all)[0], Some(false));
    }
}
