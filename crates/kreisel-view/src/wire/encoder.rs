//! From a moment to sections: what has changed is encoded once, what has not is handed on.

use crate::session::touching::Touching;
use crate::wire::scalars::{self, Scalars};
use crate::wire::{Section, Tag, form, wants};
use kreisel::linear::Vectors;
use kreisel::model::{FREE, Model, State};
use kreisel::readout::contact::Grip;
use kreisel::readout::region::whole;
use kreisel::{DQuat, DVec3};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A moment as it is shown, from a simulation or a recording.
#[derive(Debug)]
pub struct Shown<'a> {
    /// The model.
    pub model: &'a Model,
    /// Differs whenever the model does.
    pub model_version: u64,
    /// Time [s].
    pub time: f64,
    /// Number of the frame.
    pub frame: u64,
    /// Counts jumps in time: motion is not interpolated over one.
    pub jumps: u64,
    /// Where elements are [m]; those of quasi-static bodies where their deformation takes them.
    pub position: &'a Vectors,
    /// How they move [m/s].
    pub velocity: &'a Vectors,
    /// Who carries them.
    pub owner: &'a [u32],
    /// Places and orientations of aggregates.
    pub poses: Vec<(DVec3, DQuat)>,
    /// Broken connections, ascending.
    pub broken: &'a [u32],
    /// Joints that have broken, ascending.
    pub parted: Vec<u32>,
    /// Counts changes of who carries what.
    pub epoch: u64,
    /// Contacts, if anyone wants them.
    pub contacts: &'a [Touching],
    /// The state, if it is that of a simulation.
    pub state: Option<&'a State>,
}

impl Shown<'_> {
    /// True if the place of an element is sent as such: it is free, or carried by a body that shows how it bends.
    pub fn is_placed(&self, e: usize) -> bool {
        self.owner[e] == FREE || self.bends(e)
    }

    /// True if an element is carried by a rigid body whose deformation is solved for.
    pub fn bends(&self, e: usize) -> bool {
        let body = self.model.elements.body[e].0 as usize;
        self.owner[e] != FREE && self.model.bodies[body].quasi_static
    }
}

/// Who was joined to what when it was last encoded.
#[derive(Debug)]
struct Joined {
    model: u64,
    epoch: u64,
    owner: Vec<u32>,
    broken: Vec<u32>,
    parted: Vec<u32>,
}

/// Keeps what was encoded.
#[derive(Debug, Default)]
pub struct Encoder {
    sections: BTreeMap<Tag, Section>,
    model: Option<u64>,
    skins: Option<(u64, Vec<u32>)>,
    topology: Option<Joined>,
    moment: Option<(u64, u64, u64)>,
    scalars: Scalars,
    version: u64,
}

impl Encoder {
    /// Encodes a moment for those who want it.
    pub fn encode(&mut self, shown: &Shown, wanted: u32) -> Vec<Section> {
        self.encode_form(shown);
        let moment = (shown.model_version, shown.frame, shown.jumps << 32 ^ shown.epoch);
        let moved = self.moment != Some(moment);
        self.moment = Some(moment);
        if moved {
            self.put(Tag::Motion, 0, motion(shown));
        }
        self.encode_wanted(shown, wanted, moved);
        self.sections.values().cloned().collect()
    }

    fn encode_form(&mut self, shown: &Shown) {
        let version = shown.model_version;
        if self.model != Some(version) {
            self.model = Some(version);
            self.topology = None;
            self.moment = None;
            self.put(Tag::Model, 0, form::model(shown.model));
        }
        let known = self.skins.as_ref().is_some_and(|(v, broken)| *v == version && broken == shown.broken);
        if !known {
            self.skins = Some((version, shown.broken.to_vec()));
            self.sections.remove(&Tag::Island);
            self.put(Tag::Skins, 0, form::skins(shown.model, shown.broken));
        }
        let same = |joined: &Joined| {
            (joined.model, joined.epoch) == (version, shown.epoch)
                && joined.owner == shown.owner
                && joined.broken == shown.broken
                && joined.parted == shown.parted
        };
        if !self.topology.as_ref().is_some_and(same) {
            self.topology = Some(Joined {
                model: version,
                epoch: shown.epoch,
                owner: shown.owner.to_vec(),
                broken: shown.broken.to_vec(),
                parted: shown.parted.clone(),
            });
            self.moment = None;
            self.put(Tag::Topology, 0, form::topology(shown));
        }
    }

