//! How much contact stiffness the elements of a solid can bear without their step falling below half of the bulk's.
//!
//! Where a solid's surface cuts cells, light elements carry the spheres of several neighbours. Symplectic Euler is stable at
//! the step `h` if `2λ_max(A_j) + d_j + 2c_j/h ≤ 4 m_j/h²` for every element `j`, with `d_j` and `c_j` the stiffness and
//! friction's damping that contacts can add. At `h = a/2c_p` the room for them is `r_j = 16 m_j c_p²/a² − 2λ_max(A_j)`. If
//! they need more, contacts that reach `j` get at most the part `τ_j` of their stiffness, of which dampers go with the
//! root: `τ_j d_j + √τ_j 2c_j/h ≤ r_j`. Then the step of the solid is at least `a/2c_p` whatever its surface, unless dampers
//! against bouncing take more.
//!
//! A sphere of stiffness `o` is charged `k(o) = 2oS/(o + S) + g o`: two contacts with the stiffest thing `S` there is, and
//! the unyielding world (`g = 1` if there is one). The stiffness left to it solves `k(o′) = τ k(o)`; `k` is concave, so
//! `o′ ≤ τ o`.

use crate::contact::cladding::Vertex;
use crate::contact::coefficients::{
    CoefficientTable, TANGENTIAL_DAMPING, TANGENTIAL_SHARE, in_series, whole_stiffness,
};
use crate::force::volume;
use crate::linear::eigen::{largest_eigenvalue, outer};
use crate::model::setup::Gaps;
use crate::model::{Body, Model, Skin};
use glamx::DMat3;

/// The step that contacts leave to a solid, over `a/c_p`: a half, and a hair for rounding.
const LEAST_STEP: f64 = 0.5005;

/// Elements that come near that step or below it by their connections alone leave this part of those to contacts, which
/// takes a twentieth of their step: things that touch must push.
const LEAST_ROOM: f64 = 0.1;

const NONE: u32 = u32::MAX;

/// The part of its contact stiffness that is left to each element; empty: all of it to all.
pub fn ease(model: &Model) -> Vec<f64> {
    let in_solid = |b: &Body| b.contact && b.cell_side.is_some();
    if !model.contact.enabled || !model.bodies.iter().any(in_solid) {
        return Vec::new();
    }
    let bearers = Bearers::new(model);
    let stiffest = stiffest(model);
    let part = bearers.bearable_parts(model, stiffest);
    let mut ease = vec![1.0; model.elements.len()];
    for (&e, &part) in bearers.elements.iter().zip(&part) {
        ease[e as usize] = part;
    }
    let ground = if model.obstacles.is_empty() { 0.0 } else { 1.0 };
    for i in touching_solids(model) {
        let mut least = 1.0f64;
        each_share(model, i, |e, _| least = least.min(part[bearers.slot[e] as usize]));
        let own = whole_stiffness(model, i);
        ease[i] = if least < 1.0 && own > 0.0 { left(own, stiffest, ground, least) / own } else { 1.0 };
    }
    ease
}

/// The `o′` with `k(o′) = τ k(o)`: the root of `g o′² + ((2 + g) S − K) o′ − K S`, `K = τ k(o)`.
fn left(own: f64, stiffest: f64, ground: f64, part: f64) -> f64 {
    let wanted = part * asked(own, stiffest, ground);
    let p = (2.0 + ground) * stiffest - wanted;
    2.0 * wanted * stiffest / (p + (p * p + 4.0 * ground * wanted * stiffest).sqrt())
}

/// The stiffness `k(o)` that is kept in reserve for a sphere [N/m]: it may touch the world, and the stiffest thing twice.
pub fn asked(own: f64, stiffest: f64, ground: f64) -> f64 {
    2.0 * in_series(own, stiffest) + ground * own
}

/// What the elements of a perch take of a stiffness on it, `|φ_j| Σ|φ|`.
pub fn perch_shares(model: &Model, perch: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
    let gain: f64 = model.perches.of(perch).map(|(_, w)| w.abs()).sum();
    model.perches.of(perch).map(move |(e, w)| (e as usize, w.abs() * gain))
}

/// Calls `visit(element, share)` for what bears the sphere of element `i`: its perch the push, the element itself friction,
/// which acts across the push, so that the larger of the two counts.
fn each_share(model: &Model, i: usize, mut visit: impl FnMut(usize, f64)) {
    let Some(perch) = model.elements.perch_of(i) else { return visit(i, 1.0) };
    let mut own = TANGENTIAL_SHARE;
    for (e, share) in perch_shares(model, perch as usize) {
        if e == i { own = own.max(share) } else { visit(e, share) }
    }
    visit(i, own);
}

/// The stiffest side of a contact that there is before anything breaks [N/m].
fn stiffest(model: &Model) -> f64 {
    let e = &model.elements;
    let touches = |i: &usize| e.surface[*i] && model.bodies[e.body[*i].0 as usize].contact;
    (0..e.len()).filter(touches).map(|i| whole_stiffness(model, i)).fold(0.0, f64::max)
}

