//! Taut links: joints pull where they are on average, so that links swing stably at any tension and any step.
//!
//! A body that joints pull at with forces `f_j` at arms `r_j` resists turning with `K = Σ (f_j·r_j) 1 − r_j f_jᵀ`: a rod of
//! mass `m` and length `l` under the tension `T` swings with `ω² = 12 T/(m l)`. Impulses `p_j = h f_j` at the places `c_j` of
//! the beginning of the step are stable for `ω h < 2` only, and a thread that bears a weight would need any number of steps.
//! So they act at `c̄_j = c_j + β h (u_j⁺ − u_j)` with the velocities `u_j` of the joint: the average
//! `β c_{k−1} + (1 − 2β) c_k + β c_{k+1}` of Newmark's method [New59], stable for `ω² h² (¼ − β) ≤ 1` and without damping.
//! Both bodies feel the impulse at one place, so that momenta are kept. Weights act at averages, too:
//! with them the arms that centres move along drop out, `Σ p = m Δv`, and what is left of the moments is `−β h K h Δω`
//! of each body for itself. That is solved with: `(I + β h² K) ω⁺ = I ω* + β h² K ω + Σ r_j × p_j + …`, where the dots are
//! what is not linear, and are made better with every look at the end of the step.

use crate::contact::constraint::carriers::{Carrier, Carriers};
use crate::contact::constraint::groups::groups;
use crate::contact::constraint::joint::JointBlock;
use crate::linear::eigen::principal_frame;
use crate::model::{Aggregate, JointKind, Model, State};
use crate::step::constraint::joints::JointSpace;
use crate::step::constraint::space::ContactSpace;
use glamx::{DMat3, DVec3};
use std::ops::Range;

/// `ω² h²` up to which a step resolves how links swing, and nothing is averaged [1].
const RESOLVED: f64 = 1.0;
/// `β` of links that swing far too fast: `ω h` is then seen as a quarter of a turn, far from what is stable [1].
const MOST: f64 = 0.5;
/// Links that turn out to swing so many times as fast, squared, as the step before said are solved for anew.
const TIGHTER: f64 = 1.3;

/// The bodies of taut joints in a step, and where their joints act.
#[derive(Debug, Default)]
pub struct Taut {
    bodies: Vec<Stiff>,
    /// Which of them hang together.
    groups: Vec<Range<usize>>,
    /// `β h` of each joint, twice that where it acts for half a step [s].
    shares: Vec<f64>,
    /// The `ω² h²` that each carrier is prepared for [1].
    prepared: Vec<f64>,
}

/// A body that tension keeps from turning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stiff {
    pub(super) carrier: u32,
    /// `β h² K` [kg m²].
    stiffness: DMat3,
    /// `(I + β h² K)⁻¹` [1/(kg m²)].
    inverse: DMat3,
    /// `β h`, twice that where joints act for half a step [s].
    share: f64,
    /// The impulse of its weight [N s].
    weight: DVec3,
    /// The largest arm of its joints [m].
    reach: f64,
    /// `β h² K ω⁺`, and the moments of averages about the places of before [N m s].
    given: DVec3,
    /// What that should be for the velocities of the moment.
    wanted: DVec3,
}

/// True if the impulses of such a joint have a place that both its bodies share at any time.
fn has_a_place(kind: JointKind) -> bool {
    kind != JointKind::Distance
}

