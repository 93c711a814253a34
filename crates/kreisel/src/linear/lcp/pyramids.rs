//! Complementarity problems that are friction pyramids: recognised by their matrix, and solved from the cones around them. [ST96]
//!
//! A slip `λ` has a row without a diagonal, `μ c − Σ β`, and a column of ones in the rows of its edges. What edges do to each other tells
//! where they point: of any two that differ the others are sums, `d_j = x_j d_1 + y_j d_2`, and axes are those in which all edges are of
//! length one. So neither the order of the unknowns matters, nor how the edges are turned.

use super::problem::Lcp;
use super::solve::Status;
use crate::linear::cone::{ConeParams, Faceted, FrictionProblem, solve_cone_cheaply};
use glamx::{DMat2, DMat3, DVec2, DVec3};

/// Edges whose length differs from one by less are of length one. [1]
const SAME: f64 = 1e-6;
/// Two edges point differently if the square of the sine between what they do is larger than this. [1]
const APART: f64 = 1e-6;
/// Multiplications on the way from the cones to the pyramids.
const WORK: f64 = 3e10;

/// What the unknowns of the problem come to.
pub(super) enum Found {
    /// An answer, and how many steps it took.
    Answer(Vec<f64>, usize),
    /// A proof that there is none.
    Proof(Vec<f64>),
}

/// A contact: a push, and two of the edges that bound its friction, if it has any.
struct Contact {
    /// Rows of the push and of the two edges.
    rows: [Option<usize>; 3],
    /// From what the push and the two edges do to velocities in the axes of the corners.
    axes: DMat3,
    /// Friction. [1]
    mu: f64,
    /// All edges, in the order of their angles, and where they point. Others stand in where there are less than three.
    corners: Vec<(Option<usize>, DVec2)>,
}

/// Solves the problem from the cones around its pyramids; `None` if it has none, or if no way leads there.
pub(super) fn by_cones(problem: &Lcp) -> Option<Found> {
    let (contacts, bounds) = recognised(problem)?;
    let (cones, scales) = cones(problem, &contacts).scaled();
    let around = solve_cone_cheaply(&cones, &ConeParams::default());
    if around.status == Status::NoSolution {
        let mut y = vec![0.0; problem.size()];
        let pushes = contacts.iter().filter_map(|c| c.rows[0]).zip(&around.certificate).zip(&scales);
        pushes.for_each(|((row, push), s)| y[row] = push * s);
        return Some(Found::Proof(y));
    }
    let corners: Vec<Vec<DVec2>> = contacts.iter().map(|c| c.corners.iter().map(|c| c.1).collect()).collect();
    let pyramids = Faceted { problem: &cones, corners: &corners };
    let followed = Some(around).filter(|a| a.status == Status::Solved).map(|a| (pyramids.follow(&a.p, WORK), a))?;
    let (followed, around) = followed;
    followed.arrived.then(|| {
        let p: Vec<DVec3> = followed.p.iter().zip(&scales).map(|(p, s)| *p * *s).collect();
        Found::Answer(unknowns(problem, &contacts, &bounds, &p), around.iterations + followed.steps)
    })
}

/// The edges that a slip belongs to, and the push that bounds them, with the coefficient of friction.
struct Bound {
    slip: usize,
    edges: Vec<usize>,
    push: Option<(usize, f64)>,
}

/// Contacts of a problem, if it is one of pyramids, and what bounds their friction.
fn recognised(problem: &Lcp) -> Option<(Vec<Contact>, Vec<Bound>)> {
    let n = problem.size();
    let slips = (0..n).filter(|&i| problem.row(i)[i] == 0.0);
    let bounds = slips.map(|slip| bound(problem, slip)).collect::<Option<Vec<Bound>>>()?;
    let mut taken = vec![false; n];
    for b in &bounds {
        for i in b.edges.iter().copied().chain([b.slip]).chain(b.push.map(|push| push.0)) {
            if std::mem::replace(&mut taken[i], true) {
                return None;
            }
        }
    }
    let rubbing = bounds.iter().filter_map(|b| Some(rubbing(problem, b.push?, &b.edges)));
    let mut contacts = rubbing.collect::<Option<Vec<Contact>>>()?;
    contacts.extend((0..n).filter(|&i| !taken[i]).map(smooth));
    (!bounds.is_empty()).then_some((contacts, bounds))
}

fn bound(problem: &Lcp, slip: usize) -> Option<Bound> {
    let row = problem.row(slip);
    let edges: Vec<usize> = (0..problem.size()).filter(|&j| problem.row(j)[slip] != 0.0).collect();
    let is_edge = |&j: &usize| problem.row(j)[slip] == 1.0 && row[j] == -1.0 && problem.row(j)[j] > 0.0;
    let mut others = (0..row.len()).filter(|j| row[*j] != 0.0 && edges.binary_search(j).is_err());
    let push = others.next().map(|c| (c, row[c]));
    let sound = edges.len() >= 2 && edges.iter().all(is_edge) && others.next().is_none() && problem.q()[slip] == 0.0;
    (sound && push.is_none_or(|(c, mu)| mu > 0.0 && problem.row(c)[c] > 0.0)).then_some(Bound { slip, edges, push })
}

