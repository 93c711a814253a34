//! Bodies that move, for the tests of recordings.
#![allow(dead_code, clippy::unwrap_used)]

use kreisel::model::{Aggregate, Contact, Event, EventKind, FREE, Ledger, Origin, State, Touched};
use kreisel::{DMat3, DQuat, DVec3};
use kreisel_record::{ContactForce, FrameInput, Header, Recorder};
use std::path::Path;

/// A generator of random numbers with a fixed seed. xorshift64* [after Mar03]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Between −1 and 1.
    pub fn signed(&mut self) -> f64 {
        self.next() as i64 as f64 / i64::MAX as f64
    }
}

/// A header for `n` elements of one body and two probe columns.
pub fn header(n: usize) -> Header {
    Header {
        scene: "beam".into(),
        scene_text: "title = \"beam\"".into(),
        title: "A beam".into(),
        engine_version: "test".into(),
        frame_interval: 0.01,
        radii: vec![0.05; n],
        bodies: vec![0; n],
        body_names: vec!["beam".into()],
        connections: 3 * n as u64,
        probe_columns: vec!["tip.x".into(), "tip.y".into()],
        ..Header::default()
    }
}

/// A beam of `nx × ny × nz` elements, bent as a standing wave, every element trembling besides.
pub fn beam(size: [usize; 3], frame: u64, tremble: f64) -> State {
    let mut random = Random(0x9E37 + 77 * frame);
    let t = 0.01 * frame as f64;
    let mut state = State { time: t, steps: 40 * frame, frames: frame, ..State::default() };
    for k in 0..size[0] * size[1] * size[2] {
        let at = DVec3::new((k % size[0]) as f64, (k / size[0] % size[1]) as f64, (k / size[0] / size[1]) as f64) * 0.1;
        let shake = DVec3::new(random.signed(), random.signed(), random.signed()) * tremble;
        let bend = DVec3::Z * 0.02 * at.x * at.x;
        state.position.push(at + bend * (5.0 * t).sin() + shake);
        state.velocity.push(bend * 5.0 * (5.0 * t).cos() + 50.0 * shake);
    }
    state.owner = vec![FREE; state.position.len()];
    state.ledger = Ledger { kinetic: 1.0 + t.sin(), turnover: 3.0 * t, momentum: DVec3::X * t, ..Ledger::default() };
    state
}

/// Makes elements of a state one rigid aggregate.
pub fn make_rigid(state: &mut State, elements: std::ops::Range<u32>, spin: DVec3) {
    let number = state.aggregates.len() as u32;
    let centre = elements.clone().map(|e| state.position.get(e as usize)).sum::<DVec3>() / elements.len() as f64;
    let orientation = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 0.3 + state.time);
    let velocity = DVec3::new(0.1, 0.2, -0.4);
    let local: Vec<DVec3> =
        elements.clone().map(|e| orientation.inverse() * (state.position.get(e as usize) - centre)).collect();
    for (e, &s) in elements.clone().zip(&local) {
        state.owner[e as usize] = number;
        state.velocity.set(e as usize, velocity + spin.cross(orientation * s));
    }
    let inertia = DVec3::new(2.0, 3.0, 4.0);
    let r = DMat3::from_quat(orientation);
    state.aggregates.push(Aggregate {
        origin: if local.len() == 1 { Origin::Lone } else { Origin::Requested },
        elements: elements.collect(),
        local,
        mass: 1.0,
        inertia,
        position: centre,
        orientation,
        velocity,
        angular_momentum: r * DMat3::from_diagonal(inertia) * r.transpose() * spin,
        given_inertia: false,
    });
    state.epoch += 1;
}

/// A state with something in every field.
pub fn rich(frame: u64) -> State {
    let mut state = beam([10, 3, 2], frame, 1e-3);
    make_rigid(&mut state, 3..4, DVec3::Z);
    make_rigid(&mut state, 5..9, DVec3::new(0.3, -0.2, 0.9));
    make_rigid(&mut state, 20..40, DVec3::new(-1.0, 0.5, 0.2));
    let contact = Contact { element: 1, other: Touched::Obstacle(2), rest: 0.1, stretch: DVec3::X, slipping: true };
    state.contacts = vec![contact, Contact { element: 2, other: Touched::Element(50), ..contact }];
    state.calm = vec![0.25; state.owner.len()];
    state.broken = (0..frame as u32 / 2).map(|b| 3 * b).collect();
    // The coordinates within the aggregates are made anew for every frame.
    state.epoch = frame;
    state
}

/// One event per frame, with a name that needs quoting.
pub fn events(frame: u64) -> Vec<Event> {
    let kind = EventKind::Touch { first: "the \"cow\", falling".into(), second: "beam".into() };
    vec![Event { time: 0.01 * frame as f64, place: DVec3::new(0.1, -0.0, 1e-17), energy: 1.0 / 3.0, kind }]
}

/// Probe values of a frame.
pub fn probes(frame: u64) -> [f64; 2] {
    [(frame as f64).sqrt(), -1.0 / (1.0 + frame as f64)]
}

/// Two contact forces in every other frame.
pub fn contact_forces(frame: u64) -> Vec<ContactForce> {
    let contact =
        |k: u64| ContactForce { point: DVec3::new(0.5, k as f64, 0.25), force: DVec3::Z * (frame + k) as f64 };
    (0..frame % 2 * 2).map(contact).collect()
}

/// Records frames without an end, as a run that crashes does.
pub fn record(path: &Path, frames: std::ops::Range<u64>, state: impl Fn(u64) -> State) -> Recorder {
    let mut recorder = Recorder::create(path, header(state(0).owner.len())).unwrap();
    for i in frames {
        let (state, events, probes, contact_forces) = (state(i), events(i), probes(i), contact_forces(i));
        let shown = FrameInput::of(&state);
        let input = FrameInput { events: &events, probes: &probes, contact_forces: &contact_forces, ..shown };
        recorder.frame(&input).unwrap();
    }
    recorder
}
