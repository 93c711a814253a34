//! The freedoms of a state: three numbers for each element that moves by itself, six for each aggregate.
//!
//! They are kept in one field of 3-vectors: a slot for each element (zero for those that ride on an aggregate), then velocity
//! and spin of each aggregate. Everything that interacts, interacts at points: a product maps velocities up to the points,
//! `v = J u`, lets the interactions act, and maps forces down, `f = Jᵀ f`.

use crate::linear::Vectors;
use crate::model::State;
use crate::model::mapping::point_velocity;
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// An element that rides on an aggregate.
#[derive(Clone, Copy, Debug)]
pub struct Rider {
    /// The element.
    pub element: u32,
    /// Its aggregate.
    pub body: u32,
    /// From the centre of mass to the element [m].
    pub arm: DVec3,
}

/// Numbers of slots, and who rides on whom, at a pose.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    /// Elements.
    pub elements: usize,
    /// Aggregates.
    pub bodies: usize,
    /// The elements of aggregates that forces reach, in order of their aggregates.
    pub riders: Vec<Rider>,
}

impl Slots {
    /// The slots of a pose.
    pub fn new(state: &State, w: &Workspace) -> Self {
        let mut riders = Vec::new();
        for (a, (body, ports)) in state.aggregates.iter().zip(&w.ports).enumerate() {
            riders.extend(ports.iter().map(|&k| {
                let element = body.elements[k as usize];
                Rider { element, body: a as u32, arm: state.position.get(element as usize) - body.position }
            }));
        }
        Self { elements: state.position.len(), bodies: state.aggregates.len(), riders }
    }

    /// The slots of the pose that the state's solver remembers; of aggregates, the elements that forces always reach.
    pub fn remembered(state: &State, w: &Workspace) -> Self {
        let mut riders = Vec::new();
        for (a, (body, (_, q))) in state.aggregates.iter().zip(&state.solver.bodies).enumerate() {
            riders.extend(w.crossing(a).iter().map(|&k| {
                let (element, arm) = (body.elements[k as usize], *q * body.local[k as usize]);
                Rider { element, body: a as u32, arm }
            }));
        }
        Self { elements: state.position.len(), bodies: state.aggregates.len(), riders }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.elements + 2 * self.bodies
    }

    /// The slot of the velocity of aggregate `a`.
    pub fn velocity(&self, a: usize) -> usize {
        self.elements + 2 * a
    }

    /// The slot of the spin of aggregate `a`.
    pub fn spin(&self, a: usize) -> usize {
        self.velocity(a) + 1
    }

    /// `v = J u`: writes the velocities of the riders.
    pub fn map_up(&self, u: &mut Vectors) {
        for r in &self.riders {
            let a = r.body as usize;
            let v = point_velocity(u.get(self.velocity(a)), u.get(self.spin(a)), r.arm);
            u.set(r.element as usize, v);
        }
    }

    /// `f = Jᵀ f`: gives the forces on the riders to their aggregates.
    pub fn map_down(&self, f: &mut Vectors) {
        for r in &self.riders {
            let (e, a) = (r.element as usize, r.body as usize);
            let force = f.get(e);
            f.add(self.velocity(a), force);
            f.add(self.spin(a), r.arm.cross(force));
            f.set(e, DVec3::ZERO);
        }
    }
}
