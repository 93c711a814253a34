//! What two materials make of a contact: stiffness in series, friction and restitution combined, damping from restitution.

use crate::contact::bearable::ease;
use crate::model::setup::Combine;
use crate::model::{Material, Model};

/// Coefficients of a pair of materials, or of a material and an obstacle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Coefficients {
    /// Static friction `μ_s` [1].
    pub static_friction: f64,
    /// Dynamic friction `μ_d` [1].
    pub dynamic_friction: f64,
    /// Damping ratio `ζ` [1] that gives the wanted restitution, at most [`LARGEST_RATIO`].
    pub damping_ratio: f64,
    /// Restitution `e` [1].
    pub restitution: f64,
}

impl Coefficients {
    /// True if there is friction.
    pub fn rubs(&self) -> bool {
        self.static_friction.max(self.dynamic_friction) > 0.0
    }
}

/// The strongest contact damper: `e(z) → 1/4z²` for large `z`, here 0.0025, which is as good as none. Beyond critical
/// damping (`e(1) = 0.135`) the damper looks ahead, so that it costs no step size.
pub const LARGEST_RATIO: f64 = 10.0;

/// Tangential over normal contact stiffness, `2(1 − ν)/(2 − ν)` at ν = 1/4 [Min49].
pub const TANGENTIAL_SHARE: f64 = 6.0 / 7.0;

/// A sticking contact must come to rest: its tangential spring has at least this damping ratio.
pub const TANGENTIAL_DAMPING: f64 = 0.2;

/// Coefficients of every pair, looked up by number, and how stiff the elements are in contact.
#[derive(Clone, Debug, Default)]
pub struct CoefficientTable {
    materials: usize,
    pairs: Vec<Coefficients>,
    world: Vec<Coefficients>,
    /// The part of its stiffness that each element keeps [1]; empty: all.
    ease: Vec<f64>,
}

impl CoefficientTable {
    /// Combines all pairs of the model's materials and obstacles.
    pub fn new(model: &Model) -> Self {
        let m = &model.materials;
        let pairs = m.iter().flat_map(|a| m.iter().map(move |b| combine(model, a, b))).collect();
        let world = model.obstacles.iter().flat_map(|o| {
            m.iter().map(move |a| {
                let (s, d) = o.friction.unwrap_or((a.static_friction, a.dynamic_friction));
                let e = o.restitution.unwrap_or(a.restitution);
                let b = Material { static_friction: s, dynamic_friction: d, restitution: e, ..a.clone() };
                combine(model, a, &b)
            })
        });
        Self { materials: m.len(), pairs, world: world.collect(), ease: ease(model) }
    }

    /// The largest damping ratio along normals.
    pub fn largest_ratio(&self) -> f64 {
        self.pairs.iter().chain(&self.world).map(|c| c.damping_ratio).fold(0.0, f64::max)
    }

    /// Of two materials.
    pub fn pair(&self, a: u16, b: u16) -> Coefficients {
        self.pairs[a as usize * self.materials + b as usize]
    }

    /// Of a material and an obstacle.
    pub fn world(&self, obstacle: u16, material: u16) -> Coefficients {
        self.world[obstacle as usize * self.materials + material as usize]
    }

    /// What element `i` brings to a contact [N/m]: in solids no more than the elements that bear it can take.
    pub fn element_stiffness(&self, model: &Model, i: usize) -> f64 {
        whole_stiffness(model, i) * self.ease.get(i).copied().unwrap_or(1.0)
    }

    /// Stiffness of the contact of two spheres [N/m]: the sides in series.
    ///
    /// The spheres of a body one cell thick lie in one place in groups, and each touches a whole group of the other body:
    /// each pair takes its share of one.
    pub fn sphere_stiffness(&self, model: &Model, i: u32, j: u32) -> f64 {
        let k = in_series(self.element_stiffness(model, i as usize), self.element_stiffness(model, j as usize));
        k / coincident(model, i).max(coincident(model, j))
    }

