//! The volume term of a cell, `U = ½ kv V₀ (J − 1)²`: what central springs lack when Poisson's ratio is not 1/4.
//!
//! `J = det F̄`, `F̄ = Σ_a x_a ⊗ g_a` the mean deformation gradient of the cell over its eight corners, with the mean
//! gradients of the trilinear shape functions `g_a = (±1/4a_x, ±1/4a_y, ±1/4a_z)`. One point per cell is enough: the
//! modes it does not see (hourglasses) are resisted by the cell's springs, and a cell that resists volume change at
//! more points would lock in bending as Poisson's ratio nears 1/2. [after Gol20]
//!
//! With the columns `c_i` of `F̄` and `cof_i = c_j × c_k`: `J = c_i·cof_i`, `∂J/∂c_i = cof_i`, and `x_a` enters `c_i`
//! with the factor `g_a,i`. The pressure-like factor is `p = kv V₀ (J − 1)`.
//!
//! Below 1/4 `kv` is negative, and `(J − 1)²` grows with the sixth power of a stretch where springs grow with the second:
//! a body pulled to a third more would burst. There `U = ½ kv V₀ s²/(1 + s²)`, `s = J − 1`, is taken: the same constants
//! at rest, bounded from below.

use crate::linear::Vectors;
use crate::linear::chunks::map_ranges;
use crate::model::Cell;
use glamx::{DMat3, DVec3};

/// `+1` or `−1`: on which side of the cell corner `a` lies along `axis`.
fn sign(a: usize, axis: usize) -> f64 {
    if a >> axis & 1 == 1 { 1.0 } else { -1.0 }
}

/// Columns `c_i = Σ_a g_a,i x_a` of the mean gradient of a field over a cell.
fn columns(cell: &Cell, field: &Vectors) -> [DVec3; 3] {
    let x = cell.corners.map(|e| field.get(e as usize));
    // Sums and differences of the four edges along the first axis serve all three columns.
    let (s00, s10, s01, s11) = (x[0] + x[1], x[2] + x[3], x[4] + x[5], x[6] + x[7]);
    let along_x = (x[1] - x[0]) + (x[3] - x[2]) + (x[5] - x[4]) + (x[7] - x[6]);
    let along_y = (s10 - s00) + (s11 - s01);
    let along_z = (s01 + s11) - (s00 + s10);
    let scale = cell.sides.map(|a| 0.25 / a);
    [scale[0] * along_x, scale[1] * along_y, scale[2] * along_z]
}

/// `(c_y × c_z, c_z × c_x, c_x × c_y)`.
fn cofactors(c: &[DVec3; 3]) -> [DVec3; 3] {
    std::array::from_fn(|i| c[(i + 1) % 3].cross(c[(i + 2) % 3]))
}

/// Gives `−Σ_i g_a,i t_i` to every corner `a`: the force of "tractions" `t_i = ∂U/∂c_i`.
fn share_out(cell: &Cell, tractions: [DVec3; 3], mut add: impl FnMut(usize, DVec3)) {
    let t: [DVec3; 3] = std::array::from_fn(|axis| 0.25 / cell.sides[axis] * tractions[axis]);
    // Opposite corners are pulled oppositely.
    let pulls = [t[0] + t[1] + t[2], t[1] + t[2] - t[0], t[0] + t[2] - t[1], t[2] - t[0] - t[1]];
    for (a, pull) in pulls.into_iter().enumerate() {
        add(cell.corners[a] as usize, pull);
        add(cell.corners[7 - a] as usize, -pull);
    }
}

/// `kv V₀` [J].
fn scale(cell: &Cell) -> f64 {
    cell.modulus * cell.sides[0] * cell.sides[1] * cell.sides[2]
}

/// Energy `U` of a cell whose volume has changed by the factor `j` [J].
pub fn energy_at(cell: &Cell, j: f64) -> f64 {
    let s = j - 1.0;
    let bounded = if cell.modulus < 0.0 { 1.0 + s * s } else { 1.0 };
    0.5 * scale(cell) * s * s / bounded
}

/// `dU/dJ` of a cell whose volume has changed by the factor `j` [J].
pub fn slope_at(cell: &Cell, j: f64) -> f64 {
    let s = j - 1.0;
    let bounded = if cell.modulus < 0.0 { 1.0 + s * s } else { 1.0 };
    scale(cell) * s / (bounded * bounded)
}

/// `d²U/dJ²` of a cell whose volume has changed by the factor `j` [J]; nowhere larger in size than at rest.
fn curvature_at(cell: &Cell, j: f64) -> f64 {
    let s = j - 1.0;
    let b = 1.0 + s * s;
    scale(cell) * if cell.modulus < 0.0 { (1.0 - 3.0 * s * s) / (b * b * b) } else { 1.0 }
}

/// Energy of all cells [J], summed in their order.
pub fn energy(cells: &[Cell], positions: &Vectors) -> f64 {
    let of_cell = |cell: &Cell| {
        let c = columns(cell, positions);
        energy_at(cell, c[0].dot(cofactors(&c)[0]))
    };
    map_ranges(cells.len(), |range| cells[range].iter().map(of_cell).sum::<f64>()).into_iter().sum()
}

