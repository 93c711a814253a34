//! Solids cut from surfaces: mass properties, stiffness, contact spheres and the explicit step.
#![allow(clippy::unwrap_used)]

mod shapes;

use glamx::EulerRot;
use kreisel::discretize::{DiscretizeError, Fabric, Matter, solid_lattice};
use kreisel::linear::Vectors;
use kreisel::linear::eigen::{outer, principal_frame};
use kreisel::model::setup::{BodySetup, BodyShape, ContactSettings, Resolution};
use kreisel::model::{Material, Obstacle, ObstacleShape, Setup, Surface};
use kreisel::statics::{Held, StaticParams, StaticProblem, solve_statics};
use kreisel::{DMat3, DQuat, DVec3, Simulation};
use shapes::*;
use std::sync::Arc;

fn try_cut(surface: &Surface, resolution: Resolution) -> Result<Matter, DiscretizeError> {
    let materials = [Material::default()];
    solid_lattice(surface, resolution, Fabric { materials: &materials, at: &|_| 0 })
}

fn cut(surface: &Surface, resolution: Resolution) -> Matter {
    try_cut(surface, resolution).unwrap()
}

fn turn() -> DQuat {
    DQuat::from_euler(EulerRot::XYZ, 0.3, 0.7, 1.1)
}

fn solids() -> Vec<(&'static str, Surface)> {
    vec![
        ("cylinder", cylinder(0.5, 1.3, 96)),
        ("cone", cone(0.5, 1.0, 96)),
        ("vase", vase(96)),
        ("L", angle_bracket()),
        ("L, turned", placed(angle_bracket(), turn(), DVec3::new(3.0, -2.0, 5.0))),
        ("torus", torus(1.0, 0.3, 48)),
        ("hollow ball", hollow_ball(0.5, 0.3, 48)),
        ("ball", ball(0.5, 48)),
        ("turned box", placed(cuboid(DVec3::new(1.0, 0.6, 0.4)), turn(), DVec3::ZERO)),
    ]
}

/// Mass, centre and principal moments of points.
fn properties(points: impl Iterator<Item = (f64, DVec3)> + Clone) -> (f64, DVec3, DVec3) {
    let mass: f64 = points.clone().map(|p| p.0).sum();
    let centre = points.clone().fold(DVec3::ZERO, |s, (m, x)| s + m * x) / mass;
    let inertia = points.fold(DMat3::ZERO, |s, (m, x)| {
        let r = x - centre;
        s + DMat3::from_diagonal(DVec3::splat(m * r.length_squared())) - outer(r, r * m)
    });
    let mut moments = principal_frame(inertia).0.to_array();
    moments.sort_by(f64::total_cmp);
    (mass, centre, DVec3::from(moments))
}

/// Points that have the moments of the solid: four in each tetrahedron between a triangle and the origin, a quadrature that
/// is exact up to the second degree.
fn quadrature(surface: &Surface) -> Vec<(f64, DVec3)> {
    let (near, far) = ((5.0 - 5f64.sqrt()) / 20.0, (5.0 + 3.0 * 5f64.sqrt()) / 20.0);
    let of_triangle = |t: usize| {
        let [a, b, c] = surface.corners(t);
        let (m, s) = (1000.0 * a.dot(b.cross(c)) / 24.0, near * (a + b + c));
        [DVec3::ZERO, a, b, c].map(|corner| (m, s + (far - near) * corner))
    };
    (0..surface.triangles.len()).flat_map(of_triangle).collect()
}

#[test]
fn twenty_cells_across_give_mass_centre_and_inertia_and_more_cells_are_no_worse() {
    for (name, surface) in solids() {
        let (mass, centre, inertia) = properties(quadrature(&surface).into_iter());
        let (low, high) = surface.bounds();
        let mut last = f64::INFINITY;
        for cells in [5, 10, 20, 40] {
            let matter = cut(&surface, Resolution::CellsAcross(cells));
            let (m, c, i) = properties((0..matter.len()).map(|e| (matter.masses[e], matter.positions.get(e))));
            let error = (i / inertia - 1.0).abs().max_element();
            println!("{name}, {cells} cells across: {} elements, inertia {error:.1e}", matter.len());
            assert!((m / mass - 1.0).abs() < 1e-9 && c.distance(centre) < 1e-9 * (high - low).max_element(), "{name}");
            assert!(error < last.max(1e-9), "{name}: {error} at {cells} cells, {last} before");
            assert!(cells < 20 || error < 0.01, "{name}: {error}");
            last = error;
            let told = matter.fidelity.unwrap();
            assert!((told.worst_inertia_error() - error).abs() < 1e-6 && (told.mass / mass - 1.0).abs() < 1e-9);
        }
    }
}

