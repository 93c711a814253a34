//! The broad phase at 100 k moving elements, against parry's bounding volume hierarchy in the same run.
//!
//! Both get the same moving spheres and must give the same set of pairs. Parry is used at its best for this job: the tree
//! is built once with the binned builder; each step its leaves are updated with half the margin around each sphere and
//! refitted, and the tree is traversed against itself; the distance of each pair of leaves is then tested. The variants
//! that also optimise the tree as it goes, or build it anew, are measured too, and the fastest is compared. Parry's
//! pairs are left as they come and it gets a copy of the spheres made for it outside the time measured; ours are sorted
//! and our copy is made within the time measured.

use kreisel::DVec3;
use kreisel::collide::{Grid, Skin};
use kreisel::linear::Vectors;
use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use std::time::Instant;

type Pairs = Vec<(u32, u32)>;

/// Steps measured per scene; each method sees the same steps, one after the other.
const STEPS: usize = 21;

/// Steps with a skin, most of which need no search.
const SKIN_STEPS: usize = 60;

/// Runs all scenes on one thread, which is what the figures are about.
pub fn run() {
    match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(pool) => pool.install(run_scenes),
        Err(error) => eprintln!("no pool of threads: {error}"),
    }
}

fn run_scenes() {
    println!("100 k moving spheres, one thread, median of {STEPS} steps in ms; ratio is parry's best over the grid");
    println!(
        "{:<22} {:>9} {:>6} {:>7} {:>7} {:>9} {:>8} {:>6}  {:>16}",
        "scene", "pairs", "tests", "grid", "refit", "optimise", "rebuild", "ratio", "hash of pairs"
    );
    for scene in [Scene::dense(), Scene::dense().shuffled(), Scene::dense().torn(), Scene::gas(), Scene::mixed()] {
        compare(scene);
    }
    println!(
        "\nwith a skin: searched anew only after a sphere has moved by half the margin; ms per step, from medians"
    );
    println!("{:<22} {:>9} {:>7} {:>7} {:>7} {:>6}", "scene", "searches", "check", "grid", "parry", "ratio");
    compare_with_skin(Scene::dense());
    compare_with_skin(Scene::gas());
}

/// Spheres that move along straight lines.
struct Scene {
    name: &'static str,
    centres: Vectors,
    /// Centre and radius together, as suits a test of one pair at random.
    spheres: Vec<(DVec3, f64)>,
    velocities: Vectors,
    radii: Vec<f64>,
    margin: f64,
}

impl Scene {
    fn new(name: &'static str, margin: f64) -> Self {
        Self {
            name,
            margin,
            centres: Vectors::default(),
            spheres: Vec::new(),
            velocities: Vectors::default(),
            radii: Vec::new(),
        }
    }

    fn push(&mut self, centre: DVec3, velocity: DVec3, radius: f64) {
        self.centres.push(centre);
        self.velocities.push(velocity);
        self.radii.push(radius);
        self.spheres.push((centre, radius));
    }

    /// A face-centred lattice, jittered so that a sphere touches about half of its twelve neighbours.
    fn dense() -> Self {
        let (mut random, mut scene) = (Random(1), Self::new("dense matter", 0.05));
        let (side, edge) = (29usize, 2f64.sqrt());
        let corners = [[0.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.5, 0.0, 0.5], [0.0, 0.5, 0.5]];
        for i in 0..side.pow(3) {
            let place = DVec3::new((i % side) as f64, (i / side % side) as f64, (i / side / side) as f64);
            for corner in corners {
                scene.push((place + DVec3::from(corner)) * edge + random.point(0.04), random.point(0.002), 0.5);
            }
        }
        scene
    }

