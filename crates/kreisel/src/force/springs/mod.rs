//! Connection springs with central dampers: U = ½ k (d − l)², f_i = −[k (d − l) + c n·(v_i − v_j)] n, f_j = −f_i.
//!
//! With r = x_i − x_j, d = |r| and n = r/d. Both forces are pairwise and along n, so that linear and angular momentum are kept; a
//! damper of the whole relative velocity would brake rotation.
//!
//! Connections are sorted into runs of neighbours with equal index offset, over arrays of components: the kernel loads and
//! stores whole blocks and gathers nothing. The result has the same bits for any number of threads, any order in which the
//! connections were given, and any instruction set.

mod dispatch;
mod forces;
mod kernel;
mod product;
mod runs;
mod stretch;
mod sweep;
mod tangent;
#[cfg(test)]
mod tests;

use crate::linear::Vectors;
pub use dispatch::Instructions;
use kernel::{Components, Input, Slots};
use runs::{Layout, NOWHERE};
use sweep::sweep;
pub use tangent::SpringTangent;

/// One connection as the kernel sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// One element.
    pub e1: u32,
    /// The other.
    pub e2: u32,
    /// Stiffness k [N/m].
    pub stiffness: f64,
    /// Rest length l [m].
    pub rest_length: f64,
    /// Damping c along the connection [N s/m].
    pub damping: f64,
    /// Length beyond which it breaks [m]; infinite: never.
    pub break_length: f64,
}

/// What a pass over all connections finds out by the way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpringSums {
    /// Elastic energy Σ ½ k (d − l)² [J].
    pub energy: f64,
    /// False if no connection is longer than its break length; if true, ask [`SpringRuns::overstretched`] which.
    pub overstretched: bool,
}

/// All connections of a system, sorted for the kernel. The order depends on the set of connections only.
///
/// Fields given to its methods have one vector per element. Two threads or more share the work best if connected elements
/// have near numbers: a lattice is numbered along its longest side last.
#[derive(Clone, Debug, PartialEq)]
pub struct SpringRuns {
    layout: Layout,
    /// Stiffness, rest length and, if there is any, damping, by slot, in one allocation.
    parameters: Vec<f64>,
    /// Numbers from one parameter's first to the next one's.
    stride: usize,
    damped: bool,
    /// Break length by slot [m]; empty if nothing breaks.
    break_length: Vec<f64>,
    /// Of each run, the square of the smallest break length [m²]; empty if nothing breaks.
    limits: Vec<f64>,
    instructions: Instructions,
}

/// Parameter arrays begin on different cache sets: equal page offsets cost 10–20 %.
const STAGGER: usize = 8 * 9;

impl SpringRuns {
    /// Sorts a list of connections among `elements` elements.
    ///
    /// A connection of an element with itself, or with one that does not exist, pulls nothing.
    pub fn build(elements: usize, springs: &[Spring]) -> Self {
        Self::build_with(elements, springs.len(), |s| springs[s])
    }

    /// As `build`, of connections that are not in one list: `spring(s)` for `s < count`, asked several times.
    pub fn build_with(elements: usize, count: usize, spring: impl Fn(usize) -> Spring) -> Self {
        let layout = Layout::new(elements, count, &spring);
        let placed = || (0..count).filter(|&s| layout.slots[s] != NOWHERE).map(&spring);
        let damped = placed().any(|s| s.damping != 0.0);
        let breakable = placed().any(|s| s.break_length < f64::INFINITY);
        let stride = layout.slot_count + STAGGER;
        let mut parameters = vec![0.0; stride * if damped { 3 } else { 2 }];
        let mut break_length = vec![f64::INFINITY; if breakable { layout.slot_count } else { 0 }];
        for (s, &slot) in layout.slots.iter().enumerate().filter(|(_, slot)| **slot != NOWHERE) {
            let (slot, spring) = (slot as usize, spring(s));
            parameters[slot] = spring.stiffness;
            parameters[stride + slot] = spring.rest_length;
            if damped {
                parameters[2 * stride + slot] = spring.damping;
            }
            if breakable {
                break_length[slot] = spring.break_length;
            }
        }
        let limits = stretch::limits(&layout.runs, &break_length);
        let instructions = Instructions::best();
        Self { layout, parameters, stride, damped, break_length, limits, instructions }
    }

    /// Chooses the instructions by hand, to compare them.
    pub fn set_instructions(&mut self, instructions: Instructions) {
        self.instructions = instructions;
    }

