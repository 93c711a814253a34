//! Contacts as they are shown: where they are, how they push, and whether they slide.

use crate::session::world::World;
use kreisel::DVec3;
use kreisel::model::ShapeContact;
use kreisel::model::setup::Law;

/// A contact that pushes at the moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Touching {
    /// Where [m].
    pub point: DVec3,
    /// Force on the first side [N].
    pub force: DVec3,
    /// Unit normal, from the second side to the first; zero if it is not known.
    pub normal: DVec3,
    /// True if it slides, as far as is known.
    pub slides: bool,
}

/// The strongest `most` contacts of the moment, the strongest first.
pub fn touching(world: &mut World, most: usize) -> Vec<Touching> {
    if world.model.law == Law::Connections {
        let forces = world.contact_forces(most).into_iter();
        return forces.map(|(point, force)| Touching { point, force, ..Touching::default() }).collect();
    }
    let of = |c: &ShapeContact| Touching { point: c.point, force: c.force(), normal: c.normal, slides: c.slipping };
    let mut all: Vec<Touching> = world.state.shape_contacts.iter().filter(|c| c.presses()).map(of).collect();
    all.sort_by(|a, b| b.force.length_squared().total_cmp(&a.force.length_squared()));
    all.truncate(most);
    all
}
