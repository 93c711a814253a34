//! What a number may be: each check names the place, the value and what is expected.

use crate::build::BuildError;
use crate::model::Profile;
use glamx::{DQuat, DVec3};

/// Unit vectors and quaternions may be this far from length one: what a person writes with seven digits.
const UNIT: f64 = 1e-6;

fn expect(good: bool, path: &str, value: impl std::fmt::Display, expected: &str) -> Result<(), BuildError> {
    if good {
        Ok(())
    } else {
        Err(BuildError::new(path, format!("{value} is not {expected}"), format!("give {expected}")))
    }
}

pub fn positive(path: &str, a: f64) -> Result<(), BuildError> {
    expect(a > 0.0 && a.is_finite(), path, a, "a positive finite number")
}

pub fn not_negative(path: &str, a: f64) -> Result<(), BuildError> {
    expect(a >= 0.0 && a.is_finite(), path, a, "zero or a positive finite number")
}

pub fn share(path: &str, a: f64) -> Result<(), BuildError> {
    expect((0.0..=1.0).contains(&a), path, a, "a number from 0 to 1")
}

pub fn finite(path: &str, a: f64) -> Result<(), BuildError> {
    expect(a.is_finite(), path, a, "a finite number")
}

pub fn vector(path: &str, a: DVec3) -> Result<(), BuildError> {
    expect(a.is_finite(), path, a, "three finite numbers")
}

pub fn direction(path: &str, a: DVec3) -> Result<(), BuildError> {
    expect((a.length() - 1.0).abs() <= UNIT, path, a, "a vector of length one")
}

pub fn rotation(path: &str, q: DQuat) -> Result<(), BuildError> {
    expect((q.length() - 1.0).abs() <= UNIT, path, q, "a quaternion of length one")
}

/// Times must ascend; two equal ones are a jump.
pub fn times(path: &str, times: impl Iterator<Item = f64>) -> Result<(), BuildError> {
    let times: Vec<f64> = times.collect();
    expect(!times.is_empty(), path, "an empty table", "at least one point")?;
    times.iter().try_for_each(|&t| finite(path, t))?;
    match times.windows(2).find(|pair| pair[1] < pair[0]) {
        None => Ok(()),
        Some(pair) => {
            let message = format!("{} s comes after {} s", pair[1], pair[0]);
            Err(BuildError::new(path, message, "sort the points by time"))
        }
    }
}

pub fn profile(path: &str, profile: &Profile) -> Result<(), BuildError> {
    match profile {
        Profile::Constant => Ok(()),
        Profile::Keyframes(keys) => {
            times(path, keys.iter().map(|k| k.time))?;
            keys.iter().try_for_each(|k| vector(path, k.shift).and(vector(path, k.turn)))
        }
        Profile::Ramp { start, end } | Profile::Pulse { start, end } => finite(path, *start).and(finite(path, *end)),
        Profile::Sine { frequency, phase } => finite(path, *frequency).and(finite(path, *phase)),
        Profile::Table(points) => {
            times(path, points.iter().map(|p| p.0))?;
            points.iter().try_for_each(|p| finite(path, p.1))
        }
    }
}
