//! Contacts that bounce in a first-order step, each met when it strikes.
//!
//! Of a body that nothing holds, the step knows where it flies: when it strikes, with which normal, and where it is at the end
//! ([`Approach::course`]). The law then asks for the velocity at the end, `u⁺ ≥ u_end`, with the arms of the moment of the
//! blow, and [`flight`](super::flight) lets the impulse act from then on: `x⁺ = x + ½ h (v + v*) + (h − t) M⁻¹ Jᵀ p`. Two
//! bodies that meet in flight keep their angular momentum to rounding, because both arms reach to one point.
//!
//! How fast a body falls that lies on something is told by what it bore in the step before. What it bears beyond that answers
//! the blow, and acts when it does. Bodies with joints that bounce take second-order steps
//! ([`joints`](super::joints)); where they cannot, they move as the law of the end of the step wants it, and are met where the step
//! begins.

use crate::collide::shapes::{Pose, Touch, touch_soon};
use crate::contact::constraint::carriers::{Carrier, Carriers};
use crate::model::setup::RestitutionLaw;
use crate::model::{Model, State};
use crate::step::constraint::bounce::{Approach, Bounce, Course, Least};
use crate::step::constraint::rest;
use crate::step::constraint::space::{ContactSpace, Found};
use crate::step::workspace::Workspace;
use glamx::{DQuat, DVec3};

/// Contacts that move slower than this share of what gravity gives in a step rest if they bore something before [1].
const SLOW: f64 = 0.1;
/// A blow is found when the gap is below this share of what counts as none [1].
const FOUND: f64 = 1e-3;
/// What rests and rubs changes its velocity by no more than this multiple of what free motion does [1].
const MORE: f64 = 2.0;
/// Looks at a pair until it is known when it strikes, at most.
const MOST_LOOKS: u32 = 6;

/// A contact of two rigid bodies that may bounce, and what becomes of it.
#[derive(Clone, Copy, Debug)]
pub struct Blow {
    /// Its number among those found.
    pub contact: u32,
    /// Its normal motion.
    approach: Approach,
    /// What becomes of it.
    course: Course,
    /// True if it strikes bodies that no joint holds: it acts when it does, not when the step begins.
    in_flight: bool,
    /// How far the centres of both have come when it acts [m]; zero for what no push can move.
    pub leads: [DVec3; 2],
}

impl Blow {
    /// What the law asks for: what is added to the normal velocity [m/s], and the share of the impulse that comes back in a
    /// phase of its own [1]. None where the contact rests: it is like any other then.
    pub fn terms(&self, law: RestitutionLaw) -> Option<(f64, f64)> {
        let Approach { gap, before, free, h } = self.approach;
        // What acts where the step begins leads to where the velocity at the end does, and must not lead into the other.
        let most = if self.in_flight { f64::INFINITY } else { gap.max(0.0) / h };
        match (self.course, law) {
            (Course::Rests, _) => None,
            // On a parabola it does not strike; it is a contact only if somebody pushes it.
            (Course::Misses, _) => Some(((gap / h - 0.5 * (free - before)).max(-free), 0.0)),
            (Course::Bounces(b), RestitutionLaw::Newton) => Some(((-b.velocity).min(most), 0.0)),
            (Course::Bounces(b), RestitutionLaw::Poisson) => {
                Some(((-b.dead(&self.approach)).min(most), b.share(&self.approach)))
            }
        }
    }

    /// From when on its impulse acts [s].
    pub fn delay(&self) -> f64 {
        match self.course {
            Course::Bounces(b) if self.in_flight => b.delay(&self.approach),
            _ => 0.0,
        }
    }

    /// If it is open: from when on its impulse acts [s], on average over the step where it would miss.
    pub fn open_from(&self) -> Option<f64> {
        match self.course {
            Course::Rests => None,
            Course::Misses => Some(0.5 * self.approach.h),
            Course::Bounces(_) => Some(self.delay()),
        }
    }

    /// True if it is open, and acts when it strikes.
    pub fn is_in_flight(&self) -> bool {
        self.in_flight && self.is_open()
    }

