//! Rolling, torsional and Coulomb–Contensou friction: what a contact that is not quite a point does to the spins.
//!
//! With `w = ω_A − ω_B` and the push `p_n` of the contact: rolling friction is a couple across the normal, at most `μ_r p_n`,
//! against `w_t`; torsional friction one about the normal, at most `μ_s p_n`, against `w_n`; both bounds are lengths. In the
//! form of Contensou slip and spin share one cone: a contact patch of radius `ε` has `R = 3πε/16`, and sliding means
//! `(p_t, m_n/R) = −μ p_n (u_t, R w_n)/|(u_t, R w_n)|`. A spinning body thereby slides as if friction were weak [LG03].

use crate::contact::constraint::carriers::{Carrier, Carriers};
use crate::contact::constraint::row::{Jacobian, Mode, Row};
use crate::linear::in_ball;
use crate::model::material::Resistance;
use glamx::{DMat3, DVec3};

/// Which of its motions a contact held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// The spin about the normal.
    pub spin: bool,
    /// Rolling.
    pub roll: bool,
}

/// The couples of one contact.
#[derive(Clone, Copy, Debug)]
pub struct Twist {
    /// Number of its contact.
    pub row: u32,
    /// Index of carrier A.
    pub a: u32,
    /// Index of carrier B.
    pub b: u32,
    /// Lengths that bound it.
    resistance: Resistance,
    /// `R` of the patch [m]; zero: slip and spin do not share a cone.
    patch: f64,
    /// Normal and tangents.
    axes: [DVec3; 3],
    /// `I_A⁻¹ + I_B⁻¹` in contact axes [1/(kg m²)].
    block: DMat3,
    /// Block of the two tangents and of `R` times the spin about the normal [1/kg].
    shared: DMat3,
    /// A length by which spins compare with speeds [m].
    lever: f64,
    /// Angular impulse on A in contact axes [N m s].
    pub impulse: DVec3,
}

impl Twist {
    /// The couples of a row; none where nothing resists or nothing turns.
    pub fn new(number: u32, row: &Row, resistance: Resistance, carriers: &Carriers) -> Option<Self> {
        let (a, b) = (&carriers[row.a as usize], &carriers[row.b as usize]);
        let together = a.inverse_inertia + b.inverse_inertia;
        if resistance.is_zero() || !(a.turns && b.turns) || together == DMat3::ZERO {
            return None;
        }
        let axes = row.axes();
        let c = DMat3::from_cols(axes[0], axes[1], axes[2]);
        let block = c.transpose() * together * c;
        let patch = resistance.patch * 3.0 * std::f64::consts::PI / 16.0;
        let (ja, jb) = row.jacobians();
        let turn = |j: &[f64; 6]| DVec3::new(j[3], j[4], j[5]);
        let meets = |k: usize| {
            let lift = |c: &Carrier, j: &[f64; 6]| turn(j).dot(c.inverse_inertia * axes[0]);
            patch * (lift(a, &ja[k]) + lift(b, &jb[k]))
        };
        let (y, z, spin) = (meets(1), meets(2), patch * patch * block.x_axis.x);
        let w = &row.block();
        let shared = DMat3::from_cols(
            DVec3::new(w.y_axis.y, w.y_axis.z, y),
            DVec3::new(w.z_axis.y, w.z_axis.z, z),
            DVec3::new(y, z, spin),
        );
        let trace = |m: &DMat3| m.x_axis.x + m.y_axis.y + m.z_axis.z;
        let lever = (trace(w) / trace(&block)).sqrt();
        let (a, b) = (row.a, row.b);
        Some(Self { row: number, a, b, resistance, patch, axes, block, shared, lever, impulse: DVec3::ZERO })
    }

    /// The same couples under another number of the contact.
    pub fn renumbered(self, row: u32) -> Self {
        Self { row, ..self }
    }

    /// Relative angular velocity in contact axes [rad/s].
    pub fn spin(&self, carriers: &Carriers) -> DVec3 {
        let w = carriers[self.a as usize].spin - carriers[self.b as usize].spin;
        DVec3::new(self.axes[0].dot(w), self.axes[1].dot(w), self.axes[2].dot(w))
    }

    fn world(&self, m: DVec3) -> DVec3 {
        self.axes[0] * m.x + self.axes[1] * m.y + self.axes[2] * m.z
    }

    /// Angular impulse on A in world axes [N m s].
    pub fn world_impulse(&self) -> DVec3 {
        self.world(self.impulse)
    }

    /// Adds an angular impulse in contact axes to both sides.
    pub fn push(&self, m: DVec3, carriers: &mut Carriers) {
        let world = self.world(m);
        let a = &mut carriers[self.a as usize];
        a.spin += a.inverse_inertia * world;
        let b = &mut carriers[self.b as usize];
        b.spin -= b.inverse_inertia * world;
    }

