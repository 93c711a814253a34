//! What is asked of a rest state, what comes of it, and why there may be none.

use crate::step::report::StepError;
use glamx::DVec3;
use std::fmt;

/// How to settle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SettleParams {
    /// At rest when no freedom has more force left than this share of all loads and weights [1].
    pub tolerance: f64,
    /// Where steps do no good any more, because contacts slip or change from face to face, this share is enough [1].
    pub coarse_tolerance: f64,
    /// At most so many steps of pseudo-time.
    pub max_steps: usize,
    /// Loads, grabs and prescribed motions are those of this time [s], which is the time of the settled state; `None`: the
    /// time of the state.
    pub time: Option<f64>,
}

impl Default for SettleParams {
    fn default() -> Self {
        Self { tolerance: 1e-8, coarse_tolerance: 1e-6, max_steps: 1000, time: None }
    }
}

/// A rest state, and what it took to find.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SettleReport {
    /// Time of the loads [s].
    pub time: f64,
    /// Largest force left on a freedom [N]; a torque counts as a force at the far end of its aggregate.
    pub residual: f64,
    /// What it had to be below [N].
    pub tolerance: f64,
    /// True if it is not, and steps did no good any more: contacts slip or change from face to face.
    pub stalled: bool,
    /// Sum of the sizes of weights and loads [N].
    pub loads: f64,
    /// Steps of pseudo-time.
    pub steps: usize,
    /// Newton iterations in them.
    pub newton_iterations: usize,
    /// Iterations of the linear solver in those.
    pub linear_iterations: usize,
    /// Largest displacement from where it began [m].
    pub largest_displacement: f64,
    /// The element that was displaced so far, if there is any.
    pub farthest: Option<u32>,
    /// Elastic energy of connections, cells and contacts [J].
    pub elastic_energy: f64,
    /// Contacts that push.
    pub contacts: usize,
    /// Sum of the contact forces of the fixed world on everything else [N].
    pub ground_force: DVec3,
    /// Fixes by name, and the sum of their forces on what they hold [N].
    pub reactions: Vec<(String, DVec3)>,
}

/// Why there is no rest.
#[derive(Clone, Debug, PartialEq)]
pub enum SettleError {
    /// Nothing can move.
    Nothing,
    /// A time or a tolerance that is none.
    BadParams(String),
    /// A body that nothing holds or carries, under loads that do not balance.
    Floating {
        /// The body.
        body: String,
        /// Sum of the forces on it and what hangs together with it [N].
        force: DVec3,
        /// Their moment about its centre of mass [N m].
        torque: DVec3,
    },
    /// Something moves ever farther: a mechanism, or something that slides or rolls away.
    Runaway {
        /// The body.
        body: String,
        /// How far it has come [m].
        distance: f64,
        /// The force that still drives it [N].
        force: DVec3,
    },
    /// Fixes that cannot all be met.
    ConflictingFixes {
        /// The body.
        body: String,
        /// An element that is not where its fix wants it.
        element: u32,
        /// How far off it is [m].
        distance: f64,
    },
    /// At rest, a connection would be longer than it can be.
    Breaks {
        /// The body.
        body: String,
        /// The connection.
        connection: u32,
        /// Its length [m].
        length: f64,
        /// The length at which it breaks [m].
        limit: f64,
        /// How many connections are too long.
        count: usize,
    },
    /// Not at rest after all steps.
    NotConverged {
        /// Steps of pseudo-time.
        steps: usize,
        /// Largest force left on a freedom [N].
        residual: f64,
        /// What it should have been below [N].
        tolerance: f64,
        /// The body it is left on.
        body: String,
        /// Why steps failed, if some did.
        trouble: String,
    },
    /// A switch that was due could not be made.
    Switch(StepError),
}

impl fmt::Display for SettleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => write!(f, "nothing in the scene can move: there is nothing to settle"),
            Self::BadParams(what) => write!(f, "{what}"),
            Self::Floating { body, force, torque } => write!(
                f,
                "nothing holds or carries {body} and its loads do not balance: force {force} N, torque {torque} N m"
            ),
            Self::Runaway { body, distance, force } => write!(
                f,
                "{body} has moved {distance:.3e} m and is still driven by {force} N: it is a mechanism, or slides or rolls away"
            ),
            Self::ConflictingFixes { body, element, distance } => write!(
                f,
                "the fixes of {body} cannot all be met: element {element} is {distance:.3e} m from where it is held"
            ),
            Self::Breaks { body, connection, length, limit, count } => write!(
                f,
                "{count} connections of {body} would break at rest, such as {connection}: {length:.6e} m long, {limit:.6e} m at most"
            ),
            Self::NotConverged { steps, residual, tolerance, body, trouble } => {
                write!(
                    f,
                    "not at rest after {steps} steps: {residual:.3e} N are left on {body}, {tolerance:.3e} N allowed"
                )?;
                if trouble.is_empty() { Ok(()) } else { write!(f, "; {trouble}") }
            }
            Self::Switch(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for SettleError {}
