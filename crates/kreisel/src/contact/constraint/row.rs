//! One contact of the problem: its three rows `u = J v`, its block of `W = J M⁻¹ Jᵀ`, and its impulse.
//!
//! Contact axes are the normal and two tangents, in this order. `u = v_A + ω_A × r_A − v_B − ω_B × r_B`; A receives `+p`,
//! B `−p`, both at the same point of the world, so that angular momentum is kept to the last bit.

use crate::contact::constraint::block::{inverse, own_block, seated_block};
use crate::contact::constraint::carriers::{Carrier, Carriers, Member};
pub use crate::contact::constraint::meeting::Meeting;
use crate::contact::constraint::weight::Weight;
use glamx::{DMat3, DVec2, DVec3};

/// The three rows of a contact for the velocity and the spin of a carrier.
pub type Jacobian = [[f64; 6]; 3];

/// What a contact does in the solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Nothing: the bodies part, or do not meet.
    #[default]
    Separate,
    /// The points move together.
    Stick,
    /// They slide.
    Slip,
}

/// One contact of the problem. What it takes to push has room of its own, which those that stay open do not need.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Index of carrier A.
    pub a: u32,
    /// Index of carrier B.
    pub b: u32,
    /// Unit normal, from B to A; the tangents go with it.
    pub normal: DVec3,
    /// Arms from the centres of mass of both to the point [m]; zero for what has no spin.
    arm_a: DVec3,
    arm_b: DVec3,
    /// What its pushes do, once it has been weighed.
    weight: Option<Box<Weight>>,
    /// Added to the normal velocity [m/s].
    pub bias: f64,
    /// Coefficient of friction [1].
    pub friction: f64,
    /// Impulse in contact axes [N s].
    pub impulse: DVec3,
    /// What it does.
    pub mode: Mode,
    /// True if it stuck, in the step before or in this one so far.
    pub stuck: bool,
    /// True if it has a gap to close, and no blow to answer.
    pub plastic: bool,
    /// True if a side is a sphere on a seat: it moves with several carriers.
    pub seated: bool,
}

impl Row {
    /// The row of a meeting; `impulse` in world axes is where the solver starts.
    #[inline]
    pub fn new(m: &Meeting, carriers: &Carriers, impulse: DVec3) -> Self {
        let mut row = Self::unweighed(m, carriers, impulse);
        row.weigh(carriers);
        row
    }

    /// The same without its block, which only those need who solve it.
    pub fn unweighed(m: &Meeting, carriers: &Carriers, impulse: DVec3) -> Self {
        let arm = |k: u32, lead: DVec3| match &carriers[k as usize] {
            c if c.turns => m.point - lead - c.position,
            _ => DVec3::ZERO,
        };
        let mut row = Self {
            a: m.a,
            b: m.b,
            normal: m.normal,
            arm_a: arm(m.a, m.leads[0]),
            arm_b: arm(m.b, m.leads[1]),
            bias: m.bias,
            friction: m.friction,
            stuck: m.stuck,
            plastic: m.bias >= 0.0,
            seated: !(carriers.members(m.a).is_empty() && carriers.members(m.b).is_empty()),
            ..Self::default()
        };
        if m.restitution != 0.0 {
            row.weight.get_or_insert_default().restitution = m.restitution;
        }
        row.impulse = row.in_contact(impulse);
        row
    }

    /// Looks at the masses of its carriers: the row can be solved from now on.
    pub fn weigh(&mut self, carriers: &Carriers) {
        let block = self.block_among(carriers);
        self.weight.get_or_insert_default().set_block(&block);
    }

    /// The same, if nobody has looked yet.
    #[inline]
    pub fn weigh_once(&mut self, carriers: &Carriers) {
        if !self.is_weighed() {
            self.weigh(carriers);
        }
    }

    /// The same with its two carriers, if neither side is on a seat.
    #[inline]
    pub fn weigh_between(&mut self, a: &Carrier, b: &Carrier) {
        if !self.is_weighed() {
            let block = own_block(&self.axes(), (a, self.arm_a), (b, self.arm_b));
            self.weight.get_or_insert_default().set_block(&block);
        }
    }

    /// True if somebody has looked at the masses, and found something that moves.
    #[inline]
    pub fn is_weighed(&self) -> bool {
        self.weight.as_ref().is_some_and(|w| w.mobility() != 0.0)
    }

    /// What its pushes do has been asked for the last time; what is left is where they act and what they are.
    pub fn forget_weight(&mut self) {
        self.weight.take_if(|w| w.drift == DVec2::ZERO && w.restitution == 0.0);
    }

    fn block_among(&self, carriers: &Carriers) -> DMat3 {
        let axes = self.axes();
        let (a, b) = ((self.a, self.arm_a), (self.b, self.arm_b));
        match self.seated {
            true => seated_block(&axes, &carriers.parts(a.0, a.1), &carriers.parts(b.0, b.1), carriers),
            false => own_block(&axes, (&carriers[a.0 as usize], a.1), (&carriers[b.0 as usize], b.1)),
        }
    }