/// What a solid may meet.
#[derive(Clone, Copy, Debug)]
enum Company {
    Nobody,
    Itself,
    Another,
    AnotherAndGround,
}

/// The step of a solid over `a/c_p`, with what is kept in reserve for contacts with the others.
fn step_among(company: Company, surface: &Surface, resolution: Resolution, material: &Material) -> f64 {
    let shape = BodyShape::Solid { surface: Arc::new(surface.clone()), resolution };
    let body = BodySetup { shape, material: material.clone(), ..BodySetup::default() };
    let another = BodySetup { name: "another".into(), at: DVec3::splat(10.0), ..body.clone() };
    let twofold = matches!(company, Company::Another | Company::AnotherAndGround);
    let bodies = if twofold { vec![body, another] } else { vec![body] };
    let shape = ObstacleShape::Plane { normal: DVec3::Z, offset: -100.0 };
    let ground = Obstacle { name: "ground".into(), shape, friction: None, restitution: None };
    let obstacles = vec![ground; usize::from(matches!(company, Company::AnotherAndGround))];
    let contact = ContactSettings { enabled: !matches!(company, Company::Nobody), ..ContactSettings::default() };
    let mut sim = Simulation::new(&Setup { bodies, obstacles, contact, ..Setup::default() }).unwrap();
    let side = sim.model().bodies[0].fidelity.as_ref().unwrap().side;
    let nu = material.poisson;
    let c_p = (material.young / material.density * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu))).sqrt();
    sim.plan().stable_step / (side / c_p)
}

/// The bulk's largest step is `a/c_p`. Contacts are as stiff as the elements below them can bear at half of it: what they add,
/// `d_j`, is at most `16 m_j c_p²/a² − 2λ_max(A_j)` for every element, so `ω² ≤ (2λ_max(A_j) + d_j)/m_j ≤ 16 c_p²/a²` and
/// `2/ω ≥ a/2c_p`. Without dampers, which may take more.
#[test]
fn the_explicit_step_stays_within_a_factor_two_of_the_bulk_whatever_it_may_touch() {
    let mut seed = 0x2545_f491_u32;
    let mut random = |low: f64, high: f64| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        low + (high - low) * f64::from(seed >> 8) / f64::from(1 << 24)
    };
    let companies = [Company::Nobody, Company::Itself, Company::Another, Company::AnotherAndGround];
    let mut worst = [f64::INFINITY; 4];
    for round in 0..24 {
        let plain = match round % 4 {
            0 => cuboid(DVec3::new(1.0, random(0.2, 1.0), random(0.1, 0.6))),
            1 => ball(0.5, 20),
            2 => torus(0.7, random(0.1, 0.4), 20),
            _ => cylinder(random(0.02, 0.1), 1.0, 24),
        };
        let turn = DQuat::from_euler(EulerRot::XYZ, random(0.0, 6.0), random(0.0, 6.0), random(0.0, 6.0));
        let surface = placed(plain, turn, DVec3::new(random(-1.0, 1.0), random(-1.0, 1.0), random(-1.0, 1.0)));
        let resolution = Resolution::CellSize(random(0.03, 0.12));
        let poisson = [0.25, 0.4, 0.1][round % 3];
        if let Err(refusal) = try_cut(&surface, resolution) {
            assert!(matches!(refusal, DiscretizeError::FallsApart { .. }), "{refusal}");
            continue;
        }
        let material = Material { poisson, damping: 0.0, restitution: 1.0, ..Material::default() };
        let ratio = companies.map(|c| step_among(c, &surface, resolution, &material));
        println!("{round}: ν = {poisson}: {ratio:.3?}");
        assert!(ratio.iter().all(|r| *r >= 0.5), "round {round}: {ratio:?} of a/c_p");
        worst = std::array::from_fn(|k| worst[k].min(ratio[k]));
    }
    println!("worst: {worst:.3?}");
}

#[test]
fn contact_spheres_lie_inside_touch_the_true_surface_and_ride_exactly() {
    for (name, surface) in solids() {
        let matter = cut(&surface, Resolution::CellsAcross(12));
        let side = matter.fidelity.as_ref().unwrap().side;
        let (mut count, mut whole) = (0, 0);
        for e in (0..matter.len()).filter(|&e| matter.surface[e]) {
            let perch = matter.perch[e] as usize;
            let total: f64 = matter.perches.of(perch).map(|w| w.1).sum();
            let size: f64 = matter.perches.of(perch).map(|w| w.1.abs()).sum();
            let centre = matter.perches.gather(perch, &matter.positions);
            assert!((total - 1.0).abs() < 1e-12 && size < 2.0, "{name}: weights add up to {total}, sizes to {size}");
            let gap = distance(&surface, centre) - matter.radii[e];
            assert!(gap.abs() < 1e-9 * side || matter.radii[e] <= 0.051 * side, "{name}: {gap} of {side}");
            count += 1;
            whole += usize::from(matter.radii[e] > 0.49 * side);
        }
        println!("{name}: {whole} of {count} spheres have half a cell");
        assert_eq!(count, matter.perches.len());
        assert!(name == "vase" || whole * 10 > count * 9);
    }
}

