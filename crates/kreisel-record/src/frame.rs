//! Frames: where everything is at one moment, in a few bytes per element.
//!
//! Stored are the *carriers*: free elements in order of their number, then the centres of the aggregates, with an
//! orientation each and, unless lone, a spin. Elements of aggregates cost nothing. Positions take 3 bytes per
//! component (a 16.7 millionth of the extent) and velocities 2 (a 33 thousandth of the largest); frames that would not
//! fit into [`FRAME_BUDGET`] take the next of [`QUALITIES`].

use crate::bytes::Reader;
use crate::contacts::ContactForce;
use crate::error::RecordError;
use crate::membership::{Membership, is_lone};
use crate::orientation;
use crate::quantise::{Range, read_field, write_field};
use kreisel::linear::Vectors;
use kreisel::model::{Aggregate, Event, FREE, Ledger, State};
use kreisel::{DQuat, DVec3};

/// Packed bytes per element beyond which velocities are stored more coarsely: 16 less a share for keyframes.
const FRAME_BUDGET: usize = 13;
/// Packed bytes that every frame may take besides.
const FRAME_ALLOWANCE: usize = 1024;
/// Bytes per component of a position, and of a velocity or spin. The second does for free elements that move without
/// any order (12 bytes each); only thousands of lone balls in disorder, which need an orientation too, come to the last.
const QUALITIES: [Quality; 3] =
    [Quality { position: 3, velocity: 2 }, Quality { position: 3, velocity: 1 }, Quality { position: 2, velocity: 1 }];

/// Bytes per component.
#[derive(Clone, Copy)]
struct Quality {
    position: usize,
    velocity: usize,
}

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
    /// Contact forces of the moment; empty if they were not recorded.
    pub contact_forces: Vec<ContactForce>,
}

/// Packs the carriers of a state, as finely as the budget allows.
pub(crate) fn pack_frame(state: &State) -> Result<Vec<u8>, RecordError> {
    let budget = FRAME_BUDGET * state.owner.len() + FRAME_ALLOWANCE;
    let mut packed = Vec::new();
    for number in 0..QUALITIES.len() {
        let raw = encode(state, number)?;
        packed = crate::pack::pack(&raw).map_err(|e| RecordError::malformed("a frame", e))?;
        if packed.len() <= budget {
            break;
        }
    }
    Ok(packed)
}

fn encode(state: &State, number: usize) -> Result<Vec<u8>, RecordError> {
    let Quality { position, velocity } = QUALITIES[number];
    let mut out = vec![number as u8];
    let fail = |name: &str| RecordError::NotFinite { what: format!("the range of the {name}"), time: state.time };
    let positions = |axis| carriers(state, &state.position, axis, |a| a.position);
    if !write_field(&mut out, positions, Range::Spanning, position) {
        return Err(fail("positions"));
    }
    let velocities = |axis| carriers(state, &state.velocity, axis, |a| a.velocity);
    if !write_field(&mut out, velocities, Range::AroundZero, velocity) {
        return Err(fail("velocities"));
    }
    let spinning = state.aggregates.iter().filter(|a| !is_lone(a));
    if !write_field(&mut out, |axis| spinning.clone().map(|a| a.spin()[axis]).collect(), Range::AroundZero, velocity) {
        return Err(fail("spins"));
    }
    for aggregate in &state.aggregates {
        orientation::write(&mut out, aggregate.orientation, aggregate.elements.len(), is_lone(aggregate));
    }
    Ok(out)
}

/// One component of a field for all carriers; one at a time, because a large model leaves little memory to spare.
fn carriers(state: &State, field: &Vectors, axis: usize, centre: impl Fn(&Aggregate) -> DVec3) -> Vec<f64> {
    let component = [&field.x, &field.y, &field.z][axis];
    let free = state.owner.iter().zip(component).filter(|&(&owner, _)| owner == FREE).map(|(_, &a)| a);
    free.chain(state.aggregates.iter().map(|a| centre(a)[axis])).collect()
}

/// What is not finite in a state, in words.
pub(crate) fn first_not_finite(state: &State) -> Option<String> {
    let fields = [("position", &state.position), ("velocity", &state.velocity)];
    for (name, field) in fields {
        if let Some(e) = field.first_not_finite() {
            return Some(format!("the {name} of element {e}"));
        }
    }
    let finite = |a: &Aggregate| {
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
    let unknown = from.malformed("its quality is unknown");
    let quality = *QUALITIES.get(from.u8()? as usize).ok_or(unknown)?;
    let position = read_field(&mut from, carriers, Range::Spanning, quality.position)?;
    let velocity = read_field(&mut from, carriers, Range::AroundZero, quality.velocity)?;
    let spin = read_field(&mut from, spinning, Range::AroundZero, quality.velocity)?;
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
