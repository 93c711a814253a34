//! Connections sorted into runs: neighbours `(i, i + offset)` with consecutive `i`, so that the kernel needs no gathers.
//!
//! Elements are cut into slabs of equal size. Connections inside a slab come first (all slabs may work at once), then those
//! that cross one border between slabs (all borders may work at once, their windows do not meet), then the few that
//! reach farther. Inside each of these groups connections go by tile of elements, offset and element, which keeps what is
//! touched in the cache. The order depends on the set of connections only.

use super::Spring;

/// Elements in a tile: all their connections are done before the next tile, while the data is near.
const TILE: usize = 256;
/// Elements in a slab at least, so that a slab is worth a task.
const SMALLEST_SLAB: usize = 1024;
/// Slabs at most: more give no better balance and more borders.
const MOST_SLABS: usize = 32;
/// A hole of at most so many elements in a run is filled with connections of no stiffness …
const LARGEST_HOLE: u32 = 4;
/// … if the run before it is at least so many times longer. Row ends of lattices are such holes.
const RUN_PER_HOLE: u32 = 4;
/// The slot of a connection that has none.
pub(super) const NOWHERE: u32 = u32::MAX;

/// Connections `(first + t, first + offset + t)` for `t < count`; their parameters are in slots `slot + t`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Run {
    pub first: u32,
    pub offset: u32,
    pub count: u32,
    pub slot: u32,
}

/// Runs that one task works through in order, writing to elements `begin..end` only.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Group {
    pub begin: usize,
    pub end: usize,
    pub runs: std::ops::Range<usize>,
}

/// Where every connection went.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Layout {
    pub runs: Vec<Run>,
    /// Inside one slab each.
    pub slabs: Vec<Group>,
    /// Across the border after slab 0, 1, ….
    pub borders: Vec<Group>,
    /// Everything else.
    pub far: Option<Group>,
    /// Of connection 0, 1, … as given: its slot, or `NOWHERE`.
    pub slots: Vec<u32>,
    /// Slots in all, filled holes included.
    pub slot_count: usize,
}

/// The two elements in ascending order, if they are two and both exist.
fn ends(elements: usize, spring: &Spring) -> Option<(usize, usize)> {
    let (i, j) = (spring.e1.min(spring.e2) as usize, spring.e1.max(spring.e2) as usize);
    (i < j && j < elements).then_some((i, j))
}

/// The cut into slabs and tiles.
struct Cut {
    elements: usize,
    slab: usize,
    slabs: usize,
    tiles_per_slab: usize,
}

impl Cut {
    /// Slabs at least twice as long as the largest offset (a border's window is half a slab to either side), leaving out of
    /// account offsets over an eighth of all elements: they would leave too few slabs.
    fn new(elements: usize, count: usize, spring: &impl Fn(usize) -> Spring) -> Self {
        let offsets = (0..count).filter_map(|s| ends(elements, &spring(s))).map(|(i, j)| j - i);
        let reach = offsets.filter(|o| *o <= elements / 8).max().unwrap_or(0);
        let least = (2 * reach).max(SMALLEST_SLAB).max(elements.div_ceil(MOST_SLABS));
        let slabs = (elements / least).max(1);
        let slab = elements.div_ceil(slabs).next_multiple_of(2).max(2);
        Self { elements, slab, slabs: elements.div_ceil(slab).max(1), tiles_per_slab: slab.div_ceil(TILE) }
    }

    fn buckets(&self) -> usize {
        3 * self.slabs * self.tiles_per_slab
    }

    /// The tile of a connection, counted through slabs, then borders, then the rest.
    fn bucket(&self, i: usize, j: usize) -> usize {
        let s = i / self.slab;
        let tile = s * self.tiles_per_slab + (i - s * self.slab) / TILE;
        let window = self.border_window(s);
        if j / self.slab == s {
            tile
        } else if window.contains(&i) && window.contains(&j) {
            tile + self.buckets() / 3
        } else {
            tile + 2 * (self.buckets() / 3)
        }
    }

    /// Half a slab to either side of the border after slab `s`.
    fn border_window(&self, s: usize) -> std::ops::Range<usize> {
        let middle = (s + 1) * self.slab;
        middle - self.slab / 2..(middle + self.slab / 2).min(self.elements)
    }

    /// Elements that group `g` (slabs, borders, rest) may write.
    fn window(&self, g: usize) -> std::ops::Range<usize> {
        if g < self.slabs {
            g * self.slab..((g + 1) * self.slab).min(self.elements)
        } else {
            self.border_window(g - self.slabs)
        }
    }
}

