//! Universal Scene Description as text: a mesh per surface whose points, and after fracture triangles, go with time.
//!
//! Elements without a surface are points with widths. `z` is up, lengths are metres, a time code is a frame of the rate.

use crate::error::ExportError;
use crate::palette::colour;
use crate::place::{self, MARK};
use crate::story::Story;
use crate::surface::{Source, shapes};
use crate::takes::{Course, Take, Topology, follow};
use crate::usd_text::{Names, join, quoted, series, time_code, triples};
use kreisel::model::Model;
use std::io::{self, Write};
use std::path::Path;

/// Writes the story as one file.
pub fn write(story: &mut Story, path: &Path) -> Result<(), ExportError> {
    let model = story.model.clone();
    let shapes = shapes(&model, story.body.as_deref())?;
    let courses = follow(story, &model, shapes)?;
    let rate = story.rate;
    let ends = courses.first().map_or((0.0, 0.0), |c| ends(c, rate));
    let mut names = Names::default();
    let root = names.unique(&story.name);
    place::write_file(path, |out| {
        let mut all = || -> io::Result<()> {
            write!(out, "{}", head(&root, &story.name, rate, ends))?;
            let mut names = Names::default();
            for course in &courses {
                let name = names.unique(&course.shape.name);
                match &course.shape.source {
                    Source::Balls(elements) => write_points(out, course, &name, &model, elements, rate)?,
                    _ => write_mesh(out, course, &name, rate)?,
                }
            }
            writeln!(out, "}}")
        };
        all().map_err(ExportError::file(path))
    })
}

fn ends(course: &Course, rate: f64) -> (f64, f64) {
    let code = |take: Option<&Take>| take.map_or(0.0, |t| time_code(t.time, rate));
    (code(course.takes.first()), code(course.takes.last()))
}

fn head(root: &str, name: &str, rate: f64, (start, end): (f64, f64)) -> String {
    format!(
        "#usda 1.0\n(\n    doc = {}\n    defaultPrim = \"{root}\"\n    metersPerUnit = 1\n    upAxis = \"Z\"\n    \
         timeCodesPerSecond = {rate}\n    framesPerSecond = {rate}\n    startTimeCode = {start}\n    \
         endTimeCode = {end}\n)\n\ndef Xform \"{root}\"\n{{\n",
        quoted(&format!("{MARK}: {name}"))
    )
}

fn write_mesh(out: &mut impl Write, course: &Course, name: &str, rate: f64) -> io::Result<()> {
    open_prim(out, "Mesh", course, name)?;
    writeln!(out, "        uniform token subdivisionScheme = \"none\"")?;
    let sample = |of: &dyn Fn(&Topology) -> String| topology_series(course, rate, of);
    attribute(out, "int[] faceVertexCounts", &sample(&|t| join(t.triangles.iter().map(|_| "3".into()))), None)?;
    let indices = sample(&|t| join(t.triangles.iter().flatten().map(u32::to_string)));
    attribute(out, "int[] faceVertexIndices", &indices, None)?;
    write_moving(out, course, rate)?;
    // The normals of a lattice's faces are left to the viewer, which shades them flat.
    if matches!(course.shape.source, Source::Skin(_)) {
        let normals = course.takes.iter().map(|t| (time_code(t.time, rate), triples(&t.normals)));
        attribute(out, "normal3f[] normals", &series(normals), Some("vertex"))?;
    }
    if course.topologies.first().is_some_and(|t| t.texture.is_some()) {
        let texture = sample(&|t| join(t.texture.iter().flatten().flatten().map(|[u, v]| format!("({u}, {v})"))));
        attribute(out, "texCoord2f[] primvars:st", &texture, Some("faceVarying"))?;
    }
    write_parts(out, course)?;
    writeln!(out, "    }}")
}

/// An attribute with its value or its series; how it is interpolated is said at its declaration.
fn attribute(out: &mut impl Write, name: &str, value: &str, interpolation: Option<&str>) -> io::Result<()> {
    let meta = interpolation.map_or(String::new(), |i| format!(" (\n            interpolation = \"{i}\"\n        )"));
    match (value.starts_with(".timeSamples"), interpolation) {
        (true, Some(_)) => writeln!(out, "        {name}{meta}\n        {name}{value}"),
        (true, None) => writeln!(out, "        {name}{value}"),
        (false, _) => writeln!(out, "        {name}{value}{meta}"),
    }
}

/// Values per topology, sampled where it changes; constant if it never does.
fn topology_series(course: &Course, rate: f64, of: &dyn Fn(&Topology) -> String) -> String {
    let starts = (0..course.topologies.len()).filter_map(|k| course.takes.iter().find(|t| t.topology == k));
    let samples: Vec<_> = starts.zip(&course.topologies).map(|(take, t)| (time_code(take.time, rate), of(t))).collect();
    match &samples[..] {
        [(_, only)] => format!(" = {only}"),
        _ => series(samples.into_iter()),
    }
}

fn write_points(
    out: &mut impl Write,
    course: &Course,
    name: &str,
    model: &Model,
    elements: &[u32],
    rate: f64,
) -> io::Result<()> {
    open_prim(out, "Points", course, name)?;
    let widths = join(elements.iter().map(|&e| (2.0 * model.elements.radius[e as usize] as f32).to_string()));
    attribute(out, "float[] widths", &format!(" = {widths}"), Some("vertex"))?;
    write_moving(out, course, rate)?;
    writeln!(out, "    }}")
}

fn open_prim(out: &mut impl Write, kind: &str, course: &Course, name: &str) -> io::Result<()> {
    let [r, g, b] = colour(course.shape.body);
    writeln!(out, "    def {kind} \"{name}\" (\n        displayName = {}\n    )\n    {{", quoted(&course.shape.name))?;
    writeln!(out, "        color3f[] primvars:displayColor = [({r}, {g}, {b})]")
}

/// Points and the box around them.
fn write_moving(out: &mut impl Write, course: &Course, rate: f64) -> io::Result<()> {
    let balls = matches!(course.shape.source, Source::Balls(_));
    let extents = course.takes.iter().map(|t| (time_code(t.time, rate), triples(&extent(&t.vertices))));
    attribute(out, "float3[] extent", &series(extents), None)?;
    let places = |t: &Take| if balls { triples(&t.centres) } else { triples(&t.vertices) };
    let points = course.takes.iter().map(|t| (time_code(t.time, rate), places(t)));
    attribute(out, "point3f[] points", &series(points), None)
}

fn extent(vertices: &[[f32; 3]]) -> [[f32; 3]; 2] {
    let Some(&first) = vertices.first() else { return [[0.0; 3]; 2] };
    vertices.iter().fold([first, first], |[low, high], v| {
        [[0, 1, 2].map(|k| low[k].min(v[k])), [0, 1, 2].map(|k| high[k].max(v[k]))]
    })
}

/// The named parts of a surface, as subsets of its faces, if its topology never changes.
fn write_parts(out: &mut impl Write, course: &Course) -> io::Result<()> {
    let [topology] = &course.topologies[..] else { return Ok(()) };
    let mut names = Names::default();
    for (name, triangles) in topology.parts.iter().filter_map(|(name, list)| name.as_ref().map(|n| (n, list))) {
        writeln!(
            out,
            "\n        def GeomSubset \"{}\" (\n            displayName = {}\n        )\n        {{",
            names.unique(name),
            quoted(name)
        )?;
        writeln!(out, "            uniform token elementType = \"face\"")?;
        writeln!(out, "            int[] indices = {}\n        }}", join(triangles.iter().map(u32::to_string)))?;
    }
    Ok(())
}
