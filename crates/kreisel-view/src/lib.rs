//! The live viewer: a server on loopback that runs a scene, shows it in the browser, and lets people reach into it.
//!
//! One thread simulates ([`session`]); every watcher gets the newest moment when he is ready for it ([`server`]), so that
//! slow ones miss frames and nobody waits. What goes over the wire is in [`wire`] and in `book/src/viewer-protocol.md`.
//! The page is written in TypeScript (`web/`) and built by `build.rs`.

mod browser;
pub mod export;
mod page;
pub mod server;
pub mod session;
pub mod wire;

pub use export::export_html;
pub use page::is_there as page_is_there;
pub use server::{Options, Server, ViewError, start};
pub use session::source::Source;
