//! Newton's method on the velocities of an island: the augmented Lagrangian of its contacts.
//!
//! With multipliers `p̂`, a penalty `r` [kg] for every contact and friction bounds `R = μ p̂_n`, the velocities minimise
//! `½|v − v*|²_M + Σ ψ(y)/r`, `y = p̂ − r u`: `ψ_n = ½ max(0, y_n)²`, `ψ_t = ½|y_t|²` inside the disc of radius `R` and
//! `R|y_t| − ½R²` outside. Its gradient is `M(v − v*) − Jᵀ p(v)` with the projections `p(v)` of `y`, its Hessian
//! `M + Jᵀ G J` is sparse along the contact graph, and Newton's method with a line search always finds the minimum. Then
//! `p̂ = p(v)`, until the natural map is small. Information crosses a tall stack in one solve, not one contact at a time
//! [AC91].

mod coupled;
mod factored;
mod push;
mod terms;

use crate::contact::constraint::carriers::{Carrier, Carriers};
use crate::contact::constraint::creeping::InVain;
use crate::contact::constraint::joint::JointBlock;
use crate::contact::constraint::jointed::residual;
use crate::contact::constraint::row::{Jacobian, Row};
use crate::contact::constraint::sweep::{Goal, Outcome, judge};
use crate::linear::block_cholesky::BlockCholesky;
use crate::linear::small::Matrix;
pub use coupled::solve as follow;
use factored::Factored;
use glamx::{DMat3, DVec3};
use terms::{dot, gradient, length, less, merit, projected, sum};

/// Penalties over the inverse of a contact's mobility [1]: so strong that the softest way in which a tall stack can sway is
/// found in a step or two.
const PENALTY: f64 = 1e4;
/// The same for what rests, which does not turn corners on its way: the softest sway of a stack softens with the fourth power of its height.
const FIRM: f64 = 1e6;
/// Bodies whose mobilities differ by more than this are unlike: what presses on a contact may be far heavier than its own two.
const UNLIKE: f64 = 10.0;
/// Updates of the multipliers at most.
const MOST_UPDATES: u32 = 40;
/// Updates after which the tolerance is enough.
const ENOUGH: usize = 4;
/// The method tries to go on to this share of the tolerance: the next step begins from what it leaves.
const SHARPER: f64 = 1e-2;
/// With joints, updates that do not halve the residual at most: what is left is rounding, or a contradiction.
const MOST_IDLE: u32 = 3;
/// Newton steps at most, and between two updates.
const MOST_STEPS: u32 = 160;
const MOST_STEPS_PER_UPDATE: u32 = 40;
/// A decrease of the merit below this share of it cannot be told from rounding.
const NEAR: f64 = 1e-11;
/// One below this share means that nothing is left to do.
const AT_REST: f64 = 1e-24;
/// Steps near the minimum at most.
const MOST_CLOSE: u32 = 3;
/// Halvings of a step at most.
const MOST_HALVINGS: u32 = 20;
/// Products of blocks per contact that a factorisation may take: beyond that, sweeps get farther in the same time.
const MOST_WORK: f64 = 100.0;
/// Blocks of the factor per contact, 288 bytes each, in islands of many contacts.
const MOST_BLOCKS: f64 = 2.0;
const MANY: usize = 1024;
/// Products of blocks that take some milliseconds.
const DEAR: f64 = 2e4;
/// The carrier takes no part.
const NOBODY: u32 = u32::MAX;

type Block = Matrix<6>;
type Six = [f64; 6];
/// Numbers among those that move, and rows.
type Sides = Vec<(u32, Jacobian)>;

