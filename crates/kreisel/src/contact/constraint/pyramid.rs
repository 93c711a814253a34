//! Friction pyramids of an island, by Lemke's method on its assembled problem. [ST96]
//!
//! `W_ij = J_i M⁻¹ J_jᵀ` of all contacts that share a body that can move; the first edge of a pyramid lies along the first
//! tangent of its contact. Turned until an edge lies along the slip, the pyramid's answer is the cone's; left as it is,
//! friction is that of a polygon.

use crate::contact::constraint::carriers::{Carrier, Carriers};
use crate::contact::constraint::row::{Jacobian, Mode, Row};
use crate::contact::constraint::sweep::{self, Outcome};
use crate::linear::cone::FrictionProblem;
use crate::linear::lcp::Status;
use crate::linear::pyramid::{PyramidAnswer, PyramidParams, solve_pyramid};
use crate::model::setup::{ConstraintSettings, ContactSolver};
use glamx::{DMat3, DVec3};

/// Lemke's method works on a dense table whose size grows with the square of the contacts: larger islands get the cone.
const MOST_CONTACTS: usize = 64;
/// Edges of a pyramid where the scene does not say.
const EDGES: u32 = 8;
/// What turned edges may leave of the cone's law, as a share of `q` [1].
const TURNED: f64 = 1e-12;

/// True if the settings ask for a pyramid and the island has few enough contacts for one.
pub fn suits(contacts: usize, settings: &ConstraintSettings) -> bool {
    let asked = settings.facets > 0 || settings.solver == ContactSolver::Lemke;
    asked && contacts <= MOST_CONTACTS
}

/// The pyramid's answer to a problem as the settings want it; none if there is no solution, or none was found.
pub fn answer(problem: &FrictionProblem, settings: &ConstraintSettings) -> Option<PyramidAnswer> {
    let facets = if settings.facets > 0 { settings.facets } else { EDGES };
    let params = PyramidParams { facets, fixed_point: settings.isotropic, tolerance: TURNED, ..Default::default() };
    let answer = solve_pyramid(problem, &params);
    (answer.status == Status::Solved).then_some(answer)
}

/// Solves the pyramid; none if there is no solution, or none was found, and then nothing has changed. The carriers bring the
/// velocities without contact, and leave with those of the solution.
pub fn solve(
    rows: &mut [Row],
    carriers: &mut Carriers,
    tolerance: f64,
    settings: &ConstraintSettings,
) -> Option<Outcome> {
    let answer = answer(&assemble(rows, carriers), settings)?;
    for (row, p) in rows.iter_mut().zip(&answer.p) {
        row.impulse = *p;
        row.push(*p, carriers);
    }
    let residual = if settings.isotropic { sweep::residual(rows, carriers) } else { answer.lcp_residual };
    rows.iter_mut().for_each(|row| row.mode = mode(row, row.velocity(carriers), tolerance));
    let sweeps = answer.rounds as u32;
    Some(Outcome { sweeps, newton_steps: 0, lemke: true, residual, converged: residual <= tolerance })
}

/// The friction problem of the rows: `q = J v + (bias, drift)`.
pub fn assemble(rows: &mut [Row], carriers: &Carriers) -> FrictionProblem {
    rows.iter_mut().for_each(|row| row.weigh_once(carriers));
    let sides: Vec<_> = rows.iter().map(|row| row.sides(carriers)).collect();
    let mut blocks = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        for j in 0..rows.len() {
            let w = if i == j { row.block() } else { coupling(&sides[i], &sides[j], carriers) };
            if w != DMat3::ZERO {
                blocks.push((i, j, w));
            }
        }
    }
    let q = rows.iter().map(|row| row.velocity(carriers) + row.offset()).collect();
    FrictionProblem::from_blocks(blocks, q, rows.iter().map(|row| row.friction).collect())
}

