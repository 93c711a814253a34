//! What the contact problem of a step is made of: shapes in place, carriers, meetings and rows.

use crate::collide::broad::Broad;
use crate::collide::shapes::{Pose, Touch};
use crate::contact::coefficients::Coefficients;
use crate::contact::constraint::carriers::Carrier;
use crate::contact::constraint::row::{Meeting, Row};
use crate::model::shape::Shape;
use crate::model::{Model, Obstacle, ObstacleShape, ShapeContact, State};
use crate::step::constraint::joints::JointSpace;
use crate::step::workspace::Workspace;
use glamx::{DQuat, DVec3};

/// Gaps below this share of the smallest body are small [1].
const CLOSED: f64 = 1e-7;

/// The share of a small gap that closes in a step [1].
const CLOSING: f64 = 0.2;

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

/// Buffers of the contact problem.
#[derive(Debug, Default)]
pub struct ContactSpace {
    /// The epoch of the state that `carrier` belongs to.
    epoch: Option<u64>,
    /// Shapes and poses of the obstacles.
    pub world: Vec<(Shape, Pose)>,
    /// The carrier of each collider.
    pub carrier: Vec<u32>,
    /// The bodies as the solver sees them; the last is the fixed world.
    pub carriers: Vec<Carrier>,
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
    /// What touches.
    pub found: Vec<Found>,
    /// Gaps below this are closed [m].
    pub slack: f64,
    /// A buffer for one pair.
    pub touches: Vec<Touch>,
    /// The contact problem.
    pub rows: Vec<Row>,
    /// The joints in it.
    pub joints: JointSpace,
}

impl ContactSpace {
    /// Brings the list of who carries what up to date.
    pub fn refresh(&mut self, model: &Model, state: &State) {
        if self.epoch == Some(state.epoch) {
            return;
        }
        self.epoch = Some(state.epoch);
        self.world = model.obstacles.iter().map(in_place).collect();
        let world = state.aggregates.len() as u32;
        let owners = model.colliders.iter().map(|c| state.owner[c.element as usize]);
        let radii = model.colliders.iter().map(|c| model.elements.radius[c.element as usize]);
        self.slack = CLOSED * radii.fold(f64::INFINITY, f64::min).min(1.0);
        self.carrier = owners.chain(self.world.iter().map(|_| world)).collect();
    }

    /// The shape of a collider.
    pub fn shape<'a>(&'a self, model: &'a Model, k: u32) -> &'a Shape {
        let own = model.colliders.len();
        model.colliders.get(k as usize).map_or_else(|| &self.world[k as usize - own].0, |c| &c.shape)
    }

    /// Friction and restitution of two colliders.
    pub fn coefficients(&self, model: &Model, w: &Workspace, first: u32, second: u32) -> Coefficients {
        let own = model.colliders.len() as u32;
        let material = |k: u32| model.colliders[k as usize].material.0;
        if second < own {
            w.coefficients.pair(material(first), material(second))
        } else {
            w.coefficients.world((second - own) as u16, material(first))
        }
    }

    /// Copies velocities from the state.
    pub fn take_velocities(&mut self, state: &State) {
        for (carrier, a) in self.carriers.iter_mut().zip(&state.aggregates) {
            carrier.velocity = a.velocity;
            carrier.spin = a.spin();
        }
    }

    /// The rows of all meetings, started from the impulses of the step before; `before` has the velocities before the step.
    pub fn make_rows(&mut self, model: &Model, state: &State, w: &Workspace, before: &[Carrier], h: f64) {
        let mut rows = std::mem::take(&mut self.rows);
        rows.clear();
        let mut known = state.shape_contacts.iter().peekable();
        for f in &self.found {
            let key = (f.first, f.second, f.touch.feature);
            while known.next_if(|c| (c.first, c.second, c.feature) < key).is_some() {}
            let last = known.peek().filter(|c| (c.first, c.second, c.feature) == key);
            let meeting = self.meeting(model, w, f, last.copied().copied(), before, h);
            let start = last.map_or(DVec3::ZERO, |c| c.impulse * (h / c.step));
            rows.push(Row::new(&meeting, &self.carriers, start));
        }
        self.rows = rows;
    }

    fn meeting(
        &self,
        model: &Model,
        w: &Workspace,
        f: &Found,
        last: Option<ShapeContact>,
        before: &[Carrier],
        h: f64,
    ) -> Meeting {
        let c = self.coefficients(model, w, f.first, f.second);
        let (a, b) = (self.carrier[f.first as usize], self.carrier[f.second as usize]);
        let (point, normal) = (0.5 * (f.touch.point_a + f.touch.point_b), f.touch.normal);
        let approach = |carriers: &[Carrier]| {
            let at = |k: u32| carriers[k as usize].velocity_at(point - carriers[k as usize].position);
            normal.dot(at(a) - at(b))
        };
        let gap = self.counted(f.touch.gap);
        let (old, free) = (approach(before), approach(&self.carriers));
        // An elastic blow keeps its share of the approach; a plastic one ends with the gap closed.
        let bounces = c.restitution > 0.0 && old < 0.0 && gap + h * free <= 0.0;
        let bias = if bounces { c.restitution * old } else { gap / h };
        let slides = last.is_some_and(|l| l.slipping);
        let friction = if slides { c.dynamic_friction } else { c.static_friction };
        Meeting { a, b, point, normal, bias, friction }
    }

    /// The gap that counts [m]: small ones close by and by, so that rounding in positions does not come back as speed.
    fn counted(&self, gap: f64) -> f64 {
        let small = gap.clamp(0.0, self.slack);
        CLOSING * small + (gap - self.slack).max(0.0)
    }

    /// The velocities that the problem is about [m/s]: the yardstick of what a solver may leave.
    pub fn velocity_scale(&self, model: &Model, h: f64) -> f64 {
        let fastest = self.rows.iter().map(|row| row.velocity(&self.carriers).abs().max_element()).fold(0.0, f64::max);
        let joints = self.joints.blocks.iter().fold(0.0, |m: f64, b| m.max(b.scale(&self.carriers)));
        fastest.max(joints).max(model.gravity.length() * h).max(f64::MIN_POSITIVE)
    }
}

/// The shape of an obstacle and where it is.
fn in_place(obstacle: &Obstacle) -> (Shape, Pose) {
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
