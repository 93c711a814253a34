//! The inside of a closed surface cut into cubic cells: those at the surface count by how far they are filled.
//!
//! Springs and masses of a cell carry the same weight, so that the step stays that of the bulk; masses are then balanced so
//! that the body has the solid's mass, centre and, as nearly as can be, inertia.

use crate::discretize::closest::Tree;
use crate::discretize::constants::check_material;
use crate::discretize::error::needed_side;
use crate::discretize::fill::{Filling, fill};
use crate::discretize::joining::{Joined, join};
use crate::discretize::lattice::{Cells, Lattice};
use crate::discretize::mass_balance::{Moments, balance};
use crate::discretize::matter::MAX_ELEMENTS;
use crate::discretize::shells::Shells;
use crate::discretize::solid_contact::{Skin, add_contact_spheres};
use crate::discretize::weighted_cells::{Wiring, count_corners};
use crate::discretize::{DiscretizeError, DiscretizeError::TooMany, Fabric, Matter};
use crate::model::setup::Resolution;
use crate::model::{Fidelity, Surface};
use glamx::DVec3;

/// The wanted number of elements is met to this share, if any lattice does.
const COUNT_TOLERANCE: f64 = 0.02;
/// Lattices tried to meet a number of elements.
const MOST_TRIALS: usize = 12;
/// Losses smaller than this share of the volume are not worth a word.
const WORTH_A_WORD: f64 = 1e-5;
/// Points along each side of a cell at which materials are looked up where they meet.
const FINE: u32 = 4;

/// Cuts the inside of a closed surface into cubic cells.
pub fn solid_lattice(surface: &Surface, resolution: Resolution, fabric: Fabric<'_>) -> Result<Matter, DiscretizeError> {
    fabric.materials.iter().try_for_each(check_material)?;
    let shells = Shells::new(surface)?;
    let (cut, mut warnings) = choose(surface, &shells, resolution)?;
    let tree = Tree::new(surface);
    let skin = Skin { surface, shells: &shells, tree: &tree };
    cut.check(&skin, &mut warnings)?;
    let cells = &cut.joined.cells;
    let material = materials_of(cells, fabric);
    let wiring = Wiring::new(cells, &material)?;
    let (low, high) = surface.bounds();
    let mut matter = wiring.matter(fabric.materials, high - low)?;
    let centre = cells.lattice.centre;
    let wanted = cut.moments(surface, fabric);
    balance(&matter.positions, &mut matter.masses, centre, &wanted);
    add_contact_spheres(&wiring, &skin, &mut matter);
    let have = Moments::of_elements(&matter.positions, &matter.masses, centre);
    matter.fidelity = Some(Fidelity {
        cells: cells.len(),
        elements: matter.len(),
        side: cut.side(),
        mass: wanted.mass,
        mass_error: have.mass / wanted.mass - 1.0,
        centre_error: have.centre().distance(wanted.centre()),
        inertia_error: have.principal_inertia() / wanted.principal_inertia() - 1.0,
        lost_volume: cut.joined.lost * cells.lattice.volume(),
        warnings,
    });
    if matter.masses.iter().all(|m| *m > 0.0 && m.is_finite()) {
        Ok(matter)
    } else {
        Err(DiscretizeError::BadSize { size: high - low })
    }
}

/// A surface cut at some resolution.
struct Cut {
    filling: Filling,
    joined: Joined,
    outer: usize,
}

impl Cut {
    fn new(surface: &Surface, shells: &Shells, side: f64) -> Result<Self, DiscretizeError> {
        let filling = fill(surface, &lattice_around(surface, side)?)?;
        let joined = join(&filling.cells, shells.outer);
        Ok(Self { filling, joined, outer: shells.outer })
    }

    fn side(&self) -> f64 {
        self.joined.cells.lattice.sides[0]
    }