/// Adds the forces `f_a = −kv V₀ (J − 1) Σ_i g_a,i cof_i` [N], cell by cell in their order.
pub fn add_force(cells: &[Cell], positions: &Vectors, forces: &mut Vectors) {
    for cell in cells {
        push_corners(cell, positions, |e, f| forces.add(e, f));
    }
}

/// Gives the force of one cell to its corners.
pub(super) fn push_corners(cell: &Cell, positions: &Vectors, add: impl FnMut(usize, DVec3)) {
    let c = columns(cell, positions);
    let cof = cofactors(&c);
    let p = slope_at(cell, c[0].dot(cof[0]));
    share_out(cell, cof.map(|n| p * n), add);
}

/// Adds the change `df` of the forces [N] when the positions change by `dx` [m], exactly to first order.
///
/// `∂U/∂c_i` changes by `kv V₀ [dJ cof_i + (J − 1) dcof_i]`, `dJ = Σ cof_j·dc_j`, `dcof_x = dc_y × c_z + c_y × dc_z`.
/// With `semidefinite` only the first part, which never has negative curvature, is taken, and that of `kv < 0` is kept:
/// it is bounded by the springs.
pub fn add_differential(cells: &[Cell], positions: &Vectors, dx: &Vectors, semidefinite: bool, forces: &mut Vectors) {
    for cell in cells {
        let c = columns(cell, positions);
        let dc = columns(cell, dx);
        let cof = cofactors(&c);
        let j = c[0].dot(cof[0]);
        let p = if semidefinite { 0.0 } else { slope_at(cell, j) };
        let stiffness = if semidefinite { scale(cell) } else { curvature_at(cell, j) };
        let dj: f64 = (0..3).map(|i| cof[i].dot(dc[i])).sum();
        let change = |i: usize| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            stiffness * dj * cof[i] + p * (dc[j].cross(c[k]) + c[j].cross(dc[k]))
        };
        share_out(cell, [change(0), change(1), change(2)], |e, f| forces.add(e, f));
    }
}

/// Adds to each element's block the part of its cells in the exact diagonal of the stiffness, `kv V₀ b_a b_aᵀ` [N/m].
///
/// `b_a = Σ_i g_a,i cof_i`; the part with `J − 1` has no diagonal: one corner moves all columns along one line,
/// and `d²J` is a sum of their cross products.
pub fn add_diagonal(cells: &[Cell], positions: &Vectors, blocks: &mut [DMat3]) {
    for cell in cells {
        let c = columns(cell, positions);
        let factor = curvature_at(cell, c[0].dot(cofactors(&c)[0]));
        each_block(cell, positions, factor, |e, block| blocks[e] += block);
    }
}

/// Adds to each element's block `A_a` its share in the bound of the step, `4 kv V₀ b_a b_aᵀ` [N/m].
///
/// Springs are bounded by `uᵀKu ≤ 2 Σ_a u_a·A_a u_a`. A cell's curvature is `kv V₀ (Σ_a b_a·u_a)²`, by Cauchy–Schwarz at
/// most `8 kv V₀ Σ_a (b_a·u_a)²` (equal for pure dilation), so half of `8 kv V₀ b_a b_aᵀ` goes to `A_a`. With `kv < 0`
/// the curvature is negative: it lowers the frequencies and nothing need be added.
pub fn add_bound(cells: &[Cell], positions: &Vectors, blocks: &mut [DMat3]) {
    for cell in cells {
        each_bound(cell, positions, |e, block| blocks[e] += block);
    }
}

/// As [`add_bound`], the shares of the corners of one cell.
pub fn each_bound(cell: &Cell, positions: &Vectors, add: impl FnMut(usize, DMat3)) {
    each_block(cell, positions, (4.0 * scale(cell)).max(0.0), add);
}

/// The gradients `b_a` of a cell's volume ratio at its corners [1/m], and `kv V₀` [J]: its stiffness without the part that is
/// due to pressure is `kv V₀ b_a b_bᵀ`.
pub fn gradients(cell: &Cell, positions: &Vectors) -> ([DVec3; 8], f64) {
    let cof = cofactors(&columns(cell, positions));
    let at = |a: usize| (0..3).map(|axis| sign(a, axis) / (4.0 * cell.sides[axis]) * cof[axis]).sum();
    (std::array::from_fn(at), scale(cell))
}

/// Calls `add(element, factor b_a b_aᵀ)` for every corner.
fn each_block(cell: &Cell, positions: &Vectors, factor: f64, mut add: impl FnMut(usize, DMat3)) {
    let cof = cofactors(&columns(cell, positions));
    for (a, &e) in cell.corners.iter().enumerate() {
        let b: DVec3 = (0..3).map(|axis| sign(a, axis) / (4.0 * cell.sides[axis]) * cof[axis]).sum();
        add(e as usize, factor * outer(b, b));
    }
}

