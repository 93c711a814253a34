//! Files that other programs read: PNG and GIF, decoded again; and whole recordings on a stage.
#![allow(clippy::unwrap_used)]

use kreisel::model::setup::{BodySetup, BodyShape, Colour, ElementSetup, Law, Show};
use kreisel::model::shape::{PlacedShape, Shape};
use kreisel::model::{Obstacle, ObstacleShape, Setup};
use kreisel::{DVec3, Simulation};
use kreisel_record::{ContactForce, FrameInput, Header, Recorder, Recording};
use kreisel_render::{GifFile, Look, Picture, RenderError, Stage};
use std::path::Path;

fn square(at: usize) -> Picture {
    let mut picture = Picture::filled(40, 30, [200, 220, 240]);
    for k in 0..36 {
        picture.blend((at + k % 6) as i64, (10 + k / 6) as i64, [220, 40, 30], 1.0);
    }
    picture
}

/// All pictures of a GIF as a player shows them, with their delays [1/100 s].
fn played(path: &Path) -> Vec<(u16, Vec<[u8; 3]>)> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(std::fs::File::open(path).unwrap()).unwrap();
    let (width, height) = (decoder.width() as usize, decoder.height() as usize);
    let mut screen = vec![[0; 3]; width * height];
    let mut pictures = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let across = frame.width as usize;
        for (k, pixel) in frame.buffer.as_chunks::<4>().0.iter().enumerate().filter(|(_, p)| p[3] > 0) {
            let (x, y) = (frame.left as usize + k % across, frame.top as usize + k / across);
            screen[y * width + x] = [pixel[0], pixel[1], pixel[2]];
        }
        pictures.push((frame.delay, screen.clone()));
    }
    pictures
}

#[test]
fn a_gif_plays_the_pictures_that_went_in_and_keeps_time() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.gif");
    let pictures: Vec<Picture> = [2, 8, 8, 20, 30].map(square).to_vec();
    let mut gif = GifFile::create(&path, &pictures, 30.0).unwrap();
    pictures.iter().for_each(|p| gif.add(p).unwrap());
    gif.finish().unwrap();
    let played = played(&path);
    // The second and the third are the same: one picture that stays twice as long.
    assert_eq!(played.iter().map(|p| p.0).collect::<Vec<_>>(), [3, 7, 3, 4]);
    for (shown, picture) in played.iter().zip([2, 8, 20, 30].map(square)) {
        assert_eq!(shown.1, picture.bytes.as_chunks::<3>().0);
    }
    let other = Picture::filled(10, 10, [0; 3]);
    let mut gif = GifFile::create(&path, &pictures, 30.0).unwrap();
    assert!(matches!(gif.add(&other), Err(RenderError::Wish(_))));
}

#[test]
fn a_png_comes_back_bit_for_bit() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.png");
    square(7).write_png(&path).unwrap();
    let decoder = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(&path).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!((info.width, info.height, bytes), (40, 30, square(7).bytes));
    assert!(matches!(square(7).write_png(&directory.path().join("no/a.png")), Err(RenderError::File { .. })));
}

/// A soft box that falls on the ground beside a lone ball, recorded.
fn recorded(path: &Path) -> Recording {
    recorded_with(path, &[])
}

/// The same, with contact forces in all frames.
fn recorded_with(path: &Path, contact_forces: &[ContactForce]) -> Recording {
    let element = ElementSetup { at: DVec3::ZERO, velocity: DVec3::ZERO, mass: None, radius: 0.2 };
    let shape = BodyShape::Elements { elements: vec![element], connections: vec![] };
    let ball = BodySetup { name: "ball".into(), shape, at: DVec3::new(1.5, 0.0, 1.0), ..BodySetup::default() };
    let shape = BodyShape::Box { size: DVec3::ONE, cells: 2 };
    let block = BodySetup { shape, at: DVec3::Z * 0.8, ..BodySetup::default() };
    let plane = ObstacleShape::Plane { normal: DVec3::Z, offset: 0.0 };
    let ground = Obstacle { name: "ground".into(), shape: plane, friction: None, restitution: None };
    let setup = Setup { title: "Fall".into(), bodies: vec![block, ball], obstacles: vec![ground], ..Setup::default() };
    let mut sim = Simulation::new(&setup).unwrap();
    let mut recorder = Recorder::create(path, Header::new("fall", "", &[], sim.model(), vec![])).unwrap();
    recorder.model(sim.model()).unwrap();
    for _ in 0..4 {
        recorder.frame(&FrameInput { contact_forces, ..FrameInput::of(sim.state()) }).unwrap();
        sim.step_by(0.05).unwrap();
    }
    Recording::open(path).unwrap()
}

#[test]
fn every_way_of_showing_and_colouring_gives_a_picture_of_its_own() {
    let directory = tempfile::tempdir().unwrap();
    let mut recording = recorded(&directory.path().join("a.kreisel"));
    let frame = recording.frame(3).unwrap();
    let mut pictures = Vec::new();
    for show in [Show::Skins, Show::Elements, Show::Connections] {
        for colour in [Colour::Body, Colour::Rigid, Colour::Speed, Colour::Stress] {
            let look = Look { size: (96, 72), show: Some(show), colour: Some(colour), ..Look::default() };
            pictures.push(Stage::new(&mut recording, look).unwrap().picture(&frame));
        }
    }
    for (i, a) in pictures.iter().enumerate() {
        assert!(pictures[..i].iter().all(|b| a != b), "{i}");
    }
}

