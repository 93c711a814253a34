//! Which elements a region selects.

use crate::build::BuildError;
use crate::linear::Vectors;
use crate::model::region::RegionPoint;
use crate::model::{Model, Region};
use glamx::DVec3;

/// Answers which elements lie in a region of the reference configuration.
pub struct Selector {
    positions: Vectors,
    body: Vec<u32>,
    index: Vec<u32>,
    names: Vec<String>,
    slack: f64,
}

impl Selector {
    /// Prepares the selection from a model's elements and bodies.
    pub fn new(model: &Model) -> Self {
        let n = model.elements.len();
        let mut index = vec![0; n];
        for body in &model.bodies {
            for (k, &e) in body.elements.iter().enumerate() {
                index[e as usize] = k as u32;
            }
        }
        let (low, high) = bounds(&model.elements.rest);
        Self {
            positions: model.elements.rest.clone(),
            body: model.elements.body.iter().map(|b| b.0).collect(),
            index,
            names: model.bodies.iter().map(|b| b.name.clone()).collect(),
            slack: Region::TOLERANCE * (high - low).max_element().max(0.0),
        }
    }

    /// The elements in a region, ascending; an error if there are none or a body is unknown.
    pub fn select(&self, region: &Region, path: &str) -> Result<Vec<u32>, BuildError> {
        for name in region.bodies() {
            if !self.names.iter().any(|n| n == name) {
                let known = self.names.join(", ");
                return Err(BuildError::new(path, format!("no body is called \"{name}\""), format!("bodies: {known}")));
            }
        }
        let chosen: Vec<u32> = (0..self.positions.len()).filter(|&i| self.holds(region, i)).map(|i| i as u32).collect();
        if chosen.is_empty() { Err(BuildError::empty(path, region)) } else { Ok(chosen) }
    }

    /// The element in a region nearest to a point; the smallest number of equals.
    pub fn nearest(&self, region: &Region, point: DVec3, path: &str) -> Result<u32, BuildError> {
        let chosen = self.select(region, path)?;
        let distance = |e: u32| self.positions.get(e as usize).distance_squared(point);
        let nearest = chosen.into_iter().min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        nearest.ok_or_else(|| BuildError::empty(path, region))
    }

    fn holds(&self, region: &Region, i: usize) -> bool {
        let body = &self.names[self.body[i] as usize];
        region.contains(RegionPoint { position: self.positions.get(i), body, index: self.index[i] }, self.slack)
    }
}

/// Smallest axis-parallel box around the points.
pub fn bounds(x: &Vectors) -> (DVec3, DVec3) {
    let none = (DVec3::splat(f64::INFINITY), DVec3::splat(f64::NEG_INFINITY));
    (0..x.len()).fold(none, |(low, high), i| (low.min(x.get(i)), high.max(x.get(i))))
}