/// The island as the method sees it.
struct Island {
    /// Number of each carrier among those that move, or [`NOBODY`].
    number: Vec<u32>,
    /// The carriers that move, in the order in which they are eliminated.
    movers: Vec<u32>,
    /// Where the block of each contact's two carriers is in the factor, then those of joints.
    couplings: Vec<usize>,
    /// The carriers and rows of contacts on seats; empty for the others, and all if there are none.
    sides: Vec<Sides>,
    mass: Vec<Block>,
    /// Velocities without contact.
    free: Vec<Six>,
    /// Penalties of the contacts [kg].
    penalty: Vec<f64>,
    /// The same over the inverse of a row's own mobility, for joints [1].
    stiffness: f64,
}

/// Whose mobility a contact's penalty goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    /// Its own: rounding is smallest.
    Own,
    /// Its own, and firmly: for what rests.
    OwnFirmly,
    /// That of the heaviest body. A multiplier comes closer by `m/(m + r)` with every update, `m` the mass that it bears:
    /// with a light body below a heavy one, only a penalty `r ≫ m` gets there.
    Heaviest,
}

/// Solves until the goal is reached. The carriers' velocities are with the rows' impulses at the start
/// and at the end. `None` if a carrier has no mass matrix, or if the contact graph is so tangled that sweeps get farther.
pub fn solve(rows: &mut [Row], joints: &mut [JointBlock], carriers: &mut Carriers, goal: Goal) -> Option<Outcome> {
    solve_unless(rows, joints, carriers, goal, &|_, _| false)
}

/// The same, unless it turns out on the way that to go on is `in_vain`, by the carriers and the largest natural map [m/s].
pub fn solve_unless(
    rows: &mut [Row],
    joints: &mut [JointBlock],
    carriers: &mut Carriers,
    goal: Goal,
    in_vain: InVain,
) -> Option<Outcome> {
    let free = joints.is_empty();
    let known = free.then(|| coupled::solve(rows, carriers, goal, in_vain)).flatten();
    let unlike = are_unlike(rows, carriers);
    if let Some(found) = known.filter(|found| found.converged || !unlike || in_vain(carriers, found.residual)) {
        return Some(found);
    }
    let before = known.unwrap_or_default();
    let (first, lost) = solve_by(By::Own, rows, joints, carriers, goal)?;
    let first = before.then(first);
    if first.converged || lost {
        return Some(first);
    }
    if unlike {
        let (next, _) = solve_by(By::Heaviest, rows, joints, carriers, goal)?;
        return Some(first.then(next));
    }
    let next = free.then(|| coupled::solve(rows, carriers, goal, in_vain)).flatten();
    Some(next.map_or(first, |next| first.then(next)))
}

/// Goes on from a solution to a sharper one of what rests, with firm penalties; unlike masses have penalties that are unlike enough.
pub fn sharpen(rows: &mut [Row], carriers: &mut Carriers, goal: Goal) -> Option<Outcome> {
    match are_unlike(rows, carriers) {
        true => solve(rows, &mut [], carriers, goal),
        false => solve_by(By::OwnFirmly, rows, &mut [], carriers, goal).map(|(outcome, _)| outcome),
    }
}

/// The smallest mobility of a side of a contact [1/kg].
fn least_mobility(rows: &[Row], carriers: &[Carrier]) -> f64 {
    let sides = rows.iter().flat_map(|r| [r.a, r.b]).map(|k| carriers[k as usize].inverse_mass);
    sides.filter(|w| *w > 0.0).fold(f64::INFINITY, f64::min)
}

/// True if masses differ so much that sweeps get nowhere.
pub fn are_unlike(rows: &[Row], carriers: &[Carrier]) -> bool {
    let least = least_mobility(rows, carriers);
    rows.iter().any(|r| trace(&r.block()) > 3.0 * UNLIKE * least)
}

/// True if a factorisation takes so long that a number of them is no help within a step: of contacts that are tangled as in a heap, not of
/// towers.
pub fn is_dear(rows: &[Row], carriers: &Carriers) -> bool {
    ordered(rows, &[], carriers, &|(work, _)| work > DEAR).is_none()
}

