//! Plots: every line is there, in both forms.
#![allow(clippy::unwrap_used)]

use kreisel::model::{Ledger, State};
use kreisel_record::{FrameInput, Header, Recorder, Recording};
use kreisel_render::RenderError;
use kreisel_render::plot::{Wishes, chart};
use std::path::Path;

/// A recording of nothing but numbers: two columns of one probe, one of another, and energies.
fn recorded(path: &Path, factor: f64) -> Recording {
    let probe_columns = ["tip.x", "tip.z", "load <&>"].map(String::from).to_vec();
    let header = Header { title: "A & B".into(), probe_columns, ..Header::default() };
    let mut recorder = Recorder::create(path, header).unwrap();
    for k in 0..50 {
        let time = 0.02 * k as f64;
        let ledger =
            Ledger { kinetic: time * factor, gravity: -time, turnover: 1.0, residual: 1e-6, ..Ledger::default() };
        let state = State { time, ledger, ..State::default() };
        let probes = [time.sin() * factor, time.cos(), 5.0];
        recorder.frame(&FrameInput { probes: &probes, ..FrameInput::of(&state) }).unwrap();
    }
    Recording::open(path).unwrap()
}

#[test]
fn two_recordings_are_drawn_over_each_other_with_a_line_for_every_column() {
    let directory = tempfile::tempdir().unwrap();
    let both = |names: [&str; 2]| names.map(|n| (n.to_string(), recorded(&directory.path().join(n), n.len() as f64)));
    let chart = chart(&mut both(["soft", "rigid"]), &Wishes { probes: vec![], ledger: true }).unwrap();
    let titles: Vec<&str> = chart.panels.iter().map(|p| p.title.as_str()).collect();
    assert_eq!(titles, ["energy", "residual of the numerics"]);
    let all = kreisel_render::plot::chart(&mut both(["soft", "rigid"]), &Wishes::default()).unwrap();
    let lines: Vec<usize> = all.panels.iter().map(|p| p.series.len()).collect();
    assert_eq!(lines, [4, 2, 6]);
    let svg = all.to_svg();
    assert!(svg.contains("A &amp; B") && svg.contains("load &lt;&amp;&gt;") && svg.contains("stroke-dasharray"));
    assert!(svg.matches("<polyline").count() >= 12);
    let picture = all.to_picture();
    let blue = picture.bytes.as_chunks::<3>().0.iter().filter(|p| **p == [0x00, 0x72, 0xB2]).count();
    assert!(blue > 200, "{blue}");
}

#[test]
fn one_column_can_be_chosen_and_an_unknown_one_is_answered_with_those_there_are() {
    let directory = tempfile::tempdir().unwrap();
    let mut one = [("a".to_string(), recorded(&directory.path().join("a"), 1.0))];
    let wish = |name: &str| Wishes { probes: vec![name.into()], ledger: false };
    let found = chart(&mut one, &wish("tip.z")).unwrap();
    assert_eq!((found.panels.len(), found.panels[0].series.len()), (1, 1));
    assert_eq!(found.panels[0].series[0].points[0], (0.0, 1.0));
    let error = chart(&mut one, &wish("tpi")).unwrap_err();
    assert!(matches!(&error, RenderError::Wish(text) if text.contains("tip")), "{error}");
    let path = directory.path().join("plot.txt");
    assert!(found.write(&path).is_err());
    found.write(&path.with_extension("svg")).unwrap();
    found.write(&path.with_extension("png")).unwrap();
}
