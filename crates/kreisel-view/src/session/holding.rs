//! Elements held where they are, and let go.

use crate::session::world::World;
use kreisel::DVec3;
use kreisel::model::Profile;
use kreisel::model::setup::Motion;
use kreisel::model::world::Hold;

/// What holds by hand are called in messages.
const NAME: &str = "held by hand";

/// Holds elements where they are; those that are held already stay as they are.
pub fn fix(world: &mut World, elements: &[u32]) -> Result<(), String> {
    let places: Vec<(u32, DVec3)> = elements
        .iter()
        .filter(|&&e| world.model.holds.binary_search_by_key(&e, |h| h.element).is_err())
        .map(|&e| (e, world.state.position.get(e as usize) - world.model.elements.rest.get(e as usize)))
        .collect();
    if places.is_empty() {
        return Ok(());
    }
    world.change(|model| {
        let fix = model.fix_names.len() as u32;
        model.fix_names.push(NAME.into());
        for (element, displacement) in places {
            let motion = Motion {
                velocity: DVec3::ZERO,
                displacement,
                rotation: DVec3::ZERO,
                centre: DVec3::ZERO,
                profile: Profile::Constant,
            };
            model.motions.push(motion);
            let motion = Some(model.motions.len() as u32 - 1);
            model.holds.push(Hold { element, axes: [true; 3], motion, fix });
        }
        model.holds.sort_by_key(|h| h.element);
    });
    Ok(())
}

/// Lets elements go, whoever held them.
pub fn free(world: &mut World, elements: &[u32]) -> Result<(), String> {
    let held = |e: u32| elements.binary_search(&e).is_ok();
    if !world.model.holds.iter().any(|h| held(h.element)) {
        return Err("nothing of it is held".into());
    }
    world.change(|model| model.holds.retain(|h| !held(h.element)));
    Ok(())
}
