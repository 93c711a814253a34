//! From a drawing to pixels: visibility tile by tile, then light.

mod hit;
mod light;
pub(crate) mod project;
mod rod;
mod shade;
mod shadow;
mod shadow_fill;
mod taps;
mod tile;

use crate::camera::{Axes, Camera};
use crate::drawing::Drawing;
use crate::picture::Picture;
use kreisel::DVec3;
use light::Lights;
use project::Projected;
use rayon::prelude::*;
use tile::Tile;

/// Samples per pixel side: edges are smoothed over their square.
pub(crate) const SAMPLES: usize = 2;
/// Side of a tile [pixels].
pub(crate) const TILE: usize = 32;

/// A camera with a picture plane: how places become pixels and pixels rays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Screen {
    pub(crate) eye: DVec3,
    pub(crate) axes: Axes,
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Pixels per unit of the tangent of the angle from the axis.
    pub(crate) scale: f64,
}

impl Screen {
    pub(crate) fn new(camera: &Camera, width: usize, height: usize) -> Self {
        let scale = 0.5 * height as f64 / (0.5 * camera.field_of_view).tan();
        Self { eye: camera.eye, axes: camera.axes(), width, height, scale }
    }

    /// Coordinates of the camera (right, up, forward) [m].
    pub(crate) fn to_camera(self, x: DVec3) -> DVec3 {
        self.turn(x - self.eye)
    }

    /// A direction in coordinates of the camera.
    pub(crate) fn turn(self, d: DVec3) -> DVec3 {
        DVec3::new(self.axes.right.dot(d), self.axes.up.dot(d), self.axes.forward.dot(d))
    }

    /// A direction of the camera in coordinates of the world.
    pub(crate) fn turn_back(self, d: DVec3) -> DVec3 {
        self.axes.right * d.x + self.axes.up * d.y + self.axes.forward * d.z
    }

    /// The ray through a place in the picture [pixels], camera coordinates with forward component 1.
    pub(crate) fn ray(self, x: f64, y: f64) -> DVec3 {
        DVec3::new((x - 0.5 * self.width as f64) / self.scale, (0.5 * self.height as f64 - y) / self.scale, 1.0)
    }

    /// Where the tangents `(x/z, y/z)` are in the picture [pixels].
    pub(crate) fn pixel(self, tangents: (f64, f64)) -> (f64, f64) {
        (0.5 * self.width as f64 + tangents.0 * self.scale, 0.5 * self.height as f64 - tangents.1 * self.scale)
    }
}

/// Draws a picture, in parallel over tiles; the bits do not depend on the number of threads.
pub fn render(drawing: &Drawing, camera: &Camera, width: usize, height: usize) -> Picture {
    let screen = Screen::new(camera, width, height);
    let projected = Projected::new(drawing, &screen);
    let lights = Lights::new(drawing, &screen);
    let across = width.div_ceil(TILE);
    let tiles: Vec<Vec<[u8; 3]>> = (0..across * height.div_ceil(TILE))
        .into_par_iter()
        .map(|number| {
            let tile = Tile::draw(&projected, &screen, (number % across, number / across));
            shade::tile_colours(&tile, &projected, &screen, &lights)
        })
        .collect();
    let mut picture = Picture::filled(width, height, [0; 3]);
    for (number, colours) in tiles.iter().enumerate() {
        let (left, top) = (number % across * TILE, number / across * TILE);
        for (row, pixels) in colours.chunks(TILE).enumerate().take(height.saturating_sub(top).min(TILE)) {
            let count = (width - left).min(TILE);
            let at = 3 * ((top + row) * width + left);
            picture.bytes[at..at + 3 * count].copy_from_slice(pixels[..count].as_flattened());
        }
    }
    picture
}
