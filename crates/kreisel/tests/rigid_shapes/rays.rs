//! Rays and surfaces against the exact distance.

use crate::random::Random;
use crate::smooth::solids;
use kreisel::DVec3;
use kreisel::collide::Pose;
use kreisel::collide::shapes::{nearest, ray};
use kreisel::model::shape::{PlacedShape, Shape, TriangleMesh, mass_properties, surface};
use std::sync::Arc;

#[test]
fn a_ray_ends_on_the_surface_and_passes_nothing_before() {
    let mut random = Random(51);
    for shape in solids() {
        let mut hits = 0;
        for _ in 0..400 {
            let pose = random.pose(0.5);
            let local = |x: DVec3| pose.rotation.inverse() * (x - pose.position);
            let far = |x: DVec3| nearest(&shape, local(x), 9.0).unwrap();
            let (origin, target) = (random.direction() * 3.0, random.vector(0.7));
            let direction = (target - origin).normalize();
            let hit = ray(&shape, &pose, origin, direction * 7.0);
            let end = hit.map_or(6.0, |(t, _)| t);
            for k in 0..200 {
                let d = far(origin + direction * (end * f64::from(k) / 200.0)).distance;
                assert!(d > -1e-3, "{shape:?} {pose:?} {origin} {direction} {hit:?} {d}");
            }
            if let Some((t, n)) = hit {
                let near = far(origin + direction * t);
                assert!(near.distance.abs() < 1e-9, "{shape:?} {hit:?} {near:?}");
                assert!(
                    (near.normal - pose.rotation.inverse() * n).length() < 1e-6 || near.distance != 0.0,
                    "{shape:?}"
                );
                hits += 1;
            }
        }
        assert!(hits > 20, "{shape:?} {hits}");
    }
}

#[test]
fn a_ray_that_ends_in_the_tip_of_a_cone_meets_it_there() {
    // Both roots of the cone's side are the tip, and the side has no normal there.
    let mut random = Random(53);
    let (l, r) = (0.5, 0.4);
    let cone = Shape::Cone { half_length: l, radius: r };
    for k in 0..200 {
        let pose = if k == 0 { Pose::IDENTITY } else { random.pose(0.5) };
        // Within the cone of directions that lead into it, half of which has the tangent r/2l.
        let aside = if k % 2 == 0 { 0.0 } else { random.between(0.0, 0.35) };
        let turn = random.between(0.0, std::f64::consts::TAU);
        let along = pose.rotation * DVec3::new(aside * turn.cos(), aside * turn.sin(), -1.0).normalize();
        let (tip, far) = (pose.position + pose.rotation * DVec3::Z * l, random.between(0.1, 9.0));
        let (t, n) = ray(&cone, &pose, tip - along * far, along).unwrap();
        assert!((t - far).abs() < 1e-9, "{k}: {t} of {far}");
        assert!(n.dot(along) < 0.0 && (n.length() - 1.0).abs() < 1e-12, "{k}: {n}");
    }
}

#[test]
fn a_ray_along_an_axis_meets_a_shape_where_it_ends() {
    use kreisel::collide::shapes::bounds;
    for shape in solids().iter().filter(|s| !matches!(s, Shape::Polyhedron(_))) {
        let (low, high) = bounds(shape, &Pose::IDENTITY);
        for (d, end) in [(DVec3::Z, -low.z), (-DVec3::Z, high.z)] {
            for far in [2.0, 5.0, 1e3] {
                let (t, n) = ray(shape, &Pose::IDENTITY, -d * far, d).unwrap();
                assert!((t + end - far).abs() < 1e-15 * (1.0 + 4.0 * far), "{shape:?} along {d}: {t} from {far}");
                assert!((n + d).length() < 1e-12, "{shape:?} along {d}: {n}");
            }
        }
    }
}

#[test]
fn a_ray_from_ten_kilometres_away_ends_as_sharply_as_its_origin_is_known() {
    let mut random = Random(54);
    for shape in solids() {
        let mut hits = 0;
        for _ in 0..400 {
            let direction = random.direction();
            let origin = random.vector(0.5) - direction * 1e4;
            let Some((t, n)) = ray(&shape, &Pose::IDENTITY, origin, direction) else { continue };
            let off = nearest(&shape, origin + direction * t, 9.0).unwrap().distance;
            // A unit in the last place of 10⁴ m is 2e-12 m, and a few of them add up; thin edges are met at a slant.
            assert!(off.abs() < 1e-10, "{shape:?}: {off} m off where the slope is {}", n.dot(direction));
            hits += 1;
        }
        assert!(hits > 20, "{shape:?} {hits}");
    }
}

#[test]
fn a_ray_from_inside_a_convex_shape_meets_nothing() {
    let mut random = Random(52);
    for shape in solids() {
        let mut inside = 0;
        for _ in 0..20_000 {
            let (pose, origin) = (random.pose(0.1), random.vector(0.7));
            let local = pose.rotation.inverse() * (origin - pose.position);
            if nearest(&shape, local, 9.0).unwrap().distance < -1e-9 {
                assert_eq!(ray(&shape, &pose, origin, random.direction()), None, "{shape:?} {pose:?} {origin}");
                inside += 1;
            }
        }
        assert!(inside > 20, "{shape:?} {inside}");
    }
}

