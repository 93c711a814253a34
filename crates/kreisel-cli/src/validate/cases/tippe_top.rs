//! A tippe top of two spheres turns over under point-contact Coulomb friction.
//!
//! That it turns over proves nothing: slip that a solver smears out also turns it over, at another time. The curve `cos α(t)`
//! and the moment at which the stem takes over are compared with an independent integration at the same friction law, at three
//! steps, so that the order shows.

use super::tippe_top_reference::{COS_ALPHA, SPACING, SWITCH};
use crate::validate::case::{Case, Settings};
use crate::validate::check::Checks;
use crate::validate::lab::{energy, rigid, scene, simulate, step};
use kreisel::{DVec3, Simulation};

/// Against the reference.
pub const CASE: Case = Case {
    name: "tippe-top",
    about: "a tippe top turns over at the right time",
    reference: "An independent event-driven integration of rolling and sliding with the same friction law.",
    run,
};
/// Friction pyramids against the cone.
pub const FACETS: Case = Case {
    name: "tippe-facets",
    about: "a tippe top turns over late with few friction facets, and in time with turned ones",
    reference: "The same top on the exact cone.",
    run: run_facets,
};
/// What must not turn over.
pub const STAYS: Case = Case {
    name: "tippe-stays",
    about: "tippe tops that must not turn over do not",
    reference: "Energy: friction takes, and what rolls is not lifted. Where it hangs, two integrators must agree.",
    run: run_stays,
};

const TOP: &str = include_str!("../../../../../scenes/tippe-top.toml");
const G: f64 = 9.81;
/// The stem's tip: centre above the centre of mass, and radius [m].
const TIP: (f64, f64) = (6.8e-3, 2.125e-3);
/// Tilt of the axis at the start [rad].
const TILT: f64 = 0.1;

/// The top on its way.
struct Top {
    sim: Simulation,
    /// Its axis in the frame of the body.
    axis: DVec3,
}

impl Top {
    fn new(overrides: &[String]) -> Result<Self, String> {
        let sim = simulate(&scene(TOP, overrides)?)?;
        let axis = rigid(&sim, "top")?.orientation.inverse() * DVec3::new(TILT.sin(), 0.0, TILT.cos());
        Ok(Self { sim, axis })
    }

    fn cos_alpha(&self) -> Result<f64, String> {
        Ok((rigid(&self.sim, "top")?.orientation * self.axis).z)
    }

    /// Height of the stem's tip above the ground [m].
    fn tip(&self) -> Result<f64, String> {
        Ok(rigid(&self.sim, "top")?.position.z + TIP.0 * self.cos_alpha()? - TIP.1)
    }

    fn run_until(&mut self, time: f64) -> Result<(), String> {
        while self.sim.time() < time {
            step(&mut self.sim)?;
        }
        Ok(())
    }
}

fn settings(integrator: &str, step: f64) -> Vec<String> {
    vec![format!("integrator=\"{integrator}\""), format!("step={step:?}"), format!("frame={step:?}")]
}

/// Largest deviation from the reference's `cos α`, and when the stem touches the ground [s].
fn compare(overrides: &[String]) -> Result<(f64, f64), String> {
    let mut top = Top::new(overrides)?;
    let mut worst: f64 = 0.0;
    for (k, reference) in COS_ALPHA.iter().enumerate() {
        top.run_until(SPACING * k as f64 - 1e-9)?;
        worst = worst.max((top.cos_alpha()? - reference).abs());
    }
    Ok((worst, touches_down(top)?))
}

/// When the tip comes down: a parabola through its last three heights in flight [s].
fn touches_down(mut top: Top) -> Result<f64, String> {
    let mut heights: Vec<(f64, f64)> = Vec::new();
    while top.sim.time() < 1.0 {
        let tip = top.tip()?;
        if tip < 1e-9 {
            break;
        }
        heights.push((top.sim.time(), tip));
        step(&mut top.sim)?;
    }
    let [.., (_, a), (_, b), (t, c)] = heights[..] else { return Ok(f64::NAN) };
    if top.sim.time() >= 1.0 {
        return Ok(f64::NAN);
    }
    let frame = top.sim.model().frame;
    // Height at s frames after t: c + s (c − b + ½ bend) + ½ bend s².
    let bend = c - 2.0 * b + a;
    let slope = c - b + 0.5 * bend;
    let root = slope * slope - 2.0 * bend * c;
    Ok(t + frame * 2.0 * c / (-slope + root.max(0.0).sqrt()))
}

