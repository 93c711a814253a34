//! One contact of the problem: its three rows `u = J v`, its block of `W = J M⁻¹ Jᵀ`, and its impulse.
//!
//! Contact axes are the normal and two tangents, in this order. `u = v_A + ω_A × r_A − v_B − ω_B × r_B`; A receives `+p`,
//! B `−p`, both at the same point of the world, so that angular momentum is kept to the last bit.

use crate::contact::constraint::carriers::{Carrier, Carriers, Member, mobility};
use glamx::{DMat2, DMat3, DVec2, DVec3};

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

/// Geometry and coefficients from which a row is made.
#[derive(Clone, Copy, Debug, Default)]
pub struct Meeting {
    /// Index of carrier A.
    pub a: u32,
    /// Index of carrier B.
    pub b: u32,
    /// Where they touch [m].
    pub point: DVec3,
    /// Unit normal, from B to A.
    pub normal: DVec3,
    /// What is added to the normal velocity in the law [m/s]: gap over step, or restitution times approach.
    pub bias: f64,
    /// What is added to the slip in the law [m/s], in world axes: the arms turn while the step lasts.
    pub drift: DVec3,
    /// True if it stuck, in the step before or in this one so far.
    pub stuck: bool,
    /// Coefficient of friction [1].
    pub friction: f64,
    /// The share of its impulse that comes back in a phase of its own [1].
    pub restitution: f64,
    /// How far the centres of A and B have come when they meet [m]: arms reach from there.
    pub leads: [DVec3; 2],
}

/// One contact of the problem.
#[derive(Clone, Copy, Debug, Default)]
pub struct Row {
    /// Index of carrier A.
    pub a: u32,
    /// Index of carrier B.
    pub b: u32,
    /// Normal and tangents.
    pub axes: [DVec3; 3],
    /// Arms from the centres of mass of both to the point [m]; zero for what has no spin.
    arm_a: DVec3,
    arm_b: DVec3,
    /// The block `W_ii` [1/kg]: entries 11, 12, 13, 22, 23, 33.
    block: [f64; 6],
    /// Inverse of its tangential block [kg]: entries 11, 12, 22.
    tangential: [f64; 3],
    /// Inverse of the largest mobility across the normal [kg].
    pub gentle: f64,
    /// Added to the normal velocity [m/s].
    pub bias: f64,
    /// Added to the slip [m/s], along the tangents.
    drift: DVec2,
    /// Coefficient of friction [1].
    pub friction: f64,
    /// Impulse in contact axes [N s].
    pub impulse: DVec3,
    /// The share of its impulse that comes back in a phase of its own [1].
    pub restitution: f64,
    /// The least that it pushes [N s]: nothing, or what comes back of a blow.
    pub least: f64,
    /// What it does.
    pub mode: Mode,
    /// True if a side is a sphere on a seat: it moves with several carriers.
    pub seated: bool,
}

impl Row {
    /// The row of a meeting; `impulse` in world axes is where the solver starts.
    #[inline]
    pub fn new(m: &Meeting, carriers: &Carriers, impulse: DVec3) -> Self {
        let (t1, t2) = m.normal.any_orthonormal_pair();
        let axes = [m.normal, t1, t2];
        let (a, b) = (&carriers[m.a as usize], &carriers[m.b as usize]);
        let arm = |c: &Carrier, lead: DVec3| if c.turns { m.point - lead - c.position } else { DVec3::ZERO };
        let (arm_a, arm_b) = (arm(a, m.leads[0]), arm(b, m.leads[1]));
        let seated = !(carriers.members(m.a).is_empty() && carriers.members(m.b).is_empty());
        let block = match seated {
            true => seated_block(&axes, &carriers.parts(m.a, arm_a), &carriers.parts(m.b, arm_b), carriers),
            false => own_block(&axes, (a, arm_a), (b, arm_b)),
        };
        let (tangential, gentle) = across(&block);
        Self {
            a: m.a,
            b: m.b,
            axes,
            arm_a,
            arm_b,
            block: [block.x_axis.x, block.x_axis.y, block.x_axis.z, block.y_axis.y, block.y_axis.z, block.z_axis.z],
            tangential,
            gentle,
            bias: m.bias,
            drift: DVec2::new(m.drift.dot(t1), m.drift.dot(t2)),
            friction: m.friction,
            impulse: DVec3::new(impulse.dot(m.normal), impulse.dot(t1), impulse.dot(t2)),
            restitution: m.restitution,
            least: 0.0,
            mode: Mode::Separate,
            seated,
        }
    }

    /// A row that nobody will solve: only where it acts and its impulse, in world axes, are known.
    pub fn of_geometry(m: &Meeting, impulse: DVec3) -> Self {
        let (t1, t2) = m.normal.any_orthonormal_pair();
        let impulse = DVec3::new(impulse.dot(m.normal), impulse.dot(t1), impulse.dot(t2));
        let Meeting { a, b, bias, friction, .. } = *m;
        Self { a, b, axes: [m.normal, t1, t2], bias, friction, impulse, ..Self::default() }
    }

