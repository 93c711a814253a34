//! Elements as points and connections as lines, with what is known of them.

use crate::fields::{Fields, broken_flags, state_of};
use crate::vtu::array::{Array, NUMBER, TENSOR};
use crate::vtu::grid::{CellKind, Grid};
use kreisel::DMat3;
use kreisel::model::{FREE, Model};
use kreisel::readout::stress::von_mises;
use kreisel_record::Frame;

/// The elements and connections of a frame; of one body only if `body` says so.
pub fn grid(fields: &Fields, model: &Model, frame: &Frame, body: Option<usize>) -> Grid {
    let shown = |e: usize| body.is_none_or(|b| model.elements.body[e].0 as usize == b);
    let elements: Vec<usize> = (0..model.elements.len()).filter(|&e| shown(e)).collect();
    let mut number = vec![-1; model.elements.len()];
    let mut grid = Grid::default();
    for &e in &elements {
        number[e] = grid.add_point(frame.position.get(e));
    }
    elements.iter().for_each(|&e| grid.add_cell(CellKind::Vertex, [number[e]]));
    let ends = &model.connections.ends;
    let lines: Vec<usize> = (0..ends.len()).filter(|&c| ends[c].iter().all(|&e| number[e as usize] >= 0)).collect();
    lines.iter().for_each(|&c| grid.add_cell(CellKind::Line, ends[c].map(|e| number[e as usize])));
    let broken = broken_flags(frame, ends.len());
    grid.point_data = point_data(fields, model, frame, &elements, &broken);
    grid.cell_data = cell_data(fields, model, frame, (&elements, &lines), &broken);
    grid
}

fn point_data(fields: &Fields, model: &Model, frame: &Frame, elements: &[usize], broken: &[bool]) -> Vec<Array> {
    let state = state_of(frame, broken.len());
    let (stresses, forces) = (fields.stresses(&state), fields.forces(&state, broken));
    let each = || elements.iter().copied();
    let e = &model.elements;
    vec![
        Array::vectors("displacement", each().map(|i| frame.position.get(i) - e.rest.get(i))),
        Array::vectors("velocity", each().map(|i| frame.velocity.get(i))),
        Array::vectors("force", each().map(|i| forces.get(i))),
        Array::floats("stress", TENSOR, each().flat_map(|i| six(stresses[i]))),
        Array::floats("von_mises", NUMBER, each().map(|i| von_mises(stresses[i]))),
        Array::integers("body", each().map(|i| e.body[i].0.into())),
        Array::integers("material", each().map(|i| e.material[i].0.into())),
        Array::small("rigid", each().map(|i| u8::from(frame.owner[i] != FREE))),
        Array::floats("radius", NUMBER, each().map(|i| e.radius[i])),
        Array::floats("mass", NUMBER, each().map(|i| e.mass[i])),
    ]
}

/// The six different components of a symmetric tensor, in VTK's order.
fn six(m: DMat3) -> [f64; 6] {
    [m.x_axis.x, m.y_axis.y, m.z_axis.z, m.x_axis.y, m.y_axis.z, m.x_axis.z]
}

/// Connections have their strain and 0 or 1 as damage; elements no strain, and the share of their connections broken.
fn cell_data(
    fields: &Fields,
    model: &Model,
    frame: &Frame,
    (elements, lines): (&[usize], &[usize]),
    broken: &[bool],
) -> Vec<Array> {
    let strains = fields.strains(&frame.position);
    let damage = element_damage(model, broken);
    let no_strain = elements.iter().map(|_| 0.0);
    let of_elements = elements.iter().map(|&e| damage[e]);
    let of_lines = lines.iter().map(|&c| f64::from(u8::from(broken[c])));
    vec![
        Array::floats("strain", NUMBER, no_strain.chain(lines.iter().map(|&c| strains[c]))),
        Array::floats("damage", NUMBER, of_elements.chain(of_lines)),
        Array::small("connection", elements.iter().map(|_| 0).chain(lines.iter().map(|_| 1))),
    ]
}

fn element_damage(model: &Model, broken: &[bool]) -> Vec<f64> {
    let mut counts = vec![(0_u32, 0_u32); model.elements.len()];
    for (ends, &broken) in model.connections.ends.iter().zip(broken) {
        for &e in ends {
            counts[e as usize].0 += u32::from(broken);
            counts[e as usize].1 += 1;
        }
    }
    counts.into_iter().map(|(lost, all)| f64::from(lost) / f64::from(all.max(1))).collect()
}