/// A contact without friction.
fn smooth(normal: usize) -> Contact {
    let corners = [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y].map(|c| (None, c)).to_vec();
    Contact { rows: [Some(normal), None, None], axes: DMat3::IDENTITY, mu: 0.0, corners }
}

/// A contact with friction, if its edges are those of a pyramid.
fn rubbing(problem: &Lcp, (normal, mu): (usize, f64), edges: &[usize]) -> Option<Contact> {
    let of = |i: usize, j: usize| problem.row(i)[j];
    let first = edges[0];
    if let [_, back] = *edges {
        let corners = vec![(Some(first), DVec2::X), (None, DVec2::Y), (Some(back), DVec2::NEG_X), (None, DVec2::NEG_Y)];
        return Some(Contact { rows: [Some(normal), Some(first), None], axes: DMat3::IDENTITY, mu, corners });
    }
    let sine = |j: usize| 1.0 - of(first, j) * of(j, first) / (of(first, first) * of(j, j));
    let second = edges.iter().copied().max_by(|a, b| sine(*a).total_cmp(&sine(*b))).filter(|j| sine(*j) > APART)?;
    let both = DMat2::from_cols_array(&[of(first, first), of(second, first), of(first, second), of(second, second)]);
    let places: Vec<DVec2> = edges.iter().map(|&j| both.inverse() * DVec2::new(of(first, j), of(second, j))).collect();
    let lengths = equally_long(&places)?;
    let mut corners: Vec<_> = edges.iter().map(|e| Some(*e)).zip(places.iter().map(|x| lengths * *x)).collect();
    corners.sort_by(|a, b| a.1.to_angle().total_cmp(&b.1.to_angle()));
    let t = lengths.inverse().transpose();
    let axes =
        DMat3::from_cols(DVec3::X, DVec3::new(0.0, t.x_axis.x, t.x_axis.y), DVec3::new(0.0, t.y_axis.x, t.y_axis.y));
    Some(Contact { rows: [normal, first, second].map(Some), axes, mu, corners })
}

/// `A` with `|A x_j| = 1` for all `j`, if there is one: `xᵀ Q x = 1` by least squares, and `Q = Aᵀ A`. Where four edges are two and their
/// opposites, any angle between them would do; it is taken as a right one.
fn equally_long(places: &[DVec2]) -> Option<DMat2> {
    let terms = |x: &DVec2| DVec3::new(x.x * x.x, 2.0 * x.x * x.y, x.y * x.y);
    let mut normal = DMat3::IDENTITY * (SAME * SAME);
    let mut right = DVec3::ZERO;
    for t in places.iter().map(terms) {
        normal += DMat3::from_cols(t * t.x, t * t.y, t * t.z);
        right += t;
    }
    let q = normal.inverse() * right;
    let first = q.x.sqrt();
    let second = (q.z - q.y * q.y / q.x).sqrt();
    let lengths = DMat2::from_cols(DVec2::new(first, 0.0), DVec2::new(q.y / first, second));
    places.iter().all(|x| ((lengths * *x).length() - 1.0).abs() < SAME).then_some(lengths)
}

/// The problem of the cones around the pyramids.
fn cones(problem: &Lcp, contacts: &[Contact]) -> FrictionProblem {
    let mut blocks = Vec::new();
    for (i, a) in contacts.iter().enumerate() {
        for (j, b) in contacts.iter().enumerate() {
            let entry = |r: usize, c: usize| a.rows[r].zip(b.rows[c]).map_or(0.0, |(r, c)| problem.row(r)[c]);
            let column = |c: usize| DVec3::new(entry(0, c), entry(1, c), entry(2, c));
            let mut block = a.axes * DMat3::from_cols(column(0), column(1), column(2)) * b.axes.transpose();
            if i == j {
                // Where there is no edge, nothing moves: the impulse is the velocity, and both are zero.
                let missing = |c: usize| if a.rows[c].is_some() { 0.0 } else { entry(0, 0) };
                block += DMat3::from_diagonal(DVec3::new(0.0, missing(1), missing(2)));
            }
            if i == j || block != DMat3::ZERO {
                blocks.extend([(i, j, block), (j, i, DMat3::ZERO)]);
            }
        }
    }
    let q = |c: &Contact| c.axes * DVec3::from_array(c.rows.map(|row| row.map_or(0.0, |row| problem.q()[row])));
    FrictionProblem::from_blocks(blocks, contacts.iter().map(q).collect(), contacts.iter().map(|c| c.mu).collect())
}

/// Pushes, what of each friction goes along its edges, and slips.
fn unknowns(problem: &Lcp, contacts: &[Contact], bounds: &[Bound], p: &[DVec3]) -> Vec<f64> {
    let mut z = vec![0.0; problem.size()];
    for (contact, p) in contacts.iter().zip(p).filter(|(_, p)| p.x > 0.0) {
        contact.rows[0].iter().for_each(|&row| z[row] = p.x);
        for (edge, share) in shares(&contact.corners, DVec2::new(p.y, p.z)) {
            edge.iter().for_each(|&row| z[row] = share);
        }
    }
    let w = problem.w(&z);
    for b in bounds {
        z[b.slip] = b.edges.iter().fold(0.0, |slip, &j| f64::max(slip, -w[j]));
    }
    z
}

