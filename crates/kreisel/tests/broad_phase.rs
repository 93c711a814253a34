//! The broad phase finds exactly the pairs that are close, whatever their sizes and wherever they are.

use kreisel::DVec3;
use kreisel::collide::{Grid, Skin};
use kreisel::linear::Vectors;

/// A small generator with a fixed sequence (splitmix64).
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let a = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let b = (a ^ (a >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        b ^ (b >> 31)
    }

    /// Uniform between `a` and `b`.
    fn between(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    fn point(&mut self, half: f64) -> DVec3 {
        DVec3::new(self.between(-half, half), self.between(-half, half), self.between(-half, half))
    }
}

#[derive(Default)]
struct Spheres {
    centres: Vectors,
    radii: Vec<f64>,
}

impl Spheres {
    fn push(&mut self, centre: DVec3, radius: f64) {
        self.centres.push(centre);
        self.radii.push(radius);
    }

    /// Spheres in a few clusters, their sizes over `decades` decades.
    fn clustered(random: &mut Random, n: usize, decades: f64) -> Self {
        let mut spheres = Self::default();
        let clusters: Vec<(DVec3, f64)> =
            (0..1 + random.below(5)).map(|_| (random.point(10.0), 10f64.powf(random.between(-2.0, 1.0)))).collect();
        for _ in 0..n {
            let (centre, size) = clusters[random.below(clusters.len())];
            let radius = 10f64.powf(random.between(-decades, 0.0));
            spheres.push(centre + random.point(size), radius);
        }
        spheres
    }

    /// Spheres of radius 0.5 on a cubic lattice of unit spacing, each moved a little.
    fn block(random: &mut Random, side: usize) -> Self {
        let mut spheres = Self::default();
        for i in 0..side.pow(3) {
            let place = DVec3::new((i % side) as f64, (i / side % side) as f64, (i / side / side) as f64);
            spheres.push(place + random.point(0.1), 0.5);
        }
        spheres
    }

    fn detect(&self, margin: f64) -> (Vec<(u32, u32)>, usize) {
        let (mut grid, mut pairs) = (Grid::default(), vec![(1, 1)]);
        grid.detect(&self.centres, &self.radii, margin, |_, _| true, &mut pairs);
        (pairs, grid.tests())
    }

    /// All pairs, each tested: the definition.
    fn brute_force(&self, margin: f64) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for i in 0..self.radii.len() {
            for j in i + 1..self.radii.len() {
                let reach = ((self.radii[i] + 0.5 * margin) + (self.radii[j] + 0.5 * margin)).max(0.0);
                if self.centres.get(i).distance_squared(self.centres.get(j)) < reach * reach {
                    pairs.push((i as u32, j as u32));
                }
            }
        }
        pairs
    }

    fn assert_exact(&self, margin: f64) {
        assert_eq!(self.detect(margin).0, self.brute_force(margin));
    }
}

#[test]
fn the_pairs_are_those_of_the_definition_for_all_sizes_and_margins() {
    for seed in 0..200 {
        let mut random = Random(seed);
        let (n, decades) = (1 + random.below(400), random.between(0.0, 4.0));
        let spheres = Spheres::clustered(&mut random, n, decades);
        let margin = [0.0, 1e-3, 0.1, 2.0, -0.01][random.below(5)];
        spheres.assert_exact(margin);
    }
}

#[test]
fn a_block_touches_its_neighbours_and_tests_few_others() {
    let spheres = Spheres::block(&mut Random(1), 12);
    let (pairs, tests) = spheres.detect(0.1);
    assert_eq!(pairs, spheres.brute_force(0.1));
    assert!(pairs.len() > 2 * spheres.radii.len());
    assert!(tests < 25 * spheres.radii.len(), "{tests} tests");
}

#[test]
fn the_pairs_do_not_depend_on_the_number_of_threads() {
    let mut spheres = Spheres::block(&mut Random(2), 24);
    for i in 0..spheres.radii.len() / 10 {
        spheres.radii[10 * i] *= 0.1 + 2.0 * (i % 3) as f64;
    }
    let with_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool of threads");
        pool.install(|| spheres.detect(0.05))
    };
    let one = with_threads(1);
    assert!(one.0.len() > 20_000);
    assert!(one == with_threads(2) && one == with_threads(3));
}

#[test]
fn only_accepted_pairs_are_listed() {
    let spheres = Spheres::block(&mut Random(3), 8);
    let accept = |i: u32, j: u32| (i + j).is_multiple_of(3);
    let (mut grid, mut pairs) = (Grid::default(), Vec::new());
    grid.detect(&spheres.centres, &spheres.radii, 0.1, accept, &mut pairs);
    let mut expected = spheres.brute_force(0.1);
    expected.retain(|&(i, j)| accept(i, j));
    assert_eq!(pairs, expected);
}

#[test]
fn what_flew_off_neither_costs_memory_nor_is_forgotten() {
    let mut random = Random(4);
    let mut spheres = Spheres::block(&mut random, 10);
    let (_, tests_before) = spheres.detect(0.1);
    for far in [1e6, -1e9, 1e12, 1e100, 1e300, -f64::MAX] {
        spheres.push(DVec3::new(far, 0.0, -far), 0.5);
        spheres.push(DVec3::new(far, 0.25, -far), 0.5);
    }
    spheres.assert_exact(0.1);
    let (_, tests) = spheres.detect(0.1);
    assert!(tests < tests_before + 1000, "{tests_before} tests became {tests}");
}

