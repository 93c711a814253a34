//! A small world with a skin, a box, a rigid box and two balls, recorded for the tests of exports.
#![allow(dead_code, clippy::unwrap_used)]

use kreisel::linear::Vectors;
use kreisel::model::{
    Aggregate, Bindings, Body, BodyId, ConnectionClass, Connections, Elements, FREE, Material, MaterialId, Model,
    Origin, Skin, State, Surface, SurfacePart, SurfaceTrace,
};
use kreisel::{DQuat, DVec3};
use kreisel_export::{ExportError, Exported, Format, Options, export};
use kreisel_record::{FrameInput, Header, Recorder, Recording};
use std::path::{Path, PathBuf};

/// Number of frames, and the time between them [s].
pub const FRAMES: usize = 5;
pub const INTERVAL: f64 = 0.25;
/// The connection that breaks at frame 3.
pub const BREAKS: u32 = 8;

/// The corners of a unit cube; bits 0, 1, 2 are x, y, z.
pub fn corner(k: usize) -> DVec3 {
    DVec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2 & 1) as f64)
}

/// The faces of a cube, anticlockwise seen from outside.
const CUBE: [[u32; 4]; 6] = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

/// Bodies `jelly` (with a skin), `soft box`, `rigid box` and `balls`.
pub fn model() -> Model {
    let mut model = Model { title: "Exports".into(), frame: INTERVAL, duration: 1.0, ..Model::default() };
    model.materials = vec![Material::default()];
    let sizes = [("jelly", 8), ("soft box", 8), ("rigid box", 8), ("balls", 2)];
    for (number, (name, count)) in sizes.into_iter().enumerate() {
        let first = model.elements.len() as u32;
        for k in 0..count {
            model.elements.rest.push(corner(k) + DVec3::X * 3.0 * number as f64);
            model.elements.body.push(BodyId(number as u32));
            model.elements.component.push(number as u32);
            add_element(&mut model.elements);
        }
        let elements: Vec<u32> = (first..first + count as u32).collect();
        let body = Body {
            name: name.into(),
            elements,
            automatic: false,
            contact: true,
            quasi_static: false,
            coincident_spheres: 1,
            cell_side: None,
            fidelity: None,
        };
        model.bodies.push(body);
    }
    model.faces = [8, 16].into_iter().flat_map(|first| CUBE.map(|f| f.map(|v| v + first))).collect();
    model.connections = edges(&[0, 8, 16]);
    model.skins = vec![skin()];
    model
}

fn add_element(elements: &mut Elements) {
    elements.mass.push(125.0);
    elements.radius.push(0.1);
    elements.material.push(MaterialId(0));
    elements.anchor.push(u32::MAX);
    elements.inset.push(0.0);
    elements.surface.push(true);
}

/// The edges of cubes, and one class.
fn edges(cubes: &[u32]) -> Connections {
    let is_edge = |a: u32, b: u32| (a ^ b).count_ones() == 1;
    let of_cube = |first: &u32| {
        let first = *first;
        (0..8).flat_map(move |a| (a + 1..8).filter(move |&b| is_edge(a, b)).map(move |b| [a + first, b + first]))
    };
    let ends: Vec<[u32; 2]> = cubes.iter().flat_map(of_cube).collect();
    let class = ConnectionClass { stiffness: 100.0, rest_length: 1.0, damping: 0.0, break_length: f64::INFINITY };
    Connections { class: vec![0; ends.len()], ends, classes: vec![class] }
}

