//! Meshes that cannot be a body: each is refused with a sentence that says what is wrong and where.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::{Shape, cube, glb, gltf, obj, ply, stl_binary, stl_text, torus};
use kreisel::DVec3;
use kreisel_mesh::{ReadOptions, read_bytes};

/// Reads what must be refused; the message must have all these words.
fn refused(name: &str, bytes: &[u8], words: &[&str]) {
    let message = match read_bytes(name, bytes, &ReadOptions::default()) {
        Ok(loaded) => panic!("{name} was read: {}", loaded.report),
        Err(error) => error.to_string(),
    };
    println!("{message}");
    assert!(message.starts_with(name), "{message}");
    for word in words {
        assert!(message.contains(word), "`{word}` is missing in: {message}");
    }
}

fn with_vertex(at: usize, x: f64) -> Shape {
    let mut shape = cube();
    shape.vertices[at].x = x;
    shape
}

/// A strip that is twisted once.
fn moebius() -> Shape {
    let n = 30u32;
    let mut shape = Shape::default();
    for k in 0..n {
        let a = std::f64::consts::TAU * f64::from(k) / f64::from(n);
        let out = DVec3::new(a.cos(), a.sin(), 0.0);
        let across = 0.3 * (out * (a / 2.0).cos() + DVec3::Z * (a / 2.0).sin());
        shape.vertices.extend([out - across, out + across]);
        let [p, q] = [2 * k, 2 * k + 1];
        let [r, s] = if k + 1 < n { [p + 2, q + 2] } else { [1, 0] };
        shape.triangles.extend([[p, r, q], [q, r, s]]);
    }
    shape
}

#[test]
fn a_hole_is_told_with_its_place_and_size() {
    let words = ["a hole of 3 edges, 1.4142 across", "(-0.1667, 0.1667, -0.5000)", "fill = true"];
    refused("a.obj", &obj(&cube().without(0)), &words);
    let mut two = torus(40, 20);
    two.triangles.drain(900..910);
    two.triangles.drain(100..120);
    refused("a.stl", &stl_binary(&two), &["has 2 holes, the largest of 22 edges"]);
}

#[test]
fn a_sheet_and_a_band_with_one_side_are_no_bodies() {
    let sheet = Shape { triangles: cube().triangles[..2].to_vec(), ..cube() };
    refused("a.obj", &obj(&sheet), &["a hole of 4 edges"]);
    refused("a.obj", &obj(&moebius()), &["one side only", "Möbius", "at ("]);
}

#[test]
fn coordinates_that_are_no_places_are_named() {
    refused("a.obj", &obj(&with_vertex(3, f64::NAN)), &["vertex 4", "not finite", "NaN"]);
    refused("a.ply", &ply(&with_vertex(3, f64::INFINITY), "binary_big_endian"), &["vertex 4", "not finite", "inf"]);
    refused("a.stl", &stl_binary(&with_vertex(0, f64::NAN)), &["vertex 1", "not finite"]);
    refused("a.obj", &obj(&with_vertex(5, 1e30)), &["vertex 6", "1.0000e30", "no body is that large"]);
    refused("a.stl", &stl_binary(&with_vertex(5, 1e30)), &["no body is that large"]);
    refused("a.glb", &glb(&with_vertex(5, 1e300), ""), &["vertex 6", "not finite"]);
}

#[test]
fn nothing_is_no_body() {
    refused("a.obj", b"", &["the file is empty"]);
    refused("a.obj", b"# nothing here\n", &["no triangle"]);
    refused("a.stl", b"solid nothing\nendsolid nothing\n", &["no triangle"]);
    refused("a.stl", &stl_binary(&Shape::default()), &["no triangle"]);
    refused("a.ply", &ply(&Shape { triangles: Vec::new(), ..cube() }, "ascii"), &["no triangle", "cloud of points"]);
    refused("a.obj", b"v 0 0 0\nv 1 0 0\nl 1 2\n", &["no triangle", "lines and points"]);
    refused("a.gltf", b"{\"asset\":{\"version\":\"2.0\"}}", &["no triangle"]);
}

#[test]
fn triangles_without_area_are_no_surface() {
    refused("a.obj", &obj(&cube().map(|x| DVec3::X * x.x)), &["all 12 triangles have no area"]);
    refused("a.stl", &stl_text(&cube().map(|_| DVec3::ONE)), &["all 12 triangles have no area"]);
}

