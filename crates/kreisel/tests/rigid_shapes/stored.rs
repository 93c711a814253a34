//! Shapes as text and back.

use crate::convex::{deepest, touches};
use crate::smooth::solids;
use kreisel::DVec3;
use kreisel::collide::shapes::Pose;
use kreisel::model::{Polyhedron, Shape, TriangleMesh};
use std::sync::Arc;

#[test]
fn a_stored_shape_comes_back_bit_for_bit() {
    let mesh = TriangleMesh::new(
        vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z],
        vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    );
    let corners: Vec<DVec3> =
        (0..8).map(|k| DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2)) * 0.25).collect();
    let hull = Shape::Polyhedron(Arc::new(Polyhedron::from_points(&corners).unwrap()));
    let simple = solids().into_iter().filter(|s| !matches!(s, Shape::Polyhedron(_)));
    for shape in simple.chain([hull]).chain([Shape::Plane, Shape::Mesh(Arc::new(mesh.unwrap()))]) {
        let text = serde_json::to_string(&shape).unwrap();
        assert_eq!(serde_json::from_str::<Shape>(&text).unwrap(), shape);
    }
}

#[test]
fn a_stored_solid_that_is_none_is_refused() {
    let vertices = "[[0,0,0],[1,0,0],[0,1,0],[0,0,1]]";
    let read = |faces: &str| {
        serde_json::from_str::<Shape>(&format!(r#"{{"Polyhedron":{{"vertices":{vertices},"faces":{faces}}}}}"#))
    };
    assert!(read("[[0,2,1],[0,1,3],[0,3,2],[1,2,3]]").is_ok());
    for bad in [
        "[[0,2,1],[0,1,3],[0,3,2],[1,2,9]]",
        "[[0,1,2],[0,3,1],[0,2,3],[1,3,2]]",
        "[[0,2,1],[0,1,3],[0,3,2]]",
        "[[0,2],[0,1,3],[0,3,2],[1,2,3]]",
    ] {
        assert!(read(bad).is_err(), "{bad}");
    }
    assert!(
        serde_json::from_str::<Shape>(&format!(r#"{{"Mesh":{{"vertices":{vertices},"triangles":[[0,1,9]]}}}}"#))
            .is_err()
    );
}

#[test]
fn a_fine_hull_is_made_in_reasonable_time() {
    let mut random = crate::random::Random(71);
    let points: Vec<DVec3> = (0..800).map(|_| random.direction()).collect();
    let start = std::time::Instant::now();
    let hull = Polyhedron::from_points(&points).unwrap();
    println!("hull of {} points: {:.0} ms", hull.vertices().len(), start.elapsed().as_secs_f64() * 1e3);
    assert!(hull.vertices().len() > 790 && start.elapsed().as_secs() < 20);
    // Two of them touch nearly like two balls.
    let ball = Shape::Polyhedron(Arc::new(hull));
    for gap in [-0.05, -1e-4, 0.0, 0.02] {
        let n = random.direction();
        let pose = |x: DVec3, r: &mut crate::random::Random| Pose { position: x, rotation: r.rotation() };
        let (pa, pb) = (pose(n * (2.0 + gap), &mut random), pose(DVec3::ZERO, &mut random));
        let found = deepest(&touches(&ball, &pa, &ball, &pb, 0.1)).unwrap();
        assert!((found.gap - gap).abs() < 0.03 && (found.normal - n).length() < 0.2, "{gap} {n} {found:?}");
    }
}