/// A square of two triangles on top of the first cube, of a file that names six vertices, two parts and textures;
/// its long side is split by a vertex that refinement added.
fn skin() -> Skin {
    let vertices: Vec<DVec3> = [4, 5, 7, 6].map(corner).to_vec();
    let surface = Surface {
        vertices: vertices.clone(),
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        parts: vec![
            SurfacePart { name: "left side".into(), first: 0, count: 1 },
            SurfacePart { name: "right".into(), first: 1, count: 1 },
        ],
        trace: SurfaceTrace {
            vertices: vec![3, 2, 0, 1, 0, 2],
            corners: vec![[2, 3, 1], [4, 5, 0]],
            uvs: vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
            uv_corners: vec![[0, 1, 2], [0, 2, 3]],
        },
    };
    let middle = (vertices[0] + vertices[2]) / 2.0;
    let mut bindings = Bindings::default();
    [4, 5, 7, 6].into_iter().for_each(|e| bindings.push([(e, 1.0)]));
    bindings.push([(4, 0.5), (7, 0.5)]);
    Skin {
        body: BodyId(0),
        rest: [vertices, vec![middle]].concat(),
        triangles: vec![[0, 1, 4], [4, 1, 2], [0, 4, 3], [4, 2, 3]],
        origin: vec![0, 0, 1, 1],
        surface,
        bindings,
    }
}

/// Where the third body's centre is, and how it is turned.
pub fn rigid_pose(frame: usize) -> (DVec3, DQuat) {
    let place = DVec3::new(6.5, 0.5, 0.5 + 0.1 * frame as f64);
    (place, DQuat::from_rotation_z(1.4 * frame as f64))
}

/// The first body is stretched along x, the second and the balls rise, the third rises and turns.
pub fn state(model: &Model, frame: usize) -> State {
    let n = model.elements.len();
    let mut state = State { time: INTERVAL * frame as f64, frames: frame as u64, ..State::default() };
    let (place, turn) = rigid_pose(frame);
    for e in 0..n {
        let x = model.elements.rest.get(e);
        let up = DVec3::Z * 0.1 * frame as f64;
        let moved = match model.elements.body[e].0 {
            0 => DVec3::new(x.x * (1.0 + 0.1 * frame as f64), x.y, x.z),
            2 => place + turn * (x - rigid_pose(0).0),
            _ => x + up,
        };
        state.position.push(moved);
        state.velocity.push(DVec3::Z * 0.4);
    }
    state.owner = (0..n).map(|e| if model.elements.body[e].0 == 2 { 0 } else { FREE }).collect();
    state.aggregates = vec![aggregate(&model.elements.rest, (place, turn))];
    state.broken = if frame >= 3 { vec![BREAKS + 8] } else { Vec::new() };
    state
}

fn aggregate(rest: &Vectors, (position, orientation): (DVec3, DQuat)) -> Aggregate {
    Aggregate {
        elements: (16..24).collect(),
        local: (16..24).map(|e| rest.get(e) - rigid_pose(0).0).collect(),
        mass: 1000.0,
        inertia: DVec3::splat(500.0),
        position,
        orientation,
        velocity: DVec3::Z * 0.4,
        angular_momentum: DVec3::Z,
        origin: Origin::Requested,
        given_inertia: false,
    }
}

/// Records the world; without an end, as a run that crashes does.
pub fn record(directory: &Path) -> PathBuf {
    record_model(directory, &model())
}

/// Records a model.
pub fn record_model(directory: &Path, model: &Model) -> PathBuf {
    let path = directory.join("recording.kreisel");
    let header = Header::new("scenes/my world.toml", "", &[], model, vec!["tip, x".into()]);
    let mut recorder = Recorder::create(&path, header).unwrap();
    recorder.model(model).unwrap();
    for frame in 0..FRAMES {
        let state = state(model, frame);
        let kind = kreisel::model::EventKind::Touch { first: "a \"cow\"".into(), second: "b, c".into() };
        let event = kreisel::model::Event { time: state.time, place: DVec3::X / 3.0, energy: 0.1, kind };
        recorder
            .frame(&FrameInput { events: &[event], probes: &[frame as f64 / 3.0], ..FrameInput::of(&state) })
            .unwrap();
    }
    path
}

/// Options for a format.
pub fn to(format: Format) -> Options {
    Options { format, fps: None, time: None, body: None }
}

/// Records the world, exports it to `out` in a directory, and returns what was written.
pub fn exported(directory: &Path, options: &Options, out: &str) -> Result<Exported, ExportError> {
    let path = record(directory);
    export(&mut Recording::open(&path).unwrap(), options, &directory.join(out))
}
