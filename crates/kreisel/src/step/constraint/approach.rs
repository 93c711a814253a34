//! How hard two met who begin to touch: `½ m u²`, with the speed `u` at which they would go on into each other without the impulses
//! between them, and the mass `m` that a push along their normal feels, both where these impulses act on average.

use crate::contact::constraint::carriers::{Member, mobility};
use crate::model::{ShapeContact, State};
use crate::step::constraint::sleep::carriers;
use crate::step::constraint::space::ContactSpace;
use glamx::DVec3;

/// The energy of the approach that the impulses of some contacts of one pair have ended [J]; of bodies of elements, that of the first two
/// elements.
pub fn energy<'a>(state: &State, space: &ContactSpace, contacts: impl Iterator<Item = &'a ShapeContact>) -> f64 {
    let mut contacts = contacts.peekable();
    let Some(ends) = contacts.peek().and_then(|c| carriers(space, c)) else { return 0.0 };
    let Push { impulse, normal, point } = Push::of(contacts.filter(|c| carriers(space, c) == Some(ends)));
    let Some(normal) = normal.try_normalize() else { return 0.0 };
    let [a, b] = ends.map(|k| space.carriers.parts(k, point - space.carriers[k as usize].position));
    let weigh = |side: &[Member]| mobility(side, side, &space.carriers);
    let given = (weigh(&a) + weigh(&b)) * impulse;
    let feels = normal.dot((weigh(&a) + weigh(&b)) * normal);
    let speed = normal.dot(velocity(state, space, &a) - velocity(state, space, &b) - given);
    if feels > 0.0 { 0.5 * speed.min(0.0).powi(2) / feels } else { 0.0 }
}

/// What contacts do together: impulse on the first [N s], the sum of their normals weighted by what they bear [N s], and the mean of their
/// places so weighted [m].
struct Push {
    impulse: DVec3,
    normal: DVec3,
    point: DVec3,
}

impl Push {
    fn of<'a>(contacts: impl Iterator<Item = &'a ShapeContact>) -> Self {
        let (mut total, mut sum) = (0.0, Self { impulse: DVec3::ZERO, normal: DVec3::ZERO, point: DVec3::ZERO });
        for c in contacts {
            let weight = c.impulse.dot(c.normal);
            total += weight;
            sum.impulse += c.impulse;
            sum.normal += c.normal * weight;
            sum.point += c.point * weight;
        }
        Self { point: sum.point / total, ..sum }
    }
}

/// How a side moves at the moment [m/s]: bodies as the state has them.
fn velocity(state: &State, space: &ContactSpace, side: &[Member]) -> DVec3 {
    let of = |m: &Member| {
        let mut carrier = space.carriers[m.carrier as usize];
        if let Some(a) = state.aggregates.get(m.carrier as usize) {
            (carrier.velocity, carrier.spin) = (a.velocity, a.spin());
        }
        m.share * carrier.velocity_at(m.arm)
    };
    side.iter().map(of).sum()
}