#[test]
fn blocks_a_thousand_kilometres_apart_cost_what_one_costs() {
    let mut random = Random(5);
    let block = Spheres::block(&mut random, 10);
    let (mut both, apart) = (Spheres::default(), DVec3::new(1e6, 0.0, 3e5));
    for i in 0..block.radii.len() {
        both.push(block.centres.get(i), 0.5);
        both.push(block.centres.get(i) + apart, 0.5);
    }
    both.assert_exact(0.1);
    assert!(both.detect(0.1).1 < 3 * block.detect(0.1).1);
}

#[test]
fn spheres_that_are_not_finite_meet_nothing() {
    let mut spheres = Spheres::block(&mut Random(6), 4);
    spheres.centres.x[5] = f64::NAN;
    spheres.centres.y[6] = f64::INFINITY;
    spheres.radii[7] = f64::NAN;
    spheres.radii[8] = f64::INFINITY;
    let (pairs, _) = spheres.detect(0.1);
    assert!(pairs.iter().all(|(i, j)| !(5..9).contains(i) && !(5..9).contains(j)));
    assert!(pairs.len() > 64);
}

#[test]
fn bad_numbers_neither_panic_nor_hang() {
    let mut random = Random(7);
    let odd = [0.0, -1.0, 1.0, 1e-320, 1e-160, 1e300, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    for _ in 0..300 {
        let mut spheres = Spheres::default();
        for _ in 0..30 {
            let mut any = || odd[random.below(odd.len())];
            spheres.push(DVec3::new(any(), any(), any()), any());
        }
        let (pairs, _) = spheres.detect(odd[random.below(odd.len())]);
        assert!(pairs.is_sorted() && pairs.iter().all(|(i, j)| i < j));
    }
}

#[test]
fn nothing_meets_nothing() {
    assert!(Spheres::default().detect(0.1).0.is_empty());
    let mut one = Spheres::default();
    one.push(DVec3::ZERO, 1.0);
    assert!(one.detect(0.1).0.is_empty());
    one.push(DVec3::ZERO, 0.0);
    one.radii[0] = 0.0;
    assert!(one.detect(0.0).0.is_empty(), "points without size do not meet");
}

#[test]
fn all_spheres_in_one_place_meet() {
    let mut spheres = Spheres::default();
    (0..1500).for_each(|_| spheres.push(DVec3::splat(3.0), 1e-3));
    assert_eq!(spheres.detect(0.0).0.len(), 1500 * 1499 / 2);
}

#[test]
fn a_giant_costs_one_test_per_small_sphere() {
    let mut spheres = Spheres::block(&mut Random(8), 37);
    let (n, (_, tests)) = (spheres.radii.len(), spheres.detect(0.05));
    spheres.push(DVec3::new(18.0, 18.0, -1e4), 1e4);
    let (pairs, tests_with_giant) = spheres.detect(0.05);
    assert!(n > 50_000 && tests < 25 * n);
    assert!(tests_with_giant <= tests + n, "{tests} tests became {tests_with_giant}");
    assert!(pairs.iter().any(|&(_, j)| j as usize == n));
}

#[test]
fn the_cost_is_linear_with_sizes_over_six_decades() {
    let cost = |n: usize| {
        let (mut random, mut spheres) = (Random(9), Spheres::default());
        for k in 0..n {
            // One in a thousand is a thousand times larger, and the large ones have room.
            let radius = 10f64.powf(random.between(-3.0, 0.0)) * if k % 1000 == 0 { 1e3 } else { 1.0 };
            let half = 20.0 * (n as f64).cbrt() * if k % 1000 == 0 { 100.0 } else { 1.0 };
            spheres.push(random.point(half), radius);
        }
        let (pairs, tests) = spheres.detect(1e-3);
        (tests + pairs.len()) as f64 / n as f64
    };
    let (small, large) = (cost(4_000), cost(64_000));
    assert!(large < 2.0 * small + 20.0, "{small} tests per sphere became {large}");
}

#[test]
fn whatever_touches_is_a_candidate_while_the_spheres_wander() {
    let mut random = Random(10);
    let mut spheres = Spheres::clustered(&mut random, 300, 2.0);
    let (mut skin, mut searches, steps, margin) = (Skin::default(), 0, 200, 0.2);
    for _ in 0..steps {
        searches += usize::from(skin.update(&spheres.centres, &spheres.radii, margin, |_, _| true));
        let touching = spheres.brute_force(0.0);
        assert!(touching.iter().all(|pair| skin.pairs().binary_search(pair).is_ok()));
        for i in 0..spheres.radii.len() {
            spheres.centres.add(i, random.point(0.02));
        }
    }
    assert!(searches > 3 && searches < steps / 3, "{searches} searches in {steps} steps");
}

#[test]
fn a_skin_is_renewed_when_anything_but_small_motion_happens() {
    let mut spheres = Spheres::block(&mut Random(11), 5);
    let mut skin = Skin::default();
    let mut update = |spheres: &Spheres, margin| skin.update(&spheres.centres, &spheres.radii, margin, |_, _| true);
    assert!(update(&spheres, 0.2));
    spheres.centres.x[7] += 0.099;
    assert!(!update(&spheres, 0.2));
    spheres.centres.x[7] += 0.002;
    assert!(update(&spheres, 0.2));
    assert!(update(&spheres, 0.1), "another margin");
    spheres.radii[3] = 0.6;
    assert!(update(&spheres, 0.1), "another radius");
    spheres.push(DVec3::ZERO, 0.5);
    assert!(update(&spheres, 0.1), "another sphere");
    spheres.centres.y[2] = f64::NAN;
    assert!(update(&spheres, 0.1), "a place that is none");
    spheres.centres.y[2] = 1.0;
    assert!(update(&spheres, 0.1), "and is one again");
    assert!(!update(&spheres, 0.1));
    skin.invalidate();
    assert!(skin.update(&spheres.centres, &spheres.radii, 0.1, |_, _| true));
}
