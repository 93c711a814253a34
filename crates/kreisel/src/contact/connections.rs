//! The law `connections`: contact as springs and dampers where element radii meet.
//!
//! Normal: `f = max(0, k δ + c δ′)`, `δ = rest − d`; never attractive unless adhesion is asked for. Friction: a
//! tangential spring with history, `F = −k_t s − c_t u_t` inside the disc of radius `μ f`, the stretch `s` mapped back
//! to the disc when it slides, so that a block on an incline sticks and does not creep. [CS79]

use crate::contact::coefficients::{
    CoefficientTable, Coefficients, TANGENTIAL_DAMPING, TANGENTIAL_SHARE, element_stiffness, in_series,
};
use crate::contact::side::Side;
use crate::contact::touch::Touch;
use crate::linear::Vectors;
use crate::model::{Contact, Model, State, Topology, Touched};
use glamx::DVec3;

/// What the law looks at.
#[derive(Clone, Copy)]
pub struct Sight<'a> {
    /// What there is.
    pub model: &'a Model,
    /// Where it is.
    pub state: &'a State,
    /// Who is joined to whom.
    pub topology: &'a Topology,
    /// Friction and damping of pairs.
    pub coefficients: &'a CoefficientTable,
    /// True for aggregates that cannot move.
    pub immovable: &'a [bool],
    /// How far the bodies have drifted since the stretch of the contacts was written [s].
    pub drifted: f64,
    /// The step that the forces will act for [s].
    pub step: f64,
}

/// A contact that pushes at the moment.
#[derive(Clone, Debug)]
pub struct Active {
    /// What is kept of it; `stretch` is the one in force.
    pub contact: Contact,
    /// Unit normal, from the other side to the element.
    pub normal: DVec3,
    /// Where it touches [m].
    pub point: DVec3,
    /// Overlap `δ` [m].
    pub overlap: f64,
    /// Relative velocity `u` at the contact before the step [m/s].
    pub velocity: DVec3,
    /// Elastic part of the normal force [N].
    pub elastic_force: f64,
    /// Damping part of the normal force [N].
    pub damping_force: f64,
    /// Friction on the element [N].
    pub friction: DVec3,
    /// True if it was there before the step.
    known: bool,
    stiffness: f64,
    coefficients: Coefficients,
    side: Side,
    other: Option<Side>,
}

impl Active {
    /// Energy stored in its two springs [J].
    pub fn energy(&self) -> f64 {
        let kt = TANGENTIAL_SHARE * self.stiffness;
        0.5 * self.stiffness * self.overlap * self.overlap + 0.5 * kt * self.contact.stretch.length_squared()
    }

    /// Stored energy of the tangential spring alone [J].
    pub fn tangential_energy(&self) -> f64 {
        0.5 * TANGENTIAL_SHARE * self.stiffness * self.contact.stretch.length_squared()
    }

    /// Total force on the element [N].
    pub fn force(&self) -> DVec3 {
        self.normal * (self.elastic_force + self.damping_force) + self.friction
    }

    /// Relative velocity of the two sides at the contact [m/s]: along the normal that of the spheres, across it that
    /// of the material at the contact point.
    pub fn relative_velocity(&self, model: &Model, state: &State, v: &Vectors) -> DVec3 {
        let mut u = self.side.velocity(self.normal, self.point, model, state, v);
        if let Some(other) = &self.other {
            u -= other.velocity(self.normal, self.point, model, state, v);
        }
        u
    }

    /// Adds its forces to the elements' and its couples to the aggregates'.
    pub fn apply(&self, model: &Model, x: &Vectors, f: &mut Vectors, couples: &mut [DVec3]) {
        let normal = self.normal * (self.elastic_force + self.damping_force);
        self.side.apply(normal, self.friction, self.point, (model, x), f, couples);
        if let Some(other) = &self.other {
            other.apply(-normal, -self.friction, self.point, (model, x), f, couples);
        }
    }
}

/// Candidate contacts: a superset of those that push.
#[derive(Clone, Copy, Default)]
pub struct Candidates<'a> {
    /// Pairs of elements, sorted.
    pub pairs: &'a [(u32, u32)],
    /// Elements and obstacles, sorted.
    pub world: &'a [(u32, u16)],
}