/// Distance from a surface, by a search over all triangles.
fn distance(surface: &Surface, x: DVec3) -> f64 {
    let to_segment = |a: DVec3, b: DVec3| {
        let t = ((x - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        (a + (b - a) * t).distance(x)
    };
    let to_triangle = |t: usize| {
        let [a, b, c] = surface.corners(t);
        let n = (b - a).cross(c - a).normalize();
        let inside = [(a, b), (b, c), (c, a)].iter().all(|(p, q)| n.cross(*q - *p).dot(x - *p) >= 0.0);
        let edges = to_segment(a, b).min(to_segment(b, c)).min(to_segment(c, a));
        if inside { n.dot(x - a).abs() } else { edges }
    };
    (0..surface.triangles.len()).map(to_triangle).fold(f64::INFINITY, f64::min)
}

#[test]
fn the_faces_of_a_solid_are_closed_and_look_outwards() {
    for (name, surface) in solids() {
        let matter = cut(&surface, Resolution::CellsAcross(10));
        let fidelity = matter.fidelity.as_ref().unwrap();
        let area = |f: &[u32; 4]| {
            let [a, b, c, d] = f.map(|e| matter.positions.get(e as usize));
            0.5 * (c - a).cross(d - b)
        };
        let volume: f64 =
            matter.faces.iter().map(|f| area(f).dot(matter.positions.get(f[0] as usize))).sum::<f64>() / 3.0;
        let expected = fidelity.cells as f64 * fidelity.side.powi(3);
        assert!((volume / expected - 1.0).abs() < 1e-9, "{name}: {volume}, {expected}");
        assert!(matter.faces.iter().flatten().all(|&e| matter.surface[e as usize]));
        assert!(matter.connections.ends.iter().all(|[a, b]| a < b));
    }
}

#[test]
fn a_turned_box_stretches_as_its_material_says() {
    let size = DVec3::new(2.0, 0.5, 0.5);
    for (cells, poisson) in [(8.0, 0.25), (5.0, 0.25), (6.0, 0.4)] {
        let surface = placed(cuboid(size), turn(), DVec3::ZERO);
        let materials = [Material { poisson, ..Material::default() }];
        let fabric = Fabric { materials: &materials, at: &|_| 0 };
        let matter = solid_lattice(&surface, Resolution::CellSize(0.5 / cells), fabric).unwrap();
        let strain = 1e-3;
        // Uniform tension along the box: both ends are moved as they would be, the rest is free.
        let moved = |x: DVec3| turn() * (strain * DVec3::new(1.0, -poisson, -poisson) * (turn().inverse() * x));
        let at_end = |x: DVec3| (turn().inverse() * x).x.abs() > 0.8;
        let held: Vec<Held> = (0..matter.len())
            .filter(|&e| at_end(matter.positions.get(e)))
            .map(|e| Held { element: e as u32, axes: [true; 3], displacement: moved(matter.positions.get(e)) })
            .collect();
        let (positions, connections) = (&matter.positions, &matter.connections);
        let loads = Vectors::zeros(matter.len());
        let problem = StaticProblem { positions, connections, cells: &matter.cells, loads: &loads, held: &held };
        let solution = solve_statics(&problem, &StaticParams::default()).unwrap();
        let work = solution.reactions.dot(&solution.displacements);
        let young = work / (strain * strain * size.x * size.y * size.z);
        println!("{cells} cells, ν = {poisson}: E/E₀ = {:.4}", young / 1e6);
        assert!((young / 1e6 - 0.99).abs() < 0.02, "{cells} cells: {young}");
    }
}

#[test]
fn thin_necks_hold_and_the_resolution_they_need_is_told() {
    // Two balls and a neck of 2 cm between them.
    let neck = [(0.0, -0.7), (0.2, -0.6), (0.2, -0.4), (0.01, -0.3), (0.01, 0.3), (0.2, 0.4), (0.2, 0.6), (0.0, 0.7)];
    let surface = placed(revolved(&neck, 24), DQuat::from_rotation_x(0.4), DVec3::ZERO);
    let coarse = cut(&surface, Resolution::CellSize(0.1));
    let warnings = &coarse.fidelity.as_ref().unwrap().warnings;
    assert!(warnings.iter().any(|w| w.contains("thin parts together") && w.contains("2.500e-2 m or smaller")));
    assert_eq!(components(&coarse), 1);
    let fine = cut(&surface, Resolution::CellSize(0.0245));
    assert_eq!(components(&fine), 1);
    assert!(fine.fidelity.unwrap().warnings.is_empty());
    let apart = together(ball(0.3, 16), &placed(ball(0.3, 16), DQuat::IDENTITY, DVec3::new(1.0, 0.0, 0.0)));
    assert_eq!(components(&cut(&apart, Resolution::CellSize(0.05))), 2);
    let near = together(ball(0.3, 16), &placed(ball(0.3, 16), DQuat::IDENTITY, DVec3::new(0.61, 0.0, 0.0)));
    let near = cut(&near, Resolution::CellSize(0.1));
    assert!(near.fidelity.as_ref().unwrap().warnings.iter().any(|w| w.contains("nearer than a cell")));
}

fn components(matter: &Matter) -> u32 {
    kreisel::model::topology::components(matter.len(), &matter.connections.ends, &[]).1
}

#[test]
fn what_is_too_thin_to_show_is_told_about_and_its_mass_is_kept() {
    let whisker = [(0.0, -0.5), (0.3, -0.4), (0.3, 0.0), (0.005, 0.05), (0.005, 0.6), (0.0, 0.6)];
    let surface = revolved(&whisker, 24);
    let matter = cut(&surface, Resolution::CellSize(0.08));
    let fidelity = matter.fidelity.as_ref().unwrap();
    assert!(fidelity.lost_volume > 0.0 && fidelity.warnings.iter().any(|w| w.contains("too thin")), "{fidelity:?}");
    let mass: f64 = matter.masses.iter().sum();
    assert!((mass / (1000.0 * surface.volume()) - 1.0).abs() < 1e-12);
    match try_cut(&cylinder(0.001, 1.0, 12), Resolution::CellSize(0.1)) {
        Err(DiscretizeError::FallsApart { pieces: 0, .. }) => {}
        other => panic!("{:?}", other.map(|m| m.fidelity)),
    }
}

#[test]
fn a_wanted_number_of_elements_is_met() {
    for (name, surface) in solids() {
        for wanted in [800, 5000] {
            let matter = cut(&surface, Resolution::Elements(wanted));
            let error = matter.len() as f64 / f64::from(wanted) - 1.0;
            let told = matter.fidelity.as_ref().unwrap().warnings.iter().any(|w| w.contains("instead of"));
            assert!(error.abs() < 0.021 || told, "{name}: {} elements instead of {wanted}", matter.len());
            assert!(error.abs() < 0.1, "{name}: {} elements instead of {wanted}", matter.len());
        }
    }
    assert!(try_cut(&ball(1.0, 8), Resolution::Elements(0)).is_err());
    assert!(try_cut(&ball(1.0, 8), Resolution::CellSize(f64::NAN)).is_err());
    assert!(try_cut(&ball(1.0, 8), Resolution::CellSize(1e-9)).is_err());
}

#[test]
fn inlays_weigh_what_they_weigh_and_stiffen_where_they_are() {
    let surface = ball(0.5, 40);
    let bone = Material { density: 2000.0, young: 1e7, ..Material::default() };
    let inside = |x: DVec3| u16::from(x.distance(DVec3::new(0.15, 0.0, 0.0)) < 0.2);
    let fabric = Fabric { materials: &[Material::default(), bone], at: &inside };
    let matter = solid_lattice(&surface, Resolution::CellsAcross(20), fabric).unwrap();
    let core = 4.0 / 3.0 * std::f64::consts::PI * 0.008;
    let mass: f64 = matter.masses.iter().sum();
    assert!((mass / (1000.0 * (surface.volume() + core)) - 1.0).abs() < 2e-3, "{mass}");
    let moment: f64 = (0..matter.len()).map(|e| matter.masses[e] * matter.positions.x[e]).sum();
    assert!((moment / (1000.0 * core * 0.15) - 1.0).abs() < 0.01, "{moment}");

    let stiffest = matter.connections.classes.iter().map(|c| c.stiffness).fold(0.0, f64::max);
    assert!((stiffest / (0.4 * 1e7 * 0.05) - 1.0).abs() < 1e-3, "{stiffest}");
    assert!(matter.material.contains(&1) && matter.material.contains(&0));
}
