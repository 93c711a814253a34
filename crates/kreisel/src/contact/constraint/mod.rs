//! The law `constraint`: contacts as unilateral constraints with Coulomb friction, solved at the end of each step [ST96].
//!
//! `0 ≤ p_n ⊥ u_n + φ/h ≥ 0` and friction against the slip on the exact cone; `u = J v⁺`, `v⁺ = v* + M⁻¹ Jᵀ p`. The gap is
//! that of the end of the step: what touches touches, what does not is left alone, and nothing has a stiffness.

pub mod assembled;
pub mod bilateral;
pub mod block;
pub mod carriers;
pub mod creeping;
pub mod eliminated;
pub mod expansion;
pub mod groups;
pub mod halves;
pub mod island;
pub mod joint;
pub mod jointed;
pub mod large;
pub mod meeting;
pub mod momentum;
pub mod newton;
pub mod pyramid;
pub mod row;
pub mod squeezed;
pub mod sweep;
pub mod twist;
pub mod twisted;
pub mod weight;