    /// The speed that a couple in contact axes gives, by the lever [m/s].
    pub fn speed(&self, m: DVec3) -> f64 {
        (self.block * m).abs().max_element() * self.lever
    }

    /// True if slip and spin share one cone.
    pub fn is_shared(&self) -> bool {
        self.patch > 0.0
    }

    /// Friction of slip and spin in one cone while the push rests; the largest change of a velocity [m/s].
    pub fn rub(&mut self, row: &mut Row, carriers: &mut Carriers) -> f64 {
        let motion = (row.velocity(carriers) + row.offset(), self.spin(carriers));
        let (old, new) = self.rubbed(row.impulse, motion, row.friction);
        let change = new - old;
        row.push(DVec3::new(0.0, change.x, change.y), carriers);
        (row.impulse.y, row.impulse.z) = (new.x, new.y);
        let turn = DVec3::new(self.patch * new.z - self.impulse.x, 0.0, 0.0);
        self.push(turn, carriers);
        self.impulse.x = self.patch * new.z;
        (self.shared * change).abs().max_element()
    }

    /// Torsional and rolling friction for a push [N s]; the largest change of a velocity [m/s].
    pub fn turn(&mut self, push: f64, carriers: &mut Carriers) -> f64 {
        let mut largest: f64 = 0.0;
        if self.resists_spin() {
            let next = self.spun(push, self.spin(carriers));
            let change = DVec3::new(next - self.impulse.x, 0.0, 0.0);
            self.push(change, carriers);
            self.impulse.x = next;
            largest = (change.x * self.block.x_axis.x).abs() * self.lever;
        }
        if self.resists_rolling() {
            let (old, new) = self.rolled(push, self.spin(carriers));
            let change = new - old;
            self.push(DVec3::new(0.0, change.x, change.y), carriers);
            (self.impulse.y, self.impulse.z) = (new.x, new.y);
            largest = largest.max((self.across() * change).abs().max_element() * self.lever);
        }
        largest
    }

    /// The same couples in a problem of which these blocks are known: of the contact, of the contact for the couples, and of
    /// the couples themselves.
    pub fn within(self, contact: &DMat3, meets: &DMat3, own: &DMat3) -> Self {
        let (y, z) = (self.patch * meets.x_axis.y, self.patch * meets.x_axis.z);
        let shared = DMat3::from_cols(
            DVec3::new(contact.y_axis.y, contact.y_axis.z, y),
            DVec3::new(contact.z_axis.y, contact.z_axis.z, z),
            DVec3::new(y, z, self.patch * self.patch * own.x_axis.x),
        );
        Self { block: *own, shared, ..self }
    }

    /// True if it resists the spin about the normal by itself.
    pub fn resists_spin(&self) -> bool {
        self.resistance.torsional > 0.0 && !self.is_shared()
    }

    /// True if it resists rolling.
    pub fn resists_rolling(&self) -> bool {
        self.resistance.rolling > 0.0
    }

    /// Slip and spin in one cone, for the impulse of the contact, its velocity and its spin: `(p_t, m_n/R)` as it is, and as it
    /// should be while the push rests.
    pub fn rubbed(&self, impulse: DVec3, (u, w): (DVec3, DVec3), friction: f64) -> (DVec3, DVec3) {
        let old = DVec3::new(impulse.y, impulse.z, self.impulse.x / self.patch);
        let free = DVec3::new(u.y, u.z, self.patch * w.x) - self.shared * old;
        (old, in_ball::minimise(&self.shared, free, friction * impulse.x))
    }

    /// The couple about the normal that a push [N s] allows, at the spin `w`.
    pub fn spun(&self, push: f64, w: DVec3) -> f64 {
        let bound = self.resistance.torsional * push;
        (self.impulse.x - w.x / self.block.x_axis.x).clamp(-bound, bound)
    }

    /// The couple across the normal as it is, and as it should be for a push [N s] at the spin `w`; two numbers each.
    pub fn rolled(&self, push: f64, w: DVec3) -> (DVec3, DVec3) {
        let across = self.across();
        let old = DVec3::new(self.impulse.y, self.impulse.z, 0.0);
        let free = DVec3::new(w.y, w.z, 0.0) - across * old;
        (old, in_ball::minimise(&across, free, self.resistance.rolling * push))
    }

    /// `R` of the patch of contact [m].
    pub fn patch(&self) -> f64 {
        self.patch
    }

    /// The length by which its spins compare with speeds [m].
    pub fn lever(&self) -> f64 {
        self.lever
    }

    /// What each side moves it with: the rows of `ω_A` and `ω_B` in contact axes.
    pub fn sides(&self) -> [(u32, Jacobian); 2] {
        let row = |axis: DVec3| [0.0, 0.0, 0.0, axis.x, axis.y, axis.z];
        [(self.a, self.axes.map(row)), (self.b, self.axes.map(|axis| row(-axis)))]
    }

