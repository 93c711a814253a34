//! Bodies that come and go, and materials that change: the model is built anew and the motion carried over.

use crate::session::palette::Wish;
use crate::session::world::World;
use crate::session::{hands, palette};
use kreisel::build::build;
use kreisel::model::seat::Seat;
use kreisel::model::setup::{BodySetup, LoadKind};
use kreisel::model::{
    Aggregate, Contact, FREE, JointState, Model, Origin, Region, Setup, SolverMemory, State, Touched,
};
use kreisel::step::convert;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Elements that a scene may grow to by hand.
const MOST_ELEMENTS: usize = 200_000;
/// What is dropped may shorten the stable step to this share of itself: after ten of them the scene still moves.
const BEARABLE: f64 = 0.95;
/// Where an element of the old model went.
const GONE: u32 = u32::MAX;

/// Adds a body of the palette.
pub fn drop_body(world: &mut World, wish: &Wish) -> Result<(), String> {
    if !((1e-4..=100.0).contains(&wish.size) && wish.at.is_finite()) {
        return Err("a new body must have a size between 0.1 mm and 100 m, and a place".into());
    }
    if world.model.elements.len() > MOST_ELEMENTS {
        return Err(format!("the scene has more than {MOST_ELEMENTS} elements already"));
    }
    let mut setup = setup_of(world, "a body can be dropped")?;
    let mut body = palette::body(world, wish)?;
    body.name = (1..)
        .map(|k| format!("{} {k}", wish.shape))
        .find(|name| setup.bodies.iter().all(|b| b.name != *name))
        .unwrap_or_default();
    setup.bodies.push(body);
    let (before, moment, pending) = (world.plan().stable_step, world.moment(), world.pending.clone());
    with_setup(world, setup.clone(), false)?;
    // Thin and round ones have small masses: how much they shorten the step is known once they are there. Stiffness goes
    // with its square.
    let share = world.plan().stable_step / before;
    if share >= BEARABLE || !share.is_finite() {
        return Ok(());
    }
    world.restore(&moment);
    world.pending = pending;
    setup.bodies.iter_mut().rev().take(1).for_each(|b| b.material.young *= share * share);
    with_setup(world, setup, false)
}

/// Takes a body away.
pub fn delete_body(world: &mut World, body: u32) -> Result<(), String> {
    let mut setup = setup_of(world, "a body can be deleted")?;
    let mut first = 0;
    let found = setup.bodies.iter().position(|b| {
        first += 1 + b.split.len();
        (body as usize) < first
    });
    let number = found.ok_or_else(|| format!("there is no body {body}"))?;
    let parts: usize = setup.bodies[..number].iter().map(|b| 1 + b.split.len()).sum();
    let bodies = parts..parts + 1 + setup.bodies[number].split.len();
    let gone = setup.bodies.remove(number);
    forget_body(&mut setup, &gone);
    let mut next = 0;
    let place = |b: &kreisel::model::BodyId| {
        if bodies.contains(&(b.0 as usize)) {
            return GONE;
        }
        next += 1;
        next - 1
    };
    let map: Vec<u32> = world.model.elements.body.iter().map(place).collect();
    rebuild(world, setup, &map, false)?;
    let now = world.state.time;
    world.state.scheduled = world.model.schedule.iter().filter(|s| s.time <= now).count() as u32;
    Ok(())
}

/// What is about a body goes with it: its fixes, loads, grabs, switches and probes.
fn forget_body(setup: &mut Setup, gone: &BodySetup) {
    let names: Vec<&str> =
        std::iter::once(&gone.name).chain(gone.split.iter().map(|(n, _)| n)).map(String::as_str).collect();
    let stays = |region: &Region| !region.bodies().iter().any(|name| names.contains(name));
    setup.fixes.retain(|f| stays(&f.region));
    setup.loads.retain(|l| match &l.kind {
        LoadKind::Point { region, .. } | LoadKind::Region { region, .. } | LoadKind::Pressure { region, .. } => {
            stays(region)
        }
    });
    setup.grabs.retain(|g| stays(&g.region));
    let other = |name: &str| !names.contains(&name);
    setup.joints.retain(|j| other(&j.a) && j.b.as_deref().is_none_or(other));
    setup.schedule.retain(|s| stays(&s.region));
    setup.probes.retain(|p| stays(&p.region));
    if setup.view.follow.as_deref().is_some_and(|name| names.contains(&name)) {
        setup.view.follow = None;
    }
}

