//! Points of pressed contacts are stopped by impulses within the friction law.

use crate::contact::constraint::carriers::{Carrier, Carriers};
use crate::contact::constraint::row::{Mode, Row};
use crate::contact::constraint::twist::{Held, Twist};
use crate::contact::constraint::twisted;
use crate::model::{Model, ShapeContact};
use crate::step::constraint::landing::{Key, key};
use crate::step::constraint::project::still::{self, Sweeps, is_plausible, until_still};
use crate::step::constraint::rubbing;
use crate::step::constraint::space::{ContactSpace, Found};
use crate::step::workspace::Workspace;
use glamx::DVec3;

/// Contacts whose points are being stopped.
struct Stopping<'a> {
    rows: Vec<Row>,
    twists: Vec<Twist>,
    /// What their couples held in the step.
    held: Vec<Held>,
    /// Normal impulses of the step, which may be taken back and no more [N s].
    pushed: Vec<f64>,
    /// Those whose velocities change, and how they move without the impulses.
    movers: Vec<u32>,
    free: Vec<Carrier>,
    /// How far the points that push them are from their centres [m].
    reaches: Vec<f64>,
    /// The fastest of the points [m/s].
    fastest: f64,
    carriers: &'a mut Carriers,
}

/// Sticking points stop, sliding ones stop along the normal with friction in its proportion. Rows and twists of the space are what
/// did so.
pub fn stop(model: &Model, w: &Workspace, space: &mut ContactSpace, pressed: &[(Key, Mode)], kept: &[ShapeContact]) {
    let mut rows: Vec<Row> = Vec::new();
    for (k, f) in space.found.iter().enumerate() {
        let c = space.coefficients(model, w, f.first, f.second);
        let mut row = Row::new(&rubbing::meeting(space, k, c.dynamic_friction), &space.carriers, DVec3::ZERO);
        row.mode = pressed.iter().find(|p| p.0 == key(f)).map_or(Mode::Separate, |p| p.1);
        rows.push(row);
    }
    let resistances = space.found.iter().map(|f| space.resistance(model, f.first, f.second));
    let twists = twisted::make(&rows, resistances, &space.carriers);
    let held: Vec<Held> = twists.iter().map(|t| held_before(t, &space.found[t.row as usize], kept)).collect();
    let pushed: Vec<f64> = space.found.iter().map(|f| pushed_before(f, kept)).collect();
    let scale = rows.iter().map(|r| r.velocity(&space.carriers).abs().max_element()).fold(0.0, f64::max);
    let size = space.found.iter().map(|f| faster(space, f)).fold(0.0, f64::max);
    let movers = still::pushed(&rows, &space.carriers);
    let free = movers.iter().map(|&k| space.carriers[k as usize]).collect();
    let (reaches, fastest) = (still::reaches(space, &movers), scale);
    let carriers = &mut space.carriers;
    let mut stopping = Stopping { rows, twists, held, pushed, movers, free, reaches, fastest, carriers };
    until_still(&mut stopping, scale, size);
    (space.rows, space.twists) = (stopping.rows, stopping.twists);
}

impl Stopping<'_> {
    /// Puts a contact right; by how much it was wrong [m/s].
    fn put_right(&mut self, k: usize) -> f64 {
        let number = self.twists.binary_search_by_key(&(k as u32), |t| t.row).ok();
        let (row, carriers) = (&mut self.rows[k], &mut *self.carriers);
        let twist = number.map(|t| (&mut self.twists[t], self.held[t]));
        let (p, m) = match &twist {
            None => (remedy(row, row.velocity(carriers)), DVec3::ZERO),
            Some((twist, held)) => twisted_remedy(row, twist, *held, carriers),
        };
        if row.impulse.x + p.x < -self.pushed[k] {
            return 0.0;
        }
        row.push(p, carriers);
        row.impulse += p;
        let wrong = (row.block() * p).abs().max_element();
        let Some((twist, _)) = twist else { return wrong };
        twist.push(m, carriers);
        twist.impulse += m;
        wrong.max(twist.speed(m))
    }
}

