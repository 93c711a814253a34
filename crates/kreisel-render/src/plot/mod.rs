//! Plots of probes and of the ledger over time, as SVG or PNG.

mod axis;
mod canvas;
mod chart;
mod data;
mod layout;
mod raster_canvas;
mod svg_canvas;

pub use chart::{Chart, Panel, Series};
pub use data::{Wishes, chart};

use crate::error::RenderError;
use std::path::Path;

/// Width of a plot [pixels].
const WIDTH: f64 = 900.0;

impl Chart {
    /// The chart as SVG.
    pub fn to_svg(&self) -> String {
        let mut canvas = svg_canvas::SvgCanvas::new(WIDTH, layout::height(self));
        layout::draw(self, &mut canvas, WIDTH);
        canvas.finish()
    }

    /// The chart as a picture.
    pub fn to_picture(&self) -> crate::Picture {
        let mut canvas = raster_canvas::RasterCanvas::new(WIDTH, layout::height(self));
        layout::draw(self, &mut canvas, WIDTH);
        canvas.finish()
    }

    /// Writes the chart as `.svg` or `.png`.
    pub fn write(&self, path: &Path) -> Result<(), RenderError> {
        match path.extension().and_then(|e| e.to_str()).map(str::to_lowercase).as_deref() {
            Some("svg") => std::fs::write(path, self.to_svg()).map_err(RenderError::file(path)),
            Some("png") => self.to_picture().write_png(path),
            _ => Err(RenderError::Wish(format!("{}: plots are written as .svg or .png", path.display()))),
        }
    }
}
