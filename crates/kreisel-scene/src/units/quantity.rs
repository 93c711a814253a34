//! Kinds of physical quantities: dimension, SI unit and an example of each.

/// Exponents of metre, kilogram, second and radian.
///
/// The angle is kept apart although SI calls it a pure number, so that `"30 deg"` is refused as a friction coefficient
/// and `"60 Hz"` (turns? radians?) as an angular velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dimension(pub [i8; 4]);

impl Dimension {
    /// The dimension of a product of `self` and the `power`-th power of `other`; `None` beyond any sensible exponent.
    pub fn times(self, other: Self, power: i8) -> Option<Self> {
        let mut product = [0; 4];
        for (i, p) in product.iter_mut().enumerate() {
            *p = other.0[i].checked_mul(power)?.checked_add(self.0[i])?;
        }
        Some(Self(product))
    }
}

/// A kind of quantity.
#[derive(Debug, PartialEq, Eq)]
pub struct Quantity {
    /// What it is called.
    pub name: &'static str,
    /// With its article.
    pub article: &'static str,
    /// Its unit in SI, as it is written.
    pub unit: &'static str,
    /// How one may be written.
    pub example: &'static str,
    /// Its dimension.
    pub dimension: Dimension,
}

const fn kind(
    (article, name): (&'static str, &'static str),
    unit: &'static str,
    example: &'static str,
    exponents: [i8; 4],
) -> Quantity {
    Quantity { name, article, unit, example, dimension: Dimension(exponents) }
}

/// A pure number.
pub static NUMBER: Quantity = kind(("a", "number"), "1", "0.3", [0, 0, 0, 0]);
/// A length [m].
pub static LENGTH: Quantity = kind(("a", "length"), "m", "2 cm", [1, 0, 0, 0]);
/// An area [m²].
pub static AREA: Quantity = kind(("an", "area"), "m2", "3 mm^2", [2, 0, 0, 0]);
/// A time [s].
pub static TIME: Quantity = kind(("a", "time"), "s", "1.5 s", [0, 0, 1, 0]);
/// A mass [kg].
pub static MASS: Quantity = kind(("a", "mass"), "kg", "250 g", [0, 1, 0, 0]);
/// An angle [rad].
pub static ANGLE: Quantity = kind(("an", "angle"), "rad", "30 deg", [0, 0, 0, 1]);
/// A velocity [m/s].
pub static VELOCITY: Quantity = kind(("a", "velocity"), "m/s", "36 km/h", [1, 0, -1, 0]);
/// An acceleration [m/s²].
pub static ACCELERATION: Quantity = kind(("an", "acceleration"), "m/s2", "9.81 m/s^2", [1, 0, -2, 0]);
/// An angular velocity [rad/s].
pub static SPIN: Quantity = kind(("an", "angular velocity"), "rad/s", "60 rpm", [0, 0, -1, 1]);
/// A rate or frequency [1/s].
pub static RATE: Quantity = kind(("a", "rate"), "1/s", "60 Hz", [0, 0, -1, 0]);
/// A force [N].
pub static FORCE: Quantity = kind(("a", "force"), "N", "5 kN", [1, 1, -2, 0]);
/// A pressure, stress or modulus [Pa].
pub static PRESSURE: Quantity = kind(("a", "pressure"), "Pa", "210 GPa", [-1, 1, -2, 0]);
/// A density [kg/m³].
pub static DENSITY: Quantity = kind(("a", "density"), "kg/m3", "7850 kg/m3", [-3, 1, 0, 0]);
/// An energy per area [J/m²]; a stiffness [N/m] has the same dimension.
pub static SURFACE_ENERGY: Quantity = kind(("an", "energy per area"), "J/m2", "100 J/m2", [0, 1, -2, 0]);
/// A stiffness [N/m].
pub static STIFFNESS: Quantity = kind(("a", "stiffness"), "N/m", "2 kN/m", [0, 1, -2, 0]);
/// A damping constant [N s/m].
pub static DAMPING: Quantity = kind(("a", "damping constant"), "N s/m", "5 N s/m", [0, 1, -1, 0]);
/// A moment of inertia [kg m²].
pub static INERTIA: Quantity = kind(("a", "moment of inertia"), "kg m2", "0.02 kg m2", [2, 1, 0, 0]);
/// An energy [J]; only to name what was found.
static ENERGY: Quantity = kind(("an", "energy"), "J", "3 J", [2, 1, -2, 0]);
/// A volume [m³]; only to name what was found.
static VOLUME: Quantity = kind(("a", "volume"), "m3", "2 l", [3, 0, 0, 0]);
/// A power [W]; only to name what was found.
static POWER: Quantity = kind(("a", "power"), "W", "1 kW", [2, 1, -3, 0]);

/// Every kind of quantity that has a name.
pub static QUANTITIES: [&Quantity; 20] = [
    &NUMBER,
    &LENGTH,
    &AREA,
    &TIME,
    &MASS,
    &ANGLE,
    &VELOCITY,
    &ACCELERATION,
    &SPIN,
    &RATE,
    &FORCE,
    &PRESSURE,
    &DENSITY,
    &SURFACE_ENERGY,
    &STIFFNESS,
    &DAMPING,
    &INERTIA,
    &ENERGY,
    &VOLUME,
    &POWER,
];
