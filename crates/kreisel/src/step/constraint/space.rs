//! What the contact problem of a step is made of: shapes in place, carriers, meetings and rows.

use crate::collide::broad::Broad;
use crate::collide::shapes::{Pose, Touch};
use crate::contact::coefficients::Coefficients;
use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::row::Row;
use crate::contact::constraint::twist::Twist;
use crate::contact::touch::Touch as Sphere;
use crate::model::collider::OBSTACLES;
use crate::model::material::Resistance;
use crate::model::shape::Shape;
use crate::model::{BodyId, FREE, Model, Obstacle, ObstacleShape, Skin, State, Topology};
use crate::step::constraint::blows::Blow;
use crate::step::constraint::joints::JointSpace;
use crate::step::constraint::rubbing::Rub;
use crate::step::constraint::skins::Standing;
use crate::step::skin_search::SkinSearch;
use crate::step::workspace::Workspace;
use glamx::{DQuat, DVec3};

/// Gaps below this share of the smallest body are small [1].
const CLOSED: f64 = 1e-7;

/// Two colliders that touch, or may do so within the step.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// Number of the first collider.
    pub first: u32,
    /// Number of the second.
    pub second: u32,
    /// Where and how.
    pub touch: Touch,
}

/// What a number of a collider stands for: a collider of the model, an obstacle, or the sphere of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A collider of the model.
    Exact(usize),
    /// An obstacle.
    World(usize),
    /// A contact sphere, by its place among those that take part.
    Ball(usize),
    /// A skin of the model that spheres of others may stand on.
    Skin(usize),
}

/// What was looked at the last time: shapes that have not moved since touch as they did.
#[derive(Debug, Default)]
pub struct Last {
    /// Poses of all colliders.
    pub poses: Vec<Pose>,
    /// How far each might have come [m].
    pub reach: Vec<f64>,
    /// Pairs that were looked at.
    pub pairs: Vec<(u32, u32)>,
    /// How many places were found; if there are fewer now, some were sorted out.
    pub count: usize,
}

/// Buffers of the contact problem.
#[derive(Debug, Default)]
pub struct ContactSpace {
    /// The epoch of the state that `carrier` belongs to.
    epoch: Option<u64>,
    /// Shapes and poses of the obstacles.
    pub world: Vec<(Shape, Pose)>,
    /// Elements whose contact spheres take part, numbered after the obstacles.
    pub balls: Vec<u32>,
    /// Their spheres.
    ball_shapes: Vec<Shape>,
    /// Elements that spheres of others sit on, and that have none themselves; ascending.
    pub seats: Vec<u32>,
    /// Number of rigid bodies.
    bodies: usize,
    /// The carrier of each collider; of skins, which move with many, one of them.
    pub carrier: Vec<u32>,
    /// Skins that spheres of others may stand on, numbered after the spheres.
    pub skins: SkinSearch,
    /// Spheres that stand on them, in the order of the contacts.
    pub standing: Vec<Standing>,
    /// The bodies as the solver sees them, elements that may touch, the fixed world, and other elements that carry joints.
    pub carriers: Carriers,
    /// Poses of all colliders.
    pub poses: Vec<Pose>,
    /// Boxes around them.
    pub boxes: Vec<(DVec3, DVec3)>,
    /// Pairs whose boxes meet.
    pub pairs: Vec<(u32, u32)>,
    /// Finds them.
    pub broad: Broad,
    /// How far each may come in a step [m].
    pub reach: Vec<f64>,
    /// How far each may come besides what its velocity leads: by turning and falling [m].
    pub turning: Vec<f64>,
    /// How far each has been shifted and turned out of others since it was looked at [m].
    pub shifted: Vec<f64>,
    /// What touches.
    pub found: Vec<Found>,
    /// Colliders that were found deep in each other and have been moved apart, ascending.
    pub parted: Vec<u32>,
    /// What touched the last time.
    pub last: Last,
    /// Gaps below this are closed [m].
    pub slack: f64,
    /// Number of the step.
    pub step: u64,
    /// The contact problem.
    pub rows: Vec<Row>,
    /// Couples of its contacts, sorted by row.
    pub twists: Vec<Twist>,
    /// The joints in it.
    pub joints: JointSpace,
    /// Contacts of rigid bodies that may bounce in the step, ascending.
    pub blows: Vec<Blow>,
    /// Carriers that are bodies without joints and springs; empty where nothing bounces.
    pub loose: Vec<bool>,
    /// Rigid bodies that springs pull: they move by `h v⁺`, as mean velocities would drive them up.
    pub sprung: Vec<u32>,
    /// Contacts that rest, ascending, and what they bear as in the step before [N s]; empty where nothing bounces.
    pub borne: Vec<(u32, DVec3)>,
    /// Room for the carriers as they are before a step, or as they are moved apart.
    pub spare: Carriers,
    /// Carriers of islands that have come to rest in the step.
    pub rested: Vec<u32>,
    /// Contacts of free elements with each other, ascending.
    pub rubs: Vec<Rub>,
    /// The elements of their carriers, which come after all others.
    pub rub_elements: Vec<u32>,
}

