//! The law `connections`: contact as springs and dampers where element radii meet.
//!
//! Normal: `f = max(0, k δ + c δ′)`, `δ = rest − d`; never attractive unless adhesion is asked for. Friction: a
//! tangential spring with history, `F = −k_t s − c_t u_t` inside the disc of radius `μ f`, the stretch `s` mapped back
//! to the disc when it slides, so that a block on an incline sticks and does not creep. [CS79]

use crate::contact::coefficients::{CoefficientTable, Coefficients, TANGENTIAL_SHARE};
use crate::contact::foot::Foot;
use crate::contact::friction::settle_friction;
use crate::contact::masses::shared_masses;
use crate::contact::opposite::Opposite;
use crate::contact::rows::{Row, merged};
use crate::contact::side::Side;
use crate::contact::touch::Touch;
use crate::linear::Vectors;
use crate::model::{Contact, Model, State, Topology, Touched};
use glamx::{DMat3, DVec3};

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
    /// Friction as it would be if the coefficient did not bound it [N].
    pub(super) wanted_friction: DVec3,
    /// Stretch of the tangential spring before the coefficient bounds it [m].
    pub(super) drawn: DVec3,
    /// The most that friction may be [N].
    pub(super) bound: f64,
    /// The damper works against the velocity along this direction [1]; known in implicit steps only.
    pub(super) damped_along: DVec3,
    /// Projection to the directions in which both sides take friction; known in implicit steps only.
    pub(super) rubbed_plane: DMat3,
    /// The mass that its damper works against [kg].
    pub(super) damped_mass: f64,
    /// Damper across the normal [N s/m].
    pub(super) tangential_damper: f64,
    /// True if it was there before the step.
    known: bool,
    pub(super) stiffness: f64,
    /// Which part it is of the contact between the two, if there is one each way.
    pub(super) share: f64,
    pub(super) coefficients: Coefficients,
    pub(super) side: Side,
    pub(super) other: Opposite,
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
        self.side.velocity(self.normal, self.point, model, state, v)
            - self.other.velocity(self.normal, self.point, model, state, v)
    }

    /// The blocks of the relative velocity.
    pub fn row(&self, model: &Model, state: &State) -> Row {
        let mut row = Row::new();
        let at = (self.normal, self.point);
        self.side.add_row(at, (model, state), 1.0, &mut row);
        self.other.add_row(at, (model, state), -1.0, &mut row);
        merged(row)
    }

    /// Adds its forces to the elements' and its couples to the aggregates'.
    pub fn apply(&self, model: &Model, x: &Vectors, f: &mut Vectors, couples: &mut [DVec3]) {
        let normal = self.normal * (self.elastic_force + self.damping_force);
        self.side.apply(normal, self.friction, self.point, (model, x), f, couples);
        self.other.apply(-normal, -self.friction, self.point, (model, x), f, couples);
    }
}

/// Candidate contacts: a superset of those that push.
#[derive(Clone, Copy, Default)]
pub struct Candidates<'a> {
    /// Pairs of elements, sorted.
    pub pairs: &'a [(u32, u32)],
    /// Elements and obstacles, sorted.
    pub world: &'a [(u32, u16)],
    /// Elements and where their spheres stand on skins, sorted by element and skin.
    pub feet: &'a [(u32, Foot)],
}

/// Finds the contacts among the candidates and works out their forces. `active` is sorted by the ends of the contact.
/// Returns the energy [J] of adhesive contacts that tear at this pose.
pub fn evaluate(sight: &Sight, candidates: Candidates, active: &mut Vec<Active>) -> f64 {
    let (torn, masses) = meet(sight, candidates, active);
    for (a, mass) in active.iter_mut().zip(masses) {
        settle_forces(sight, a, mass);
    }
    torn
}

