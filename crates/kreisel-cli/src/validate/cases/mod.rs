//! The cases, one file each (or a few of one kind together).

mod chain_frequency;
mod free_top;
mod lattice;
mod momentum;

use super::case::Case;

/// All cases, in the order in which they run.
pub static ALL: &[Case] = &[
    lattice::MODULI,
    lattice::CANTILEVER,
    lattice::POISSON,
    chain_frequency::CASE,
    momentum::CASE,
    free_top::CASE,
];