#[test]
fn a_box_folded_flat_encloses_nothing() {
    // Found by fuzzing: vertices moved so that the walls lie on each other, or turn the volume to nothing.
    let text = "v -0.5 -0.5 -0.5\nv 0.5 -0.5 -0.5\nv -0.5 0.5 -0.5\nv 0.5 0.5 -0.5\nv -0.5 -0.5 0.5\n\
        v 0.5 -0.5 0.5\nv -5 -0.5 -0.5\nv 0.5 -0.5 -0.5\n\
        f 1 3 4\nf 1 4 2\nf 5 6 8\nf 5 8 7\nf 1 2 6\nf 1 6 5\nf 3 7 8\nf 3 8 4\nf 1 5 7\nf 1 7 3\nf 2 4 8\nf 2 8 6\n";
    refused("a.obj", text.as_bytes(), &["encloses no volume"]);
}

#[test]
fn parts_that_share_an_edge_are_not_manifold() {
    let two = cube().and(cube().map(|x| x + DVec3::new(1.0, 1.0, 0.0)));
    refused("a.obj", &obj(&two), &["more than two triangles", "first of them to 4", "(0.5000, 0.5000, 0.0000)"]);
}

#[test]
fn a_surface_that_cuts_itself_is_told_with_the_place() {
    let two = cube().and(cube().map(|x| x + DVec3::new(0.5, 0.4, 0.3)));
    refused("a.obj", &obj(&two), &["cuts itself in", "pairs of triangles", "first at (", "fill = true"]);
    let mut folded = torus(40, 20);
    folded.vertices[10] = DVec3::new(-3.0, 0.0, 2.0); // drawn across to the other side
    folded.vertices[11] = DVec3::new(-3.0, 0.0, -2.0);
    refused("a.ply", &ply(&folded, "ascii"), &["cuts itself"]);
}

#[test]
fn shells_that_pass_through_each_other_along_edges_are_entangled() {
    // One corner of the outer cube is drawn to its neighbour: a face then cuts the inner cube along its edges exactly.
    let mut shape = cube().and(cube().map(|x| 0.5 * x));
    shape.vertices[3] = shape.vertices[7];
    refused("a.obj", &obj(&shape), &["cuts itself in at least 1 pairs"]);
}

#[test]
fn headers_that_are_none_are_refused() {
    refused(
        "a.stl",
        b"this is a letter and not a mesh at all, but somebody has called it one; it is long enough too",
        &["begins no STL"],
    );
    refused("a.stl", b"short", &["no STL file"]);
    refused("a.ply", b"play\nformat ascii 1.0\n", &["no word of a PLY header"]);
    refused("a.ply", b"ply\nelement vertex 3\nend_header\n", &["names no format"]);
    refused(
        "a.ply",
        b"ply\nformat ascii 1.0\nelement vertex 1\nproperty quad x\nend_header\n",
        &["line 4", "`quad` is no type"],
    );
    refused("a.glb", b"glTF\x01\0\0\0\x20\0\0\0", &["version 1 of GLB"]);
    refused("a.gltf", b"{\"asset\":", &["line 1 of the JSON", "EOF"]);
    refused("a.gltf", b"{\"asset\":{\"version\":\"1.0\"}}", &["no glTF 2.0"]);
    refused("a.obj", b"hello world\n", &["line 1", "`hello` is no word of OBJ"]);
    refused("a.xyz", b"hello", &["neither the content nor the name"]);
}

#[test]
fn files_that_are_cut_short_are_told_apart_from_small_ones() {
    let half = |bytes: Vec<u8>| bytes[..bytes.len() / 2].to_vec();
    refused(
        "a.stl",
        &half(stl_binary(&torus(20, 10))),
        &["cut short", "400 triangles are announced", "ends after 199 triangles"],
    );
    refused("a.stl", &half(stl_text(&cube())), &["cut short", "half of line 43"]);
    refused("a.ply", &half(ply(&torus(20, 10), "binary_little_endian")), &["cut short", "rows of `face`"]);
    refused("a.ply", &half(ply(&cube(), "ascii")), &["cut short"]);
    refused("a.ply", b"ply\nformat ascii 1.0\nelement vertex", &["no number of rows"]);
    refused("a.glb", &half(glb(&cube(), "")), &["cut short", "bytes"]);
    let text = obj(&cube());
    refused("a.obj", &text[..text.len() - 4], &["line 22"]);
}

