//! A set of elements as a whole: mass, centre, momentum, spin, kinetic energy.
//!
//! Elements count as point masses. A lone ball, and an aggregate whose inertia was given, have more angular momentum than
//! their elements show: where the set holds them wholly, their own mass, inertia and angular momentum count instead; of
//! such an aggregate that is only partly in the set, its elements count as points.

use crate::linear::eigen::{inertia_of_point, pseudo_inverse};
use crate::model::{Aggregate, FREE, Model, Origin, State};
use glamx::{DMat3, DVec3};

/// How a set of elements moves as a whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Whole {
    /// Mass [kg].
    pub mass: f64,
    /// Centre of mass [m].
    pub centre: DVec3,
    /// Velocity of the centre of mass [m/s].
    pub velocity: DVec3,
    /// Angular momentum about the centre of mass [kg m²/s].
    pub own_angular_momentum: DVec3,
    /// Inertia about the centre of mass, world axes [kg m²].
    pub inertia: DMat3,
    /// Kinetic energy [J].
    pub kinetic: f64,
}

impl Whole {
    const NOTHING: Self = Self {
        mass: 0.0,
        centre: DVec3::ZERO,
        velocity: DVec3::ZERO,
        own_angular_momentum: DVec3::ZERO,
        inertia: DMat3::ZERO,
        kinetic: 0.0,
    };

    /// Linear momentum [kg m/s].
    pub fn momentum(&self) -> DVec3 {
        self.mass * self.velocity
    }

    /// Angular momentum about the origin [kg m²/s].
    pub fn angular_momentum(&self) -> DVec3 {
        self.centre.cross(self.momentum()) + self.own_angular_momentum
    }

    /// Angular velocity `ω = I⁻¹ L` [rad/s]; zero about axes without inertia.
    pub fn spin(&self) -> DVec3 {
        pseudo_inverse(self.inertia) * self.own_angular_momentum
    }
}

/// One thing that moves: an element as a point, or an aggregate with its own inertia.
struct Part {
    mass: f64,
    position: DVec3,
    velocity: DVec3,
    own: Option<usize>,
}

/// The elements (ascending, each once) as a whole.
pub fn whole(model: &Model, state: &State, elements: &[u32]) -> Whole {
    let own = held_with_own_inertia(state, elements);
    let parts = || parts(model, state, elements, &own);
    let mut w = Whole::NOTHING;
    let (mut moment, mut momentum) = (DVec3::ZERO, DVec3::ZERO);
    for p in parts() {
        w.mass += p.mass;
        moment += p.mass * p.position;
        momentum += p.mass * p.velocity;
    }
    if w.mass <= 0.0 {
        return w;
    }
    (w.centre, w.velocity) = (moment / w.mass, momentum / w.mass);
    for p in parts() {
        let arm = p.position - w.centre;
        w.own_angular_momentum += p.mass * arm.cross(p.velocity - w.velocity);
        w.inertia += inertia_of_point(arm) * p.mass;
        w.kinetic += 0.5 * p.mass * p.velocity.length_squared();
        if let Some(a) = p.own.map(|a| &state.aggregates[a]) {
            w.own_angular_momentum += a.angular_momentum;
            w.inertia += world_inertia(a);
            w.kinetic += 0.5 * a.angular_momentum.dot(a.spin());
        }
    }
    w
}

/// Elements as points, except those of the aggregates `own`: these come once, at their first element.
fn parts<'a>(
    model: &'a Model,
    state: &'a State,
    elements: &'a [u32],
    own: &'a [u32],
) -> impl Iterator<Item = Part> + 'a {
    elements.iter().filter_map(move |&e| {
        let owner = state.owner[e as usize];
        if owner == FREE || own.binary_search(&owner).is_err() {
            let e = e as usize;
            let (position, velocity) = (state.position.get(e), state.velocity.get(e));
            return Some(Part { mass: model.elements.mass[e], position, velocity, own: None });
        }
        let a = &state.aggregates[owner as usize];
        let part = Part { mass: a.mass, position: a.position, velocity: a.velocity, own: Some(owner as usize) };
        (a.elements.first() == Some(&e)).then_some(part)
    })
}