/// Builds the scene with changed materials.
pub fn with_setup(world: &mut World, setup: Setup, masses_change: bool) -> Result<(), String> {
    let same: Vec<u32> = (0..world.model.elements.len() as u32).collect();
    rebuild(world, setup, &same, masses_change)
}

/// The scene that the model follows from.
pub fn setup_of(world: &World, what: &str) -> Result<Setup, String> {
    let setup = world.setup.as_ref();
    let reason = || format!("{what} only before a shape is kept: after that the model does not follow from the scene");
    setup.map(|s| Setup::clone(s)).ok_or_else(reason)
}

/// Builds a setup and carries over where everything is; `map` says where each element went.
fn rebuild(world: &mut World, mut setup: Setup, map: &[u32], masses_change: bool) -> Result<(), String> {
    hands::release_all(world);
    // Where bodies were at the start says nothing about where they are now.
    setup.allow_overlap = true;
    (setup.law, setup.integrator) = (world.model.law, world.model.integrator);
    let (mut model, fresh) = build(&setup).map_err(|e| e.message)?;
    keep_live_settings(&world.model, &mut model, map);
    let carry = Carry { old: &world.model, new: &model, map, masses_change };
    let state = carry.state(&world.state, fresh);
    world.own_grabs = model.grabs.len();
    (world.setup, world.model, world.state) = (Some(Arc::new(setup)), Arc::new(model), state);
    world.version += 1;
    world.rebook(|ledger, gained| ledger.load_work += gained);
    Ok(())
}

/// What was changed in the model alone stays: gravity, drag, contact, obstacles, and what is held.
fn keep_live_settings(old: &Model, new: &mut Model, map: &[u32]) {
    new.gravity = old.gravity;
    new.drag = old.drag;
    new.step = old.step;
    new.contact = old.contact;
    new.constraint = old.constraint;
    new.implicit = old.implicit;
    new.switching = old.switching;
    new.obstacles.clone_from(&old.obstacles);
    // Materials are numbered anew; which is which is known by what is made of them.
    let pairs = map.iter().enumerate().filter(|(_, to)| **to != GONE);
    for (e, &to) in pairs {
        let was = &old.materials[usize::from(old.elements.material[e].0)];
        let is = &mut new.materials[usize::from(new.elements.material[to as usize].0)];
        is.static_friction = was.static_friction;
        is.dynamic_friction = was.dynamic_friction;
        is.restitution = was.restitution;
        is.resistance = was.resistance;
        (is.friction_combine, is.restitution_combine) = (was.friction_combine, was.restitution_combine);
    }
    for joint in &mut new.joints {
        if let Some(was) = old.joints.iter().find(|j| j.name == joint.name) {
            (joint.motor, joint.friction) = (was.motor, was.friction);
        }
    }
    new.motions.clone_from(&old.motions);
    new.fix_names.clone_from(&old.fix_names);
    let moved =
        |h: &kreisel::model::world::Hold| kreisel::model::world::Hold { element: map[h.element as usize], ..h.clone() };
    new.holds = old.holds.iter().map(moved).filter(|h| h.element != GONE).collect();
}

/// From one model to another.
struct Carry<'a> {
    old: &'a Model,
    new: &'a Model,
    map: &'a [u32],
    masses_change: bool,
}

