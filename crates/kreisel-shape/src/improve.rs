//! Better triangles of one size: long edges are split, short ones collapsed, bad ones flipped, vertices relaxed. [BK04]

use crate::field::Field;
use crate::net::{CORNER, CREASE, FACE, Hinge, Net};
use crate::sharpen::sharpen;
use kreisel::DVec3;

/// Rounds in which edges are split and collapsed, and rounds that only flip and relax.
const ROUNDS: usize = 5;
const LAST_ROUNDS: usize = 3;
/// Edges between these, in wanted lengths, stay: half or twice an edge is then never farther from the wanted length.
const LONG: f64 = 4.0 / 3.0;
const SHORT: f64 = 4.0 / 5.0;
/// Edges shorter than this are collapsed even in the last rounds.
const TINY: f64 = 0.4;
/// Vertices nearer than this, in wanted lengths, are the same corner or place on a crease.
const SAME: f64 = 0.2;
/// Cosine between a triangle before and after a change, at least.
const TURN: f64 = 0.5;

/// Makes the triangles equal to the wanted size and as equilateral as it gets; the net stays a manifold.
pub fn improve(net: &mut Net, field: &Field) {
    for _ in 0..ROUNDS {
        split_long(net, field);
        collapse_below(net, field, SHORT);
        flip(net);
        sharpen(net, field);
        relax(net, field);
    }
    for _ in 0..LAST_ROUNDS {
        collapse_below(net, field, TINY);
        flip(net);
        relax(net, field);
    }
    for at in &mut net.at {
        *at = field.project(*at);
    }
    flip(net);
}

fn split_long(net: &mut Net, field: &Field) {
    for [a, b] in net.edges() {
        if net.length(a, b) <= LONG * field.size {
            continue;
        }
        let Some(hinge) = net.hinge(a, b) else { continue };
        let middle = 0.5 * (net.at[a as usize] + net.at[b as usize]);
        if net.is_crease(a, b) {
            let near = field.feature(middle).filter(|f| (f.at - middle).length() < 0.5 * net.length(a, b));
            net.split(hinge, near.map_or(middle, |f| f.at), CREASE);
        } else {
            let n = (net.cross([a, b, hinge.c]) + net.cross([b, a, hinge.d])).normalize_or_zero();
            net.split(hinge, field.approach(middle, n).unwrap_or_else(|| field.project(middle)), FACE);
        }
    }
}

fn collapse_below(net: &mut Net, field: &Field, shortest: f64) {
    for [a, b] in net.edges() {
        if net.length(a, b) < shortest * field.size {
            let (gone, kept) = if net.rank[a as usize] <= net.rank[b as usize] { (a, b) } else { (b, a) };
            let _ = try_collapse(net, field, gone, kept) || try_collapse(net, field, kept, gone);
        }
    }
}

fn try_collapse(net: &mut Net, field: &Field, gone: u32, kept: u32) -> bool {
    let allowed = match (net.rank[gone as usize], net.rank[kept as usize]) {
        (FACE, _) => true,
        (CREASE, CREASE | CORNER) => net.is_crease(gone, kept) || net.ring(gone).all(|v| !net.is_crease(gone, v)),
        _ => false,
    };
    let same = net.rank[gone as usize] <= net.rank[kept as usize] && net.length(gone, kept) < SAME * field.size;
    let may = |h: &Hinge| net.can_collapse(*h) && (same || allowed && !net.joins_creases(*h));
    let Some(hinge) = net.hinge(gone, kept).filter(may) else { return false };
    let both = net.rank[gone as usize] == FACE && net.rank[kept as usize] == FACE;
    let end = net.at[kept as usize];
    let middle = both.then(|| {
        let n = (net.cross([gone, kept, hinge.c]) + net.cross([kept, gone, hinge.d])).normalize_or_zero();
        field.approach(0.5 * (net.at[gone as usize] + end), n)
    });
    let fits = |place: &DVec3| {
        keeps_shape(net, field, gone, kept, *place) && (*place == end || keeps_shape(net, field, kept, gone, *place))
    };
    let place = middle.flatten().into_iter().chain([end]).find(fits);
    if let Some(place) = place {
        net.collapse(hinge, place);
    }
    place.is_some()
}

