//! One frictional contact in its own 3×3 block, solved exactly; contact axes, normal first. [AB08 ch. 13]
//!
//! Find `p` with `u = q + W p`, `0 ≤ p_n ⊥ u_n ≥ 0`, `|p_t| ≤ μ p_n` and friction against slip. With
//! `W = [w gᵀ; g T]`, a closed contact (`u_n = 0`) has `p_n = −(q_n + g·p_t)/w`, and its slip is that of the
//! tangential problem `u_t = b + S p_t`, `S = T − g gᵀ/w`, `b = q_t − g q_n/w`. Friction against slip means
//! `u_t = −α p_t` with `α ≥ 0`, so `p_t(α) = −(S + α 1)⁻¹ b`: stick is `α = 0`, slide is the root of
//! `ψ(α) = μ p_n(α)/|p_t(α)| = 1`. If stick leaves the cone then `ψ(0) < 1`, and `ψ → ∞` with `α` as `q_n < 0`: there is
//! always a root, also where the direction of free slip has no finite force (Painlevé). `ψ` is nearly linear, as in
//! trust-region methods [MS83], and Newton's method takes two or three steps, one when warm.

use glamx::{DMat3, DVec2, DVec3};

/// What a contact does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum State {
    /// It bears no impulse.
    #[default]
    Separate,
    /// It is closed and does not slip.
    Stick,
    /// It is closed, at the edge of its friction cone.
    Slip,
}

/// The impulse of one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Local {
    /// Impulse: normal, first and second tangent.
    pub p: DVec3,
    /// What the contact does.
    pub state: State,
    /// The direction of free slip has no finite force: `nᵀW(n − μ d) ≤ 0`. The impulse is one without collision.
    pub painleve: bool,
}

/// Newton steps that a root may take; bisection guards them, so that this many always suffice.
const STEPS: usize = 100;
/// A root is found when `|ψ − 1|` is below this.
const ROUND_OFF: f64 = 4e-15;
/// A tangential block with a smaller determinant, relative to its squared trace, is lifted by this share of its trace.
const SINGULAR: f64 = 1e-14;

const SEPARATE: Local = Local { p: DVec3::ZERO, state: State::Separate, painleve: false };

/// Solves the contact; `previous` (the last sweep's or step's impulse) starts the search for a root.
///
/// A block without normal compliance (`W_nn ≤ 0`) cannot answer: the impulse is then zero, and the residual shows it.
#[inline]
pub fn solve(w: &DMat3, q: DVec3, mu: f64, previous: DVec3) -> Local {
    let w_nn = w.x_axis.x;
    if q.x >= 0.0 || w_nn.is_nan() || w_nn <= 0.0 {
        return SEPARATE;
    }
    if mu <= 0.0 {
        return Local { p: DVec3::new(-q.x / w_nn, 0.0, 0.0), state: State::Slip, painleve: false };
    }
    let contact = Tangential::new(w, q, mu);
    let stick = contact.impulse(0.0);
    let p_n = contact.normal(stick);
    if stick.length_squared() <= (mu * p_n).powi(2) && p_n >= 0.0 {
        let painleve = contact.is_painleve(w, q);
        return Local { p: DVec3::new(p_n, stick.x, stick.y), state: State::Stick, painleve };
    }
    let p_t = contact.slide(contact.guess(w, q, previous));
    let p = DVec3::new(p_t.length() / mu, p_t.x, p_t.y);
    Local { p, state: State::Slip, painleve: contact.is_painleve(w, q) }
}

/// The tangential problem of a closed contact; `S = [s11 s12; s12 s22]`.
struct Tangential {
    s11: f64,
    s12: f64,
    s22: f64,
    b: DVec2,
    /// `−q_n/w`, the impulse without friction.
    free: f64,
    /// `g/w`.
    g: DVec2,
    mu: f64,
}

impl Tangential {
    #[inline]
    fn new(w: &DMat3, q: DVec3, mu: f64) -> Self {
        let inverse = 1.0 / w.x_axis.x;
        let (c, free) = (DVec2::new(w.x_axis.y, w.x_axis.z), -q.x * inverse);
        let g = c * inverse;
        let (mut s11, s12, mut s22) = (w.y_axis.y - g.x * c.x, w.y_axis.z - g.x * c.y, w.z_axis.z - g.y * c.y);
        let trace = w.y_axis.y + w.z_axis.z;
        if s11 * s22 - s12 * s12 <= SINGULAR * trace * trace {
            let lift = (SINGULAR * trace).max(f64::MIN_POSITIVE) + (-s11.min(s22)).max(0.0);
            (s11, s22) = (s11 + lift, s22 + lift);
        }
        Self { s11, s12, s22, b: DVec2::new(q.y, q.z) + c * free, free, g, mu }
    }

