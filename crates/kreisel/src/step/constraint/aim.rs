//! How sharply the contact problem of an island is solved.

use crate::contact::constraint::groups::Group;
use crate::contact::constraint::newton;
use crate::contact::constraint::row::Row;
use crate::contact::constraint::sweep::{Aim, Goal};
use crate::step::constraint::solve::Sight;
use crate::step::constraint::{overlap, rest};
use glamx::DVec3;

/// Islands whose contacts move slower than this share of the speed that gravity gives in a step hardly move [1].
const SLOW: f64 = 0.1;
/// Share of a velocity that is rounding, some fifty times that of one number [1].
const ROUNDING: f64 = 1e-14;
/// Islands of more contacts than this are judged by their mean, so many times the tolerance, and each contact by so many times
/// the mean.
const MANY: usize = 32;
const MEAN: f64 = 3.0;
const EACH: f64 = 10.0;
/// The share of half the width of the thinner body that a contact may sink by in a step because of what its solver leaves [1].
const SINKS: f64 = 0.04;
/// Bodies per body that leans on what no push moves, in a tower; and contacts of a tower at most.
const LAYERS: usize = 4;
const TOWER: usize = 512;

/// What the solver of an island may leave, as a share of the velocities that its problem is about [m/s]: those of points that
/// touch against each other before the step. What hardly moves is solved so sharply that it comes to rest, contact by contact.
/// Among many contacts that move, at least the speed that gravity gives in the step is in play, and the root of the mean square
/// counts, as long as no contact leaves more than a few times that: the error of the momentum that an island gets is then the
/// same share of what is in play, however many contacts it has. That is also enough for crowds that hardly move, and that no
/// method brings to rest, and that is what large ones aim at in most of their steps (`rest::is_time`). Towers are solved contact by contact
/// while they move, too: what each floor leaves tilts all above it. But no contact leaves so
/// much that the thinner of its bodies sinks by more than a share of its width in the step: one light ball that is flung away
/// at a hundred metres per second is no reason for heavy ones to sink.
pub fn aim(sight: &Sight, group: &Group, rows: &[Row]) -> Aim {
    // What slides without friction may do so at any speed: nothing of its law depends on that.
    let speed = |row: &Row| {
        let u = row.relative_velocity(sight.before);
        if row.friction > 0.0 { u.abs().max_element() } else { row.axes()[0].dot(u).abs() }
    };
    let fastest = rows.iter().map(speed).fold(0.0, f64::max);
    let (tolerance, fall) = (sight.model.constraint.tolerance, sight.model.gravity.length() * sight.h);
    let half_width = |k: &u32| overlap::thinner(sight.space, &sight.space.found[*k as usize]);
    let thinnest = group.contacts.iter().map(half_width).fold(f64::INFINITY, f64::min);
    let most = SINKS * thinnest / sight.h;
    let share = tolerance * fastest.max(SLOW * fall);
    let strict = Aim::strict(share.min(most).max(rounding(sight, rows)));
    if rows.len() <= MANY {
        return strict;
    }
    let mean = (MEAN * tolerance * fastest.max(fall)).min(most / EACH).max(f64::MIN_POSITIVE);
    let enough = Goal { mean, each: EACH * mean };
    if is_tower(sight, group, rows) {
        return Aim { sharp: strict.sharp, enough, rests_below: None };
    }
    let sharply = fastest <= SLOW * fall && rest::is_time(sight, group, rows.len());
    let sharp = if sharply { strict.sharp } else { enough };
    Aim { sharp, enough, rests_below: Some(rest::slow(sight.model, sight.h)) }
}

/// True if few bodies bear many on top of each other, so that Newton's method solves them at the price of some sweeps.
fn is_tower(sight: &Sight, group: &Group, rows: &[Row]) -> bool {
    if rows.len() > TOWER {
        return false;
    }
    let moves = |c: u32| sight.carriers[c as usize].is_movable();
    let leans = rows.iter().filter(|row| moves(row.a) != moves(row.b));
    let mut bases: Vec<u32> = leans.map(|row| if moves(row.a) { row.a } else { row.b }).collect();
    bases.sort_unstable();
    bases.dedup();
    let is_high = !bases.is_empty() && group.carriers.len() >= LAYERS * bases.len();
    is_high && !newton::is_dear(rows, sight.carriers)
}

/// What rounding may leave of the velocities of an island [m/s], where that is all there is: bodies that fly together without
/// weight have nothing to solve.
fn rounding(sight: &Sight, rows: &[Row]) -> f64 {
    if sight.model.gravity != DVec3::ZERO {
        return f64::MIN_POSITIVE;
    }
    let speed = |k: u32| sight.before.point_velocity(k, DVec3::ZERO).length();
    let fastest = rows.iter().map(|row| speed(row.a).max(speed(row.b))).fold(0.0, f64::max);
    (ROUNDING * fastest).max(f64::MIN_POSITIVE)
}