    /// The block `W_ii` [1/kg].
    #[inline]
    pub fn block(&self) -> DMat3 {
        let [xx, xy, xz, yy, yz, zz] = self.block;
        DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz))
    }

    /// What a push changes in the normal velocity [1/kg].
    #[inline]
    pub fn mobility(&self) -> f64 {
        self.block[0]
    }

    /// Inverse of the tangential block [kg].
    #[inline]
    pub fn tangential(&self) -> DMat2 {
        let [xx, xy, yy] = self.tangential;
        DMat2::from_cols_array(&[xx, xy, xy, yy])
    }

    /// What the law adds to the relative velocity [m/s]: the bias to its normal part, the drift to the slip.
    #[inline]
    pub fn offset(&self) -> DVec3 {
        DVec3::new(self.bias, self.drift.x, self.drift.y)
    }

    /// Relative velocity in contact axes, `J v` [m/s].
    #[inline]
    pub fn velocity(&self, carriers: &Carriers) -> DVec3 {
        if self.seated {
            let u = carriers.point_velocity(self.a, self.arm_a) - carriers.point_velocity(self.b, self.arm_b);
            return DVec3::new(self.axes[0].dot(u), self.axes[1].dot(u), self.axes[2].dot(u));
        }
        self.velocity_between(&carriers[self.a as usize], &carriers[self.b as usize])
    }

    /// Relative velocity of two carriers in contact axes [m/s], if neither side is on a seat.
    #[inline]
    pub fn velocity_between(&self, a: &Carrier, b: &Carrier) -> DVec3 {
        let u = a.velocity - b.velocity + a.spin.cross(self.arm_a) - b.spin.cross(self.arm_b);
        DVec3::new(self.axes[0].dot(u), self.axes[1].dot(u), self.axes[2].dot(u))
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
        self.axes[0] * p.x + self.axes[1] * p.y + self.axes[2] * p.z
    }

    /// The rows of both sides, `u = J_A v_A − J_B v_B` with velocity first and spin second, if neither is on a seat.
    pub fn jacobians(&self) -> (Jacobian, Jacobian) {
        let row = |axis: DVec3, turn: DVec3| [axis.x, axis.y, axis.z, turn.x, turn.y, turn.z];
        let side = |arm: DVec3| std::array::from_fn(|k| row(self.axes[k], arm.cross(self.axes[k])));
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
            (m.carrier, self.axes.map(row))
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

    /// Distance from the solution by the natural map [m/s], `u` with the offset: zero on solutions and only there.
    #[inline]
    pub fn residual(&self, u: DVec3) -> f64 {
        let rho = 3.0 / (self.block[0] + self.block[3] + self.block[5]);
        let mut left = crate::linear::cone_local::natural_map(self.impulse, u, self.friction, rho);
        if self.least > 0.0 {
            left.x = ((self.impulse.x - self.least) / rho).min(u.x);
        }
        left.abs().max_element()
    }
}

/// The block of a contact, `Σ axisᵀ (1/m − [r]× I⁻¹ [r]×) axis` over both sides.
fn own_block(axes: &[DVec3; 3], (a, arm_a): (&Carrier, DVec3), (b, arm_b): (&Carrier, DVec3)) -> DMat3 {
    let (turn_a, turn_b) = (axes.map(|axis| arm_a.cross(axis)), axes.map(|axis| arm_b.cross(axis)));
    let (lift_a, lift_b) = (turn_a.map(|t| a.inverse_inertia * t), turn_b.map(|t| b.inverse_inertia * t));
    let mass = a.inverse_mass + b.inverse_mass;
    let entry = |i: usize, j: usize| {
        let push = if i == j { mass } else { 0.0 };
        push + turn_a[i].dot(lift_a[j]) + turn_b[i].dot(lift_b[j])
    };
    let (xy, xz, yz) = (entry(0, 1), entry(0, 2), entry(1, 2));
    DMat3::from_cols(DVec3::new(entry(0, 0), xy, xz), DVec3::new(xy, entry(1, 1), yz), DVec3::new(xz, yz, entry(2, 2)))
}

/// The block of a contact with seats, `Cᵀ (W_A + W_B − W_AB − W_BA) C`: both sides may share carriers.
fn seated_block(axes: &[DVec3; 3], a: &[Member], b: &[Member], carriers: &[Carrier]) -> DMat3 {
    let c = DMat3::from_cols(axes[0], axes[1], axes[2]);
    let across = mobility(a, b, carriers);
    let w = mobility(a, a, carriers) + mobility(b, b, carriers) - across - across.transpose();
    c.transpose() * w * c
}

/// Inverse of a symmetric block, zero where it is as good as singular.
fn inverse(w: &DMat3) -> DMat3 {
    let size = w.x_axis.x.max(w.y_axis.y).max(w.z_axis.z);
    if w.determinant() > 1e-12 * size * size * size { w.inverse() } else { DMat3::ZERO }
}

/// The inverse of the tangential block, and of its largest eigenvalue; zero where nothing moves.
fn across(w: &DMat3) -> ([f64; 3], f64) {
    let (a, b, c) = (w.y_axis.y, w.y_axis.z, w.z_axis.z);
    let (half, det) = (0.5 * (a + c), a * c - b * b);
    let largest = half + (0.25 * (a - c) * (a - c) + b * b).sqrt();
    let gentle = if largest > 0.0 { 1.0 / largest } else { 0.0 };
    let sound = det > 1e-12 * largest * largest;
    (if sound { [c / det, -b / det, a / det] } else { [gentle, 0.0, gentle] }, gentle)
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
            let expected = DVec3::from_array(row.axes.map(|axis| axis.dot(rate)));
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
