//! Springs of a box cell that make exactly isotropic matter: 12 edges and 12 face diagonals, weighted per cell.
//!
//! Affine strain of central springs gives `C_ijkl = (1/V) Σ k l² n_i n_j n_k n_l`, the sum over the springs of one
//! cell `a_x × a_y × a_z` of volume `V`: one edge per axis (12 shared by four) and two diagonals per plane (12 shared
//! by two). Isotropy with Cauchy's symmetry, `C_xxxx = 3μ`, `C_xxyy = C_xyxy = μ`, fixes all constants:
//!
//! - `C_xyxy = (2/V) k_xy a_x² a_y² / (a_x² + a_y²) = μ`  ⇒  `k_xy = μ V (a_x² + a_y²) / (2 a_x² a_y²)`
//! - `C_xxxx = (1/V) k_x a_x² + μ a_x²/a_y² + μ a_x²/a_z² = 3μ`  ⇒  `k_x = μ V (3/a_x² − 1/a_y² − 1/a_z²)`
//!
//! A cube gives `k = μ a` for both. With Poisson's ratio 1/4, `μ = λ = 0.4 E` and nothing is missing; else the springs
//! set `μ = E / 2(1 + ν)` and a volume term per cell adds `λ − μ`.

use crate::discretize::DiscretizeError;
use crate::discretize::constants::critical_strain;
use crate::discretize::grid::Grid;
use crate::model::{ConnectionClass, Connections, Material};
use glamx::DVec3;
use std::f64::consts::PI;

/// Lamé's second constant `μ = E / 2(1 + ν)` [Pa].
pub(super) fn shear_modulus(material: &Material) -> f64 {
    material.young / (2.0 * (1.0 + material.poisson))
}

/// What the springs leave to the volume term: `kv = λ − μ = E (4ν − 1) / (2 (1 + ν)(1 − 2ν))` [Pa].
pub(super) fn volume_modulus(material: &Material) -> f64 {
    let nu = material.poisson;
    material.young * (4.0 * nu - 1.0) / (2.0 * (1.0 + nu) * (1.0 - 2.0 * nu))
}

/// Constants of a whole edge along `axis` [N/m]: `k_x = μ V (3/a_x² − 1/a_y² − 1/a_z²)`.
fn edge_stiffness(mu: f64, a: [f64; 3], axis: usize) -> f64 {
    let volume = a[0] * a[1] * a[2];
    let inverse_squares: f64 = a.iter().map(|a| 1.0 / (a * a)).sum();
    mu * volume * (4.0 / (a[axis] * a[axis]) - inverse_squares)
}

/// Constants of a whole face diagonal in the plane of two axes [N/m]: `k_xy = μ V (a_x² + a_y²) / (2 a_x² a_y²)`.
fn diagonal_stiffness(mu: f64, a: [f64; 3], first: usize, second: usize) -> f64 {
    let (p, q) = (a[first] * a[first], a[second] * a[second]);
    mu * a[0] * a[1] * a[2] * (p + q) / (2.0 * p * q)
}

/// The axis whose edges would be the least stiff, and that stiffness [N/m].
pub(super) fn weakest_edge(mu: f64, sides: [f64; 3]) -> (usize, f64) {
    let stiffness = |axis: usize| (axis, edge_stiffness(mu, sides, axis));
    let weaker = |a: (usize, f64), b: (usize, f64)| if b.1 < a.1 { b } else { a };
    weaker(weaker(stiffness(0), stiffness(1)), stiffness(2))
}

/// The nine directions a spring can have, one of each opposite pair: three edges, six face diagonals.
pub(super) const DIRECTIONS: [[i32; 3]; 9] =
    [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, -1, 0], [1, 0, 1], [1, 0, -1], [0, 1, 1], [0, 1, -1]];

/// All springs of a box, direction by direction, ascending by their first element.
pub(super) fn springs(grid: &Grid, size: DVec3, material: &Material) -> Result<Connections, DiscretizeError> {
    let whole = WholeSprings::new(grid.sides, grid.cells[grid.order[2]], size, material)?;
    let mut connections = Connections::default();
    for direction in DIRECTIONS {
        add_direction(grid, direction, whole.constants(direction), &mut connections);
    }
    Ok(connections)
}

/// `β = c/k = 2 ζ/ω₁` [s] with `ω₁ = π √(E/ρ) / L`, the slowest longitudinal vibration of a free rod.
fn delay(material: &Material, size: DVec3) -> f64 {
    let slowest = PI * (material.young / material.density).sqrt() / size.max_element();
    2.0 * material.damping / slowest
}

/// Critical strain; a crack across a cube's face breaks an edge and four diagonals: `G_c = 4.5 k s_c² = 4.5 μ a s_c²`,
/// that is `s_c = √(G_c / 1.8 E a)` with `ν = 1/4`; a cell that is not a cube counts as the cube of its volume.
fn strain(sides: [f64; 3], mu: f64, material: &Material) -> f64 {
    let a = (sides[0] * sides[1] * sides[2]).cbrt();
    critical_strain(material, 4.5 * mu * a)
}

