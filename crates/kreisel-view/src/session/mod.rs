//! The simulation's side of the viewer: one thread that steps, listens and publishes. It never waits for a watcher.

pub mod action;
mod cutting;
pub mod film;
mod hands;
pub mod history;
mod holding;
mod laws;
pub mod live;
mod loads;
mod matter;
pub mod measure;
mod motors;
mod palette;
pub mod parameters;
mod rebuild;
pub mod save;
mod solving;
pub mod source;
mod stage;
mod status;
mod thread;
pub mod touching;
pub mod world;

pub use stage::Stage;
pub use status::Status;
pub use thread::{Command, Session, Snapshot};
