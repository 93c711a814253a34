//! The laws of contact as parameters: which one holds, how it is solved, and how coefficients combine.

use crate::session::parameters::{Parameter, Value, check, choice, flag, named, slider, word};
use crate::session::world::World;
use kreisel::model::Model;
use kreisel::model::setup::{
    Combine, ConstraintSettings, ContactSolver, Demands, Gaps, Integrator, Law, RestitutionLaw,
};

const GROUP: &str = "Contact";
const LAWS: [(&str, Law); 2] = [("connections", Law::Connections), ("constraint", Law::Constraint)];
const SOLVERS: [(&str, ContactSolver); 4] = [
    ("automatic", ContactSolver::Automatic),
    ("gauss-seidel", ContactSolver::GaussSeidel),
    ("newton", ContactSolver::Newton),
    ("lemke", ContactSolver::Lemke),
];
const COMBINATIONS: [(&str, Combine); 4] = [
    ("average", Combine::Average),
    ("minimum", Combine::Minimum),
    ("maximum", Combine::Maximum),
    ("multiply", Combine::Multiply),
];
const RESTITUTION_LAWS: [(&str, RestitutionLaw); 2] =
    [("newton", RestitutionLaw::Newton), ("poisson", RestitutionLaw::Poisson)];
const GAPS: [(&str, Gaps); 2] = [("spheres", Gaps::Spheres), ("skins", Gaps::Skins)];
const FACETS: [(&str, u32); 5] = [("cone", 0), ("4", 4), ("8", 8), ("12", 12), ("16", 16)];

/// The integrators that a running scene can have: the choice has been made.
fn integrators() -> impl Iterator<Item = Integrator> {
    kreisel_scene::integrators().iter().copied().filter(|&i| i != Integrator::Automatic)
}

/// The parameters of contact and integrator.
pub fn list(model: &Model) -> Vec<Parameter> {
    let (contact, solve) = (&model.contact, &model.constraint);
    let fitting = integrators().filter(|&i| go_together(model, model.law, i).is_ok());
    let words = fitting.map(kreisel_scene::integrator_word).collect();
    let mut all = vec![
        word("integrator", "World", "integrator", kreisel_scene::integrator_word(model.integrator), words),
        choice("law", GROUP, "law", &LAWS, model.law),
        flag("contact", GROUP, "bodies touch", contact.enabled),
        flag("self-collision", GROUP, "bodies touch themselves", contact.self_collision),
        choice("combine.friction", GROUP, "friction of two", &COMBINATIONS, contact.friction),
        choice("combine.restitution", GROUP, "restitution of two", &COMBINATIONS, contact.restitution),
    ];
    match model.law {
        Law::Connections => all.extend([
            slider("adhesion", GROUP, "adhesion", "", contact.adhesion, (0.0, 0.5)),
            choice("gaps", GROUP, "gaps from", &GAPS, contact.gaps),
        ]),
        Law::Constraint => all.extend([
            choice("constraint.solver", GROUP, "solver", &SOLVERS, solve.solver),
            choice("constraint.facets", GROUP, "friction cone", &FACETS, solve.facets),
            choice("constraint.restitution", GROUP, "restitution by", &RESTITUTION_LAWS, solve.restitution_law),
            flag("constraint.isotropic", GROUP, "pyramid turns with the slip", solve.isotropic),
            Parameter {
                log: true,
                ..slider("constraint.tolerance", GROUP, "tolerance", "", solve.tolerance, (1e-9, 0.1))
            },
            Parameter {
                log: true,
                ..slider("constraint.sweeps", GROUP, "sweeps at most", "", f64::from(solve.sweeps), (1.0, 1e5))
            },
            slider("constraint.gap-iterations", GROUP, "gaps anew", "", f64::from(solve.gap_iterations), (0.0, 6.0)),
            flag("constraint.sleep", GROUP, "what rests sleeps", solve.sleep_after.is_finite()),
        ]),
    }
    all
}