    fn encode_wanted(&mut self, shown: &Shown, wanted: u32, moved: bool) {
        let all = [
            (wants::CONTACTS, Tag::Contacts),
            (wants::VELOCITIES, Tag::Velocities),
            (wants::BODIES, Tag::Bodies),
            (wants::SPEED, Tag::Speed),
            (wants::STRAIN, Tag::Strain),
            (wants::STRESS, Tag::Stress),
            (wants::ISLAND, Tag::Island),
            (wants::LAW, Tag::Law),
        ];
        for (bit, tag) in all {
            if wanted & bit == 0 {
                self.sections.remove(&tag);
            } else if (moved && tag != Tag::Island) || !self.sections.contains_key(&tag) {
                let bytes = self.make(tag, shown);
                self.put(tag, bit, bytes);
            }
        }
    }

    fn make(&mut self, tag: Tag, shown: &Shown) -> Vec<u8> {
        let (model, x) = (shown.model, shown.position);
        match tag {
            Tag::Contacts => floats(shown.contacts.iter().flat_map(contact)),
            Tag::Velocities => floats((0..x.len()).flat_map(|e| single(shown.velocity.get(e)))),
            Tag::Bodies => floats(bodies(shown).into_iter()),
            Tag::Speed => floats(scalars::speed(shown.velocity).into_iter()),
            Tag::Strain => floats(scalars::strain(model, x, shown.broken).into_iter()),
            Tag::Stress => {
                let stress = self.scalars.stress(model, shown.model_version, x, shown.broken);
                floats(stress.into_iter())
            }
            Tag::Island => floats(scalars::islands(model, shown.broken).into_iter()),
            _ => floats(shown.state.map_or_else(|| vec![0.0; x.len()], |s| scalars::laws(model, s)).into_iter()),
        }
    }

    /// Puts a section in place of the one before.
    pub fn put(&mut self, tag: Tag, wanted: u32, bytes: Vec<u8>) {
        self.version += 1;
        self.sections.insert(tag, Section { tag, version: self.version, wanted, bytes: Arc::from(bytes) });
    }
}

/// Time (f64), frame and jumps (u32 each), elements that are free or bend (3 f32 each), aggregates (place and orientation, 7 f32 each).
fn motion(shown: &Shown) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(16 + 12 * shown.owner.len() + 28 * shown.poses.len());
    bytes.extend(shown.time.to_le_bytes());
    bytes.extend((shown.frame as u32).to_le_bytes());
    bytes.extend((shown.jumps as u32).to_le_bytes());
    let (x, y, z) = (&shown.position.x, &shown.position.y, &shown.position.z);
    for e in (0..shown.owner.len()).filter(|&e| shown.is_placed(e)) {
        for a in [x[e], y[e], z[e]] {
            bytes.extend((a as f32).to_le_bytes());
        }
    }
    for (p, q) in &shown.poses {
        let numbers = single(*p).into_iter().chain(q.to_array().map(|a| a as f32));
        numbers.for_each(|a| bytes.extend(a.to_le_bytes()));
    }
    bytes
}

/// Per body: centre, velocity, spin, moments of inertia xx yy zz yz xz xy, mass, lower and upper corner: 22 numbers.
fn bodies(shown: &Shown) -> Vec<f32> {
    let state = State {
        position: shown.position.clone(),
        velocity: shown.velocity.clone(),
        owner: vec![FREE; shown.owner.len()],
        ..State::default()
    };
    let mut out = Vec::new();
    for body in &shown.model.bodies {
        let all = whole(shown.model, &state, &body.elements);
        let i = all.inertia;
        for vector in [all.centre, all.velocity, all.spin()] {
            out.extend(single(vector));
        }
        out.extend(
            [i.x_axis.x, i.y_axis.y, i.z_axis.z, i.z_axis.y, i.z_axis.x, i.y_axis.x, all.mass].map(|a| a as f32),
        );
        let none = (DVec3::splat(f64::INFINITY), DVec3::splat(f64::NEG_INFINITY));
        let around = |(low, high): (DVec3, DVec3), &e: &u32| {
            let (x, r) = (shown.position.get(e as usize), shown.model.elements.radius[e as usize]);
            (low.min(x - r), high.max(x + r))
        };
        let (low, high) = body.elements.iter().fold(none, around);
        out.extend(single(low));
        out.extend(single(high));
    }
    out
}

/// Point, force, normal, slip, step, and what it does (0: touches, 1: sticks, 2: slides, 3: not known): 14 numbers.
fn contact(c: &Touching) -> impl Iterator<Item = f32> {
    let grip = match c.grip {
        Some(Grip::Separate) => 0.0,
        Some(Grip::Stick) => 1.0,
        Some(Grip::Slip) => 2.0,
        None => 3.0,
    };
    [c.point, c.force, c.normal, c.slip].into_iter().flat_map(single).chain([c.step as f32, grip])
}

fn single(a: DVec3) -> [f32; 3] {
    a.as_vec3().to_array()
}

fn floats(values: impl Iterator<Item = f32>) -> Vec<u8> {
    values.flat_map(f32::to_le_bytes).collect()
}
