//! Models that were read are not trusted.
#![allow(clippy::unwrap_used)]

use kreisel::model::setup::BodySetup;
use kreisel::model::{Bindings, BodyId, MaterialId, Model, Setup, Skin, Surface, SurfacePart};
use kreisel::{DVec3, Simulation};
use kreisel_record::{FrameInput, Header, Recorder, Recording, check_model};

/// A box with a skin of one triangle.
fn model() -> Model {
    let setup = Setup { bodies: vec![BodySetup::default()], ..Setup::default() };
    let mut model = Simulation::new(&setup).unwrap().model().clone();
    let mut bindings = Bindings::default();
    (0..3).for_each(|e| bindings.push([(e, 1.0)]));
    let rest: Vec<DVec3> = (0..3).map(|e| model.elements.rest.get(e)).collect();
    let parts = vec![SurfacePart { name: "face".into(), first: 0, count: 1 }];
    let surface = Surface { vertices: rest.clone(), triangles: vec![[0, 1, 2]], parts, ..Surface::default() };
    model.skins = vec![Skin { body: BodyId(0), surface, rest, triangles: vec![[0, 1, 2]], origin: vec![0], bindings }];
    model
}

#[test]
fn a_model_whose_numbers_fit_together_is_accepted() {
    assert_eq!(check_model(&model()), Ok(()));
    assert_eq!(check_model(&Model::default()), Ok(()));
}

/// Makes one number of a model wrong.
type Spoil = fn(&mut Model);

#[test]
fn each_number_that_names_nothing_is_found() {
    let faults: [(&str, Spoil); 14] = [
        ("radii", |m| m.elements.radius.truncate(5)),
        ("material", |m| m.elements.material[3] = MaterialId(9)),
        ("body of an element", |m| m.elements.body[3] = BodyId(9)),
        ("anchor", |m| m.elements.anchor[0] = 1_000_000),
        ("finite", |m| m.elements.rest.y[2] = f64::NAN),
        ("end of a connection", |m| m.connections.ends[7] = [0, 500]),
        ("class", |m| m.connections.class[7] = 500),
        ("face", |m| m.faces[0][2] = 500),
        ("starts of the perches", |m| m.perches.starts.clear()),
        ("starts", |m| m.skins[0].bindings.starts = vec![0, 2, 1, 3]),
        ("vertices of skin 0", |m| m.skins[0].rest.push(DVec3::ZERO)),
        ("corner of skin 0", |m| m.skins[0].triangles[0] = [0, 1, 3]),
        ("origin", |m| m.skins[0].origin[0] = 1),
        ("part \"face\"", |m| m.skins[0].surface.parts[0].count = u32::MAX),
    ];
    for (word, spoil) in faults {
        let mut spoilt = model();
        spoil(&mut spoilt);
        let reason = check_model(&spoilt).unwrap_err();
        assert!(reason.contains(word), "{word}: {reason}");
    }
}

#[test]
fn a_recording_refuses_to_give_out_a_model_that_does_not_fit() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.kreisel");
    let mut spoilt = model();
    spoilt.faces[0][0] = 70_000;
    let sim = Simulation::new(&Setup { bodies: vec![BodySetup::default()], ..Setup::default() }).unwrap();
    let mut recorder = Recorder::create(&path, Header::new("a", "", &[], &spoilt, vec![])).unwrap();
    recorder.model(&spoilt).unwrap();
    recorder.frame(&FrameInput::of(sim.state())).unwrap();
    let mut recording = Recording::open(&path).unwrap();
    assert!(recording.model().unwrap_err().to_string().contains("corner of a face has the number 70000"));
    assert_eq!(recording.frame(0).unwrap().position.len(), sim.state().position.len());
}
