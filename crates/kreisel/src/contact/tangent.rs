//! Derivatives of a contact's force in an implicit step, with respect to the relative motion of its two sides.
//!
//! Push: `f = max(0, k δ − c a·u)`, so `df = −g·du` with `g = x k n + v c a` for the factors `x` and `v` of stiffness and damping.
//! Friction wants `w = −k_t s − c_t u_t`, where the stretch `s` stays within `R/k_t`, and gets `w` or, if that is more than
//! `R = μ f`, `R ŵ`. From there
//!
//! `dw = −ŝ dR − (R/|s|)(1 − ŝŝᵀ) ds − c_t du_t` while the stretch is at its bound, `−k_t ds − c_t du_t` before;
//! `dF = ŵ dR + (R/|w|)(1 − ŵŵᵀ) dw` while it slides, `dw` while it sticks.
//!
//! Friction follows the push (`dR = −μ g·du`) but the push does not follow friction: the derivative is not symmetric. Its
//! [companion](Active::symmetric_tangent) for preconditioners is, and is positive semidefinite: normal `k n nᵀ`, friction
//! `k_t (1 − n nᵀ)` while it sticks and `k_t (R/|w|)(1 − n nᵀ − ŵŵᵀ)` while it slides.

use crate::contact::coefficients::TANGENTIAL_SHARE;
use crate::contact::connections::Active;
use crate::linear::eigen::outer;
use glamx::{DMat3, DVec3};

impl Active {
    /// `S = x K + v B` [same units as `x K`], with `K = −∂f/∂x`, `B = −∂f/∂v` at the contact.
    pub fn tangent(&self, x: f64, v: f64) -> DMat3 {
        if self.elastic_force + self.damping_force == 0.0 {
            return DMat3::ZERO;
        }
        let push = self.normal * (x * self.stiffness) + self.damped_along * (v * self.normal_damper(self.damped_mass));
        outer(self.normal, push) + self.friction_tangent(x, v, push)
    }

    /// The part of friction; the push falls by `push·du`.
    fn friction_tangent(&self, x: f64, v: f64, push: DVec3) -> DMat3 {
        let (spring, plane, bound) = (TANGENTIAL_SHARE * self.stiffness, self.rubbed_plane, self.bound);
        if bound <= 0.0 || plane == DMat3::ZERO {
            return DMat3::ZERO;
        }
        let slack = push * (bound / (self.elastic_force + self.damping_force));
        let length = self.drawn.length();
        let full = self.contact.slipping && spring * length > bound;
        // What friction wants less of: `−dw = wanted·du`, with the sliding velocity `u_t` and the stretch as they are.
        let (wanted, kept) = if full {
            let s = self.drawn / length;
            (across(s) * plane * (x * bound / length) - outer(s, slack), s * bound)
        } else {
            (plane * (x * spring), self.drawn * spring)
        };
        let wanted = wanted + plane * (v * self.tangential_damper);
        let slide = self.wanted_friction + self.drawn * spring;
        let w = slide - kept;
        let size = w.length();
        if size <= bound {
            return wanted;
        }
        let w = w / size;
        outer(w, slack) + across(w) * wanted * (bound / size)
    }

    /// The same without what is not symmetric or not positive.
    pub fn symmetric_tangent(&self, x: f64, v: f64) -> DMat3 {
        if self.elastic_force + self.damping_force == 0.0 {
            return DMat3::ZERO;
        }
        let push = x * self.stiffness + v * self.normal_damper(self.damped_mass);
        outer(self.normal, self.normal) * push + self.symmetric_grip(x, v)
    }

    fn symmetric_grip(&self, x: f64, v: f64) -> DMat3 {
        let (wanted, given) = (self.wanted_friction.length(), self.friction.length());
        let sticking = x * TANGENTIAL_SHARE * self.stiffness + v * self.tangential_damper;
        if self.elastic_force + self.damping_force <= 0.0 {
            return DMat3::ZERO;
        }
        if given >= wanted * (1.0 - 1e-12) {
            return self.rubbed_plane * sticking;
        }
        let w = self.wanted_friction / wanted;
        (self.rubbed_plane - outer(w, w)) * (sticking * given / wanted)
    }
}

/// `1 − a aᵀ`.
fn across(a: DVec3) -> DMat3 {
    DMat3::IDENTITY - outer(a, a)
}