/// Stiffness of half a cell of element `i` per area [N/m³].
pub fn bearing_of(model: &Model, i: usize) -> f64 {
    let e = &model.elements;
    model.materials[e.material[i].0 as usize].young / e.radius[i]
}

/// What contacts ask of an element.
#[derive(Clone, Copy, Default)]
struct Demand {
    /// Stiffness [N/m].
    stiffness: f64,
    /// Damping of its own sphere's friction [N s/m].
    rubbing: f64,
    /// What of that stands in for others on its skin [N s/m].
    spared: f64,
    /// Damping of friction of others on its skin [N s/m].
    trodden: f64,
}

impl Demand {
    /// The largest part `τ` of it, with `√τ` of the dampers, that fits into a room [N/m]. `pace` is `2/h` [1/s].
    fn part_within(&self, room: f64, pace: f64) -> f64 {
        // The larger root of `d s² + e s = r`.
        let root = |e: f64, r: f64| 2.0 * r / (e + (e * e + 4.0 * self.stiffness * r).sqrt());
        let alone = root(pace * self.rubbing, room);
        let beneath = root(pace * (self.rubbing - self.spared), room - pace * self.trodden);
        let s = if self.trodden > 0.0 { alone.min(beneath) } else { alone };
        if s < 1.0 { s * s } else { 1.0 }
    }
}

/// Elements of solids that have a contact sphere.
fn touching_solids(model: &Model) -> impl Iterator<Item = usize> + '_ {
    let e = &model.elements;
    let solid = |b: &Body| b.contact && b.cell_side.is_some();
    (0..e.len()).filter(move |&i| e.surface[i] && solid(&model.bodies[e.body[i].0 as usize]))
}

/// The elements of solids that contact forces reach.
struct Bearers {
    elements: Vec<u32>,
    /// Place of each element of the model among them, or [`NONE`].
    slot: Vec<u32>,
    /// True for those that carry a skin on which others may stand.
    clad: Vec<bool>,
}

impl Bearers {
    fn new(model: &Model) -> Self {
        let mut bearers = Self { elements: Vec::new(), slot: vec![NONE; model.elements.len()], clad: Vec::new() };
        for i in touching_solids(model) {
            each_share(model, i, |e, _| bearers.add(e));
        }
        bearers.clad = vec![false; bearers.elements.len()];
        if model.contact.gaps == Gaps::Skins {
            bearers.add_clad(model);
        }
        bearers
    }

    fn add(&mut self, e: usize) {
        if self.slot[e] == NONE {
            self.slot[e] = self.elements.len() as u32;
            self.elements.push(e as u32);
        }
    }

    /// Skins are touched if there are two of them.
    fn add_clad(&mut self, model: &Model) {
        let e = &model.elements;
        let body = |i: u32| &model.bodies[e.body[i as usize].0 as usize];
        let carriers = || model.skins.iter().flat_map(|s| s.bindings.elements.iter().copied());
        let mut components = carriers().filter(|&i| body(i).contact).map(|i| e.component[i as usize]);
        let first = components.next();
        if components.all(|c| Some(c) == first) {
            return;
        }
        for i in carriers().filter(|&i| body(i).contact && body(i).cell_side.is_some()) {
            self.add(i as usize);
            self.clad.resize(self.elements.len(), false);
            self.clad[self.slot[i as usize] as usize] = true;
        }
    }

    /// `τ_j` of each.
    fn bearable_parts(&self, model: &Model, stiffest: f64) -> Vec<f64> {
        let demand = self.demand(model, stiffest);
        let speeds: Vec<f64> = model.bodies.iter().map(|b| fastest_wave(model, b)).collect();
        let part = |((&e, demand), block): ((&u32, Demand), DMat3)| {
            let body = model.elements.body[e as usize].0 as usize;
            let pace = 2.0 * speeds[body] / (LEAST_STEP * model.bodies[body].cell_side.unwrap_or(f64::INFINITY));
            let own = largest_eigenvalue(block);
            let room = model.elements.mass[e as usize] * pace * pace - own;
            demand.part_within(room.max(LEAST_ROOM * own + pace * demand.trodden), pace)
        };
        self.elements.iter().zip(demand).zip(self.blocks(model)).map(part).collect()
    }

    fn demand(&self, model: &Model, stiffest: f64) -> Vec<Demand> {
        let ground = if model.obstacles.is_empty() { 0.0 } else { 1.0 };
        let mut demand = vec![Demand::default(); self.elements.len()];
        for i in touching_solids(model) {
            let k = asked(whole_stiffness(model, i), stiffest, ground);
            each_share(model, i, |e, share| demand[self.slot[e] as usize].stiffness += k * share);
            let along_surface = if model.elements.perch_of(i).is_some() { TANGENTIAL_SHARE * k } else { k };
            demand[self.slot[i] as usize].rubbing = damper(along_surface, model.elements.mass[i]);
        }
        if self.clad.contains(&true) {
            self.add_standing(model, stiffest, &mut demand);
        }
        demand
    }

