//! From the parsed text to the scene: one file per table of the scene file.

mod body;
mod drive;
mod estimate;
mod exact;
mod integrator;
mod joint;
mod lists;
mod load;
mod material;
mod mesh;
mod node;
mod number;
mod obstacle;
mod probe;
mod profile;
mod region;
mod resolution;
mod rotation;
mod scene;
mod shape;
mod solid;
mod table;
mod view;
mod world;

pub use integrator::{integrator_word, integrators};
pub(crate) use node::Reader;
pub(crate) use scene::read_scene;