    /// Starts anew from the impulse that it has.
    pub fn restart(&mut self) {
        self.impulse = self.in_contact(self.world_impulse());
    }

    /// Normal and tangents. Those are found again wherever they are asked for: that takes less time than to fetch them.
    #[inline]
    pub fn axes(&self) -> [DVec3; 3] {
        let (t1, t2) = self.normal.any_orthonormal_pair();
        [self.normal, t1, t2]
    }

    /// A vector of the world in contact axes.
    #[inline]
    pub fn in_contact(&self, u: DVec3) -> DVec3 {
        let [n, t1, t2] = self.axes();
        DVec3::new(n.dot(u), t1.dot(u), t2.dot(u))
    }

    /// What is added to the slip [m/s], along the tangents.
    #[inline]
    pub fn drift(&self) -> DVec2 {
        self.weight.as_ref().map_or(DVec2::ZERO, |w| w.drift)
    }

    /// Adds something else to the relative velocity from now on [m/s].
    pub fn set_offset(&mut self, bias: f64, drift: DVec2) {
        self.bias = bias;
        if drift != self.drift() {
            self.weight.get_or_insert_default().drift = drift;
        }
    }

    /// The share of its impulse that comes back in a phase of its own [1].
    pub fn restitution(&self) -> f64 {
        self.weight.as_ref().map_or(0.0, |w| w.restitution)
    }

    /// The least that it pushes [N s]: nothing, or what comes back of a blow.
    #[inline]
    pub fn least(&self) -> f64 {
        self.weight.as_ref().map_or(0.0, |w| w.least)
    }

    /// Pushes no less than this from now on [N s].
    pub fn set_least(&mut self, least: f64) {
        if least != self.least() {
            self.weight.get_or_insert_default().least = least;
        }
    }

    /// What its pushes do, if that is known.
    #[inline]
    pub fn weight(&self) -> Option<&Weight> {
        self.weight.as_deref()
    }

    /// The same, to remember something.
    #[inline]
    pub fn weight_mut(&mut self) -> Option<&mut Weight> {
        self.weight.as_deref_mut()
    }

    /// The block `W_ii` [1/kg]; zero as long as nobody has weighed it.
    #[inline]
    pub fn block(&self) -> DMat3 {
        self.weight.as_ref().map_or(DMat3::ZERO, |w| w.block())
    }

    /// What a push changes in the normal velocity [1/kg].
    #[inline]
    pub fn mobility(&self) -> f64 {
        self.weight.as_ref().map_or(0.0, |w| w.mobility())
    }

    /// What the law adds to the relative velocity [m/s]: the bias to its normal part, the drift to the slip.
    #[inline]
    pub fn offset(&self) -> DVec3 {
        let drift = self.drift();
        DVec3::new(self.bias, drift.x, drift.y)
    }

    /// Relative velocity in contact axes, `J v` [m/s].
    #[inline]
    pub fn velocity(&self, carriers: &Carriers) -> DVec3 {
        self.in_contact(self.world_velocity(carriers))
    }

    /// Relative velocity in world axes [m/s].
    #[inline]
    pub fn world_velocity(&self, carriers: &Carriers) -> DVec3 {
        if self.seated {
            return self.relative_velocity(carriers);
        }
        self.velocity_between(&carriers[self.a as usize], &carriers[self.b as usize])
    }

    /// The same of any carriers, on seats or not.
    pub fn relative_velocity(&self, carriers: &Carriers) -> DVec3 {
        carriers.point_velocity(self.a, self.arm_a) - carriers.point_velocity(self.b, self.arm_b)
    }

    /// Relative velocity of two carriers in world axes [m/s], if neither side is on a seat.
    #[inline]
    pub fn velocity_between(&self, a: &Carrier, b: &Carrier) -> DVec3 {
        a.velocity - b.velocity + a.spin.cross(self.arm_a) - b.spin.cross(self.arm_b)
    }

    /// True if it does not push, and need not where the relative velocity is this, in world axes [m/s]: most places that are
    /// looked at are open, and nothing more need be known of them.
    #[inline]
    pub fn stays_open(&self, u: DVec3) -> bool {
        self.impulse == DVec3::ZERO && self.normal.dot(u) + self.bias >= 0.0 && self.least() == 0.0
    }

    /// Adds an impulse in contact axes to both sides, `M⁻¹ Jᵀ p`.
    #[inline]
    pub fn push(&self, p: DVec3, carriers: &mut Carriers) {
        let world = self.in_world(p);
        if self.seated {
            carriers.push_point(self.a, self.arm_a, world);
            carriers.push_point(self.b, self.arm_b, -world);
            return;
        }
        self.push_first(world, &mut carriers[self.a as usize]);
        self.push_second(world, &mut carriers[self.b as usize]);
    }

