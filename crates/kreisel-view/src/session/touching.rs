//! Contacts as they are shown: where they are, how they push, and whether they slide.

use crate::session::world::World;
use kreisel::DVec3;
use kreisel::model::ShapeContact;
use kreisel::model::setup::Law;
use kreisel::readout::contact::{ContactReading, Grip};

/// A contact of the moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Touching {
    /// Where [m].
    pub point: DVec3,
    /// Force on the first side [N].
    pub force: DVec3,
    /// Unit normal, from the second side to the first; zero if it is not known.
    pub normal: DVec3,
    /// Relative velocity across the normal, the first side against the second [m/s].
    pub slip: DVec3,
    /// The step that the force is the mean of [s]; zero: it is that of the moment.
    pub step: f64,
    /// What it does; `None`: that is not known.
    pub grip: Option<Grip>,
}

impl Touching {
    /// Push along the normal [N].
    pub fn push(&self) -> f64 {
        self.force.dot(self.normal).max(0.0)
    }
}

/// All contacts of the moment. Those of exact shapes are read from the state: whether statics determines their forces
/// takes longer to find out than a frame.
pub fn touching(world: &mut World) -> Vec<Touching> {
    match world.model.law {
        Law::Connections => world.contacts().iter().map(of_reading).collect(),
        Law::Constraint => world.state.shape_contacts.iter().map(of_shapes).collect(),
    }
}

/// The strongest `most`, the strongest first.
pub fn strongest(mut all: Vec<Touching>, most: usize) -> Vec<Touching> {
    all.sort_by(|a, b| b.force.length_squared().total_cmp(&a.force.length_squared()));
    all.truncate(most);
    all
}

fn of_reading(c: &ContactReading) -> Touching {
    Touching { point: c.point, force: c.force, normal: c.normal, slip: c.slip, step: c.step, grip: Some(c.grip) }
}

fn of_shapes(c: &ShapeContact) -> Touching {
    let grip = Some(Grip::of(c.presses(), c.slipping));
    let slip = c.slip - c.normal * c.normal.dot(c.slip);
    Touching { point: c.point, force: c.force(), normal: c.normal, slip, step: c.step, grip }
}
