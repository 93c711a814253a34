//! Solids cut from surfaces have the mass, the centre and the inertia of the textbook.
//!
//! Cells at the surface count by how far they are filled; masses are then balanced. References are closed forms of the
//! smooth solids; the surfaces that are cut have so many triangles that what they lack is a twentieth of the tolerance.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{centre, elements_of, simulate};
use kreisel::linear::eigen::{outer, principal_frame};
use kreisel::model::setup::{BodySetup, BodyShape, Resolution};
use kreisel::model::{Setup, Surface};
use kreisel::{DMat3, DQuat, DVec3, Simulation};
use std::f64::consts::PI;
use std::sync::Arc;

/// The case.
pub const CASE: Case = Case {
    name: "solids",
    about: "solids cut from surfaces have their mass, centre and inertia",
    reference: "Closed forms of mass, centre and inertia of the smooth solids.",
    run,
};

/// Segments of a circle: an inscribed polygon lacks `2π²/3n²` of its area, 0.01 %.
const SEGMENTS: u32 = 256;
const DENSITY: f64 = 1000.0;

/// A solid with what the textbook says: volume [m³], centre [m], principal moments over mass [m²], ascending.
struct Solid {
    name: &'static str,
    surface: Surface,
    volume: f64,
    centre: DVec3,
    gyration: DVec3,
}

fn run(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    // Principal axes of a turned body are not those of the lattice.
    let turn = DQuat::from_rotation_x(0.5) * DQuat::from_rotation_z(0.3);
    for solid in solids() {
        let turned = solid.surface.vertices.iter().map(|x| turn * *x).collect();
        let surface = Arc::new(Surface { vertices: turned, ..solid.surface.clone() });
        for (cells, tolerance) in settings.pick(vec![(20, 0.01)], vec![(10, 0.1), (20, 0.01), (40, 0.002)]) {
            let sim = cut(&surface, cells)?;
            let (low, high) = surface.bounds();
            let found = centre(&sim, "solid")?;
            let label = |what: &str| format!("{}, {cells} cells across: {what}", solid.name);
            let reason = "required: 0.5 %; the triangles lack 0.01 %";
            checks.within(label("mass"), found.mass, DENSITY * solid.volume, 0.005, reason);
            let off = found.position.distance(turn * solid.centre) / (high - low).max_element();
            checks.at_most(label("centre / size"), off, 0.002, "required: 0.2 %");
            let moments = gyration(&sim, found.position, found.mass)?;
            let error = (moments / solid.gyration - 1.0).abs().max_element();
            checks.at_most(label("inertia"), error, tolerance, "required: 1 % with 20 cells; falls with their size");
        }
    }
    Ok(())
}

fn cut(surface: &Arc<Surface>, cells: u32) -> Result<Simulation, String> {
    let shape = BodyShape::Solid { surface: surface.clone(), resolution: Resolution::CellsAcross(cells) };
    let body = BodySetup { name: "solid".into(), shape, ..BodySetup::default() };
    simulate(&Setup { bodies: vec![body], ..Setup::default() })
}

/// Principal moments over mass, ascending [m²].
fn gyration(sim: &Simulation, centre: DVec3, mass: f64) -> Result<DVec3, String> {
    let second = elements_of(sim, "solid")?.into_iter().fold(DMat3::ZERO, |sum, e| {
        let r = sim.state().position.get(e) - centre;
        let part = DMat3::from_diagonal(DVec3::splat(r.length_squared())) - outer(r, r);
        sum + part * sim.model().elements.mass[e]
    });
    let mut moments = principal_frame(second).0.to_array();
    moments.sort_by(f64::total_cmp);
    Ok(DVec3::from(moments) / mass)
}

fn sorted(a: f64, b: f64, c: f64) -> DVec3 {
    let mut values = [a, b, c];
    values.sort_by(f64::total_cmp);
    DVec3::from(values)
}

fn solids() -> Vec<Solid> {
    [cylinder(), cone(), paraboloid(), torus(), hollow_ball(), angle_bracket()].into_iter().chain(cow()).collect()
}

