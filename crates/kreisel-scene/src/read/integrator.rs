//! Integrators and their words.

use crate::keys::INTEGRATORS;
use kreisel::model::setup::Integrator;

/// The integrators, in the order of their words.
const ORDER: [Integrator; 8] = [
    Integrator::ForwardEuler,
    Integrator::SymplecticEuler,
    Integrator::VelocityVerlet,
    Integrator::BackwardEuler,
    Integrator::LinearBackwardEuler,
    Integrator::ImplicitMidpoint,
    Integrator::Extrapolated,
    Integrator::Automatic,
];

/// All integrators that a scene file can name, the one that is chosen by the engine last.
pub fn integrators() -> &'static [Integrator] {
    &ORDER
}

/// The integrator of the word with this number.
pub(super) fn integrator(word: usize) -> Integrator {
    ORDER.get(word).copied().unwrap_or_default()
}

/// What a scene file calls an integrator.
pub fn integrator_word(integrator: Integrator) -> &'static str {
    let found = ORDER.iter().position(|&i| i == integrator);
    found.and_then(|i| INTEGRATORS.get(i)).copied().unwrap_or("automatic")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_the_word_of_its_integrator() {
        for (i, word) in INTEGRATORS.iter().enumerate() {
            assert_eq!(integrator_word(integrator(i)), *word);
        }
        assert_eq!(integrator_word(Integrator::ImplicitMidpoint), "midpoint");
    }
}
