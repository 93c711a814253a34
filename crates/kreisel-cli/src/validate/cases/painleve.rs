//! Painlevé's rod: so much friction that no finite force holds the sliding end. [Pai95]
//!
//! At 45° with μ = 1.9 and the lower end sliding towards its own side the answer is an impulse without a collision,
//! `(p_t, p_n) → (0.625, 0.375)` as h → 0, with 0.3125 J lost; one Stewart–Trinkle step gives p_n = 0.381131 and 0.375613 for
//! h = 1e-3 and 1e-4 s. Sliding the other way it just slides.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{energy, rigid, scene, simulate};
use kreisel::DVec3;
use kreisel::model::EventKind;

/// The case.
pub const CASE: Case = Case {
    name: "painleve",
    about: "Painlevé's rod jumps by an impulse without a collision, and says so",
    reference: "Painlevé [Pai95]: an impulse without a collision, in closed form for one Stewart–Trinkle step.",
    run,
};

const ROD: &str = include_str!("../../../../../scenes/painleve.toml");
const G: f64 = 9.81;

/// What the first step does.
struct First {
    /// Impulse on the rod [N s].
    p: DVec3,
    /// Energy gained [J].
    gain: f64,
    /// Events that tell of an impulse without a collision.
    told: usize,
}

fn first_step(h: f64, speed: f64) -> Result<First, String> {
    let words = [
        format!("step={h:?}"),
        format!("frame={h:?}"),
        format!("body.rod.velocity=[{speed:?}, 0, 0]"),
        // The figures are those of a gap that is linear in the step.
        "constraint={ tolerance = 1e-12, gap_iterations = 0 }".into(),
    ];
    let mut sim = simulate(&scene(ROD, &words)?)?;
    let before = energy(rigid(&sim, "rod")?, G);
    let report = sim.step().map_err(|e| e.to_string())?;
    let told = report.events.iter().filter(|e| matches!(e.kind, EventKind::Jammed { .. })).count();
    let p = sim.state().shape_contacts.iter().map(|c| c.impulse).sum();
    Ok(First { p, gain: energy(rigid(&sim, "rod")?, G) - before, told })
}

fn run(_: &Settings, checks: &mut Checks) -> Result<(), String> {
    for (h, push) in [(1e-3, 0.381131), (1e-4, 0.375613), (1e-6, 0.375)] {
        let First { p, gain, told } = first_step(h, -1.0)?;
        let reason = "one step of Stewart and Trinkle; its limit for small steps";
        checks.near(format!("h = {h:e} s: normal impulse [N s]"), p.z, push, 1e-5, reason);
        checks.near(format!("h = {h:e} s: impulse along the ground [N s]"), p.x, 0.625, 10.0 * h + 1e-5, reason);
        checks.near(format!("h = {h:e} s: energy gained [J]"), gain, -0.3125, 20.0 * h + 1e-5, reason);
        let once = "nᵀW(n − μd) ≤ 0 in a closed contact that slides is told once";
        checks.near(format!("h = {h:e} s: events `painleve`"), told as f64, 1.0, 0.0, once);
    }
    let First { p, gain, told } = first_step(1e-3, 1.0)?;
    checks.near("the other way: events `painleve`", told as f64, 0.0, 0.0, "nothing is to be told");
    checks.near(
        "the other way: normal impulse per step [N s]",
        p.z,
        0.0,
        0.01,
        "it just slides: no blow, of the order of h m g",
    );
    checks.near("the other way: energy gained [J]", gain, 0.0, 0.02, "friction takes μ p_n per metre");
    Ok(())
}