#[test]
fn surfaces_are_closed_look_outwards_and_enclose_nearly_the_volume() {
    for shape in solids() {
        let (vertices, triangles) = surface(&shape, 96);
        assert!(vertices.iter().all(|v| nearest(&shape, *v, 1.0).unwrap().distance.abs() < 1e-9), "{shape:?}");
        let mesh = TriangleMesh::new(vertices, triangles).unwrap();
        assert_eq!(mesh.open_edges(), 0, "{shape:?}");
        let mass = |s: Shape| mass_properties(&[PlacedShape::centred(s)], 1.0).unwrap();
        let (fine, exact) = (mass(Shape::Mesh(Arc::new(mesh.clone()))), mass(shape.clone()));
        assert!((fine.mass / exact.mass - 1.0).abs() < 5e-3, "{shape:?} {} {}", fine.mass, exact.mass);
        assert!(
            (fine.inertia - exact.inertia)
                .to_cols_array()
                .iter()
                .all(|x| x.abs() < 1e-2 * exact.inertia.x_axis.x.max(exact.inertia.z_axis.z)),
            "{shape:?}"
        );
        let above = ray(&Shape::Mesh(Arc::new(mesh)), &Pose::IDENTITY, DVec3::new(0.01, 0.003, 5.0), -DVec3::Z);
        let true_one = ray(&shape, &Pose::IDENTITY, DVec3::new(0.01, 0.003, 5.0), -DVec3::Z);
        assert!((above.unwrap().0 - true_one.unwrap().0).abs() < 2e-3, "{shape:?}");
    }
}

/// Hills over 4 × 4 m with its corner at the origin, no slope of which is steeper than 0.3.
fn hills() -> TriangleMesh {
    let n = 20;
    let place = |k: u32| {
        let (x, y) = (0.2 * f64::from(k % (n + 1)), 0.2 * f64::from(k / (n + 1)));
        DVec3::new(x, y, 0.1 * (2.0 * x).cos() * (1.5 * y).cos())
    };
    let cells = (0..n * n).map(|k| k / n * (n + 1) + k % n);
    let triangles = cells.flat_map(|v| [[v, v + 1, v + n + 2], [v, v + n + 2, v + n + 1]]).collect();
    TriangleMesh::new((0..(n + 1) * (n + 1)).map(place).collect(), triangles).unwrap()
}

/// A closed mesh around the origin with dents, every triangle of which is seen from wherever its corners are seen along a radius.
fn potato() -> TriangleMesh {
    let (vertices, triangles) = surface(&Shape::Sphere { radius: 1.0 }, 24);
    let dented = |v: DVec3| v * (1.0 + 0.05 * (3.0 * v.x).sin() * (4.0 * v.y + v.z).cos());
    TriangleMesh::new(vertices.into_iter().map(dented).collect(), triangles).unwrap()
}

/// The corners, the middles and some other points of the edges of a mesh.
fn places_on_edges(mesh: &TriangleMesh, random: &mut Random) -> Vec<DVec3> {
    let edges = (0..mesh.triangles().len()).flat_map(|t| {
        let [a, b, c] = mesh.corners(t);
        [(a, b), (b, c), (c, a)]
    });
    edges.flat_map(|(a, b)| [a, 0.5 * (a + b), a.lerp(b, random.unit())]).collect()
}

#[test]
fn a_ray_through_a_corner_or_an_edge_of_a_terrain_meets_it_there() {
    let (mut random, mesh) = (Random(55), hills());
    let inside = |x: &f64| (0.01..3.99).contains(x);
    let mut places = places_on_edges(&mesh, &mut random);
    places.retain(|p| inside(&p.x) && inside(&p.y));
    let shape = Shape::Mesh(Arc::new(mesh));
    for (k, place) in places.into_iter().enumerate() {
        for along in [-DVec3::Z, DVec3::new(1.0, 0.0, -1.0), random.direction().with_z(-1.0)] {
            let along = along.normalize();
            let pose = if k % 2 == 0 { Pose::IDENTITY } else { random.pose(3.0) };
            let (to, d) = (pose.position + pose.rotation * place, pose.rotation * along);
            let far = if k % 3 == 0 { 4.0 } else { random.between(0.5, 50.0) };
            let (t, n) =
                ray(&shape, &pose, to - d * far, d).unwrap_or_else(|| panic!("no hit of {place} along {along}"));
            assert!((t - far).abs() < 1e-12, "{place} along {along}: {t} of {far}");
            assert!(n.dot(d) < 0.0, "{n}");
        }
    }
}

#[test]
fn a_ray_through_a_corner_or_an_edge_of_a_closed_mesh_meets_it_there() {
    let (mut random, mesh) = (Random(56), potato());
    assert!(mesh.open_edges() == 0 && mesh.hull().is_none());
    let places = places_on_edges(&mesh, &mut random);
    let shape = Shape::Mesh(Arc::new(mesh));
    for (k, place) in places.into_iter().enumerate() {
        let pose = if k % 2 == 0 { Pose::IDENTITY } else { random.pose(3.0) };
        for lean in [0.0, 0.5] {
            let along = (lean * random.direction() - place.normalize()).normalize();
            let (to, d) = (pose.position + pose.rotation * place, pose.rotation * along);
            let far = random.between(0.5, 50.0);
            let (t, _) =
                ray(&shape, &pose, to - d * far, d).unwrap_or_else(|| panic!("no hit of {place} along {along}"));
            assert!((t - far).abs() < 1e-12, "{place} along {along}: {t} of {far}");
        }
    }
}

#[test]
fn a_ray_that_starts_in_a_corner_of_a_mesh_and_leads_inside_meets_it_there() {
    let mesh = potato();
    let shape = Shape::Mesh(Arc::new(mesh.clone()));
    for corner in mesh.vertices() {
        assert_eq!(ray(&shape, &Pose::IDENTITY, *corner, -*corner).map(|(t, _)| t), Some(0.0), "{corner}");
        assert_eq!(ray(&shape, &Pose::IDENTITY, *corner, *corner), None, "{corner}");
    }
}
