//! Frames: where everything is at one moment, in a few bytes per element.
//!
//! Stored are the *carriers*: free elements in order of their number, then the centres of the aggregates. Positions
//! take 3 bytes per component (a 16.7 millionth of the extent), velocities 2, or 1 where they would not fit into
//! [`FRAME_BUDGET`]; aggregates an orientation and, unless lone, a spin. Elements of aggregates cost nothing.

use crate::bytes::Reader;
use crate::error::RecordError;
use crate::membership::{Membership, is_lone};
use crate::orientation;
use crate::quantise::{Range, read_field, write_field};
use kreisel::linear::Vectors;
use kreisel::model::{Event, FREE, Ledger, State};
use kreisel::{DQuat, DVec3};

/// Packed bytes per element beyond which velocities are stored more coarsely: 16 less a share for keyframes.
const FRAME_BUDGET: usize = 13;
/// Packed bytes that every frame may take besides.
const FRAME_ALLOWANCE: usize = 1024;
/// Bytes per component of a position.
const POSITION_BYTES: usize = 3;

/// Position, orientation and motion of a rigid aggregate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Centre of mass [m].
    pub position: DVec3,
    /// Orientation of the principal frame.
    pub orientation: DQuat,
    /// Velocity of the centre of mass [m/s].
    pub velocity: DVec3,
    /// Angular velocity [rad/s]; zero for a lone element.
    pub spin: DVec3,
}

/// One moment of a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Time [s], exact.
    pub time: f64,
    /// Steps taken so far.
    pub steps: u64,
    /// Positions of all elements [m].
    pub position: Vectors,
    /// Velocities of all elements [m/s].
    pub velocity: Vectors,
    /// Who carries each element: [`FREE`], or an index into `poses`.
    pub owner: Vec<u32>,
    /// The rigid aggregates.
    pub poses: Vec<Pose>,
    /// Connections broken so far, ascending.
    pub broken: Vec<u32>,
    /// Number of contact connections.
    pub contacts: u64,
    /// Energy and momentum accounts, exact.
    pub ledger: Ledger,
    /// Probe values, exact.
    pub probes: Vec<f64>,
    /// What happened since the frame before.
    pub events: Vec<Event>,
}

/// Packs the carriers of a state.
pub(crate) fn pack_frame(state: &State) -> Result<Vec<u8>, RecordError> {
    let packed = packed_with(state, 2)?;
    if packed.len() <= FRAME_BUDGET * state.owner.len() + FRAME_ALLOWANCE {
        return Ok(packed);
    }
    packed_with(state, 1)
}

fn packed_with(state: &State, velocity_bytes: usize) -> Result<Vec<u8>, RecordError> {
    let raw = encode(state, velocity_bytes)?;
    crate::pack::pack(&raw).map_err(|e| RecordError::malformed("a frame", e))
}

fn encode(state: &State, velocity_bytes: usize) -> Result<Vec<u8>, RecordError> {
    let fail = |what: &str| RecordError::NotFinite { what: format!("the range of the {what}"), time: state.time };
    let (position, velocity, spin) = carriers(state);
    let mut out = vec![velocity_bytes as u8];
    let written = write_field(&mut out, &position, Range::Spanning, POSITION_BYTES);
    written.then_some(()).ok_or_else(|| fail("positions"))?;
    let written = write_field(&mut out, &velocity, Range::AroundZero, velocity_bytes);
    written.then_some(()).ok_or_else(|| fail("velocities"))?;
    let written = write_field(&mut out, &spin, Range::AroundZero, velocity_bytes);
    written.then_some(()).ok_or_else(|| fail("spins"))?;
    for aggregate in &state.aggregates {
        orientation::write(&mut out, aggregate.orientation, aggregate.elements.len(), is_lone(aggregate));
    }
    Ok(out)
}

