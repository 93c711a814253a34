//! What shapes weigh, and the hulls and surfaces they have.

use crate::random::Random;
use kreisel::collide::shapes::nearest;
use kreisel::model::shape::{PlacedShape, Polyhedron, Shape, ShapeError, TriangleMesh, mass_properties};
use kreisel::{DMat3, DQuat, DVec3};
use std::f64::consts::PI;
use std::sync::Arc;

fn close(a: DMat3, b: DMat3, tolerance: f64) -> bool {
    (a - b).to_cols_array().iter().all(|x| x.abs() < tolerance)
}

fn cube_points() -> Vec<DVec3> {
    (0..8).map(|k| DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2 & 1))).collect()
}

fn alone(shape: Shape) -> kreisel::model::MassProperties {
    mass_properties(&[PlacedShape::centred(shape)], 1.0).unwrap()
}

#[test]
fn closed_forms_agree_with_integration_over_a_fine_grid() {
    let shapes = [
        Shape::Sphere { radius: 0.5 },
        Shape::Box { half_size: DVec3::new(0.5, 0.3, 0.4) },
        Shape::Ellipsoid { semi_axes: DVec3::new(0.5, 0.3, 0.4) },
        Shape::Capsule { half_length: 0.3, radius: 0.2 },
        Shape::Cylinder { half_length: 0.4, radius: 0.3 },
        Shape::Cone { half_length: 0.5, radius: 0.4 },
    ];
    for shape in shapes {
        let (n, h) = (100, 0.01);
        let (mut m, mut first, mut second) = (0.0, DVec3::ZERO, [0.0; 3]);
        for k in 0..n * n * n {
            let cell = DVec3::new((k % n) as f64, (k / n % n) as f64, (k / n / n) as f64);
            let x = (cell + 0.5) * h - 0.5;
            if nearest(&shape, x, 1.0).unwrap().distance < 0.0 {
                m += h * h * h;
                first += x * h * h * h;
                (0..3).for_each(|i| second[i] += x[i] * x[i] * h * h * h);
            }
        }
        let found = alone(shape.clone());
        let about = found.inertia
            + (DMat3::IDENTITY * found.centre.length_squared() - DMat3::from_diagonal(found.centre * found.centre))
                * found.mass;
        let diagonal = DVec3::new(second[1] + second[2], second[2] + second[0], second[0] + second[1]);
        assert!((found.mass / m - 1.0).abs() < 0.01, "{shape:?} {} {m}", found.mass);
        assert!((found.centre - first / m).length() < 1e-3, "{shape:?}");
        assert!(
            close(about, DMat3::from_diagonal(diagonal), 0.02 * diagonal.max_element()),
            "{shape:?} {about} {diagonal}"
        );
    }
}

#[test]
fn a_hull_of_a_cube_weighs_what_the_box_does_wherever_it_is() {
    let hull = Polyhedron::from_points(&cube_points()).unwrap();
    assert_eq!((hull.vertices().len(), hull.faces().len(), hull.edges().len()), (8, 6, 12));
    let (turn, at) = (DQuat::from_rotation_y(0.4) * DQuat::from_rotation_x(1.0), DVec3::new(1.0, 2.0, 3.0));
    let of_hull = PlacedShape { shape: Shape::Polyhedron(Arc::new(hull.clone())), at, rotation: turn };
    let of_box = PlacedShape {
        shape: Shape::Box { half_size: DVec3::splat(0.5) },
        at: at + turn * DVec3::splat(0.5),
        rotation: turn,
    };
    let mesh = TriangleMesh::new(hull.vertices().to_vec(), hull.triangles().collect()).unwrap();
    let of_mesh = PlacedShape { shape: Shape::Mesh(Arc::new(mesh)), at, rotation: turn };
    let expected = mass_properties(&[of_box], 700.0).unwrap();
    for part in [of_hull, of_mesh] {
        let found = mass_properties(&[part], 700.0).unwrap();
        assert!((found.mass - expected.mass).abs() < 1e-9 && (found.centre - expected.centre).length() < 1e-12);
        assert!(close(found.inertia, expected.inertia, 1e-9));
    }
}

