//! Friction pyramids by Newton's method, from the exact cone to the pyramid little by little. [AC91, ST96]
//!
//! `p_t` is the nearest point to `y_t = p_t − ρ u_t` of `μ y_n` times the section, on a pyramid as on the cone. Pivots find out what each
//! edge of each contact does one after the other, and in stacks of hundreds of contacts lose their way in nearly singular bases; from the
//! answer of the cone, where nearly all contacts do what they do on the pyramid, few steps lead to that of the latter.

use super::fronts::{Fronts, SmallPivots};
use super::newton::{Rows, solved};
use super::problem::FrictionProblem;
use super::section::Section;
use glamx::{DMat3, DVec2, DVec3};

/// Pyramids instead of cones: for each contact the corners of its section at `p_n = 1/μ`, in the order of their angles around the origin.
pub(crate) struct Faceted<'a> {
    pub(crate) problem: &'a FrictionProblem,
    pub(crate) corners: &'a [Vec<DVec2>],
}

/// What a way from the cone to the pyramid has come to.
pub(crate) struct Followed {
    /// Impulses.
    pub(crate) p: Vec<DVec3>,
    /// True if they are those of the pyramid.
    pub(crate) arrived: bool,
    /// Steps of Newton's method.
    pub(crate) steps: usize,
}

/// Compliances relative to the diagonal: the first, and how each step changes it. [1]
const COMPLIANCES: [(f64, f64); 4] = [(1e-10, 1.0), (1e-8, 1.0), (1e-2, 0.3), (1e-5, 0.3)];
/// A pivot of less, relative to the largest entry, is rounding.
const NOTHING: f64 = 1e-15;
/// Steps with each of them.
const STEPS: usize = 25;
/// The first stage, and the least, as shares of the way.
const FIRST: f64 = 0.25;
const LEAST: f64 = 1e-3;
/// Residual, relative to `q`, that ends a stage on the way, and at the end; what rounding leaves ends any.
const ON_THE_WAY: f64 = 1e-10;
const AT_THE_END: f64 = 1e-13;
/// A stage whose residual is above this has failed; if rounding leaves more than a share of that, so much. [1]
const FAILED: f64 = 1e-8;
const ROUNDING: f64 = 4.0;

