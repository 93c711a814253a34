//! The cases, one file each (or a few of one kind together).

mod ball_bounce;
mod chain_frequency;
mod dumbbell;
mod exact_ball;
mod exact_block;
mod exact_dominoes;
mod fracture_energy;
mod free_top;
mod hanging_chain;
mod implicit_agrees;
mod implicit_ledger;
mod implicit_modes;
mod implicit_motion;
mod implicit_spin;
mod implicit_statics;
mod incline;
mod lattice;
mod ledger;
mod lever;
mod modes;
mod momentum;
mod painleve;
mod pendulum;
mod piles;
mod quasi_static;
mod rattleback;
mod rigid_saving;
mod rod_impact;
mod rolling_ball;
mod rubbing;
mod same_bits;
mod settle;
mod sliding;
mod solids;
mod spinning_top;
mod tippe_top;
mod tippe_top_reference;
mod turntable;

use super::case::Case;

/// All cases, in the order in which they run.
pub static ALL: &[Case] = &[
    lattice::MODULI,
    lattice::CANTILEVER,
    lattice::POISSON,
    modes::CANTILEVER,
    modes::FREE,
    modes::CHAIN,
    solids::CASE,
    chain_frequency::CASE,
    dumbbell::CASE,
    rod_impact::CASE,
    hanging_chain::CASE,
    settle::CASE,
    quasi_static::CASE,
    momentum::CASE,
    rubbing::CASE,
    free_top::CASE,
    pendulum::CASE,
    spinning_top::CASE,
    ball_bounce::CASE,
    rolling_ball::CASE,
    incline::CASE,
    sliding::CASE,
    fracture_energy::CASE,
    ledger::CASE,
    ledger::ORDER,
    lever::LAUNCH,
    lever::COST,
    rigid_saving::CASE,
    implicit_motion::ORDER,
    implicit_motion::BOUNDED,
    implicit_modes::CASE,
    implicit_spin::CASE,
    implicit_statics::CASE,
    implicit_agrees::CASE,
    implicit_agrees::LEVER,
    implicit_ledger::CASE,
    exact_ball::ROLLS,
    exact_ball::BOUNCES,
    exact_ball::STEPS,
    exact_block::SLOPE,
    exact_block::ISOTROPY,
    free_top::EXACT,
    tippe_top::CASE,
    tippe_top::FACETS,
    tippe_top::STAYS,
    rattleback::CASE,
    painleve::CASE,
    exact_dominoes::CASE,
    turntable::CASE,
    piles::COLUMN,
    piles::PYRAMID,
    piles::PIT,
    same_bits::CASE,
];
