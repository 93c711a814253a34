//! Two free elements that rub on each other.
//!
//! Elements have no spin, so that friction between their centres would leave a couple that nobody takes. The surface of a
//! sphere turns with the matter around its element: `ω = Θ⁻¹ Σ_j r_j × (v_j − v_i)`, `Θ = Σ_j (r_j² 1 − r_j r_jᵀ)` over the
//! elements `j` joined to `i`, which is exact for rigid motion. The contact point at the arm `a` from the centre moves by
//! `ċ + ω × a`; the transpose of that gives a push at the point to the elements with its full moment, so that both momenta are
//! kept. Such a point is a seat like any other.

use crate::contact::constraint::carriers::{Carrier, Member, Seat};
use crate::contact::constraint::row::Meeting;
use crate::contact::touch::Touch as Sphere;
use crate::linear::eigen::{outer, pseudo_inverse};
use crate::model::{Model, State};
use crate::step::constraint::skins;
use crate::step::constraint::space::{ContactSpace, Found};
use crate::step::workspace::Workspace;
use glamx::{DMat3, DVec3};

/// The carriers that the two sides of a contact of free elements, or of a sphere on a skin, have for themselves.
#[derive(Clone, Copy, Debug)]
pub struct Rub {
    /// Number of the contact among those found.
    pub found: u32,
    /// The carriers of its sides.
    pub carriers: [u32; 2],
    /// Where they touch [m].
    pub point: DVec3,
    /// True if a side does not know how it turns, and cannot take the couple of friction.
    pub armless: bool,
}

/// Where two push and rub: their carriers, the point in the world, and whether they cannot take the couple of friction, as two elements that do
/// not know how they turn.
pub fn place(space: &ContactSpace, f: &Found, rub: Option<&Rub>) -> ([u32; 2], DVec3, bool) {
    let turns = |c: u32| space.carriers[c as usize].turns;
    match rub {
        Some(rub) => (rub.carriers, rub.point, rub.armless),
        None => {
            let sides = space.sides(f);
            (sides, space.point(f), !sides.into_iter().any(turns))
        }
    }
}

/// The meeting of contact number `k` of a space that is seated, without bias.
pub fn meeting(space: &ContactSpace, k: usize, friction: f64) -> Meeting {
    let f = &space.found[k];
    let rub = space.rubs.binary_search_by_key(&(k as u32), |rub| rub.found).ok().map(|n| &space.rubs[n]);
    let ([a, b], point, armless) = place(space, f, rub);
    let friction = if armless { 0.0 } else { friction };
    Meeting { a, b, point, normal: f.touch.normal, friction, ..Meeting::default() }
}

/// Gives the contacts of free elements with each other, and of spheres on skins, carriers of their own, after all others.
pub fn seat(model: &Model, state: &State, w: &Workspace, space: &mut ContactSpace) {
    let bodies = state.aggregates.len();
    let first = bodies + space.balls.len() + 1 + space.joints.riders.len();
    space.carriers.list.truncate(first);
    space.rubs.clear();
    space.rub_elements.clear();
    if space.balls.is_empty() {
        return;
    }
    for k in 0..space.found.len() {
        let rub = match space.is_on_skin(&space.found[k]) {
            true => skins::stand(model, state, w, space, k),
            false => rub(model, state, w, space, k),
        };
        space.rubs.extend(rub);
    }
}

/// The carriers of two free elements that touch.
fn rub(model: &Model, state: &State, w: &Workspace, space: &mut ContactSpace, k: usize) -> Option<Rub> {
    let f = space.found[k];
    let [Some(a), Some(b)] = space.centres(&f) else { return None };
    let point = 0.5 * (f.touch.point_a + f.touch.point_b);
    let of = |c: u32| space.balls[c as usize - space.first_ball()];
    let sides = [(of(f.first), a), (of(f.second), b)];
    let seats = sides.map(|(e, centre)| turning(model, state, w, space, e, point - centre));
    let [Some(seat_a), Some(seat_b)] = seats else { return None };
    let carriers = [(seat_a, sides[0].0), (seat_b, sides[1].0)].map(|(seat, e)| add(space, seat, point, e));
    Some(Rub { found: k as u32, carriers, point, armless: false })
}

/// Adds a carrier with a seat of its own at a point, which counts as that of an element.
pub fn add(space: &mut ContactSpace, seat: Seat, point: DVec3, element: u32) -> u32 {
    let number = space.carriers.list.len() as u32;
    let carrier = Carrier { position: point, seat: space.carriers.seats.len() as u32, turns: false, ..Carrier::WORLD };
    space.carriers.list.push(carrier);
    space.carriers.seats.push(seat);
    space.rub_elements.push(element);
    number
}

/// What the surface of an element's sphere moves with at an arm from its centre; `None` if the matter around it does not tell
/// how it turns.
pub fn turning(model: &Model, state: &State, w: &Workspace, space: &ContactSpace, e: u32, arm: DVec3) -> Option<Seat> {
    let x = |i: u32| state.position.get(i as usize);
    let around: Vec<(u32, DVec3)> = w.topology.neighbours(e).iter().map(|&j| (j, x(j) - x(e))).collect();
    let theta =
        around.iter().fold(DMat3::ZERO, |sum, (_, r)| sum + DMat3::IDENTITY * r.length_squared() - outer(*r, *r));
    let inverse = pseudo_inverse(theta);
    if !(inverse * theta).abs_diff_eq(DMat3::IDENTITY, 1e-6) {
        return None;
    }
    // ω × a = −[a]× Θ⁻¹ Σ [r_j]× (v_j − v_i).
    let share = |r: DVec3| -(cross(arm) * inverse * cross(r));
    let mut rows = Sphere::new(model, e, w.topology.leans(e), &state.position).row(model);
    for (j, r) in &around {
        rows.push((*j, share(*r)));
        rows.push((e, -share(*r)));
    }
    members(state, space, rows)
}

/// The shares of elements as those of what carries them.
pub fn members(state: &State, space: &ContactSpace, rows: Vec<(u32, DMat3)>) -> Option<Seat> {
    let mut seat: Seat = Vec::new();
    for (e, share) in rows {
        let carrier = space.carrier_of(state, e)?;
        let arm = state.aggregates.get(state.owner[e as usize] as usize).and_then(|a| {
            let k = a.elements.binary_search(&e).ok()?;
            Some(a.orientation * a.local[k])
        });
        let arm = arm.unwrap_or(DVec3::ZERO);
        match seat.iter_mut().find(|m| m.carrier == carrier && m.arm == arm) {
            Some(member) => member.share += share,
            None => seat.push(Member { carrier, arm, share }),
        }
    }
    Some(seat)
}

/// `[a]×`, so that `[a]× b = a × b`.
fn cross(a: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, a.z, -a.y), DVec3::new(-a.z, 0.0, a.x), DVec3::new(a.y, -a.x, 0.0))
}