/// The two corners between which a vector lies, and its shares along them.
fn shares(corners: &[(Option<usize>, DVec2)], p: DVec2) -> [(Option<usize>, f64); 2] {
    let n = corners.len();
    let between = |k: usize| {
        let (a, b) = (corners[k], corners[(k + 1) % n]);
        let share = DMat2::from_cols(a.1, b.1).inverse() * p;
        (share.min_element(), [(a.0, share.x.max(0.0)), (b.0, share.y.max(0.0))])
    };
    let all = (0..n).map(between);
    all.max_by(|a, b| a.0.total_cmp(&b.0)).map_or([(None, 0.0); 2], |best| best.1)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::problem::TOLERANCE;
    use super::*;
    use crate::linear::noise::Noise;
    use crate::linear::pyramid::pyramid_lcp;

    /// A ball in a groove that slides along it.
    fn groove(mu: [f64; 2]) -> FrictionProblem {
        let (own, other) = (DVec3::new(1.0, 3.5, 3.5), DVec3::new(-0.28, 0.7, 2.5));
        let blocks = (0..4).map(|k| (k / 2, k % 2, DMat3::from_diagonal(if k / 2 == k % 2 { own } else { other })));
        FrictionProblem::from_blocks(
            blocks.collect(),
            vec![DVec3::new(-0.6, 0.3, 2.0), DVec3::new(-0.7, -0.2, 1.5)],
            mu.to_vec(),
        )
    }

    /// The same problem with its unknowns in another order.
    fn shuffled(problem: &Lcp, noise: &mut Noise) -> Lcp {
        let n = problem.size();
        let mut order: Vec<usize> = (0..n).collect();
        (1..n).rev().for_each(|k| order.swap(k, (noise.next() * (k + 1) as f64) as usize));
        let m = order.iter().flat_map(|&i| order.iter().map(move |&j| problem.row(i)[j])).collect();
        Lcp::new(m, order.iter().map(|&i| problem.q()[i]).collect()).unwrap()
    }

    #[test]
    fn pyramids_are_recognised_and_solved_whatever_the_order_of_unknowns_and_however_edges_are_turned() {
        let mut noise = Noise(3);
        for facets in [4, 6, 8, 16] {
            for mu in [[0.3, 0.3], [0.2, 0.9], [0.0, 0.4]] {
                let angles = [noise.next(), noise.next()];
                let problem = shuffled(&pyramid_lcp(&groove(mu), facets, &angles), &mut noise);
                let found = by_cones(&problem);
                let Some(Found::Answer(z, _)) = found else { panic!("{facets} edges, {mu:?}: not solved") };
                let residual = problem.residual(&z);
                assert!(residual <= 1e-3 * TOLERANCE, "{facets} edges, {mu:?}: {residual:e}");
                assert!(z.iter().filter(|z| **z > 0.1).count() >= 2, "{z:?}");
            }
        }
    }

    #[test]
    fn a_block_in_a_plane_has_two_edges_and_no_third_direction() {
        // Push, two edges, slip: it comes down at 1 m/s and slides at 2 m/s.
        let m = [[1.0, 0.2, -0.2, 0.0], [0.2, 1.5, -1.5, 1.0], [-0.2, -1.5, 1.5, 1.0], [0.5, -1.0, -1.0, 0.0]];
        let problem = Lcp::new(m.concat(), vec![-1.0, 2.0, -2.0, 0.0]).unwrap();
        let Some(Found::Answer(z, _)) = by_cones(&problem) else { panic!("not solved") };
        assert!(problem.residual(&z) <= 1e-3 * TOLERANCE && z[2] > 0.5, "{z:?}");
    }

    #[test]
    fn other_problems_are_not_taken_for_pyramids() {
        let positive = Lcp::new(vec![2.0, 1.0, 1.0, 2.0], vec![-5.0, -6.0]).unwrap();
        let game = Lcp::new(vec![0.0, 1.0, 1.0, 0.0], vec![-1.0, -1.0]).unwrap();
        for problem in [positive, game] {
            assert!(by_cones(&problem).is_none());
        }
    }

    #[test]
    fn a_pyramid_that_is_squeezed_has_no_answer_and_that_is_proved() {
        let squeezed = FrictionProblem::from_blocks(
            (0..4)
                .map(|k| (k / 2, k % 2, DMat3::from_diagonal(if k / 2 == k % 2 { DVec3::ONE } else { DVec3::NEG_X })))
                .collect(),
            vec![DVec3::NEG_X; 2],
            vec![0.4; 2],
        );
        let problem = pyramid_lcp(&squeezed, 4, &[]);
        assert!(matches!(by_cones(&problem), Some(Found::Proof(y)) if y[0] > 0.0 && y[1] > 0.0));
    }
}