/// Finds the contacts among the candidates and works out their forces. `active` is sorted by the ends of the contact.
/// Returns the energy [J] of adhesive contacts that tear at this pose.
pub fn evaluate(sight: &Sight, candidates: Candidates, active: &mut Vec<Active>) -> f64 {
    active.clear();
    let mut world = candidates.world.iter().peekable();
    for &(i, j) in candidates.pairs {
        while let Some(&(k, o)) = world.next_if(|(k, _)| *k < i) {
            active.extend(meet(sight, k, Touched::Obstacle(o)));
        }
        active.extend(meet(sight, i, Touched::Element(j)));
    }
    active.extend(world.filter_map(|&(i, o)| meet(sight, i, Touched::Obstacle(o))));
    let torn = recall_history(sight, active);
    let masses = shared_masses(sight, active);
    for (a, mass) in active.iter_mut().zip(masses) {
        settle_forces(sight, a, mass);
    }
    torn
}

/// The contact of an element with what it may touch, if they overlap (or still stick together).
fn meet(sight: &Sight, i: u32, other: Touched) -> Option<Active> {
    let (model, state) = (sight.model, sight.state);
    let radius = model.elements.radius[i as usize];
    let touch = |i: u32| Touch::new(model, i, sight.topology.leans(i), &state.position);
    let mut sides = (touch(i), None);
    let here = sides.0.centre;
    let (distance, normal, reach) = match other {
        Touched::Element(j) => {
            let there = sides.1.insert(touch(j)).centre;
            let apart = here - there;
            let d = apart.length();
            (d, if d > 0.0 { apart / d } else { DVec3::Z }, radius + model.elements.radius[j as usize])
        }
        Touched::Obstacle(o) => {
            let (d, n) = model.obstacles[o as usize].shape.distance(here);
            (d, n, radius)
        }
    };
    // An adhesive contact begins where spheres touch and tears later; what is a little farther apart may be about to tear.
    let farthest = if model.contact.adhesion > 0.0 { reach * (1.0 + 2.0 * model.contact.adhesion) } else { reach };
    if distance >= farthest || !distance.is_finite() {
        return None;
    }
    Some(begin(sight, sides, other, (distance, normal, reach)))
}

/// A contact as it is when it begins. Pieces of one body, and elements laid bare by fracture, start without force.
fn begin(sight: &Sight, sides: (Touch, Option<Touch>), other: Touched, gap: (f64, DVec3, f64)) -> Active {
    let ((here, there), (distance, normal, reach)) = (sides, gap);
    let (model, topology, i) = (sight.model, sight.topology, here.element);
    let e = &model.elements;
    let gentle = match other {
        Touched::Element(j) => {
            let (i, j) = (i as usize, j as usize);
            e.component[i] == e.component[j] || topology.is_exposed(i) || topology.is_exposed(j)
        }
        Touched::Obstacle(_) => topology.is_exposed(i as usize),
    };
    let rest = if gentle { distance.min(reach) } else { reach };
    let coefficients = match other {
        Touched::Element(j) => sight.coefficients.pair(e.material[i as usize].0, e.material[j as usize].0),
        Touched::Obstacle(o) => sight.coefficients.world(o, e.material[i as usize].0),
    };
    let stiffness = contact_stiffness(model, i, other);
    let rubs = coefficients.static_friction.max(coefficients.dynamic_friction) > 0.0;
    let side = Side::new(sight, here, rubs);
    let other_side = there.map(|there| Side::new(sight, there, rubs));
    let depth = match other {
        Touched::Element(_) => e.radius[i as usize] * distance / reach,
        Touched::Obstacle(_) => distance,
    };
    Active {
        contact: Contact { element: i, other, rest, stretch: DVec3::ZERO, slipping: false },
        normal,
        point: side.touch.centre - normal * depth,
        overlap: rest - distance,
        velocity: DVec3::ZERO,
        elastic_force: 0.0,
        damping_force: 0.0,
        friction: DVec3::ZERO,
        known: false,
        stiffness,
        coefficients,
        side,
        other: other_side,
    }
}

/// Stiffness of a contact [N/m]: the sides in series; the fixed world does not give.
///
/// The spheres of a body one cell thick lie in one place in groups, and each touches a whole group of the other body:
/// each pair takes its share of one.
pub fn contact_stiffness(model: &Model, i: u32, other: Touched) -> f64 {
    let group = |i: u32| model.bodies[model.elements.body[i as usize].0 as usize].coincident_spheres;
    match other {
        Touched::Element(j) => {
            let k = in_series(element_stiffness(model, i as usize), element_stiffness(model, j as usize));
            k / f64::from(group(i).max(group(j)))
        }
        Touched::Obstacle(_) => element_stiffness(model, i as usize),
    }
}