#[test]
fn numbers_of_vertices_that_do_not_exist_are_named() {
    let beyond = Shape { triangles: vec![[0, 1, 99]], ..cube() };
    refused("a.obj", &obj(&beyond), &["line 11", "vertex 100", "there are 8 only"]);
    refused("a.ply", &ply(&beyond, "ascii"), &["triangle 1", "vertex 99", "there are 8 only"]);
    refused("a.gltf", &gltf(&beyond, ""), &["accessor 1", "vertex 99", "there are 8 only"]);
    refused("a.obj", b"v 0 0 0\nv 1 0 0\nf 1 2 -3\n", &["line 3", "vertex -3", "there are 2 so far"]);
    refused("a.obj", b"v 0 0 0\nf 0 1 1\n", &["line 2", "counts from 1"]);
    refused("a.obj", b"v 0 0 0\nv 1 0 0\nf 1 2\n", &["line 3", "at least three corners"]);
    refused("a.obj", b"v 0 zero 0\n", &["line 1", "`zero` is not a number"]);
    refused("a.obj", b"v 0 0\n", &["line 1", "a number is missing"]);
}

#[test]
fn huge_numbers_in_headers_take_no_memory() {
    let mut stl = stl_binary(&cube());
    stl[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    refused("a.stl", &stl, &["4294967295 triangles are announced", "12 triangles"]);
    let ply = |count: &str, list: &str| {
        format!(
            "ply\nformat binary_little_endian 1.0\nelement vertex {count}\nproperty float x\nproperty float y\n\
             property float z\nelement face 1\nproperty list uint int vertex_indices\nend_header\n{list}"
        )
    };
    refused("a.ply", ply("18446744073709551615", "").as_bytes(), &["cut short", "18446744073709551615 rows"]);
    refused("a.ply", ply("0", "\u{7f}\u{7f}\u{7f}\u{7f}").as_bytes(), &["cut short"]);
    let json = String::from_utf8(gltf(&cube(), "")).unwrap().replace("\"count\":36", "\"count\":18446744073709551615");
    refused("a.gltf", json.as_bytes(), &["accessor 1", "outside"]);
    let few = ReadOptions { most_triangles: 10, ..ReadOptions::default() };
    let error = read_bytes("a.stl", &stl_binary(&cube()), &few).unwrap_err().to_string();
    assert!(error.contains("12 triangles, more than the limit of 10"), "{error}");
}

#[test]
fn compressed_and_impossible_gltf_is_refused() {
    let json = String::from_utf8(gltf(&cube(), "")).unwrap();
    let draco = json.replacen('{', "{\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],", 1);
    refused("a.gltf", draco.as_bytes(), &["KHR_draco_mesh_compression", "without compression"]);
    let circle = json.replace("\"mesh\":0}", "\"mesh\":0,\"children\":[0]}");
    refused("a.gltf", circle.as_bytes(), &["node 0", "its own ancestor"]);
    let apart = common::gltf_apart(&cube(), "cube.bin").0;
    refused("a.gltf", &apart, &["buffer 0", "`cube.bin`", "give the path"]);
}

#[test]
fn files_of_cad_and_modelling_programs_are_refused_with_advice() {
    refused("a.step", b"ISO-10303-21;\nHEADER;", &["STEP", "FreeCAD", "gmsh"]);
    refused("a.stl", b"ISO-10303-21;\nHEADER;", &["STEP"]);
    let mut iges = vec![b' '; 72];
    iges.extend(b"S      1\n");
    refused("a.igs", &iges, &["IGES", "FreeCAD"]);
    refused("a.sldprt", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", &["SolidWorks", "save it as STL"]);
    refused("a.3mf", b"PK\x03\x04....", &["3D printers", "slicer"]);
    refused("a.fbx", b"Kaydara FBX Binary  \0", &["FBX", "Blender"]);
    refused("a.x_t", b"whatever", &["CAD document"]);
    refused("a.dae", b"<?xml version=\"1.0\"?><COLLADA>", &["COLLADA", "Blender"]);
}

#[test]
fn options_that_make_no_sense_are_refused() {
    for options in [
        ReadOptions { scale: 0.0, ..ReadOptions::default() },
        ReadOptions { scale: f64::NAN, ..ReadOptions::default() },
        ReadOptions { weld: Some(-1.0), ..ReadOptions::default() },
        ReadOptions { fill_cells: 100_000, ..ReadOptions::default() },
    ] {
        assert!(read_bytes("a.obj", &obj(&cube()), &options).unwrap_err().to_string().contains("must"));
    }
}
