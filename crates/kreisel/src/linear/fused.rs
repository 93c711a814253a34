//! The vector operations of conjugate gradients, several in one pass: chunk by chunk, the same bits for any number of threads.

use crate::linear::vectors::dot_in_lanes;
use crate::linear::wide::wide;
use crate::linear::{Vectors, chunks};

/// `aᵀ b`.
pub(crate) fn dot(a: &Vectors, b: &Vectors) -> f64 {
    let pairs = [(&a.x, &b.x), (&a.y, &b.y), (&a.z, &b.z)];
    let [sum] = chunks::sum_ranges(a.len(), |range| {
        let [x, y, z] = pairs.map(|(a, b)| (&a[range.clone()], &b[range.clone()]));
        [wide(|| dot_in_lanes(x.0, x.1) + dot_in_lanes(y.0, y.1) + dot_in_lanes(z.0, z.1))]
    });
    sum
}

/// `r ← b − r`, and `rᵀ r`.
pub(crate) fn subtract_from(b: &Vectors, r: &mut Vectors) -> f64 {
    let b = [&b.x, &b.y, &b.z];
    total(chunks::sum_chunks([&mut r.x, &mut r.y, &mut r.z], |first, r| {
        each(r, |c, r| {
            let b = &b[c][first..first + r.len()];
            wide(|| {
                r.iter_mut().zip(b).for_each(|(r, b)| *r = b - *r);
                dot_in_lanes(r, r)
            })
        })
    }))
}

/// `x ← x + s p` and `r ← r − s q`, and `rᵀ r`.
pub(crate) fn advance(x: &mut Vectors, r: &mut Vectors, s: f64, p: &Vectors, q: &Vectors) -> f64 {
    let (p, q) = ([&p.x, &p.y, &p.z], [&q.x, &q.y, &q.z]);
    let fields: [&mut [f64]; 6] = [&mut x.x, &mut x.y, &mut x.z, &mut r.x, &mut r.y, &mut r.z];
    total(chunks::sum_chunks(fields, |first, [x, y, z, u, v, w]| {
        each([x, y, z], |c, x| {
            let p = &p[c][first..first + x.len()];
            wide(|| x.iter_mut().zip(p).for_each(|(x, p)| *x += s * p));
            0.0
        });
        each([u, v, w], |c, r| {
            let q = &q[c][first..first + r.len()];
            wide(|| {
                r.iter_mut().zip(q).for_each(|(r, q)| *r -= s * q);
                dot_in_lanes(r, r)
            })
        })
    }))
}

/// `p ← z + s p`.
pub(crate) fn turn_to(p: &mut Vectors, s: f64, z: &Vectors) {
    let z = [&z.x, &z.y, &z.z];
    chunks::for_chunks([&mut p.x, &mut p.y, &mut p.z], |first, p| {
        each(p, |c, p| {
            let z = &z[c][first..first + p.len()];
            wide(|| p.iter_mut().zip(z).for_each(|(p, z)| *p = s * *p + z));
            0.0
        });
    });
}

#[inline(always)]
fn each(fields: [&mut [f64]; 3], work: impl Fn(usize, &mut [f64]) -> f64) -> [f64; 3] {
    let [x, y, z] = fields;
    [work(0, x), work(1, y), work(2, z)]
}

fn total([x, y, z]: [f64; 3]) -> f64 {
    x + y + z
}