/// Contacts that existed before keep their rest distance and the stretch of their tangential spring. Apart, only those
/// go on that adhere and are not too long; returns the energy [J] of those that tear.
fn recall_history(sight: &Sight, active: &mut Vec<Active>) -> f64 {
    let mut past = sight.state.contacts.iter().peekable();
    let mut torn = 0.0;
    active.retain_mut(|a| {
        let key = (a.contact.element, a.contact.other);
        while past.next_if(|p| (p.element, p.other) < key).is_some() {}
        let known = past.peek().filter(|p| (p.element, p.other) == key);
        if let Some(p) = known {
            a.overlap += p.rest - a.contact.rest;
            a.contact = **p;
            a.known = true;
        }
        if sight.model.contact.adhesion <= 0.0 {
            return true;
        }
        let holds = known.is_some() && -a.overlap < sight.model.contact.adhesion * a.contact.rest;
        if known.is_some() && a.overlap <= 0.0 && !holds {
            // It tears at its longest: what the last step stretched beyond that, no motion has paid for.
            let longest = sight.model.contact.adhesion * a.contact.rest;
            torn += 0.5 * a.stiffness * longest * longest;
        }
        a.overlap > 0.0 || holds
    });
    torn
}

/// The mass [kg] that each contact's damper and friction work against.
///
/// Contacts of the same two owners act together: at the mean point `p̄` and normal `n̄`, weighted by stiffness, the owners
/// show the mass `m = 1/(n̄ᵀ W n̄)`, of which each contact takes the share `k_i/Σk`. A box that lands flat on many
/// elements then bounces as one that lands on a single element of their common stiffness.
fn shared_masses(sight: &Sight, active: &[Active]) -> Vec<f64> {
    let owner = |s: &Side| s.carrier.map_or((0, s.touch.element as usize), |a| (1, a));
    let key = |a: &Active| (owner(&a.side), a.other.as_ref().map(owner));
    let mut masses: Vec<f64> = active.iter().map(|a| mass_at(sight, a, a.point, a.normal)).collect();
    let touching = active.iter().enumerate().filter(|(_, a)| a.overlap > 0.0);
    let mut keys: Vec<_> = touching.map(|(k, a)| (key(a), k)).collect();
    keys.sort_unstable();
    for group in keys.chunk_by(|a, b| a.0 == b.0).filter(|g| g.len() > 1) {
        let of_group = || group.iter().map(|(_, k)| &active[*k]);
        let stiffness: f64 = of_group().map(|a| a.stiffness).sum();
        let point = of_group().fold(DVec3::ZERO, |s, a| s + a.point * a.stiffness) / stiffness;
        let normal = of_group().fold(DVec3::ZERO, |s, a| s + a.normal * a.stiffness) / stiffness;
        // Normals that oppose each other (a body held in a cleft) have no common direction: each acts for itself.
        let together = normal.length() > 0.5;
        for (_, k) in group {
            let a = &active[*k];
            let common = if together { mass_at(sight, a, point, normal.normalize()) } else { masses[*k] };
            masses[*k] = common * a.stiffness / stiffness;
        }
    }
    masses
}

/// The mass that the two owners of a contact show at a point along a normal [kg]; zero if neither can move.
fn mass_at(sight: &Sight, a: &Active, point: DVec3, n: DVec3) -> f64 {
    let other = a.other.as_ref().map_or(0.0, |o| o.inverse_mass(sight, point, n));
    let w = a.side.inverse_mass(sight, point, n) + other;
    if w > 0.0 { 1.0 / w } else { 0.0 }
}

/// Normal force and friction of a contact from its overlap, its velocity and its history.
fn settle_forces(sight: &Sight, a: &mut Active, mass: f64) {
    let n = a.normal;
    a.velocity = a.relative_velocity(sight.model, sight.state, &sight.state.velocity);
    let approach = -n.dot(a.velocity);
    let (elastic, share_of_step) = spring_force(a, approach, sight.step);
    let damper = damper_force(a, approach, elastic, mass, sight.step) * share_of_step;
    let adheres = sight.model.contact.adhesion > 0.0;
    let pushing = a.overlap > 0.0;
    let total = if adheres {
        elastic + damper
    } else if pushing {
        (elastic + damper).max(0.0)
    } else {
        0.0
    };
    a.elastic_force = if adheres || pushing { elastic } else { 0.0 };
    a.overlap = if adheres { a.overlap } else { a.overlap.max(0.0) };
    a.damping_force = total - a.elastic_force;
    let rubbed = mass.min(a.side.rubbed_mass(sight)).min(a.other.as_ref().map_or(mass, |o| o.rubbed_mass(sight)));
    settle_friction(sight, a, total.max(0.0), rubbed);
}

