//! The surfaces of all bodies as triangles.

use crate::surface::Shape;
use crate::vtu::array::Array;
use crate::vtu::grid::{CellKind, Grid};
use kreisel::model::Model;
use kreisel_record::Frame;

/// The surfaces at a frame, one after the other.
pub fn grid<'a>(model: &'a Model, shapes: &mut [Shape<'a>], frame: &Frame) -> Grid {
    let mut grid = Grid::default();
    let (mut normals, mut bodies) = (Vec::new(), Vec::new());
    for shape in shapes {
        let mesh = shape.mesh(model, frame);
        let first = grid.points() as i64;
        mesh.vertices.iter().for_each(|&x| {
            grid.add_point(x);
        });
        for triangle in &mesh.triangles {
            grid.add_cell(CellKind::Triangle, triangle.map(|v| first + i64::from(v)));
        }
        bodies.extend(mesh.vertices.iter().map(|_| shape.body as i64));
        normals.extend(mesh.normals);
    }
    grid.point_data = vec![Array::vectors("normal", normals), Array::integers("body", bodies)];
    grid
}