/// `J_i M⁻¹ J_jᵀ`, summed over the bodies that both contacts touch.
fn coupling(first: &[(u32, Jacobian)], second: &[(u32, Jacobian)], carriers: &Carriers) -> DMat3 {
    let mut w = DMat3::ZERO;
    for (body, j) in first {
        for (_, k) in second.iter().filter(|side| side.0 == *body) {
            w += through(&carriers[*body as usize], j, k);
        }
    }
    w
}

/// The part of `J_i M⁻¹ J_jᵀ` that goes through one body.
fn through(body: &Carrier, j: &Jacobian, k: &Jacobian) -> DMat3 {
    let halves = |r: &[f64; 6]| (DVec3::new(r[0], r[1], r[2]), DVec3::new(r[3], r[4], r[5]));
    let entry = |i: usize, n: usize| {
        let ((axis, turn), (other_axis, other_turn)) = (halves(&j[i]), halves(&k[n]));
        body.inverse_mass * axis.dot(other_axis) + turn.dot(body.inverse_inertia * other_turn)
    };
    let column = |n: usize| DVec3::new(entry(0, n), entry(1, n), entry(2, n));
    DMat3::from_cols(column(0), column(1), column(2))
}

/// What a contact does: a polygon's friction may be all used up below `μ p_n`, so the slip tells.
fn mode(row: &Row, u: DVec3, tolerance: f64) -> Mode {
    if row.impulse.x <= 0.0 {
        Mode::Separate
    } else if u.y.hypot(u.z) > tolerance {
        Mode::Slip
    } else {
        Mode::Stick
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::constraint::row::Meeting;

    /// A unit cube of 2 kg on its four lower corners, pushed along `slip` and down.
    fn cube(slip: DVec3, friction: f64) -> (Vec<Row>, Carriers) {
        let inverse_inertia = DMat3::from_diagonal(DVec3::splat(3.0));
        let velocity = slip - DVec3::Z * 0.1;
        let body = Carrier { velocity, inverse_mass: 0.5, inverse_inertia, ..Carrier::WORLD };
        let carriers = Carriers::from(vec![body, Carrier::WORLD]);
        let corner = |x: f64, y: f64| {
            let point = DVec3::new(0.5 * x, 0.5 * y, -0.05);
            let meeting = Meeting { a: 0, b: 1, point, normal: DVec3::Z, friction, ..Meeting::default() };
            Row::new(&meeting, &carriers, DVec3::ZERO)
        };
        let rows = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)].map(|(x, y)| corner(x, y)).to_vec();
        (rows, carriers)
    }

    #[test]
    fn a_pyramid_pushes_along_its_edges_and_a_turned_one_against_the_slip() {
        let slip = DVec3::new(22.5_f64.to_radians().cos(), 22.5_f64.to_radians().sin(), 0.0);
        for (isotropic, expected) in [(true, slip), (false, DVec3::X)] {
            let (mut rows, mut carriers) = cube(slip, 0.3);
            let settings = ConstraintSettings { facets: 4, isotropic, ..ConstraintSettings::default() };
            let outcome = solve(&mut rows, &mut carriers, 1e-9, &settings);
            assert!(outcome.is_some_and(|o| o.converged), "{outcome:?}");
            let total: DVec3 = rows.iter().map(Row::world_impulse).sum();
            assert!((total.z - 0.2).abs() < 1e-9, "the fall stops: {total}");
            let rub = DVec3::new(total.x, total.y, 0.0);
            assert!((rub + 0.3 * total.z * expected).length() < 1e-9, "isotropic {isotropic}: {rub}");
        }
    }

    #[test]
    fn what_is_pushed_lightly_sticks() {
        let (mut rows, mut carriers) = cube(DVec3::X * 0.01, 0.5);
        let settings = ConstraintSettings { facets: 8, ..ConstraintSettings::default() };
        assert!(solve(&mut rows, &mut carriers, 1e-9, &settings).is_some());
        assert!(carriers[0].velocity.length() < 1e-12 && rows.iter().any(|row| row.mode == Mode::Stick));
    }
}
