//! Shapes on triangle meshes.

use crate::convex::{deepest, touches};
use crate::random::Random;
use crate::smooth::solids;
use kreisel::collide::shapes::Pose;
use kreisel::model::{Shape, TriangleMesh};
use kreisel::{DQuat, DVec3};
use std::sync::Arc;

/// A flat square of `n × n` cells of two triangles each, from −2 to 2, looking up.
fn floor(n: u32) -> Shape {
    let side = n + 1;
    let at = |k: u32| {
        DVec3::new(f64::from(k % side), f64::from(k / side), 0.0) * (4.0 / f64::from(n)) - DVec3::new(2.0, 2.0, 0.0)
    };
    let vertices = (0..side * side).map(at).collect();
    let mut triangles = Vec::new();
    for (x, y) in (0..n * n).map(|k| (k % n, k / n)) {
        let v = y * side + x;
        triangles.extend([[v, v + 1, v + side + 1], [v, v + side + 1, v + side]]);
    }
    Shape::Mesh(Arc::new(TriangleMesh::new(vertices, triangles).unwrap()))
}

fn cube_mesh() -> Shape {
    let points: Vec<DVec3> =
        (0..8).map(|k| DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2 & 1)) - 0.5).collect();
    let hull = kreisel::model::Polyhedron::from_points(&points).unwrap();
    Shape::Mesh(Arc::new(TriangleMesh::new(hull.vertices().to_vec(), hull.triangles().collect()).unwrap()))
}

#[test]
fn a_floor_of_triangles_answers_like_a_plane() {
    let mut random = Random(41);
    for n in [1, 7] {
        let ground = floor(n);
        for shape in solids() {
            for _ in 0..60 {
                let mut pose = random.pose(0.3);
                let lowest = kreisel::collide::shapes::bounds(&shape, &pose).0.z;
                pose.position.z += random.between(-0.01, 0.02) - lowest;
                let (on_mesh, on_plane) = (
                    touches(&shape, &pose, &ground, &Pose::IDENTITY, 0.03),
                    touches(&shape, &pose, &Shape::Plane, &Pose::IDENTITY, 0.03),
                );
                let (Some(x), Some(y)) = (deepest(&on_mesh), deepest(&on_plane)) else {
                    panic!("{shape:?} {pose:?} {on_mesh:?} {on_plane:?}")
                };
                assert!((x.gap - y.gap).abs() < 1e-9, "{n} {shape:?} {pose:?}: {on_mesh:?} {y:?}");
                for t in &on_mesh {
                    assert!((t.normal - DVec3::Z).length() < 1e-9, "a ghost: {n} {shape:?} {pose:?}: {t:?}");
                }
            }
        }
    }
}

#[test]
fn a_box_on_a_mesh_of_a_cube_lies_on_its_top_only() {
    let table = cube_mesh();
    for gap in [-1e-4, 0.0, 1e-4] {
        let pose = Pose { position: DVec3::new(0.2, 0.1, 1.0 + gap), rotation: DQuat::IDENTITY };
        let found = touches(&Shape::Box { half_size: DVec3::splat(0.5) }, &pose, &table, &Pose::IDENTITY, 1e-3);
        assert!(found.len() >= 4, "{found:?}");
        for t in &found {
            assert!((t.normal - DVec3::Z).length() < 1e-9 && (t.gap - gap).abs() < 1e-9, "{found:?}");
        }
        let reach = |f: &dyn Fn(&DVec3) -> f64| found.iter().map(|t| f(&t.point_a)).fold(f64::MIN, f64::max);
        assert!((reach(&|p| p.x) - 0.5).abs() < 1e-3 && (reach(&|p| -p.x) - 0.3).abs() < 1e-3, "{found:?}");
    }
}

#[test]
fn a_ball_at_the_edge_of_a_cube_of_triangles_touches_the_edge() {
    let table = cube_mesh();
    let n = DVec3::new(0.6, 0.0, 0.8);
    let pose = Pose { position: DVec3::new(0.5, 0.1, 0.5) + n * 0.31, rotation: DQuat::IDENTITY };
    let found = touches(&Shape::Sphere { radius: 0.3 }, &pose, &table, &Pose::IDENTITY, 0.02);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!((found[0].normal - n).length() < 1e-9 && (found[0].gap - 0.01).abs() < 1e-9, "{found:?}");
}