/// What it came to, and true if it only led away from the solution.
fn solve_by(
    by: By,
    rows: &mut [Row],
    joints: &mut [JointBlock],
    carriers: &mut Carriers,
    goal: Goal,
) -> Option<(Outcome, bool)> {
    let too_much = |cost: (f64, usize)| joints.is_empty() && is_too_much(cost, rows.len());
    let (movers, factor) = ordered(rows, joints, carriers, &too_much)?;
    rows.iter_mut().for_each(|row| row.weigh_once(carriers));
    let mut island = Island::new(movers, &factor, rows, joints, carriers)?;
    let mut factored = Factored::new(factor);
    let mut v: Vec<Six> = island.movers.iter().map(|&c| six(&carriers[c as usize])).collect();
    let mut outcome = Outcome::default();
    let (mut best, mut idle) = (f64::INFINITY, 0);
    // From nothing it may have to go a long way round; among equals it finds its way.
    let warm = rows.iter().any(|row| row.impulse != DVec3::ZERO);
    let start = if warm && are_unlike(rows, carriers) { residual(rows, joints, carriers) } else { f64::INFINITY };
    let mut lost = false;
    let mut bounds = first_bounds(rows);
    for update in 0..MOST_UPDATES as usize {
        island.stiffen(rows, carriers, by);
        let steps = minimise(&island, &mut factored, (rows, joints), carriers, &bounds, &mut v);
        outcome.newton_steps += steps;
        island.put(&v, carriers);
        for (k, row) in rows.iter_mut().enumerate() {
            row.impulse = projected(row, carriers, island.penalty[k], bounds[k]).0;
        }
        joints.iter_mut().for_each(|joint| joint.project(carriers, island.stiffness));
        // Friction follows the push of the moment, so that it never leaves its cone.
        for (row, bound) in rows.iter_mut().zip(&mut bounds) {
            *bound = row.friction * row.impulse.x;
            let rub = length(row.impulse.y, row.impulse.z);
            if rub > *bound {
                let share = if rub > 0.0 { *bound / rub } else { 0.0 };
                row.impulse.y *= share;
                row.impulse.z *= share;
            }
        }
        island.release(carriers);
        rows.iter().for_each(|row| row.push(row.impulse, carriers));
        joints.iter().for_each(|joint| joint.push_all(1.0, carriers));
        outcome.residual = residual(rows, joints, carriers);
        outcome.converged = outcome.residual <= goal.each && judge(rows, carriers, goal).1;
        idle = if outcome.residual < 0.5 * best { 0 } else { idle + 1 };
        best = best.min(outcome.residual);
        let stuck = idle >= MOST_IDLE && !joints.is_empty();
        let sharp = outcome.residual <= SHARPER * goal.mean;
        // What takes all steps and leads away from the solution does so again.
        lost = steps == MOST_STEPS_PER_UPDATE && outcome.residual > start;
        // Where bodies slide, friction follows the push by and by: then good is good enough.
        if sharp || stuck || lost || (outcome.converged && update >= ENOUGH) || outcome.newton_steps >= MOST_STEPS {
            break;
        }
    }
    Some((outcome, lost))
}

/// Bounds of friction to start with. Where nothing is known of the pushes everything sticks at first: bodies that stand find
/// out what they stand on in one update, not one after the other.
fn first_bounds(rows: &[Row]) -> Vec<f64> {
    let known = rows.iter().any(|row| row.impulse != DVec3::ZERO);
    rows.iter().map(|r| if known { r.friction * r.impulse.x } else { f64::INFINITY }).collect()
}

/// True if sweeps get farther than factorisations in the same time, or with the same memory.
fn is_too_much((work, blocks): (f64, usize), contacts: usize) -> bool {
    work > MOST_WORK * contacts as f64 || (contacts > MANY && blocks as f64 > MOST_BLOCKS * contacts as f64)
}

