//! Rigid bodies with exact shapes under the law `constraint`.
#![allow(clippy::unwrap_used)]

mod rigid {
    pub mod pace;
    pub mod scenes;
    pub mod soft;
    pub mod stacks;
    pub mod tops;
}
