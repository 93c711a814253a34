//! Work on long arrays in chunks of fixed size, on several threads where it is worth it: the same bits for any number of them.

use crate::linear::wide::wide;
use rayon::prelude::*;
use std::ops::Range;

/// Numbers in a chunk: it fits the nearest cache, and two threads share 27 k elements evenly.
pub const CHUNK: usize = 2048;

/// Fewer numbers than this are not worth waking other threads.
const WORTH_THREADS: usize = 4 * CHUNK;

/// What `work` makes of every chunk of `0..n`, in order.
pub fn map_ranges<T: Send>(n: usize, work: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
    let range = |c: usize| c * CHUNK..n.min((c + 1) * CHUNK);
    let count = n.div_ceil(CHUNK);
    if is_worth_threads(n) {
        (0..count).into_par_iter().map(|c| work(range(c))).collect()
    } else {
        (0..count).map(|c| work(range(c))).collect()
    }
}

/// What `work` makes of every chunk of fields of equal length, given with the place of its first number; in order.
pub fn map_chunks<const N: usize, T: Send>(
    fields: [&mut [f64]; N],
    work: impl Fn(usize, [&mut [f64]; N]) -> T + Sync,
) -> Vec<T> {
    let n = fields.first().map_or(0, |f| f.len());
    let mut chunks = fields.map(|f| f.chunks_mut(CHUNK));
    let parts = (0..n.div_ceil(CHUNK)).map(|c| (c * CHUNK, chunks.each_mut().map(|f| f.next().unwrap_or_default())));
    if is_worth_threads(n) {
        let parts: Vec<_> = parts.collect();
        parts.into_par_iter().map(|(first, part)| work(first, part)).collect()
    } else {
        parts.map(|(first, part)| work(first, part)).collect()
    }
}

/// As `map_chunks`, where nothing comes out.
pub fn for_chunks<const N: usize>(fields: [&mut [f64]; N], work: impl Fn(usize, [&mut [f64]; N]) + Sync) {
    sum_chunks(fields, |first, part| {
        work(first, part);
        []
    });
}

/// The sums of what `work` makes of every chunk, added in the order of the chunks; few numbers allocate nothing.
pub fn sum_chunks<const N: usize, const S: usize>(
    fields: [&mut [f64]; N],
    work: impl Fn(usize, [&mut [f64]; N]) -> [f64; S] + Sync,
) -> [f64; S] {
    let n = fields.first().map_or(0, |f| f.len());
    let add = |sums: [f64; S], part: [f64; S]| std::array::from_fn(|s| sums[s] + part[s]);
    if is_worth_threads(n) {
        return map_chunks(fields, work).into_iter().fold([0.0; S], add);
    }
    let mut chunks = fields.map(|f| f.chunks_mut(CHUNK));
    (0..n.div_ceil(CHUNK)).fold([0.0; S], |sums, c| {
        let part = chunks.each_mut().map(|f| f.next().unwrap_or_default());
        add(sums, work(c * CHUNK, part))
    })
}

/// The sums of what `work` makes of every chunk of `0..n`, added in their order; few numbers allocate nothing.
pub fn sum_ranges<const S: usize>(n: usize, work: impl Fn(Range<usize>) -> [f64; S] + Sync) -> [f64; S] {
    let add = |sums: [f64; S], part: [f64; S]| std::array::from_fn(|s| sums[s] + part[s]);
    if is_worth_threads(n) {
        return map_ranges(n, work).into_iter().fold([0.0; S], add);
    }
    (0..n).step_by(CHUNK).map(|first| work(first..n.min(first + CHUNK))).fold([0.0; S], add)
}

/// True if arrays of this length are shared among threads.
pub(crate) fn is_worth_threads(n: usize) -> bool {
    n >= WORTH_THREADS && rayon::current_num_threads() > 1
}

/// `y += s x`.
pub fn add_scaled(y: &mut [f64], s: f64, x: &[f64]) {
    map_chunks([y], |first, [y]| {
        for (y, x) in y.iter_mut().zip(&x[first..]) {
            *y += s * x;
        }
    });
}

/// `y_i = m_i x_i` for as many as there are of `m`.
pub fn scale_into(m: &[f64], x: &[f64], y: &mut [f64]) {
    for_chunks([&mut y[..m.len()]], |first, [y]| {
        let (m, x) = (&m[first..first + y.len()], &x[first..first + y.len()]);
        wide(|| y.iter_mut().zip(m).zip(x).for_each(|((y, m), x)| *y = m * x));
    });
}

/// `y = 0`.
pub fn clear(y: &mut [f64]) {
    map_chunks([y], |_, [y]| y.fill(0.0));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_in_one_chunk_whatever_the_number_of_threads() {
        for n in [0, 1, CHUNK, CHUNK + 1, WORTH_THREADS, 5 * WORTH_THREADS + 3] {
            let with = |threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a small pool");
                pool.install(|| {
                    let mut y: Vec<f64> = (0..n).map(|k| k as f64).collect();
                    let x = y.clone();
                    add_scaled(&mut y, -2.0, &x);
                    let sums = map_ranges(n, |r| r.len()).into_iter().sum::<usize>();
                    (y, sums)
                })
            };
            let expected: Vec<f64> = (0..n).map(|k| -(k as f64)).collect();
            assert_eq!(with(1), (expected, n));
            assert_eq!(with(1), with(3));
        }
    }
}