impl Island {
    /// The island of carriers in the order in which they are eliminated, with the places of its contacts in the factor.
    fn new(
        movers: Vec<u32>,
        factor: &BlockCholesky<6>,
        rows: &[Row],
        joints: &[JointBlock],
        carriers: &Carriers,
    ) -> Option<Self> {
        let mut number = vec![NOBODY; carriers.len()];
        movers.iter().enumerate().for_each(|(k, &c)| number[c as usize] = k as u32);
        let coupling = |(a, b): (u32, u32)| {
            let (a, b) = (number[a as usize], number[b as usize]);
            let both = a != NOBODY && b != NOBODY;
            both.then(|| factor.place(a.max(b), a.min(b))).flatten().unwrap_or(usize::MAX)
        };
        let couplings = pairs(rows, joints).map(coupling).collect();
        let of = |c: &u32| &carriers[*c as usize];
        let mass: Option<Vec<Block>> = movers.iter().map(|c| mass_of(of(c))).collect();
        let mut released = carriers.clone();
        rows.iter().for_each(|row| row.push(-row.impulse, &mut released));
        joints.iter().for_each(|joint| joint.push_all(-1.0, &mut released));
        Some(Self {
            free: movers.iter().map(|&c| six(&released[c as usize])).collect(),
            mass: mass?,
            penalty: Vec::new(),
            stiffness: 1.0,
            sides: seated_sides(rows, carriers, &number),
            number,
            movers,
            couplings,
        })
    }

    /// Sets the penalties of the contacts.
    fn stiffen(&mut self, rows: &[Row], carriers: &[Carrier], by: By) {
        self.stiffness = PENALTY;
        let most = if by == By::Heaviest { least_mobility(rows, carriers) } else { f64::INFINITY };
        let penalty = if by == By::OwnFirmly { FIRM } else { PENALTY };
        self.penalty = rows.iter().map(|r| penalty / (trace(&r.block()) / 3.0).min(most)).collect();
    }

    /// Writes velocities into the carriers.
    fn put(&self, v: &[Six], carriers: &mut Carriers) {
        for (&c, v) in self.movers.iter().zip(v) {
            let carrier = &mut carriers[c as usize];
            carrier.velocity = DVec3::new(v[0], v[1], v[2]);
            carrier.spin = DVec3::new(v[3], v[4], v[5]);
        }
    }

    /// Writes the velocities without contact.
    fn release(&self, carriers: &mut Carriers) {
        self.put(&self.free, carriers);
    }
}

/// The carriers that contacts and joints join.
fn pairs(rows: &[Row], joints: &[JointBlock]) -> impl Iterator<Item = (u32, u32)> {
    rows.iter().map(|r| (r.a, r.b)).chain(joints.iter().map(|j| (j.a, j.b)))
}

/// Those that contacts on seats join.
fn seated_pairs<'a>(rows: &'a [Row], carriers: &'a Carriers) -> impl Iterator<Item = (u32, u32)> + 'a {
    rows.iter().filter(|row| row.seated).flat_map(|row| {
        let sides: Vec<u32> = row.sides(carriers).iter().map(|side| side.0).collect();
        let all = sides.clone();
        all.into_iter().flat_map(move |a| sides.clone().into_iter().map(move |b| (a, b)))
    })
}

/// What moves contacts on seats.
fn seated_sides(rows: &[Row], carriers: &Carriers, number: &[u32]) -> Vec<Sides> {
    if rows.iter().all(|row| !row.seated) {
        return Vec::new();
    }
    let moving = |(c, j): (u32, Jacobian)| Some((number[c as usize], j)).filter(|side| side.0 != NOBODY);
    let of = |row: &Row| row.sides(carriers).into_iter().filter_map(moving).collect();
    rows.iter().map(|row| if row.seated { of(row) } else { Sides::new() }).collect()
}