/// The cow has no closed form: its triangles are integrated exactly, tetrahedron by tetrahedron from the origin.
fn cow() -> Option<Solid> {
    let text = "[[body]]\nshape = \"cow\"\ncell = \"4 cm\"";
    let BodyShape::Solid { surface, .. } = kreisel_scene::read("cow", text).ok()?.setup.bodies.remove(0).shape else {
        return None;
    };
    let (mut volume, mut moment, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    for t in 0..surface.triangles.len() {
        let corners = surface.corners(t);
        let part = corners[0].dot(corners[1].cross(corners[2])) / 6.0;
        let sum = corners[0] + corners[1] + corners[2];
        volume += part;
        moment += sum * (part / 4.0);
        // ∫ x xᵀ over a tetrahedron with one corner in the origin: V/20 (Σ c cᵀ + s sᵀ), s the sum of the corners.
        let squares = corners.iter().fold(outer(sum, sum), |m, &c| m + outer(c, c));
        second += squares * (part / 20.0);
    }
    let centre = moment / volume;
    let second = second * (1.0 / volume) - outer(centre, centre);
    let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
    let inertia = DMat3::from_diagonal(DVec3::splat(trace)) - second;
    let [a, b, c] = principal_frame(inertia).0.to_array();
    Some(Solid { name: "cow", surface: (*surface).clone(), volume, centre, gyration: sorted(a, b, c) })
}

fn cylinder() -> Solid {
    let (r, h) = (0.5_f64, 1.3);
    Solid {
        name: "cylinder",
        surface: revolved(&[(0.0, 0.0), (r, 0.0), (r, h), (0.0, h)]),
        volume: PI * r * r * h,
        centre: DVec3::Z * 0.5 * h,
        gyration: sorted(0.5 * r * r, (3.0 * r * r + h * h) / 12.0, (3.0 * r * r + h * h) / 12.0),
    }
}

fn cone() -> Solid {
    let (r, h) = (0.5_f64, 1.0);
    let across = 3.0 / 80.0 * (4.0 * r * r + h * h);
    Solid {
        name: "cone",
        surface: revolved(&[(0.0, 0.0), (r, 0.0), (0.0, h)]),
        volume: PI * r * r * h / 3.0,
        centre: DVec3::Z * 0.25 * h,
        gyration: sorted(0.3 * r * r, across, across),
    }
}

fn paraboloid() -> Solid {
    let (r, h, steps) = (0.5_f64, 0.8, 200);
    let point = |k: u32| (r * f64::from(k) / f64::from(steps), h * (f64::from(k) / f64::from(steps)).powi(2));
    let profile: Vec<(f64, f64)> = (0..=steps).map(point).chain([(0.0, h)]).collect();
    let across = (3.0 * r * r + h * h) / 18.0;
    Solid {
        name: "paraboloid",
        surface: revolved(&profile),
        volume: 0.5 * PI * r * r * h,
        centre: DVec3::Z * (2.0 / 3.0) * h,
        gyration: sorted(r * r / 3.0, across, across),
    }
}

fn torus() -> Solid {
    let (ring, tube) = (1.0_f64, 0.4);
    let point = |k: u32| {
        let (sin, cos) = (2.0 * PI * f64::from(k % SEGMENTS) / f64::from(SEGMENTS)).sin_cos();
        (ring + tube * cos, tube * sin)
    };
    let across = 0.5 * ring * ring + 0.625 * tube * tube;
    Solid {
        name: "torus",
        surface: revolved(&(0..=SEGMENTS).map(point).collect::<Vec<_>>()),
        volume: 2.0 * PI * PI * ring * tube * tube,
        centre: DVec3::ZERO,
        gyration: sorted(across, across, ring * ring + 0.75 * tube * tube),
    }
}

fn hollow_ball() -> Solid {
    let (outer, inner) = (0.5_f64, 0.3_f64);
    let half = |r: f64| {
        let point = |k: u32| {
            let (sin, cos) = (2.0 * PI * f64::from(k) / f64::from(SEGMENTS)).sin_cos();
            (if (2 * k).is_multiple_of(SEGMENTS) { 0.0 } else { r * sin }, -r * cos)
        };
        revolved(&(0..=SEGMENTS / 2).map(point).collect::<Vec<_>>())
    };
    let (mut surface, cavity) = (half(outer), half(inner));
    let shift = surface.vertices.len() as u32;
    surface.vertices.extend(&cavity.vertices);
    surface.triangles.extend(cavity.triangles.iter().map(|&[a, b, c]| [a + shift, c + shift, b + shift]));
    let gyration = 0.4 * (outer.powi(5) - inner.powi(5)) / (outer.powi(3) - inner.powi(3));
    let volume = 4.0 / 3.0 * PI * (outer.powi(3) - inner.powi(3));
    Solid { name: "hollow ball", surface, volume, centre: DVec3::ZERO, gyration: DVec3::splat(gyration) }
}

/// An L of two boxes: 1 m by 0.3 m, and 0.3 m by 0.5 m on top of its end; 0.4 m thick.
fn angle_bracket() -> Solid {
    let outline = [(0.0, 0.0), (1.0, 0.0), (1.0, 0.3), (0.3, 0.3), (0.3, 0.8), (0.0, 0.8)];
    let n = outline.len() as u32;
    let level = |z: f64| outline.iter().map(move |&(x, y)| DVec3::new(x, y, z));
    let caps = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]];
    let mut triangles: Vec<[u32; 3]> = caps.iter().flat_map(|&[a, b, c]| [[a, c, b], [a + n, b + n, c + n]]).collect();
    triangles.extend((0..n).flat_map(|k| [[k, (k + 1) % n, (k + 1) % n + n], [k, (k + 1) % n + n, k + n]]));
    let surface = Surface { vertices: level(0.0).chain(level(0.4)).collect(), triangles, ..Surface::default() };
    let boxes = [
        (DVec3::new(1.0, 0.3, 0.4), DVec3::new(0.5, 0.15, 0.2)),
        (DVec3::new(0.3, 0.5, 0.4), DVec3::new(0.15, 0.55, 0.2)),
    ];
    let volume: f64 = boxes.iter().map(|b| b.0.element_product()).sum();
    let centre = boxes.iter().fold(DVec3::ZERO, |s, (size, at)| s + *at * size.element_product()) / volume;
    let inertia = boxes.iter().fold(DMat3::ZERO, |sum, (size, at)| {
        let (m, r, own) = (size.element_product(), *at - centre, *size * *size / 12.0);
        let spread = DMat3::from_diagonal(own) + outer(r, r);
        let trace = spread.diagonal().element_sum();
        sum + (DMat3::from_diagonal(DVec3::splat(trace)) - spread) * m
    });
    let moments = principal_frame(inertia).0 / volume;
    Solid { name: "L", surface, volume, centre, gyration: sorted(moments.x, moments.y, moments.z) }
}

