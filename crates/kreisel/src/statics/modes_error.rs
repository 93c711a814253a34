//! Why there are no modes, with the facts.

use std::fmt;

/// Why there are no modes.
#[derive(Clone, Debug, PartialEq)]
pub enum ModesError {
    /// There is nothing.
    NoElements,
    /// No mode was asked for.
    NoneWanted,
    /// More modes than there are freedoms.
    TooMany {
        /// Asked for.
        wanted: usize,
        /// Freedoms less rigid motions.
        available: usize,
    },
    /// A mass that is not positive, or not a number.
    BadMass {
        /// The element.
        element: u32,
        /// Its mass [kg].
        mass: f64,
    },
    /// Nothing resists: no connection between freedoms.
    NoStiffness,
    /// Motions without stiffness that are not rigid, such as links of a chain that swing sideways.
    Mechanism {
        /// So many, or more.
        at_least: usize,
        /// The element that the first of them moves most.
        element: u32,
    },
    /// The configuration is no stable equilibrium: it buckles.
    Unstable {
        /// The rate at which the fastest motion grows [1/s].
        growth: f64,
    },
    /// The rounds ran out.
    NotConverged {
        /// Modes that were wanted.
        wanted: usize,
        /// Rounds done.
        iterations: usize,
        /// The largest relative residual [1].
        residual: f64,
    },
    /// A position or a stiffness is infinite or not a number.
    NotFinite,
}

impl fmt::Display for ModesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoElements => write!(f, "there are no elements"),
            Self::NoneWanted => write!(f, "no mode was asked for"),
            Self::TooMany { available: 0, .. } => write!(f, "it is rigid or held: nothing of it can vibrate"),
            Self::TooMany { wanted, available } => {
                write!(f, "{wanted} modes were asked for, but only {available} freedoms can vibrate")
            }
            Self::BadMass { element, mass } => write!(f, "element {element} has the mass {mass} kg"),
            Self::NoStiffness => write!(f, "nothing in it has any stiffness"),
            Self::Mechanism { at_least, element } => write!(
                f,
                "{at_least} or more of its motions meet no stiffness without being rigid: a mechanism; the first moves \
                 element {element} most"
            ),
            Self::Unstable { growth } => {
                write!(f, "it is no stable equilibrium: a motion grows at {growth:.3e} 1/s instead of swinging")
            }
            Self::NotConverged { wanted, iterations, residual } => write!(
                f,
                "the {wanted} lowest modes are not found after {iterations} rounds: relative residual {residual:.3e}"
            ),
            Self::NotFinite => write!(f, "a position or a stiffness is not a finite number"),
        }
    }
}

impl std::error::Error for ModesError {}
