//! A point of a skin that a contact sphere of another body stands on.
//!
//! `q = Σ β_k y_k`, the vertices `y_k = Σ φ_j x_j` riding on elements. With the weights `β` held, `q̇ = Σ β φ v` and a force
//! on `q` reaches the elements by the same weights: power, `P` and `L` are kept. The weights change as the sphere slides,
//! but the distance does not feel it: `c − q` is normal to the directions in which `q` is free to move. So the push is the
//! gradient of the contact's energy.

use crate::contact::connections::Sight;
use crate::contact::rows::Row;
use crate::linear::Vectors;
use crate::model::mapping::{carrier, inverse_mass_at};
use crate::model::{Model, State};
use glamx::{DMat3, DVec3};

/// Where a sphere stands on a skin.
#[derive(Clone, Copy, Debug)]
pub struct Foot {
    /// Number of the skin.
    pub skin: u32,
    /// Vertices of the triangle.
    pub corners: [u32; 3],
    /// Their weights `β` [1].
    pub beta: [f64; 3],
    /// The point `q` [m].
    pub point: DVec3,
    /// Unit normal, out of the skin.
    pub normal: DVec3,
    /// True on an edge or a corner of the skin: the normal is that of no triangle there.
    pub sharp: bool,
    /// Distance of the sphere's centre from the skin [m], negative inside.
    pub distance: f64,
    /// Stiffness of the skin's body per area of contact [N/m³].
    pub bearing: f64,
    /// Size of its cells [m].
    pub cell: f64,
    /// The element that carries most of the vertex with the largest weight.
    pub bearer: u32,
}

impl Foot {
    /// Velocity of the point [m/s].
    pub fn velocity(&self, model: &Model, v: &Vectors) -> DVec3 {
        let bindings = &model.skins[self.skin as usize].bindings;
        self.weighted().fold(DVec3::ZERO, |sum, (vertex, beta)| sum + bindings.gather(vertex, v) * beta)
    }

    /// Adds a force on the point [N] to the forces on the elements.
    pub fn spread(&self, model: &Model, force: DVec3, f: &mut Vectors) {
        let bindings = &model.skins[self.skin as usize].bindings;
        self.weighted().for_each(|(vertex, beta)| bindings.spread(vertex, force * beta, f));
    }

    /// The blocks of its velocity, times `sign`.
    pub(super) fn add_row(&self, model: &Model, sign: f64, row: &mut Row) {
        row.extend(self.shares(model).map(|(e, share)| (e, share * sign)));
    }

    /// The elements that carry the point, with their shares of its velocity; some several times.
    pub fn shares<'a>(&'a self, model: &'a Model) -> impl Iterator<Item = (u32, DMat3)> + 'a {
        let bindings = &model.skins[self.skin as usize].bindings;
        let of = move |(vertex, beta): (usize, f64)| {
            bindings.of(vertex).map(move |(e, w)| (e, DMat3::IDENTITY * (beta * w)))
        };
        self.weighted().flat_map(of)
    }

    /// The aggregate that carries all elements of the point.
    pub fn carrier(&self, model: &Model, state: &State) -> Option<usize> {
        if state.aggregates.is_empty() {
            return None;
        }
        let owner = carrier(state, self.bearer as usize)?;
        let bindings = &model.skins[self.skin as usize].bindings;
        let mut elements = self.weighted().flat_map(|(vertex, _)| bindings.of(vertex));
        elements.all(|(e, _)| carrier(state, e as usize) == Some(owner)).then_some(owner)
    }

    /// Inverse mass that the skin shows at a point along `n` [1/kg].
    pub fn inverse_mass(&self, sight: &Sight, point: DVec3, n: DVec3) -> f64 {
        match self.carrier(sight.model, sight.state) {
            Some(a) if sight.immovable[a] => 0.0,
            Some(a) => {
                let body = &sight.state.aggregates[a];
                inverse_mass_at(body.mass, body.inverse_inertia(), point - body.position, n)
            }
            None => self.softness(sight.model),
        }
    }

    /// `Σ Φ_j²/m_j`, `Φ_j = Σ β φ_j`: elements may carry several of the three vertices.
    fn softness(&self, model: &Model) -> f64 {
        let bindings = &model.skins[self.skin as usize].bindings;
        let all = || self.weighted().flat_map(|(vertex, beta)| bindings.of(vertex).map(move |(e, w)| (e, w * beta)));
        let whole = |e: u32| all().filter(|o| o.0 == e).map(|o| o.1).sum::<f64>();
        all().map(|(e, w)| w * whole(e) / model.elements.mass[e as usize]).sum()
    }

    /// Vertices with a weight.
    fn weighted(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        (0..3).filter(|&k| self.beta[k] > 0.0).map(|k| (self.corners[k] as usize, self.beta[k]))
    }
}
