//! Pictures, films and plots of recordings, without a display or graphics hardware.
//!
//! A [`Stage`] is a recording with a camera and colours: it turns a frame into a [`Drawing`] of balls, rods, triangles
//! and planes, and [`raster::render`] turns that into a [`Picture`]. Pictures are the same bits for any number of threads.

mod appearance;
mod arrows;
mod camera;
mod captions;
mod colour;
mod colouring;
mod drawing;
mod error;
mod film;
mod framing;
mod gif_file;
mod hide;
mod palette;
mod picture;
pub mod plot;
mod polygon;
pub mod raster;
mod stage;
mod text;

pub use camera::{Camera, CameraChoice};
pub use colour::{Rgb, colour_map};
pub use drawing::{Ball, Drawing, Ground, Rod, Triangle};
pub use error::RenderError;
pub use film::Film;
pub use gif_file::GifFile;
pub use picture::Picture;
pub use stage::{Look, Stage};
