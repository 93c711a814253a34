//! What can be repaired is repaired, and the report says so.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::{Shape, cube, obj, stl_binary, torus};
use kreisel::DVec3;
use kreisel_mesh::{Fill, Loaded, ReadOptions, read_bytes};

fn load(shape: &Shape) -> Loaded {
    read_bytes("a.obj", &obj(shape), &ReadOptions::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn filled(shape: &Shape) -> Loaded {
    let options = ReadOptions { fill: Fill::WindingNumber, fill_cells: 48, ..ReadOptions::default() };
    let loaded = read_bytes("a.obj", &obj(shape), &options).unwrap_or_else(|e| panic!("{e}"));
    assert!(loaded.report.repairs.made_anew);
    // What was made anew is itself closed and manifold and does not cut itself.
    let again = Shape { vertices: loaded.surface.vertices.clone(), triangles: loaded.surface.triangles.clone() };
    assert_eq!(load(&again).report.repairs.sentence(), None);
    loaded
}

/// Two cubes, one within the other, both outwards.
fn hollow() -> Shape {
    cube().map(|x| 2.0 * x).and(cube())
}

#[test]
fn a_cube_inside_out_is_turned() {
    let loaded = load(&cube().turned());
    assert!((loaded.surface.volume() - 1.0).abs() < 1e-12);
    assert_eq!(loaded.report.repairs.flipped_shells, 1);
    assert!(loaded.report.to_string().contains("1 inside-out shell turned"), "{}", loaded.report);
}

#[test]
fn single_triangles_that_are_turned_are_turned_back() {
    let mut shape = torus(40, 20);
    [3, 77, 500].iter().for_each(|t| shape.triangles[*t].swap(0, 2));
    let loaded = load(&shape);
    assert_eq!(loaded.report.repairs.turned_triangles, 3);
    assert!((loaded.surface.volume() - load(&torus(40, 20)).surface.volume()).abs() < 1e-12);
}

#[test]
fn a_shell_in_a_shell_is_a_cavity_and_one_in_that_is_full() {
    for shape in [hollow(), hollow().turned(), cube().map(|x| 2.0 * x).and(cube().turned())] {
        let loaded = load(&shape);
        assert!((loaded.surface.volume() - 7.0).abs() < 1e-12);
        assert_eq!((loaded.report.shells, loaded.report.cavities), (2, 1));
    }
    let three = load(&hollow().and(cube().map(|x| 0.5 * x)));
    assert!((three.surface.volume() - 7.125).abs() < 1e-12);
    assert_eq!((three.report.shells, three.report.cavities), (3, 1));
    let beside = load(&cube().and(cube().map(|x| x + DVec3::X * 3.0)));
    assert_eq!((beside.report.shells, beside.report.cavities), (2, 0));
}

#[test]
fn a_ring_around_a_cube_does_not_contain_it() {
    let loaded = load(&torus(60, 30).and(cube().map(|x| 0.4 * x)));
    assert_eq!(loaded.report.cavities, 0);
}

#[test]
fn degenerate_and_repeated_triangles_are_dropped() {
    let mut shape = cube();
    shape.triangles.extend([[0, 0, 1], [3, 2, 2]]);
    shape.triangles.push(shape.triangles[5]);
    let repairs = load(&shape).report.repairs;
    assert_eq!((repairs.degenerate_triangles, repairs.duplicate_triangles), (2, 1));
}

#[test]
fn a_flat_triangle_along_an_edge_is_taken_out() {
    // The edge between corners 0 and 3 of the lower face has a vertex in its middle that only one side uses.
    let mut shape = cube();
    shape.vertices.push(DVec3::new(0.0, 0.0, -0.5));
    let (middle, [a, b, c]) = (8, shape.triangles[0]); // (0, 2, 3): its side from 3 to 0 is inside the face
    shape.triangles[0] = [a, b, middle];
    shape.triangles.extend([[middle, b, c], [a, middle, c]]);
    let loaded = load(&shape);
    assert_eq!((loaded.report.repairs.flat_triangles, loaded.report.triangles), (1, 14));
    assert!((loaded.surface.volume() - 1.0).abs() < 1e-12 && loaded.report.warnings.is_empty());
    let double_area = |t: usize| {
        let [a, b, c] = loaded.surface.corners(t);
        (b - a).cross(c - a).length()
    };
    assert!((0..14).all(|t| double_area(t) > 0.1));
}

#[test]
fn a_sheet_drawn_from_both_sides_is_one_surface_and_a_wall_between_two_cubes_goes() {
    let shape = torus(20, 10);
    let both =
        Shape { triangles: shape.triangles.iter().flat_map(|&[a, b, c]| [[a, b, c], [a, c, b]]).collect(), ..shape };
    let loaded = load(&both);
    assert_eq!((loaded.report.triangles, loaded.report.repairs.duplicate_triangles), (400, 400));
    // The left cube's right face and the right cube's left face are cut along different diagonals or the same; here the same.
    let mirrored = cube().map(|x| DVec3::new(1.0 - x.x, x.y, x.z)).turned();
    let joined = load(&cube().and(mirrored));
    assert_eq!((joined.report.triangles, joined.report.shells), (20, 1));
    assert!((joined.surface.volume() - 2.0).abs() < 1e-12);
}

#[test]
fn cracks_as_wide_as_rounding_are_closed() {
    let mut shape = torus(40, 20);
    let n = shape.vertices.len() as u32;
    let moved: Vec<DVec3> = shape.vertices.iter().map(|x| *x * (1.0 + 2e-7)).collect();
    shape.vertices.extend(moved);
    // The second half of the triangles has vertices of its own.
    shape.triangles[800..].iter_mut().flatten().for_each(|v| *v += n);
    let loaded = load(&shape);
    assert_eq!((loaded.report.vertices, loaded.report.shells), (800, 1));
    assert_eq!(loaded.report.repairs.welded_vertices, 40);
}

#[test]
fn a_wanted_distance_welds_everywhere() {
    let shape = torus(40, 20).and(torus(40, 20).map(|x| x + DVec3::Z * 1e-4));
    let options = ReadOptions { weld: Some(1e-3), ..ReadOptions::default() };
    let loaded = read_bytes("a.obj", &obj(&shape), &options).unwrap();
    assert_eq!((loaded.report.shells, loaded.report.repairs.duplicate_triangles), (1, 1600));
}

#[test]
fn tiny_holes_are_filled_and_named() {
    let whole = torus(200, 100);
    let shape = whole.clone().without(7000).without(7000).without(300);
    let loaded = load(&shape);
    assert_eq!(loaded.report.repairs.filled_holes, 2);
    assert_eq!(loaded.report.triangles, 40_000);
    assert!((loaded.surface.volume() - load(&whole).surface.volume()).abs() < 1e-5);
    assert_eq!(loaded.surface.parts.last().unwrap().name, "filled holes");
    assert_eq!(loaded.surface.parts.last().unwrap().count, 3);
}

#[test]
fn a_cube_without_a_lid_is_filled_on_request() {
    let loaded = filled(&cube().without(2).without(2));
    let volume = loaded.surface.volume();
    assert!((0.7..1.02).contains(&volume), "{volume}");
    let inside_out = filled(&cube().without(2).without(2).turned());
    assert!((inside_out.surface.volume() - volume).abs() < 1e-9);
}

#[test]
fn overlapping_cubes_become_their_union_and_keep_a_cavity() {
    let shift = DVec3::new(0.5, 0.25, 0.125);
    let two = filled(&cube().and(cube().map(|x| x + shift)));
    let union = 2.0 - 0.5 * 0.75 * 0.875;
    assert!((two.surface.volume() / union - 1.0).abs() < 0.01, "{} {union}", two.surface.volume());
    let inside = cube().map(|x| 0.4 * x - DVec3::splat(0.2));
    let hollow = filled(&cube().and(cube().map(|x| x + shift)).and(inside));
    assert_eq!(hollow.report.cavities, 1);
    assert!((two.surface.volume() - hollow.surface.volume() - 0.064).abs() < 0.003);
}

#[test]
fn what_needs_no_filling_is_not_made_anew() {
    let options = ReadOptions { fill: Fill::WindingNumber, ..ReadOptions::default() };
    let loaded = read_bytes("a.stl", &stl_binary(&cube()), &options).unwrap();
    assert!(!loaded.report.repairs.made_anew && loaded.report.triangles == 12);
}

#[test]
fn the_report_reads_as_sentences() {
    let text = read_bytes("part.stl", &stl_binary(&hollow().map(|x| 1000.0 * x)), &ReadOptions::default());
    let text = text.unwrap().report.to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "part.stl: binary STL, 24 triangles.");
    assert_eq!(lines[1], "Repaired: 56 vertices welded, 1 inside-out shell turned.");
    assert_eq!(lines[2], "Closed surface of 24 triangles in 2 shells, 1 cavity.");
    assert_eq!(lines[3], "2000 × 2000 × 2000 m, area 3.000e7 m², volume 7.000e9 m³.");
    assert!(lines[4].starts_with("Warning: the longest side is 2.0000e3 m"), "{text}");
}
