//! Materials by their engineering constants. Spring constants are derived from these, never asked for.

use crate::model::setup::Combine;
use serde::{Deserialize, Serialize};

/// What makes a connection break. Tension only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Fracture {
    /// It never breaks.
    #[default]
    Never,
    /// Fracture energy `G_c` [J/m²]: the work per area of crack, independent of resolution.
    Energy(f64),
    /// Critical strain `s_c` [1] of a connection.
    Strain(f64),
    /// Tensile strength `σ_c` [Pa] along a lattice axis.
    Strength(f64),
}

/// What resists rolling and spinning of exact bodies: contacts are not quite points. Zero: nothing does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Resistance {
    /// Rolling friction `μ_r` [m]: torque across the normal over push, at most.
    pub rolling: f64,
    /// Torsional friction `μ_s` [m]: torque about the normal over push, at most.
    pub torsional: f64,
    /// Radius `ε` of the contact patch [m]: slip and spin then share one friction cone, and torsional friction is in it.
    pub patch: f64,
}

impl Resistance {
    /// True if nothing resists.
    pub fn is_zero(&self) -> bool {
        self.rolling <= 0.0 && self.torsional <= 0.0 && self.patch <= 0.0
    }

    /// That of two materials that touch: of each length the larger.
    pub fn with(&self, other: &Self) -> Self {
        Self {
            rolling: self.rolling.max(other.rolling),
            torsional: self.torsional.max(other.torsional),
            patch: self.patch.max(other.patch),
        }
    }
}

/// An isotropic material.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Material {
    /// What it is called in scene files and messages.
    pub name: String,
    /// Young's modulus `E` [Pa].
    pub young: f64,
    /// Poisson's ratio `ν` [1]; 1/4 is what central springs give, anything else adds a volume term.
    pub poisson: f64,
    /// Density `ρ` [kg/m³].
    pub density: f64,
    /// When it breaks.
    pub fracture: Fracture,
    /// Damping ratio `ζ` [1] of the body's slowest longitudinal vibration (of the pair, for a single connection).
    pub damping: f64,
    /// Coefficient of static friction `μ_s` [1].
    pub static_friction: f64,
    /// Coefficient of dynamic friction `μ_d` [1].
    pub dynamic_friction: f64,
    /// Coefficient of restitution `e` [1].
    pub restitution: f64,
    /// What resists rolling and spinning.
    pub resistance: Resistance,
    /// How its friction combines with that of another material; `None`: as the scene says.
    pub friction_combine: Option<Combine>,
    /// How its restitution combines, likewise.
    pub restitution_combine: Option<Combine>,
}

impl Default for Material {
    /// A soft rubber: visible deformation, a comfortable explicit step.
    fn default() -> Self {
        Self {
            name: "default".into(),
            young: 1e6,
            poisson: 0.25,
            density: 1000.0,
            fracture: Fracture::Never,
            damping: 0.02,
            static_friction: 0.5,
            dynamic_friction: 0.5,
            restitution: 0.5,
            resistance: Resistance::default(),
            friction_combine: None,
            restitution_combine: None,
        }
    }
}