impl Layout {
    /// Sorts `count` connections among `elements` elements.
    pub fn new(elements: usize, count: usize, spring: &impl Fn(usize) -> Spring) -> Self {
        let cut = Cut::new(elements, count, spring);
        let (order, bounds) = sort_into_buckets(&cut, count, spring);
        let mut layout = Self { slots: vec![NOWHERE; count], ..Self::default() };
        let mut run_bounds = vec![0; cut.buckets() + 1];
        let mut sorted = Vec::new();
        for b in 0..cut.buckets() {
            sort_bucket(&cut, &order[bounds[b]..bounds[b + 1]], spring, &mut sorted);
            layout.append_runs(&sorted);
            run_bounds[b + 1] = layout.runs.len();
        }
        layout.runs.shrink_to_fit();
        layout.form_groups(&cut, &run_bounds);
        layout
    }

    /// Appends the runs of one bucket, whose connections are given by offset, first element.
    fn append_runs(&mut self, sorted: &[Entry]) {
        let mut open: Option<Run> = None;
        for entry in sorted {
            let run = match open {
                Some(run) if continues(&run, entry) => Run { count: entry.first - run.first + 1, ..run },
                _ => {
                    self.close(open);
                    Run { first: entry.first, offset: entry.offset, count: 1, slot: self.slot_count as u32 }
                }
            };
            self.slots[entry.index as usize] = run.slot + run.count - 1;
            open = Some(run);
        }
        self.close(open);
    }

    fn close(&mut self, run: Option<Run>) {
        if let Some(run) = run {
            self.slot_count += run.count as usize;
            self.runs.push(run);
        }
    }

    fn form_groups(&mut self, cut: &Cut, run_bounds: &[usize]) {
        let tiles = cut.tiles_per_slab;
        let group = |g: usize| {
            let window = cut.window(g);
            Group { begin: window.start, end: window.end, runs: run_bounds[g * tiles]..run_bounds[(g + 1) * tiles] }
        };
        self.slabs = (0..cut.slabs).map(group).collect();
        self.borders = (cut.slabs..2 * cut.slabs - 1).map(group).collect();
        let far = run_bounds[2 * cut.slabs * tiles]..self.runs.len();
        self.far = (!far.is_empty()).then_some(Group { begin: 0, end: cut.elements, runs: far });
    }
}

/// A connection while it is sorted.
#[derive(Clone, Copy)]
struct Entry {
    offset: u32,
    first: u32,
    index: u32,
}

/// True if the connection may be appended to the run.
fn continues(run: &Run, entry: &Entry) -> bool {
    let next = run.first + run.count;
    if entry.offset != run.offset || entry.first < next {
        return false;
    }
    let hole = entry.first - next;
    hole == 0 || (hole <= LARGEST_HOLE && hole * RUN_PER_HOLE <= run.count)
}

/// Indices of all valid connections by bucket, and where each bucket begins.
fn sort_into_buckets(cut: &Cut, count: usize, spring: &impl Fn(usize) -> Spring) -> (Vec<u32>, Vec<usize>) {
    let bucket = |s: usize| ends(cut.elements, &spring(s)).map(|(i, j)| cut.bucket(i, j));
    let mut bounds = vec![0; cut.buckets() + 1];
    for b in (0..count).filter_map(bucket) {
        bounds[b + 1] += 1;
    }
    for b in 0..cut.buckets() {
        bounds[b + 1] += bounds[b];
    }
    let mut next = bounds.clone();
    let mut order = vec![0; bounds[cut.buckets()]];
    for s in 0..count {
        if let Some(b) = bucket(s) {
            order[next[b]] = s as u32;
            next[b] += 1;
        }
    }
    (order, bounds)
}

/// Sorts one bucket by offset, element and, for several connections of one pair, parameters.
fn sort_bucket(cut: &Cut, bucket: &[u32], spring: &impl Fn(usize) -> Spring, sorted: &mut Vec<Entry>) {
    sorted.clear();
    for &index in bucket {
        if let Some((i, j)) = ends(cut.elements, &spring(index as usize)) {
            sorted.push(Entry { offset: (j - i) as u32, first: i as u32, index });
        }
    }
    let bits = |e: &Entry| {
        let s = spring(e.index as usize);
        [s.stiffness, s.rest_length, s.damping, s.break_length].map(f64::to_bits)
    };
    sorted.sort_unstable_by(|a, b| (a.offset, a.first).cmp(&(b.offset, b.first)).then_with(|| bits(a).cmp(&bits(b))));
}
