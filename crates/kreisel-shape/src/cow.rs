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

fn hooves() -> Vec<Solid> {
    [(0.39, 0.155), (0.39, -0.155), (-0.77, 0.155), (-0.77, -0.155)].map(|(x, y)| hoof(x, y)).to_vec()
}

fn head() -> Vec<Solid> {
    let mut parts = chain(&[([0.88, 0.0, 1.46], 0.115), ([1.07, 0.0, 1.22], 0.085)]);
    // Forehead and jaw.
    parts.push(egg([0.91, 0.0, 1.47], [0.10, 0.135, 0.10]));
    parts.extend(chain(&[([0.86, 0.0, 1.35], 0.075), ([1.02, 0.0, 1.18], 0.06)]));
    parts
}

fn muzzle() -> Solid {
    let tilt = DQuat::from_rotation_y(0.9);
    Solid::Ellipsoid { radii: v(0.085, 0.115, 0.085) }.turned(tilt).at(v(1.113, 0.0, 1.185))
}

fn eye(s: f64) -> Solid {
    egg([0.965, 0.112 * s, 1.44], [0.035, 0.03, 0.035])
}

fn eyes() -> Vec<Solid> {
    [1.0, -1.0].map(eye).to_vec()
}

fn ear(s: f64) -> Solid {
    let turn = DQuat::from_rotation_x(-0.30 * s) * DQuat::from_rotation_z(0.30 * s) * DQuat::from_rotation_y(0.5);
    Solid::Ellipsoid { radii: v(0.072, 0.14, 0.045) }.turned(turn).at(v(0.825, 0.22 * s, 1.465))
}

fn ears() -> Vec<Solid> {
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

fn horns() -> Vec<Solid> {
    [1.0, -1.0].map(horn).concat()
}

fn udder() -> Vec<Solid> {
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

fn tuft() -> Solid {
    egg([-1.138, 0.0, 0.55], [0.065, 0.065, 0.15])
}

fn build() -> Solid {
    let soft = [vec![trunk(), muzzle(), tuft()], head(), udder(), tail()].concat();
    let parts = [vec![blend(soft, 0.05)], ears(), horns(), eyes(), hooves()].concat();
    blend(parts, 0.02)
}

/// Colours of a cow, nearest first where several would do.
struct Coat {
    /// Name and what is coloured so.
    parts: Vec<(&'static str, Solid)>,
    /// Dark spots of the coat.
    spots: Solid,
}

fn coat() -> &'static Coat {
    static COAT: OnceLock<Coat> = OnceLock::new();
    COAT.get_or_init(|| Coat {
        parts: vec![
            ("eye", Solid::Union(eyes())),
            ("horn", Solid::Union(horns())),
            ("hoof", Solid::Union(hooves())),
            ("udder", Solid::Union(udder())),
            ("muzzle", muzzle()),
        ],
        spots: spots(),
    })
}

/// Spots differ left and right, as they do.
fn spots() -> Solid {
    let spot = |at: [f64; 3], radii: [f64; 3]| egg(at, radii);
    let body = vec![
        spot([0.42, 0.25, 1.18], [0.26, 0.20, 0.30]),
        spot([-0.20, 0.30, 0.98], [0.24, 0.20, 0.22]),
        spot([-0.78, 0.22, 1.22], [0.20, 0.20, 0.30]),
        spot([0.16, -0.28, 1.12], [0.30, 0.20, 0.24]),
        spot([-0.42, -0.28, 1.02], [0.17, 0.20, 0.20]),
        spot([-0.86, -0.20, 0.98], [0.20, 0.18, 0.30]),
        spot([0.62, -0.20, 1.16], [0.14, 0.16, 0.22]),
        spot([-0.45, 0.0, 1.42], [0.26, 0.14, 0.14]),
    ];
    let face = [1.0, -1.0].map(|s| spot([0.92, 0.15 * s, 1.46], [0.13, 0.11, 0.14]));
    Solid::Union([body, face.to_vec(), ears(), vec![tuft()]].concat())
}

/// What keeps the edges of the spots from being ellipses [m].
fn ragged(p: DVec3) -> f64 {
    let behind_ears = p.x < 0.75;
    let wave = (11.0 * p.x + 5.0 * p.z + 7.0 * p.y).sin() * (9.0 * p.z - 6.0 * p.x + 1.0).sin();
    if behind_ears && p.x > -1.0 { 0.06 * wave } else { 0.0 }
}

/// The name of the part that a place on the surface of a cow belongs to.
fn part_at(p: DVec3, length: f64) -> &'static str {
    let x = p * (LENGTH / length);
    let coat = coat();
    let near = coat.parts.iter().find(|(_, solid)| solid.distance(x) < 0.008);
    match near {
        Some((name, _)) => name,
        None if coat.spots.distance(x) + ragged(x) < 0.006 => "patch",
        None => "coat",
    }
}

/// The name of the part of a solid that a place on its surface belongs to; empty: none.
fn name_at(solid: &Solid, p: DVec3) -> &'static str {
    match solid {
        Solid::Cow { length } => part_at(p, *length),
        Solid::Moved { at, rotation, scale, solid } => name_at(solid, rotation.inverse() * (p - at) / scale),
        Solid::Shell { solid, .. } | Solid::Difference(solid, _) => name_at(solid, p),
        Solid::Union(parts) | Solid::Blend { parts, .. } | Solid::Intersection(parts) => {
            let distance = |s: &&Solid| s.distance(p).abs();
            parts.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).map_or("", |s| name_at(s, p))
        }
        _ => "",
    }
}

/// Whether there is a cow in a solid.
fn has_cow(solid: &Solid) -> bool {
    match solid {
        Solid::Cow { .. } => true,
        Solid::Moved { solid, .. } | Solid::Shell { solid, .. } | Solid::Difference(solid, _) => has_cow(solid),
        Solid::Union(parts) | Solid::Blend { parts, .. } | Solid::Intersection(parts) => parts.iter().any(has_cow),
        _ => false,
    }
}

/// Sorts the triangles around cows into parts to be coloured.
pub fn paint(solid: &Solid, mut surface: Surface) -> Surface {
    if !has_cow(solid) {
        return surface;
    }
    let middle = |t: &[u32; 3]| t.iter().map(|v| surface.vertices[*v as usize]).sum::<DVec3>() / 3.0;
    let mut named: Vec<(&str, [u32; 3])> = surface.triangles.iter().map(|t| (name_at(solid, middle(t)), *t)).collect();
    named.sort_by_key(|(name, _)| *name);
    surface.parts = runs(&named);
    surface.triangles = named.into_iter().map(|(_, t)| t).collect();
    surface
}

fn runs(named: &[(&str, [u32; 3])]) -> Vec<SurfacePart> {
    let mut parts: Vec<SurfacePart> = Vec::new();
    for (k, (name, _)) in named.iter().enumerate() {
        match parts.last_mut() {
            Some(part) if part.name == *name => part.count += 1,
            _ => parts.push(SurfacePart { name: name.to_string(), first: k as u32, count: 1 }),
        }
    }
    parts
}