    /// Whatever stands on a skin asks at most `o_j` of element `j`. Of that `o_j S/(o_j + S)` is in reserve already if `j` has
    /// a sphere, for that touches one thing less then: `o_j²/(o_j + S)` remains, which falls at least as fast as `o_j`.
    fn add_standing(&self, model: &Model, stiffest: f64, demand: &mut [Demand]) {
        for (slot, &e) in self.elements.iter().enumerate().filter(|(slot, _)| self.clad[*slot]) {
            let own = whole_stiffness(model, e as usize);
            let once = if model.elements.surface[e as usize] { in_series(own, stiffest) } else { 0.0 };
            demand[slot].stiffness += own - once;
            demand[slot].spared = damper(once, model.elements.mass[e as usize]);
        }
        let e = &model.elements;
        let touches = |i: &usize| e.surface[*i] && model.bodies[e.body[*i].0 as usize].contact;
        let firmest = (0..e.len()).filter(touches).map(|i| bearing_of(model, i)).fold(0.0, f64::max);
        let uneased = CoefficientTable::default();
        for skin in &model.skins {
            for v in 0..skin.bindings.len() {
                let Vertex { bearing, cell, .. } = Vertex::new(model, &uneased, skin, v);
                let (gain, softness) = vertex_gain(model, skin, v);
                let c = damper(in_series(bearing, firmest) * cell * cell, 1.0 / softness);
                for (e, w) in skin.bindings.of(v) {
                    if let Some(demand) = demand.get_mut(self.slot[e as usize] as usize) {
                        demand.trodden = demand.trodden.max(c * w.abs() * gain);
                    }
                }
            }
        }
    }

    /// `2A` of each in the reference configuration [N/m].
    fn blocks(&self, model: &Model) -> Vec<DMat3> {
        let x = &model.elements.rest;
        let mut blocks = vec![DMat3::ZERO; self.elements.len()];
        let mut add = |e: usize, block: DMat3| {
            if let Some(sum) = blocks.get_mut(self.slot[e] as usize) {
                *sum += block * 2.0;
            }
        };
        let reached = |e: &u32| self.slot[*e as usize] != NONE;
        for (c, ends) in model.connections.ends.iter().enumerate().filter(|(_, ends)| ends.iter().any(reached)) {
            let [a, b] = ends.map(|e| e as usize);
            let n = (x.get(a) - x.get(b)).normalize_or_zero();
            let block = outer(n, n) * model.connections.constants(c).stiffness;
            add(a, block);
            add(b, block);
        }
        for cell in model.cells.iter().filter(|cell| cell.corners.iter().any(reached)) {
            volume::each_bound(cell, x, &mut add);
        }
        blocks
    }
}

/// `Σ|φ|` and `Σ φ²/m` [1/kg] of a vertex of a skin.
pub fn vertex_gain(model: &Model, skin: &Skin, v: usize) -> (f64, f64) {
    let mass = |e: u32| model.elements.mass[e as usize];
    skin.bindings.of(v).fold((0.0, 0.0), |(g, s), (e, w)| (g + w.abs(), s + w * w / mass(e)))
}

/// The damper of friction with a stiffness `k` and a mass [N s/m].
fn damper(k: f64, mass: f64) -> f64 {
    2.0 * TANGENTIAL_DAMPING * (k * mass).sqrt()
}

/// `c_p = √(E (1 − ν)/(ρ (1 + ν)(1 − 2ν)))` of the fastest material in a solid [m/s].
fn fastest_wave(model: &Model, body: &Body) -> f64 {
    let squared = |&e: &u32| {
        let m = &model.materials[model.elements.material[e as usize].0 as usize];
        m.young * (1.0 - m.poisson) / (m.density * (1.0 + m.poisson) * (1.0 - 2.0 * m.poisson))
    };
    if body.cell_side.is_some() { body.elements.iter().map(squared).fold(0.0, f64::max).sqrt() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_part_that_fits_fills_the_room() {
        for trodden in [0.0, 0.2, 0.9] {
            let demand = Demand { stiffness: 3.0, rubbing: 0.7, spared: 0.5, trodden };
            for room in [2.0, 3.0, 4.0] {
                let s = demand.part_within(room, 2.0).sqrt();
                let beneath = 0.2 * s + trodden;
                let needed = 3.0 * s * s + 2.0 * (0.7 * s).max(if trodden > 0.0 { beneath } else { 0.0 });
                assert!((needed - room).abs() < 1e-14 || (s == 1.0 && needed < room), "{trodden}, {room}: {needed}");
            }
        }
    }

    #[test]
    fn what_is_left_asks_for_its_part_and_is_no_more_than_that_part() {
        for (own, stiffest, ground) in [(1.0, 1.0, 0.0), (1.0, 1.0, 1.0), (0.01, 3.0, 1.0), (0.4, 0.5, 0.0)] {
            for part in [0.05, 0.3, 0.7, 0.999] {
                let left = left(own, stiffest, ground, part);
                let error = asked(left, stiffest, ground) / asked(own, stiffest, ground) - part;
                assert!(error.abs() < 1e-14 && left <= part * own * (1.0 + 1e-14), "{own}, {part}: {left}");
            }
        }
    }
}
