//! Contact of bodies of any shape: spheres that ride on several elements, and skins that they stand on.
#![allow(clippy::unwrap_used)]

#[path = "surfaces/lab.rs"]
mod lab;
#[path = "surfaces/perches.rs"]
mod perches;
#[path = "surfaces/skins.rs"]
mod skins;
#[path = "surfaces/sliding.rs"]
mod sliding;