    /// Number of connections given.
    pub fn len(&self) -> usize {
        self.layout.slots.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// True if some connection has a damper.
    pub fn is_damped(&self) -> bool {
        self.damped
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        let numbers = self.parameters.capacity() + self.break_length.capacity() + self.limits.capacity();
        let runs = self.layout.runs.capacity() * size_of::<runs::Run>();
        numbers * size_of::<f64>() + self.layout.slots.capacity() * size_of::<u32>() + runs
    }

    /// Adds spring forces to `elastic` and damper forces to `damping` [N], apart because the energy ledger books the work of
    /// each.
    pub fn add_forces(&self, x: &Vectors, v: &Vectors, elastic: &mut Vectors, damping: &mut Vectors) -> SpringSums {
        if !self.damped {
            return self.add_springs(x, elastic);
        }
        let [a, b, c] = components_mut(elastic);
        let [d, e, f] = components_mut(damping);
        let input = self.input(x, v);
        total(sweep(&self.layout, [a, b, c, d, e, f], |group, out| {
            self.instructions.forces::<true, 6>(&input, group, out)
        }))
    }

    /// Adds spring and damper forces to one field [N].
    pub fn add_total_forces(&self, x: &Vectors, v: &Vectors, force: &mut Vectors) -> SpringSums {
        if !self.damped {
            return self.add_springs(x, force);
        }
        let input = self.input(x, v);
        total(sweep(&self.layout, components_mut(force), |group, out| {
            self.instructions.forces::<true, 3>(&input, group, out)
        }))
    }

    fn add_springs(&self, x: &Vectors, force: &mut Vectors) -> SpringSums {
        let input = self.input(x, x);
        total(sweep(&self.layout, components_mut(force), |group, out| {
            self.instructions.forces::<false, 3>(&input, group, out)
        }))
    }

    /// Elastic energy Σ ½ k (d − l)² [J], the same bits as from the force passes.
    pub fn energy(&self, x: &Vectors) -> f64 {
        self.sums(x).energy
    }

    fn sums(&self, x: &Vectors) -> SpringSums {
        let input = self.input(x, x);
        total(sweep(&self.layout, [], |group, out| self.instructions.forces::<false, 0>(&input, group, out)))
    }

    /// Adds the differential of the spring forces at `x`: df += (∂f/∂x) dx = −K dx [N], with dx in metres.
    ///
    /// `semidefinite`: K projected to a positive semidefinite matrix, connection by connection.
    pub fn add_differential(&self, x: &Vectors, dx: &Vectors, semidefinite: bool, df: &mut Vectors) {
        let input = self.input(x, dx);
        sweep(&self.layout, components_mut(df), |group, out| {
            if semidefinite {
                self.instructions.differential::<true>(&input, group, out);
            } else {
                self.instructions.differential::<false>(&input, group, out);
            }
        });
    }

    /// Lets connection `index` (as given to `build`) pull no more: k = c = 0.
    pub fn disable(&mut self, index: u32) {
        let Some(&slot) = self.layout.slots.get(index as usize) else { return };
        if slot == NOWHERE {
            return;
        }
        let slot = slot as usize;
        self.parameters[slot] = 0.0;
        if self.damped {
            self.parameters[2 * self.stride + slot] = 0.0;
        }
    }

    fn slots(&self) -> Slots<'_> {
        let of = |p: usize| &self.parameters[p * self.stride..p * self.stride + self.layout.slot_count];
        Slots { k: of(0), l: of(1), c: if self.damped { of(2) } else { of(1) }, w: of(1) }
    }

    fn input<'a>(&'a self, x: &'a Vectors, v: &'a Vectors) -> Input<'a> {
        Input { runs: &self.layout.runs, limits: &self.limits, slots: self.slots(), x: components(x), v: components(v) }
    }
}

fn components(a: &Vectors) -> Components<'_> {
    [&a.x, &a.y, &a.z]
}

fn components_mut(a: &mut Vectors) -> [&mut [f64]; 3] {
    [&mut a.x, &mut a.y, &mut a.z]
}

/// The sums of all groups, added in their order.
fn total(groups: Vec<SpringSums>) -> SpringSums {
    groups.iter().fold(SpringSums::default(), |sum, group| SpringSums {
        energy: sum.energy + group.energy,
        overstretched: sum.overstretched | group.overstretched,
    })
}
