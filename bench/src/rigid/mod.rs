//! Rigid bodies on each other: four scenes in Kreisel, Rapier and Box3D, time and outcome of each.

mod bare;
mod box3d;
mod double;
mod memory;
mod outcome;
mod own;
mod rest;
mod scenes;
mod single;
mod threads;

use crate::implicit_beam::processor_time;
use crate::measure::{median, print_load, with_threads};
use outcome::Pose;
use scenes::{Question, Scene};

/// How often each engine runs each scene, if nothing else is said.
const REPEATS: usize = 3;
/// How much finer the peers are made in search of equal accuracy.
const FINER: [usize; 3] = [4, 16, 64];

/// A scene running in some engine.
pub trait Engine {
    /// One step.
    fn step(&mut self);
    /// Poses of the bodies.
    fn poses(&self) -> Vec<Pose>;
    /// What our own solver had to do.
    fn cost(&self) -> Cost {
        Cost::default()
    }
}

/// What the solver had to do in a whole run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// The most contacts at a time.
    pub contacts: usize,
    /// Sweeps over contacts.
    pub sweeps: u64,
    /// Newton iterations.
    pub newton: u64,
    /// Steps that did not reach their tolerance.
    pub unsolved: u64,
}

/// An engine with its settings, and how it builds a scene.
struct Contender {
    name: String,
    start: Box<dyn Fn(&Scene) -> Box<dyn Engine> + Sync>,
}

fn contenders() -> Vec<Contender> {
    let mut all = vec![
        contender("kreisel", own::start),
        contender("rapier-f64", |s| double::engine::start(s, 1)),
        contender("rapier-f32", |s| single::engine::start(s, 1)),
        contender("box3d", |s| box3d::start(s, 1)),
    ];
    for finer in FINER {
        all.push(contender(&format!("rapier-f64×{finer}"), move |s| double::engine::start(s, finer)));
        all.push(contender(&format!("box3d×{finer}"), move |s| box3d::start(s, finer)));
    }
    all
}

fn contender(name: &str, start: impl Fn(&Scene) -> Box<dyn Engine> + Sync + 'static) -> Contender {
    Contender { name: name.into(), start: Box::new(start) }
}

/// Runs `[SCENES] [ENGINES] [REPEATS]`: names separated by commas or `all`; engines of the plain settings by `plain`.
pub fn run(details: &[String]) {
    let asked = |k: usize, name: &str| match details.get(k).map(String::as_str) {
        None | Some("all") => true,
        Some("plain") => !name.contains('×'),
        Some(names) => names.split(',').any(|n| n == name),
    };
    let count = |k: usize| details.get(k).and_then(|n| n.parse().ok()).unwrap_or(REPEATS);
    match details.first().map(String::as_str) {
        Some("bare") => return bare::run(&details[1..]),
        Some("memory") => return memory::run(details.get(1).map(String::as_str)),
        Some("threads") => return threads::run(count(1)),
        Some("rest") => return rest::run(count(1)),
        _ => {}
    }
    let repeats = count(2);
    print_load();
    println!("processor time per step [ms], median of {repeats}; ratio to rapier-f64");
    for scene in scenes::all().iter().filter(|s| asked(0, s.name)) {
        let chosen: Vec<Contender> = contenders().into_iter().filter(|c| asked(1, &c.name)).collect();
        with_threads(1, || compare(scene, &chosen, repeats));
    }
}

/// All engines by turns, so that what else the machine does falls on all of them.
fn compare(scene: &Scene, contenders: &[Contender], repeats: usize) {
    println!("\n{} ({} bodies, {} steps of {:.5} s)", scene.name, scene.bodies.len(), scene.steps, scene.step);
    let mut times = vec![Vec::new(); contenders.len()];
    let mut results = vec![(String::new(), Cost::default()); contenders.len()];
    for repeat in 0..repeats {
        for (k, c) in contenders.iter().enumerate().filter(|(_, c)| repeat == 0 || !c.name.contains('×')) {
            let (time, outcome, cost) = play(scene, c);
            times[k].push(time);
            results[k] = (outcome, cost);
        }
    }
    let rapier = contenders.iter().position(|c| c.name == "rapier-f64").map_or(f64::NAN, |k| median(&times[k]));
    for (k, c) in contenders.iter().enumerate() {
        let time = median(&times[k]);
        let (outcome, cost) = &results[k];
        println!("  {:<15}{:>9.4}{:>8.2}   {outcome}{}", c.name, 1e3 * time, time / rapier, remark(scene, cost));
    }
}

fn remark(scene: &Scene, cost: &Cost) -> String {
    if cost.contacts == 0 {
        return String::new();
    }
    let per_step = |n: u64| n as f64 / scene.steps as f64;
    format!(
        "; at most {} contacts; per step {:.1} sweeps, {:.2} Newton; {} unsolved",
        cost.contacts,
        per_step(cost.sweeps),
        per_step(cost.newton),
        cost.unsolved
    )
}

/// One run: processor time per step [s], the outcome in words, what it took.
fn play(scene: &Scene, contender: &Contender) -> (f64, String, Cost) {
    let mut engine = (contender.start)(scene);
    let (mut time, mut worst) = (0.0, 0.0_f64);
    for _ in 0..scene.steps {
        let start = processor_time();
        engine.step();
        time += processor_time() - start;
        if scene.question == Question::Fills {
            worst = worst.max(outcome::overlap(&engine.poses()));
        }
    }
    (time / scene.steps as f64, outcome::outcome(scene, &engine.poses(), worst), engine.cost())
}
