//! What is kept of a session stays within bounds, however long it goes on and whatever is done to it.
#![allow(clippy::unwrap_used)]

use kreisel_view::Source;
use kreisel_view::session::action::{Action, Chosen};
use kreisel_view::session::history::History;
use kreisel_view::session::measure::Measures;
use kreisel_view::session::{Stage, Status};

fn stage_of(scene: &str, memory: usize) -> Stage {
    let mut stage = Stage::new(memory);
    stage.open(&Source::Scene(scene.into())).map_err(|t| t.text).unwrap();
    stage
}

fn kept(stage: &Stage) -> usize {
    let mut status = Status { running: true, ..Status::default() };
    stage.describe(&mut status);
    status.memory
}

/// Rows and events of the plots.
fn lengths(measures: &Measures) -> (usize, usize) {
    (measures.rows(), measures.events.len())
}

#[test]
fn the_way_back_and_the_plots_of_a_long_session_stay_within_their_limits() {
    const LIMIT: usize = 200_000;
    let mut stage = stage_of("dumbbell", LIMIT);
    let (mut largest, mut thinned) = (0, 0);
    for _ in 0..14_000 {
        let before = kept(&stage);
        stage.step().unwrap();
        let now = kept(&stage);
        largest = largest.max(now);
        thinned += u32::from(now < before);
    }
    assert!(largest <= LIMIT, "{largest} bytes");
    assert!(thinned >= 3, "the limit was only reached {thinned} times");
    let (rows, events) = lengths(&stage.measures.lock().unwrap());
    assert!((3000..=6000).contains(&rows), "{rows} rows of 14 000 frames");
    assert!(events <= 2000, "{events} events");
}

#[test]
fn moments_that_have_a_model_of_their_own_count_it() {
    const LIMIT: usize = 3_000_000;
    let mut stage = stage_of("falling-block", LIMIT);
    let alone = kept(&stage);
    stage.act(Action::Grab { id: 1, element: 30, at: [0.0, 0.0, 0.5], twist: false, firm: false }).unwrap();
    let (mut largest, mut before) = (0, 0);
    for i in 0..160 {
        // Every movement of a hand is written into the model, which keyframes have shared so far.
        stage.act(Action::Pull { id: 1, at: [0.001 * f64::from(i), 0.0, 0.5], turn: [0.0; 3] }).unwrap();
        stage.step().unwrap();
        largest = largest.max(kept(&stage));
        if stage.frame() == 8 {
            before = kept(&stage) - alone;
        }
    }
    let live = stage.live().unwrap();
    let elements = live.world.model.elements.len();
    assert!(before > 150 * elements, "a moment with a model of its own: {before} bytes for {elements} elements");
    assert!(largest <= LIMIT, "{largest} bytes");
}

#[test]
fn the_journal_refuses_what_would_make_it_too_large_and_goes_on_after_a_reset() {
    let stage = stage_of("dumbbell", 1 << 20);
    let mut history = History::new(stage.live().unwrap().world.moment(), 1 << 20);
    let many = || Action::MakeSoft { what: Chosen::Elements(vec![0; 250_000]) };
    let taken = (0..200).take_while(|&frame| history.add(frame, many()).is_ok()).count();
    assert!((40..80).contains(&taken), "{taken} entries of a megabyte");
    assert!(history.add(200, Action::Release { id: 1 }).is_ok(), "a small one still fits");
    history.forget_after(0);
    assert_eq!(history.journal().len(), 1);
    assert!(history.add(1, many()).is_ok());
}
