//! Mass, centre of mass and inertia of shapes by exact integration.

use super::{PlacedShape, Shape, ShapeError, TriangleMesh, matrix};
use glamx::{DMat3, DVec3};
use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// What a rigid body weighs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MassProperties {
    /// Mass [kg].
    pub mass: f64,
    /// Centre of mass in the body's frame [m].
    pub centre: DVec3,
    /// Inertia about the centre of mass, in the axes of the body's frame [kg m²].
    pub inertia: DMat3,
}

/// What an open mesh weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sheets {
    /// Nothing that could be known: it is refused.
    Refused,
    /// As a sheet of even thickness, one metre: for bodies whose mass is given, or does not matter because they are held.
    Even,
}

/// Mass properties of a compound of homogeneous solids; where parts overlap, matter counts twice. Open meshes are refused.
pub fn mass_properties(parts: &[PlacedShape], density: f64) -> Result<MassProperties, ShapeError> {
    mass_properties_with(parts, density, Sheets::Refused)
}

/// Mass properties of a compound of homogeneous solids and, if they are allowed, sheets.
pub fn mass_properties_with(parts: &[PlacedShape], density: f64, sheets: Sheets) -> Result<MassProperties, ShapeError> {
    if !(density.is_finite() && density > 0.0) {
        return Err(ShapeError::Density(density));
    }
    let mut placed = Vec::with_capacity(parts.len());
    for part in parts {
        part.check()?;
        let own = match (&part.shape, sheets) {
            (Shape::Mesh(mesh), Sheets::Even) if mesh.open_edges() > 0 => sheet(mesh),
            _ => solid(&part.shape)?,
        };
        placed.push(place(own, part, density));
    }
    let mass: f64 = placed.iter().map(|p| p.mass).sum();
    if placed.is_empty() {
        return Err(ShapeError::Empty);
    }
    let centre = placed.iter().map(|p| p.centre * p.mass).sum::<DVec3>() / mass;
    let inertia = placed.iter().fold(DMat3::ZERO, |sum, p| sum + p.inertia + steiner(p.mass, p.centre - centre));
    Ok(MassProperties { mass, centre, inertia })
}

/// Steiner's term `m (|d|² 1 − d dᵀ)` of a mass at a distance.
fn steiner(mass: f64, d: DVec3) -> DMat3 {
    (DMat3::IDENTITY * d.length_squared() - outer(d, d)) * mass
}

/// `a bᵀ`.
fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// Unit density in the shape's frame to the given density in the body's frame.
fn place(p: MassProperties, part: &PlacedShape, density: f64) -> MassProperties {
    let r = matrix(part.rotation);
    MassProperties {
        mass: p.mass * density,
        centre: part.at + r * p.centre,
        inertia: r * p.inertia * r.transpose() * density,
    }
}

/// A shape of density one in its own frame.
fn solid(shape: &Shape) -> Result<MassProperties, ShapeError> {
    let round = |mass: f64, z: f64, across: f64, along: f64| MassProperties {
        mass,
        centre: DVec3::Z * z,
        inertia: DMat3::from_diagonal(DVec3::new(across, across, along)),
    };
    Ok(match *shape {
        Shape::Sphere { radius } => ellipsoid(DVec3::splat(radius)),
        Shape::Ellipsoid { semi_axes } => ellipsoid(semi_axes),
        Shape::Box { half_size } => diagonal(8.0 * half_size.element_product(), half_size, 1.0 / 3.0),
        Shape::Capsule { half_length, radius } => capsule(half_length, radius),
        Shape::Cylinder { half_length: l, radius: r } => {
            let m = 2.0 * PI * r * r * l;
            round(m, 0.0, m * (r * r / 4.0 + l * l / 3.0), m * r * r / 2.0)
        }
        Shape::Cone { half_length: l, radius: r } => {
            let m = 2.0 / 3.0 * PI * r * r * l;
            round(m, -l / 2.0, m * 3.0 / 20.0 * (r * r + l * l), m * 0.3 * r * r)
        }
        Shape::Polyhedron(ref p) => enclosed(p.vertices(), p.triangles()),
        Shape::Mesh(ref m) => {
            let found = enclosed(m.vertices(), m.triangles().iter().copied());
            if m.open_edges() > 0 || !(found.mass.is_finite() && found.mass > 0.0) {
                return Err(ShapeError::Open { edges: m.open_edges(), volume: found.mass });
            }
            found
        }
        Shape::Plane => return Err(ShapeError::PlaneHasNoMass),
    })
}

