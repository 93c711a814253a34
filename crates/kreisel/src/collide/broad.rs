//! Which boxes overlap: a wrapping grid over two axes, sorted along the third; what spans many cells is compared with all.

use crate::linear::room;
use glamx::DVec3;

/// A box that spans more cells than this along an axis is compared with all others instead.
const MOST_CELLS: f64 = 6.0;

/// Cells per axis of the wrapping grid at least: more than any box spans, so that no box meets itself.
const LEAST_GRID: usize = 16;

/// A box in the order of its lower end along the sweep, with its number.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    low: DVec3,
    high: DVec3,
    index: u32,
    movable: bool,
}

impl Entry {
    fn overlaps(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && self.high.cmpge(other.low).all() && (self.movable || other.movable)
    }
}

/// Memory of the broad phase, to be used again.
#[derive(Debug, Default)]
pub struct Broad {
    entries: Vec<Entry>,
    large: Vec<Entry>,
    keys: Vec<(u64, u32)>,
    /// Boxes in the order of the sweep the last time.
    order: Vec<u32>,
    seen: Vec<bool>,
    sizes: Vec<f64>,
    cells: Vec<[i64; 4]>,
    starts: Vec<u32>,
    members: Vec<u32>,
    found: Vec<(u32, u32)>,
    /// How many were found the last time.
    expected: usize,
    counts: Vec<u32>,
}

/// Overlapping pairs `(i, j)`, `i < j`, in order, of axis-parallel boxes (low, high) [m], except pairs in which neither is movable.
/// Boxes that are no boxes (NaN, reversed) overlap nothing.
pub fn pairs(boxes: &[(DVec3, DVec3)], movable: &[bool], out: &mut Vec<(u32, u32)>) {
    Broad::default().update(boxes, movable, out);
}

/// The grid: which axes, and the size of the cells.
struct Layout {
    sweep: usize,
    axes: [usize; 2],
    cell: f64,
    side: usize,
}

impl Broad {
    /// The same as [`pairs`], without asking for memory again. `out` is cleared first.
    pub fn update(&mut self, boxes: &[(DVec3, DVec3)], movable: &[bool], out: &mut Vec<(u32, u32)>) {
        self.found.reserve_exact(room(self.expected));
        let layout = self.layout(boxes);
        self.sort_out(boxes, movable, &layout);
        self.fill_cells(&layout);
        self.sweep_cells(&layout);
        self.compare_large();
        self.hand_over(boxes.len(), out);
        // The list is as long as that which is handed over, and makes room.
        self.expected = self.found.len();
        self.found = Vec::new();
    }

    /// Sweeps along the axis over which the boxes spread most; cells as wide as three quarters of the boxes.
    fn layout(&mut self, boxes: &[(DVec3, DVec3)]) -> Layout {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        self.sizes.clear();
        for (l, h) in boxes.iter().filter(|(l, h)| l.is_finite() && h.is_finite()) {
            let middle = (*l + *h) / 2.0;
            (low, high) = (low.min(middle), high.max(middle));
            self.sizes.push((*h - *l).max_element());
        }
        let sweep = (high - low).max_position();
        let rank = self.sizes.len() * 3 / 4;
        let cell = match self.sizes.is_empty() {
            true => 1.0,
            false => *self.sizes.select_nth_unstable_by(rank, f64::total_cmp).1,
        };
        let side = (boxes.len() as f64).sqrt() as usize;
        let axes = [(sweep + 1) % 3, (sweep + 2) % 3];
        let cell = if cell > 0.0 { cell } else { 1.0 };
        Layout { sweep, axes, cell, side: side.next_power_of_two().clamp(LEAST_GRID, 1024) }
    }

    /// Large boxes apart, the others in the order of the sweep.
    fn sort_out(&mut self, boxes: &[(DVec3, DVec3)], movable: &[bool], layout: &Layout) {
        self.large.clear();
        self.keys.clear();
        // In the order of the last time, which is nearly the order of this time.
        self.order.retain(|i| (*i as usize) < boxes.len());
        self.seen.clear();
        self.seen.resize(boxes.len(), false);
        self.order.iter().for_each(|&i| self.seen[i as usize] = true);
        self.order.extend((0..boxes.len() as u32).filter(|&i| !self.seen[i as usize]));
        for i in self.order.iter().map(|&i| i as usize) {
            let (low, high) = boxes[i];
            if !low.cmple(high).all() {
                continue;
            }
            let wide =
                |axis: usize| high[axis] - low[axis] > MOST_CELLS * layout.cell || low[axis].abs() > 1e15 * layout.cell;
            if !(low.is_finite() && high.is_finite()) || layout.axes.iter().any(|&axis| wide(axis)) {
                let movable = movable.get(i).copied().unwrap_or(true);
                self.large.push(Entry { low, high, index: i as u32, movable });
            } else {
                self.keys.push((ordered(low[layout.sweep]), i as u32));
            }
        }
        sort_nearly_sorted(&mut self.keys);
        self.order.clear();
        self.order.extend(self.keys.iter().map(|&(_, i)| i));
        self.entries.clear();
        self.entries.extend(self.keys.iter().map(|&(_, i)| {
            let (low, high) = boxes[i as usize];
            Entry { low, high, index: i, movable: movable.get(i as usize).copied().unwrap_or(true) }
        }));
    }

