//! The matter of an exact rigid body: four elements that have its mass, its centre of mass and its inertia.
//!
//! Four equal masses `m/4` at `(±a, ±b, ±c)` with an even number of minus signs, in the principal axes of `∫ x xᵀ dm =
//! diag(m a², m b², m c²)`, have no first moment and the same second moments as the body: they are *equimomental*. Loads,
//! probes, skins and recordings need to know elements and nothing else.

use crate::discretize::Matter;
use crate::linear::Vectors;
use crate::linear::eigen::principal_frame;
use crate::model::element::NO_ANCHOR;
use crate::model::shape::{MassProperties, PlacedShape, ShapeError, Sheets, mass_properties_with};
use crate::model::{BodyId, Skin, Surface};
use glamx::{DMat3, DVec3};

/// A body thinner than this, relative to its width, is a sheet [1].
const THINNEST: f64 = 1e-6;

/// Sides of round shapes in the skin that says how far a body reaches.
const SIDES: usize = 16;

/// Signs of the corners of a tetrahedron.
const CORNERS: [DVec3; 4] =
    [DVec3::new(1.0, 1.0, 1.0), DVec3::new(1.0, -1.0, -1.0), DVec3::new(-1.0, 1.0, -1.0), DVec3::new(-1.0, -1.0, 1.0)];

/// The elements of a body of these shapes and density [kg/m³] with its centre of mass where its shapes say, or at `centre`.
pub fn exact(parts: &[PlacedShape], centre: Option<DVec3>, density: f64, sheets: Sheets) -> Result<Matter, ShapeError> {
    let whole = mass_properties_with(parts, density, sheets)?;
    let middle = centre.unwrap_or(whole.centre);
    let (frame, reach) = tetrahedron(&whole);
    let mut positions = Vectors::zeros(4);
    CORNERS.iter().enumerate().for_each(|(k, sign)| positions.set(k, middle + frame * (reach * *sign)));
    Ok(Matter {
        skin: Some(skin(parts, &positions)),
        positions,
        masses: vec![0.25 * whole.mass; 4],
        radii: vec![size(reach); 4],
        anchors: vec![NO_ANCHOR; 4],
        insets: vec![0.0; 4],
        surface: vec![false; 4],
        coincident_spheres: 1,
        ..Matter::default()
    })
}

/// The skin of all parts, riding on the four elements.
fn skin(parts: &[PlacedShape], corners: &Vectors) -> Skin {
    let surface = Surface::of_shapes(parts.iter().map(|p| (&p.shape, p.at, p.rotation)), SIDES);
    let ridden = std::array::from_fn(|k| (k as u32, corners.get(k)));
    Skin::on_four(surface, BodyId::default(), ridden)
}

/// What gaps of the body are compared with [m]: its thickness, but that of a sheet says nothing of where it is touched.
fn size(reach: DVec3) -> f64 {
    if reach.min_element() > THINNEST * reach.max_element() { reach.min_element() } else { reach.max_element() }
}

/// The axes and half sides of the box whose corners the elements take; it is never quite flat, so that skins ride on them.
fn tetrahedron(whole: &MassProperties) -> (DMat3, DVec3) {
    let (moments, turn) = principal_frame(whole.inertia);
    let trace = moments.x + moments.y + moments.z;
    let second = (DVec3::splat(0.5 * trace) - moments).max(DVec3::ZERO);
    let reach = (second / whole.mass).map(f64::sqrt);
    (DMat3::from_quat(turn), reach.max(DVec3::splat(THINNEST * reach.max_element())))
}