/// Finds the contacts among the candidates, without forces; returns the energy [J] of adhesive contacts that tear at this
/// pose, and the mass [kg] that each contact works against.
pub(super) fn meet(sight: &Sight, candidates: Candidates, active: &mut Vec<Active>) -> (f64, Vec<f64>) {
    active.clear();
    let (mut pairs, mut world, mut feet) =
        (candidates.pairs.iter().peekable(), candidates.world.iter().peekable(), candidates.feet.iter().peekable());
    loop {
        let keys = [
            pairs.peek().map(|p| (p.0, Touched::Element(p.1))),
            world.peek().map(|p| (p.0, Touched::Obstacle(p.1))),
            feet.peek().map(|p| (p.0, Touched::Skin(p.1.skin))),
        ];
        let Some(key) = keys.into_iter().flatten().min() else { break };
        active.extend(match key.1 {
            Touched::Element(_) => pairs.next().and_then(|&(i, j)| meet_sphere(sight, i, j)),
            Touched::Obstacle(_) => world.next().and_then(|&(i, o)| meet_obstacle(sight, i, o)),
            Touched::Skin(_) => feet.next().and_then(|&(i, foot)| meet_skin(sight, i, foot)),
        });
    }
    let torn = recall_history(sight, active);
    (torn, shared_masses(sight, active))
}

/// The sphere of an element.
fn sphere(sight: &Sight, i: u32) -> Touch {
    Touch::new(sight.model, i, sight.topology.leans(i), &sight.state.position)
}

/// The contact of two spheres, if they overlap (or still stick together). Pieces of one body, and elements laid bare by
/// fracture, start without force.
fn meet_sphere(sight: &Sight, i: u32, j: u32) -> Option<Active> {
    let e = &sight.model.elements;
    let (here, there) = (sphere(sight, i), sphere(sight, j));
    let (a, b) = (i as usize, j as usize);
    let reach = e.radius[a] + e.radius[b];
    let apart = here.centre - there.centre;
    let distance = apart.length();
    if !is_near(sight, distance, reach) {
        return None;
    }
    let normal = if distance > 0.0 { apart / distance } else { DVec3::Z };
    let gentle = e.component[a] == e.component[b] || sight.topology.is_exposed(a) || sight.topology.is_exposed(b);
    let gap = Gap { distance, normal, reach, point: here.centre - normal * (e.radius[a] * distance / reach), gentle };
    let coefficients = sight.coefficients.pair(e.material[a].0, e.material[b].0);
    let other = Opposite::Sphere(Side::new(sight, there, coefficients.rubs()));
    let stiffness = sight.coefficients.sphere_stiffness(sight.model, i, j);
    Some(begin(sight, here, (Touched::Element(j), other), gap, coefficients, (stiffness, 1.0)))
}

/// The contact of a sphere with the fixed world, which does not give.
fn meet_obstacle(sight: &Sight, i: u32, o: u16) -> Option<Active> {
    let (model, here) = (sight.model, sphere(sight, i));
    let (distance, normal) = model.obstacles[o as usize].shape.distance(here.centre);
    let reach = model.elements.radius[i as usize];
    if !is_near(sight, distance, reach) {
        return None;
    }
    let gentle = sight.topology.is_exposed(i as usize);
    let gap = Gap { distance, normal, reach, point: here.centre - normal * distance, gentle };
    let coefficients = sight.coefficients.world(o, model.elements.material[i as usize].0);
    let stiffness = (sight.coefficients.element_stiffness(model, i as usize), 1.0);
    Some(begin(sight, here, (Touched::Obstacle(o), Opposite::World), gap, coefficients, stiffness))
}

/// The contact of a sphere with the skin of another body.
fn meet_skin(sight: &Sight, i: u32, foot: Foot) -> Option<Active> {
    let e = &sight.model.elements;
    let reach = e.radius[i as usize];
    if !is_near(sight, foot.distance, reach) {
        return None;
    }
    let Foot { distance, normal, point, .. } = foot;
    let gap = Gap { distance, normal, reach, point, gentle: false };
    let coefficients = sight.coefficients.pair(e.material[i as usize].0, e.material[foot.bearer as usize].0);
    let stiffness = sight.coefficients.skin_stiffness(sight.model, i, foot.bearing, foot.cell);
    let other = (Touched::Skin(foot.skin), Opposite::Skin(foot));
    Some(begin(sight, sphere(sight, i), other, gap, coefficients, stiffness))
}

