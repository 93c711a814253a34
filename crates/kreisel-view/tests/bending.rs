//! Quasi-static bodies are shown as they bend, although they move as rigid ones.
#![allow(clippy::unwrap_used)]

use kreisel::DVec3;
use kreisel::model::FREE;
use kreisel::step::{Workspace, deformed};
use kreisel_view::Source;
use kreisel_view::session::Stage;
use kreisel_view::wire::Tag;

/// Where the elements of the moment are sent that are free or bend, in order, and which they are.
fn sent(stage: &mut Stage) -> Vec<(usize, DVec3)> {
    let sections = stage.encode(0);
    let motion = sections.iter().find(|s| s.tag == Tag::Motion).unwrap().bytes.clone();
    let numbers: Vec<f32> = motion[16..].chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect();
    let world = &stage.live().unwrap().world;
    let bends = |e: usize| world.model.bodies[world.model.elements.body[e].0 as usize].quasi_static;
    let placed: Vec<usize> =
        (0..world.state.owner.len()).filter(|&e| world.state.owner[e] == FREE || bends(e)).collect();
    assert_eq!(numbers.len(), 3 * placed.len() + 7 * world.state.aggregates.len());
    let place = |c: &[f32]| DVec3::new(c[0].into(), c[1].into(), c[2].into());
    placed.into_iter().zip(numbers.chunks_exact(3).map(place)).collect()
}

#[test]
fn a_plank_under_a_crate_is_sent_bent_and_its_trestles_as_rigid_bodies() {
    let mut stage = Stage::new(64 << 20);
    stage.open(&Source::Scene("plank".into())).map_err(|t| t.text).unwrap();
    (0..12).for_each(|_| assert!(stage.step().unwrap()));
    let mut largest: f64 = 0.0;
    for _ in 0..3 {
        stage.step().unwrap();
        let sent = sent(&mut stage);
        let world = &stage.live().unwrap().world;
        let bent = deformed(&world.model, &mut world.state.clone(), &mut Workspace::default()).unwrap();
        for (e, place) in sent {
            assert!(place.distance(bent.state.position.get(e)) < 1e-6, "element {e} at {} s", world.state.time);
            largest = largest.max(place.distance(world.state.position.get(e)));
        }
    }
    assert!(largest > 1e-5, "the plank bends by {largest} m");
}

#[test]
fn nothing_is_solved_for_and_nothing_more_is_sent_where_nothing_bends() {
    let mut stage = Stage::new(64 << 20);
    stage.open(&Source::Scene("dumbbell".into())).map_err(|t| t.text).unwrap();
    stage.step().unwrap();
    let free = stage.live().unwrap().world.state.owner.iter().filter(|o| **o == FREE).count();
    assert_eq!(sent(&mut stage).len(), free);
}
