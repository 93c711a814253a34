//! The only file that knows `J`: velocities of points from the freedoms of bodies, `v = J u`, and forces back, `f = Jᵀ f`.
//!
//! A point of an aggregate moves with `v_e = v + ω × r`, `r = R s_e`; its force acts on the aggregate as `F += f`,
//! `τ += r × f`. (Equations 5, 6 and 9 of [JV03] are corrected here: the whole force moves the centre of mass, and the
//! arm points from the centre to the point.)

use crate::linear::Vectors;
use crate::model::{Aggregate, FREE, State};
use glamx::{DMat3, DVec3};

/// Force and torque about the centre of mass of an aggregate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrench {
    /// Force [N].
    pub force: DVec3,
    /// Torque about the centre of mass [N m].
    pub torque: DVec3,
}

impl Wrench {
    /// Adds a force [N] that acts at the arm `r` [m] from the centre of mass.
    pub fn add_force_at(&mut self, r: DVec3, force: DVec3) {
        self.force += force;
        self.torque += r.cross(force);
    }
}

/// Velocity of the point at the arm `r` from the centre of mass, `v + ω × r`.
pub fn point_velocity(velocity: DVec3, spin: DVec3, r: DVec3) -> DVec3 {
    velocity + spin.cross(r)
}

/// Writes the positions and velocities of the listed members of an aggregate: `x_e = p + R s_e`, `v_e = v + ω × r`.
pub fn carry(aggregate: &Aggregate, members: &[u32], position: &mut Vectors, velocity: &mut Vectors) {
    let rotation = DMat3::from_quat(aggregate.orientation);
    let spin = aggregate.spin();
    for &k in members {
        let (e, s) = (aggregate.elements[k as usize] as usize, aggregate.local[k as usize]);
        let r = rotation * s;
        position.set(e, aggregate.position + r);
        velocity.set(e, point_velocity(aggregate.velocity, spin, r));
    }
}

/// Writes the velocities of the listed members of an aggregate at the pose it has.
pub fn carry_velocities(aggregate: &Aggregate, members: &[u32], velocity: &mut Vectors) {
    let rotation = DMat3::from_quat(aggregate.orientation);
    let spin = aggregate.spin();
    for &k in members {
        let r = rotation * aggregate.local[k as usize];
        velocity.set(aggregate.elements[k as usize] as usize, point_velocity(aggregate.velocity, spin, r));
    }
}

/// Adds the forces on the listed members of an aggregate to its wrench, `Jᵀ f`.
pub fn gather(aggregate: &Aggregate, members: &[u32], position: &Vectors, force: &Vectors, wrench: &mut Wrench) {
    for &k in members {
        let e = aggregate.elements[k as usize] as usize;
        wrench.add_force_at(position.get(e) - aggregate.position, force.get(e));
    }
}

/// Inverse effective mass `nᵀ J M⁻¹ Jᵀ n` [1/kg] of the point at arm `r` of a free aggregate.
pub fn inverse_mass_at(mass: f64, inverse_inertia: DMat3, r: DVec3, n: DVec3) -> f64 {
    let arm = r.cross(n);
    1.0 / mass + arm.dot(inverse_inertia * arm)
}

/// All members of every aggregate follow their aggregate.
pub fn carry_all(state: &mut State) {
    let State { aggregates, position, velocity, .. } = state;
    let most = aggregates.iter().map(|a| a.elements.len()).max().unwrap_or(0);
    let all: Vec<u32> = (0..most as u32).collect();
    aggregates.iter().for_each(|a| carry(a, &all[..a.elements.len()], position, velocity));
}

/// The aggregate that carries element `e`, if any.
pub fn carrier(state: &State, e: usize) -> Option<usize> {
    let owner = state.owner[e];
    (owner != FREE).then_some(owner as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Origin;
    use glamx::DQuat;

    fn top() -> Aggregate {
        Aggregate {
            elements: vec![0, 1, 2],
            local: vec![DVec3::new(1.0, 0.2, 0.0), DVec3::new(-0.5, 0.7, 0.3), DVec3::new(0.1, -0.4, 0.9)],
            mass: 3.0,
            inertia: DVec3::new(1.0, 2.0, 2.5),
            position: DVec3::new(0.3, -0.8, 2.0),
            orientation: DQuat::from_rotation_y(0.7) * DQuat::from_rotation_z(0.4),
            velocity: DVec3::new(1.0, 2.0, -0.5),
            angular_momentum: DVec3::new(0.4, -1.0, 2.2),
            origin: Origin::Requested,
            given_inertia: false,
        }
    }

    #[test]
    fn the_power_of_point_forces_is_the_power_of_the_wrench() {
        let a = top();
        let (mut x, mut v) = (Vectors::zeros(3), Vectors::zeros(3));
        carry(&a, &[0, 1, 2], &mut x, &mut v);
        let mut f = Vectors::zeros(3);
        f.set(0, DVec3::new(1.0, -2.0, 0.5));
        f.set(1, DVec3::new(0.3, 0.9, -1.5));
        f.set(2, DVec3::new(-2.2, 0.1, 0.7));
        let mut wrench = Wrench::default();
        gather(&a, &[0, 1, 2], &x, &f, &mut wrench);
        let points = f.dot(&v);
        let body = wrench.force.dot(a.velocity) + wrench.torque.dot(a.spin());
        assert!((points - body).abs() < 1e-14 * points.abs().max(1.0), "{points} against {body}");
    }

    #[test]
    fn the_effective_mass_is_the_response_to_a_unit_impulse() {
        let a = top();
        let (r, n) = (DVec3::new(0.4, 0.1, -0.3), DVec3::new(0.6, 0.0, 0.8));
        let w = inverse_mass_at(a.mass, a.inverse_inertia(), r, n);
        let kicked = Aggregate {
            velocity: a.velocity + n / a.mass,
            angular_momentum: a.angular_momentum + r.cross(n),
            ..a.clone()
        };
        let change = point_velocity(kicked.velocity, kicked.spin(), r) - point_velocity(a.velocity, a.spin(), r);
        assert!((change.dot(n) - w).abs() < 1e-14);
    }
}