    /// Lists for every cell the boxes that reach into it, in the order of the sweep.
    fn fill_cells(&mut self, layout: &Layout) {
        let per_metre = 1.0 / layout.cell;
        let of = |x: f64| floor(x * per_metre);
        let [a, b] = layout.axes;
        self.cells.clear();
        self.cells.extend(self.entries.iter().map(|e| [of(e.low[a]), of(e.high[a]), of(e.low[b]), of(e.high[b])]));
        self.starts.clear();
        self.starts.resize(layout.side * layout.side + 1, 0);
        for span in &self.cells {
            covered(span, layout.side, |c| self.starts[c] += 1);
        }
        let mut total = 0;
        for start in &mut self.starts {
            total += *start;
            *start = total;
        }
        self.members.clear();
        self.members.resize(total as usize, 0);
        // From the back, so that each cell keeps the order of the sweep.
        for (i, span) in self.cells.iter().enumerate().rev() {
            covered(span, layout.side, |c| {
                self.starts[c] -= 1;
                self.members[self.starts[c] as usize] = i as u32;
            });
        }
    }

    /// Within every cell, neighbours along the sweep. A pair counts in the cell of the greater of the two lower corners only.
    fn sweep_cells(&mut self, layout: &Layout) {
        for c in 0..layout.side * layout.side {
            let members = &self.members[self.starts[c] as usize..self.starts[c + 1] as usize];
            for (k, &m) in members.iter().enumerate() {
                let first = self.entries[m as usize];
                for &n in &members[k + 1..] {
                    let second = &self.entries[n as usize];
                    if second.low[layout.sweep] > first.high[layout.sweep] {
                        break;
                    }
                    if first.overlaps(second) {
                        let (p, q) = (&self.cells[m as usize], &self.cells[n as usize]);
                        if cell(p[0].max(q[0]), p[2].max(q[2]), layout.side) == c {
                            self.found.push(ordered_pair(first.index, second.index));
                        }
                    }
                }
            }
        }
    }

    fn compare_large(&mut self) {
        for (k, large) in self.large.iter().enumerate() {
            let others = self.large[k + 1..].iter().chain(&self.entries);
            let touched = others.filter(|other| large.overlaps(other));
            self.found.extend(touched.map(|other| ordered_pair(large.index, other.index)));
        }
    }

    /// Sorts by counting the first numbers, then by the second within each.
    fn hand_over(&mut self, count: usize, out: &mut Vec<(u32, u32)>) {
        self.counts.clear();
        self.counts.resize(count + 1, 0);
        self.found.iter().for_each(|p| self.counts[p.0 as usize] += 1);
        let mut total = 0;
        for c in &mut self.counts {
            total += *c;
            *c = total;
        }
        out.clear();
        out.reserve_exact(room(self.found.len()));
        out.resize(self.found.len(), (0, 0));
        for &pair in &self.found {
            let place = &mut self.counts[pair.0 as usize];
            *place -= 1;
            out[*place as usize] = pair;
        }
        for i in 0..count {
            let run = self.counts[i] as usize..self.counts[i + 1] as usize;
            out[run].sort_unstable();
        }
    }
}

/// Rounds down; quicker than `f64::floor` where the processor has no instruction for that.
fn floor(x: f64) -> i64 {
    let whole = x as i64;
    whole - i64::from((whole as f64) > x)
}

/// Insertion while that is cheap, else a sort.
fn sort_nearly_sorted(keys: &mut [(u64, u32)]) {
    let mut budget = 8 * keys.len();
    for k in 1..keys.len() {
        let key = keys[k];
        let mut at = k;
        while at > 0 && keys[at - 1] > key {
            keys[at] = keys[at - 1];
            at -= 1;
        }
        keys[at] = key;
        budget = budget.saturating_sub(k - at);
        if budget == 0 {
            keys.sort_unstable();
            return;
        }
    }
}

/// Calls `visit` with every cell of a span.
fn covered(span: &[i64; 4], side: usize, mut visit: impl FnMut(usize)) {
    for x in span[0]..=span[1] {
        for y in span[2]..=span[3] {
            visit(cell(x, y, side));
        }
    }
}

/// The grid repeats itself after `side` cells, a power of two.
fn cell(x: i64, y: i64, side: usize) -> usize {
    let wrap = |v: i64| v as usize & (side - 1);
    wrap(x) * side + wrap(y)
}

fn ordered_pair(i: u32, j: u32) -> (u32, u32) {
    (i.min(j), i.max(j))
}

/// A number whose order is that of the float.
fn ordered(x: f64) -> u64 {
    let bits = (x + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}