#[test]
fn an_exact_body_is_in_the_picture_as_a_whole_if_nothing_is_said_of_the_camera() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.kreisel");
    let door = PlacedShape::centred(Shape::Box { half_size: DVec3::new(0.45, 0.02, 1.0) });
    let shape = BodyShape::Exact { parts: vec![door], centre: None };
    let setup = Setup {
        law: Law::Constraint,
        bodies: vec![BodySetup { shape, spin: DVec3::Z, ..BodySetup::default() }],
        gravity: DVec3::ZERO,
        ..Setup::default()
    };
    let mut sim = Simulation::new(&setup).unwrap();
    let mut recorder = Recorder::create(&path, Header::new("door", "", &[], sim.model(), vec![])).unwrap();
    recorder.model(sim.model()).unwrap();
    for _ in 0..4 {
        recorder.frame(&FrameInput::of(sim.state())).unwrap();
        sim.step_by(0.5).unwrap();
    }
    let mut recording = Recording::open(&path).unwrap();
    let stage = Stage::new(&mut recording, Look::default()).unwrap();
    for i in 0..4 {
        let frame = recording.frame(i).unwrap();
        let (camera, axes) = (stage.camera(&frame), stage.camera(&frame).axes());
        for x in stage.drawing(&frame).triangles.iter().flat_map(|t| t.corners) {
            let r = x - camera.eye;
            let edge = (0.5 * camera.field_of_view).tan() * axes.forward.dot(r);
            assert!(axes.up.dot(r).abs() < edge && axes.right.dot(r).abs() < edge * 4.0 / 3.0, "{i}: {x}");
        }
    }
}

#[test]
fn the_camera_stands_still_and_everything_is_in_the_picture() {
    let directory = tempfile::tempdir().unwrap();
    let mut recording = recorded(&directory.path().join("a.kreisel"));
    let stage = Stage::new(&mut recording, Look::default()).unwrap();
    let cameras: Vec<_> = (0..4).map(|i| stage.camera(&recording.frame(i).unwrap())).collect();
    assert!(cameras.iter().all(|c| *c == cameras[0]));
    let (camera, axes) = (cameras[0], cameras[0].axes());
    for i in 0..4 {
        let frame = recording.frame(i).unwrap();
        for e in 0..frame.position.len() {
            let r = frame.position.get(e) - camera.eye;
            let (x, y, z) = (axes.right.dot(r), axes.up.dot(r), axes.forward.dot(r));
            let edge = (0.5 * camera.field_of_view).tan();
            assert!(z > 0.0 && y.abs() < edge * z && x.abs() < edge * z * 4.0 / 3.0);
        }
    }
}

#[test]
fn recordings_without_a_model_or_without_frames_are_refused_in_words() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.kreisel");
    let sim = Simulation::new(&Setup { bodies: vec![BodySetup::default()], ..Setup::default() }).unwrap();
    let mut recorder = Recorder::create(&path, Header::new("a", "", &[], sim.model(), vec![])).unwrap();
    let mut recording = Recording::open(&path).unwrap();
    assert!(matches!(Stage::new(&mut recording, Look::default()), Err(RenderError::NoModel)));
    recorder.model(sim.model()).unwrap();
    let mut recording = Recording::open(&path).unwrap();
    assert!(matches!(Stage::new(&mut recording, Look::default()), Err(RenderError::Empty)));
}

#[test]
fn a_contact_force_is_an_arrow_from_its_point_an_eighth_of_the_picture_high() {
    let directory = tempfile::tempdir().unwrap();
    // One is hidden inside the block; the other, half as strong, is beside it.
    let hidden = ContactForce { point: DVec3::new(0.0, 0.0, 0.5), force: DVec3::Z * 40.0 };
    let beside = ContactForce { point: DVec3::new(-1.0, 0.0, 0.5), force: DVec3::X * -20.0 };
    let mut recording = recorded_with(&directory.path().join("a.kreisel"), &[hidden, beside]);
    let frame = recording.frame(0).unwrap();
    let mut drawn = |forces: bool, captions: bool| {
        let camera = "eye=0,-10,0.5 target=0,0,0.5 fov=40".parse().unwrap();
        let look = Look { size: (320, 240), camera, forces, captions, ..Look::default() };
        Stage::new(&mut recording, look).unwrap().picture(&frame)
    };
    let (plain, arrows) = (drawn(false, false), drawn(true, false));
    let changed: Vec<(usize, usize)> = (0..240)
        .flat_map(|y| (0..320).map(move |x| (x, y)))
        .filter(|&(x, y)| plain.pixel(x, y) != arrows.pixel(x, y))
        .collect();
    let span = |wanted: &dyn Fn(usize) -> bool| {
        let inside = changed.iter().filter(|p| wanted(p.0));
        inside.fold((320, 0, 240, 0), |(l, r, t, b), p| (l.min(p.0), r.max(p.0), t.min(p.1), b.max(p.1)))
    };
    // 30 pixels up from the middle of the picture, and 15 to the left from a metre beside it, each with a rim.
    let metre = 120.0 / (20f64.to_radians().tan() * 10.0);
    let (left, right, top, bottom) = span(&|x| x >= 140);
    assert!((154..=158).contains(&left) && (161..=165).contains(&right), "{left} {right}");
    assert!((88..=90).contains(&top) && (119..=121).contains(&bottom), "{top} {bottom}");
    let start = 160.0 - metre;
    let (left, right, ..) = span(&|x| x < 140);
    assert!((left as f64 - (start - 16.0)).abs() < 2.5 && (right as f64 - start).abs() < 2.5, "{left} {right} {start}");
    let [r, g, b] = arrows.pixel(160, 105);
    assert!(r > 180 && g < 60 && b > 80, "the colour of arrows shows through the block: {r} {g} {b}");
    // The legend changes pixels where there are no arrows.
    let (plain, arrows) = (drawn(false, true), drawn(true, true));
    assert!((0..160).any(|x| (180..240).any(|y| plain.pixel(x, y) != arrows.pixel(x, y))));
}
