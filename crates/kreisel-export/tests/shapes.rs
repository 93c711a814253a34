//! OBJ, STL, USD and glTF files are read back: numbers of frames, points, names, textures, motions.
#![allow(clippy::unwrap_used)]

mod common;
use common::*;
use kreisel_export::{Format, Options};

#[test]
fn an_obj_keeps_the_files_vertices_in_order_its_textures_and_its_names() {
    let directory = tempfile::tempdir().unwrap();
    let options = Options { time: Some(0.5), body: Some("jelly".into()), ..to(Format::Obj) };
    exported(directory.path(), &options, "jelly.obj").unwrap();
    let text = std::fs::read_to_string(directory.path().join("jelly.obj")).unwrap();
    let lines = |key: &str| -> Vec<Vec<f64>> {
        let of_key = text.lines().filter_map(|l| l.strip_prefix(key));
        of_key.map(|l| l.split_whitespace().map(|w| w.parse().unwrap()).collect()).collect()
    };
    // The file's six vertices (two places twice), 20 % longer along x, then the one that refinement added.
    let expected = [[0.0, 1.0], [1.2, 1.0], [0.0, 0.0], [1.2, 0.0], [0.0, 0.0], [1.2, 1.0], [0.6, 0.5]];
    let vertices = lines("v ");
    assert_eq!(vertices.len(), 7);
    for (v, [x, y]) in vertices.iter().zip(expected) {
        assert!((v[0] - x).abs() + (v[1] - y).abs() + (v[2] - 1.0).abs() < 1e-6, "{v:?}");
    }
    let textures = lines("vt ");
    assert_eq!(textures[..4], [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
    assert!(textures[4..].iter().all(|uv| *uv == [0.5, 0.5]), "the middle has the middle: {textures:?}");
    let rest: Vec<&str> = text.lines().filter(|l| l.starts_with("g ") || l.starts_with("o ")).collect();
    assert_eq!(rest, ["o jelly", "g left_side", "g right"]);
    let faces: Vec<&str> = text.lines().filter(|l| l.starts_with("f ")).collect();
    assert_eq!(faces[0], "f 3/1/1 4/2/2 7/5/5");
    assert_eq!(faces[2].split('/').next(), Some("f 5"), "the file's second triangle has vertices of its own");
}

#[test]
fn an_stl_has_all_triangles_of_the_last_frame_and_they_look_outwards() {
    let directory = tempfile::tempdir().unwrap();
    exported(directory.path(), &Options { body: Some("rigid box".into()), ..to(Format::Stl) }, "box.stl").unwrap();
    let bytes = std::fs::read(directory.path().join("box.stl")).unwrap();
    let number = |k: usize| f64::from(f32::from_le_bytes(bytes[k..k + 4].try_into().unwrap()));
    let count = u32::from_le_bytes(bytes[80..84].try_into().unwrap()) as usize;
    assert_eq!((count, bytes.len()), (12, 84 + 50 * 12));
    let vector = |t: usize, k: usize| {
        let at = 84 + 50 * t + 12 * k;
        kreisel::DVec3::new(number(at), number(at + 4), number(at + 8))
    };
    let sixfold = |t: usize| vector(t, 1).dot(vector(t, 2).cross(vector(t, 3)));
    let volume: f64 = (0..count).map(sixfold).sum::<f64>() / 6.0;
    assert!((volume - 1.0).abs() < 1e-4, "{volume}");
}

#[test]
fn a_usd_stage_has_a_prim_per_body_and_a_sample_per_frame() {
    let directory = tempfile::tempdir().unwrap();
    exported(directory.path(), &to(Format::Usd), "world.usda").unwrap();
    let text = std::fs::read_to_string(directory.path().join("world.usda")).unwrap();
    assert!(text.starts_with("#usda 1.0\n"));
    for line in ["upAxis = \"Z\"", "metersPerUnit = 1", "timeCodesPerSecond = 4", "endTimeCode = 4"] {
        assert!(text.contains(line), "{line}");
    }
    for prim in ["def Mesh \"jelly\"", "def Mesh \"soft_box\"", "def Mesh \"rigid_box\"", "def Points \"balls\""] {
        assert_eq!(text.matches(prim).count(), 1, "{prim}");
    }
    assert_eq!(text.matches("point3f[] points.timeSamples").count(), 4);
    assert_eq!(text.matches("faceVertexIndices.timeSamples").count(), 1, "only the box that breaks changes");
    assert!(text.contains("def GeomSubset \"left_side\"") && text.contains("primvars:st"));
    assert_eq!(text.matches('{').count(), text.matches('}').count());
}

#[test]
fn in_a_glb_rigid_bodies_move_as_nodes_and_others_are_baked() {
    let directory = tempfile::tempdir().unwrap();
    exported(directory.path(), &to(Format::Glb), "world.glb").unwrap();
    let bytes = std::fs::read(directory.path().join("world.glb")).unwrap();
    let glb = gltf::Gltf::from_slice(&bytes).unwrap();
    let blob = glb.blob.clone().unwrap();
    let names: Vec<&str> = glb.nodes().filter_map(|n| n.name()).collect();
    assert_eq!(names, ["jelly", "soft box", "soft box 2", "rigid box", "balls", "my-world"]);
    let animation = glb.animations().next().unwrap();
    let of_node = |node: &str, property| {
        let mut channels = animation.channels();
        channels.find(|c| c.target().node().name() == Some(node) && c.target().property() == property).unwrap()
    };
    let rotation = of_node("rigid box", gltf::animation::Property::Rotation);
    let reader = rotation.reader(|_| Some(&blob));
    let times: Vec<f32> = reader.read_inputs().unwrap().collect();
    assert_eq!(times, [0.0, 0.25, 0.5, 0.75, 1.0]);
    let Some(gltf::animation::util::ReadOutputs::Rotations(turns)) = reader.read_outputs() else { panic!("rotations") };
    let turns: Vec<[f32; 4]> = turns.into_f32().collect();
    for (k, turn) in turns.iter().enumerate() {
        let half = 0.7 * k as f32;
        let (z, w) = (half.sin(), half.cos());
        let same = (turn[2] * z + turn[3] * w).abs();
        assert!((same - 1.0).abs() < 1e-5, "{k}: {turn:?}");
        let onwards = k == 0 || (0..4).map(|i| turn[i] * turns[k - 1][i]).sum::<f32>() > 0.0;
        assert!(onwards, "the shorter way");
    }
    let weights = of_node("jelly", gltf::animation::Property::MorphTargetWeights);
    let Some(gltf::animation::util::ReadOutputs::MorphTargetWeights(weights)) =
        weights.reader(|_| Some(&blob)).read_outputs()
    else {
        panic!("weights")
    };
    let weights: Vec<f32> = weights.into_f32().collect();
    assert_eq!(weights.len(), FRAMES * (FRAMES - 1));
    assert_eq!(weights[8..12], [0.0, 1.0, 0.0, 0.0], "at the third frame the second target");
}

#[test]
fn the_baked_skin_keeps_textures_and_parts_and_its_last_target_is_the_last_frame() {
    let directory = tempfile::tempdir().unwrap();
    exported(directory.path(), &to(Format::Gltf), "world.gltf").unwrap();
    let text = std::fs::read(directory.path().join("world.gltf")).unwrap();
    let document = gltf::Gltf::from_slice(&text).unwrap();
    let gltf::buffer::Source::Uri(uri) = document.buffers().next().unwrap().source() else { panic!("text") };
    assert!(uri.starts_with("data:application/octet-stream;base64,"));
    exported(directory.path(), &to(Format::Glb), "world.glb").unwrap();
    let glb = gltf::Gltf::from_slice(&std::fs::read(directory.path().join("world.glb")).unwrap()).unwrap();
    let blob = glb.blob.clone().unwrap();
    let mesh = glb.meshes().find(|m| m.name() == Some("jelly")).unwrap();
    let materials: Vec<_> = mesh.primitives().map(|p| p.material().name().unwrap().to_string()).collect();
    assert_eq!(materials, ["left side", "right"]);
    let primitive = mesh.primitives().next().unwrap();
    let reader = primitive.reader(|_| Some(&blob));
    let base: Vec<[f32; 3]> = reader.read_positions().unwrap().collect();
    let uvs: Vec<[f32; 2]> = reader.read_tex_coords(0).unwrap().into_f32().collect();
    let (last, normals, _) = reader.read_morph_targets().last().unwrap();
    let moved: Vec<[f32; 3]> = last.unwrap().collect();
    assert_eq!((base.len(), reader.read_morph_targets().count()), (5, FRAMES - 1));
    for k in 0..base.len() {
        let x = base[k][0] + moved[k][0];
        assert!((x - 1.4 * uvs[k][0]).abs() < 1e-5 && (base[k][1] - (1.0 - uvs[k][1])).abs() < 1e-5, "{k}");
    }
    assert!(normals.unwrap().flatten().all(|d| d.abs() < 1e-5), "it stays flat");
}

#[test]
fn a_piece_is_visible_only_while_it_lasts() {
    let directory = tempfile::tempdir().unwrap();
    exported(directory.path(), &to(Format::Glb), "world.glb").unwrap();
    let glb = gltf::Gltf::from_slice(&std::fs::read(directory.path().join("world.glb")).unwrap()).unwrap();
    let blob = glb.blob.clone().unwrap();
    let animation = glb.animations().next().unwrap();
    let shown = |node: &str| -> Vec<(f32, f32)> {
        let mut channels = animation.channels().filter(|c| c.target().node().name() == Some(node));
        let channel = channels.find(|c| c.target().property() == gltf::animation::Property::Scale).unwrap();
        let reader = channel.reader(|_| Some(&blob));
        let Some(gltf::animation::util::ReadOutputs::Scales(scales)) = reader.read_outputs() else { panic!("scales") };
        reader.read_inputs().unwrap().zip(scales.map(|s| s[0])).collect()
    };
    assert_eq!(shown("soft box"), [(0.0, 1.0), (0.75, 0.0), (1.0, 0.0)]);
    assert_eq!(shown("soft box 2"), [(0.0, 0.0), (0.75, 1.0), (1.0, 1.0)]);
}
