//! A number per element that colours can show.

use kreisel::linear::Vectors;
use kreisel::model::{Model, State, Touched, topology};
use kreisel::readout::index::{Reading, Surroundings};
use kreisel::readout::stress::{mean_stress, von_mises};
use rayon::prelude::*;

/// What strain and stress need of the model, kept from frame to frame.
#[derive(Debug, Default)]
pub struct Scalars {
    version: Option<u64>,
    around: Surroundings,
}

impl Scalars {
    /// Von Mises stress of every element [Pa].
    pub fn stress(&mut self, model: &Model, version: u64, position: &Vectors, broken: &[u32]) -> Vec<f32> {
        if self.version != Some(version) {
            self.around = Surroundings::with_crossings(model, (0..model.elements.len() as u32).collect());
            self.version = Some(version);
        }
        let state = State { position: position.clone(), broken: broken.to_vec(), ..State::default() };
        let reading = Reading::new(model, &state, &self.around);
        let of = |e: u32| von_mises(mean_stress(&reading, &[e])) as f32;
        (0..model.elements.len() as u32).into_par_iter().map(of).collect()
    }
}

/// Speed of every element [m/s].
pub fn speed(velocity: &Vectors) -> Vec<f32> {
    (0..velocity.len()).map(|e| velocity.get(e).length() as f32).collect()
}

/// The largest strain of a connection at every element [1].
pub fn strain(model: &Model, position: &Vectors, broken: &[u32]) -> Vec<f32> {
    let mut strain = vec![0.0f32; model.elements.len()];
    let mut next = broken.iter().peekable();
    for (c, &[a, b]) in model.connections.ends.iter().enumerate() {
        if next.peek() == Some(&&(c as u32)) {
            next.next();
            continue;
        }
        let rest = model.connections.constants(c).rest_length;
        let length = position.get(a as usize).distance(position.get(b as usize));
        let value = ((length - rest) / rest).abs() as f32;
        for e in [a, b] {
            strain[e as usize] = strain[e as usize].max(value);
        }
    }
    strain
}

/// Which elements hang together, by a small number.
pub fn islands(model: &Model, broken: &[u32]) -> Vec<f32> {
    let mut is_broken = vec![false; model.connections.len()];
    broken.iter().for_each(|&c| is_broken[c as usize] = true);
    let (component, _) = topology::components(model.elements.len(), &model.connections.ends, &is_broken);
    component.into_iter().map(|c| c as f32).collect()
}

/// Which contact law acts on every element: 0 none, 1 it sticks, 2 it slides. An exact shape has one for all of it.
pub fn laws(model: &Model, state: &State) -> Vec<f32> {
    let mut law = vec![0.0f32; state.owner.len()];
    let mut mark = |e: u32, slides: bool| law[e as usize] = law[e as usize].max(if slides { 2.0 } else { 1.0 });
    for contact in &state.contacts {
        mark(contact.element, contact.slipping);
        if let Touched::Element(other) = contact.other {
            mark(other, contact.slipping);
        }
    }
    for contact in state.shape_contacts.iter().filter(|c| c.presses()) {
        let bodies = contact.between.iter().filter_map(|&b| model.bodies.get(b as usize));
        bodies.flat_map(|b| &b.elements).for_each(|&e| mark(e, contact.slipping));
    }
    law
}