/// `a bᵀ`.
fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers between −1 and 1, the same in every run.
    fn noise(n: usize, seed: u64) -> Vectors {
        let mut s = seed;
        let mut next = || {
            s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (s >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let mut field = Vectors::default();
        for _ in 0..n {
            field.push(DVec3::new(next(), next(), next()));
        }
        field
    }

    /// Two cells side by side, deformed by an amount, and their rest positions.
    fn two_cells(modulus: f64) -> (Vec<Cell>, Vectors) {
        let sides = [0.5, 0.7, 0.9];
        let cell = |first: u32| Cell { corners: [0, 1, 3, 4, 6, 7, 9, 10].map(|c| c + first), sides, modulus };
        let mut rest = Vectors::default();
        for z in 0..2 {
            for y in 0..2 {
                for x in 0..3 {
                    rest.push(DVec3::from(sides) * DVec3::new(x as f64, y as f64, z as f64));
                }
            }
        }
        (vec![cell(0), cell(1)], rest)
    }

    fn moved(x: &Vectors, by: f64, along: &Vectors) -> Vectors {
        let mut y = x.clone();
        y.axpy(by, along);
        y
    }

    fn force(cells: &[Cell], x: &Vectors) -> Vectors {
        let mut f = Vectors::zeros(x.len());
        add_force(cells, x, &mut f);
        f
    }

    #[test]
    fn at_rest_turned_or_sheared_there_is_no_force() {
        let (cells, rest) = two_cells(3.0);
        let turn = glamx::DQuat::from_rotation_y(0.8);
        let mut turned = Vectors::default();
        for i in 0..rest.len() {
            let x = rest.get(i);
            turned.push(turn * DVec3::new(x.x + 0.3 * x.y, x.y, x.z) + DVec3::ONE);
        }
        assert!(energy(&cells, &turned) < 1e-28);
        let f = force(&cells, &turned);
        assert!(f.dot(&f).sqrt() < 1e-13);
    }

    #[test]
    fn the_force_is_minus_the_gradient_of_the_energy() {
        for modulus in [2.0, -0.4] {
            let (cells, rest) = two_cells(modulus);
            let x = moved(&rest, 0.2, &noise(12, 7));
            let f = force(&cells, &x);
            for seed in 0..10 {
                let u = noise(12, 100 + seed);
                let h = 1e-5;
                let slope = (energy(&cells, &moved(&x, h, &u)) - energy(&cells, &moved(&x, -h, &u))) / (2.0 * h);
                assert!((slope + f.dot(&u)).abs() < 1e-8 * slope.abs().max(1.0), "{slope} {}", f.dot(&u));
            }
        }
    }

    #[test]
    fn the_differential_is_the_change_of_the_force() {
        let (cells, rest) = two_cells(2.0);
        let x = moved(&rest, 0.2, &noise(12, 8));
        for seed in 0..10 {
            let (u, h) = (noise(12, 200 + seed), 1e-5);
            let mut change = force(&cells, &moved(&x, h, &u));
            change.axpy(-1.0, &force(&cells, &moved(&x, -h, &u)));
            let mut df = Vectors::zeros(12);
            add_differential(&cells, &x, &u, false, &mut df);
            change.axpy(-2.0 * h, &df);
            assert!(change.dot(&change).sqrt() / (2.0 * h) < 1e-7 * df.dot(&df).sqrt());
        }
    }

    #[test]
    fn neither_force_nor_torque_comes_out_of_nothing() {
        let (cells, rest) = two_cells(2.0);
        let x = moved(&rest, 0.3, &noise(12, 9));
        let f = force(&cells, &x);
        let net: DVec3 = (0..12).map(|i| f.get(i)).sum();
        let torque: DVec3 = (0..12).map(|i| x.get(i).cross(f.get(i))).sum();
        assert!(net.length() < 1e-14 && torque.length() < 1e-14, "{net} {torque}");
    }

    #[test]
    fn the_blocks_bound_the_curvature_and_dilation_reaches_the_bound() {
        let (cells, rest) = two_cells(2.0);
        let cells = &cells[..1];
        let mut blocks = vec![DMat3::ZERO; 12];
        add_bound(cells, &rest, &mut blocks);
        let ratio = |u: &Vectors| {
            let mut df = Vectors::zeros(12);
            add_differential(cells, &rest, u, false, &mut df);
            let bound: f64 = (0..12).map(|i| 2.0 * u.get(i).dot(blocks[i] * u.get(i))).sum();
            -df.dot(u) / bound
        };
        assert!((0..50).all(|seed| ratio(&noise(12, 300 + seed)) <= 1.0));
        let mut dilation = Vectors::default();
        for i in 0..12 {
            dilation.push(2.0 * (rest.get(i) - DVec3::new(0.25, 0.35, 0.45)) / DVec3::new(0.25, 0.49, 0.81));
        }
        assert!((ratio(&dilation) - 1.0).abs() < 1e-12, "{}", ratio(&dilation));
        let mut none = vec![DMat3::ZERO; 12];
        add_bound(&two_cells(-2.0).0, &rest, &mut none);
        assert!(none.iter().all(|b| *b == DMat3::ZERO));
    }
}
