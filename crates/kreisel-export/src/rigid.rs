//! Bodies that are one rigid aggregate in every frame: their motion is a place and an orientation.

use kreisel::model::FREE;
use kreisel::{DQuat, DVec3};
use kreisel_record::{Frame, Pose};

/// How far elements may be from where the motion puts them, as a share of the body's size.
const TOLERANCE: f64 = 1e-5;

/// The motion of a body as long as it is rigid.
#[derive(Clone, Debug, Default)]
pub struct RigidMotion {
    /// Coordinates of the elements in the first frame's pose [m].
    local: Vec<DVec3>,
    /// A place and an orientation per frame.
    poses: Vec<(DVec3, DQuat)>,
    broken_off: bool,
}

impl RigidMotion {
    /// Looks at the next frame.
    pub fn add(&mut self, elements: &[u32], frame: &Frame) {
        if self.broken_off {
            return;
        }
        match self.fit(elements, frame) {
            Some(pose) => self.poses.push(pose),
            None => self.broken_off = true,
        }
    }

    /// A place [m] and an orientation per frame; `None` if it was not rigid all the time.
    pub fn poses(&self) -> Option<&[(DVec3, DQuat)]> {
        (!self.broken_off && !self.poses.is_empty()).then_some(&self.poses)
    }

    fn fit(&mut self, elements: &[u32], frame: &Frame) -> Option<(DVec3, DQuat)> {
        let pose = common_pose(elements, frame)?;
        let back = pose.orientation.inverse();
        let local = |&e: &u32| back * (frame.position.get(e as usize) - pose.position);
        if self.poses.is_empty() {
            self.local = elements.iter().map(local).collect();
        }
        let size = self.local.iter().fold(0.0, |size: f64, s| size.max(s.length()));
        let stays = |(e, s): (&u32, &DVec3)| local(e).distance(*s) <= TOLERANCE * size;
        elements.iter().zip(&self.local).all(stays).then_some((pose.position, self.nearer_sign(pose.orientation)))
    }

    /// `q` and `−q` are the same orientation; the one nearer to the frame before is the shorter way.
    fn nearer_sign(&self, q: DQuat) -> DQuat {
        match self.poses.last() {
            Some((_, before)) if before.dot(q) < 0.0 => -q,
            _ => q,
        }
    }
}

/// The pose of the aggregate that carries all elements.
fn common_pose<'a>(elements: &[u32], frame: &'a Frame) -> Option<&'a Pose> {
    let owner_of = |e: u32| frame.owner.get(e as usize).copied().unwrap_or(FREE);
    let owner = owner_of(*elements.first()?);
    if owner == FREE || elements.iter().any(|&e| owner_of(e) != owner) {
        return None;
    }
    frame.poses.get(owner as usize)
}