    /// The same with the elements numbered at random, as after much mixing.
    fn shuffled(self) -> Self {
        let (mut random, mut scene) = (Random(2), Self::new("dense, shuffled", self.margin));
        let mut order: Vec<usize> = (0..self.radii.len()).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, (random.bits() % (i as u64 + 1)) as usize);
        }
        for i in order {
            scene.push(self.centres.get(i), self.velocities.get(i), self.radii[i]);
        }
        scene
    }

    /// The same in two halves, a thousand kilometres from each other.
    fn torn(mut self) -> Self {
        self.name = "dense, two halves";
        let half = self.radii.len() / 2;
        for (i, sphere) in self.spheres.iter_mut().enumerate().skip(half) {
            sphere.0 += DVec3::new(1e6, 3e5, 0.0);
            self.centres.set(i, sphere.0);
        }
        self
    }

    /// One part in a thousand of the volume filled.
    fn gas() -> Self {
        let (mut random, mut scene) = (Random(3), Self::new("sparse gas", 0.1));
        for _ in 0..100_000 {
            scene.push(random.point(187.0), random.point(0.01), 0.5);
        }
        scene
    }

    /// Boulders, stones and gravel in sand, on a ground as round as a planet: radii from 0.25 to 1000.
    fn mixed() -> Self {
        let (mut random, mut scene) = (Random(4), Self::new("radii 0.25 to 1000", 0.025));
        scene.push(DVec3::new(0.0, 0.0, -1010.0), DVec3::ZERO, 1000.0);
        for (radius, count) in [(3.0, 12), (1.5, 60), (0.75, 400)] {
            for _ in 0..count {
                scene.push(random.point(10.0), random.point(0.005), radius);
            }
        }
        let stones: Vec<(DVec3, f64)> =
            (1..scene.radii.len()).map(|i| (scene.centres.get(i), scene.radii[i])).collect();
        for i in 0..50usize.pow(3) {
            let place = DVec3::new((i % 50) as f64, (i / 50 % 50) as f64, (i / 2500) as f64) - 24.5;
            let (centre, radius) = (0.45 * place + random.point(0.04), random.between(0.2, 0.25));
            if stones.iter().all(|(stone, size)| stone.distance(centre) > size + 0.9 * radius) {
                scene.push(centre, random.point(0.005), radius);
            }
        }
        scene
    }

    fn advance(&mut self) {
        self.centres.axpy(1.0, &self.velocities);
        for (i, sphere) in self.spheres.iter_mut().enumerate() {
            sphere.0 = self.centres.get(i);
        }
    }

    fn aabb(&self, i: usize) -> Aabb {
        let (centre, radius) = self.spheres[i];
        Aabb::new(centre - (radius + 0.5 * self.margin), centre + (radius + 0.5 * self.margin))
    }

    #[inline(always)]
    fn meet(&self, i: u32, j: u32) -> bool {
        let ((a, r), (b, s)) = (self.spheres[i as usize], self.spheres[j as usize]);
        let reach = (r + 0.5 * self.margin) + (s + 0.5 * self.margin);
        a.distance_squared(b) < reach * reach
    }
}

/// Parry's tree with what it works with.
struct Tree {
    bvh: Bvh,
    workspace: BvhWorkspace,
}

impl Tree {
    fn new(scene: &Scene) -> Self {
        let leaves = (0..scene.radii.len()).map(|i| (i, scene.aabb(i)));
        Self { bvh: Bvh::from_iter(BvhBuildStrategy::Binned, leaves), workspace: BvhWorkspace::default() }
    }

    fn update(&mut self, scene: &Scene) {
        for i in 0..scene.radii.len() {
            self.bvh.insert_or_update_partially(scene.aabb(i), i as u32, 0.0);
        }
        self.bvh.refit(&mut self.workspace);
    }

    fn optimise(&mut self) {
        self.bvh.optimize_incremental(&mut self.workspace);
    }

    fn pairs(&mut self, scene: &Scene, pairs: &mut Pairs) {
        pairs.clear();
        self.bvh.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |i, j| {
            if scene.meet(i, j) {
                pairs.push((i.min(j), i.max(j)));
            }
        });
    }
}

