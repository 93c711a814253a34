//! One side of a contact: the sphere that touches, and who takes friction and its couple.

use crate::contact::connections::Sight;
use crate::contact::grip::Grip;
use crate::contact::rows::{Row, SpinSlots, cross_matrix, split};
use crate::contact::touch::Touch;
use crate::linear::Vectors;
use crate::model::mapping::{carrier, inverse_mass_at, point_velocity};
use crate::model::{Model, State};
use glamx::{DMat3, DVec3};

/// One side of a contact that belongs to an element.
#[derive(Clone, Debug)]
pub(super) struct Side {
    /// Its contact sphere.
    pub touch: Touch,
    /// The neighbourhood that takes friction's couple; `None`: the element belongs to an aggregate.
    grip: Option<Grip>,
    /// The aggregate that carries the element.
    pub carrier: Option<usize>,
}

impl Side {
    /// The side of a sphere; `rubs` if there is friction.
    pub fn new(sight: &Sight, touch: Touch, rubs: bool) -> Self {
        let e = touch.element;
        let carrier = carrier(sight.state, e as usize);
        let grips = rubs && carrier.is_none();
        let neighbours = || sight.topology.neighbours(e).iter().copied();
        let grip = grips.then(|| Grip::new(e, neighbours(), &sight.model.elements, &sight.state.position));
        Self { touch, grip, carrier }
    }

    /// Velocity at the contact [m/s]: along `n` that of the sphere, across it that of the material.
    pub fn velocity(&self, n: DVec3, point: DVec3, model: &Model, state: &State, v: &Vectors) -> DVec3 {
        let centre = self.touch.velocity(model, v);
        let e = self.touch.element as usize;
        let arm = point - state.position.get(e);
        let material = match (&self.grip, self.carrier) {
            (Some(grip), _) => grip.velocity(arm, &state.position, v),
            (None, Some(a)) => point_velocity(v.get(e), state.aggregates[a].spin(), arm),
            (None, None) => centre,
        };
        material + n * n.dot(centre - material)
    }

    /// The blocks of its velocity, times `sign`.
    pub fn add_row(&self, (n, point): (DVec3, DVec3), (model, state): (&Model, &State), sign: f64, row: &mut Row) {
        let (centre, e) = (self.touch.row(model), self.touch.element);
        let arm = point - state.position.get(e as usize);
        let material = match (&self.grip, self.carrier) {
            (Some(grip), _) => grip.row(arm, &state.position),
            (None, Some(a)) => {
                let spin = SpinSlots { elements: state.position.len() }.of(a);
                vec![(e, DMat3::IDENTITY), (spin, cross_matrix(arm) * -1.0)]
            }
            (None, None) => centre.clone(),
        };
        split(n, centre, material, sign, row);
    }

    /// Adds normal force and friction [N] to the elements' forces, and a couple to the aggregate's.
    pub fn apply(
        &self,
        normal: DVec3,
        friction: DVec3,
        point: DVec3,
        (model, x): (&Model, &Vectors),
        f: &mut Vectors,
        couples: &mut [DVec3],
    ) {
        self.touch.spread(model, normal, f);
        let arm = point - x.get(self.touch.element as usize);
        match (&self.grip, self.carrier) {
            (Some(grip), _) => grip.spread(arm, friction, x, f),
            (None, Some(a)) => {
                f.add(self.touch.element as usize, friction);
                couples[a] += arm.cross(friction);
            }
            (None, None) => {}
        }
    }

    /// Inverse mass that the owner shows at the contact along `n` [1/kg].
    pub fn inverse_mass(&self, sight: &Sight, point: DVec3, n: DVec3) -> f64 {
        match self.carrier {
            Some(a) if sight.immovable[a] => 0.0,
            Some(a) => {
                let body = &sight.state.aggregates[a];
                inverse_mass_at(body.mass, body.inverse_inertia(), point - body.position, n)
            }
            None => self.touch.inverse_mass(sight.model),
        }
    }

    /// The mass that friction meets at most [kg]: it acts on the element itself, also where the sphere rides on heavier ones.
    pub fn rubbed_mass(&self, sight: &Sight) -> f64 {
        let own = sight.model.elements.mass[self.touch.element as usize];
        if self.carrier.is_some() { f64::INFINITY } else { own }
    }

    /// Unit vector along which this side takes no friction; zero if there is none. A rigid rod of elements, as a soft
    /// chain, takes no couple about itself.
    pub fn blocked(&self, point: DVec3, state: &State) -> DVec3 {
        let arm = point - state.position.get(self.touch.element as usize);
        match (&self.grip, self.carrier.map(|a| &state.aggregates[a])) {
            (Some(grip), _) => grip.blocked(arm),
            (None, Some(body)) => body.idle_axis().cross(point - body.position).normalize_or_zero(),
            (None, None) => DVec3::ZERO,
        }
    }

    /// False for an element without a neighbourhood to take a couple.
    pub fn takes_couples(&self, state: &State) -> bool {
        match (&self.grip, self.carrier.map(|a| &state.aggregates[a])) {
            (Some(grip), _) => !grip.is_lone(),
            (None, Some(body)) => !body.is_point(),
            (None, None) => true,
        }
    }
}
