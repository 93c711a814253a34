//! The work of fracture does not depend on the resolution.
//!
//! Through every square `a²` of a lattice plane go one edge and four face diagonals; all broken at the strain `s_c` they
//! take `½ k a² s_c² (1 + 4·2) = 1.8 E a s_c²` per area, so `s_c = √(G_c/(1.8 E a))` gives the wanted `G_c` at every cell
//! size. Here both ends of a bar are rigid and only the connections across one layer of cells stretch and break, pulled
//! slowly: each of them at `s_c`.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{run_until, scene, simulate};

/// The case.
pub const CASE: Case = Case {
    name: "fracture-energy",
    about: "the work of fracture does not depend on the resolution",
    reference: "The fracture energy G_c that the material was given.",
    run,
};

const BAR: &str = include_str!("../../../../../scenes/validation/fracture-energy.toml");
/// `G_c` times the section of 10 cm by 10 cm [J].
const WORK: f64 = 1000.0 * 0.01;

fn run(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    for cells in settings.pick(vec![2, 4], vec![1, 2, 3, 4, 6]) {
        let mut sim = simulate(&scene(BAR, &[format!("body.bar.cells={cells}")])?)?;
        run_until(&mut sim, 1.0)?;
        let reason = "connections are found broken up to a step late, at a strain larger by up to 1 %";
        let ratio = sim.ledger().fracture_loss / WORK;
        checks.within(format!("work of fracture / (G_c A), {cells} cells"), ratio, 1.0, 0.03, reason);
    }
    Ok(())
}