/// The carriers that move, in the order in which they are eliminated, and the pattern of their matrix; none if that is too much.
fn ordered(
    rows: &[Row],
    joints: &[JointBlock],
    carriers: &Carriers,
    too_much: &dyn Fn((f64, usize)) -> bool,
) -> Option<(Vec<u32>, BlockCholesky<6>)> {
    let mut number = vec![NOBODY; carriers.len()];
    let mut movers = Vec::new();
    for c in pairs(rows, joints).chain(seated_pairs(rows, carriers)).flat_map(|(a, b)| [a, b]) {
        if carriers[c as usize].is_movable() && number[c as usize] == NOBODY {
            number[c as usize] = movers.len() as u32;
            movers.push(c);
        }
    }
    let mut neighbours = vec![Vec::new(); movers.len()];
    for (a, b) in pairs(rows, joints).chain(seated_pairs(rows, carriers)) {
        let (a, b) = (number[a as usize], number[b as usize]);
        if a != NOBODY && b != NOBODY && a != b {
            neighbours[a as usize].push(b);
            neighbours[b as usize].push(a);
        }
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    let places: Vec<DVec3> = movers.iter().map(|&c| carriers[c as usize].position).collect();
    let factor = BlockCholesky::of_pattern(&neighbours, &places, too_much)?;
    Some((factor.order.iter().map(|&k| movers[k as usize]).collect(), factor))
}

fn trace(m: &DMat3) -> f64 {
    m.x_axis.x + m.y_axis.y + m.z_axis.z
}

fn six(c: &Carrier) -> Six {
    [c.velocity.x, c.velocity.y, c.velocity.z, c.spin.x, c.spin.y, c.spin.z]
}

/// The mass matrix of a carrier; an element's spin, which nothing asks for, has a mass of one.
fn mass_of(c: &Carrier) -> Option<Block> {
    let mut block = Block::ZERO;
    (0..3).for_each(|k| block.0[k][k] = 1.0 / c.inverse_mass);
    let inertia = if c.inverse_inertia == DMat3::ZERO { DMat3::IDENTITY } else { c.inverse_inertia.inverse() };
    (0..3).for_each(|k| (0..3).for_each(|r| block.0[3 + k][3 + r] = inertia.col(k)[r]));
    inertia.is_finite().then_some(block)
}

/// Newton's method with a line search; the number of steps.
fn minimise(
    island: &Island,
    factored: &mut Factored,
    problem: (&[Row], &[JointBlock]),
    carriers: &mut Carriers,
    bounds: &[f64],
    v: &mut Vec<Six>,
) -> u32 {
    let mut close = 0;
    for step in 0..MOST_STEPS_PER_UPDATE {
        island.put(v, carriers);
        let (gradient, kinds) = gradient(island, problem, carriers, bounds, v);
        factored.update(island, problem, carriers, bounds, kinds);
        let mut direction = gradient.clone();
        factored.factor.solve(&mut direction);
        let slope: f64 = sum(gradient.iter().zip(&direction).map(|(g, d)| dot(g, d)));
        let here = merit(island, problem, carriers, bounds, v);
        if slope <= NEAR * here.abs() {
            // Near the minimum the merit is all rounding, and Newton's step as it is the best there is.
            v.iter_mut().zip(&direction).for_each(|(v, d)| *v = less(v, d, 1.0));
            close += 1;
            if slope <= AT_REST * here.abs() || close == MOST_CLOSE {
                return step + 1;
            }
            continue;
        }
        let mut share = 1.0;
        for _ in 0..MOST_HALVINGS {
            let trial: Vec<Six> = v.iter().zip(&direction).map(|(v, d)| less(v, d, share)).collect();
            island.put(&trial, carriers);
            if merit(island, problem, carriers, bounds, &trial) <= here - 1e-4 * share * slope || share < 1e-5 {
                *v = trial;
                break;
            }
            share *= 0.5;
        }
    }
    MOST_STEPS_PER_UPDATE
}