/// A profile `(r, z)` turned about z; it begins and ends on the axis, or is closed if its ends agree.
fn revolved(profile: &[(f64, f64)]) -> Surface {
    let closed = profile.first() == profile.last();
    let count = profile.len() - usize::from(closed);
    let (mut surface, mut rings) = (Surface::default(), Vec::new());
    for &(r, z) in &profile[..count] {
        rings.push((surface.vertices.len() as u32, r == 0.0));
        let on_ring = |j: u32| {
            let (sin, cos) = (2.0 * PI * f64::from(j) / f64::from(SEGMENTS)).sin_cos();
            DVec3::new(r * cos, r * sin, z)
        };
        surface.vertices.extend((0..if r == 0.0 { 1 } else { SEGMENTS }).map(on_ring));
    }
    let at = |(first, point): (u32, bool), j: u32| if point { first } else { first + j % SEGMENTS };
    for k in 0..count - usize::from(!closed) {
        let (a, b) = (rings[k], rings[(k + 1) % count]);
        for j in 0..SEGMENTS {
            let [p, q, r, s] = [at(a, j), at(a, j + 1), at(b, j + 1), at(b, j)];
            surface.triangles.extend([[p, q, r], [p, r, s]]);
        }
    }
    surface.triangles.retain(|t| t[0] != t[1] && t[1] != t[2] && t[2] != t[0]);
    if surface.volume() < 0.0 {
        surface.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    }
    surface
}