/// Makes bodies under tension stiff against turning, as far as the impulses that the joints start from say.
pub fn tauten(model: &Model, state: &State, space: &mut ContactSpace, before: &Carriers, h: f64) {
    let ContactSpace { joints, carriers, .. } = space;
    let pairs: Vec<(u32, u32)> = joints.pairs().collect();
    let (pulls, reach) = (pulls(joints, carriers, h), reach(&joints.blocks, carriers));
    let (shares, prepared) = (vec![0.0; pairs.len()], vec![RESOLVED; carriers.len()]);
    let mut taut = Taut { shares, prepared, ..Taut::default() };
    for group in groups(&pairs, carriers) {
        let placed = group.contacts.iter().all(|&k| has_a_place(joints.links[k as usize].kind));
        let modes = |&c: &u32| Modes::new(state.aggregates.get(c as usize)?, &pulls[c as usize]);
        let modes: Option<Vec<Modes>> = group.carriers.iter().map(modes).collect();
        let Some(modes) = modes.filter(|_| placed) else { continue };
        let fastest = modes.iter().map(Modes::fastest).fold(0.0, f64::max);
        if fastest <= RESOLVED {
            continue;
        }
        let beta = MOST * (1.0 - RESOLVED / fastest);
        // What acts for half a step changes velocities by half of what the average is about.
        let span = joints.span(&joints.links[group.contacts[0] as usize], h);
        let share = beta * h * (h / span);
        group.contacts.iter().for_each(|&k| taut.shares[k as usize] = share);
        for (&c, modes) in group.carriers.iter().zip(&modes) {
            taut.prepared[c as usize] = fastest;
            let (old, weight) = (before[c as usize].spin, model.gravity * (span / carriers[c as usize].inverse_mass));
            let body = Stiff { reach: reach[c as usize], ..Stiff::new((c, modes), (beta, share), weight, old) };
            body.prepare(&modes.inertia, &mut carriers[c as usize]);
            taut.bodies.push(body);
        }
        taut.groups.push(taut.bodies.len() - modes.len()..taut.bodies.len());
    }
    if !(taut.bodies.is_empty() && joints.taut.bodies.is_empty()) {
        joints.blocks.iter_mut().for_each(|block| block.fit(carriers));
    }
    joints.taut = taut;
}

/// True if joints pull far more than the step was prepared for.
pub fn is_tighter(state: &State, space: &ContactSpace, h: f64) -> bool {
    let pulls = pulls(&space.joints, &space.carriers, h);
    let groups = groups(&space.joints.pairs().collect::<Vec<_>>(), &space.carriers);
    let placed = groups.iter().filter(|g| g.contacts.iter().all(|&k| has_a_place(space.joints.links[k as usize].kind)));
    placed.flat_map(|g| &g.carriers).any(|&c| {
        let modes = state.aggregates.get(c as usize).and_then(|a| Modes::new(a, &pulls[c as usize]));
        modes.is_some_and(|m| m.fastest() > TIGHTER * space.joints.taut.prepared[c as usize])
    })
}

/// `h² K` of every carrier [kg m²].
fn pulls(joints: &JointSpace, carriers: &Carriers, h: f64) -> Vec<DMat3> {
    let mut pulls = vec![DMat3::ZERO; carriers.len()];
    for (link, block) in joints.links.iter().zip(&joints.blocks) {
        let p = block.pull() * (h * h / joints.span(link, h));
        for (c, p) in [(block.a as usize, p), (block.b as usize, -p)] {
            let r = block.point - carriers[c].position;
            pulls[c] += DMat3::from_diagonal(DVec3::splat(p.dot(r))) - outer(r, p);
        }
    }
    pulls
}

/// The largest arm of the joints of every carrier [m].
fn reach(blocks: &[JointBlock], carriers: &Carriers) -> Vec<f64> {
    let mut reach = vec![0.0_f64; carriers.len()];
    for (block, c) in blocks.iter().flat_map(|b| [(b, b.a as usize), (b, b.b as usize)]) {
        reach[c] = reach[c].max((block.point - carriers[c].position).length());
    }
    reach
}

/// `a bᵀ`.
fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// How a body swings: `I⁻¹ = F Fᵀ`, `h² K = F⁻ᵀ Λ F⁻¹`.
struct Modes {
    frame: DMat3,
    inertia: DMat3,
    /// `ω² h²` of each mode; what would fall over has none.
    squares: DVec3,
}

impl Modes {
    /// `None` for bodies that have no moment of inertia about some axis.
    fn new(a: &Aggregate, pull: &DMat3) -> Option<Self> {
        let inverse = a.inverse_moments();
        if inverse.min_element() <= 0.0 {
            return None;
        }
        let r = DMat3::from_quat(a.orientation);
        let root = r * DMat3::from_diagonal(inverse.powf(0.5));
        let (squares, axes) = principal_frame(root.transpose() * (*pull + pull.transpose()) * 0.5 * root);
        let inertia = r * DMat3::from_diagonal(a.inertia) * r.transpose();
        let sound = squares.is_finite();
        sound.then(|| Self { frame: root * DMat3::from_quat(axes), inertia, squares: squares.max(DVec3::ZERO) })
    }