/// Positions and velocities of free elements and aggregates, and spins of aggregates that are not lone.
fn carriers(state: &State) -> (Vectors, Vectors, Vectors) {
    let (mut position, mut velocity, mut spin) = (Vectors::default(), Vectors::default(), Vectors::default());
    for e in (0..state.owner.len()).filter(|&e| state.owner[e] == FREE) {
        position.push(state.position.get(e));
        velocity.push(state.velocity.get(e));
    }
    for aggregate in &state.aggregates {
        position.push(aggregate.position);
        velocity.push(aggregate.velocity);
        if !is_lone(aggregate) {
            spin.push(aggregate.spin());
        }
    }
    (position, velocity, spin)
}

/// What is not finite in a state, in words.
pub(crate) fn first_not_finite(state: &State) -> Option<String> {
    let fields = [("position", &state.position), ("velocity", &state.velocity)];
    for (name, field) in fields {
        if let Some(e) = field.first_not_finite() {
            return Some(format!("the {name} of element {e}"));
        }
    }
    let finite = |a: &kreisel::model::Aggregate| {
        a.position.is_finite() && a.orientation.is_finite() && a.velocity.is_finite() && a.spin().is_finite()
    };
    state.aggregates.iter().position(|a| !finite(a)).map(|i| format!("the motion of aggregate {i}"))
}

/// Positions, velocities and poses of a frame packed by [`pack_frame`]; the rest is for the caller to fill in.
pub(crate) fn unpack_frame(packed: &[u8], membership: &Membership) -> Result<Frame, RecordError> {
    let raw = crate::pack::unpack("a frame", packed)?;
    let mut from = Reader::new("a frame", &raw);
    let free = membership.owner.iter().filter(|&&owner| owner == FREE).count();
    let carriers = free + membership.groups.len();
    let spinning = membership.groups.iter().filter(|g| !g.lone).count();
    let velocity_bytes = match from.u8()? {
        bytes @ 1..=2 => bytes as usize,
        _ => return Err(from.malformed("its velocities have an unknown length")),
    };
    let position = read_field(&mut from, carriers, Range::Spanning, POSITION_BYTES)?;
    let velocity = read_field(&mut from, carriers, Range::AroundZero, velocity_bytes)?;
    let spin = read_field(&mut from, spinning, Range::AroundZero, velocity_bytes)?;
    let poses = read_poses(&mut from, membership, |i| (position.get(free + i), velocity.get(free + i)), &spin)?;
    from.end()?;
    let mut frame = Frame { owner: membership.owner.clone(), poses, ..Frame::default() };
    place_free(&mut frame, &position, &velocity);
    place_carried(&mut frame, membership);
    Ok(frame)
}

fn read_poses(
    from: &mut Reader,
    membership: &Membership,
    centre: impl Fn(usize) -> (DVec3, DVec3),
    spins: &Vectors,
) -> Result<Vec<Pose>, RecordError> {
    let mut spinning = 0;
    let mut poses = Vec::new();
    for (i, group) in membership.groups.iter().enumerate() {
        let (position, velocity) = centre(i);
        let orientation = orientation::read(from, group.elements.len(), group.lone)?;
        let spin = if group.lone {
            DVec3::ZERO
        } else {
            spinning += 1;
            spins.get(spinning - 1)
        };
        poses.push(Pose { position, orientation, velocity, spin });
    }
    Ok(poses)
}

fn place_free(frame: &mut Frame, position: &Vectors, velocity: &Vectors) {
    let n = frame.owner.len();
    (frame.position, frame.velocity) = (Vectors::zeros(n), Vectors::zeros(n));
    for (k, e) in (0..n).filter(|&e| frame.owner[e] == FREE).enumerate() {
        frame.position.set(e, position.get(k));
        frame.velocity.set(e, velocity.get(k));
    }
}

/// `x_e = p + R s_e`, `v_e = v + ω × R s_e`.
fn place_carried(frame: &mut Frame, membership: &Membership) {
    for (pose, group) in frame.poses.iter().zip(&membership.groups) {
        for (&e, &s) in group.elements.iter().zip(&group.local) {
            let arm = pose.orientation * s;
            frame.position.set(e as usize, pose.position + arm);
            frame.velocity.set(e as usize, pose.velocity + pose.spin.cross(arm));
        }
    }
}
