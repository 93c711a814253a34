//! Cuts: the connections that a stroke across the picture goes through.

use crate::session::world::World;
use kreisel::DVec3;
use kreisel::model::{Event, EventKind, FREE, topology};
use std::collections::BTreeSet;

/// Breaks the connections that cross the wedge between two rays from the eye. Rigid parts fall apart along the cut and
/// stay rigid piece by piece.
pub fn cut(world: &mut World, eye: DVec3, from: DVec3, to: DVec3) -> Result<(), String> {
    let (a, b) = (from - eye, to - eye);
    let normal = a.cross(b);
    if !(normal.is_finite() && normal.length_squared() > 0.0) {
        return Err("a cut needs two directions".into());
    }
    let crossed = crossed(world, eye, a, b, normal);
    // A stroke through the air does nothing; the page sends one in many short pieces.
    if crossed.is_empty() {
        return Ok(());
    }
    let rigid = cut_aggregates(world, &crossed);
    for elements in &rigid {
        world.switch(elements, false)?;
    }
    let ends: Vec<(u32, [u32; 2])> = crossed.iter().map(|&c| (c, world.model.connections.ends[c as usize])).collect();
    world.state.broken.extend(&crossed);
    world.state.broken.sort_unstable();
    world.state.broken.dedup();
    world.state.epoch += 1;
    world.rebook(|ledger, gained| ledger.fracture_loss -= gained);
    announce(world, &ends);
    for piece in pieces(world, &rigid) {
        world.switch(&piece, true)?;
    }
    Ok(())
}

/// Connections whose two ends lie on different sides of the wedge, and that meet it between its edges.
fn crossed(world: &World, eye: DVec3, a: DVec3, b: DVec3, normal: DVec3) -> Vec<u32> {
    let x = &world.state.position;
    let meets = |ends: [u32; 2]| {
        let [p, q] = ends.map(|e| x.get(e as usize) - eye);
        let (dp, dq) = (p.dot(normal), q.dot(normal));
        if (dp < 0.0) == (dq < 0.0) {
            return false;
        }
        let m = p + (q - p) * (dp / (dp - dq));
        a.cross(m).dot(normal) >= 0.0 && m.cross(b).dot(normal) >= 0.0 && m.dot(a + b) > 0.0
    };
    let broken = &world.state.broken;
    let all = world.model.connections.ends.iter().enumerate();
    all.filter(|(c, ends)| broken.binary_search(&(*c as u32)).is_err() && meets(**ends))
        .map(|(c, _)| c as u32)
        .collect()
}

/// The elements of every aggregate that has a connection of its own among these.
fn cut_aggregates(world: &World, crossed: &[u32]) -> Vec<Vec<u32>> {
    let owner = |e: u32| world.state.owner[e as usize];
    let own = |&c: &u32| {
        let [a, b] = world.model.connections.ends[c as usize];
        (owner(a) == owner(b) && owner(a) != FREE).then_some(owner(a))
    };
    let cut: BTreeSet<u32> = crossed.iter().filter_map(own).collect();
    cut.into_iter().map(|a| world.state.aggregates[a as usize].elements.clone()).collect()
}

/// What hangs together of each of these sets, now that connections are broken.
fn pieces(world: &World, sets: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut broken = vec![false; world.model.connections.len()];
    world.state.broken.iter().for_each(|&c| broken[c as usize] = true);
    let (component, _) = topology::components(world.model.elements.len(), &world.model.connections.ends, &broken);
    let mut pieces = Vec::new();
    for set in sets {
        let parts: BTreeSet<u32> = set.iter().map(|&e| component[e as usize]).collect();
        let part = |c: u32| set.iter().copied().filter(|&e| component[e as usize] == c).collect::<Vec<u32>>();
        pieces.extend(parts.into_iter().map(part).filter(|p| p.len() > 1));
    }
    pieces
}

fn announce(world: &mut World, ends: &[(u32, [u32; 2])]) {
    let time = world.state.time;
    for &(connection, ends) in ends {
        let place = 0.5 * (world.state.position.get(ends[0] as usize) + world.state.position.get(ends[1] as usize));
        world.pending.push(Event { time, place, energy: 0.0, kind: EventKind::Broke { connection, ends } });
    }
}
