//! A box cut into cells: elements at the cell corners (on the true surface), springs and masses weighted per cell.
//!
//! Elements at cell centres, or bulk springs at the surface, make thin bodies wrong by factors; giving each spring and
//! each corner only the shares of the cells beside it reproduces uniform strain exactly at every thickness.

use crate::discretize::box_springs::{shear_modulus, springs, volume_modulus, weakest_edge};
use crate::discretize::box_surface::{add_contact_sphere, faces};
use crate::discretize::constants::{check_material, needs_volume_term};
use crate::discretize::grid::Grid;
use crate::discretize::lattice::{Cells, Lattice};
use crate::discretize::matter::{MAX_ELEMENTS, Matter};
use crate::discretize::solid_lattice::materials_of;
use crate::discretize::weighted_cells::Wiring;
use crate::discretize::{DiscretizeError, DiscretizeError::TooMany, Fabric};
use crate::model::{Cell, Material};
use glamx::DVec3;

/// A box of the given sides [m], centred on the origin, with the given number of cells across its thinnest side.
///
/// Cells are as nearly cubic as the sides allow: `a = thinnest/cells`, and along each axis `round(L/a)` of them.
pub fn box_lattice(size: DVec3, cells: u32, material: &Material) -> Result<Matter, DiscretizeError> {
    check_material(material)?;
    let grid = cut(size, cells, shear_modulus(material))?;
    let connections = springs(&grid, size, material)?;
    let coincident_spheres = coincident_spheres(&grid);
    let mut matter = Matter { connections, faces: faces(&grid), coincident_spheres, ..Matter::default() };
    let share = material.density * grid.sides[0] * grid.sides[1] * grid.sides[2] / 8.0;
    if !(share > 0.0 && share.is_finite()) {
        return Err(DiscretizeError::BadSize { size });
    }
    for p in grid.corners() {
        let cells_beside: u32 = (0..3).map(|axis| grid.cells_beside(p, axis)).product();
        matter.positions.push(grid.position(p));
        matter.masses.push(share * f64::from(cells_beside));
        add_contact_sphere(&grid, p, &mut matter);
    }
    if needs_volume_term(material) {
        matter.cells = volume_cells(&grid, volume_modulus(material));
    }
    Ok(matter)
}

/// A box of several materials, cut as [`box_lattice`] cuts it; the material of a cell is that of its centre.
pub fn box_of_fabric(size: DVec3, cells: u32, fabric: Fabric<'_>) -> Result<Matter, DiscretizeError> {
    let Some(own) = fabric.materials.first() else { return Err(DiscretizeError::NoCells) };
    if fabric.materials.len() == 1 {
        return box_lattice(size, cells, own);
    }
    fabric.materials.iter().try_for_each(check_material)?;
    let grid = cut(size, cells, shear_modulus(own))?;
    let lattice = Lattice { centre: DVec3::ZERO, cells: grid.cells, sides: grid.sides, order: grid.order };
    let full = |p: [u32; 3]| (lattice.cell_row(p), p[lattice.order[0]], 1.0);
    let all = Cells::new(lattice, &grid.lower_corners().map(full).collect::<Vec<_>>());
    let material = materials_of(&all, fabric);
    let mut matter = Wiring::new(&all, &material)?.matter(fabric.materials, size)?;
    matter.coincident_spheres = coincident_spheres(&grid);
    matter.surface.clear();
    grid.corners().for_each(|p| add_contact_sphere(&grid, p, &mut matter));
    if matter.masses.iter().all(|m| *m > 0.0 && m.is_finite()) {
        Ok(matter)
    } else {
        Err(DiscretizeError::BadSize { size })
    }
}

/// Two along each axis on which the box is one cell thick.
fn coincident_spheres(grid: &Grid) -> u32 {
    grid.cells.iter().map(|&n| if n == 1 { 2 } else { 1 }).product()
}

/// Chooses the numbers of cells: the nearest integers, or their neighbours where those would leave edges without
/// stiffness (sides such as 2.46 cells).
fn cut(size: DVec3, cells: u32, mu: f64) -> Result<Grid, DiscretizeError> {
    if !(size.is_finite() && size.min_element() > 0.0) {
        return Err(DiscretizeError::BadSize { size });
    }
    if cells == 0 {
        return Err(DiscretizeError::NoCells);
    }
    let ideal = (size / (size.min_element() / f64::from(cells))).to_array();
    let elements: f64 = ideal.iter().map(|n| n.ceil() + 1.0).product();
    if elements.is_nan() || elements > MAX_ELEMENTS as f64 {
        return Err(TooMany { elements, limit: MAX_ELEMENTS });
    }
    let grid = |counts: [f64; 3]| Grid::new(size.to_array(), counts.map(|n| n.max(1.0) as u32));
    let strength = |grid: &Grid| weakest_edge(mu, grid.sides).1;
    let nearest = grid(ideal.map(f64::round));
    if strength(&nearest) > 0.0 {
        return Ok(nearest);
    }
    let rounded = |up: bool, n: f64| if up { n.ceil() } else { n.floor() };
    let others = (0..8).map(|bits| grid(std::array::from_fn(|axis| rounded(bits >> axis & 1 == 1, ideal[axis]))));
    let better = |best: Grid, other: Grid| if strength(&other) > strength(&best) { other } else { best };
    Ok(others.fold(nearest, better))
}

