//! A chain that hangs from its first element.
//!
//! In the spring above the j-th of n masses hangs the weight of the masses from there on: tension `(n − j + 1) m g`, total
//! extension `m g n(n + 1)/(2k)`. Pulled beyond its strength it breaks where it carries most: at the top.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{run_until, scene, simulate};
use kreisel::model::EventKind;

/// The case.
pub const CASE: Case = Case {
    name: "hanging-chain",
    about: "a hanging chain has the right tensions, and breaks at the top",
    reference: "Statics: tension (n − j + 1) m g above the j-th of n masses, extension m g n(n + 1)/(2k).",
    run,
};

const CHAIN: &str = include_str!("../../../../../scenes/validation/hanging-chain.toml");
const N: usize = 10;
const WEIGHT: f64 = 0.1 * 9.81;
/// `E A / l` [N/m].
const STIFFNESS: f64 = 10e6 * 10e-6 / 0.1;

fn run(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    let mut sim = simulate(&scene(CHAIN, &[])?)?;
    run_until(&mut sim, settings.pick(6.0, 8.0))?;
    let z = &sim.state().position.z;
    let tension = |j: usize| STIFFNESS * (z[j - 1] - z[j] - 0.1);
    let reason = "vibrations have died down to rounding; tension from a difference of positions";
    for j in [1, N / 2, N] {
        let reference = (N - j + 1) as f64 * WEIGHT;
        checks.within(format!("tension of spring {j} of {N} [N]"), tension(j), reference, 1e-6, reason);
    }
    let extension = z[0] - z[N] - 0.1 * N as f64;
    let reference = WEIGHT * (N * (N + 1)) as f64 / (2.0 * STIFFNESS);
    checks.within("extension of the whole [m]", extension, reference, 1e-6, reason);
    let first = first_break(10.0)?;
    checks.near("number of the spring that breaks first", f64::from(first), 0.0, 0.0, "the top one, numbered 0");
    Ok(())
}

/// The connection that breaks first when the last element is pulled down slowly with more and more force.
fn first_break(force: f64) -> Result<u32, String> {
    // The top spring breaks at 1000 N/m · 10 cm · 0.15 = 15 N; it carries 9.81 N by its own weight.
    let overrides = ["body.chain.material.breaks=true".into(), "body.chain.material.fracture_strain=0.15".into()];
    let mut setup = scene(CHAIN, &overrides)?;
    let pull = format!(
        "[[load]]\nwhere = {{ body = \"chain\", element = {N} }}\nforce = [0, 0, {}]\nprofile = {{ ramp = [1, 7] }}",
        -force
    );
    setup.loads = scene(&format!("{CHAIN}\n{pull}"), &[])?.loads;
    let mut sim = simulate(&setup)?;
    // Hung up straight, the chain would fall into its springs: it starts stretched by its weight.
    let mut state = sim.state().clone();
    let mut z = 0.0;
    for j in 1..=N {
        z -= 0.1 + (N - j + 1) as f64 * WEIGHT / STIFFNESS;
        state.position.z[j] = z;
    }
    sim = kreisel::Simulation::resume(&setup, state).map_err(|e| e.to_string())?;
    let events = sim.run_until(8.0).map_err(|e| e.to_string())?;
    let broke = events.iter().find_map(|e| match e.kind {
        EventKind::Broke { connection, .. } => Some(connection),
        _ => None,
    });
    broke.ok_or_else(|| "the chain does not break".into())
}
