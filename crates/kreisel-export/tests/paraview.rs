//! VTU files are read back by an XML parser, their numbers unpacked.
#![allow(clippy::unwrap_used)]

mod common;
use common::*;
use kreisel_export::Format;
use std::io::Read;
use std::path::Path;

/// A file of VTK, and its arrays as numbers.
struct Grid {
    text: String,
}

impl Grid {
    fn read(path: &Path) -> Self {
        Self { text: std::fs::read_to_string(path).unwrap() }
    }

    /// The numbers of an array of doubles or floats.
    fn numbers(&self, name: &str) -> Vec<f64> {
        let document = roxmltree::Document::parse(&self.text).unwrap();
        let node = document.descendants().find(|n| n.attribute("Name") == Some(name)).unwrap();
        let appended = document.descendants().find(|n| n.has_tag_name("AppendedData")).unwrap();
        let text = appended.text().unwrap().trim().strip_prefix('_').unwrap();
        let bytes = unpack(&text[node.attribute("offset").unwrap().parse::<usize>().unwrap()..]);
        match node.attribute("type").unwrap() {
            "Float64" => bytes.chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect(),
            "Float32" => bytes.chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap()).into()).collect(),
            "Int64" => bytes.chunks(8).map(|b| i64::from_le_bytes(b.try_into().unwrap()) as f64).collect(),
            _ => bytes.iter().map(|&b| b.into()).collect(),
        }
    }

    fn count(&self, what: &str) -> usize {
        let document = roxmltree::Document::parse(&self.text).unwrap();
        document.descendants().find_map(|n| n.attribute(what)).unwrap().parse().unwrap()
    }
}

/// A block of packed numbers: head and contents, each as base64.
fn unpack(text: &str) -> Vec<u8> {
    let blocks = u64::from_le_bytes(decode(&text[..32])[..8].try_into().unwrap()) as usize;
    let head = (24 + 8 * blocks).div_ceil(3) * 4;
    let sizes = decode(&text[..head]);
    let packed: u64 = sizes[24..].chunks(8).map(|b| u64::from_le_bytes(b.try_into().unwrap())).sum();
    assert_eq!(blocks, 1, "these arrays are small");
    let data = decode(&text[head..head + (packed as usize).div_ceil(3) * 4]);
    let mut bytes = Vec::new();
    flate2::read::ZlibDecoder::new(&data[..]).read_to_end(&mut bytes).unwrap();
    bytes
}

fn decode(text: &str) -> Vec<u8> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = Vec::new();
    for four in text.as_bytes().chunks(4) {
        let bits = four.iter().fold(0_u32, |bits, &c| bits << 6 | u32::from(if c == b'=' { 0 } else { value(c) }));
        let filled = four.iter().filter(|&&c| c == b'=').count();
        bytes.extend(&bits.to_be_bytes()[1..4 - filled]);
    }
    bytes
}

#[test]
fn every_frame_is_listed_with_its_time_and_has_all_elements_connections_and_surfaces() {
    let directory = tempfile::tempdir().unwrap();
    let exported = exported(directory.path(), &to(Format::Vtu), "vtu").unwrap();
    assert_eq!((exported.frames, exported.path.file_name().unwrap().to_str()), (FRAMES, Some("my-world.pvd")));
    let list = std::fs::read_to_string(&exported.path).unwrap();
    let list = roxmltree::Document::parse(&list).unwrap();
    let sets: Vec<_> = list.descendants().filter(|n| n.has_tag_name("DataSet")).collect();
    assert_eq!(sets.len(), 2 * FRAMES);
    for (k, set) in sets.iter().enumerate() {
        assert_eq!(set.attribute("timestep").unwrap().parse::<f64>().unwrap(), (k / 2) as f64 * INTERVAL);
        let grid = Grid::read(&directory.path().join("vtu").join(set.attribute("file").unwrap()));
        // 26 elements and 36 edges; a skin of 5 vertices and 4 triangles, two boxes of 8 and 12, two balls of 42 and 80.
        let broken = if k / 2 >= 3 { 4 } else { 0 };
        let expected = if k % 2 == 0 { (26, 26 + 36) } else { (5 + 16 + 84, 4 + 24 - broken + 160) };
        assert_eq!((grid.count("NumberOfPoints"), grid.count("NumberOfCells")), expected, "{k}");
    }
}

#[test]
fn a_stretched_cube_pulls_its_corners_together_and_a_rigid_one_does_nothing() {
    let directory = tempfile::tempdir().unwrap();
    exported(directory.path(), &to(Format::Vtu), "vtu").unwrap();
    let grid = Grid::read(&directory.path().join("vtu/elements_00004.vtu"));
    let (points, force) = (grid.numbers("Points"), grid.numbers("force"));
    // The jelly is 40 % longer: each of its edges along x pulls with k (d − l) = 40 N.
    for e in 0..8 {
        let x = corner(e).x;
        assert!((points[3 * e] - 1.4 * x).abs() < 1e-6);
        assert!((force[3 * e] - if x > 0.5 { -40.0 } else { 40.0 }).abs() < 1e-4, "{}", force[3 * e]);
        assert!(force[3 * e + 1].abs() + force[3 * e + 2].abs() < 1e-4);
    }
    assert!(force[3 * 16..3 * 24].iter().all(|&f| f == 0.0), "inside a rigid body nothing is elastic");
    assert_eq!(grid.numbers("rigid").iter().sum::<f64>(), 8.0);
    let displacement = grid.numbers("displacement");
    assert!((displacement[3 * 8 + 2] - 0.4).abs() < 1e-6);
    // A corner of volume 1/8 m³ holds half of f d = 40 · 1.4 J.
    let stress = grid.numbers("stress");
    assert!((stress[0] - 0.5 * 56.0 / 0.125).abs() < 1e-2, "{}", stress[0]);
    assert!((grid.numbers("von_mises")[0] - stress[0]).abs() < 1e-2);
    let (strain, damage) = (grid.numbers("strain"), grid.numbers("damage"));
    assert_eq!(strain.iter().filter(|&&s| (s - 0.4).abs() < 1e-5).count(), 4);
    assert_eq!(damage[26..].iter().sum::<f64>(), 1.0);
    assert_eq!(damage[..26].iter().filter(|&&d| (d - 1.0 / 3.0).abs() < 1e-6).count(), 2);
}

#[test]
fn one_body_alone_is_without_the_others() {
    let directory = tempfile::tempdir().unwrap();
    let options = kreisel_export::Options { body: Some("soft box".into()), ..to(Format::Vtu) };
    exported(directory.path(), &options, "vtu").unwrap();
    let grid = Grid::read(&directory.path().join("vtu/elements_00000.vtu"));
    assert_eq!((grid.count("NumberOfPoints"), grid.count("NumberOfCells")), (8, 8 + 12));
    assert!(grid.numbers("body").iter().all(|&b| b == 1.0));
}