/// Gives one of them a value; `None`: it is not one of them.
pub fn set(world: &mut World, keys: &[&str], value: &Value) -> Option<Result<(), String>> {
    Some(match (keys, value) {
        (["integrator"], Value::Word(w)) => set_integrator(world, w),
        (["law"], Value::Word(w)) => named(&LAWS, w).and_then(|law| set_law(world, law)),
        (["contact"], Value::Flag(on)) => change(world, |m| m.contact.enabled = *on),
        (["self-collision"], Value::Flag(on)) => change(world, |m| m.contact.self_collision = *on),
        (["adhesion"], Value::Number(x)) => {
            check((0.0..=10.0).contains(x), "adhesion").and_then(|()| change(world, |m| m.contact.adhesion = *x))
        }
        (["gaps"], Value::Word(w)) => named(&GAPS, w).and_then(|g| change(world, |m| m.contact.gaps = g)),
        (["combine", "friction"], Value::Word(w)) => {
            named(&COMBINATIONS, w).and_then(|c| change(world, |m| m.contact.friction = c))
        }
        (["combine", "restitution"], Value::Word(w)) => {
            named(&COMBINATIONS, w).and_then(|c| change(world, |m| m.contact.restitution = c))
        }
        (["constraint", key], value) => set_constraint(world, key, value),
        _ => return None,
    })
}

fn set_constraint(world: &mut World, key: &str, value: &Value) -> Result<(), String> {
    match (key, value) {
        ("solver", Value::Word(w)) => named(&SOLVERS, w).and_then(|s| change(world, |m| m.constraint.solver = s)),
        ("facets", Value::Word(w)) => {
            let facets = named(&FACETS, w)?;
            fits(&world.model, Demands { pyramid: facets > 0, ..Demands::of(&world.model) })?;
            change(world, |m| m.constraint.facets = facets)
        }
        ("restitution", Value::Word(w)) => {
            let law = named(&RESTITUTION_LAWS, w)?;
            let poisson = law == RestitutionLaw::Poisson;
            fits(&world.model, Demands { poisson, ..Demands::of(&world.model) })?;
            change(world, |m| m.constraint.restitution_law = law)
        }
        ("isotropic", Value::Flag(on)) => change(world, |m| m.constraint.isotropic = *on),
        ("tolerance", Value::Number(x)) => {
            check((1e-10..=1.0).contains(x), "the tolerance")?;
            change(world, |m| m.constraint.tolerance = *x)
        }
        ("sweeps", Value::Number(x)) => {
            check((1.0..=1e5).contains(x), "the sweeps")?;
            change(world, |m| m.constraint.sweeps = x.round() as u32)
        }
        ("gap-iterations", Value::Number(x)) => {
            check((0.0..=20.0).contains(x), "the iterations")?;
            change(world, |m| m.constraint.gap_iterations = x.round() as u32)
        }
        ("sleep", Value::Flag(on)) => {
            let after = if *on { ConstraintSettings::default().sleep_after } else { f64::INFINITY };
            change(world, |m| m.constraint.sleep_after = after)
        }
        _ => Err(format!("the law `constraint` has no {key} like that")),
    }
}

fn set_integrator(world: &mut World, word: &str) -> Result<(), String> {
    let found = integrators().find(|&i| kreisel_scene::integrator_word(i) == word);
    let integrator = found.ok_or_else(|| format!("there is no integrator {word}"))?;
    go_together(&world.model, world.model.law, integrator)?;
    change(world, |m| m.integrator = integrator)
}

/// Not everything that may be asked of a law goes together.
fn fits(model: &Model, demands: Demands) -> Result<(), String> {
    goes(model.law, model.integrator, demands)
}

/// Not every integrator goes with every law of contact.
fn go_together(model: &Model, law: Law, integrator: Integrator) -> Result<(), String> {
    goes(law, integrator, Demands::of(model))
}

fn goes(law: Law, integrator: Integrator, demands: Demands) -> Result<(), String> {
    kreisel::build::goes_with(law, integrator, demands).map_err(|e| format!("{}: {}", e.message, e.help))
}

/// Another law begins with no memory of the contacts of the first.
fn set_law(world: &mut World, law: Law) -> Result<(), String> {
    let model = &world.model;
    if law == model.law {
        return Ok(());
    }
    if law == Law::Connections && !(model.joints.is_empty() && model.colliders.is_empty()) {
        return Err("joints and exact shapes hold under the law `constraint` only".into());
    }
    go_together(model, law, model.integrator)?;
    world.state.contacts.clear();
    world.state.shape_contacts = Default::default();
    world.state.solver = kreisel::model::SolverMemory::default();
    change(world, |m| m.law = law)
}

fn change(world: &mut World, change: impl FnOnce(&mut Model)) -> Result<(), String> {
    world.change(change);
    Ok(())
}