fn run(settings_: &Settings, checks: &mut Checks) -> Result<(), String> {
    let schemes = [
        ("symplectic-euler", 2e-2, 5e-3, "required: 2e-2 and 5 ms at h = 1 ms, a good first-order scheme"),
        ("verlet", 5e-3, 1e-3, "required: 5e-3 at h = 1 ms, second order"),
        ("extrapolated", 2e-4, 1e-4, "required: 2e-4 at h = 1 ms, extrapolated to third order"),
    ];
    for (scheme, bar, switch_bar, reason) in schemes {
        let mut errors = Vec::new();
        for h in settings_.pick(vec![1e-3], vec![1e-3, 5e-4, 2.5e-4]) {
            let (error, switch) = compare(&settings(scheme, h))?;
            checks.at_most(format!("{scheme}, h = {} ms: error of cos α", h * 1e3), error, bar, reason);
            checks.near(
                format!("{scheme}, h = {} ms: switch to the stem [s]", h * 1e3),
                switch,
                SWITCH,
                switch_bar,
                reason,
            );
            errors.push(error);
        }
        if let [first, .., last] = errors[..] {
            let (order, due) = (0.5 * (first / last).log2(), if scheme == "symplectic-euler" { 1.0 } else { 2.0 });
            let reason = "from h = 1 ms to 0.25 ms, at least what the scheme promises less a fifth";
            checks.at_most(
                format!("{scheme}: order short of {due}; measured {order:.2}"),
                (due - order).max(0.0),
                0.2,
                reason,
            );
        }
    }
    Ok(())
}

fn run_facets(settings_: &Settings, checks: &mut Checks) -> Result<(), String> {
    let h = settings_.pick(1e-3, 2.5e-4);
    let (_, cone) = compare(&settings("symplectic-euler", h))?;
    // Without turning, pyramids switch late; turned ones are the cone.
    for (facets, late) in [(4, 0.2), (8, 0.06), (16, 0.02)] {
        let mut overrides = settings("symplectic-euler", h);
        overrides.push(format!("constraint={{ facets = {facets}, isotropic = false }}"));
        let (_, switch) = compare(&overrides)?;
        let reason = "few facets brake less along than between their edges; eight are meant to be enough";
        checks.near(format!("{facets} facets: switch over that of the cone"), switch / cone, 1.0, late, reason);
    }
    let mut overrides = settings("symplectic-euler", h);
    overrides.push("constraint={ facets = 4 }".into());
    let (_, switch) = compare(&overrides)?;
    let reason = "with an edge along the slip a pyramid gives the cone's answer; solvers leave something";
    checks.near("4 facets turned into the slip: switch over that of the cone", switch / cone, 1.0, 1e-3, reason);
    Ok(())
}

fn run_stays(settings_: &Settings, checks: &mut Checks) -> Result<(), String> {
    let end = settings_.pick(0.5, 2.0);
    let rolls = "slip ends soon, and what rolls has no friction that could lift it";
    for (label, word, bar, reason) in [
        ("60 rad/s", "body.top.spin=[0, 0, 60]", 0.03, "too little spin to rise"),
        ("spin about its own axis", "body.top.spin=[38.284, 0, 381.567]", 0.02, rolls),
        ("friction 2", "friction=2", 0.02, rolls),
    ] {
        let mut words = settings("extrapolated", 1e-3);
        words.push(word.into());
        let (lowest, loss) = lowest_cos(&words, end)?;
        checks.near(format!("{label}: lowest cos α in {end} s"), lowest, 1.0, bar, reason);
        checks.at_most(format!("{label}: energy gained [1]"), (-loss).max(0.0), 1e-6, "friction only takes");
    }
    hangs(settings_, checks)
}

/// With friction 1 slip ends on the way: the top hangs there and rolls on.
fn hangs(settings_: &Settings, checks: &mut Checks) -> Result<(), String> {
    let mut found = Vec::new();
    for (integrator, h) in
        settings_.pick(vec![("extrapolated", 1e-3)], vec![("extrapolated", 1e-3), ("verlet", 2.5e-4)])
    {
        let mut words = settings(integrator, h);
        words.push("friction=1".into());
        let mut top = Top::new(&words)?;
        top.run_until(0.6)?;
        let (early, before) = (top.cos_alpha()?, energy(rigid(&top.sim, "top")?, G));
        top.run_until(settings_.pick(0.8, 2.0))?;
        let (late, after) = (top.cos_alpha()?, energy(rigid(&top.sim, "top")?, G));
        let label = format!("friction 1, {integrator}, h = {} ms", h * 1e3);
        checks.near(format!("{label}: cos α changes no more by"), late, early, 0.02, "it rolls; it sways a little");
        checks.near(
            format!("{label}: energy lost after 0.6 s [1]"),
            1.0 - after / before,
            0.0,
            1e-3,
            "rolling takes none",
        );
        found.push(late);
    }
    if let [a, b] = found[..] {
        checks.near("friction 1: where it hangs, by two integrators", a, b, 0.02, "no closed form: they must agree");
    }
    Ok(())
}

/// Lowest `cos α` until a time, and the share of the energy that is lost.
fn lowest_cos(overrides: &[String], end: f64) -> Result<(f64, f64), String> {
    let mut top = Top::new(overrides)?;
    let before = energy(rigid(&top.sim, "top")?, G);
    let mut lowest: f64 = 1.0;
    while top.sim.time() < end {
        step(&mut top.sim)?;
        lowest = lowest.min(top.cos_alpha()?);
    }
    Ok((lowest, 1.0 - energy(rigid(&top.sim, "top")?, G) / before))
}