    fn fastest(&self) -> f64 {
        self.squares.max_element()
    }
}

impl Stiff {
    fn new((carrier, modes): (u32, &Modes), (beta, share): (f64, f64), weight: DVec3, spin: DVec3) -> Self {
        let squares = modes.squares * beta;
        // F⁻¹ = Fᵀ I
        let back = modes.frame.transpose() * modes.inertia;
        let stiffness = back.transpose() * DMat3::from_diagonal(squares) * back;
        let slower = DMat3::from_diagonal((squares + DVec3::ONE).recip());
        let inverse = modes.frame * slower * modes.frame.transpose();
        let given = stiffness * spin;
        Self { carrier, stiffness, inverse, share, weight, reach: 0.0, given, wanted: given }
    }

    /// The carrier without joints: its spin is `(I + β h² K)⁻¹ (I ω* + β h² K ω)`.
    fn prepare(&self, inertia: &DMat3, carrier: &mut Carrier) {
        carrier.spin = self.inverse * (*inertia * carrier.spin + self.given);
        carrier.inverse_inertia = self.inverse;
    }
}

impl Taut {
    /// The bodies, those together that hang together.
    pub(super) fn groups(&self) -> impl Iterator<Item = &[Stiff]> {
        self.groups.iter().map(|range| &self.bodies[range.clone()])
    }

    /// True if the joint with this number is taut.
    pub fn pulls_at(&self, joint: usize) -> bool {
        self.shares.get(joint).is_some_and(|share| *share > 0.0)
    }

    /// True if nothing is.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Looks at how far spins are from those that the moments of averages give: the longest way that makes in the step [m].
    pub fn look(&mut self, blocks: &[JointBlock], carriers: &Carriers, before: &Carriers, h: f64) -> f64 {
        let mut moments = vec![DVec3::ZERO; carriers.len()];
        for (block, &share) in blocks.iter().zip(&self.shares).filter(|b| *b.1 > 0.0) {
            let moment = shift(block, share, carriers, before).cross(block.pull());
            moments[block.a as usize] += moment;
            moments[block.b as usize] -= moment;
        }
        let mut longest: f64 = 0.0;
        for body in &mut self.bodies {
            let (new, old) = (&carriers[body.carrier as usize], &before[body.carrier as usize]);
            let moment = moments[body.carrier as usize] + body.moment_of_weight(new, old);
            body.wanted = moment + body.stiffness * new.spin;
            longest = longest.max((body.inverse * (body.wanted - body.given)).length() * body.reach * h);
        }
        longest
    }

    /// Gives the carriers the moments that were found wanted.
    pub fn give(&mut self, carriers: &mut Carriers) {
        for body in &mut self.bodies {
            carriers[body.carrier as usize].spin += body.inverse * (body.wanted - body.given);
            body.given = body.wanted;
        }
    }

    /// Tells the joints where they act.
    pub fn place(&self, blocks: &mut [JointBlock], carriers: &Carriers, before: &Carriers) {
        for (block, &share) in blocks.iter_mut().zip(&self.shares).filter(|b| *b.1 > 0.0) {
            block.shift = shift(block, share, carriers, before);
        }
    }
}

impl Stiff {
    /// The moment of its weight where it is on average about where it was, which the kick does not know [N m s].
    pub(super) fn moment_of_weight(&self, new: &Carrier, old: &Carrier) -> DVec3 {
        (new.velocity - old.velocity).cross(self.weight) * self.share
    }
}

/// From the place of a joint to its average over the step, `β h (u⁺ − u)` [m].
fn shift(block: &JointBlock, share: f64, carriers: &Carriers, before: &Carriers) -> DVec3 {
    let (new, old) = (&carriers[block.a as usize], &before[block.a as usize]);
    let arm = block.point - new.position;
    (new.velocity - old.velocity + (new.spin - old.spin).cross(arm)) * share
}