    /// Refuses a solid that came apart; tells about what was lost, joined or counted once.
    fn check(&self, skin: &Skin, warnings: &mut Vec<String>) -> Result<(), DiscretizeError> {
        let (side, volume) = (self.side(), skin.surface.volume());
        let of_cells = self.joined.cells.lattice.volume();
        let thickness = |x: DVec3| skin.beneath(x, side).map_or(f64::INFINITY, |b| b.2);
        let pieces = &self.joined.pieces;
        if pieces.is_empty() || pieces.len() > self.outer {
            let apart = pieces.last().filter(|_| pieces.len() > self.outer).map(|p| p.1);
            let at = self.joined.lost_at.or(apart).unwrap_or(self.joined.cells.lattice.centre);
            let (pieces, expected, thickness) = (pieces.len(), self.outer, thickness(at));
            return Err(DiscretizeError::FallsApart { pieces, expected, at, thickness, side });
        }
        if let Some(at) = self.joined.lost_at.filter(|_| self.joined.lost * of_cells > WORTH_A_WORD * volume) {
            let (t, share) = (thickness(at), 100.0 * self.joined.lost * of_cells / volume);
            warnings.push(format!(
                "{share:.2} % of the volume is in parts too thin for cells of {side:.3e} m and is spread over the rest: \
                 near {at:.4} m, about {t:.3e} m thick; cells of {:.3e} m or smaller keep them",
                needed_side(t, side)
            ));
        }
        if let (count, Some(at)) = self.joined.bridges {
            let t = thickness(at);
            warnings.push(format!(
                "{count} cells filled less than a tenth hold thin parts together, one of them near {at:.4} m, where the \
                 solid is about {t:.3e} m thick; cells of {:.3e} m or smaller show it as it is",
                needed_side(t, side)
            ));
        }
        if pieces.len() < self.outer {
            let (parts, shells) = (pieces.len(), self.outer);
            warnings
                .push(format!("{shells} separate shells became {parts} pieces: what is nearer than a cell is joined"));
        }
        if self.filling.excess > WORTH_A_WORD * volume {
            let share = 100.0 * self.filling.excess / volume;
            warnings.push(format!("shells overlap, or are inside out, in {share:.2} % of the volume: it counts once"));
        }
        Ok(())
    }

    /// Moments of the solid about the lattice's centre. Of one material they come from the surface; where there are others,
    /// the cells that they fill add the difference.
    fn moments(&self, surface: &Surface, fabric: Fabric<'_>) -> Moments {
        let cells = &self.filling.cells;
        let lattice = &cells.lattice;
        let own = fabric.materials.first().map_or(0.0, |m| m.density);
        let of_cell = |c: usize, p: [u32; 3], density: f64| {
            let mass = density * cells.weight[c] * lattice.volume();
            Moments::cell(mass, lattice.middle(p) - lattice.centre, lattice.sides)
        };
        let exact = self.filling.excess <= WORTH_A_WORD * surface.volume();
        let mut sum = if exact { Moments::inside(surface, lattice.centre).times(own) } else { Moments::ZERO };
        let base = if exact { own } else { 0.0 };
        for (c, p) in cells.places().enumerate().filter(|_| !exact || fabric.materials.len() > 1) {
            let difference = mean_density(lattice, p, fabric) - base;
            if difference != 0.0 {
                sum = sum.plus(of_cell(c, p, difference));
            }
        }
        sum
    }
}

/// Mean density of what a cell would be made of if it were full [kg/m³].
fn mean_density(lattice: &Lattice, p: [u32; 3], fabric: Fabric<'_>) -> f64 {
    let density = |x: DVec3| fabric.materials[material_at(fabric, x) as usize].density;
    let (middle, half) = (lattice.middle(p), 0.5 * DVec3::from(lattice.sides));
    let corner = |c: u32| middle + half * DVec3::from([0, 1, 2].map(|k| if c >> k & 1 == 1 { 1.0 } else { -1.0 }));
    let inside = density(middle);
    if fabric.materials.len() == 1 || (0..8).all(|c| density(corner(c)) == inside) {
        return inside;
    }
    let place = |k: u32| (2.0 * f64::from(k) + 1.0) / f64::from(FINE) - 1.0;
    let point = |k: u32| DVec3::new(place(k % FINE), place(k / FINE % FINE), place(k / FINE / FINE));
    let count = FINE.pow(3);
    (0..count).map(|k| density(middle + half * point(k))).sum::<f64>() / f64::from(count)
}