impl Stopping<'_> {
    /// True if nobody is faster than stopping accounts for.
    fn is_near(&self) -> bool {
        self.movers.iter().zip(&self.free).zip(&self.reaches).all(|((&k, free), &reach)| {
            let c = &self.carriers[k as usize];
            is_plausible((c.velocity - free.velocity, c.spin - free.spin), reach, self.fastest)
        })
    }
}

impl Sweeps for Stopping<'_> {
    fn sweep(&mut self) -> f64 {
        (0..self.rows.len()).fold(0.0, |worst: f64, k| worst.max(self.put_right(k)))
    }

    fn motion(&self) -> (Vec<f64>, usize) {
        let mut motion = still::velocities(self.carriers, &self.movers);
        let telling = motion.len();
        let (rows, twists) = (self.rows.iter().map(|r| r.impulse), self.twists.iter().map(|t| t.impulse));
        motion.extend(rows.chain(twists).flat_map(|p| p.to_array()));
        (motion, telling)
    }

    /// Impulses reach the bodies, velocities only follow: what combining sweeps loses of the one and not of the other would be told as
    /// stopped and fly away.
    fn set(&mut self, motion: &[f64]) -> bool {
        let carriers = &mut *self.carriers;
        self.movers.iter().zip(&self.free).for_each(|(&k, free)| carriers[k as usize] = *free);
        let mut impulses = motion[6 * self.movers.len()..].chunks_exact(3).map(DVec3::from_slice);
        for (row, p) in self.rows.iter_mut().zip(impulses.by_ref()) {
            row.impulse = p;
            row.push(p, carriers);
        }
        for (twist, m) in self.twists.iter_mut().zip(impulses) {
            twist.impulse = m;
            twist.push(m, carriers);
        }
        self.is_near() && self.rows.iter().zip(&self.pushed).all(|(row, &pushed)| row.impulse.x >= -pushed)
    }
}

/// The faster of the points that touch [m/s].
fn faster(space: &ContactSpace, f: &Found) -> f64 {
    let speed = |k: u32| {
        let arm = space.point(f) - space.carriers[k as usize].position;
        space.carriers.point_velocity(k, arm).abs().max_element()
    };
    space.sides(f).map(speed).into_iter().fold(0.0, f64::max)
}

/// Normal impulse of a contact in the step [N s].
fn pushed_before(f: &Found, kept: &[ShapeContact]) -> f64 {
    kept.iter().find(|c| (c.first, c.second, c.feature) == key(f)).map_or(0.0, |c| c.impulse.dot(c.normal))
}

/// As [`remedy`], with the couples that go with the push.
fn twisted_remedy(row: &Row, twist: &Twist, held: Held, carriers: &Carriers) -> (DVec3, DVec3) {
    let (push, couple) = twist.shares(row, held, carriers);
    let stop = twist.stop(held, carriers);
    if row.mode == Mode::Stick {
        let p = remedy(row, row.velocity(carriers));
        return (p, couple * p.x + stop);
    }
    let response = (row.block() * push).x + twist.lifts(row, couple, carriers);
    let size = if response > 0.0 { -row.velocity(carriers).x / response } else { 0.0 };
    (push * size, couple * size + stop)
}

/// What a contact's couples held in the step.
fn held_before(twist: &Twist, f: &Found, kept: &[ShapeContact]) -> Held {
    let contact = kept.iter().find(|c| (c.first, c.second, c.feature) == key(f));
    contact.map_or(Held::default(), |c| twist.held(c.torque, c.impulse.dot(c.normal), c.slipping))
}

/// The impulse that stops a contact in its own block.
fn remedy(row: &Row, u: DVec3) -> DVec3 {
    if row.mode == Mode::Stick {
        return -(row.inverse() * u);
    }
    let slip = u.y.hypot(u.z);
    let direction = if slip > 0.0 { DVec3::new(0.0, u.y, u.z) / slip } else { DVec3::ZERO };
    let push = DVec3::X - direction * row.friction;
    let response = (row.block() * push).x;
    if response > 0.0 { push * (-u.x / response) } else { DVec3::ZERO }
}
