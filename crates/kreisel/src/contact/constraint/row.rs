//! One contact of the problem: its three rows `u = J v`, its block of `W = J M⁻¹ Jᵀ`, and its impulse.
//!
//! Contact axes are the normal and two tangents, in this order. `u = v_A + ω_A × r_A − v_B − ω_B × r_B`; A receives `+p`,
//! B `−p`, both at the same point of the world, so that angular momentum is kept to the last bit.

use crate::contact::constraint::carriers::Carrier;
use glamx::{DMat2, DMat3, DVec2, DVec3};

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
    /// Coefficient of friction [1].
    pub friction: f64,
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
    /// The block `W_ii` [1/kg].
    pub block: DMat3,
    /// Inverse of its tangential block [kg].
    pub tangential: DMat2,
    /// Inverse of the largest mobility across the normal [kg].
    pub gentle: f64,
    /// Added to the normal velocity [m/s].
    pub bias: f64,
    /// Coefficient of friction [1].
    pub friction: f64,
    /// Impulse in contact axes [N s].
    pub impulse: DVec3,
    /// What it does.
    pub mode: Mode,
}

impl Row {
    /// The row of a meeting; `impulse` in world axes is where the solver starts.
    #[inline]
    pub fn new(m: &Meeting, carriers: &[Carrier], impulse: DVec3) -> Self {
        let (t1, t2) = m.normal.any_orthonormal_pair();
        let axes = [m.normal, t1, t2];
        let (a, b) = (&carriers[m.a as usize], &carriers[m.b as usize]);
        let arm = |c: &Carrier| if c.turns { m.point - c.position } else { DVec3::ZERO };
        let (arm_a, arm_b) = (arm(a), arm(b));
        let block = own_block(&axes, (a, arm_a), (b, arm_b));
        let (tangential, gentle) = across(&block);
        Self {
            a: m.a,
            b: m.b,
            axes,
            arm_a,
            arm_b,
            block,
            tangential,
            gentle,
            bias: m.bias,
            friction: m.friction,
            impulse: DVec3::new(impulse.dot(m.normal), impulse.dot(t1), impulse.dot(t2)),
            mode: Mode::Separate,
        }
    }

    /// A row that nobody will solve: only where it acts and its impulse, in world axes, are known.
    pub fn of_geometry(m: &Meeting, impulse: DVec3) -> Self {
        let (t1, t2) = m.normal.any_orthonormal_pair();
        let impulse = DVec3::new(impulse.dot(m.normal), impulse.dot(t1), impulse.dot(t2));
        let Meeting { a, b, bias, friction, .. } = *m;
        Self { a, b, axes: [m.normal, t1, t2], bias, friction, impulse, ..Self::default() }
    }

    /// Relative velocity in contact axes, `J v` [m/s].
    #[inline]
    pub fn velocity(&self, carriers: &[Carrier]) -> DVec3 {
        let (a, b) = (&carriers[self.a as usize], &carriers[self.b as usize]);
        let u = a.velocity - b.velocity + a.spin.cross(self.arm_a) - b.spin.cross(self.arm_b);
        DVec3::new(self.axes[0].dot(u), self.axes[1].dot(u), self.axes[2].dot(u))
    }

    /// Adds an impulse in contact axes to both sides, `M⁻¹ Jᵀ p`.
    #[inline]
    pub fn push(&self, p: DVec3, carriers: &mut [Carrier]) {
        let world = self.axes[0] * p.x + self.axes[1] * p.y + self.axes[2] * p.z;
        let a = &mut carriers[self.a as usize];
        a.velocity += world * a.inverse_mass;
        a.spin += a.inverse_inertia * self.arm_a.cross(world);
        let b = &mut carriers[self.b as usize];
        b.velocity -= world * b.inverse_mass;
        b.spin -= b.inverse_inertia * self.arm_b.cross(world);
    }

    /// The rows of both sides, `u = J_A v_A − J_B v_B` with velocity first and spin second.
    pub fn jacobians(&self) -> ([[f64; 6]; 3], [[f64; 6]; 3]) {
        let row = |axis: DVec3, turn: DVec3| [axis.x, axis.y, axis.z, turn.x, turn.y, turn.z];
        let side = |arm: DVec3| std::array::from_fn(|k| row(self.axes[k], arm.cross(self.axes[k])));
        (side(self.arm_a), side(self.arm_b))
    }

    /// Impulse on A in world axes [N s].
    pub fn world_impulse(&self) -> DVec3 {
        self.axes[0] * self.impulse.x + self.axes[1] * self.impulse.y + self.axes[2] * self.impulse.z
    }

    /// Inverse of its block [kg]; zero if it has none.
    pub fn inverse(&self) -> DMat3 {
        inverse(&self.block)
    }

    /// Distance from the solution by the natural map [m/s], `u` with the bias: zero on solutions and only there.
    #[inline]
    pub fn residual(&self, u: DVec3) -> f64 {
        let rho = 3.0 / (self.block.x_axis.x + self.block.y_axis.y + self.block.z_axis.z);
        crate::linear::cone_local::natural_map(self.impulse, u, self.friction, rho).abs().max_element()
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

/// Inverse of a symmetric block, zero where it is as good as singular.
fn inverse(w: &DMat3) -> DMat3 {
    let size = w.x_axis.x.max(w.y_axis.y).max(w.z_axis.z);
    if w.determinant() > 1e-12 * size * size * size { w.inverse() } else { DMat3::ZERO }
}

/// The inverse of the tangential block, and of its largest eigenvalue; zero where nothing moves.
fn across(w: &DMat3) -> (DMat2, f64) {
    let (a, b, c) = (w.y_axis.y, w.y_axis.z, w.z_axis.z);
    let (half, det) = (0.5 * (a + c), a * c - b * b);
    let largest = half + (0.25 * (a - c) * (a - c) + b * b).sqrt();
    let gentle = if largest > 0.0 { 1.0 / largest } else { 0.0 };
    let sound = det > 1e-12 * largest * largest;
    let inverse = DMat2::from_cols_array(&[c / det, -b / det, -b / det, a / det]);
    (if sound { inverse } else { DMat2::from_diagonal(DVec2::splat(gentle)) }, gentle)
}