impl Carry<'_> {
    fn state(&self, old: &State, fresh: State) -> State {
        let known = self.known();
        let mut state = State {
            time: old.time,
            steps: old.steps,
            frames: old.frames,
            scheduled: old.scheduled,
            epoch: old.epoch + 1,
            gripped: old.gripped,
            solver: SolverMemory::default(),
            ledger: old.ledger,
            owner: vec![FREE; fresh.owner.len()],
            calm: fresh.calm.clone(),
            broken: self.broken(old),
            contacts: self.contacts(old),
            position: fresh.position.clone(),
            velocity: fresh.velocity.clone(),
            joints: self.joints(old, fresh.joints.clone()),
            // Whatever else there is (contacts of exact shapes, by numbers that have changed) is found anew.
            ..State::default()
        };
        self.each(|e, to| {
            state.position.set(to, old.position.get(e));
            state.velocity.set(to, old.velocity.get(e));
            if let (Some(calm), Some(was)) = (state.calm.get_mut(to), old.calm.get(e)) {
                *calm = *was;
            }
        });
        for aggregate in old.aggregates.iter().filter(|a| self.map[a.elements[0] as usize] != GONE) {
            let aggregate = self.aggregate(aggregate, &state);
            convert::adopt(&mut state, aggregate);
        }
        for aggregate in fresh.aggregates.into_iter().filter(|a| !known[a.elements[0] as usize]) {
            convert::adopt(&mut state, aggregate);
        }
        state
    }

    fn each(&self, mut put: impl FnMut(usize, usize)) {
        self.map.iter().enumerate().filter(|(_, to)| **to != GONE).for_each(|(e, &to)| put(e, to as usize));
    }

    /// True for the elements of the new model that the old one had.
    fn known(&self) -> Vec<bool> {
        let mut known = vec![false; self.new.elements.len()];
        self.each(|_, to| known[to] = true);
        known
    }

    fn aggregate(&self, old: &Aggregate, state: &State) -> Aggregate {
        let elements: Vec<u32> = old.elements.iter().map(|&e| self.map[e as usize]).collect();
        let is_given = old.origin == Origin::Lone || old.given_inertia;
        if self.masses_change && !is_given {
            return convert::gather_aggregate(self.new, state, &elements, old.origin);
        }
        // One that is denser as a whole turns as before.
        let mass = |model: &Model, all: &[u32]| all.iter().map(|&e| model.elements.mass[e as usize]).sum::<f64>();
        let denser = if self.masses_change { mass(self.new, &elements) / mass(self.old, &old.elements) } else { 1.0 };
        Aggregate {
            elements,
            mass: old.mass * denser,
            inertia: old.inertia * denser,
            angular_momentum: old.angular_momentum * denser,
            ..old.clone()
        }
    }

    /// What joints remember, by their names.
    fn joints(&self, old: &State, mut fresh: Vec<JointState>) -> Vec<JointState> {
        for (joint, state) in self.new.joints.iter().zip(&mut fresh) {
            let was = self.old.joints.iter().position(|j| j.name == joint.name);
            if let Some(memory) = was.and_then(|k| old.joints.get(k)) {
                state.clone_from(memory);
                state.seats = self.seats(memory);
            }
        }
        fresh
    }

    /// Where a joint rides since elements became rigid or soft; as it is made anew if some of them are gone.
    fn seats(&self, memory: &JointState) -> Vec<Seat> {
        let mut seats = memory.seats.clone();
        let mut is_whole = true;
        for e in seats.iter_mut().flat_map(|seat| &mut seat.sides).filter_map(|side| side.element.as_mut()) {
            *e = self.map[*e as usize];
            is_whole &= *e != GONE;
        }
        if is_whole { seats } else { Vec::new() }
    }

    /// Broken connections by their ends: they are numbered anew.
    fn broken(&self, old: &State) -> Vec<u32> {
        if old.broken.is_empty() {
            return Vec::new();
        }
        let numbers: BTreeMap<[u32; 2], u32> =
            (0..).zip(&self.new.connections.ends).map(|(c, &ends)| (ends, c)).collect();
        let ends = |&c: &u32| self.old.connections.ends[c as usize].map(|e| self.map[e as usize]);
        let mut broken: Vec<u32> = old.broken.iter().map(ends).filter_map(|e| numbers.get(&e).copied()).collect();
        broken.sort_unstable();
        broken
    }

    fn contacts(&self, old: &State) -> Vec<Contact> {
        let skin = |s: u32| {
            let body = &self.old.skins.get(s as usize)?.bindings.elements;
            let to = self.map[*body.first()? as usize];
            let there = |s: &kreisel::model::Skin| s.bindings.elements.first() == Some(&to);
            self.new.skins.iter().position(there).map(|s| Touched::Skin(s as u32))
        };
        let other = |touched: Touched| match touched {
            Touched::Element(e) => Some(self.map[e as usize]).filter(|&e| e != GONE).map(Touched::Element),
            Touched::Skin(s) => skin(s),
            Touched::Obstacle(o) => Some(Touched::Obstacle(o)),
        };
        let moved = |c: &Contact| {
            let element = Some(self.map[c.element as usize]).filter(|&e| e != GONE)?;
            Some(Contact { element, other: other(c.other)?, ..*c })
        };
        let mut contacts: Vec<Contact> = old.contacts.iter().filter_map(moved).collect();
        contacts.sort_by_key(|c| (c.element, c.other));
        contacts
    }
}
