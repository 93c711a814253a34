//! Contact stiffness and damping kept in reserve for every element that contact forces can reach.
//!
//! A force on a point that rides on elements, `u = Σ φ_j u_j`, reaches all of them. Its stiffness `k` is bounded by
//! `k (Σ φ_j u_j)² ≤ k (Σ|φ|) Σ |φ_j| u_j²`: element `j` takes `k |φ_j| Σ|φ|`.

use crate::contact::bearable::{asked, bearing_of, perch_shares, vertex_gain};
use crate::contact::cladding::Cladding;
use crate::contact::coefficients::{
    CoefficientTable, TANGENTIAL_DAMPING, TANGENTIAL_SHARE, in_series, whole_stiffness,
};
use crate::model::setup::Law;
use crate::model::{FREE, Model, Skin, State, Topology};

/// Contact dampers beyond critical damping look ahead and need no smaller step.
const CRITICAL: f64 = 1.0;

/// What contacts can add to each element.
pub(super) struct Reserve {
    /// Stiffness [N/m].
    stiffness: Vec<f64>,
    /// Damping [N s/m].
    damping: Vec<f64>,
    touches: Vec<bool>,
    /// The largest damping ratio of contacts along their normals [1].
    along: f64,
    /// The largest damping ratio of contacts, friction included [1].
    pub ratio: f64,
}

/// True unless contacts have no stiffness, or all that could touch anything is one rigid aggregate, alone in the world.
fn may_meet(model: &Model, state: &State, topology: &Topology) -> bool {
    if model.law == Law::Constraint {
        return false;
    }
    let Some(&first) = topology.touching.first() else { return false };
    let owner = state.owner[first as usize];
    let alone = owner != FREE && topology.touching.iter().all(|&i| state.owner[i as usize] == owner);
    !(alone && model.obstacles.is_empty())
}

impl Reserve {
    pub fn new(
        model: &Model,
        state: &State,
        topology: &Topology,
        coefficients: &CoefficientTable,
        cladding: &Cladding,
    ) -> Self {
        let n = model.elements.len();
        let along = coefficients.largest_ratio().min(CRITICAL);
        let ratio = along.max(TANGENTIAL_DAMPING);
        let mut reserve =
            Self { stiffness: vec![0.0; n], damping: vec![0.0; n], touches: vec![false; n], along, ratio };
        if may_meet(model, state, topology) {
            reserve.add_spheres(model, topology, coefficients);
            reserve.add_skins(model, topology, coefficients, cladding);
        }
        reserve
    }

    /// Bound of the stiffness [N/m] and damping [N s/m] that contacts can add to element `i`.
    pub fn of(&self, i: usize) -> (f64, f64) {
        (self.stiffness[i], self.damping[i])
    }

    /// How far from element `i` contacts may act [m].
    pub fn reach(&self, model: &Model, i: usize) -> f64 {
        if self.touches[i] { model.elements.radius[i] } else { 0.0 }
    }

    /// Every sphere may touch the world, and the stiffest thing there is twice.
    fn add_spheres(&mut self, model: &Model, topology: &Topology, coefficients: &CoefficientTable) {
        let stiffest = stiffest(model, topology);
        let ground = if model.obstacles.is_empty() { 0.0 } else { 1.0 };
        for &e in &topology.touching {
            let i = e as usize;
            let k = asked(coefficients.element_stiffness(model, i), stiffest, ground);
            self.touches[i] = true;
            match model.elements.perch_of(i).filter(|_| topology.leans(e)) {
                Some(perch) => self.add_perched(model, i, perch as usize, k),
                None => self.add(i, k, 2.0 * self.ratio * (k * model.elements.mass[i]).sqrt()),
            }
        }
    }

    /// The push reaches what the sphere rides on, friction the element itself, each with its own damper; they act across
    /// each other, so that the element takes the larger of the two.
    fn add_perched(&mut self, model: &Model, i: usize, perch: usize, k: f64) {
        let mass = |e: u32| model.elements.mass[e as usize];
        let softness: f64 = model.perches.of(perch).map(|(e, w)| w * w / mass(e)).sum();
        let c = 2.0 * self.along * (k / softness).sqrt();
        let rubbing = 2.0 * self.ratio * (TANGENTIAL_SHARE * k * mass(i as u32)).sqrt();
        let (mut own_share, mut own_c) = (TANGENTIAL_SHARE, rubbing);
        for (e, share) in perch_shares(model, perch) {
            if e == i {
                own_share = own_share.max(share);
                own_c = own_c.max(c * share);
            } else {
                self.add(e, k * share, c * share);
            }
        }
        self.add(i, k * own_share, own_c);
    }

    /// Spheres of others may stand on a skin, on each cell as many as have the area of one. A surface element has this in
    /// reserve already, for its own sphere touches one thing less if others stand on it.
    fn add_skins(&mut self, model: &Model, topology: &Topology, coefficients: &CoefficientTable, cladding: &Cladding) {
        let firmest = topology.touching.iter().map(|&i| bearing_of(model, i as usize)).fold(0.0, f64::max);
        let mut needed = vec![(0.0f64, 0.0f64); if cladding.skins.is_empty() { 0 } else { self.stiffness.len() }];
        for (skin, clad) in model.skins.iter().zip(&cladding.skins) {
            for v in 0..skin.bindings.len() {
                let (bearing, cell) = clad.at_vertex(v);
                let k = in_series(bearing, firmest) * cell * cell;
                self.note_vertex(model, skin, v, k, &mut needed);
            }
        }
        let stiffest = stiffest(model, topology);
        for (i, (k, c)) in needed.into_iter().enumerate().filter(|(_, n)| n.0 > 0.0) {
            let once =
                if self.touches[i] { in_series(coefficients.element_stiffness(model, i), stiffest) } else { 0.0 };
            let damped = 2.0 * self.ratio * (once * model.elements.mass[i]).sqrt();
            self.add(i, (k - once).max(0.0), (c - damped).max(0.0));
        }
    }

    /// What a stiffness `k` at vertex `v` asks of its elements; each keeps the most that one vertex asks.
    fn note_vertex(&self, model: &Model, skin: &Skin, v: usize, k: f64, needed: &mut [(f64, f64)]) {
        let (gain, softness) = vertex_gain(model, skin, v);
        let c = 2.0 * self.ratio * (k / softness).sqrt();
        for (e, w) in skin.bindings.of(v) {
            let (share, most) = (w.abs() * gain, &mut needed[e as usize]);
            *most = (most.0.max(k * share), most.1.max(c * share));
        }
    }

    fn add(&mut self, i: usize, stiffness: f64, damping: f64) {
        self.stiffness[i] += stiffness;
        self.damping[i] += damping;
    }
}

/// The stiffest side of a contact that there is [N/m], before it is eased.
fn stiffest(model: &Model, topology: &Topology) -> f64 {
    topology.touching.iter().map(|&i| whole_stiffness(model, i as usize)).fold(0.0, f64::max)
}
