//! Who works when: groups of runs over slabs of the output fields, in parallel where they do not meet.

use super::runs::{Group, Layout};
use rayon::prelude::*;

/// Fewer slots than this are not worth waking other threads.
const WORTH_THREADS: usize = 8192;

/// Calls `work` for every group with the part of `fields` it may write; the results are in a fixed order.
///
/// Every element receives first what its slab gives, then what its border gives, then the rest, whatever the number of threads.
pub(super) fn sweep<const N: usize, T: Send>(
    layout: &Layout,
    mut fields: [&mut [f64]; N],
    work: impl Fn(&Group, &mut [&mut [f64]; N]) -> T + Sync,
) -> Vec<T> {
    let mut results = if layout.slot_count >= WORTH_THREADS && rayon::current_num_threads() > 1 {
        let mut results = together(&layout.slabs, &mut fields, &work);
        results.extend(together(&layout.borders, &mut fields, &work));
        results
    } else {
        in_turn(layout, &mut fields, &work)
    };
    results.extend(layout.far.iter().map(|group| work(group, &mut part(&mut fields, group))));
    results
}

/// Groups whose windows do not meet, at once.
fn together<const N: usize, T: Send>(
    groups: &[Group],
    fields: &mut [&mut [f64]; N],
    work: &(impl Fn(&Group, &mut [&mut [f64]; N]) -> T + Sync),
) -> Vec<T> {
    let mut parts = cut(groups, fields);
    groups.par_iter().zip(parts.par_iter_mut()).map(|(group, part)| work(group, part)).collect()
}

/// The windows of all groups, which ascend and do not meet.
fn cut<'a, const N: usize>(groups: &[Group], fields: &'a mut [&mut [f64]; N]) -> Vec<[&'a mut [f64]; N]> {
    let mut rest = fields.each_mut().map(|f| &mut **f);
    let mut done = 0;
    let mut parts = Vec::with_capacity(groups.len());
    for group in groups {
        let length = group.end - group.begin;
        let mut pieces = rest.map(|f| f.split_at_mut(group.begin - done).1.split_at_mut(length));
        parts.push(pieces.each_mut().map(|(head, _)| std::mem::take(head)));
        rest = pieces.map(|(_, tail)| tail);
        done = group.end;
    }
    parts
}

/// Slabs and borders one after the other: a border as soon as both its slabs are done, while they are in the cache.
fn in_turn<const N: usize, T>(
    layout: &Layout,
    fields: &mut [&mut [f64]; N],
    work: &impl Fn(&Group, &mut [&mut [f64]; N]) -> T,
) -> Vec<T> {
    let mut results = Vec::with_capacity(layout.slabs.len() + layout.borders.len());
    let mut of_borders = Vec::with_capacity(layout.borders.len());
    for (s, slab) in layout.slabs.iter().enumerate() {
        results.push(work(slab, &mut part(fields, slab)));
        if let Some(border) = s.checked_sub(1).and_then(|s| layout.borders.get(s)) {
            of_borders.push(work(border, &mut part(fields, border)));
        }
    }
    results.extend(of_borders);
    results
}

/// The elements of `group` in every field.
fn part<'a, const N: usize>(fields: &'a mut [&mut [f64]; N], group: &Group) -> [&'a mut [f64]; N] {
    fields.each_mut().map(|f| &mut f[group.begin..group.end])
}
