//! One component of the free elements, a block at a time: `v⁺ = v + (f + d + l) h/m`, `x⁺ = x + h v`, and sums by the way.

use crate::linear::lanes::{Lanes, WIDTH};

/// What pushes the free elements of a chunk along one axis; `damping` and `load` are empty where there are none.
pub struct Pushes<'a> {
    /// Masses [kg], zero for elements of aggregates, which are left alone.
    pub mass: &'a [f64],
    /// Forces of springs, cells, gravity and contact [N].
    pub force: &'a [f64],
    /// Forces of dampers and drag [N].
    pub damping: &'a [f64],
    /// Forces of loads and grabs [N].
    pub load: &'a [f64],
    /// For how long [s].
    pub h: f64,
}

/// Sums over a chunk, of one component.
#[derive(Clone, Copy, Debug, Default)]
pub struct Component {
    /// `Σ m v²` after the kick [J].
    pub twice_kinetic: f64,
    /// `Σ m v` after the kick [kg m/s].
    pub momentum: f64,
    /// `Σ d (v + v⁺)` of dampers [W].
    pub damping: f64,
    /// `Σ l (v + v⁺)` of loads [W].
    pub load: f64,
}

impl Pushes<'_> {
    /// Changes the velocities `v` [m/s].
    pub fn kick(&self, v: &mut [f64]) -> Component {
        let (mut blocks, mut singles) = ([Lanes::<WIDTH>::splat(0.0); 4], [Lanes::<1>::splat(0.0); 4]);
        let whole = v.len() - v.len() % WIDTH;
        for at in (0..whole).step_by(WIDTH) {
            self.kick_block(v, at, &mut blocks);
        }
        for at in whole..v.len() {
            self.kick_block(v, at, &mut singles);
        }
        let sum = |k: usize| blocks[k].sum() + singles[k].sum();
        Component { twice_kinetic: sum(0), momentum: sum(1), damping: sum(2), load: sum(3) }
    }

    #[inline(always)]
    fn kick_block<const W: usize>(&self, v: &mut [f64], at: usize, sums: &mut [Lanes<W>; 4]) {
        let of = |field: &[f64]| if field.is_empty() { Lanes::splat(0.0) } else { Lanes::load(field, at) };
        let (m, old) = (Lanes::<W>::load(self.mass, at), Lanes::load(v, at));
        let (damping, load) = (of(self.damping), of(self.load));
        let per_mass = (Lanes::splat(self.h) / m).where_positive(m);
        let new = old + (Lanes::load(self.force, at) + damping + load) * per_mass;
        new.store(v, at);
        let twice_mean = (old + new).where_positive(m);
        sums[0] += m * new * new;
        sums[1] += m * new;
        sums[2] += damping * twice_mean;
        sums[3] += load * twice_mean;
    }
}

/// Moves the free elements of a chunk along one axis, `x⁺ = x + h v`; returns `Σ m x⁺` [kg m].
pub fn drift(mass: &[f64], v: &[f64], h: f64, x: &mut [f64]) -> f64 {
    let (mut blocks, mut singles) = (Lanes::<WIDTH>::splat(0.0), Lanes::<1>::splat(0.0));
    let whole = x.len() - x.len() % WIDTH;
    for at in (0..whole).step_by(WIDTH) {
        drift_block(mass, v, h, x, at, &mut blocks);
    }
    for at in whole..x.len() {
        drift_block(mass, v, h, x, at, &mut singles);
    }
    blocks.sum() + singles.sum()
}

#[inline(always)]
fn drift_block<const W: usize>(mass: &[f64], v: &[f64], h: f64, x: &mut [f64], at: usize, moment: &mut Lanes<W>) {
    let m = Lanes::load(mass, at);
    let new = Lanes::load(x, at) + (Lanes::splat(h) * Lanes::load(v, at)).where_positive(m);
    new.store(x, at);
    *moment += m * new;
}