    /// `p_t(α)`.
    #[inline]
    fn impulse(&self, alpha: f64) -> DVec2 {
        self.apply_inverse(alpha, -self.b)
    }

    /// `(S + α 1)⁻¹ x`.
    #[inline]
    fn apply_inverse(&self, alpha: f64, x: DVec2) -> DVec2 {
        let (a, d) = (self.s11 + alpha, self.s22 + alpha);
        let inverse = 1.0 / (a * d - self.s12 * self.s12);
        DVec2::new(d * x.x - self.s12 * x.y, a * x.y - self.s12 * x.x) * inverse
    }

    /// `p_n` of a closed contact with this tangential impulse.
    #[inline]
    fn normal(&self, p_t: DVec2) -> f64 {
        self.free - self.g.dot(p_t)
    }

    /// `α = −u_t·p_t/|p_t|²` of the previous impulse; without one, that of the impulse at the cone's edge against `b`.
    #[inline]
    fn guess(&self, w: &DMat3, q: DVec3, previous: DVec3) -> f64 {
        let p_t = DVec2::new(previous.y, previous.z);
        let square = p_t.length_squared();
        if square > 0.0 {
            let u = q + *w * previous;
            let alpha = -(u.y * p_t.x + u.z * p_t.y) / square;
            if alpha.is_finite() && alpha > 0.0 {
                return alpha;
            }
        }
        (self.b.length() / (self.mu * self.free) - 0.5 * (self.s11 + self.s22)).max(0.0)
    }

    /// The tangential impulse at the root of `ψ`; Newton's steps, halved into their bracket where they leave it.
    #[inline]
    fn slide(&self, guess: f64) -> DVec2 {
        let (mut low, mut high, mut alpha) = (0.0, f64::INFINITY, guess);
        let mut p_t = self.impulse(alpha);
        for _ in 0..STEPS {
            let (excess, slope) = self.excess(alpha, p_t);
            if excess.abs() <= ROUND_OFF {
                break;
            }
            if excess < 0.0 {
                low = alpha;
            } else {
                high = alpha;
            }
            let mut next = alpha - excess / slope;
            if !(next > low && next < high) {
                next = if high.is_finite() { 0.5 * (low + high) } else { 2.0 * alpha + self.s11 + self.s22 };
            }
            if next == alpha {
                break;
            }
            alpha = next;
            p_t = self.impulse(alpha);
        }
        p_t
    }

    /// `ψ − 1` and its derivative; `p_t′ = −(S + α 1)⁻¹ p_t`.
    #[inline]
    fn excess(&self, alpha: f64, p_t: DVec2) -> (f64, f64) {
        let change = -self.apply_inverse(alpha, p_t);
        let inverse = 1.0 / p_t.length_squared();
        let psi = self.mu * self.normal(p_t) * inverse.sqrt();
        (psi - 1.0, -self.mu * self.g.dot(change) * inverse.sqrt() - psi * p_t.dot(change) * inverse)
    }

    /// `nᵀW(n − μ d) ≤ 0` along the free slip `d = q_t/|q_t|`.
    #[inline]
    fn is_painleve(&self, w: &DMat3, q: DVec3) -> bool {
        let along = w.x_axis.y * q.y + w.x_axis.z * q.z;
        along > 0.0 && self.mu * along >= w.x_axis.x * q.y.hypot(q.z)
    }
}