    /// The block across the normal, with a third direction in which nothing happens.
    fn across(&self) -> DMat3 {
        let b = &self.block;
        DMat3::from_cols(DVec3::new(b.y_axis.y, b.y_axis.z, 0.0), DVec3::new(b.z_axis.y, b.z_axis.z, 0.0), DVec3::Z)
    }

    /// What is left of its law by the natural map [m/s]; with a shared cone, of that of the slip too.
    pub fn residual(&self, row: &Row, carriers: &Carriers) -> f64 {
        let (u, w, push) = (row.velocity(carriers) + row.offset(), self.spin(carriers), row.impulse.x.max(0.0));
        let mut worst: f64 = 0.0;
        if self.is_shared() {
            let p = DVec3::new(row.impulse.y, row.impulse.z, self.impulse.x / self.patch);
            let slip = DVec3::new(u.y, u.z, self.patch * w.x);
            worst = map(p, slip, row.friction * push, &self.shared);
        } else if self.resistance.torsional > 0.0 {
            let bound = self.resistance.torsional * push;
            let next = (self.impulse.x - w.x / self.block.x_axis.x).clamp(-bound, bound);
            worst = (self.impulse.x - next).abs() * self.block.x_axis.x * self.lever;
        }
        if self.resistance.rolling > 0.0 {
            let m = DVec3::new(self.impulse.y, self.impulse.z, 0.0);
            let left = map(m, DVec3::new(w.y, w.z, 0.0), self.resistance.rolling * push, &self.across());
            worst = worst.max(left * self.lever);
        }
        worst
    }

    /// What the contact of a shared cone does.
    pub fn mode(&self, row: &Row) -> Mode {
        let used = DVec3::new(row.impulse.y, row.impulse.z, self.impulse.x / self.patch).length();
        match row.impulse.x {
            push if push <= 0.0 => Mode::Separate,
            push if used >= row.friction * push * (1.0 - 1e-9) => Mode::Slip,
            _ => Mode::Stick,
        }
    }

    /// Friction and couple in contact axes that go with a unit of push where the contact slides and turns as it does.
    pub fn shares(&self, row: &Row, held: Held, carriers: &Carriers) -> (DVec3, DVec3) {
        let (u, w) = (row.velocity(carriers), self.spin(carriers));
        let slip = DVec3::new(u.y, u.z, self.patch * w.x).normalize_or_zero() * row.friction;
        let roll = DVec3::new(0.0, w.y, w.z).normalize_or_zero() * self.resistance.rolling;
        let spin = if self.is_shared() { self.patch * slip.z } else { self.resistance.torsional * sign(w.x) };
        let roll = if held.roll { DVec3::ZERO } else { roll };
        let spin = if held.spin { 0.0 } else { spin };
        (DVec3::new(1.0, -slip.x, -slip.y), -DVec3::new(spin, roll.y, roll.z))
    }

    /// Whether it held, the spin about the normal and rolling, with this torque impulse in world axes and this push.
    pub fn held(&self, torque: DVec3, push: f64, slipping: bool) -> Held {
        let inside = |size: f64, bound: f64| bound > 0.0 && size < bound * push * (1.0 - 1e-9);
        let across = self.axes[1].dot(torque).hypot(self.axes[2].dot(torque));
        let about = self.axes[0].dot(torque).abs();
        let spin = if self.is_shared() { !slipping } else { inside(about, self.resistance.torsional) };
        Held { spin, roll: inside(across, self.resistance.rolling) }
    }

    /// The couple in contact axes that stops what is held.
    pub fn stop(&self, held: Held, carriers: &Carriers) -> DVec3 {
        let w = self.spin(carriers);
        let spin = if held.spin { -w.x / self.block.x_axis.x } else { 0.0 };
        let roll = if held.roll { -(self.across().inverse() * DVec3::new(w.y, w.z, 0.0)) } else { DVec3::ZERO };
        DVec3::new(spin, roll.x, roll.y)
    }

    /// Normal velocity that a couple in contact axes gives [m/s].
    pub fn lifts(&self, row: &Row, couple: DVec3, carriers: &Carriers) -> f64 {
        let (ja, jb) = row.jacobians();
        let turn = |j: &[f64; 6]| DVec3::new(j[3], j[4], j[5]);
        let world = self.world(couple);
        let side = |k: u32, j: &[f64; 6]| turn(j).dot(carriers[k as usize].inverse_inertia * world);
        side(self.a, &ja[0]) + side(self.b, &jb[0])
    }
}

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// `(p − P(p − ρ u))/ρ` with the projection on the ball of the bound, `ρ = 3/tr T`.
fn map(p: DVec3, u: DVec3, bound: f64, t: &DMat3) -> f64 {
    let rho = 3.0 / (t.x_axis.x + t.y_axis.y + t.z_axis.z);
    let y = p - u * rho;
    let size = y.length();
    let inside = if size > bound { y * (bound / size) } else { y };
    (p - inside).abs().max_element() / rho
}