/// An adhesive contact begins where spheres touch and tears later; what is a little farther apart may be about to tear.
fn is_near(sight: &Sight, distance: f64, reach: f64) -> bool {
    let adhesion = sight.model.contact.adhesion;
    let farthest = if adhesion > 0.0 { reach * (1.0 + 2.0 * adhesion) } else { reach };
    distance < farthest && distance.is_finite()
}

/// Two sides near each other.
struct Gap {
    distance: f64,
    normal: DVec3,
    reach: f64,
    point: DVec3,
    /// Begins without force.
    gentle: bool,
}

/// A contact as it is when it begins.
fn begin(
    sight: &Sight,
    touch: Touch,
    (key, other): (Touched, Opposite),
    gap: Gap,
    coefficients: Coefficients,
    (stiffness, share): (f64, f64),
) -> Active {
    let rest = if gap.gentle { gap.distance.min(gap.reach) } else { gap.reach };
    Active {
        contact: Contact { element: touch.element, other: key, rest, stretch: DVec3::ZERO, slipping: false },
        normal: gap.normal,
        point: gap.point,
        overlap: rest - gap.distance,
        velocity: DVec3::ZERO,
        elastic_force: 0.0,
        damping_force: 0.0,
        friction: DVec3::ZERO,
        wanted_friction: DVec3::ZERO,
        drawn: DVec3::ZERO,
        bound: 0.0,
        damped_along: DVec3::ZERO,
        rubbed_plane: DMat3::ZERO,
        damped_mass: 0.0,
        tangential_damper: 0.0,
        known: false,
        stiffness,
        share,
        coefficients,
        side: Side::new(sight, touch, coefficients.rubs()),
        other,
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

/// Normal force and friction of a contact from its overlap, its velocity and its history.
fn settle_forces(sight: &Sight, a: &mut Active, mass: f64) {
    let n = a.normal;
    a.velocity = a.relative_velocity(sight.model, sight.state, &sight.state.velocity);
    let approach = -n.dot(a.velocity);
    let (elastic, share_of_step) = spring_force(a, approach, sight.step);
    let damper = damper_force(a, damped_approach(sight, a, approach).0, elastic, mass, sight.step) * share_of_step;
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
    let rubbed = mass.min(a.side.rubbed_mass(sight)).min(a.other.rubbed_mass(sight));
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

/// The part of the approach `δ′` [m/s] that the damper works against, and the direction `a` [1] such that it is `−a·u`.
///
/// At an edge of a skin the normal leans over, and a sphere that slides below the edge closes the gap without the two bodies
/// coming nearer: its own flat surface, with the normal `N`, passes the edge at one height. A damper of the gap's rate `−n·u`
/// would hit every sphere that enters under a slider, drive the slider up and hold it back. It takes `−(n·N)(N·u)` instead,
/// the approach across the surface, and never more than the gap's rate, so that it takes energy only.
pub(super) fn damped_approach(sight: &Sight, a: &Active, approach: f64) -> (f64, DVec3) {
    let sharp = matches!(&a.other, Opposite::Skin(foot) if foot.sharp);
    let facing = if sharp { a.side.touch.facing(&sight.state.position) } else { DVec3::ZERO };
    if facing == DVec3::ZERO {
        return (approach, a.normal);
    }
    let across = -a.normal.dot(facing) * facing.dot(a.velocity);
    if across * approach <= 0.0 {
        (0.0, DVec3::ZERO)
    } else if across.abs() < approach.abs() {
        (across, facing * a.normal.dot(facing))
    } else {
        (approach, a.normal)
    }
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
