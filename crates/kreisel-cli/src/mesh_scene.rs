//! A commented scene around a mesh.

use crate::failure::Failure;
use kreisel_mesh::{Fill, Format, LengthUnit, Loaded, MeshError, MeshReport, ReadOptions, probable_unit, read_path};
use std::path::Path;

/// About so many elements make a body that runs at once and still shows its shape.
const ELEMENTS: f64 = 3000.0;
/// Height of the body above the ground [m].
const DROP: f64 = 0.1;

/// The text of a scene in which the mesh falls on the ground, and the report about the mesh.
pub fn scene_around(mesh: &Path, scene: &Path) -> Result<(String, String), Failure> {
    let options = ReadOptions::default();
    let (first, fill) = match read_path(mesh, &options) {
        Err(error) if error.problem.can_be_filled() => {
            (read_path(mesh, &ReadOptions { fill: Fill::WindingNumber, ..options })?, Fill::WindingNumber)
        }
        other => (other?, Fill::Refuse),
    };
    let (unit, why) = guess_unit(&first.report);
    let Loaded { report, .. } = read_path(mesh, &ReadOptions { scale: unit.metres(), fill, ..ReadOptions::default() })?;
    let text = scene_text(&report, &file_name(mesh, scene), unit, &why, fill);
    Ok((text, report.to_string()))
}

/// glTF is in metres by its standard; the size has to tell for the others.
fn guess_unit(report: &MeshReport) -> (LengthUnit, String) {
    let longest = report.size().max_element();
    match report.format {
        Format::Gltf | Format::Glb => (LengthUnit::Metre, "glTF is in metres".to_string()),
        _ => {
            let unit = probable_unit(longest);
            let size = longest * unit.metres();
            (unit, format!("guessed: its longest side is {longest:.4}, which would be {size:.4} m"))
        }
    }
}

/// How the scene names the mesh: by its name if both are in one directory, otherwise in full.
fn file_name(mesh: &Path, scene: &Path) -> String {
    let directory =
        |p: &Path| p.parent().map(|d| if d.as_os_str().is_empty() { Path::new(".") } else { d }.canonicalize().ok());
    let name = match directory(mesh) == directory(scene) {
        true => mesh.file_name().map(|n| n.display().to_string()),
        false => mesh.canonicalize().ok().map(|p| p.display().to_string()),
    };
    // What JSON writes between quotes, TOML reads.
    serde_json::Value::from(name.unwrap_or_else(|| mesh.display().to_string())).to_string()
}

/// Cells across the shortest side for about [`ELEMENTS`]: `n³ (b/a)(c/a) f` of them, with the share `f` of the box
/// that is filled.
fn cells(report: &MeshReport) -> u32 {
    let size = report.size();
    let (a, filled) = (size.min_element(), report.volume / size.element_product());
    let elements_of_one = filled * size.element_product() / (a * a * a);
    (ELEMENTS / elements_of_one).cbrt().round().clamp(2.0, 20.0) as u32
}

fn scene_text(report: &MeshReport, file: &str, unit: LengthUnit, why: &str, fill: Fill) -> String {
    let comment: String = report.to_string().lines().map(|l| format!("# {l}\n")).collect();
    let middle = 0.5 * (report.low + report.high);
    let at = [-middle.x, -middle.y, DROP - report.low.z].map(|x| format!("{:.6}", x + 0.0));
    let fill = if fill == Fill::WindingNumber { ", fill = true" } else { "" };
    format!(
        "# A scene around a mesh. Check it with `kreisel check FILE`, run it with `kreisel run FILE`.\n\
         # Numbers are SI (m, kg, s, Pa …); texts may carry a unit: \"2 cm\", \"210 GPa\", \"30 deg\". z is up.\n#\n\
         {comment}\n\
         title = {file}\n\
         duration = \"1 s\"\n\
         ground = true                  # a plane at z = 0; {{ height = \"-1 m\", friction = 0.6 }} for another one\n\n\
         [[body]]\n\
         name = \"part\"\n\
         # The unit is {why}.\n\
         shape = {{ mesh = {{ file = {file}, unit = \"{unit}\"{fill} }} }}\n\
         at = [{x}, {y}, {z}]  # where the origin of the mesh is: it starts 10 cm above the ground\n\
         # rotation = {{ axis = [1, 0, 0], angle = \"90 deg\" }}\n\
         material = \"rubber\"            # steel, aluminium, oak, rubber, gel, foam, glass, concrete, ice, bone …\n\
         cells = {cells}                      # across the shortest side; more if thin parts fall off\n\
         # rigid = true                 # or a part: {{ z = {{ above = 0.2 }} }}\n\n\
         [[probe]]\n\
         name = \"height\"\n\
         quantity = \"position\"\n\
         body = \"part\"\n\
         component = \"z\"\n",
        unit = unit.symbol(),
        x = at[0],
        y = at[1],
        z = at[2],
        cells = cells(report),
    )
}

impl From<MeshError> for Failure {
    fn from(error: MeshError) -> Self {
        Self::input(format!("{}: {}", error.name, error.problem), &error.problem.advice())
    }
}