fn material_at(fabric: Fabric<'_>, x: DVec3) -> u16 {
    ((fabric.at)(x) as usize).min(fabric.materials.len().saturating_sub(1)) as u16
}

/// Material of each cell: that of its centre.
pub(super) fn materials_of(cells: &Cells, fabric: Fabric<'_>) -> Vec<u16> {
    cells.places().map(|p| material_at(fabric, cells.lattice.middle(p))).collect()
}

/// Cubic cells of the given side, symmetric about the centre of the bounding box.
fn lattice_around(surface: &Surface, side: f64) -> Result<Lattice, DiscretizeError> {
    if !(side > 0.0 && side.is_finite()) {
        return Err(DiscretizeError::BadResolution { side });
    }
    let (low, high) = surface.bounds();
    // Sides that are whole numbers of cells but for rounding get no cells beyond.
    let counts = ((high - low) / side).to_array().map(|n| (n - 1e-6).ceil().max(1.0));
    let longest = counts.into_iter().fold(1.0, f64::max);
    let rows = counts.iter().product::<f64>() / longest;
    if rows > MAX_ELEMENTS as f64 || longest > 1e9 {
        return Err(TooMany { elements: rows * longest, limit: MAX_ELEMENTS });
    }
    Ok(Lattice::new(0.5 * (low + high), counts.map(|n| n as u32), [side; 3]))
}

/// The cut of the wanted resolution, and what to tell about it.
fn choose(surface: &Surface, shells: &Shells, resolution: Resolution) -> Result<(Cut, Vec<String>), DiscretizeError> {
    let (low, high) = surface.bounds();
    match resolution {
        Resolution::CellsAcross(0) | Resolution::Elements(0) => Err(DiscretizeError::NoCells),
        Resolution::CellsAcross(n) => {
            Ok((Cut::new(surface, shells, (high - low).min_element() / f64::from(n))?, Vec::new()))
        }
        Resolution::CellSize(side) => Ok((Cut::new(surface, shells, side)?, Vec::new())),
        Resolution::Elements(n) => with_elements(surface, shells, f64::from(n)),
    }
}

/// Looks for the side that gives a number of elements: `ln n` falls nearly in a straight line with `ln a`, by 3 for bulky
/// solids, less for thin ones. The count jumps where cells appear or vanish, so that not every number can be met.
fn with_elements(surface: &Surface, shells: &Shells, wanted: f64) -> Result<(Cut, Vec<String>), DiscretizeError> {
    if wanted > MAX_ELEMENTS as f64 {
        return Err(TooMany { elements: wanted, limit: MAX_ELEMENTS });
    }
    let error = |count: f64| (count / wanted).ln();
    let mut ln_side = (surface.volume() / wanted).cbrt().ln();
    let mut last: Option<(f64, f64)> = None;
    let mut best: Option<(f64, Cut)> = None;
    for _ in 0..MOST_TRIALS {
        let cut = Cut::new(surface, shells, ln_side.exp())?;
        let here = error(count_corners(&cut.joined.cells).max(1) as f64);
        if best.as_ref().is_none_or(|(e, _)| here.abs() < e.abs()) {
            best = Some((here, cut));
        }
        if here.abs() < COUNT_TOLERANCE {
            break;
        }
        let slope = match last {
            Some((x, e)) if ln_side != x => ((here - e) / (ln_side - x)).clamp(-4.5, -1.5),
            _ => -3.0,
        };
        last = Some((ln_side, here));
        ln_side -= here / slope;
    }
    let (e, cut) = best.ok_or(DiscretizeError::NoCells)?;
    let told = (e.abs() >= COUNT_TOLERANCE)
        .then(|| format!("{:.0} elements instead of {wanted}: the nearest that a lattice gives", wanted * e.exp()));
    Ok((cut, told.into_iter().collect()))
}
