//! One contact of the problem: its three rows `u = J v`, its block of `W = J M⁻¹ Jᵀ`, and its impulse.
//!
//! Contact axes are the normal and two tangents, in this order. `u = v_A + ω_A × r_A − v_B − ω_B × r_B`; A receives `+p`,
//! B `−p`, both at the same point of the world, so that angular momentum is kept to the last bit.

use crate::contact::constraint::block::{inverse, own_block, seated_block};
use crate::contact::constraint::carriers::{Carrier, Carriers, Member};
pub use crate::contact::constraint::meeting::Meeting;
use crate::contact::constraint::weight::{Demand, Weight};
use glamx::{DMat3, DVec2, DVec3, Vec3Swizzles};

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

/// One contact of the problem. What few are asked for besides has room of its own.
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
    weight: Weight,
    /// What else it is asked for.
    demand: Option<Box<Demand>>,
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
    #[inline]
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
            seated: carriers.is_seated(m.a) || carriers.is_seated(m.b),
            ..Self::default()
        };
        if m.restitution != 0.0 {
            row.demand.get_or_insert_default().restitution = m.restitution;
        }
        row.impulse = row.in_contact(impulse);
        row
    }

    /// Looks at the masses of its carriers: the row can be solved from now on.
    pub fn weigh(&mut self, carriers: &Carriers) {
        let block = self.block_among(carriers);
        self.weight.set_block(&block);
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
            self.weight.set_block(&block);
        }
    }

    /// True if somebody has looked at the masses, and found something that moves.
    #[inline]
    pub fn is_weighed(&self) -> bool {
        self.weight.mobility() != 0.0
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
        self.demand.as_ref().map_or(DVec2::ZERO, |d| d.drift)
    }

    /// Adds something else to the relative velocity from now on [m/s].
    pub fn set_offset(&mut self, bias: f64, drift: DVec2) {
        self.bias = bias;
        if drift != self.drift() {
            self.demand.get_or_insert_default().drift = drift;
        }
    }

    /// The share of its impulse that comes back in a phase of its own [1].
    pub fn restitution(&self) -> f64 {
        self.demand.as_ref().map_or(0.0, |d| d.restitution)
    }

    /// The least that it pushes [N s]: nothing, or what comes back of a blow.
    #[inline]
    pub fn least(&self) -> f64 {
        self.demand.as_ref().map_or(0.0, |d| d.least)
    }

    /// Pushes no less than this from now on [N s].
    pub fn set_least(&mut self, least: f64) {
        if least != self.least() {
            self.demand.get_or_insert_default().least = least;
        }
    }

    /// What its pushes do: nothing as long as nobody has weighed it.
    #[inline]
    pub fn weight(&self) -> &Weight {
        &self.weight
    }

    /// The block `W_ii` [1/kg]; zero as long as nobody has weighed it.
    #[inline]
    pub fn block(&self) -> DMat3 {
        self.weight.block()
    }

    /// What a push changes in the normal velocity [1/kg].
    #[inline]
    pub fn mobility(&self) -> f64 {
        self.weight.mobility()
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

    /// True if neither side moves.
    #[inline]
    pub fn stood(&self, carriers: &Carriers) -> bool {
        !self.seated && carriers[self.a as usize].is_still() && carriers[self.b as usize].is_still()
    }

    /// Relative velocity in world axes [m/s].
    #[inline(always)]
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

    /// Adds an impulse in contact axes to both sides, `M⁻¹ Jᵀ p`, if pushes move them.
    #[inline(always)]
    pub fn push(&self, p: DVec3, carriers: &mut Carriers) {
        let world = self.in_world(p);
        if self.seated {
            carriers.push_point(self.a, self.arm_a, world);
            carriers.push_point(self.b, self.arm_b, -world);
            return;
        }
        let [a, b] = [self.a as usize, self.b as usize];
        if carriers[a].is_movable() {
            self.push_first(world, &mut carriers[a]);
        }
        if carriers[b].is_movable() {
            self.push_second(world, &mut carriers[b]);
        }
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

    /// True if the slip at the velocity `u` asks for more friction than `most`, where it has `rub` [N s].
    pub fn asks_for_more(&self, u: DVec3, rub: DVec2, most: f64) -> bool {
        let slip = (u + self.offset()).yz();
        self.is_weighed() && (rub - slip * (3.0 / self.weight.trace())).length() > most
    }

    /// Distance from the solution by the natural map [m/s], `u` with the offset: zero on solutions and only there.
    #[inline]
    pub fn residual(&self, u: DVec3) -> f64 {
        let (rho, least) = (3.0 / self.weight.trace(), self.least());
        let mut left = crate::linear::cone_local::natural_map(self.impulse, u, self.friction, rho);
        if least > 0.0 {
            left.x = ((self.impulse.x - least) / rho).min(u.x);
        }
        left.abs().max_element()
    }
}

#[cfg(test)]
mod tests;