    /// How fast it strikes, if it bounces [m/s].
    pub fn speed(&self) -> Option<f64> {
        match self.course {
            Course::Bounces(bounce) => Some(bounce.speed),
            Course::Misses | Course::Rests => None,
        }
    }

    /// The gap when the step begins, along the normal of the moment when it strikes [m].
    pub fn gap(&self) -> f64 {
        self.approach.gap
    }

    /// True if it does not come to rest.
    pub fn is_open(&self) -> bool {
        self.course != Course::Rests
    }
}

/// What the law asks for, as [`Blow::terms`] does, of a contact that is met where the step begins: with its gap [m], its normal
/// velocities before the step and at its end without contact [m/s], and the size of the step [s].
pub fn at_once((gap, before, free, h): (f64, f64, f64, f64), e: f64, law: RestitutionLaw) -> Option<(f64, f64)> {
    let strikes = before < 0.0 && free < 0.0 && gap + h * free <= 0.0;
    strikes.then(|| match law {
        RestitutionLaw::Newton => (e * before, 0.0),
        RestitutionLaw::Poisson => (0.0, e * before / free),
    })
}

/// The blow of a contact, if it may be one.
pub fn of(blows: &[Blow], contact: u32) -> Option<&Blow> {
    blows.binary_search_by_key(&contact, |b| b.contact).ok().map(|k| &blows[k])
}

/// The contact knows now where it strikes. Whoever finds it where it was must look again.
fn strike(space: &mut ContactSpace, k: u32, met: Touch) {
    let f = &mut space.found[k as usize];
    f.touch = Touch { gap: f.touch.gap, feature: f.touch.feature, ..met };
    for k in [f.first, f.second] {
        space.last.reach[k as usize] = f64::NAN;
    }
}

/// True if anything may bounce.
pub fn bounces(model: &Model) -> bool {
    let of_world = model.obstacles.iter().filter_map(|o| o.restitution);
    model.materials.iter().map(|m| m.restitution).chain(of_world).any(|e| e > 0.0)
}

/// No blows are known yet.
pub fn forget(space: &mut ContactSpace) {
    space.blows.clear();
    space.borne.clear();
    space.loose.clear();
}

/// Finds all blows of a step of size `h`; `before` has the velocities before it. Normals and points of those that strike are
/// those of the moment when they do.
pub fn find(model: &Model, state: &State, w: &Workspace, space: &mut ContactSpace, before: &Carriers, h: f64) {
    if !bounces(model) || space.found.is_empty() {
        return;
    }
    space.loose = loose(state, space);
    space.borne = borne(model, state, space, before, h);
    let all: Vec<u32> = (0..space.found.len() as u32).collect();
    meet_some(model, w, space, &all, before, h);
}

/// Contacts have been added to those found: `number` has the new numbers of the old ones; the `added` ones may bounce, too.
pub fn go_on(
    model: &Model,
    w: &Workspace,
    space: &mut ContactSpace,
    (number, added): (&[u32], &[u32]),
    before: &Carriers,
    h: f64,
) {
    space.blows.iter_mut().for_each(|blow| blow.contact = number[blow.contact as usize]);
    space.borne.iter_mut().for_each(|borne| borne.0 = number[borne.0 as usize]);
    if !space.loose.is_empty() {
        meet_some(model, w, space, added, before, h);
        space.blows.sort_by_key(|blow| blow.contact);
    }
}

/// Finds the blows among some contacts.
fn meet_some(model: &Model, w: &Workspace, space: &mut ContactSpace, some: &[u32], before: &Carriers, h: f64) {
    let way = Way { model, before, after: held_up(space, before), h };
    let mut blows = std::mem::take(&mut space.blows);
    for &k in some {
        let (e, pair) = (restitution(model, w, space, k), pair(space, k));
        let bounces = e > 0.0 && borne_by(&space.borne, k).is_none() && !space.is_on_skin(&space.found[k as usize]);
        if bounces && pair.iter().all(|&c| space.is_rigid(c)) {
            let blow = way.meet(space, k, e);
            blows.push(blow);
        }
    }
    space.blows = blows;
}