/// What all springs of one material in a lattice have in common.
pub(super) struct WholeSprings {
    mu: f64,
    sides: [f64; 3],
    delay: f64,
    strain: f64,
}

impl WholeSprings {
    /// Springs of a material in cells of the given sides [m]; `cells` of them lie across the thinnest side of a body of the
    /// given size [m].
    pub fn new(sides: [f64; 3], cells: u32, size: DVec3, material: &Material) -> Result<Self, DiscretizeError> {
        let mu = shear_modulus(material);
        let (axis, stiffness) = weakest_edge(mu, sides);
        if !(stiffness > 0.0 && stiffness.is_finite()) {
            return Err(DiscretizeError::FlatCells { sides: DVec3::from(sides), axis, stiffness, cells });
        }
        Ok(Self { mu, sides, delay: delay(material, size), strain: strain(sides, mu, material) })
    }

    /// Constants of a spring inside the body, shared by as many cells as can be.
    pub fn constants(&self, direction: [i32; 3]) -> ConnectionClass {
        let offset = DVec3::from(std::array::from_fn(|axis| f64::from(direction[axis]) * self.sides[axis]));
        let along: Vec<usize> = (0..3).filter(|&axis| direction[axis] != 0).collect();
        let stiffness = match along[..] {
            [first, second] => diagonal_stiffness(self.mu, self.sides, first, second),
            _ => edge_stiffness(self.mu, self.sides, along[0]),
        };
        let rest_length = offset.length();
        let break_length = rest_length * (1.0 + self.strain);
        ConnectionClass { stiffness, rest_length, damping: self.delay * stiffness, break_length }
    }
}

/// Adds the springs of one direction. Each cell beside a spring gives a quarter of an edge, half of a diagonal.
fn add_direction(grid: &Grid, direction: [i32; 3], whole: ConnectionClass, connections: &mut Connections) {
    let step: i64 = (0..3).map(|axis| i64::from(direction[axis]) * i64::from(grid.strides[axis])).sum();
    let upwards = if step < 0 { direction.map(|d| -d) } else { direction };
    for p in grid.corners() {
        let Some(end) = grid.neighbour(p, upwards) else { continue };
        let across = (0..3).filter(|&axis| direction[axis] == 0);
        let share: f64 = across.map(|axis| 0.5 * f64::from(grid.cells_beside(p, axis))).product();
        let stiffness = share * whole.stiffness;
        let class = ConnectionClass { stiffness, damping: share * whole.damping, ..whole };
        connections.ends.push([grid.index(p), end]);
        connections.class.push(class_number(&mut connections.classes, class));
    }
}

/// Number of a class; a box has fifteen at most, a cube five.
fn class_number(classes: &mut Vec<ConnectionClass>, class: ConnectionClass) -> u32 {
    let known = classes.iter().position(|c| *c == class);
    known.unwrap_or_else(|| {
        classes.push(class);
        classes.len() - 1
    }) as u32
}

#[cfg(test)]
mod tests {
    use crate::discretize::box_lattice;
    use crate::model::Material;
    use glamx::DVec3;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    /// `C_ijij` summed over all springs of a box, surface included: `Σ k l² n_i² n_j² / V`.
    fn stiffness(size: DVec3, cells: u32, material: &Material) -> Option<[[f64; 3]; 3]> {
        let matter = box_lattice(size, cells, material).ok()?;
        let mut c = [[0.0; 3]; 3];
        for (number, ends) in matter.connections.ends.iter().enumerate() {
            let spring = matter.connections.constants(number);
            let [a, b] = ends.map(|e| matter.positions.get(e as usize));
            let n = ((a - b) / spring.rest_length).to_array();
            let weight = spring.stiffness * spring.rest_length.powi(2) / (size.x * size.y * size.z);
            (0..9).for_each(|ij| c[ij / 3][ij % 3] += weight * (n[ij / 3] * n[ij % 3]).powi(2));
        }
        Some(c)
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 100, failure_persistence: None, rng_seed: RngSeed::Fixed(18), ..ProptestConfig::default()
        })]
        #[test]
        fn springs_of_any_box_are_isotropic_or_refused(
            x in 0.5..2.0_f64, y in 0.5..2.0_f64, z in 0.5..2.0_f64, cells in 1..5_u32, poisson in -0.2..0.49_f64,
        ) {
            let material = Material { poisson, ..Material::default() };
            let mu = material.young / (2.0 * (1.0 + poisson));
            let Some(c) = stiffness(DVec3::new(x, y, z), cells, &material) else {
                prop_assert!(cells <= 2, "only thin bodies can be too flat");
                return Ok(());
            };
            for (i, j) in (0..9).map(|ij| (ij / 3, ij % 3)) {
                let expected = if i == j { 3.0 * mu } else { mu };
                prop_assert!((c[i][j] / expected - 1.0).abs() < 1e-10, "C{i}{j} = {} μ", c[i][j] / mu);
            }
        }
    }
}