impl Faceted<'_> {
    /// From an answer of the cone to one of the pyramid, with so many multiplications.
    pub(crate) fn follow(&self, start: &[DVec3], work: f64) -> Followed {
        let (mut p, mut sharpness, mut stage, mut steps) = (start.to_vec(), 0.0_f64, FIRST, 0);
        let most = (work / (self.factor_work() + 1.0)) as usize;
        while sharpness < 1.0 && stage >= LEAST && steps < most {
            let next = (sharpness + stage).min(1.0);
            let (taken, reached) = self.stage(&p, next);
            steps += taken;
            match reached {
                Some(there) => (p, sharpness, stage) = (there, next, 2.0 * stage),
                None => stage *= 0.5,
            }
        }
        Followed { p, arrived: sharpness >= 1.0, steps }
    }

    /// The answer at some sharpness from that of another, if full steps with one of the compliances find it; and how many it took.
    fn stage(&self, start: &[DVec3], sharpness: f64) -> (usize, Option<Vec<DVec3>>) {
        let goal = if sharpness < 1.0 { ON_THE_WAY } else { AT_THE_END };
        let mut taken = 0;
        for (mut compliance, change) in COMPLIANCES {
            let (mut x, mut best) = (start.to_vec(), (f64::INFINITY, start.to_vec()));
            for _ in 0..STEPS {
                let residual = self.residual(&x, sharpness);
                if residual < best.0 {
                    best = (residual, x.clone());
                }
                if best.0 <= goal {
                    break;
                }
                let parts: Vec<Rows> = (0..x.len()).map(|i| self.rows(&x, i, sharpness)).collect();
                let Some(d) = solved(self.problem, &x, &parts, NOTHING, compliance) else { break };
                x.iter_mut().zip(&d).for_each(|(x, d)| *x += *d);
                (taken, compliance) = (taken + 1, compliance * change);
            }
            if best.0 <= FAILED.max(ROUNDING * self.problem.rounding(&best.1)) {
                return (taken, Some(best.1));
            }
        }
        (taken, None)
    }

    fn section(&self, i: usize, sharpness: f64) -> Section<'_> {
        Section { corners: &self.corners[i], sharpness }
    }

    /// Norm of the natural map, relative to that of `q`; infinite if something is not a number.
    fn residual(&self, p: &[DVec3], sharpness: f64) -> f64 {
        let part = |i: usize| {
            let (u, rho) = (self.problem.velocity(i, p), self.problem.rho(i));
            let y = p[i] - rho * u;
            let r_n = (p[i].x / rho).min(u.x);
            let radius = self.problem.mu[i] * p[i].x.max(0.0);
            let slip = DVec2::new(u.y, u.z);
            let nearest = self.section(i, sharpness).nearest(DVec2::new(y.y, y.z), radius);
            let r_t = nearest.map_or(slip, |n| (DVec2::new(p[i].y, p[i].z) - n.point) / rho);
            r_n * r_n + r_t.length_squared()
        };
        let r = (0..p.len()).map(part).sum::<f64>().sqrt() / self.problem.size().max(f64::MIN_POSITIVE);
        if r.is_nan() { f64::INFINITY } else { r }
    }

    /// A contact's equations.
    fn rows(&self, p: &[DVec3], i: usize, sharpness: f64) -> Rows {
        let (u, mu, rho) = (self.problem.velocity(i, p), self.problem.mu[i], self.problem.rho(i));
        let y = p[i] - rho * u;
        if y.x <= 0.0 {
            return Rows { closed: false, value: p[i], by_p: DMat3::IDENTITY, by_u: DMat3::ZERO };
        }
        let Some(nearest) = self.section(i, sharpness).nearest(DVec2::new(y.y, y.z), mu * y.x) else {
            return Rows { closed: true, value: u, by_p: DMat3::ZERO, by_u: DMat3::IDENTITY };
        };
        // F_t = (p_t − nearest)/ρ with δy = δp − ρ δu.
        let (by_radius, by_point) = (nearest.by_radius * mu, nearest.by_point);
        let g = DMat3::from_cols(
            DVec3::new(0.0, by_radius.x, by_radius.y),
            DVec3::new(0.0, by_point.x_axis.x, by_point.x_axis.y),
            DVec3::new(0.0, by_point.y_axis.x, by_point.y_axis.y),
        );
        let left = (DVec2::new(p[i].y, p[i].z) - nearest.point) / rho;
        let tangential = DMat3::from_diagonal(DVec3::new(0.0, 1.0, 1.0));
        let by_u = g + DMat3::from_diagonal(DVec3::X);
        let value = DVec3::new(u.x, left.x, left.y);
        Rows { closed: true, value, by_p: (tangential - g) * (1.0 / rho), by_u }
    }

    /// Multiplications of one factorisation.
    fn factor_work(&self) -> f64 {
        Fronts::new(&self.problem.rows(), SmallPivots::Lifted(NOTHING)).map_or(0.0, |f| f.work())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ball of 1 kg on a plane whose contact meets it with this velocity.
    fn ball(q: DVec3, mu: f64) -> FrictionProblem {
        FrictionProblem::from_blocks(vec![(0, 0, DMat3::from_diagonal(DVec3::new(1.0, 3.5, 3.5)))], vec![q], vec![mu])
    }

    #[test]
    fn a_ball_that_slides_is_pushed_along_the_edge_that_opposes_it_most() {
        let corners = vec![[DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y].to_vec()];
        let problem = ball(DVec3::new(-1.0, 4.0, 1.0), 0.2);
        let start = super::super::solve_cone(&problem, &Default::default());
        let followed = Faceted { problem: &problem, corners: &corners }.follow(&start.p, 1e9);
        assert!(followed.arrived && followed.p[0].distance(DVec3::new(1.0, -0.2, 0.0)) < 1e-12, "{:?}", followed.p);
    }

    #[test]
    fn what_sticks_on_the_cone_alone_slides_on_a_pyramid_and_stops_on_one_side() {
        // What it takes to stop is inside the disc, but beyond the edge between two corners: equal slips are left along it.
        let corners = vec![[DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y].to_vec()];
        let problem = ball(DVec3::new(-1.0, 0.6 * 3.5, 0.6 * 3.5), 0.9);
        let start = super::super::solve_cone(&problem, &Default::default());
        let followed = Faceted { problem: &problem, corners: &corners }.follow(&start.p, 1e9);
        assert!(followed.arrived && followed.p[0].distance(DVec3::new(1.0, -0.45, -0.45)) < 1e-12, "{:?}", followed.p);
    }
}