#[test]
fn a_mesh_on_a_mesh_rests_on_its_corners() {
    let cube = cube_mesh();
    let pose = Pose { position: DVec3::new(0.0, 0.0, 0.499), rotation: DQuat::IDENTITY };
    let found = touches(&cube, &pose, &floor(1), &Pose::IDENTITY, 0.01);
    assert_eq!(found.len(), 4, "{found:?}");
    for (x, y) in [(0.5, 0.5), (0.5, -0.5), (-0.5, 0.5), (-0.5, -0.5)] {
        let corner = DVec3::new(x, y, -0.001);
        assert!(found.iter().any(|t| t.point_a.distance(corner) < 1e-9), "{corner}: {found:?}");
    }
    assert!(found.iter().all(|t| (t.gap + 0.001).abs() < 1e-12 && (t.normal - DVec3::Z).length() < 1e-12), "{found:?}");
}

/// A block with a square hole of half width `w` along z, its top at 0: as a mesh, and as four boxes with their places.
fn hole(w: f64) -> (Shape, Vec<(Shape, Pose)>) {
    let ring = |r: f64, z: f64| [(r, r), (-r, r), (-r, -r), (r, -r)].map(|(x, y)| DVec3::new(x, y, z));
    let vertices = [ring(w, -4.0), ring(w, 0.0), ring(w + 2.0, -4.0), ring(w + 2.0, 0.0)].concat();
    let mut triangles = Vec::new();
    for i in 0..4 {
        let j = (i + 1) % 4;
        let [inner, top, outer, outer_top] = [0, 4, 8, 12].map(|ring| [ring + i, ring + j]);
        for [a, b, c, d] in [
            [inner[0], top[0], top[1], inner[1]],
            [outer[0], outer[1], outer_top[1], outer_top[0]],
            [top[0], outer_top[0], outer_top[1], top[1]],
            [inner[0], inner[1], outer[1], outer[0]],
        ] {
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    let wall = |half: (f64, f64), at: (f64, f64)| {
        let position = DVec3::new(at.0, at.1, -2.0);
        (Shape::Box { half_size: DVec3::new(half.0, half.1, 2.0) }, Pose { position, rotation: DQuat::IDENTITY })
    };
    let (long, far) = (w + 2.0, w + 1.0);
    let walls = vec![
        wall((1.0, long), (far, 0.0)),
        wall((1.0, long), (-far, 0.0)),
        wall((w, 1.0), (0.0, far)),
        wall((w, 1.0), (0.0, -far)),
    ];
    (Shape::Mesh(Arc::new(TriangleMesh::new(vertices, triangles).unwrap())), walls)
}

#[test]
fn a_tapered_peg_touches_the_rim_of_a_hole_in_a_mesh_as_it_touches_a_hole_of_boxes() {
    let square = |r: f64, z: f64| [(r, r), (-r, r), (-r, -r), (r, -r)].map(|(x, y)| DVec3::new(x, y, z));
    let points = [square(0.8, -3.0), square(1.0, -2.4), square(1.0, 3.0)].concat();
    let peg = Shape::Polyhedron(Arc::new(kreisel::model::Polyhedron::from_points(&points).unwrap()));
    let (mesh, walls) = hole(1.005);
    let mut random = Random(43);
    let mut compared = 0;
    for k in 0..4000 {
        // The rim is on the taper; tilts are of milliradians, then of hundredths.
        let most = if k % 2 == 0 { 2e-3 } else { 2e-2 };
        let mut number = |most: f64| random.between(-most, most);
        let (x, y, z, turn) =
            (number(0.1), number(0.1), number(0.25), DVec3::new(number(most), number(most), number(most)));
        let pose = Pose { position: DVec3::new(x, y, 2.7 + z), rotation: DQuat::from_scaled_axis(turn) };
        let of_boxes = walls.iter().flat_map(|(wall, at)| touches(&peg, &pose, wall, at, 0.02)).collect::<Vec<_>>();
        let Some(deep) = deepest(&of_boxes).filter(|d| d.gap.abs() < 3e-3) else { continue };
        let of_mesh = touches(&peg, &pose, &mesh, &Pose::IDENTITY, 0.02);
        let found = deepest(&of_mesh).map_or(f64::INFINITY, |t| t.gap);
        assert!((found - deep.gap).abs() < 1e-4, "{k}: {pose:?}: {found} and not {}: {of_mesh:?}", deep.gap);
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}
