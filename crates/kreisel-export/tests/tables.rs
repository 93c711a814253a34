//! Tables are read back by somebody else's reader, and what goes wrong is said.
#![allow(clippy::unwrap_used)]

mod common;
use common::*;
use kreisel::model::Model;
use kreisel_export::{ExportError, Format, Options, export};
use kreisel_record::{Header, Recorder, Recording};

fn rows(path: &std::path::Path) -> (Vec<String>, Vec<Vec<String>>) {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let head = reader.headers().unwrap().iter().map(String::from).collect();
    (head, reader.records().map(|r| r.unwrap().iter().map(String::from).collect()).collect())
}

#[test]
fn probes_are_exact_and_names_with_commas_survive() {
    let directory = tempfile::tempdir().unwrap();
    exported(directory.path(), &to(Format::Csv), "csv").unwrap();
    let (head, probes) = rows(&directory.path().join("csv/probes.csv"));
    assert_eq!((head, probes.len()), (vec!["time".into(), "tip, x".into()], FRAMES));
    assert_eq!(probes[2][1].parse::<f64>().unwrap(), 2.0 / 3.0);
    let (_, events) = rows(&directory.path().join("csv/events.csv"));
    assert_eq!((events.len(), events[1][6].as_str()), (FRAMES, "a \"cow\" and b, c"));
    let (head, ledger) = rows(&directory.path().join("csv/ledger.csv"));
    assert!(head.contains(&"angular_momentum.z".into()) && ledger.len() == FRAMES);
}

#[test]
fn a_rate_thins_out_the_probes_but_no_event_is_lost() {
    let directory = tempfile::tempdir().unwrap();
    let exported = exported(directory.path(), &Options { fps: Some(2.0), ..to(Format::Csv) }, "csv").unwrap();
    assert_eq!(exported.frames, 3);
    let (_, probes) = rows(&directory.path().join("csv/probes.csv"));
    let times: Vec<&str> = probes.iter().map(|r| r[0].as_str()).collect();
    assert_eq!(times, ["0", "0.5", "1"]);
    assert_eq!(rows(&directory.path().join("csv/events.csv")).1.len(), FRAMES);
}

#[test]
fn a_torn_recording_is_exported_as_far_as_it_goes() {
    let directory = tempfile::tempdir().unwrap();
    let path = record(directory.path());
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 7]).unwrap();
    for format in Format::ALL {
        let out = directory.path().join(format.name());
        let exported = export(&mut Recording::open(&path).unwrap(), &to(format), &out).unwrap();
        assert_eq!(exported.frames, if format.is_still() { 1 } else { FRAMES - 1 }, "{format:?}");
        assert!(exported.notes[0].contains("torn"), "{:?}", exported.notes);
    }
}

#[test]
fn what_cannot_be_exported_is_refused_with_the_reason() {
    let directory = tempfile::tempdir().unwrap();
    let message = |options: &Options| exported(directory.path(), options, "x").unwrap_err().to_string();
    let no_body = message(&Options { body: Some("cow".into()), ..to(Format::Usd) });
    assert!(no_body.contains("\"cow\"") && no_body.contains("soft box"), "{no_body}");
    assert!(message(&Options { time: Some(9.0), ..to(Format::Obj) }).contains("from 0 s to 1 s"));
    assert!(message(&Options { fps: Some(-1.0), ..to(Format::Vtu) }).contains("-1 frames"));
    std::fs::write(directory.path().join("mine"), "mine").unwrap();
    let foreign = exported(directory.path(), &to(Format::Obj), "mine");
    assert!(matches!(foreign, Err(ExportError::Foreign { .. })));
    assert_eq!(std::fs::read_to_string(directory.path().join("mine")).unwrap(), "mine");
    let under_a_file = exported(directory.path(), &to(Format::Vtu), "mine");
    assert!(matches!(under_a_file, Err(ExportError::File { .. })), "{under_a_file:?}");
}

#[test]
fn recordings_without_frames_or_model_are_told_apart() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("empty.kreisel");
    let model = model();
    let header = || Header::new("x", "", &[], &model, Vec::new());
    drop(Recorder::create(&path, header()).unwrap());
    let attempt = |format| export(&mut Recording::open(&path).unwrap(), &to(format), &directory.path().join("x"));
    assert!(matches!(attempt(Format::Vtu), Err(ExportError::NoFrames)));
    let mut recorder = Recorder::create(&path, header()).unwrap();
    let state = state(&model, 0);
    recorder.frame(&kreisel_record::FrameInput::of(&state)).unwrap();
    assert!(matches!(attempt(Format::Glb), Err(ExportError::NoModel)));
    assert_eq!(attempt(Format::Parquet).unwrap().frames, 1, "tables need no model");
}

#[test]
fn a_model_with_numbers_beyond_its_lists_is_refused() {
    let broken: [fn(&mut Model); 4] = [
        |m| m.connections.ends[0] = [0, 99],
        |m| m.skins[0].triangles[0] = [0, 1, 77],
        |m| m.skins[0].bindings.starts.clear(),
        |m| m.skins[0].surface.trace.uv_corners[0] = [0, 1, 9],
    ];
    for spoil in broken {
        let directory = tempfile::tempdir().unwrap();
        let mut model = model();
        spoil(&mut model);
        let path = record_model(directory.path(), &model);
        for format in Format::ALL.into_iter().filter(|f| f.has_shapes()) {
            let result = export(&mut Recording::open(&path).unwrap(), &to(format), &directory.path().join("x"));
            assert!(matches!(result, Err(ExportError::Recording(_))), "{result:?}");
        }
    }
}