    /// Stiffness of the contact of a sphere with the skin of another body [N/m], and the share that it is of the whole.
    ///
    /// Skins bear `κ` per area, in series with the element over the area `s a²` that it stands for. Both bodies have spheres
    /// and skins, so each way takes its part of the whole: half in bodies of equal cells, else more for the finer one, whose
    /// spheres see more, `a_q²/(a_i² + a_q²)`; then no element has to take more than suits its own size.
    pub fn skin_stiffness(&self, model: &Model, i: u32, bearing: f64, cell: f64) -> (f64, f64) {
        let own = self.element_stiffness(model, i as usize);
        let a = 2.0 * model.elements.radius[i as usize];
        let young = model.materials[model.elements.material[i as usize].0 as usize].young;
        // `s a²` from `2 E a s`.
        let area = if young > 0.0 { whole_stiffness(model, i as usize) * a / (2.0 * young) } else { 0.0 };
        let share = cell * cell / (a * a + cell * cell);
        (share * in_series(own, bearing * area) / coincident(model, i), share)
    }
}

/// Each material combines as it says, or as the scene does where it says nothing; of two rules the one that goes first holds.
/// An obstacle has no material: it combines as what touches it.
fn combine(model: &Model, a: &Material, b: &Material) -> Coefficients {
    let rule = |a: Option<Combine>, b: Option<Combine>, scene: Combine| a.unwrap_or(scene).min(b.unwrap_or(scene));
    let f = rule(a.friction_combine, b.friction_combine, model.contact.friction);
    let r = rule(a.restitution_combine, b.restitution_combine, model.contact.restitution);
    let restitution = combined(r, a.restitution, b.restitution);
    Coefficients {
        static_friction: combined(f, a.static_friction, b.static_friction),
        dynamic_friction: combined(f, a.dynamic_friction, b.dynamic_friction),
        damping_ratio: damping_ratio(restitution),
        restitution,
    }
}

fn combined(rule: Combine, a: f64, b: f64) -> f64 {
    match rule {
        Combine::Average => 0.5 * (a + b),
        Combine::Minimum => a.min(b),
        Combine::Maximum => a.max(b),
        Combine::Multiply => a * b,
    }
}

/// Stiffness [N/m] that one side of a contact has: half a cell of size `a = 2r` with the share `s = min(1, 2m/(ρa³))` that
/// a boundary element holds of it, `2 E a s`. Two sides act in series.
pub fn side_stiffness(material: &Material, mass: f64, radius: f64) -> f64 {
    let a = 2.0 * radius;
    let share = (2.0 * mass / (material.density * a * a * a)).min(1.0);
    2.0 * material.young * a * share
}

/// What element `i` would bring to a contact [N/m] if those below it could bear any. Elements at the surface of a solid that hold less than half a cell bring
/// less than in proportion, the share once more: those below them, on which their spheres ride, bear the push.
pub fn whole_stiffness(model: &Model, i: usize) -> f64 {
    let e = &model.elements;
    let material = &model.materials[e.material[i].0 as usize];
    match model.bodies[e.body[i].0 as usize].cell_side {
        Some(a) => {
            let share = 2.0 * e.mass[i] / (material.density * a * a * a);
            side_stiffness(material, e.mass[i], 0.5 * a) * share.min(1.0)
        }
        None => side_stiffness(material, e.mass[i], e.radius[i]),
    }
}

/// How many spheres of the body of element `i` lie in one place.
fn coincident(model: &Model, i: u32) -> f64 {
    f64::from(model.bodies[model.elements.body[i as usize].0 as usize].coincident_spheres)
}

/// Two stiffnesses in series [N/m].
pub fn in_series(k1: f64, k2: f64) -> f64 {
    if k1 + k2 > 0.0 { k1 * k2 / (k1 + k2) } else { 0.0 }
}

/// Restitution of a spring and damper that never pull, with damping ratio `z` [SP07]:
/// `e = exp(−z/s (π − atan2(2zs, 1 − 2z²)))`, `s = √(1 − z²)`, for `z < 1`, and
/// `e = exp(−z/s ln((z + s)/(z − s)))`, `s = √(z² − 1)`, for `z > 1`.
pub fn restitution_of(z: f64) -> f64 {
    let s = (1.0 - z * z).abs().sqrt();
    if s < 1e-6 {
        return (-2.0f64).exp();
    }
    let angle =
        if z < 1.0 { std::f64::consts::PI - (2.0 * z * s).atan2(1.0 - 2.0 * z * z) } else { 2.0 * (z + s).ln() };
    (-(z / s) * angle).exp()
}