/// All cells with the volume term `kv` [Pa].
fn volume_cells(grid: &Grid, modulus: f64) -> Vec<Cell> {
    let corner = |p: [u32; 3], bits: u32| grid.index(std::array::from_fn(|axis| p[axis] + (bits >> axis & 1)));
    let cell = |p| Cell { corners: std::array::from_fn(|c| corner(p, c as u32)), sides: grid.sides, modulus };
    grid.lower_corners().map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ConnectionClass, Fracture};

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-12 * a.abs().max(b.abs())
    }

    #[test]
    fn a_box_weighs_what_its_volume_weighs_and_its_surface_is_closed() {
        let size = DVec3::new(0.5, 0.21, 1.3);
        let matter = box_lattice(size, 3, &Material::default()).unwrap();
        let mass: f64 = matter.masses.iter().sum();
        assert!(close(mass, 1000.0 * 0.5 * 0.21 * 1.3), "{mass}");
        let area = |f: &[u32; 4]| {
            let [a, b, c, d] = f.map(|e| matter.positions.get(e as usize));
            0.5 * (c - a).cross(d - b)
        };
        let outwards: f64 = matter.faces.iter().map(|f| area(f).dot(matter.positions.get(f[0] as usize))).sum();
        assert!(close(outwards, 3.0 * 0.5 * 0.21 * 1.3), "Gauss: ∮ x·dA = 3 V, got {outwards}");
        assert!(matter.faces.iter().map(area).sum::<DVec3>().length() < 1e-15);
    }

    #[test]
    fn a_cubic_lattice_has_eighteen_neighbours_inside_and_five_kinds_of_springs() {
        let matter = box_lattice(DVec3::new(4.0, 3.0, 3.0), 3, &Material::default()).unwrap();
        let inner = matter.surface.iter().position(|s| !s).unwrap() as u32;
        let neighbours = matter.connections.ends.iter().filter(|e| e.contains(&inner)).count();
        assert_eq!((matter.len(), neighbours, matter.connections.classes.len()), (5 * 4 * 4, 18, 5));
        assert!(matter.connections.ends.iter().all(|[a, b]| a < b));
        let mut ends = matter.connections.ends.clone();
        ends.sort_unstable();
        ends.dedup();
        assert_eq!(ends.len(), matter.connections.len(), "each connection once");
        let stiffest = matter.connections.classes.iter().map(|c| c.stiffness).fold(0.0, f64::max);
        assert!(close(stiffest, 0.4 * 1e6 * 1.0));
    }

    #[test]
    fn contact_spheres_touch_the_true_surface_from_inside() {
        for (size, cells) in [(DVec3::new(3.0, 3.0, 4.0), 3), (DVec3::new(2.0, 1.05, 1.0), 1)] {
            let matter = box_lattice(size, cells, &Material::default()).unwrap();
            for e in 0..matter.len() {
                let x = matter.positions.get(e);
                if !matter.surface[e] {
                    assert_eq!(matter.anchors[e], crate::model::element::NO_ANCHOR);
                    continue;
                }
                let towards = (matter.positions.get(matter.anchors[e] as usize) - x).normalize();
                let centre = x + matter.insets[e] * towards;
                let gap = (0.5 * size - centre.abs()).min_element() - matter.radii[e];
                assert!(gap.abs() < 1e-12, "element {e} at {x}: {gap}");
            }
        }
    }

    #[test]
    fn damping_and_fracture_follow_the_material() {
        let material = Material { fracture: Fracture::Energy(18.0), damping: 0.1, ..Material::default() };
        let matter = box_lattice(DVec3::new(2.0, 0.1, 0.1), 1, &material).unwrap();
        let beta = 2.0 * 0.1 / (std::f64::consts::PI * 1000.0_f64.sqrt() / 2.0);
        let strain = (18.0_f64 / (1.8 * 1e6 * 0.1)).sqrt();
        let as_derived = |c: &ConnectionClass| {
            close(c.damping, beta * c.stiffness) && close(c.break_length, c.rest_length * (1.0 + strain))
        };
        assert!(matter.connections.classes.iter().all(as_derived));
        let soft = box_lattice(DVec3::ONE, 1, &Material::default()).unwrap();
        assert!(soft.connections.classes.iter().all(|c| c.break_length == f64::INFINITY));
    }

    #[test]
    fn only_other_ratios_than_a_quarter_need_cells() {
        let with = |poisson| Material { poisson, ..Material::default() };
        assert!(box_lattice(DVec3::ONE, 2, &with(0.25)).unwrap().cells.is_empty());
        let cells = box_lattice(DVec3::ONE, 2, &with(0.4)).unwrap().cells;
        assert_eq!(cells.len(), 8);
        let (lambda, mu) = (0.4e6 / (1.4 * 0.2), 1e6 / 2.8);
        assert!(close(cells[0].modulus, lambda - mu));
    }

    #[test]
    fn what_cannot_be_built_is_refused_with_the_facts() {
        let soft = Material::default();
        let refused = |size: DVec3, cells: u32, material: &Material| box_lattice(size, cells, material).unwrap_err();
        assert!(matches!(refused(DVec3::new(1.0, f64::NAN, 1.0), 1, &soft), DiscretizeError::BadSize { .. }));
        assert!(matches!(refused(DVec3::new(1.0, 0.0, 1.0), 1, &soft), DiscretizeError::BadSize { .. }));
        assert_eq!(refused(DVec3::ONE, 0, &soft), DiscretizeError::NoCells);
        assert!(matches!(refused(DVec3::ONE, 5000, &soft), DiscretizeError::TooMany { .. }));
        assert!(matches!(refused(DVec3::new(1.0, 1e12, 1.0), 1, &soft), DiscretizeError::TooMany { .. }));
        let flat = refused(DVec3::new(1.0, 1.3, 1.0), 1, &soft);
        assert!(matches!(flat, DiscretizeError::FlatCells { cells: 1, .. }), "{flat}");
        for bad in [f64::NAN, -1.0, 0.0, f64::INFINITY] {
            let refusal = refused(DVec3::ONE, 1, &Material { young: bad, ..soft.clone() });
            assert!(matches!(refusal, DiscretizeError::BadMaterial { .. }));
        }
        let refusal = refused(DVec3::ONE, 1, &Material { poisson: 0.5, ..soft });
        assert!(refusal.to_string().contains("Poisson"), "{refusal}");
    }

    #[test]
    fn a_box_of_two_equal_materials_is_the_box_of_one_and_another_inlay_changes_its_half_only() {
        let (soft, size) =
            (Material { fracture: Fracture::Strain(0.1), ..Material::default() }, DVec3::new(1.0, 0.4, 0.31));
        let plain = box_lattice(size, 3, &soft).unwrap();
        let upper = |x: DVec3| u16::from(x.x > 0.0);
        let of = |second: Material| {
            box_of_fabric(size, 3, Fabric { materials: &[soft.clone(), second], at: &upper }).unwrap()
        };
        let same = of(soft.clone());
        assert_eq!((&same.positions, &same.surface), (&plain.positions, &plain.surface));
        assert_eq!((&same.radii, &same.anchors, &same.insets), (&plain.radii, &plain.anchors, &plain.insets));
        assert_eq!(same.connections.ends, plain.connections.ends);
        assert!(same.masses.iter().zip(&plain.masses).all(|(a, b)| close(*a, *b)));
        for c in 0..plain.connections.len() {
            let (a, b) = (same.connections.constants(c), plain.connections.constants(c));
            assert!(
                close(a.stiffness, b.stiffness) && close(a.damping, b.damping) && close(a.break_length, b.break_length)
            );
        }
        let bone = of(Material { young: 4e6, density: 3000.0, fracture: Fracture::Never, ..soft.clone() });
        let mass: f64 = bone.masses.iter().sum();
        assert!(close(mass, 2000.0 * size.x * size.y * size.z), "ten cells along x: five of each");
        for (c, ends) in bone.connections.ends.iter().enumerate() {
            let (spring, old) = (bone.connections.constants(c), plain.connections.constants(c));
            let place = ends.iter().map(|&e| bone.positions.x[e as usize]).sum::<f64>();
            let side = place.abs() > 1e-9;
            let factor = if !side {
                2.5
            } else if place > 0.0 {
                4.0
            } else {
                1.0
            };
            assert!(close(spring.stiffness, factor * old.stiffness), "{place}");
            let strain = spring.break_length / spring.rest_length - 1.0;
            assert!(if place > 1e-9 { strain.is_infinite() } else { close(strain, if side { 0.1 } else { 0.5 }) });
        }
    }

    #[test]
    fn other_counts_than_the_nearest_are_taken_where_those_would_be_too_flat() {
        let matter = box_lattice(DVec3::new(2.0, 2.47, 2.0), 2, &Material::default()).unwrap();
        assert_eq!(matter.len(), 3 * 4 * 3);
    }
}
