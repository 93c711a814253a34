//! How a mesh is read.

use crate::error::Problem;

/// How a mesh is read.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOptions {
    /// Length of the file's unit [m]: 0.001 for millimetres.
    pub scale: f64,
    /// What is done about a surface that is not closed, not manifold or cuts itself.
    pub fill: Fill,
    /// Vertices closer than this are one, in the file's unit. `None`: those at the same place are one everywhere, and
    /// those along open edges if they are closer than a millionth of the diagonal. That is ten times the rounding of
    /// single precision, in which most files are written, and small enough not to close what is meant to be open.
    pub weld: Option<f64>,
    /// Cells along the longest side of the grid on which [`Fill::WindingNumber`] works.
    pub fill_cells: u32,
    /// A file of more triangles or vertices than this is refused before memory is taken for them.
    pub most_triangles: usize,
}

/// What is done about a surface that is not closed, not manifold or cuts itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fill {
    /// It is refused with the place.
    #[default]
    Refuse,
    /// It is made anew: the boundary of where the surface winds around more than half [JKS13].
    WindingNumber,
    /// It stays open: a sheet that faces where most of its triangles do. It need not enclose a volume, and may cut itself.
    LeaveOpen,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { scale: 1.0, fill: Fill::Refuse, weld: None, fill_cells: 96, most_triangles: 30_000_000 }
    }
}

impl ReadOptions {
    /// Numbers that make sense?
    pub(crate) fn check(&self) -> Result<(), Problem> {
        let wrong = |what: &str| Err(Problem::Option { reason: what.to_string() });
        if !(self.scale.is_finite() && self.scale > 0.0) {
            return wrong("the scale must be a positive number");
        }
        if self.weld.is_some_and(|w| !(w.is_finite() && w >= 0.0)) {
            return wrong("the distance of welding must be zero or a positive number");
        }
        if !(4..=512).contains(&self.fill_cells) {
            return wrong("the grid for filling must have 4 to 512 cells along its longest side");
        }
        Ok(())
    }
}