/// The chosen blows act where the step begins, not when they strike; those that would miss, or that are not to `bounce`, are
/// contacts like any other.
pub fn meet_at_once(
    model: &Model,
    w: &Workspace,
    space: &mut ContactSpace,
    (chosen, bounce): (&dyn Fn(&Found) -> bool, bool),
    before: &Carriers,
    h: f64,
) {
    let way = Way { model, before, after: held_up(space, before), h };
    let mut blows = std::mem::take(&mut space.blows);
    blows.retain_mut(|blow| {
        let k = blow.contact as usize;
        if !chosen(&space.found[k]) {
            return true;
        }
        if let Some(touch) = way.look(space, &space.found[k], 0.0) {
            space.found[k].touch = touch;
        }
        let e = restitution(model, w, space, blow.contact);
        *blow = way.meet_now(space, blow.contact, e);
        bounce && matches!(blow.course, Course::Bounces(_))
    });
    space.blows = blows;
}

fn pair(space: &ContactSpace, k: u32) -> [u32; 2] {
    let f = &space.found[k as usize];
    [f.first, f.second].map(|k| space.carrier[k as usize])
}

fn restitution(model: &Model, w: &Workspace, space: &ContactSpace, k: u32) -> f64 {
    let f = &space.found[k as usize];
    space.coefficients(model, w, f.first, f.second).restitution
}

/// Rigid bodies that can be moved and that no joint holds and no spring.
fn loose(state: &State, space: &ContactSpace) -> Vec<bool> {
    let mut loose: Vec<bool> = space.carriers.iter().map(Carrier::is_movable).collect();
    loose[state.aggregates.len()..].fill(false);
    space.joints.pairs().flat_map(|(a, b)| [a, b]).for_each(|c| loose[c as usize] = false);
    space.sprung.iter().for_each(|&c| loose[c as usize] = false);
    loose
}

/// Contacts that rest, ascending, and the impulse that they bear in a step as before: closed, slow, and bearing something.
fn borne(model: &Model, state: &State, space: &ContactSpace, before: &Carriers, h: f64) -> Vec<(u32, DVec3)> {
    let slow = SLOW * model.gravity.length() * h;
    let mut known = state.shape_contacts.iter().peekable();
    let rests = |(k, f): (u32, &Found)| {
        let key = (f.first, f.second, f.touch.feature);
        while known.next_if(|c| (c.first, c.second, c.feature) < key).is_some() {}
        let last = known.peek().filter(|c| (c.first, c.second, c.feature) == key)?;
        let [a, b] = space.sides(f);
        let speed = f.touch.normal.dot(before.relative_velocity((a, b), space.point(f)));
        let rests = last.impulse != DVec3::ZERO && f.touch.gap <= space.slack && speed.abs() <= slow;
        rests.then_some((k, last.impulse * (h / last.step)))
    };
    (0..).zip(&space.found).filter_map(rests).collect()
}

/// What a contact bears, if it rests [N s].
pub fn borne_by(borne: &[(u32, DVec3)], contact: u32) -> Option<DVec3> {
    borne.binary_search_by_key(&contact, |b| b.0).ok().map(|k| borne[k].1)
}

/// The bodies at the end of the step as they would be without blows: what rests is held as it was in the step before. Where that
/// would change a motion by more than freedom does, what held it then does so no longer, and nobody knows what it bears.
fn held_up(space: &ContactSpace, before: &Carriers) -> Carriers {
    let mut held = space.carriers.clone();
    for &(k, p) in &space.borne {
        let point = space.point(&space.found[k as usize]);
        for (c, p) in pair(space, k).into_iter().zip([p, -p]) {
            if space.loose[c as usize] {
                let arm = point - held[c as usize].position;
                held[c as usize].push_at(arm, p);
            }
        }
    }
    for ((held, free), before) in held.iter_mut().zip(space.carriers.iter()).zip(before.iter()) {
        if held.velocity.distance(before.velocity) > MORE * free.velocity.distance(before.velocity) {
            (held.velocity, held.spin) = (free.velocity, free.spin);
        }
    }
    held
}

/// The way of all bodies through a step.
struct Way<'a> {
    model: &'a Model,
    before: &'a Carriers,
    after: Carriers,
    h: f64,
}