/// Whether the triangles of `v` without `other` keep their direction and size when `v` moves to a place.
fn keeps_shape(net: &Net, field: &Field, v: u32, other: u32, place: DVec3) -> bool {
    let tiny = net.length(v, other) < 0.3 * field.size;
    let mean = mean_normal(net, v);
    net.fan(v).filter(|t| !t.contains(&other)).all(|t| {
        let long = t.iter().any(|&w| w != v && (net.at[w as usize] - place).length() > LONG * field.size);
        (!long || tiny) && keeps_direction(net, t, v, place, mean)
    })
}

/// Mean normal around a vertex in a face; none at creases.
fn mean_normal(net: &Net, v: u32) -> DVec3 {
    let face = net.rank[v as usize] == FACE;
    if face { net.fan(v).map(|t| net.cross(t)).sum::<DVec3>().normalize_or_zero() } else { DVec3::ZERO }
}

/// Whether a triangle looks the way it did, or that of its surroundings, when its corner `v` moves.
fn keeps_direction(net: &Net, t: [u32; 3], v: u32, place: DVec3, mean: DVec3) -> bool {
    let [a, b, c] = t.map(|w| if w == v { place } else { net.at[w as usize] });
    let (old, new) = (net.cross(t), (b - a).cross(c - a));
    let sides = (b - a).length_squared() + (c - a).length_squared();
    let flat = |cross: DVec3| cross.length() < 1e-3 * sides;
    if flat(old) {
        return mean.dot(new) >= 0.0;
    }
    let turned = |from: DVec3| new.dot(from) <= TURN * new.length() * from.length();
    !flat(new) && (!turned(old) || !turned(mean))
}

/// Flips edges that are not Delaunay: whose opposite angles make more than two right angles.
fn flip(net: &mut Net) {
    for [a, b] in net.edges() {
        let Some(hinge) = net.hinge(a, b) else { continue };
        if net.can_flip(hinge) && wants_flip(net, hinge) {
            net.flip(hinge);
        }
    }
}

/// `α + β > π` is `cot α + cot β < 0`, cotangents by dot and cross products. The new triangles look the old way.
fn wants_flip(net: &Net, Hinge { a, b, c, d, .. }: Hinge) -> bool {
    let place = |v: u32| net.at[v as usize];
    let (left, right) = (net.cross([a, b, c]), net.cross([b, a, d]));
    let (alpha, beta) =
        ((place(a) - place(c)).dot(place(b) - place(c)), (place(a) - place(d)).dot(place(b) - place(d)));
    if alpha * right.length() + beta * left.length() >= -1e-9 * (left.length() * right.length()) {
        return false;
    }
    let mean = (left + right).normalize_or_zero();
    let looks = |t: [u32; 3]| net.cross(t).normalize_or_zero().dot(mean) > TURN;
    looks([a, d, c]) && looks([b, c, d])
}

/// Moves vertices towards the middle of their neighbours, within the surface or along the crease.
fn relax(net: &mut Net, field: &Field) {
    for v in 0..net.at.len() as u32 {
        let place = match net.rank[v as usize] {
            _ if net.valence(v) == 0 => None,
            FACE => relaxed_in_face(net, field, v),
            CREASE => relaxed_on_crease(net, field, v),
            _ => None,
        };
        let Some(place) = place else { continue };
        let mean = mean_normal(net, v);
        if net.fan(v).all(|t| keeps_direction(net, t, v, place, mean)) {
            net.at[v as usize] = place;
        }
    }
}

fn relaxed_in_face(net: &Net, field: &Field, v: u32) -> Option<DVec3> {
    let x = net.at[v as usize];
    let n = mean_normal(net, v);
    let sum: DVec3 = net.ring(v).map(|w| net.at[w as usize]).sum();
    let shift = sum / net.valence(v) as f64 - x;
    field.approach(x + 0.8 * (shift - n * n.dot(shift)), n)
}

fn relaxed_on_crease(net: &Net, field: &Field, v: u32) -> Option<DVec3> {
    let x = net.at[v as usize];
    let along: Vec<DVec3> = net.ring(v).filter(|&w| net.is_crease(v, w)).map(|w| net.at[w as usize]).collect();
    let [p, q] = along[..] else { return None };
    let target = 0.5 * x + 0.25 * (p + q);
    let worth = (target - x).length() > 0.02 * field.size;
    let near = worth.then(|| field.feature(target)).flatten()?;
    (near.rank == CREASE && (near.at - target).length() < 0.3 * field.size).then_some(near.at)
}
