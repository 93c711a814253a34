//! Implicit steps of smooth motion: their order as the step is halved, and ten thousand large ones.
//!
//! The error of a scheme of order `p` is `C hᵖ`, so the differences of runs with `h`, `h/2` and `h/4` have the ratio `2ᵖ`.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{run_until, scene, simulate, step};
use kreisel::linear::Vectors;

/// Order of convergence.
pub const ORDER: Case = Case {
    name: "implicit-order",
    about: "implicit steps have their order, with rigid and soft parts in one body",
    reference: "Theory of the schemes: differences of runs with h, h/2 and h/4 have the ratio 2ᵖ.",
    run: order,
};

/// Many large steps.
pub const BOUNDED: Case = Case {
    name: "implicit-bounded",
    about: "ten thousand large implicit steps stay bounded",
    reference: "Stability: the energy must not grow.",
    run: bounded,
};

const FREE_BODY: &str = include_str!("../../../../../scenes/validation/free-body.toml");

/// Where the elements of the chain of rigid and soft links are at a given time, in steps of `h` [s].
fn swung(integrator: &str, h: f64, time: f64) -> Result<Vectors, String> {
    let text = kreisel_scene::find("mixed-chain").map_err(|e| e.to_string())?.text;
    let tight = ["implicit.tolerance=1e-12".to_string(), format!("integrator=\"{integrator}\"")];
    let mut setup = scene(text, &tight)?;
    (setup.frame, setup.step) = (h, Some(h));
    let mut sim = simulate(&setup)?;
    run_until(&mut sim, time)?;
    Ok(sim.state().position.clone())
}

fn distance(a: &Vectors, b: &Vectors) -> f64 {
    let mut difference = a.clone();
    difference.axpy(-1.0, b);
    difference.dot(&difference).sqrt()
}

fn order(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    let (coarse, time) = settings.pick((1e-3, 0.04), (1e-3, 0.1));
    for (integrator, expected) in [("backward-euler", 1.0), ("linear-backward-euler", 1.0), ("midpoint", 2.0)] {
        let runs: Result<Vec<_>, _> = [1.0, 0.5, 0.25].iter().map(|s| swung(integrator, s * coarse, time)).collect();
        let runs = runs?;
        let ratio = distance(&runs[0], &runs[1]) / distance(&runs[1], &runs[2]);
        let reason = "leading term of the error; the next one is some per cent at these steps";
        checks.near(format!("order, {integrator}"), ratio.log2(), expected, 0.15, reason);
    }
    Ok(())
}

fn bounded(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    for integrator in ["backward-euler", "linear-backward-euler", "midpoint"] {
        let overrides = [format!("integrator=\"{integrator}\""), "frame=20 ms".into(), "step=20 ms".into()];
        let mut sim = simulate(&scene(FREE_BODY, &overrides)?)?;
        let count = settings.pick(500, 10_000);
        let (mut early, mut late) = (0.0f64, 0.0f64);
        for k in 0..count {
            step(&mut sim)?;
            let energy = sim.ledger().energy();
            let part = if k < count / 2 { &mut early } else { &mut late };
            *part = part.max(energy);
        }
        let reason = "nothing is driven: energy may ripple, it does not grow";
        checks.at_most(format!("largest energy, second half / first, {integrator}"), late / early, 1.0, reason);
    }
    Ok(())
}
