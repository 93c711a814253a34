//! Contact connections inside an implicit step: forces at the pose that the solver tries.
//!
//! Normal: `f = max(0, k δ − c n·u)` with overlap and velocity of the pose. Friction: the same tangential spring as in
//! explicit steps, stretched by the slip since the step began. Derivatives: in `contact/tangent.rs`.

use crate::contact::connections::{Active, Candidates, Sight, damped_approach, meet};
use crate::contact::friction::{rubbed_plane, settle_friction};
use crate::contact::rows::{Row, relative_velocity};
use crate::linear::Vectors;

/// Finds the contacts of a pose and works out their forces; `sight.drifted` is the time since the step began.
/// Returns the energy [J] of adhesive contacts that tear.
pub fn evaluate(sight: &Sight, candidates: Candidates, active: &mut Vec<Active>) -> f64 {
    let (torn, masses) = meet(sight, candidates, active);
    for (a, mass) in active.iter_mut().zip(masses) {
        settle(sight, a, mass);
    }
    torn
}

/// Contacts as they are at one pose, kept while the solver looks for poses nearby: who touches whom and where, normals, masses
/// and who slips change in jumps, and an equation that jumps may have no solution.
#[derive(Clone, Debug, Default)]
pub struct Frozen {
    contacts: Vec<(Active, Row, f64)>,
    /// Positions of the elements then [m]: there the rows send forces with the right moments.
    pub pose: Vectors,
}

impl Frozen {
    /// Finds the contacts of a pose and keeps them.
    pub fn new(sight: &Sight, candidates: Candidates) -> Self {
        let mut active = Vec::new();
        let (_, masses) = meet(sight, candidates, &mut active);
        let keep = |(mut a, mass): (Active, f64)| {
            let mut tried = a.clone();
            settle(sight, &mut tried, mass);
            // Who slips here goes on to slip, with one coefficient.
            a.contact.slipping = tried.contact.slipping;
            a.velocity = tried.velocity;
            let row = a.row(sight.model, sight.state);
            (a, row, mass)
        };
        let contacts = active.into_iter().zip(masses).map(keep).collect();
        Self { contacts, pose: sight.state.position.clone() }
    }

    /// The contacts at a pose nearby, with the velocities `v` of elements and aggregates; gaps change as the rows say.
    pub fn evaluate(&self, sight: &Sight, v: &Vectors, active: &mut Vec<Active>) {
        active.clear();
        for (kept, row, mass) in &self.contacts {
            let mut a = kept.clone();
            let u = relative_velocity(row, v);
            a.overlap -= a.normal.dot(u - kept.velocity) * sight.drifted;
            a.velocity = u;
            push(sight, &mut a, *mass, true);
            active.push(a);
        }
    }

    /// True if all contacts of a list that push are among those that were kept.
    pub fn knows(&self, active: &[Active]) -> bool {
        let key = |a: &Active| (a.contact.element, a.contact.other);
        let pushes = |a: &&Active| a.elastic_force > 0.0;
        active.iter().filter(pushes).all(|a| self.contacts.binary_search_by_key(&key(a), |c| key(&c.0)).is_ok())
    }

    /// The blocks of the relative velocity of contact `k`.
    pub fn row(&self, k: usize) -> &Row {
        &self.contacts[k].1
    }
}

fn settle(sight: &Sight, a: &mut Active, mass: f64) {
    a.velocity = a.relative_velocity(sight.model, sight.state, &sight.state.velocity);
    push(sight, a, mass, false);
}

/// Forces from overlap and velocity; `steady` contacts do not change between slip and stick.
fn push(sight: &Sight, a: &mut Active, mass: f64, steady: bool) {
    let elastic = a.stiffness * a.overlap;
    let adheres = sight.model.contact.adhesion > 0.0;
    let (mut approach, mut along) = damped_approach(sight, a, -a.normal.dot(a.velocity));
    let fastest = if adheres { f64::INFINITY } else { fastest_approach(a.overlap, sight.drifted) };
    if approach > fastest {
        (approach, along) = (fastest, a.normal);
    }
    a.damped_along = along;
    let damper = a.normal_damper(mass) * approach;
    let total = if adheres { elastic + damper } else { (elastic + damper).max(0.0) };
    let pushing = adheres || a.overlap > 0.0;
    a.overlap = if adheres { a.overlap } else { a.overlap.max(0.0) };
    a.elastic_force = if pushing { elastic } else { 0.0 };
    a.damping_force = if pushing { total - elastic } else { 0.0 };
    a.damped_mass = mass;
    let normal_force = if pushing { total.max(0.0) } else { 0.0 };
    let rubbed = mass.min(a.side.rubbed_mass(sight)).min(a.other.rubbed_mass(sight));
    if steady {
        let mu = if a.contact.slipping { a.coefficients.dynamic_friction } else { a.coefficients.static_friction };
        (a.coefficients.static_friction, a.coefficients.dynamic_friction) = (mu, mu);
    }
    settle_friction(sight, a, normal_force, rubbed);
    a.rubbed_plane = rubbed_plane(a, sight.state);
}

/// The damper of a contact that begins within the step resists the overlap that there is, `δ/τ`, and not the whole way there:
/// else its force jumps from nothing to `c n·u` at the first touch, and a step that ends just there has no solution. What
/// overlapped before is not affected, nor is the derivative: `x/τ = v`.
fn fastest_approach(overlap: f64, drifted: f64) -> f64 {
    if drifted > 0.0 { overlap.max(0.0) / drifted } else { f64::INFINITY }
}

impl Active {
    pub(super) fn normal_damper(&self, mass: f64) -> f64 {
        2.0 * self.coefficients.damping_ratio * (self.stiffness * mass).sqrt()
    }
}
