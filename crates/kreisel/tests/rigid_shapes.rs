//! Rigid shapes: where they touch, what they weigh, and which are near each other.
#![allow(clippy::unwrap_used)]

#[path = "rigid/angle.rs"]
mod angle;
#[path = "rigid_shapes/boxes.rs"]
mod boxes;
#[path = "rigid_shapes/broad.rs"]
mod broad;
#[path = "rigid_shapes/convex.rs"]
mod convex;
#[path = "rigid_shapes/hollow.rs"]
mod hollow;
#[path = "rigid_shapes/mass.rs"]
mod mass;
#[path = "rigid_shapes/meshes.rs"]
mod meshes;
#[path = "rigid_shapes/motion.rs"]
mod motion;
#[path = "rigid_shapes/random.rs"]
mod random;
#[path = "rigid_shapes/rays.rs"]
mod rays;
#[path = "rigid_shapes/smooth.rs"]
mod smooth;
#[path = "rigid_shapes/stored.rs"]
mod stored;