impl ContactSpace {
    /// Brings the list of who carries what up to date.
    pub fn refresh(&mut self, model: &Model, state: &State, w: &Workspace) {
        if self.epoch == Some(state.epoch) {
            return;
        }
        self.epoch = Some(state.epoch);
        let topology = &w.topology;
        self.skins.refresh(model, state, topology, &w.coefficients);
        self.skins.invalidate();
        self.last = Last::default();
        self.world = model.obstacles.iter().map(in_place).collect();
        let takes_part = |e: &u32| model.bodies[model.elements.body[*e as usize].0 as usize].contact;
        self.balls = topology.touching.iter().copied().filter(takes_part).collect();
        let ball = |e: &u32| Shape::Sphere { radius: model.elements.radius[*e as usize] };
        self.ball_shapes = self.balls.iter().map(ball).collect();
        self.seats = seats(model, state, topology, (&self.balls, &self.skins));
        self.bodies = state.aggregates.len();
        let bodies = state.aggregates.len() as u32;
        let world = bodies + self.balls.len() as u32;
        let owners = model.colliders.iter().map(|c| state.owner[c.element as usize]);
        let carried = |(k, e): (u32, &u32)| bearer(model, state, topology, *e).unwrap_or(bodies + k);
        let balls = (0..).zip(&self.balls).map(carried);
        let shapes = model.colliders.iter().map(|c| c.element).chain(self.balls.iter().copied());
        let radii = shapes.map(|e| model.elements.radius[e as usize]);
        self.slack = CLOSED * radii.fold(f64::INFINITY, f64::min).min(1.0);
        self.carrier = owners.chain(self.world.iter().map(|_| world)).chain(balls).collect();
        let one = |skin: &Skin| match skin.bindings.elements.first() {
            Some(&e) if state.owner[e as usize] != FREE => state.owner[e as usize],
            Some(e) => self.balls.binary_search(e).map_or(world, |k| bodies + k as u32),
            None => world,
        };
        let skins: Vec<u32> = self.clad(model).iter().map(one).collect();
        self.carrier.extend(skins);
    }

    /// The shape of a collider.
    pub fn shape<'a>(&'a self, model: &'a Model, k: u32) -> &'a Shape {
        match self.kind(model, k) {
            Kind::Exact(k) => &model.colliders[k].shape,
            Kind::World(k) => &self.world[k].0,
            Kind::Ball(k) => &self.ball_shapes[k],
            // Skins have none, and nobody asks for it: what stands on them is found by their triangles.
            Kind::Skin(_) => &Shape::Plane,
        }
    }

    /// What a number of a collider stands for.
    pub fn kind(&self, model: &Model, k: u32) -> Kind {
        let (k, exact) = (k as usize, model.colliders.len());
        let world = exact + self.world.len();
        match k {
            k if k < exact => Kind::Exact(k),
            k if k < world => Kind::World(k - exact),
            k if k < self.first_skin() => Kind::Ball(k - world),
            k => Kind::Skin(k - self.first_skin()),
        }
    }

    /// The body of a collider; `None` for obstacles.
    pub fn body(&self, model: &Model, k: u32) -> Option<BodyId> {
        match self.kind(model, k) {
            Kind::Exact(k) => Some(model.colliders[k].body),
            Kind::World(_) => None,
            Kind::Ball(k) => Some(model.elements.body[self.balls[k] as usize]),
            Kind::Skin(k) => Some(model.skins[k].body),
        }
    }

    /// Whose a collider is: the number of a body, or of an obstacle from [`OBSTACLES`] on.
    pub fn whose(&self, model: &Model, k: u32) -> u32 {
        self.body(model, k).map_or_else(|| OBSTACLES | (k - model.colliders.len() as u32), |body| body.0)
    }

    /// Friction and restitution of two colliders.
    pub fn coefficients(&self, model: &Model, w: &Workspace, first: u32, second: u32) -> Coefficients {
        let exact = model.colliders.len() as u32;
        match self.materials(model, first, second) {
            [Some(a), Some(b)] => w.coefficients.pair(a, b),
            [Some(a), None] => w.coefficients.world((second - exact) as u16, a),
            [None, Some(b)] => w.coefficients.world((first - exact) as u16, b),
            [None, None] => Coefficients::default(),
        }
    }

    /// How fast a contact opens [m/s].
    pub fn opening(&self, f: &Found) -> f64 {
        f.touch.normal.dot(self.carriers.relative_velocity(self.sides(f).into(), self.point(f)))
    }

    /// What resists rolling and spinning of two colliders.
    pub fn resistance(&self, model: &Model, first: u32, second: u32) -> Resistance {
        let of = |m: Option<u16>| m.map(|m| model.materials[m as usize].resistance).unwrap_or_default();
        let [a, b] = self.materials(model, first, second);
        of(a).with(&of(b))
    }

