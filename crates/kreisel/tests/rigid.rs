//! Rigid bodies with exact shapes under the law `constraint`.
#![allow(clippy::unwrap_used)]

mod rigid {
    pub mod angle;
    pub mod bad_input;
    pub mod billiards;
    pub mod bounces;
    pub mod columns;
    pub mod crammed;
    pub mod crowds;
    pub mod doze;
    pub mod dress;
    pub mod driven;
    pub mod free;
    pub mod friction;
    pub mod heaps;
    pub mod held;
    pub mod implicit_friction;
    pub mod implicit_light;
    pub mod implicit_rolling;
    pub mod in_time;
    pub mod meshes;
    pub mod mixture;
    pub mod painleve;
    pub mod piles;
    pub mod poisson;
    pub mod press;
    pub mod queries;
    pub mod random;
    pub mod rattleback;
    pub mod resistance;
    pub mod rows;
    pub mod scenes;
    pub mod sequences;
    pub mod sleep;
    pub mod soft;
    pub mod soft_implicit;
    pub mod soft_pairs;
    pub mod soft_parts;
    pub mod stacks;
    pub mod tops;
}