    /// Who gets what where of an impulse in world axes: carriers, arms and shares.
    pub fn pushes(&self, world: DVec3) -> [(u32, DVec3, DVec3); 2] {
        [(self.a, self.arm_a, world), (self.b, self.arm_b, -world)]
    }

    /// Adds an impulse in world axes to its carrier A.
    #[inline]
    pub fn push_first(&self, world: DVec3, a: &mut Carrier) {
        a.velocity += world * a.inverse_mass;
        a.spin += a.inverse_inertia * self.arm_a.cross(world);
    }

    /// Takes it from its carrier B.
    #[inline]
    pub fn push_second(&self, world: DVec3, b: &mut Carrier) {
        b.velocity -= world * b.inverse_mass;
        b.spin -= b.inverse_inertia * self.arm_b.cross(world);
    }

    /// A vector in contact axes in those of the world.
    #[inline]
    pub fn in_world(&self, p: DVec3) -> DVec3 {
        let [n, t1, t2] = self.axes();
        n * p.x + t1 * p.y + t2 * p.z
    }

    /// The rows of both sides, `u = J_A v_A − J_B v_B` with velocity first and spin second, if neither is on a seat.
    pub fn jacobians(&self) -> (Jacobian, Jacobian) {
        let row = |axis: DVec3, turn: DVec3| [axis.x, axis.y, axis.z, turn.x, turn.y, turn.z];
        let axes = self.axes();
        let side = |arm: DVec3| axes.map(|axis| row(axis, arm.cross(axis)));
        (side(self.arm_a), side(self.arm_b))
    }

    /// All carriers that it moves with, and its rows for each, `u = Σ J_j v_j`.
    pub fn sides(&self, carriers: &Carriers) -> Vec<(u32, Jacobian)> {
        let one = |m: &Member, sign: f64| {
            let row = |axis: DVec3| {
                let push = m.share.transpose() * axis * sign;
                let turn = m.arm.cross(push);
                [push.x, push.y, push.z, turn.x, turn.y, turn.z]
            };
            (m.carrier, self.axes().map(row))
        };
        let (a, b) = (carriers.parts(self.a, self.arm_a), carriers.parts(self.b, self.arm_b));
        a.iter().map(|m| one(m, 1.0)).chain(b.iter().map(|m| one(m, -1.0))).collect()
    }

    /// Impulse on A in world axes [N s].
    pub fn world_impulse(&self) -> DVec3 {
        self.in_world(self.impulse)
    }

    /// Inverse of its block [kg]; zero if it has none.
    pub fn inverse(&self) -> DMat3 {
        inverse(&self.block())
    }

    /// Distance from the solution [m/s].
    pub fn left(&self, carriers: &Carriers) -> f64 {
        let u = self.world_velocity(carriers);
        if self.is_weighed() || self.stays_open(u) {
            return self.left_at(u);
        }
        let mut weighed = self.clone();
        weighed.weigh(carriers);
        weighed.left_at(u)
    }

    /// Distance from the solution at a relative velocity in world axes [m/s], of a row that is weighed or open.
    #[inline]
    pub fn left_at(&self, u: DVec3) -> f64 {
        if self.stays_open(u) { 0.0 } else { self.residual(self.in_contact(u) + self.offset()) }
    }

    /// Distance from the solution by the natural map [m/s], `u` with the offset: zero on solutions and only there.
    #[inline]
    pub fn residual(&self, u: DVec3) -> f64 {
        let (trace, least) = self.weight.as_ref().map_or((0.0, 0.0), |w| (w.trace(), w.least));
        let rho = 3.0 / trace;
        let mut left = crate::linear::cone_local::natural_map(self.impulse, u, self.friction, rho);
        if least > 0.0 {
            left.x = ((self.impulse.x - least) / rho).min(u.x);
        }
        left.abs().max_element()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::touch::Touch;
    use crate::linear::Vectors;
    use crate::model::element::{NO_ANCHOR, NO_PERCH};
    use crate::model::{Bindings, Elements, Model};

    /// Numbers between −1 and 1 from a fixed seed.
    fn numbers(mut seed: u64) -> impl FnMut() -> f64 {
        move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        }
    }

    /// Four elements, one with a sphere that leans on its neighbour or rides on all four, and a rigid body that it meets.
    struct Case {
        model: Model,
        x: Vectors,
        carriers: Carriers,
        row: Row,
        centre: DVec3,
    }