/// The aggregates with an inertia of their own that lie wholly among `elements`, ascending.
fn held_with_own_inertia(state: &State, elements: &[u32]) -> Vec<u32> {
    let counts = |a: &Aggregate| has_own_inertia(a) && holds(elements, a);
    (0..state.aggregates.len() as u32).filter(|&i| counts(&state.aggregates[i as usize])).collect()
}

fn has_own_inertia(a: &Aggregate) -> bool {
    a.given_inertia || a.origin == Origin::Lone
}

/// True if all elements of the aggregate are among `elements`, both ascending.
fn holds(elements: &[u32], a: &Aggregate) -> bool {
    let (Some(first), Some(last)) = (a.elements.first(), a.elements.last()) else { return false };
    let begin = elements.partition_point(|e| e < first);
    let end = elements.partition_point(|e| e <= last);
    // Both lists ascend: each member is looked for behind the one before.
    let mut among = elements[begin..end].iter();
    a.elements.iter().all(|m| among.any(|e| e == m))
}

fn world_inertia(a: &Aggregate) -> DMat3 {
    let r = DMat3::from_quat(a.orientation);
    r * DMat3::from_diagonal(a.inertia) * r.transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readout::momentum;
    use crate::readout::sample::{lattice, make_rigid, resting};

    const SPIN: DVec3 = DVec3::new(0.3, -1.0, 2.0);

    fn turning(model: &Model) -> State {
        let mut state = resting(model);
        for e in 0..model.elements.len() {
            state.velocity.set(e, DVec3::X * 4.0 + SPIN.cross(state.position.get(e)));
        }
        state
    }

    #[test]
    fn a_turning_set_has_the_spin_it_turns_with_whatever_part_of_it_is_looked_at() {
        let model = lattice([3, 2, 2], 0.25);
        let state = turning(&model);
        for elements in [(0..36).collect::<Vec<u32>>(), vec![0, 5, 9, 20], vec![1, 2, 30]] {
            let w = whole(&model, &state, &elements);
            assert!((w.spin() - SPIN).length() < 1e-13, "{}", w.spin());
        }
    }

    #[test]
    fn two_elements_on_a_line_spin_only_across_it() {
        let model = lattice([1, 1, 1], 0.25);
        let w = whole(&model, &turning(&model), &[0, 1]);
        assert!((w.spin() - DVec3::new(0.0, SPIN.y, SPIN.z)).length() < 1e-13);
    }

    #[test]
    fn the_whole_of_everything_has_the_momenta_and_the_energy_of_everything() {
        let model = lattice([3, 2, 2], 0.25);
        let mut state = turning(&model);
        make_rigid(&model, &mut state, &[1, 2, 3, 8, 12, 20]);
        state.aggregates[0].given_inertia = true;
        state.aggregates[0].inertia *= 3.0;
        state.aggregates[0].angular_momentum *= 3.0;
        let w = whole(&model, &state, &(0..36).collect::<Vec<_>>());
        let close = |a: DVec3, b: DVec3| (a - b).length() < 1e-13 * b.length();
        assert!(close(w.momentum(), momentum::linear_momentum(&model, &state)));
        assert!(close(w.angular_momentum(), momentum::angular_momentum(&model, &state)));
        let kinetic = momentum::kinetic_energy(&model, &state);
        assert!((w.kinetic - kinetic).abs() < 1e-13 * kinetic);
        assert!((w.spin() - SPIN).length() < 1e-12, "three times inertia and momentum: the same spin");
    }

    #[test]
    fn an_aggregate_with_given_inertia_that_is_cut_by_the_set_counts_by_its_elements() {
        let model = lattice([2, 1, 1], 0.25);
        let mut state = turning(&model);
        let free = whole(&model, &state, &[0, 1, 4, 7]);
        make_rigid(&model, &mut state, &[1, 2, 3]);
        state.aggregates[0].given_inertia = true;
        assert_eq!(whole(&model, &state, &[0, 1, 4, 7]), free);
    }
}