fn compare(mut scene: Scene) {
    let (mut grid, mut pairs, mut peer_pairs) = (Grid::default(), Pairs::new(), Pairs::new());
    let (mut refitted, mut optimised) = (Tree::new(&scene), Tree::new(&scene));
    let (mut times, mut hash) = ([const { Vec::new() }; 4], 0);
    for step in 0..=STEPS {
        scene.advance();
        let in_turn = [
            time(|| grid.detect(&scene.centres, &scene.radii, scene.margin, |_, _| true, &mut pairs)),
            time(|| {
                refitted.update(&scene);
                refitted.pairs(&scene, &mut peer_pairs);
            }),
            time(|| {
                optimised.update(&scene);
                optimised.optimise();
                optimised.pairs(&scene, &mut peer_pairs);
            }),
            time(|| Tree::new(&scene).pairs(&scene, &mut peer_pairs)),
        ];
        hash = agreed_hash(&pairs, &mut peer_pairs);
        if step > 0 {
            times.iter_mut().zip(in_turn).for_each(|(times, time)| times.push(time)); // the first step warms up
        }
    }
    let [ours, refit, optimise, rebuild] = times.map(median);
    let (ratio, tests) = (refit.min(optimise).min(rebuild) / ours, grid.tests() as f64 / scene.radii.len() as f64);
    println!(
        "{:<22} {:>9} {tests:>6.1} {ours:>7.2} {refit:>7.2} {optimise:>9.2} {rebuild:>8.2} {ratio:>6.2}  {hash:016x}",
        scene.name,
        pairs.len()
    );
}

fn compare_with_skin(mut scene: Scene) {
    let (mut skin, mut tree, mut peer_pairs) = (Skin::default(), Tree::new(&scene), Pairs::new());
    skin.update(&scene.centres, &scene.radii, scene.margin, |_, _| true);
    let (mut checks, mut searches, mut peer_searches) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..SKIN_STEPS {
        scene.advance();
        let mut renewed = false;
        let spent = time(|| renewed = skin.update(&scene.centres, &scene.radii, scene.margin, |_, _| true));
        if !renewed {
            checks.push(spent);
            continue;
        }
        searches.push(spent);
        peer_searches.push(time(|| {
            tree.update(&scene);
            tree.pairs(&scene, &mut peer_pairs);
        }));
        agreed_hash(skin.pairs(), &mut peer_pairs);
    }
    let (share, check) = (searches.len() as f64 / SKIN_STEPS as f64, median(checks));
    let counted = format!("{}/{SKIN_STEPS}", searches.len());
    let per_step = |search: f64| share * search + (1.0 - share) * check; // parry gets our check of the skin
    let (ours, peers) = (per_step(median(searches)), per_step(median(peer_searches)));
    println!("{:<22} {counted:>9} {check:>7.2} {ours:>7.2} {peers:>7.2} {:>6.2}", scene.name, peers / ours);
}

/// The hash of the pairs, after checking that both methods found the same.
fn agreed_hash(pairs: &[(u32, u32)], peer_pairs: &mut Pairs) -> u64 {
    peer_pairs.sort_unstable();
    assert!(pairs == peer_pairs.as_slice(), "the methods disagree: {} and {} pairs", pairs.len(), peer_pairs.len());
    let fnv = |h: u64, &(i, j): &(u32, u32)| (h ^ (u64::from(i) << 32 | u64::from(j))).wrapping_mul(0x0100_0000_01B3);
    pairs.iter().fold(0xCBF2_9CE4_8422_2325, fnv)
}

/// Wall time in ms.
fn time(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1e3
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A small generator with a fixed sequence (splitmix64).
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let a = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let b = (a ^ (a >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        b ^ (b >> 31)
    }

    fn between(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn point(&mut self, half: f64) -> DVec3 {
        DVec3::new(self.between(-half, half), self.between(-half, half), self.between(-half, half))
    }
}