/// A solid whose second moments are `∫ x_i² dV = factor · m a_i²`.
fn diagonal(m: f64, a: DVec3, factor: f64) -> MassProperties {
    let s = a * a * (m * factor);
    let inertia = DMat3::from_diagonal(DVec3::new(s.y + s.z, s.z + s.x, s.x + s.y));
    MassProperties { mass: m, centre: DVec3::ZERO, inertia }
}

/// `∫ x² dV = m a²/5`.
fn ellipsoid(semi_axes: DVec3) -> MassProperties {
    diagonal(4.0 / 3.0 * PI * semi_axes.element_product(), semi_axes, 0.2)
}

/// A cylinder and two half balls, whose centres of mass lie 3r/8 beyond the ends of the segment.
fn capsule(l: f64, r: f64) -> MassProperties {
    let (tube, ball) = (2.0 * PI * r * r * l, 4.0 / 3.0 * PI * r * r * r);
    let along = tube * r * r / 2.0 + ball * 0.4 * r * r;
    let across = tube * (r * r / 4.0 + l * l / 3.0) + ball * (0.4 * r * r + l * l + 0.75 * l * r);
    MassProperties {
        mass: tube + ball,
        centre: DVec3::ZERO,
        inertia: DMat3::from_diagonal(DVec3::new(across, across, along)),
    }
}

/// A sheet of triangles, one metre thick in all that counts: a triangle of area `A` with corners `v_i` has
/// `∫ x xᵀ dA = A/12 (Σ v_i v_iᵀ + (Σ v_i)(Σ v_i)ᵀ)`.
fn sheet(mesh: &TriangleMesh) -> MassProperties {
    let (mut m, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    let o = mesh.vertices().iter().sum::<DVec3>() / mesh.vertices().len().max(1) as f64;
    for triangle in mesh.triangles() {
        let [a, b, c] = triangle.map(|v| mesh.vertices()[v as usize] - o);
        let (area, s) = (0.5 * (b - a).cross(c - a).length(), a + b + c);
        m += area;
        first += s * (area / 3.0);
        second += (outer(a, a) + outer(b, b) + outer(c, c) + outer(s, s)) * (area / 12.0);
    }
    about_centre((m, first, second), o)
}

/// Mass properties from the moments of order 0, 1 and 2 about a point `o` [m].
fn about_centre((m, first, second): (f64, DVec3, DMat3), o: DVec3) -> MassProperties {
    let centre = first / m;
    let about_o = DMat3::IDENTITY * (second.x_axis.x + second.y_axis.y + second.z_axis.z) - second;
    MassProperties { mass: m, centre: o + centre, inertia: about_o - steiner(m, centre) }
}

/// The inside of a closed surface by Gauss's theorem: the sum over the tetrahedra of the triangles and one point `o`, signed.
/// A tetrahedron of volume `V` with corners `v_i` has `∫ x xᵀ dV = V/20 (Σ v_i v_iᵀ + (Σ v_i)(Σ v_i)ᵀ)`.
fn enclosed(vertices: &[DVec3], triangles: impl Iterator<Item = [u32; 3]>) -> MassProperties {
    let o = vertices.iter().sum::<DVec3>() / vertices.len().max(1) as f64;
    let (mut m, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| vertices[v as usize] - o);
        let (v, s) = (a.dot(b.cross(c)) / 6.0, a + b + c);
        m += v;
        first += s * (v / 4.0);
        second += (outer(a, a) + outer(b, b) + outer(c, c) + outer(s, s)) * (v / 20.0);
    }
    about_centre((m, first, second), o)
}
