//! Pairs found in any order by any number of workers, brought into the order of (i, j) in linear time.

use rayon::prelude::*;

/// Pairs whose first numbers agree but for this many bits share a bucket: its counters fit the first-level cache.
const BUCKET_BITS: u32 = 12;

/// Runs longer than this are not sorted by insertion.
const LONG_RUN: usize = 16;

/// What one worker found, by bucket of the first number.
#[derive(Debug, Default)]
pub(super) struct Buckets {
    buckets: Vec<Vec<(u32, u32)>>,
}

impl Buckets {
    /// Empty buckets for numbers below `n`.
    pub fn clear(&mut self, n: usize) {
        self.buckets.iter_mut().for_each(Vec::clear);
        self.buckets.resize_with(bucket_count(n), Vec::new);
    }

    /// Adds a pair `i < j`.
    #[inline]
    pub fn push(&mut self, i: u32, j: u32) {
        self.buckets[(i >> BUCKET_BITS) as usize].push((i, j));
    }
}

fn bucket_count(n: usize) -> usize {
    n.div_ceil(1 << BUCKET_BITS)
}

/// Gathers the pairs of all workers, for numbers below `n`, sorted by (i, j).
pub(super) fn gather(found: &[Buckets], n: usize, pairs: &mut Vec<(u32, u32)>) {
    let sizes: Vec<usize> =
        (0..bucket_count(n)).map(|b| found.iter().map(|worker| worker.buckets[b].len()).sum()).collect();
    pairs.resize(sizes.iter().sum(), (0, 0));
    let mut rest = pairs.as_mut_slice();
    let mut slices = Vec::with_capacity(sizes.len());
    for size in sizes {
        let (slice, behind) = rest.split_at_mut(size);
        slices.push(slice);
        rest = behind;
    }
    slices.into_par_iter().enumerate().for_each(|(bucket, slice)| sort_bucket(found, bucket, slice));
}

/// Counting sort by i, then each run of equal i by j.
fn sort_bucket(found: &[Buckets], bucket: usize, sorted: &mut [(u32, u32)]) {
    let first = (bucket << BUCKET_BITS) as u32;
    let mut ends = [0u32; 1 << BUCKET_BITS];
    let all = || found.iter().flat_map(|worker| &worker.buckets[bucket]);
    all().for_each(|&(i, _)| ends[(i - first) as usize] += 1);
    let mut start = 0;
    for end in &mut ends {
        start += std::mem::replace(end, start);
    }
    for &(i, j) in all() {
        let end = &mut ends[(i - first) as usize];
        sorted[*end as usize] = (i, j);
        *end += 1;
    }
    let mut start = 0;
    for end in ends {
        sort_run(&mut sorted[start..end as usize]);
        start = end as usize;
    }
}

/// Sorts by j; in bodies numbered along a lattice a run is short and almost sorted as it comes.
#[inline]
fn sort_run(run: &mut [(u32, u32)]) {
    if run.len() > LONG_RUN {
        return run.sort_unstable_by_key(|pair| pair.1);
    }
    for k in 1..run.len() {
        let pair = run[k];
        let mut place = k;
        while place > 0 && run[place - 1].1 > pair.1 {
            run[place] = run[place - 1];
            place -= 1;
        }
        run[place] = pair;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_come_out_in_order_whoever_found_them() {
        let expected: Vec<(u32, u32)> =
            (0..9000u32).step_by(3).flat_map(|i| (1..4).map(move |k| (i, i + k * (1 + i % 7)))).collect();
        let mut found = [Buckets::default(), Buckets::default()];
        found.iter_mut().for_each(|worker| worker.clear(9100));
        for (k, &(i, j)) in expected.iter().rev().enumerate() {
            found[k * k % 3 % 2].push(i, j);
        }
        let mut pairs = vec![(7, 7)];
        gather(&found, 9100, &mut pairs);
        assert_eq!(pairs, expected);
    }
}