    /// Where the impulses of a contact act [m]: spheres of elements have no arms, so that what they meet is pushed at their
    /// centre.
    pub fn point(&self, f: &Found) -> DVec3 {
        if self.is_on_skin(f) {
            return f.touch.point_b;
        }
        let [a, b] = self.centres(f);
        a.or(b).unwrap_or(0.5 * (f.touch.point_a + f.touch.point_b))
    }

    /// Centres of the spheres of free elements that touch shapes or each other [m].
    pub fn centres(&self, f: &Found) -> [Option<DVec3>; 2] {
        if self.balls.is_empty() || self.is_on_skin(f) {
            return [None; 2];
        }
        let inwards = f.touch.normal;
        [(f.first, f.touch.point_a, inwards), (f.second, f.touch.point_b, -inwards)].map(|(k, surface, n)| {
            let ball = (k as usize).checked_sub(self.first_ball())?;
            let &Shape::Sphere { radius } = self.ball_shapes.get(ball)? else { return None };
            let free = self.carrier[k as usize] as usize >= self.bodies;
            free.then_some(surface + n * radius)
        })
    }

    /// True if one rigid body carries all that the sphere of an element sits on.
    pub fn is_borne(&self, model: &Model, e: u32) -> bool {
        let first = model.colliders.len() + self.world.len();
        self.balls.binary_search(&e).is_ok_and(|k| (self.carrier[first + k] as usize) < self.bodies)
    }

    /// The carrier of an element; none if it neither touches nor carries anything.
    pub fn carrier_of(&self, state: &State, e: u32) -> Option<u32> {
        let bodies = state.aggregates.len();
        let world = (bodies + self.balls.len()) as u32;
        match state.owner[e as usize] {
            FREE => match self.balls.binary_search(&e) {
                Ok(k) => Some((bodies + k) as u32),
                Err(_) => self.joints.riders.binary_search(&e).ok().map(|k| world + 1 + k as u32),
            },
            owner => Some(owner),
        }
    }

    /// Copies velocities from the state.
    pub fn take_velocities(&mut self, state: &State) {
        for (carrier, a) in self.carriers.iter_mut().zip(&state.aggregates) {
            carrier.velocity = a.velocity;
            carrier.spin = a.spin();
        }
        for (carrier, &e) in self.carriers[state.aggregates.len()..].iter_mut().zip(&self.balls) {
            carrier.velocity = state.velocity.get(e as usize);
        }
    }

    /// True for carriers that are rigid bodies, which have no seats, or the world.
    pub fn is_rigid(&self, c: u32) -> bool {
        self.carriers[c as usize].turns && self.carriers.members(c).is_empty()
    }

    /// Size of the smallest body, a metre at most [m].
    pub fn size(&self) -> f64 {
        self.slack / CLOSED
    }
}

/// The rigid body that carries all that the sphere of an element sits on. Where a rigid part is one layer thick, its spheres sit on soft
/// elements as well: what moves them is both.
fn bearer(model: &Model, state: &State, topology: &Topology, e: u32) -> Option<u32> {
    let owner = state.owner[e as usize];
    let sphere = Sphere::new(model, e, topology.leans(e), &state.position);
    let whole = || sphere.row(model).iter().all(|(other, _)| state.owner[*other as usize] == owner);
    (owner != FREE && whole()).then_some(owner)
}

/// Free elements without spheres that spheres of others sit on, or turn with when they rub on each other, or that carry skins.
fn seats(model: &Model, state: &State, topology: &Topology, (balls, skins): (&[u32], &SkinSearch)) -> Vec<u32> {
    let rows =
        balls.iter().filter(|e| topology.leans(**e)).map(|&e| Sphere::new(model, e, true, &state.position).row(model));
    let lone = |e: &u32| state.owner[*e as usize] == FREE && balls.binary_search(e).is_err();
    let around = balls.iter().flat_map(|&e| topology.neighbours(e)).copied();
    let clad = model.skins.iter().filter(|_| !skins.is_idle()).flat_map(|skin| &skin.bindings.elements).copied();
    let mut seats: Vec<u32> = rows.flatten().map(|(e, _)| e).chain(around).chain(clad).filter(lone).collect();
    seats.sort_unstable();
    seats.dedup();
    seats
}

/// The shape of an obstacle and where it is.
pub fn in_place(obstacle: &Obstacle) -> (Shape, Pose) {
    match &obstacle.shape {
        ObstacleShape::Plane { normal, offset } => {
            let rotation = DQuat::from_rotation_arc(DVec3::Z, *normal);
            (Shape::Plane, Pose { position: *normal * *offset, rotation })
        }
        ObstacleShape::Box { centre, half_size, rotation } => {
            (Shape::Box { half_size: *half_size }, Pose { position: *centre, rotation: *rotation })
        }
        ObstacleShape::Sphere { centre, radius } => {
            (Shape::Sphere { radius: *radius }, Pose { position: *centre, rotation: DQuat::IDENTITY })
        }
    }
}