#[test]
fn two_half_boxes_weigh_what_the_whole_does() {
    let half = |x: f64| PlacedShape {
        shape: Shape::Box { half_size: DVec3::new(0.5, 0.3, 0.2) },
        at: DVec3::X * x,
        rotation: DQuat::IDENTITY,
    };
    let (whole, both) = (
        alone(Shape::Box { half_size: DVec3::new(1.0, 0.3, 0.2) }),
        mass_properties(&[half(-0.5), half(0.5)], 1.0).unwrap(),
    );
    assert!((whole.mass - both.mass).abs() < 1e-14 && close(whole.inertia, both.inertia, 1e-14));
    assert!((alone(Shape::Sphere { radius: 2.0 }).inertia.x_axis.x - 0.4 * 4.0 * 4.0 / 3.0 * PI * 8.0).abs() < 1e-9);
}

#[test]
fn a_hull_has_no_point_outside_and_every_corner_is_needed() {
    let mut random = Random(31);
    for round in 0..60 {
        let points: Vec<DVec3> = match round % 3 {
            0 => (0..40).map(|_| random.vector(1.0)).collect(),
            1 => (0..60).map(|_| random.direction()).collect(),
            // A grid: many in one plane, on one line, and several times.
            _ => (0..80).map(|_| (random.vector(2.4)).round()).chain(cube_points()).collect(),
        };
        let hull = Polyhedron::from_points(&points).unwrap();
        for (n, d) in hull.normals().iter().zip(hull.offsets()) {
            assert!(points.iter().all(|p| n.dot(*p) < d + 1e-9), "round {round}");
        }
        assert_eq!(hull.vertices().len() + hull.faces().len(), hull.edges().len() + 2, "Euler, round {round}");
        for p in &points {
            // Brute force: a point is a corner if a plane through it and two others has all on one side and it is no mixture; here: it is far from the hull of the rest.
            let rest: Vec<DVec3> = points.iter().copied().filter(|q| q != p).collect();
            let Ok(smaller) = Polyhedron::from_points(&rest) else { continue };
            let outside = nearest(&Shape::Polyhedron(Arc::new(smaller)), *p, 9.0).unwrap().distance;
            assert_eq!(outside > 1e-6, hull.vertices().contains(p) && outside > 1e-6, "round {round} {p}");
            assert!(outside < 1e-6 || hull.vertices().contains(p), "round {round} {p} {outside}");
        }
    }
}

#[test]
fn bad_shapes_are_refused_with_the_facts() {
    assert_eq!(Polyhedron::from_points(&cube_points()[..3]), Err(ShapeError::TooFewPoints(3)));
    let flat: Vec<DVec3> = (0..9).map(|k| DVec3::new(f64::from(k % 3), f64::from(k / 3), 0.0)).collect();
    assert!(matches!(Polyhedron::from_points(&flat), Err(ShapeError::Flat { .. })));
    assert!(matches!(Polyhedron::from_points(&[DVec3::ONE; 9]), Err(ShapeError::Flat { .. })));
    assert!(matches!(Polyhedron::from_points(&[DVec3::NAN; 9]), Err(ShapeError::Vertex { index: 0, .. })));
    assert!(matches!(TriangleMesh::new(cube_points(), vec![[0, 1, 9]]), Err(ShapeError::Index { vertex: 9, .. })));
    assert_eq!(TriangleMesh::new(cube_points(), vec![[0, 1, 1]]), Err(ShapeError::NoTriangles));
    let open = Shape::Mesh(Arc::new(TriangleMesh::new(cube_points(), vec![[0, 1, 2]]).unwrap()));
    assert!(matches!(mass_properties(&[PlacedShape::centred(open)], 1.0), Err(ShapeError::Open { edges: 3, .. })));
    assert_eq!(mass_properties(&[PlacedShape::centred(Shape::Plane)], 1.0), Err(ShapeError::PlaneHasNoMass));
    assert_eq!(mass_properties(&[], 1.0), Err(ShapeError::Empty));
    for radius in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Shape::Sphere { radius }.check().is_err());
        assert!(Shape::Box { half_size: DVec3::new(1.0, radius, 1.0) }.check().is_err());
        assert!(Shape::Cone { half_length: 1.0, radius }.check().is_err());
        assert!(mass_properties(&[PlacedShape::centred(Shape::Sphere { radius: 1.0 })], radius).is_err());
    }
}
