//! The lever: an impact without bounce against its closed form, and what a rigid beam saves.
//!
//! A mass `M` falls from `H` on a pivoted rigid beam, `a` from the pivot; a payload `m` rests at `b` on the other side.
//! Without bounce the three move as one just after the impact: `ω = M a v / (I + M a² + m b²)`, `v = √(2gH)`. From there
//! one freedom is left, `(I + M a² + m b²) θ″ = (M a − m b) g cos θ`, integrated here on its own.

use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{centre, run_until, scene, simulate, step};
use kreisel::Simulation;
use kreisel_record::cpu_seconds;

/// The impact and the throw.
pub const LAUNCH: Case = Case {
    name: "lever-launch",
    about: "a pivoted lever that is hit without bounce throws as it must",
    reference: "Closed form: ω = M a v/(I + M a² + m b²) just after a plastic impact; then one freedom, integrated on its own.",
    run: launch,
};

/// What a rigid beam saves.
pub const COST: Case = Case {
    name: "lever-cost",
    about: "a stiff beam is cheaper rigid than deformable",
    reference: "None: the saving itself is the figure. Forward Euler must fail, and say where.",
    run: cost,
};

const GRAVITY: f64 = 9.81;
const FALLING: f64 = 600.0;
const PAYLOAD: f64 = 20.0;
const ARM: f64 = 2.0;
const HEIGHT: f64 = 2.0;
/// `m L²/12` of a thin beam of 50 kg and 4 m, as the scene gives it.
const BEAM: f64 = 66.666667;

/// Angle [rad] and angular velocity [rad/s] of the one freedom, `t` after the impact [s].
fn one_freedom(t: f64) -> (f64, f64) {
    let inertia = BEAM + (FALLING + PAYLOAD) * ARM * ARM;
    let (mut angle, mut spin) = (0.0f64, FALLING * ARM * (2.0 * GRAVITY * HEIGHT).sqrt() / inertia);
    let steps = 10_000;
    let h = t / f64::from(steps);
    for _ in 0..steps {
        spin += h * (FALLING - PAYLOAD) * ARM * GRAVITY * angle.cos() / inertia;
        angle += h * spin;
    }
    (angle, spin)
}

/// Angular velocity of the beam [rad/s], from the ends of its elements.
fn beam_spin(sim: &Simulation) -> Result<f64, String> {
    let elements = crate::validate::lab::elements_of(sim, "beam")?;
    let (first, last) = (elements[0], elements[elements.len() - 1]);
    let apart = sim.state().position.get(last) - sim.state().position.get(first);
    let moving = sim.state().velocity.get(last) - sim.state().velocity.get(first);
    Ok(apart.cross(moving).y / apart.length_squared())
}

fn launch(_: &Settings, checks: &mut Checks) -> Result<(), String> {
    let text = kreisel_scene::find("lever-pivot").map_err(|e| e.to_string())?.text;
    let mut sim = simulate(&scene(text, &["output_rate=2000".into()])?)?;
    let impact = (2.0 * HEIGHT / GRAVITY).sqrt();
    // Contacts of this stiffness have come to rest after some milliseconds.
    let settled = 6.5e-3;
    run_until(&mut sim, impact + settled)?;
    let (_, spin) = one_freedom(settled);
    let reason = "contacts give: the impact takes milliseconds";
    checks.within("ω just after the impact, over one freedom [rad/s]", beam_spin(&sim)?, spin, 0.02, reason);
    let speed = centre(&sim, "payload")?.velocity.z;
    checks.within("speed of the payload just after the impact [m/s]", speed, ARM * spin, 0.02, reason);
    // The lower edge of the beam's end, 2.2 m from the pivot and 5 cm below its middle, meets the ground at −1 m.
    let grounded = (1..2000).map(|k| 1e-4 * f64::from(k)).find(|&t| {
        let (angle, _) = one_freedom(t);
        2.2 * angle.sin() + 0.05 * angle.cos() >= 1.0
    });
    let grounded = grounded.ok_or("the beam never meets the ground")?;
    run_until(&mut sim, impact + grounded)?;
    let (angle, _) = one_freedom(grounded);
    let height = ARM * angle.sin() + 0.1 * angle.cos();
    let reason = "the payload rolls outwards and hops over the beam's elements";
    let found = centre(&sim, "payload")?.position.z;
    checks.within("height of the payload when the beam meets the ground [m]", found, height, 0.05, reason);
    Ok(())
}

/// Steps and processor time [s] of one frame of the lever.
fn one_frame(overrides: &[String]) -> Result<(f64, f64), String> {
    let text = kreisel_scene::find("lever").map_err(|e| e.to_string())?.text;
    let mut sim = simulate(&scene(text, overrides)?)?;
    let begin = cpu_seconds();
    step(&mut sim)?;
    Ok((sim.state().steps as f64, cpu_seconds() - begin))
}

fn cost(settings: &Settings, checks: &mut Checks) -> Result<(), String> {
    let stiff = |more: &[&str]| -> Vec<String> {
        let common = ["body.beam.rigid=false", "body.beam.material.like=oak", "body.beam.material.young=11 GPa"];
        common.iter().chain(more).map(|s| s.to_string()).collect()
    };
    let (rigid, deformable) = (one_frame(&[])?, one_frame(&stiff(&[]))?);
    let reason = "a saving at all; the figure is the point";
    checks.at_most("steps of a frame, rigid / stiff deformable beam", rigid.0 / deformable.0, 1.0, reason);
    checks.takes_at_most(
        "processor time of a frame, rigid / stiff deformable beam",
        rigid.1 / deformable.1,
        1.0,
        reason,
    );
    if settings.pick(true, false) {
        return Ok(());
    }
    // The paper's integrator at the step that does for the soft beam; what flies apart takes a while to look through.
    let text = kreisel_scene::find("lever").map_err(|e| e.to_string())?.text;
    let setup = scene(text, &stiff(&["integrator=\"forward-euler\"", "step=0.2 ms"]))?;
    let failed = simulate(&setup)?.run_until(1.0).err();
    let told = failed.as_ref().is_some_and(|e| e.element.is_some());
    let time = failed.filter(|_| told).map_or(f64::INFINITY, |e| e.time);
    let reason = "a step ten times too large cannot hold; the failure names time and element";
    checks.at_most("time at which forward Euler fails at the soft beam's step [s]", time, 1.0, reason);
    Ok(())
}