    fn case(seed: u64) -> Case {
        let mut next = numbers(seed);
        let mut vector = || DVec3::new(next(), next(), next());
        let mut elements = Elements { anchor: vec![1, NO_ANCHOR, NO_ANCHOR, NO_ANCHOR], ..Elements::default() };
        (elements.inset, elements.mass) = (vec![0.4, 0.0, 0.0, 0.0], vec![1.0, 0.5, 2.0, 3.0]);
        let mut perches = Bindings::default();
        perches.push([(0, 0.6), (1, 0.3), (2, -0.2), (3, 0.3)]);
        if seed % 2 == 1 {
            elements.perch = vec![0, NO_PERCH, NO_PERCH, NO_PERCH];
        }
        let model = Model { elements, perches, ..Model::default() };
        let mut x = Vectors::default();
        (0..4).for_each(|_| x.push(vector()));
        let element = |k: usize, v: DVec3| {
            let (position, inverse_mass) = (x.get(k), 1.0 / model.elements.mass[k]);
            Carrier { position, velocity: v, inverse_mass, turns: false, ..Carrier::WORLD }
        };
        let mut list: Vec<Carrier> = (0..4).map(|k| element(k, vector())).collect();
        let inverse_inertia = DMat3::from_diagonal(DVec3::new(1.0, 2.0, 3.0));
        let (position, velocity, spin) = (vector(), vector(), vector());
        list.push(Carrier { position, velocity, spin, inverse_mass: 0.7, inverse_inertia, ..Carrier::WORLD });
        list[0].seat = 0;
        let touch = Touch::new(&model, 0, true, &x);
        let seat = touch.row(&model).into_iter().map(|(carrier, share)| Member { carrier, arm: DVec3::ZERO, share });
        let carriers = Carriers { list, seats: vec![seat.collect()] };
        let (point, normal) = (touch.centre, vector().normalize());
        let meeting = Meeting { a: 0, b: 4, point, normal, friction: 0.5, ..Meeting::default() };
        let row = Row::new(&meeting, &carriers, DVec3::ZERO);
        Case { model, x, carriers, row, centre: point }
    }

    #[test]
    fn a_sphere_on_a_seat_moves_as_its_centre_does() {
        for seed in 0..20 {
            let Case { model, x, mut carriers, row, .. } = case(seed);
            carriers[4].velocity = DVec3::ZERO;
            carriers[4].spin = DVec3::ZERO;
            let centre = |t: f64| {
                let mut moved = x.clone();
                (0..4).for_each(|k| moved.add(k, carriers[k].velocity * t));
                Touch::new(&model, 0, true, &moved).centre
            };
            let rate = (centre(1e-6) - centre(-1e-6)) / 2e-6;
            let expected = DVec3::from_array(row.axes().map(|axis| axis.dot(rate)));
            assert!((row.velocity(&carriers) - expected).length() < 1e-7, "seed {seed}");
        }
    }

    #[test]
    fn a_push_on_a_sphere_on_a_seat_keeps_power_momentum_and_angular_momentum_and_meets_its_block() {
        for seed in 0..20 {
            let Case { carriers, row, centre, .. } = case(seed);
            let p = DVec3::new(1.3, -0.4, 0.8);
            let mut pushed = carriers.clone();
            row.push(p, &mut pushed);
            assert!((row.velocity(&pushed) - row.velocity(&carriers) - row.block() * p).length() < 1e-12);
            let energy = |c: &Carriers| {
                let spinning = c[4].spin.dot(c[4].inverse_inertia.inverse() * c[4].spin);
                0.5 * c.iter().map(|c| c.velocity.length_squared() / c.inverse_mass).sum::<f64>() + 0.5 * spinning
            };
            let mean = (row.velocity(&pushed) + row.velocity(&carriers)) * 0.5;
            assert!((energy(&pushed) - energy(&carriers) - p.dot(mean)).abs() < 1e-12, "power, seed {seed}");
            let momenta = |c: &Carriers| {
                let turning = c[4].inverse_inertia.inverse() * c[4].spin;
                c.iter().fold((DVec3::ZERO, turning), |(p, l), c| {
                    let own = c.velocity / c.inverse_mass;
                    (p + own, l + (c.position - centre).cross(own))
                })
            };
            let ((p0, l0), (p1, l1)) = (momenta(&carriers), momenta(&pushed));
            assert!((p1 - p0).length() < 1e-13 && (l1 - l0).length() < 1e-13, "momenta, seed {seed}");
            let sides = row.sides(&carriers);
            let along = |k: usize| {
                sides.iter().fold(0.0, |u, (c, j)| {
                    let c = &carriers[*c as usize];
                    let v = [c.velocity.x, c.velocity.y, c.velocity.z, c.spin.x, c.spin.y, c.spin.z];
                    u + (0..6).map(|i| j[k][i] * v[i]).sum::<f64>()
                })
            };
            let written_out = DVec3::new(along(0), along(1), along(2));
            assert!((row.velocity(&carriers) - written_out).length() < 1e-13, "seed {seed}");
        }
    }
}
