//! From a material to the numbers springs need, and the refusal of materials that have none.

use crate::discretize::DiscretizeError;
use crate::model::{Fracture, Material};

/// Refuses constants no formula of this folder can use; the wider checks are those of the scene reader.
pub(super) fn check_material(material: &Material) -> Result<(), DiscretizeError> {
    let positive = |v: f64| v > 0.0 && v.is_finite();
    let fracture = match material.fracture {
        Fracture::Never => 1.0,
        Fracture::Energy(v) | Fracture::Strain(v) | Fracture::Strength(v) => v,
    };
    let nu = material.poisson;
    let checks = [
        ("Young's modulus", material.young, positive(material.young), "positive and finite [Pa]"),
        ("density", material.density, positive(material.density), "positive and finite [kg/m³]"),
        ("Poisson's ratio", nu, nu > -1.0 && nu < 0.5, "between −1 and 1/2"),
        ("damping", material.damping, material.damping >= 0.0 && material.damping.is_finite(), "zero or positive"),
        ("fracture", fracture, positive(fracture), "positive and finite"),
    ];
    match checks.into_iter().find(|check| !check.2) {
        None => Ok(()),
        Some((constant, value, _, expected)) => {
            Err(DiscretizeError::BadMaterial { material: material.name.clone(), constant, value, expected })
        }
    }
}

/// Poisson's ratios nearer to 1/4 than this need no volume term.
const NO_VOLUME_TERM: f64 = 1e-9;

/// True if springs alone do not make the material.
pub(super) fn needs_volume_term(material: &Material) -> bool {
    (material.poisson - 0.25).abs() > NO_VOLUME_TERM
}

/// Critical strain `s_c` [1] of a connection: infinite if it never breaks.
///
/// `energy_scale` [J/m²] is what a unit strain stores per area of crack, so that `G_c = energy_scale · s_c²`.
pub(super) fn critical_strain(material: &Material, energy_scale: f64) -> f64 {
    match material.fracture {
        Fracture::Never => f64::INFINITY,
        Fracture::Strain(s) => s,
        Fracture::Strength(sigma) => sigma / material.young,
        Fracture::Energy(g) => (g / energy_scale).sqrt(),
    }
}
