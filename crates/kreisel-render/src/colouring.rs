//! What the colours mean: bodies, rigid and soft, speed or stress.

use crate::appearance;
use crate::colour::{Rgb, colour_map};
use kreisel::model::setup::Colour;
use kreisel::model::{FREE, Model, State};
use kreisel::readout::index::{Reading, Surroundings};
use kreisel::readout::stress::{mean_stress, von_mises};
use kreisel_record::Frame;

/// How numbers become colours over a whole recording.
#[derive(Clone, Debug)]
pub(crate) struct Colouring {
    pub(crate) kind: Colour,
    /// The number that has the last colour; the first is zero.
    pub(crate) largest: f64,
    around: Surroundings,
}

impl Colouring {
    /// Finds the range of numbers over some frames.
    pub(crate) fn new(kind: Colour, model: &Model, frames: &[Frame]) -> Self {
        let around = match kind {
            Colour::Stress => Surroundings::with_crossings(model, (0..model.elements.len() as u32).collect()),
            _ => Surroundings::default(),
        };
        let mut colouring = Self { kind, largest: 1.0, around };
        if matches!(kind, Colour::Speed | Colour::Stress) {
            let high = frames.iter().map(|f| high_value(colouring.values(model, f))).fold(0.0, f64::max);
            colouring.largest = if high > 0.0 && high.is_finite() { nice_above(high) } else { 1.0 };
        }
        colouring
    }

    /// The number of every element: speed [m/s] or stress [Pa]; empty if colours mean something else.
    pub(crate) fn values(&self, model: &Model, frame: &Frame) -> Vec<f64> {
        match self.kind {
            Colour::Body | Colour::Rigid => Vec::new(),
            Colour::Speed => (0..model.elements.len()).map(|e| frame.velocity.get(e).length()).collect(),
            Colour::Stress => self.stresses(model, frame),
        }
    }

    fn stresses(&self, model: &Model, frame: &Frame) -> Vec<f64> {
        let state = State { position: frame.position.clone(), broken: frame.broken.clone(), ..State::default() };
        let reading = Reading::new(model, &state, &self.around);
        let stress = |e: usize| von_mises(mean_stress(&reading, &[e as u32]));
        (0..model.elements.len()).map(stress).collect()
    }

    /// The colour of a number.
    pub(crate) fn of_value(&self, value: f64) -> Rgb {
        colour_map(value / self.largest)
    }

    /// The colour of an element.
    pub(crate) fn of_element(&self, model: &Model, frame: &Frame, values: &[f64], element: usize) -> Rgb {
        match self.kind {
            Colour::Body => appearance::body(model.elements.body[element].0 as usize),
            Colour::Rigid if frame.owner[element] == FREE => Rgb::from_hex(appearance::SOFT),
            Colour::Rigid => Rgb::from_hex(appearance::RIGID),
            Colour::Speed | Colour::Stress => self.of_value(values[element]),
        }
    }
}

/// What 99 of 100 numbers do not exceed: single peaks would leave the rest in the dark.
fn high_value(mut values: Vec<f64>) -> f64 {
    values.retain(|v| v.is_finite());
    values.sort_by(f64::total_cmp);
    values.get((values.len() * 99 / 100).min(values.len().saturating_sub(1))).copied().unwrap_or(0.0)
}

/// The next number of the form 1, 2, 3, 4, 5, 6 or 8 times a power of ten that is not below.
pub(crate) fn nice_above(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    let steps = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
    steps.into_iter().map(|s| s * power).find(|&s| s >= value * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_ends_at_a_round_number_and_a_single_peak_does_not_count() {
        assert_eq!([0.7, 1.0, 1.2, 9.1, 430.0].map(nice_above), [0.8, 1.0, 2.0, 10.0, 500.0]);
        let values = (0..1000).map(|i| if i == 3 { 1e9 } else { i as f64 }).collect();
        assert!((high_value(values) - 991.0).abs() < 2.0);
        assert_eq!(high_value(vec![]), 0.0);
    }
}
