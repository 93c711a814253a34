//! The coat of the cow: triangles sorted into parts to be coloured.

use crate::Solid;
use crate::cow::{LENGTH, ears, egg, eyes, hooves, horns, muzzle, tuft, udder};
use kreisel::DVec3;
use kreisel::model::{Surface, SurfacePart};
use std::sync::OnceLock;

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