/// How far `(p, u)` is from a solution: zero exactly on solutions, for every `ρ > 0`. [velocity]
///
/// `r_n = min(p_n/ρ, u_n)`, `r_t = (p_t − P(p_t − ρ u_t))/ρ` with `P` the projection on the disc of radius `μ max(p_n, 0)`.
pub fn natural_map(p: DVec3, u: DVec3, mu: f64, rho: f64) -> DVec3 {
    let (p_t, y) = (DVec2::new(p.y, p.z), DVec2::new(p.y - rho * u.y, p.z - rho * u.z));
    let (radius, length) = (mu * p.x.max(0.0), y.length());
    let projected = if length > radius { y * (radius / length) } else { y };
    let r_t = if length > radius { (p_t - projected) / rho } else { DVec2::new(u.y, u.z) };
    DVec3::new((p.x / rho).min(u.x), r_t.x, r_t.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers in −1 … 1.
    fn noise(seed: u64) -> impl FnMut() -> f64 {
        let mut s = seed;
        move || {
            s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (s >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }
    }

    /// A block of rank `rank` and entries near one.
    fn block(next: &mut impl FnMut() -> f64, rank: usize) -> DMat3 {
        (0..rank).fold(DMat3::ZERO, |w, _| {
            let a = DVec3::new(next(), next(), next());
            w + DMat3::from_cols(a * a.x, a * a.y, a * a.z)
        })
    }

    fn residual(w: &DMat3, q: DVec3, mu: f64, p: DVec3) -> f64 {
        let rho = 3.0 / (w.x_axis.x + w.y_axis.y + w.z_axis.z);
        natural_map(p, q + *w * p, mu, rho).length()
    }

    #[test]
    fn every_contact_has_an_answer_that_is_exact() {
        let mut next = noise(7);
        let (mut counts, mut painleve, mut worst) = ([0; 3], 0, 0.0_f64);
        for _ in 0..100_000 {
            let w = block(&mut next, 6);
            let (q, mu) = (DVec3::new(next(), next(), next()), 1.0 + next());
            let start = DVec3::new(1.0, next(), next());
            let local = solve(&w, q, mu, start);
            counts[local.state as usize] += 1;
            painleve += usize::from(local.painleve);
            worst = worst.max(residual(&w, q, mu, local.p) / (1.0 + local.p.length()));
        }
        assert!(counts.iter().all(|c| *c > 5_000) && painleve > 500, "{counts:?} {painleve}");
        assert!(worst < 1e-13, "{worst}");
    }

    #[test]
    fn a_wrong_answer_shows_in_the_residual() {
        let mut next = noise(8);
        for _ in 0..1000 {
            let w = block(&mut next, 6);
            let (q, mu) = (DVec3::new(-1.0, next(), next()), 0.5);
            let p = solve(&w, q, mu, DVec3::ZERO).p;
            let wrong = p + 1e-6 * DVec3::new(next(), next(), next());
            assert!(residual(&w, q, mu, wrong) > 1e-10);
        }
    }

    #[test]
    fn a_sphere_takes_off_sticks_or_slides_by_the_known_impulses() {
        let w = DMat3::from_diagonal(DVec3::new(1.0, 3.5, 3.5));
        let of = |q: DVec3| solve(&w, q, 0.2, DVec3::ZERO);
        assert_eq!(of(DVec3::new(0.1, 5.0, 0.0)).state, State::Separate);
        assert!((of(DVec3::new(-1.0, 0.35, 0.0)).p - DVec3::new(1.0, -0.1, 0.0)).length() < 1e-15);
        let slide = of(DVec3::new(-1.0, 3.0, 4.0));
        assert!(slide.state == State::Slip && (slide.p - DVec3::new(1.0, -0.12, -0.16)).length() < 1e-15);
    }

    #[test]
    fn painleves_rod_gets_an_impulse_without_collision() {
        // Rod at 45°, m = l = 1, centre of mass ahead of the contact that slips along −x: W of its lower end.
        let w = DMat3::from_cols(DVec3::new(2.5, -1.5, 0.0), DVec3::new(-1.5, 2.5, 0.0), DVec3::new(0.0, 0.0, 1.0));
        let local = solve(&w, DVec3::new(0.0 - 1e-9, -1.0, 0.0), 1.9, DVec3::ZERO);
        assert!(local.painleve && (local.p - DVec3::new(0.375, 0.625, 0.0)).length() < 1e-8, "{local:?}");
    }

    #[test]
    fn singular_blocks_and_extreme_friction_have_answers_too() {
        let mut next = noise(9);
        for round in 0..20_000 {
            let w = block(&mut next, 1 + round % 2) + DMat3::from_diagonal(DVec3::new(0.5, 0.0, 0.0));
            let q = DVec3::new(-next().abs(), next(), next());
            for mu in [0.0, 1e-9, 0.3] {
                let local = solve(&w, q, mu, DVec3::ZERO);
                assert!(local.p.is_finite(), "{w:?} {q:?} {mu}");
                assert!(residual(&w, q, mu, local.p) <= 1e-9 * (1.0 + local.p.length()), "{w:?} {q:?} {mu} {local:?}");
            }
        }
        assert_eq!(solve(&DMat3::ZERO, DVec3::NEG_ONE, 1.0, DVec3::ZERO).p, DVec3::ZERO);
    }
}
