//! Which kind of file this is, by its content first and its name second.

use crate::error::Problem;

/// A format of meshes that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Wavefront OBJ.
    Obj,
    /// STL, as text or binary.
    Stl,
    /// PLY, as text or binary.
    Ply,
    /// glTF 2.0 as JSON.
    Gltf,
    /// glTF 2.0 in one binary file.
    Glb,
}

const FREECAD: &str =
    "open it in FreeCAD or the program that made it and export a mesh as STL, or run `gmsh -2 -o part.stl FILE`";
const CAD: &str = "open it in the program that made it and save it as STL (or as STEP, which FreeCAD turns into STL)";
const BLENDER: &str = "open it in Blender and export it as OBJ, STL, PLY or glTF";
const CONVERT: &str = "convert it with Blender, MeshLab or `pip install meshio; meshio convert FILE part.stl`";
const PRINTING: &str = "open it in a slicer (PrusaSlicer, Cura) or Blender and export it as STL";
const UNPACK: &str = "unpack it first";

/// Other formats by the bytes that they begin with.
const BEGINNINGS: [(&[u8], &str, &str); 22] = [
    (b"ISO-10303-21", "a STEP file (CAD)", FREECAD),
    (b"CASCADE Topology", "an OpenCascade BREP file (CAD)", FREECAD),
    (b"DBRep_DrawableShape", "an OpenCascade BREP file (CAD)", FREECAD),
    (b"**ABCDEFG", "a Parasolid file (CAD)", CAD),
    (b"\xd0\xcf\x11\xe0", "a CAD document (SolidWorks, Inventor …)", CAD),
    (b"AC10", "a DWG drawing (CAD)", CAD),
    (b"Kaydara FBX", "an FBX file", BLENDER),
    (b"; FBX", "an FBX file", BLENDER),
    (b"BLENDER", "a Blender file", BLENDER),
    (b"PXR-USDC", "a USD file", BLENDER),
    (b"#usda", "a USD file", BLENDER),
    (b"#VRML", "a VRML file", BLENDER),
    (b"#X3D", "an X3D file", BLENDER),
    (b"OFF", "an OFF file", CONVERT),
    (b"COFF", "an OFF file", CONVERT),
    (b"# vtk DataFile", "a VTK file", CONVERT),
    (b"$MeshFormat", "a Gmsh file", CONVERT),
    (b"<?xml", "an XML file (COLLADA, X3D, AMF, VTU …)", BLENDER),
    (b"\x1f\x8b", "a gzip archive", UNPACK),
    (b"\x28\xb5\x2f\xfd", "a zstd archive", UNPACK),
    (b"\x89PNG", "a picture", "give a mesh"),
    (b"%PDF", "a PDF document", "give a mesh"),
];

/// Other formats by the ending of the name.
const ENDINGS: [(&[&str], &str, &str); 9] = [
    (&["step", "stp"], "a STEP file (CAD)", FREECAD),
    (&["iges", "igs"], "an IGES file (CAD)", FREECAD),
    (&["brep", "brp", "fcstd"], "a FreeCAD or OpenCascade file (CAD)", FREECAD),
    (
        &["sldprt", "sldasm", "ipt", "iam", "catpart", "catproduct", "prt", "asm", "x_t", "x_b", "sat", "jt", "f3d"],
        "a CAD document",
        CAD,
    ),
    (&["3mf", "amf"], "a file for 3D printers", PRINTING),
    (&["dwg", "dxf", "3dm", "skp"], "a CAD drawing", CAD),
    (
        &["fbx", "dae", "blend", "usd", "usda", "usdc", "usdz", "3ds", "max", "ma", "mb", "abc", "wrl", "x3d", "c4d"],
        "a scene of a modelling program",
        BLENDER,
    ),
    (&["off", "vtk", "vtu", "vtp", "msh", "inp", "mesh", "xdmf"], "a mesh in a format of its own", CONVERT),
    (&["zip", "gz", "7z", "rar", "tar"], "an archive", UNPACK),
];

/// Whether the ending of a name is that of a mesh, one that is read or one that is refused with advice.
pub fn is_mesh_name(name: &str) -> bool {
    let ending = ending(name);
    by_ending(&ending).is_some() || ENDINGS.iter().any(|(names, ..)| names.contains(&ending.as_str()))
}

/// Which kind of file this is.
pub fn recognise(name: &str, bytes: &[u8]) -> Result<Format, Problem> {
    let ending = ending(name);
    let content = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    if bytes.is_empty() {
        return Err(Problem::Empty { remark: "the file is empty".to_string() });
    }
    if let Some(format) = by_content(bytes, content, &ending) {
        return Ok(format);
    }
    foreign(&ending, content)?;
    by_ending(&ending).ok_or(Problem::Unknown)
}

/// What cannot be mistaken.
fn by_content(bytes: &[u8], content: &[u8], ending: &str) -> Option<Format> {
    if bytes.starts_with(b"glTF") {
        return Some(Format::Glb);
    }
    if content.starts_with(b"ply\n") || content.starts_with(b"ply\r") || content.starts_with(b"ply ") {
        return Some(Format::Ply);
    }
    if content.starts_with(b"{") && ending != "stl" {
        return Some(Format::Gltf);
    }
    // A binary STL may begin with anything: its length decides.
    if crate::read::stl::is_binary_by_length(bytes) || (content.starts_with(b"solid") && ending != "obj") {
        return Some(Format::Stl);
    }
    (by_ending(ending).is_none() && looks_like_obj(content)).then_some(Format::Obj)
}

fn foreign(ending: &str, content: &[u8]) -> Result<(), Problem> {
    if content.starts_with(b"PK\x03\x04") {
        return match ENDINGS.iter().find(|(names, ..)| names.contains(&ending)) {
            Some(&(_, what, advice)) => Err(Problem::Foreign { what, advice }),
            None => Err(Problem::Foreign { what: "a zip archive", advice: UNPACK }),
        };
    }
    if let Some(&(_, what, advice)) = BEGINNINGS.iter().find(|(begin, ..)| content.starts_with(begin)) {
        return Err(Problem::Foreign { what, advice });
    }
    if content.get(72) == Some(&b'S') && content.get(73..80).is_some_and(|c| c.ends_with(b"1")) {
        return Err(Problem::Foreign { what: "an IGES file (CAD)", advice: FREECAD });
    }
    match ENDINGS.iter().find(|(names, ..)| names.contains(&ending)) {
        Some(&(_, what, advice)) => Err(Problem::Foreign { what, advice }),
        None => Ok(()),
    }
}

fn by_ending(ending: &str) -> Option<Format> {
    match ending {
        "obj" => Some(Format::Obj),
        "stl" => Some(Format::Stl),
        "ply" => Some(Format::Ply),
        "gltf" => Some(Format::Gltf),
        "glb" => Some(Format::Glb),
        _ => None,
    }
}

/// A line that begins with `v ` before anything that OBJ does not know.
fn looks_like_obj(content: &[u8]) -> bool {
    let known = |l: &[u8]| [&b"#"[..], b"o ", b"g ", b"mtllib", b"usemtl", b"s "].iter().any(|k| l.starts_with(k));
    content
        .split(|&b| b == b'\n')
        .take(200)
        .find(|l| !known(l) && !l.trim_ascii().is_empty())
        .is_some_and(|l| l.starts_with(b"v "))
}

fn ending(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    last.rsplit_once('.').map(|(_, e)| e.to_ascii_lowercase()).unwrap_or_default()
}
