//! The same bits for any number of threads, any order of input and any instruction set.

use super::*;
use crate::force::springs::Instructions;

const SIZE: [usize; 3] = [17, 12, 60];
const ELEMENTS: usize = SIZE[0] * SIZE[1] * SIZE[2];

/// A lattice long enough for several slabs, and some connections right across it.
fn large_net(random: &mut Random) -> Vec<Spring> {
    let mut springs = lattice(SIZE, random);
    springs.extend(net(ELEMENTS, 500, random));
    springs
}

/// Every result of the kernel as bits.
fn all_bits(runs: &SpringRuns, x: &Vectors, v: &Vectors) -> Vec<u64> {
    let (elastic, damping, energy) = forces(runs, x, v);
    let mut total = Vectors::zeros(x.len());
    runs.add_total_forces(x, v, &mut total);
    let (mut df, mut clamped) = (Vectors::zeros(x.len()), Vectors::zeros(x.len()));
    runs.add_differential(x, v, false, &mut df);
    runs.add_differential(x, v, true, &mut clamped);
    let mut product = Vectors::zeros(x.len());
    runs.tangent(x, 0.3, 0.2, Vec::new()).add_product(v, &mut product);
    let fields = [elastic, damping, total, df, clamped, product];
    fields.iter().flat_map(bits).chain([energy.to_bits(), runs.energy(x).to_bits()]).collect()
}

#[test]
fn the_bits_do_not_depend_on_the_number_of_threads() {
    let mut random = Random(1);
    let runs = SpringRuns::build(ELEMENTS, &large_net(&mut random));
    assert!(runs.layout.slabs.len() > 3 && runs.layout.far.is_some());
    let (x, v) = (random.field(ELEMENTS), random.field(ELEMENTS));
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| all_bits(&runs, &x, &v))
    };
    let one = with(1);
    for threads in [2, 3, 7] {
        assert!(with(threads) == one, "{threads} threads");
    }
}

#[test]
fn the_bits_do_not_depend_on_the_instructions() {
    let mut random = Random(2);
    let mut runs = SpringRuns::build(ELEMENTS, &large_net(&mut random));
    let (x, v) = (random.field(ELEMENTS), random.field(ELEMENTS));
    let best = all_bits(&runs, &x, &v);
    for instructions in Instructions::available() {
        runs.set_instructions(instructions);
        assert!(all_bits(&runs, &x, &v) == best, "{}", instructions.name());
    }
}

#[test]
fn the_bits_do_not_depend_on_the_order_of_the_list() {
    let mut random = Random(3);
    let mut springs = large_net(&mut random);
    let twins: Vec<_> = springs[..40].iter().map(|s| random.spring(s.e1 as usize, s.e2 as usize)).collect();
    springs.extend(twins);
    let (x, v) = (random.field(ELEMENTS), random.field(ELEMENTS));
    let given = all_bits(&SpringRuns::build(ELEMENTS, &springs), &x, &v);
    for _ in 0..3 {
        for s in 0..springs.len() {
            let other = s + random.below(springs.len() - s);
            springs.swap(s, other);
        }
        for s in springs.iter_mut().step_by(2) {
            (s.e1, s.e2) = (s.e2, s.e1);
        }
        assert!(all_bits(&SpringRuns::build(ELEMENTS, &springs), &x, &v) == given);
    }
}

#[test]
fn the_sorted_connections_give_the_forces_of_the_list() {
    let mut random = Random(4);
    let springs = large_net(&mut random);
    let (x, v) = (random.field(ELEMENTS), random.field(ELEMENTS));
    let (elastic, ..) = forces(&SpringRuns::build(ELEMENTS, &springs), &x, &v);
    let mut expected = Vectors::zeros(ELEMENTS);
    for s in &springs {
        let r = x.get(s.e1 as usize) - x.get(s.e2 as usize);
        let f = -s.stiffness * (r.length() - s.rest_length) * r.normalize();
        expected.add(s.e1 as usize, f);
        expected.add(s.e2 as usize, -f);
    }
    for e in 0..ELEMENTS {
        assert!((elastic.get(e) - expected.get(e)).length() < 1e-12, "element {e}");
    }
}

#[test]
fn a_lattice_is_few_runs_and_little_memory() {
    let mut random = Random(5);
    let mut springs = lattice([30, 30, 30], &mut random);
    let runs = SpringRuns::build(27_000, &springs);
    assert!(runs.layout.runs.len() * 100 < springs.len(), "{} runs", runs.layout.runs.len());
    assert!(runs.bytes() < 38 * springs.len(), "{} bytes per connection", runs.bytes() as f64 / springs.len() as f64);
    springs.iter_mut().for_each(|s| s.break_length = f64::INFINITY);
    assert!(SpringRuns::build(27_000, &springs).bytes() < 30 * springs.len());
}

#[test]
fn nothing_pulls_where_there_is_nothing() {
    let none = Vectors::default();
    let (elastic, _, energy) = forces(&SpringRuns::build(0, &[]), &none, &none);
    assert!(elastic.is_empty() && energy == 0.0);
    let mut random = Random(6);
    let useless = [random.spring(1, 1), random.spring(0, 9), random.spring(7, 8)];
    let runs = SpringRuns::build(3, &useless);
    let (x, v) = (random.field(3), random.field(3));
    let (elastic, damping, energy) = forces(&runs, &x, &v);
    assert_eq!((elastic, damping, energy), (Vectors::zeros(3), Vectors::zeros(3), 0.0));
    assert!(runs.len() == 3 && runs.overstretched(&x).is_empty());
}
