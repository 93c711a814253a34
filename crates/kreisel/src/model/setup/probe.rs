//! Probes as a scene asks for them: what is read, of which elements, under which name.

use crate::model::Region;
use glamx::DVec3;
use serde::{Deserialize, Serialize};

/// Something to read out at each frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Probe {
    /// Column name.
    pub name: String,
    /// What is read.
    pub quantity: Quantity,
    /// Of which elements.
    pub region: Region,
    /// The element of the region nearest to this point, or this very point of an exact body [m]; `None`: the whole region.
    pub nearest: Option<DVec3>,
    /// Only this component (x, y, z: 0, 1, 2); `None`: all.
    pub component: Option<u8>,
    /// Of which joint, by name, if joints are read; then elements do not matter.
    pub joint: Option<String>,
}

/// What a probe reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Quantity {
    /// Centre of mass [m].
    #[default]
    Position,
    /// Velocity of the centre of mass [m/s].
    Velocity,
    /// Mean displacement from the start [m].
    Displacement,
    /// Angular velocity of the region as a whole [rad/s].
    Spin,
    /// Linear momentum [kg m/s].
    Momentum,
    /// Angular momentum about the origin [kg m²/s].
    AngularMomentum,
    /// Sum of the forces on the elements, reactions left out [N].
    Force,
    /// Sum of the forces of fixes on the elements [N].
    Reaction,
    /// Sum of contact forces from other bodies and the world on the elements [N].
    ContactForce,
    /// Strain tensor: xx, yy, zz, yz, xz, xy [1].
    Strain,
    /// Stress tensor: xx, yy, zz, yz, xz, xy [Pa].
    Stress,
    /// Principal stresses, largest first [Pa].
    PrincipalStress,
    /// Von Mises stress [Pa].
    VonMises,
    /// Kinetic, gravity and elastic energy [J].
    Energy,
    /// Share of the elements' mass that is rigid at the moment [1].
    Rigid,
    /// Of a joint: coordinate [m or rad], how it changes [m/s or rad/s], force of the motor [N or N m], force [N] and torque
    /// [N m] that it bears.
    Joint,
}
