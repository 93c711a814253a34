//! Joints under the law `constraint`: what they hold, what drives them and what they bear.
#![allow(clippy::unwrap_used)]

mod joints {
    pub mod bad_input;
    pub mod blows;
    pub mod chains;
    pub mod closed;
    pub mod drives;
    pub mod heavy;
    pub mod implicit;
    pub mod linkages;
    pub mod pendulums;
    pub mod scenes;
    pub mod soft;
    pub mod stops;
    pub mod switching;
    pub mod uses;
}
