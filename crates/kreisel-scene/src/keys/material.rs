//! Keys of materials.

use super::Kind::{Flag, Number, OneOf, Table, Text, Word};
use super::Limits::{NotNegative, Positive, Within};
use super::scene::COMBINATIONS;
use super::{Kind, REQUIRED, Section, field};
use crate::units::quantity::{DENSITY, LENGTH, NUMBER, PRESSURE, SURFACE_ENERGY};

/// Friction coefficients.
pub(super) const FRICTION_KIND: Kind = OneOf(&[Number(&NUMBER, Within(0.0, 10.0)), Table(&FRICTION)]);

/// A material.
pub static MATERIAL: Section = Section {
    name: "material",
    title: "[material.NAME]",
    doc: "A material by its engineering constants; what is not written comes from the material it is `like`. Spring \
          constants are derived from these. Named materials have a Poisson's ratio of 1/4 unless `poisson` is written, \
          because 1/4 is what central springs give by themselves and anything else costs time.",
    fields: &[
        field(
            "like",
            Text,
            "the library's of the same name, or a soft rubber",
            "The material it resembles.",
            "like = \"gel\"",
        ),
        field("young", Number(&PRESSURE, Positive), "of `like`", "Young's modulus.", "young = \"200 kPa\""),
        field("poisson", Number(&NUMBER, Within(0.0, 0.499)), "0.25", "Poisson's ratio.", "poisson = 0.45"),
        field("density", Number(&DENSITY, Positive), "of `like`", "Density.", "density = \"1050 kg/m3\""),
        field(
            "fracture_energy",
            Number(&SURFACE_ENERGY, Positive),
            "of `like`",
            "Work per area of crack: fracture that does not depend on the resolution.",
            "fracture_energy = \"200 J/m2\"",
        ),
        field(
            "strength",
            Number(&PRESSURE, Positive),
            "none",
            "Tensile strength along a lattice axis; instead of `fracture_energy`.",
            "strength = \"40 MPa\"",
        ),
        field(
            "fracture_strain",
            Number(&NUMBER, Positive),
            "none",
            "Strain at which a connection breaks; instead of `fracture_energy`.",
            "fracture_strain = 0.05",
        ),
        field("breaks", Flag, "true", "False: it never breaks.", "breaks = false"),
        field(
            "damping",
            Number(&NUMBER, Within(0.0, 10.0)),
            "of `like`",
            "Damping ratio of the slowest longitudinal vibration.",
            "damping = 0.02",
        ),
        field("friction", FRICTION_KIND, "of `like`", "Both friction coefficients.", "friction = 0.4"),
        field(
            "static_friction",
            Number(&NUMBER, Within(0.0, 10.0)),
            "of `like`",
            "Coefficient of static friction.",
            "static_friction = 0.5",
        ),
        field(
            "dynamic_friction",
            Number(&NUMBER, Within(0.0, 10.0)),
            "of `like`",
            "Coefficient of dynamic friction.",
            "dynamic_friction = 0.4",
        ),
        field(
            "restitution",
            Number(&NUMBER, Within(0.0, 1.0)),
            "of `like`",
            "Coefficient of restitution.",
            "restitution = 0.6",
        ),
        field(
            "friction_combine",
            Word(COMBINATIONS),
            "as the scene's `contact.friction`",
            "How its friction combines with that of another material. Where the two differ, average goes before minimum, \
             maximum and multiply, in this order, as in glTF; an obstacle combines as what touches it.",
            "friction_combine = \"minimum\"",
        ),
        field(
            "restitution_combine",
            Word(COMBINATIONS),
            "as the scene's `contact.restitution`",
            "How its restitution combines, likewise.",
            "restitution_combine = \"maximum\"",
        ),
        field(
            "rolling_friction",
            Number(&LENGTH, NotNegative),
            "of `like`",
            "Torque over push at most that resists rolling of exact bodies; of two that touch, the larger counts.",
            "rolling_friction = \"1 mm\"",
        ),
        field(
            "torsional_friction",
            Number(&LENGTH, NotNegative),
            "of `like`",
            "Torque over push at most that resists spinning of exact bodies about the contact's normal; where they touch with a `contact_radius`, that counts instead.",
            "torsional_friction = \"0.5 mm\"",
        ),
        field(
            "contact_radius",
            Number(&LENGTH, NotNegative),
            "of `like`",
            "Radius of the contact patch: slip and spin of exact bodies share one friction cone (Coulomb–Contensou).",
            "contact_radius = \"1 mm\"",
        ),
    ],
};

/// Friction coefficients.
pub static FRICTION: Section = Section {
    name: "friction",
    title: "friction",
    doc: "Static and dynamic friction apart; a single number means both. The dynamic one cannot be the larger.",
    fields: &[
        field(
            "static",
            Number(&NUMBER, Within(0.0, 10.0)),
            REQUIRED,
            "Coefficient of static friction.",
            "friction = { static = 0.5, dynamic = 0.4 }",
        ),
        field(
            "dynamic",
            Number(&NUMBER, Within(0.0, 10.0)),
            "as `static`",
            "Coefficient of dynamic friction.",
            "friction = { static = 0.5, dynamic = 0.4 }",
        ),
    ],
};