/// The damping ratio that gives restitution `e`, by bisection; at most [`LARGEST_RATIO`].
pub fn damping_ratio(e: f64) -> f64 {
    if e >= 1.0 {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, LARGEST_RATIO);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if restitution_of(middle) > e { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Integrates `m x″ = −max(0, k x + c x′)` of a ball that arrives with speed 1, with fine steps.
    fn simulated_restitution(z: f64) -> f64 {
        let (mut x, mut v, h) = (0.0, 1.0, 1e-5);
        loop {
            v -= h * f64::max(0.0, x + 2.0 * z * v);
            x += h * v;
            if x < 0.0 || (v < 0.0 && x + 2.0 * z * v <= 0.0) {
                return -v;
            }
        }
    }

    #[test]
    fn the_closed_form_of_restitution_is_that_of_the_clipped_damper() {
        for z in [0.0, 0.05, 0.3, 0.6, 0.9, 1.0, 1.5, 4.0] {
            let error = (simulated_restitution(z) - restitution_of(z)).abs();
            assert!(error < 1e-4, "z = {z}: error {error}");
        }
    }

    #[test]
    fn the_damping_ratio_inverts_the_restitution() {
        for e in [0.999, 0.8, 0.5, 0.2, 0.1, 0.01] {
            assert!((restitution_of(damping_ratio(e)) - e).abs() < 1e-12);
        }
        assert_eq!(damping_ratio(1.0), 0.0);
        assert!(damping_ratio(0.0) <= LARGEST_RATIO);
    }

    #[test]
    fn of_two_rules_average_goes_before_minimum_maximum_and_multiply_and_the_scene_speaks_for_who_says_nothing() {
        let rules = [Combine::Average, Combine::Minimum, Combine::Maximum, Combine::Multiply];
        let of = |rule: Option<Combine>, mu: f64, e: f64| Material {
            static_friction: mu,
            dynamic_friction: 0.5 * mu,
            restitution: e,
            friction_combine: rule,
            restitution_combine: rule.map(|r| rules[3 - r as usize]),
            ..Material::default()
        };
        let by = |rule: Combine, a: f64, b: f64| match rule {
            Combine::Average => 0.5 * (a + b),
            Combine::Minimum => a.min(b),
            Combine::Maximum => a.max(b),
            Combine::Multiply => a * b,
        };
        let mut model = Model::default();
        for scene in rules {
            (model.contact.friction, model.contact.restitution) = (scene, scene);
            for first in [None].into_iter().chain(rules.map(Some)) {
                for second in [None].into_iter().chain(rules.map(Some)) {
                    let c = combine(&model, &of(first, 0.4, 0.9), &of(second, 1.5, 0.2));
                    let friction = first.unwrap_or(scene).min(second.unwrap_or(scene));
                    let turned = |r: Option<Combine>| r.map_or(scene, |r| rules[3 - r as usize]);
                    let restitution = turned(first).min(turned(second));
                    assert_eq!(c.static_friction, by(friction, 0.4, 1.5), "{first:?} with {second:?} in {scene:?}");
                    assert_eq!(c.dynamic_friction, by(friction, 0.2, 0.75), "{first:?} with {second:?} in {scene:?}");
                    assert_eq!(c.restitution, by(restitution, 0.9, 0.2), "{first:?} with {second:?} in {scene:?}");
                }
            }
        }
        assert!(rules.is_sorted(), "the order that glTF asks for");
    }

    #[test]
    fn face_edge_and_corner_of_a_lattice_have_1_one_half_and_one_quarter_of_a_cell() {
        let m = Material::default();
        let a: f64 = 0.1;
        let cell = m.density * a.powi(3);
        for (share_of_cell, expected) in [(0.5, 1.0), (0.25, 0.5), (0.125, 0.25)] {
            let k = side_stiffness(&m, share_of_cell * cell, 0.5 * a);
            assert!((k - expected * 2.0 * m.young * a).abs() < 1e-6 * k);
        }
    }
}
