//! The cow: a blend of ellipsoids and tapering limbs.

use crate::Solid;
use kreisel::model::{Surface, SurfacePart};
use kreisel::{DQuat, DVec3};
use std::sync::OnceLock;

/// Length of the cow whose numbers are below [m].
const LENGTH: f64 = 2.4;

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

/// A box around a cow [m].
pub fn bounds(length: f64) -> (DVec3, DVec3) {
    let (low, high) = cow().bounds();
    let scale = length / LENGTH;
    (low * scale, high * scale)
}

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn egg(at: [f64; 3], radii: [f64; 3]) -> Solid {
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

/// Trunk, neck and thighs.
fn trunk() -> Solid {
    let mut parts = vec![
        egg([-0.17, 0.0, 0.99], [0.78, 0.31, 0.34]),
        egg([0.36, 0.0, 1.00], [0.34, 0.25, 0.38]),
        egg([-0.72, 0.0, 1.13], [0.30, 0.25, 0.27]),
    ];
    parts.extend(chain(&[([0.38, 0.0, 1.34], 0.09), ([-0.30, 0.0, 1.30], 0.09), ([-0.86, 0.0, 1.33], 0.08)]));
    parts.extend(chain(&[([0.46, 0.0, 1.14], 0.22), ([0.82, 0.0, 1.38], 0.13)]));
    for s in [1.0, -1.0] {
        parts.push(egg([-0.60, 0.2 * s, 1.31], [0.09, 0.06, 0.07]));
        parts.extend(front_leg(s));
        parts.extend(rear_leg(s));
    }
    blend(parts, 0.10)
}

fn front_leg(s: f64) -> Vec<Solid> {
    let y = 0.17 * s;
    chain(&[([0.40, y, 0.86], 0.13), ([0.38, y, 0.44], 0.072), ([0.37, y, 0.08], 0.066)])
}

fn rear_leg(s: f64) -> Vec<Solid> {
    let y = 0.17 * s;
    chain(&[([-0.72, y, 0.98], 0.18), ([-0.64, y, 0.72], 0.125), ([-0.82, y, 0.47], 0.072), ([-0.77, y, 0.08], 0.066)])
}

fn hoof(x: f64, y: f64) -> Solid {
    Solid::Cone { radius: 0.088, height: 0.11, top: 0.068 }.at(v(x + 0.015, y, 0.055))
}

fn head() -> Vec<Solid> {
    let mut parts = chain(&[([0.87, 0.0, 1.46], 0.125), ([1.06, 0.0, 1.25], 0.088)]);
    parts.push(egg([1.09, 0.0, 1.21], [0.09, 0.105, 0.085]));
    for s in [1.0, -1.0] {
        parts.push(egg([0.965, 0.10 * s, 1.43], [0.035, 0.03, 0.035]));
    }
    parts
}

fn ear(s: f64) -> Solid {
    let turn = DQuat::from_rotation_x(-0.35 * s) * DQuat::from_rotation_z(-0.3 * s);
    Solid::Ellipsoid { radii: v(0.05, 0.13, 0.035) }.turned(turn).at(v(0.83, 0.21 * s, 1.47))
}

fn horn(s: f64) -> Vec<Solid> {
    chain(&[
        ([0.85, 0.07 * s, 1.55], 0.045),
        ([0.85, 0.17 * s, 1.62], 0.040),
        ([0.88, 0.22 * s, 1.70], 0.035),
        ([0.93, 0.22 * s, 1.78], 0.030),
    ])
}

fn udder() -> Vec<Solid> {
    let mut parts = vec![egg([-0.44, 0.0, 0.66], [0.19, 0.16, 0.15])];
    for (x, y) in [(-0.36, 0.07), (-0.36, -0.07), (-0.52, 0.07), (-0.52, -0.07)] {
        parts.extend(chain(&[([x, y, 0.56], 0.03), ([x, y, 0.48], 0.024)]));
    }
    parts
}

fn tail() -> Vec<Solid> {
    let mut parts = chain(&[
        ([-0.94, 0.0, 1.34], 0.05),
        ([-1.07, 0.0, 1.27], 0.04),
        ([-1.12, 0.0, 1.08], 0.037),
        ([-1.12, 0.0, 0.66], 0.036),
    ]);
    parts.push(egg([-1.12, 0.0, 0.56], [0.065, 0.065, 0.14]));
    parts
}

fn build() -> Solid {
    let mut parts = vec![blend([vec![trunk()], head(), udder(), tail()].concat(), 0.05)];
    for s in [1.0, -1.0] {
        parts.push(ear(s));
        parts.extend(horn(s));
        parts.push(hoof(0.37, 0.17 * s));
        parts.push(hoof(-0.77, 0.17 * s));
    }
    blend(parts, 0.02)
}

/// Sorts the triangles of cows into parts to be coloured.
pub fn paint(_solid: &Solid, surface: Surface) -> Surface {
    let _ = SurfacePart::default();
    surface
}
