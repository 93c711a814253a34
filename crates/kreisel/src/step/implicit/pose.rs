//! The pose that a change of velocities leads to.
//!
//! Aggregates turn by their angular momentum `L`: backward Euler starts from the rotation of free flight `R̃` and turns it by
//! the change of spin, `R = exp(h Δω) R̃`; the midpoint rule lets the body fly freely with the mean angular momentum
//! `L + ½ Ĩ Δω` and takes the middle of that flight. In both `L⁺ = L + Ĩ Δω`, `Ĩ` the inertia in free flight at the pose. Bodies
//! that fly (`step/constraint/flying.rs`) have `L⁺ = L + I Δω` with the inertia of the start, and go on freely from there.

use crate::linear::Vectors;
use crate::linear::rotation::{rotate_freely, rotation_between, spin_of};
use crate::model::mapping::carry_all;
use crate::model::{Aggregate, FREE, State};
use crate::step::implicit::scheme::Scheme;
use crate::step::implicit::slots::Slots;
use glamx::{DMat3, DQuat, DVec3};

/// What a step starts from.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// Positions [m].
    pub position: Vectors,
    /// Velocities [m/s].
    pub velocity: Vectors,
    /// Aggregates.
    pub bodies: Vec<Aggregate>,
    /// Their orientation in free flight at the time of the pose.
    predicted: Vec<DQuat>,
    /// Their inertia there [kg m²].
    pub inertia: Vec<DMat3>,
    /// The spin that a change of spin is counted from [rad/s].
    pub spin: Vec<DVec3>,
    /// Bodies that fly as in explicit steps; missing ones do not.
    flying: Vec<bool>,
}

impl Start {
    /// Remembers a state.
    pub fn new(state: &State, scheme: &Scheme) -> Self {
        let bodies = state.aggregates.clone();
        let fly = |a: &Aggregate| rotate_freely(a.orientation, a.inverse_moments(), a.angular_momentum, scheme.reach);
        let predicted: Vec<DQuat> = bodies.iter().map(fly).collect();
        let inertia = bodies.iter().zip(&predicted).map(|(a, &q)| inertia_at(a, q));
        let spin = bodies.iter().zip(&predicted).map(|(a, &q)| match scheme.is_midpoint() {
            true => spin_of(q, a.inverse_moments(), a.angular_momentum),
            false => rotation_between(a.orientation, q) / scheme.reach,
        });
        let (inertia, spin) = (inertia.collect(), spin.collect());
        let (position, velocity) = (state.position.clone(), state.velocity.clone());
        Self { position, velocity, bodies, predicted, inertia, spin, flying: Vec::new() }
    }

    /// The same with bodies that fly as in explicit steps.
    pub fn with_flying(mut self, flying: &[bool]) -> Self {
        self.flying = flying.to_vec();
        for a in (0..self.bodies.len()).filter(|&a| flying.get(a) == Some(&true)) {
            let body = &self.bodies[a];
            (self.inertia[a], self.spin[a]) = (inertia_at(body, body.orientation), body.spin());
        }
        self
    }

    fn flies(&self, a: usize) -> bool {
        self.flying.get(a).copied().unwrap_or(false)
    }

    /// Puts a state back to where it started.
    pub fn restore(&self, state: &mut State) {
        state.position.copy_from(&self.position);
        state.velocity.copy_from(&self.velocity);
        state.aggregates.clone_from(&self.bodies);
    }

    /// The change of velocities after which the pose is where the step started: everything stands still.
    pub fn standstill(&self, state: &State, slots: &Slots, scheme: &Scheme) -> Vectors {
        let mut du = Vectors::zeros(slots.len());
        for e in (0..slots.elements).filter(|&e| state.owner[e] == FREE) {
            du.set(e, self.velocity.get(e) / -scheme.share);
        }
        for (a, body) in self.bodies.iter().enumerate() {
            du.set(slots.velocity(a), body.velocity / -scheme.share);
            du.set(slots.spin(a), self.spin[a] / -scheme.share);
        }
        du
    }

    /// Moves the state to the pose of a change of velocities; velocities are those with which it gets there.
    pub fn place(&self, state: &mut State, slots: &Slots, scheme: &Scheme, du: &Vectors) {
        let pairs = [
            (&mut state.position.x, &mut state.velocity.x, &self.position.x, &self.velocity.x, &du.x),
            (&mut state.position.y, &mut state.velocity.y, &self.position.y, &self.velocity.y, &du.y),
            (&mut state.position.z, &mut state.velocity.z, &self.position.z, &self.velocity.z, &du.z),
        ];
        for (x, v, x0, v0, du) in pairs {
            for e in 0..x.len() {
                v[e] = v0[e] + scheme.share * du[e];
                x[e] = x0[e] + scheme.reach * v[e];
            }
        }
        for a in 0..self.bodies.len() {
            self.place_body(&mut state.aggregates[a], a, scheme, du.get(slots.velocity(a)), du.get(slots.spin(a)));
        }
        carry_all(state);
    }

    fn place_body(&self, body: &mut Aggregate, a: usize, scheme: &Scheme, dv: DVec3, dw: DVec3) {
        let old = &self.bodies[a];
        body.velocity = old.velocity + dv * scheme.share;
        body.position = old.position + body.velocity * scheme.reach;
        if self.flies(a) {
            body.orientation = self.end_orientation(a, scheme, dw);
            body.angular_momentum = old.angular_momentum + self.inertia[a] * dw;
            return;
        }
        let spin = if scheme.is_midpoint() {
            let end = self.end_orientation(a, scheme, dw);
            rotation_between(old.orientation, end) / scheme.h
        } else {
            rotation_between(old.orientation, DQuat::from_scaled_axis(dw * scheme.reach) * self.predicted[a])
                / scheme.reach
        };
        body.orientation = (DQuat::from_scaled_axis(spin * scheme.reach) * old.orientation).normalize();
        let r = DMat3::from_quat(body.orientation);
        body.angular_momentum = r * DMat3::from_diagonal(body.inertia) * r.transpose() * spin;
    }

    /// Orientation at the end of the step.
    pub fn end_orientation(&self, a: usize, scheme: &Scheme, dw: DVec3) -> DQuat {
        let old = &self.bodies[a];
        if self.flies(a) {
            let momentum = old.angular_momentum + self.inertia[a] * dw;
            return rotate_freely(old.orientation, old.inverse_moments(), momentum, scheme.h);
        }
        if scheme.is_midpoint() {
            let mean = old.angular_momentum + self.inertia[a] * dw * 0.5;
            return rotate_freely(old.orientation, old.inverse_moments(), mean, scheme.h);
        }
        (DQuat::from_scaled_axis(dw * scheme.reach) * self.predicted[a]).normalize()
    }
}

/// The inertia of a body with an orientation, world axes [kg m²].
fn inertia_at(body: &Aggregate, orientation: DQuat) -> DMat3 {
    let r = DMat3::from_quat(orientation);
    r * DMat3::from_diagonal(body.inertia) * r.transpose()
}
