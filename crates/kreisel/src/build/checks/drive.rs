//! Fixes, loads, grabs, switches and probes that cannot be.

use super::number::{finite, not_negative, profile, times, vector};
use crate::build::BuildError;
use crate::model::profile::begin_in_place;
use crate::model::setup::{Grab, LoadKind};
use crate::model::{Profile, Setup};

pub fn check_fixes(setup: &Setup) -> Result<(), BuildError> {
    for (k, motion) in setup.fixes.iter().enumerate().filter_map(|(k, f)| f.motion.as_ref().map(|m| (k, m))) {
        let path = format!("fix[{k}].motion");
        for a in [motion.velocity, motion.displacement, motion.rotation, motion.centre] {
            vector(&path, a)?;
        }
        profile(&path, &motion.profile)?;
        check_start(&path, &motion.profile)?;
    }
    Ok(())
}

/// Keyframes are smooth, so they must begin where the body is.
fn check_start(path: &str, profile: &Profile) -> Result<(), BuildError> {
    match profile {
        Profile::Keyframes(keys) if !begin_in_place(keys) => {
            let message = "at 0 s the keyframes are not where the body starts: it would jump there";
            let help = "begin with `{ time = 0 }`, or put the body where its first keyframe is and measure from there";
            Err(BuildError::new(&format!("{path}.keys"), message, help))
        }
        _ => Ok(()),
    }
}

pub fn check_loads(setup: &Setup) -> Result<(), BuildError> {
    for (k, load) in setup.loads.iter().enumerate() {
        let at = |field: &str| format!("load[{k}].{field}");
        match &load.kind {
            LoadKind::Point { at: place, force, .. } => {
                vector(&at("at"), *place)?;
                vector(&at("force"), *force)?;
            }
            LoadKind::Region { force, .. } => vector(&at("force"), *force)?,
            LoadKind::Pressure { pressure, .. } => finite(&at("pressure"), *pressure)?,
        }
        profile(&at("profile"), &load.profile)?;
    }
    Ok(())
}

pub fn check_grabs(setup: &Setup) -> Result<(), BuildError> {
    setup.grabs.iter().enumerate().try_for_each(|(k, grab)| check_grab(&format!("grab[{k}]"), grab))
}

fn check_grab(path: &str, grab: &Grab) -> Result<(), BuildError> {
    let at = |field: &str| format!("{path}.{field}");
    vector(&at("at"), grab.at)?;
    not_negative(&at("stiffness"), grab.stiffness)?;
    not_negative(&at("damping"), grab.damping)?;
    times(&at("path"), grab.path.iter().map(|p| p.0))?;
    grab.path.iter().try_for_each(|p| vector(&at("path"), p.1))?;
    if grab.active.0.is_nan() || grab.active.1.is_nan() {
        return Err(BuildError::new(&at("active"), "a time is not a number", "give when it begins and when it ends"));
    }
    Ok(())
}

pub fn check_schedule(setup: &Setup) -> Result<(), BuildError> {
    setup.schedule.iter().enumerate().try_for_each(|(k, s)| finite(&format!("at[{k}].time"), s.time))
}

pub fn check_probes(setup: &Setup) -> Result<(), BuildError> {
    let places = setup.probes.iter().enumerate().filter_map(|(k, p)| p.nearest.map(|at| (k, at)));
    places.into_iter().try_for_each(|(k, at)| vector(&format!("probe[{k}].at"), at))
}
