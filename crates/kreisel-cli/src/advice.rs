//! What the user should know about the step that is taken.

use crate::console::short;
use kreisel::Simulation;
use kreisel::model::Model;
use kreisel::model::setup::Integrator;
use kreisel::step::StepReport;
use kreisel_record::{Contacting, SolvedBy, Solving};

/// What there is to say about the steps of a frame: warnings that belong into the summary.
pub fn warnings(model: &Model, report: &StepReport) -> Vec<String> {
    [too_large(model, report), forward_euler(model, report), made_again(report)].into_iter().flatten().collect()
}

/// Which integrator takes the steps, and why.
pub fn integrator_line(sim: &Simulation) -> String {
    let (integrator, reason) = sim.integrator();
    let kind = if integrator.is_implicit() { "implicit" } else { "explicit" };
    format!("{} ({kind}): {reason}", kreisel_scene::integrator_word(integrator))
}

/// What implicit steps have cost.
pub fn solving_line(solving: &Solving) -> String {
    let Solving { steps, newton_iterations, linear_iterations, solver, largest_residual, .. } = solving;
    let mean = |n: u64| short(n as f64 / (*steps).max(1) as f64);
    let retries = match (solving.retries, &solving.retry_reason) {
        (0, _) => "no step made again".to_string(),
        (n, why) => format!("{n} made again with half the step ({})", why.as_deref().unwrap_or("no reason known")),
    };
    format!(
        "{steps} steps, {newton_iterations} Newton iterations ({} a step), {linear_iterations} linear ({} a step, {solver}); \
         {retries}; largest residual {}",
        mean(*newton_iterations),
        mean(*linear_iterations),
        short(*largest_residual)
    )
}

/// Which solvers the islands took.
fn solvers(by: &SolvedBy) -> String {
    let all = [("sweeps", by.sweeps), ("Newton", by.newton), ("Lemke", by.lemke)];
    let taken: Vec<String> = all.iter().filter(|(_, n)| *n > 0).map(|(name, n)| format!("{name}: {n}")).collect();
    if taken.is_empty() { "no solver: all at rest".into() } else { taken.join(", ") }
}

/// What contact problems have cost.
pub fn contact_line(contact: &Contacting) -> String {
    let Contacting { steps, sweeps, newton_steps, solved_by, steps_in_time, joint_gap, unconverged, largest_residual } =
        contact;
    let mean = |n: u64| short(n as f64 / (*steps).max(1) as f64);
    let left = match unconverged {
        0 => "all islands solved".to_string(),
        n => format!("{n} islands kept more than the tolerance"),
    };
    let open = match *joint_gap {
        0.0 => String::new(),
        gap => format!("; joints stayed open by up to {} m", short(gap)),
    };
    let in_time = match steps_in_time {
        0 => String::new(),
        n => format!("; {n} steps were of second order, to meet blows one after the other"),
    };
    format!(
        "{} sweeps and {} Newton steps a step; islands by {}; {left}; largest residual {} m/s{open}{in_time}",
        mean(*sweeps),
        mean(*newton_steps),
        solvers(solved_by),
        short(*largest_residual)
    )
}

/// The step, how many make a frame, and what sets it.
pub fn step_line(model: &Model, report: &StepReport) -> String {
    let steps = if report.substeps == 1 { "1 step".into() } else { format!("{} steps", report.substeps) };
    format!("step {} s, {steps} per frame; {}", short(report.step), limiter(model, report))
}

/// What limits the step.
fn limiter(model: &Model, report: &StepReport) -> String {
    if report.limited_by_joints {
        return "what hangs on joints swings or turns too fast for a longer one".into();
    }
    let Some(element) = report.limiting_element.filter(|_| report.stable_step.is_finite()) else {
        return "nothing vibrates that could limit it".into();
    };
    let body = body_of(model, element);
    let stable = short(report.stable_step);
    if model.integrator.is_implicit() {
        let times = short(report.step / report.stable_step);
        return format!("{times} times what explicit steps allow, which element {element} of \"{body}\" limits");
    }
    format!("stable up to {stable} s, which element {element} of \"{body}\" limits")
}

fn body_of(model: &Model, element: u32) -> &str {
    let body = model.elements.body.get(element as usize).and_then(|b| model.bodies.get(b.0 as usize));
    body.map_or("", |b| b.name.as_str())
}

/// The scene gives a step that stability does not allow.
fn too_large(model: &Model, report: &StepReport) -> Option<String> {
    let given = model.step.filter(|_| !model.integrator.is_implicit())?;
    // The last frame may be shorter than the others.
    let (taken, span) = (report.step, report.step * report.substeps as f64);
    let even = span / (span / given - 1e-9).ceil().max(1.0);
    (taken < even * (1.0 - 1e-6) && taken < 0.999 * model.frame).then(|| {
        format!(
            "the step of {} s that the scene gives is too large: substeps of {} s are taken; {}",
            short(given),
            short(taken),
            limiter(model, report)
        )
    })
}

/// An implicit step had no solution at its size.
fn made_again(report: &StepReport) -> Option<String> {
    let why = report.solver_trouble.as_deref().filter(|_| report.retries > 0)?;
    Some(format!("a step before {} s had to be made again with half its size: {why}", short(report.time)))
}

/// Forward Euler multiplies an oscillation of frequency ω by √(1 − hc/m + h²ω²) in a step: it grows unless `h ≤ c/k`.
fn forward_euler(model: &Model, report: &StepReport) -> Option<String> {
    if model.integrator != Integrator::ForwardEuler {
        return None;
    }
    let teaching = "forward Euler is there for teaching; the default integrator costs the same and is stable";
    let springs = model.connections.classes.iter().filter(|c| c.stiffness > 0.0);
    let limit = springs.map(|c| c.damping / c.stiffness).fold(f64::INFINITY, f64::min);
    let step = short(report.step);
    Some(if report.step > report.stable_step {
        format!("the step of {step} s is unstable: the motion will grow without bound; {teaching}")
    } else if limit == 0.0 {
        format!("without damping, vibrations grow at every step of any size; {teaching}")
    } else if report.step > limit {
        format!(
            "with this damping, vibrations grow unless the step is below {} s (it is {step} s); {teaching}",
            short(limit)
        )
    } else {
        teaching.into()
    })
}
