//! Materials by name.
//!
//! Moduli and densities are the mid-range figures of engineering handbooks. Fracture energies are `G_c = K_Ic²/E` of
//! published fracture toughness for brittle matter, and tearing energies for rubbers. Friction and restitution are of
//! the material against itself or against a hard floor, dry; they depend on surfaces more than on the matter and are
//! good to one digit. Every material has Poisson's ratio 1/4 here, which is what a lattice of central springs has by
//! itself; the handbook's value is in `poisson`, for those who want to pay for it.

use kreisel::model::material::Resistance;
use kreisel::model::{Fracture, Material};

/// A material of the library.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedMaterial {
    /// What it is called.
    pub name: &'static str,
    /// Young's modulus [Pa].
    pub young: f64,
    /// The handbook's Poisson's ratio [1]; used only if the scene writes `poisson`.
    pub poisson: f64,
    /// Density [kg/m³].
    pub density: f64,
    /// Fracture energy [J/m²].
    pub fracture_energy: f64,
    /// Damping ratio [1].
    pub damping: f64,
    /// Coefficients of static and dynamic friction [1].
    pub friction: (f64, f64),
    /// Coefficient of restitution [1].
    pub restitution: f64,
    /// Where the figures come from.
    pub source: &'static str,
}

impl NamedMaterial {
    /// The material for a model, with Poisson's ratio 1/4.
    pub fn material(&self) -> Material {
        Material {
            name: self.name.into(),
            young: self.young,
            poisson: 0.25,
            density: self.density,
            fracture: Fracture::Energy(self.fracture_energy),
            damping: self.damping,
            static_friction: self.friction.0,
            dynamic_friction: self.friction.1,
            restitution: self.restitution,
            resistance: Resistance::default(),
            friction_combine: None,
            restitution_combine: None,
        }
    }
}

type Constants = (f64, f64, f64, f64, f64, (f64, f64), f64);

const fn of(name: &'static str, c: Constants, source: &'static str) -> NamedMaterial {
    let (young, poisson, density, fracture_energy, damping, friction, restitution) = c;
    NamedMaterial { name, young, poisson, density, fracture_energy, damping, friction, restitution, source }
}

/// The library, sorted by name.
pub static MATERIALS: [NamedMaterial; 20] = [
    of("abs", (2.3e9, 0.35, 1050.0, 4000.0, 0.02, (0.45, 0.35), 0.6), "handbook values for ABS; K_Ic 3 MPa√m"),
    of(
        "aluminium",
        (70e9, 0.33, 2700.0, 10e3, 0.002, (0.6, 0.45), 0.6),
        "handbook values for wrought alloy; K_Ic 26 MPa√m",
    ),
    of("bone", (17e9, 0.3, 1900.0, 1000.0, 0.02, (0.4, 0.3), 0.4), "cortical bone along its axis; K_Ic about 4 MPa√m"),
    of(
        "concrete",
        (30e9, 0.2, 2400.0, 100.0, 0.02, (0.7, 0.6), 0.3),
        "structural concrete; G_F about 100 J/m² (fib Model Code)",
    ),
    of("copper", (120e9, 0.34, 8960.0, 20e3, 0.002, (0.5, 0.4), 0.5), "handbook values; K_Ic about 50 MPa√m"),
    of(
        "flesh",
        (50e3, 0.45, 1060.0, 500.0, 0.15, (0.6, 0.5), 0.2),
        "muscle across its fibres, small strain; toughness of soft tissue, order of magnitude",
    ),
    of("foam", (100e3, 0.1, 30.0, 100.0, 0.15, (0.7, 0.6), 0.4), "flexible polyurethane foam"),
    of(
        "gel",
        (100e3, 0.45, 1000.0, 200.0, 0.08, (0.7, 0.6), 0.5),
        "soft silicone gel; tearing energy of soft silicones",
    ),
    of("glass", (70e9, 0.22, 2500.0, 8.0, 0.002, (0.9, 0.4), 0.7), "soda-lime glass; K_Ic 0.75 MPa√m"),
    of("granite", (50e9, 0.25, 2700.0, 80.0, 0.01, (0.7, 0.6), 0.4), "handbook values; K_Ic about 2 MPa√m"),
    of("ice", (9e9, 0.33, 917.0, 1.5, 0.01, (0.1, 0.03), 0.3), "polycrystalline ice at −10 °C; K_Ic 0.12 MPa√m"),
    of(
        "lead",
        (16e9, 0.44, 11340.0, 10e3, 0.02, (0.9, 0.7), 0.15),
        "handbook values; fracture energy of a ductile metal, order of magnitude",
    ),
    of("nylon", (2.8e9, 0.39, 1140.0, 3000.0, 0.02, (0.3, 0.25), 0.7), "dry polyamide 6; K_Ic 3 MPa√m"),
    of(
        "oak",
        (11e9, 0.35, 700.0, 400.0, 0.01, (0.55, 0.4), 0.5),
        "along the grain; crack across the grain by splitting, G_Ic of hardwoods",
    ),
    of("pine", (9e9, 0.35, 500.0, 250.0, 0.01, (0.5, 0.35), 0.5), "along the grain; G_Ic of softwoods"),
    of(
        "polyethylene",
        (1e9, 0.42, 950.0, 5000.0, 0.03, (0.2, 0.15), 0.6),
        "high-density polyethylene; K_Ic about 2.2 MPa√m",
    ),
    of(
        "rubber",
        (2e6, 0.49, 1100.0, 10e3, 0.04, (1.0, 0.8), 0.75),
        "filled natural rubber, small strain; tearing energy 10 kJ/m²",
    ),
    of("steel", (210e9, 0.3, 7850.0, 12e3, 0.002, (0.7, 0.55), 0.6), "structural steel; K_Ic 50 MPa√m"),
    of("titanium", (114e9, 0.34, 4430.0, 45e3, 0.002, (0.4, 0.35), 0.6), "Ti-6Al-4V; K_Ic 72 MPa√m"),
    of("wood", (10e9, 0.35, 600.0, 300.0, 0.01, (0.5, 0.35), 0.5), "between oak and pine"),
];

/// Names that mean another material.
const SYNONYMS: [(&str, &str); 7] = [
    ("aluminum", "aluminium"),
    ("jelly", "gel"),
    ("plastic", "abs"),
    ("stone", "granite"),
    ("tissue", "flesh"),
    ("iron", "steel"),
    ("muscle", "flesh"),
];

/// The material with this name.
pub fn named(name: &str) -> Option<&'static NamedMaterial> {
    let name = SYNONYMS.iter().find(|(other, _)| *other == name).map_or(name, |(_, ours)| ours);
    MATERIALS.iter().find(|m| m.name == name)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_sorted_and_physical() {
        assert!(MATERIALS.windows(2).all(|w| w[0].name < w[1].name));
        for m in &MATERIALS {
            assert!(m.young > 1e4 && m.young < 1e12 && m.density > 10.0 && m.density < 23e3, "{}", m.name);
            assert!(m.friction.0 >= m.friction.1 && m.restitution <= 1.0 && m.poisson < 0.5, "{}", m.name);
        }
    }

    #[test]
    fn the_speed_of_sound_in_a_steel_rod_is_that_of_the_handbook() {
        let steel = named("steel").unwrap();
        let c = (steel.young / steel.density).sqrt();
        assert!((c - 5170.0).abs() < 30.0, "{c} m/s");
        assert_eq!(named("stone").unwrap().name, "granite");
    }
}