impl Way<'_> {
    /// How far a body comes in a time [m].
    fn of(&self, c: u32, t: f64) -> DVec3 {
        let (v, end) = (self.before[c as usize].velocity, self.after[c as usize].velocity);
        v * t + (end - v) * (0.5 * t * t / self.h)
    }

    /// What becomes of a contact. If it strikes bodies that are loose, it is from now on as it is then.
    fn meet(&self, space: &mut ContactSpace, k: u32, e: f64) -> Blow {
        let least = Least { height: space.slack, speed: rest::slow(self.model, self.h) };
        let f = space.found[k as usize];
        let pair = pair(space, k);
        let loose = |c: &u32| space.loose[*c as usize] || !space.carriers[*c as usize].is_movable();
        let mut in_flight = pair.iter().all(loose);
        let first = self.approach(space, &f, &f.touch, 0.0);
        let mut approach = first;
        let mut course = approach.course(e, least);
        let mut met = None;
        for _ in 0..MOST_LOOKS {
            let Course::Bounces(Bounce { at, .. }) = course else { break };
            if !in_flight || at <= 0.0 {
                break;
            }
            // Features that do not meet then are met where the step begins.
            let Some(touch) = self.look(space, &f, at) else {
                in_flight = false;
                break;
            };
            met = Some(touch);
            approach = self.approach(space, &f, &touch, at);
            course = approach.course(e, least);
            if touch.gap.abs() <= FOUND * space.slack {
                break;
            }
        }
        if !in_flight {
            (approach, course) = (first, first.course(e, least));
        } else if course == Course::Misses {
            approach = first;
        }
        let mut blow = Blow { contact: k, approach, course, in_flight, leads: [DVec3::ZERO; 2] };
        if blow.delay() > 0.0 {
            let delay = blow.delay();
            blow.leads = pair.map(|c| if space.loose[c as usize] { self.of(c, delay) } else { DVec3::ZERO });
        }
        if let Some(met) = met.filter(|_| in_flight && matches!(course, Course::Bounces(_))) {
            strike(space, k, met);
        }
        blow
    }

    /// What becomes of a contact that is met where the step begins.
    fn meet_now(&self, space: &ContactSpace, k: u32, e: f64) -> Blow {
        let least = Least { height: space.slack, speed: rest::slow(self.model, self.h) };
        let f = &space.found[k as usize];
        let approach = self.approach(space, f, &f.touch, 0.0);
        Blow { contact: k, approach, course: approach.course(e, least), in_flight: false, leads: [DVec3::ZERO; 2] }
    }

    /// The normal motion of a contact about a time `t`, when it touches so: the gap is that which leads there.
    fn approach(&self, space: &ContactSpace, f: &Found, touch: &Touch, t: f64) -> Approach {
        let pair = [f.first, f.second].map(|k| space.carrier[k as usize]);
        let point = 0.5 * (touch.point_a + touch.point_b);
        let at = |bodies: &Carriers, c: u32| {
            bodies[c as usize].velocity_at(point - self.of(c, t) - bodies[c as usize].position)
        };
        let normal = |bodies: &Carriers| touch.normal.dot(at(bodies, pair[0]) - at(bodies, pair[1]));
        let (before, free) = (normal(self.before), normal(&self.after));
        let fallen = before * t + (free - before) * (0.5 * t * t / self.h);
        Approach { gap: touch.gap - fallen, before, free, h: self.h }
    }

    /// Where the features of a contact are at a time of the step; none if they no longer meet.
    fn look(&self, space: &ContactSpace, f: &Found, t: f64) -> Option<Touch> {
        let pose = |k: u32| {
            let (pose, c) = (&space.poses[k as usize], space.carrier[k as usize]);
            let (centre, turn) =
                (self.before[c as usize].position, DQuat::from_scaled_axis(self.before[c as usize].spin * t));
            let position = centre + self.of(c, t) + turn * (pose.position - centre);
            Pose { position, rotation: (turn * pose.rotation).normalize() }
        };
        let mut touches = Vec::new();
        let (a, b) = (space.shape(self.model, f.first), space.shape(self.model, f.second));
        let margin = space.reach[f.first as usize] + space.reach[f.second as usize];
        touch_soon(a, &pose(f.first), b, &pose(f.second), margin, &mut touches);
        touches.into_iter().find(|t| t.feature == f.touch.feature)
    }
}
