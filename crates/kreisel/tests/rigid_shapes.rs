//! Rigid shapes: where they touch, what they weigh, and which are near each other.
#![allow(clippy::unwrap_used)]

#[path = "rigid_shapes/boxes.rs"]
mod boxes;
#[path = "rigid_shapes/broad.rs"]
mod broad;
#[path = "rigid_shapes/random.rs"]
mod random;
#[path = "rigid_shapes/smooth.rs"]
mod smooth;
