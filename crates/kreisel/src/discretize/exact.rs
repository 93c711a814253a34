//! The matter of an exact rigid body: four elements that have its mass, its centre of mass and its inertia.
//!
//! Four equal masses `m/4` at `(±a, ±b, ±c)` with an even number of minus signs, in the principal axes of `∫ x xᵀ dm =
//! diag(m a², m b², m c²)`, have no first moment and the same second moments as the body: they are *equimomental*. Loads,
//! probes, skins and recordings need to know elements and nothing else.

use crate::discretize::Matter;
use crate::linear::Vectors;
use crate::linear::eigen::principal_frame;
use crate::model::element::NO_ANCHOR;
use crate::model::shape::{MassProperties, PlacedShape, ShapeError, mass_properties, surface};
use crate::model::{Bindings, Skin, Surface};
use glamx::{DMat3, DVec3};

/// How finely round shapes are drawn.
const DETAIL: usize = 16;

/// Signs of the corners of a tetrahedron.
const CORNERS: [DVec3; 4] =
    [DVec3::new(1.0, 1.0, 1.0), DVec3::new(1.0, -1.0, -1.0), DVec3::new(-1.0, 1.0, -1.0), DVec3::new(-1.0, -1.0, 1.0)];

/// The elements of a body of these shapes and density [kg/m³] with its centre of mass where its shapes say, or at `centre`.
pub fn exact(parts: &[PlacedShape], centre: Option<DVec3>, density: f64) -> Result<Matter, ShapeError> {
    let whole = mass_properties(parts, density)?;
    let middle = centre.unwrap_or(whole.centre);
    let (frame, reach) = tetrahedron(&whole);
    let mut positions = Vectors::zeros(4);
    CORNERS.iter().enumerate().for_each(|(k, sign)| positions.set(k, middle + frame * (reach * *sign)));
    Ok(Matter {
        skin: Some(skin(parts, middle, frame, reach)),
        positions,
        masses: vec![0.25 * whole.mass; 4],
        radii: vec![reach.min_element(); 4],
        anchors: vec![NO_ANCHOR; 4],
        insets: vec![0.0; 4],
        surface: vec![false; 4],
        coincident_spheres: 1,
        ..Matter::default()
    })
}

/// The axes and half sides of the box whose corners the elements take.
fn tetrahedron(whole: &MassProperties) -> (DMat3, DVec3) {
    let (moments, turn) = principal_frame(whole.inertia);
    let trace = moments.x + moments.y + moments.z;
    let second = (DVec3::splat(0.5 * trace) - moments).max(DVec3::ZERO);
    (DMat3::from_quat(turn), (second / whole.mass).map(f64::sqrt))
}

/// Triangles around all parts, riding on the four elements: `x = Σ ¼(1 + Σ_k sign_k ξ_k) x_corner`, `ξ` in units of the box.
fn skin(parts: &[PlacedShape], middle: DVec3, frame: DMat3, reach: DVec3) -> Skin {
    let mut all = Surface::default();
    for part in parts {
        let (vertices, triangles) = surface(&part.shape, DETAIL);
        let before = all.vertices.len() as u32;
        all.vertices.extend(vertices.iter().map(|&x| part.at + part.rotation * x));
        all.triangles.extend(triangles.iter().map(|t| t.map(|v| v + before)));
    }
    let mut bindings = Bindings::default();
    for &x in &all.vertices {
        let xi = frame.transpose() * (x - middle) / reach;
        bindings.push((0..4).map(|k| (k as u32, 0.25 * (1.0 + xi.dot(CORNERS[k])))));
    }
    let (rest, triangles) = (all.vertices.clone(), all.triangles.clone());
    Skin { origin: (0..triangles.len() as u32).collect(), surface: all, rest, triangles, bindings, ..Skin::default() }
}
