//! The cases, one file each (or a few of one kind together).

mod chain_frequency;
mod free_top;
mod hanging_chain;
mod incline;
mod lattice;
mod ledger;
mod momentum;
mod rod_impact;
mod same_bits;

use super::case::Case;

/// All cases, in the order in which they run.
pub static ALL: &[Case] = &[
    lattice::MODULI,
    lattice::CANTILEVER,
    lattice::POISSON,
    chain_frequency::CASE,
    rod_impact::CASE,
    hanging_chain::CASE,
    momentum::CASE,
    free_top::CASE,
    ledger::CASE,
    ledger::ORDER,
    incline::CASE,
    same_bits::CASE,
];
