//! The ledger closes: what the numerics lose or invent is a small share of what flows, and falls with the step.
//!
//! `ΔE = W_load + W_support − D_damping − D_friction − D_contact − D_fracture − D_conversion + R`. The residual `R` is
//! measured against the turnover, the sum over steps of the magnitudes of all entries' changes, in every scene that comes
//! with the program at its own settings, with impacts, friction, fracture and switches. In a smooth scene it falls with the
//! order of the scheme: symplectic Euler's energy swings with `h`, Verlet's with `h²`.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{run_until, scene, simulate, step, turnover};

/// The residual of every scene.
pub const CASE: Case = Case {
    name: "ledger",
    about: "the energy ledger closes in every scene",
    reference: "Conservation of energy: what is unaccounted for, as a share of all that flowed.",
    run,
};

/// The residual as the step is halved.
pub const ORDER: Case = Case {
    name: "ledger-order",
    about: "the residual of the ledger falls with the order of the scheme",
    reference: "Theory of the schemes: symplectic Euler's energy error swings with h, Verlet's with h².",
    run: order,
};

const BEAM: &str = include_str!("../../../../../scenes/validation/vibrating-beam.toml");
const SPINNING: &str = include_str!("../../../../../scenes/validation/free-body.toml");

/// More bodies than this are a crowd.
const CROWD: usize = 500;

fn run(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    // Variants of the lever take as long as the lever; a quick run looks at one.
    let is_wanted = |name: &str| settings.pick(!name.starts_with("lever-"), true);
    for embedded in kreisel_scene::scenes().iter().filter(|s| is_wanted(s.name)) {
        let setup = scene(embedded.text, &[])?;
        if setup.integrator.is_implicit() {
            continue; // They lose energy by design: see `implicit-ledger`.
        }
        let mut sim = simulate(&setup)?;
        // The start of a scene holds its impacts; a quick run leaves out the rest, of a crowd sooner.
        let start = if setup.bodies.len() > CROWD { 0.2 } else { 1.0 };
        run_until(&mut sim, settings.pick(setup.duration.min(start), setup.duration))?;
        let share = sim.ledger().residual.abs() / turnover(&sim);
        checks.at_most(format!("residual / turnover, {}", embedded.name), share, 0.01, "required: 1 %");
    }
    Ok(())
}

/// Root mean square over frames of the residual [J] with a given number of steps per frame.
fn residual(text: &str, integrator: &str, steps: u32, frames: u32) -> Result<f64, String> {
    let mut setup = scene(text, &[format!("integrator=\"{integrator}\"")])?;
    setup.step = Some(setup.frame / f64::from(steps));
    let mut sim = simulate(&setup)?;
    let mut sum = 0.0;
    for _ in 0..frames {
        step(&mut sim)?;
        sum += sim.ledger().residual.powi(2);
    }
    Ok((sum / f64::from(frames)).sqrt())
}

fn order(_: &Settings, checks: &mut Checks) -> Result<(), String> {
    for (name, text, steps, frames) in [("vibrating beam", BEAM, 16, 60), ("spinning body", SPINNING, 2, 300)] {
        for (integrator, expected) in [("symplectic-euler", 1.0), ("verlet", 2.0)] {
            let (coarse, fine) =
                (residual(text, integrator, steps, frames)?, residual(text, integrator, 2 * steps, frames)?);
            let reason = "leading term of the scheme's error; the next one is a few per cent at these steps";
            checks.near(
                format!("order of the residual, {name}, {integrator}"),
                (coarse / fine).log2(),
                expected,
                0.15,
                reason,
            );
        }
    }
    Ok(())
}
