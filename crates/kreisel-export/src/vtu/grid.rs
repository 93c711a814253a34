//! An unstructured grid of VTK: points, cells and what is known at them.

use crate::error::ExportError;
use crate::place::{self, MARK};
use crate::vtu::array::{Array, VECTOR};
use kreisel::DVec3;
use std::io::Write as _;
use std::path::Path;

/// VTK's numbers of the kinds of cells.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub enum CellKind {
    /// A point.
    Vertex = 1,
    /// A line between two points.
    Line = 3,
    /// A triangle.
    Triangle = 5,
}

/// A grid with its fields.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    points: Vec<f64>,
    connectivity: Vec<i64>,
    offsets: Vec<i64>,
    kinds: Vec<u8>,
    /// What is known at the points.
    pub point_data: Vec<Array>,
    /// What is known at the cells.
    pub cell_data: Vec<Array>,
}

impl Grid {
    /// Adds a point [m] and returns its number.
    pub fn add_point(&mut self, x: DVec3) -> i64 {
        self.points.extend(x.to_array());
        self.points.len() as i64 / 3 - 1
    }

    /// Adds a cell between points.
    pub fn add_cell(&mut self, kind: CellKind, points: impl IntoIterator<Item = i64>) {
        self.connectivity.extend(points);
        self.offsets.push(self.connectivity.len() as i64);
        self.kinds.push(kind as u8);
    }

    /// Number of points.
    pub fn points(&self) -> usize {
        self.points.len() / 3
    }

    /// Writes the grid as it is at a time [s].
    pub fn write(&self, path: &Path, time: f64) -> Result<(), ExportError> {
        let mut appended = Appended::default();
        let text = self.text(time, &mut appended).map_err(ExportError::file(path))?;
        place::write_file(path, |out| {
            let parts =
                [text.as_str(), "  <AppendedData encoding=\"base64\">\n_", &appended.text, "\n  </AppendedData>\n"];
            let parts = parts.into_iter().chain(["</VTKFile>\n"]);
            parts.into_iter().try_for_each(|p| out.write_all(p.as_bytes())).map_err(ExportError::file(path))
        })
    }

    fn text(&self, time: f64, appended: &mut Appended) -> std::io::Result<String> {
        let points = [Array::doubles("Points", VECTOR, self.points.iter().copied())];
        let cells = [
            Array::integers("connectivity", self.connectivity.iter().copied()),
            Array::integers("offsets", self.offsets.iter().copied()),
            Array::small("types", self.kinds.iter().copied()),
        ];
        let mut sections = String::new();
        for (name, arrays) in
            [("PointData", &self.point_data[..]), ("CellData", &self.cell_data), ("Points", &points), ("Cells", &cells)]
        {
            sections += &appended.section(name, arrays)?;
        }
        Ok(format!(
            "<?xml version=\"1.0\"?>\n<!-- {MARK} -->\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" \
             byte_order=\"LittleEndian\" header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n  \
             <UnstructuredGrid>\n    <FieldData>\n      <DataArray type=\"Float64\" Name=\"TimeValue\" \
             NumberOfTuples=\"1\" format=\"ascii\">{time}</DataArray>\n    </FieldData>\n    \
             <Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n{sections}    </Piece>\n  </UnstructuredGrid>\n",
            self.points(),
            self.kinds.len(),
        ))
    }
}

/// The numbers of all arrays, one after the other.
#[derive(Default)]
struct Appended {
    text: String,
}

impl Appended {
    fn section(&mut self, name: &str, arrays: &[Array]) -> std::io::Result<String> {
        let mut section = format!("      <{name}>\n");
        for array in arrays {
            section += &format!("        {}\n", array.tag(self.text.len()));
            self.text += &array.text()?;
        }
        Ok(section + &format!("      </{name}>\n"))
    }
}