/// The spring's force [N], and the share of the step for which the contact acts.
///
/// A contact that has just begun, `δ/δ′` ago, acts from then until half a step from now: for `t = δ/δ′ + ½h` and with the
/// impulse `½ k δ′ t²`. A whole step instead would make a bounce depend on where in a step it fell.
fn spring_force(a: &Active, approach: f64, h: f64) -> (f64, f64) {
    if a.known || approach <= 0.0 || h <= 0.0 {
        return (a.stiffness * a.overlap, 1.0);
    }
    let t = (a.overlap / approach).min(h) + 0.5 * h;
    (0.5 * a.stiffness * approach * t * t / h, t / h)
}

/// The damper's force `c δ′` [N] with `δ′` later in the step, where the contact's own force has acted for the time `θh`:
/// `f = c (δ′ − θh (kδ + f)/m)`. A damper that looks at the velocity of before would lose part of its effect.
///
/// `θ = ½` is the middle of the step; beyond critical damping it moves towards the end, `θ = 1 − 1/2z`: a damper that acts
/// faster than the step stops the approach and does not turn it round.
///
/// At rest other forces balance the contact's: the change of `δ′` that it makes by itself counts at most as `δ′` itself, so
/// that nothing damps what does not move.
fn damper_force(a: &Active, approach: f64, elastic: f64, mass: f64, h: f64) -> f64 {
    let ratio = a.coefficients.damping_ratio;
    let c = 2.0 * ratio * (a.stiffness * mass).sqrt();
    if mass <= 0.0 {
        return 0.0;
    }
    let ahead = (1.0 - 0.5 / ratio.max(1.0)) * h;
    let slowing = (ahead * elastic / mass).clamp(-approach.abs(), approach.abs());
    c * (approach - slowing) / (1.0 + ahead * c / mass)
}

/// Friction by return mapping: the spring's stretch stays inside the disc `k_t |s| ≤ μ f`.
fn settle_friction(sight: &Sight, a: &mut Active, normal_force: f64, mass: f64) {
    let kt = TANGENTIAL_SHARE * a.stiffness;
    let n = a.normal;
    let takes = Taken::new(a, sight.state);
    let slide = takes.part_of(a.velocity - n * n.dot(a.velocity));
    let mut s = takes.part_of(laid_into_plane(a.contact.stretch, n)) + slide * sight.drifted;
    let mu = if a.contact.slipping { a.coefficients.dynamic_friction } else { a.coefficients.static_friction };
    let length = s.length();
    a.contact.slipping = kt * length > mu * normal_force;
    let bound = if a.contact.slipping { a.coefficients.dynamic_friction * normal_force } else { mu * normal_force };
    if a.contact.slipping && length > 0.0 {
        s *= (bound / (kt * length)).min(1.0);
    }
    a.contact.stretch = s;
    let damper = 2.0 * a.coefficients.damping_ratio.clamp(TANGENTIAL_DAMPING, 1.0) * (kt * mass).sqrt();
    let wanted = -(s * kt) - slide * damper;
    let size = wanted.length();
    a.friction = if size > bound { wanted * (bound / size) } else { wanted };
}

/// What both sides of a contact can take of a force across it: not along what blocks the one or the other.
///
/// Slip and stretch are taken in the same directions, so that no energy is stored where no force answers.
struct Taken {
    blocked: [DVec3; 2],
    nothing: bool,
}

impl Taken {
    fn new(a: &Active, state: &State) -> Self {
        let first = a.side.blocked(a.point, state);
        let second = a.other.as_ref().map_or(DVec3::ZERO, |o| o.blocked(a.point, state));
        let nothing = !(a.side.takes_couples(state) && a.other.as_ref().is_none_or(|o| o.takes_couples(state)));
        // Gram and Schmidt: leaving out one direction must not bring back the other.
        Self { blocked: [first, (second - first * first.dot(second)).normalize_or_zero()], nothing }
    }

    fn part_of(&self, a: DVec3) -> DVec3 {
        let left = self.blocked.iter().fold(a, |a, &b| a - b * b.dot(a));
        if self.nothing { DVec3::ZERO } else { left }
    }
}

/// The vector turned into the plane across `n`, its length kept.
fn laid_into_plane(s: DVec3, n: DVec3) -> DVec3 {
    let flat = s - n * n.dot(s);
    let l = flat.length();
    if l > 0.0 { flat * (s.length() / l) } else { DVec3::ZERO }
}

/// The contacts after the step: the tangential springs have stretched by the slip of the time `h` [s].
pub fn remember(model: &Model, state: &mut State, active: &[Active], h: f64) {
    let mut contacts = std::mem::take(&mut state.contacts);
    contacts.clear();
    contacts.extend(active.iter().map(|a| {
        let u = a.relative_velocity(model, state, &state.velocity);
        let slide = u - a.normal * a.normal.dot(u);
        Contact { stretch: a.contact.stretch + slide * h, ..a.contact }
    }));
    state.contacts = contacts;
}
