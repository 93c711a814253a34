//! The cow: a blend of ellipsoids and tapering limbs.

use crate::Solid;
use kreisel::{DQuat, DVec3};
use std::sync::OnceLock;

/// Length of the cow whose numbers are below [m].
pub const LENGTH: f64 = 2.4;

/// The cow of the length above.
fn cow() -> &'static Solid {
    static COW: OnceLock<Solid> = OnceLock::new();
    COW.get_or_init(build)
}

/// Signed distance of a cow [m].
pub fn distance(p: DVec3, length: f64) -> f64 {
    let scale = length / LENGTH;
    scale * cow().distance(p / scale)
}

/// A cow by its parts.
pub fn unscaled(length: f64) -> Solid {
    Solid::Moved { at: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: length / LENGTH, solid: Box::new(cow().clone()) }
}

/// Whether a cow may have a crease near a place: around its hooves.
pub fn may_crease(p: DVec3, reach: f64, length: f64) -> bool {
    let scale = length / LENGTH;
    cow().may_crease(p / scale, reach / scale)
}

/// A box around a cow [m].
pub fn bounds(length: f64) -> (DVec3, DVec3) {
    let (low, high) = cow().bounds();
    let scale = length / LENGTH;
    (low * scale, high * scale)
}

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

pub fn egg(at: [f64; 3], radii: [f64; 3]) -> Solid {
    Solid::Ellipsoid { radii: DVec3::from_array(radii) }.at(DVec3::from_array(at))
}

/// Limbs through points, each with its radius.
fn chain(points: &[([f64; 3], f64)]) -> Vec<Solid> {
    let limb = |w: &[([f64; 3], f64)]| Solid::Limb {
        from: DVec3::from_array(w[0].0),
        to: DVec3::from_array(w[1].0),
        start: w[0].1,
        end: w[1].1,
    };
    points.windows(2).map(limb).collect()
}

fn blend(parts: Vec<Solid>, radius: f64) -> Solid {
    Solid::Blend { parts, radius }
}

/// Trunk, neck, shoulders, thighs and legs.
fn trunk() -> Solid {
    let mut parts = vec![
        egg([-0.15, 0.0, 0.955], [0.70, 0.285, 0.325]),
        egg([0.38, 0.0, 0.99], [0.31, 0.215, 0.355]),
        egg([-0.72, 0.0, 1.12], [0.29, 0.225, 0.24]),
    ];
    parts.extend(chain(&[([0.40, 0.0, 1.34], 0.08), ([-0.25, 0.0, 1.29], 0.08), ([-0.88, 0.0, 1.32], 0.075)]));
    parts.extend(chain(&[([0.48, 0.0, 1.12], 0.20), ([0.80, 0.0, 1.37], 0.125)]));
    // Dewlap.
    parts.extend(chain(&[([0.58, 0.0, 0.88], 0.08), ([0.80, 0.0, 1.22], 0.075)]));
    for s in [1.0, -1.0] {
        parts.push(egg([-0.58, 0.165 * s, 1.27], [0.10, 0.05, 0.055]));
        parts.extend(front_leg(s));
        parts.extend(rear_leg(s));
    }
    blend(parts, 0.10)
}

fn front_leg(s: f64) -> Vec<Solid> {
    let y = 0.155 * s;
    chain(&[([0.42, y, 0.88], 0.12), ([0.40, y, 0.42], 0.072), ([0.39, y, 0.10], 0.067)])
}

fn rear_leg(s: f64) -> Vec<Solid> {
    let y = 0.155 * s;
    chain(&[([-0.74, y, 1.00], 0.16), ([-0.66, y, 0.72], 0.115), ([-0.82, y, 0.46], 0.072), ([-0.77, y, 0.10], 0.067)])
}

fn hoof(x: f64, y: f64) -> Solid {
    Solid::Cone { radius: 0.086, height: 0.11, top: 0.066 }.at(v(x + 0.015, y, 0.055))
}

pub fn hooves() -> Vec<Solid> {
    [(0.39, 0.155), (0.39, -0.155), (-0.77, 0.155), (-0.77, -0.155)].map(|(x, y)| hoof(x, y)).to_vec()
}

fn head() -> Vec<Solid> {
    let mut parts = chain(&[([0.88, 0.0, 1.46], 0.115), ([1.07, 0.0, 1.22], 0.085)]);
    // Forehead and jaw.
    parts.push(egg([0.91, 0.0, 1.47], [0.10, 0.135, 0.10]));
    parts.extend(chain(&[([0.86, 0.0, 1.35], 0.075), ([1.02, 0.0, 1.18], 0.06)]));
    parts
}

pub fn muzzle() -> Solid {
    let tilt = DQuat::from_rotation_y(0.9);
    Solid::Ellipsoid { radii: v(0.085, 0.115, 0.085) }.turned(tilt).at(v(1.113, 0.0, 1.185))
}

fn eye(s: f64) -> Solid {
    egg([0.965, 0.112 * s, 1.44], [0.035, 0.03, 0.035])
}

pub fn eyes() -> Vec<Solid> {
    [1.0, -1.0].map(eye).to_vec()
}

fn ear(s: f64) -> Solid {
    let turn = DQuat::from_rotation_x(-0.30 * s) * DQuat::from_rotation_z(0.30 * s) * DQuat::from_rotation_y(0.5);
    Solid::Ellipsoid { radii: v(0.072, 0.14, 0.045) }.turned(turn).at(v(0.825, 0.22 * s, 1.465))
}

pub fn ears() -> Vec<Solid> {
    [1.0, -1.0].map(ear).to_vec()
}

fn horn(s: f64) -> Vec<Solid> {
    chain(&[
        ([0.85, 0.06 * s, 1.55], 0.046),
        ([0.84, 0.16 * s, 1.60], 0.042),
        ([0.86, 0.225 * s, 1.66], 0.038),
        ([0.91, 0.245 * s, 1.73], 0.034),
        ([0.97, 0.225 * s, 1.785], 0.030),
    ])
}

pub fn horns() -> Vec<Solid> {
    [1.0, -1.0].map(horn).concat()
}

pub fn udder() -> Vec<Solid> {
    let mut parts = vec![egg([-0.45, 0.0, 0.64], [0.19, 0.15, 0.14])];
    for (x, y) in [(-0.37, 0.075), (-0.37, -0.075), (-0.53, 0.075), (-0.53, -0.075)] {
        parts.extend(chain(&[([x, y, 0.56], 0.032), ([x, y, 0.475], 0.026)]));
    }
    parts
}

fn tail() -> Vec<Solid> {
    chain(&[
        ([-0.94, 0.0, 1.33], 0.05),
        ([-1.07, 0.0, 1.27], 0.042),
        ([-1.138, 0.0, 1.08], 0.037),
        ([-1.138, 0.0, 0.66], 0.036),
    ])
}

pub fn tuft() -> Solid {
    egg([-1.138, 0.0, 0.55], [0.065, 0.065, 0.15])
}

fn build() -> Solid {
    let soft = [vec![trunk(), muzzle(), tuft()], head(), udder(), tail()].concat();
    let parts = [vec![blend(soft, 0.05)], ears(), horns(), eyes(), hooves()].concat();
    blend(parts, 0.02)
}
