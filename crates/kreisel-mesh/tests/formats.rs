//! Every format is read, and what is written comes back.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::{Shape, all_formats, cube, glb, gltf, gltf_apart, torus};
use kreisel::DVec3;
use kreisel::model::Surface;
use kreisel_mesh::{Loaded, ReadOptions, read_bytes, read_path, write_obj, write_ply, write_stl};

fn load(name: &str, bytes: &[u8]) -> Loaded {
    read_bytes(name, bytes, &ReadOptions::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn stands(surface: &Surface) -> impl Fn(usize) -> DVec3 {
    |v| surface.vertices[v]
}

#[test]
fn a_cube_is_a_cube_in_every_format() {
    for (name, bytes) in all_formats(&cube()) {
        let Loaded { surface, report } = load(name, &bytes);
        assert_eq!((surface.vertices.len(), surface.triangles.len()), (8, 12), "{name}");
        assert!((surface.volume() - 1.0).abs() < 1e-12 && (report.area - 6.0).abs() < 1e-12, "{name}");
        assert_eq!((report.shells, report.cavities), (1, 0), "{name}");
        assert_eq!(report.repairs.welded_vertices, if name.ends_with("stl") { 28 } else { 0 }, "{name}");
        assert!(report.warnings.is_empty(), "{name}: {:?}", report.warnings);
    }
}

#[test]
fn a_torus_has_the_same_vertices_in_every_format() {
    let shape = torus(40, 20);
    let expected = load("thing.obj", &common::obj(&shape)).surface;
    for (name, bytes) in all_formats(&shape) {
        let surface = load(name, &bytes).surface;
        assert_eq!(surface.vertices.len(), 800, "{name}");
        let tolerance = if name.ends_with("ply") || name.ends_with("obj") { 0.0 } else { 1e-6 };
        assert!((surface.volume() - expected.volume()).abs() <= tolerance, "{name}");
        if !name.ends_with("stl") {
            assert_eq!(surface.triangles, expected.triangles, "{name}");
        }
    }
}

#[test]
fn what_is_written_comes_back() {
    let surface = load("thing.obj", &common::obj(&torus(30, 12))).surface;
    let (mut obj, mut ply, mut stl) = (Vec::new(), Vec::new(), Vec::new());
    write_obj(&mut obj, &surface, stands(&surface)).unwrap();
    write_ply(&mut ply, &surface, stands(&surface)).unwrap();
    write_stl(&mut stl, &surface, stands(&surface)).unwrap();
    assert_eq!(load("a.obj", &obj).surface, surface);
    let read = load("a.ply", &ply).surface;
    assert_eq!((&read.vertices, &read.triangles), (&surface.vertices, &surface.triangles));
    assert!((load("a.stl", &stl).surface.volume() - surface.volume()).abs() < 1e-6);
}

#[test]
fn an_obj_keeps_names_texture_coordinates_and_unused_and_repeated_vertices() {
    // Four faces of a tetrahedron; vertex 2 is nobody's, vertices 1 and 6 are at the same place.
    let text = "v 0 0 0\nv 9 9 9\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 0 0\nvt 0 0\nvt 1 0\nvt 0.5 1\n\
                o body\nusemtl skin\nf 1/1 4/2 3/3\nf 1/1 3/2 5/3\ng tip\nf 6/1 5/2 4/3\nf 3/3 4/2 5/1\n";
    let surface = load("a.obj", text.as_bytes()).surface;
    let names: Vec<(&str, u32)> = surface.parts.iter().map(|p| (p.name.as_str(), p.count)).collect();
    assert_eq!(names, [("body/skin", 2), ("body/tip/skin", 2)]);
    assert_eq!(surface.vertices.len(), 4);
    assert_eq!(surface.trace.vertices.len(), 6);
    assert_eq!(surface.trace.vertices[0], surface.trace.vertices[5]);
    let mut written = Vec::new();
    write_obj(&mut written, &surface, |v| surface.vertices[v] + DVec3::X).unwrap();
    let written = String::from_utf8(written).unwrap();
    assert!(written.contains("g body/tip/skin\nf 6/1 5/2 4/3\nf 3/3 4/2 5/1\n"), "{written}");
    assert_eq!(written.lines().filter(|l| l.starts_with("v ")).count(), 6);
    let again = load("a.obj", written.as_bytes()).surface;
    assert_eq!((again.parts, again.trace), (surface.parts, surface.trace));
}

#[test]
fn negative_numbers_and_polygons_of_obj_are_read() {
    let text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
                f -8 -5 -6 -7\nf 5 6 7 8\nf 1 2 6 \\\n 5\nf 2 3 7 6\nf 3//1 4//1 8//1 7//1\nf 4 1 5 8\n";
    let surface = load("a.obj", text.as_bytes()).surface;
    assert_eq!(surface.triangles.len(), 12);
    assert!((surface.volume() - 1.0).abs() < 1e-15);
}

#[test]
fn a_binary_stl_may_begin_with_solid_and_a_name_may_lie() {
    let mut bytes = common::stl_binary(&cube());
    bytes[..5].copy_from_slice(b"solid");
    assert_eq!(load("a.stl", &bytes).report.kind, "binary STL");
    assert_eq!(load("a.obj", &common::ply(&cube(), "ascii")).report.kind, "PLY as text");
    assert_eq!(load("noname", &common::obj(&cube())).report.kind, "OBJ");
}

#[test]
fn nodes_of_gltf_place_their_meshes_and_mirrored_ones_are_not_inside_out() {
    let half_turn = "\"rotation\":[0,1,0,0],\"scale\":[-2,1,1],\"translation\":[0,5,0],";
    for bytes in [gltf(&cube(), half_turn), glb(&cube(), half_turn)] {
        let Loaded { surface, report } = load("a.glb", &bytes);
        assert!((surface.volume() - 2.0).abs() < 1e-9);
        let middle = 0.5 * (report.low + report.high);
        assert!((middle - DVec3::Z * 5.0).length() < 1e-9, "y up becomes z up: {middle}");
        assert!((report.size() - DVec3::new(2.0, 1.0, 1.0)).length() < 1e-9);
        assert_eq!(report.repairs.flipped_shells, 0);
        assert_eq!(surface.parts[0].name, "thing");
    }
    let matrix = "\"matrix\":[0,1,0,0, -1,0,0,0, 0,0,3,0, 1,0,0,1],";
    let report = load("a.gltf", &gltf(&cube(), matrix)).report;
    assert!((report.volume - 3.0).abs() < 1e-9);
}

#[test]
fn a_gltf_file_finds_its_buffer_beside_it_and_nowhere_else() {
    let directory = std::env::temp_dir().join(format!("kreisel-mesh-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let (json, buffer) = gltf_apart(&cube(), "my%20cube.bin");
    std::fs::write(directory.join("cube.gltf"), json).unwrap();
    std::fs::write(directory.join("my cube.bin"), buffer).unwrap();
    let found = read_path(directory.join("cube.gltf"), &ReadOptions::default());
    std::fs::remove_dir_all(&directory).unwrap();
    assert_eq!(found.unwrap().report.triangles, 12);
    let (json, _) = gltf_apart(&cube(), "../secret.bin");
    let error = read_bytes("a.gltf", &json, &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("not beside the mesh"), "{error}");
}

#[test]
fn a_scale_makes_metres_of_millimetres() {
    let millimetres = ReadOptions { scale: 1e-3, ..ReadOptions::default() };
    let shape: Shape = cube().map(|x| 200.0 * x);
    let loaded = read_bytes("a.obj", &common::obj(&shape), &millimetres).unwrap();
    assert!((loaded.surface.volume() - 8e-3).abs() < 1e-15);
    assert!(loaded.report.warnings.is_empty());
    let metres = read_bytes("a.obj", &common::obj(&shape), &ReadOptions::default()).unwrap();
    assert!(metres.report.warnings[0].contains("unit = \"mm\""), "{:?}", metres.report.warnings);
}
