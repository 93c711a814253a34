//! `kreisel modes`: natural frequencies and shapes of a body.

use crate::arguments::ModesArguments;
use crate::console::{self, short};
use crate::failure::{Failure, STEP_FAILED};
use crate::mesh_scene::scene_around;
use crate::modes_recording;
use crate::run::use_threads;
use crate::scene_input::{self, SceneText};
use kreisel::model::Model;
use kreisel::statics::{Mode, ModeKind, ModeParams, ModePart, Modes, ModesError, solve_modes};
use kreisel_record::RECORDING;
use std::fmt::Write as _;
use std::path::Path;

/// What is asked about: a scene, and a body of it if one is named.
struct Subject {
    scene: SceneText,
    body: Option<String>,
}

/// Finds the modes and prints them; returns the exit code.
pub fn modes(arguments: &ModesArguments) -> Result<i32, Failure> {
    use_threads(arguments.threads)?;
    let subject = find(arguments)?;
    let overrides = overrides(arguments, subject.body.as_deref());
    let scene = scene_input::read(&subject.scene, &overrides, arguments.json)?;
    let sim = scene_input::build(&scene)?;
    let (model, state) = (sim.model(), sim.state());
    let name = choose_body(model, subject.body.as_deref())?;
    let elements = model.bodies.iter().find(|b| b.name == name).map_or(&[][..], |b| &b.elements);
    let part = ModePart::new(model, state, elements);
    let params = ModeParams { count: arguments.count, ..ModeParams::default() };
    let found = solve_modes(&part, &params, None).map_err(|error| failure(&name, &error))?;
    if let Some(directory) = &arguments.out {
        let header = (subject.scene.name.as_str(), subject.scene.text.as_str(), overrides.as_slice());
        modes_recording::write(directory, header, (model, state), &part, &found)?;
    }
    if arguments.json {
        console::print(&to_json(&name, &part, &found).to_string());
    } else {
        console::print(&table(&name, &part, &found));
        print_place(arguments.out.as_deref());
    }
    Ok(0)
}

fn print_place(out: Option<&Path>) {
    if let Some(directory) = out {
        let shown = directory.display();
        console::print(&format!(
            "\nshapes in {shown}: {RECORDING}, two swings of each, two seconds long and exaggerated; try\n  \
             kreisel render {shown} --out modes.gif\n  kreisel export {shown} --to vtu"
        ));
    }
}

/// A mesh, a scene, or SCENE:BODY.
fn find(arguments: &ModesArguments) -> Result<Subject, Failure> {
    let (word, body) = (arguments.body.as_str(), arguments.named.clone());
    if kreisel_mesh::is_mesh_name(word) && kreisel_scene::find(word).is_err() {
        let scene = Path::new(word).with_extension("toml");
        let (text, _) = scene_around(Path::new(word), &scene)?;
        return Ok(Subject { scene: SceneText { name: scene.display().to_string(), text }, body });
    }
    if scene_input::is_scene(word) {
        return Ok(Subject { scene: scene_input::load(word)?, body });
    }
    match word.rsplit_once(':') {
        Some((scene, of_scene)) if scene_input::is_scene(scene) => {
            if body.as_ref().is_some_and(|b| b != of_scene) {
                let what = format!("{word} and --body name two bodies");
                return Err(Failure::input(what, "name one of them"));
            }
            Ok(Subject { scene: scene_input::load(scene)?, body: Some(of_scene.into()) })
        }
        _ => Ok(Subject { scene: scene_input::load(word)?, body }),
    }
}

/// `--young` and the like as overrides of the body, after those of `--set`.
fn overrides(arguments: &ModesArguments, body: Option<&str>) -> Vec<String> {
    let mut all = arguments.overrides.clone();
    let of_body = body.map_or("body[0]".to_string(), |name| format!("body.{name}"));
    let mut set = |field: &str, value: Option<&str>| {
        all.extend(value.map(|value| format!("{of_body}.{field}={value}")));
    };
    set("material", arguments.material.as_deref());
    set("material.young", arguments.young.as_deref());
    set("material.poisson", arguments.poisson.map(|p| p.to_string()).as_deref());
    set("material.density", arguments.density.as_deref());
    set("cells", arguments.cells.map(|c| c.to_string()).as_deref());
    all
}

/// The named body, or the only one.
fn choose_body(model: &Model, name: Option<&str>) -> Result<String, Failure> {
    let names: Vec<String> = model.bodies.iter().map(|b| format!("`{}`", b.name)).collect();
    match (name, model.bodies.as_slice()) {
        (Some(name), bodies) if bodies.iter().any(|b| b.name == name) => Ok(name.into()),
        (Some(name), _) => {
            Err(Failure::input(format!("there is no body `{name}`"), &format!("there is {}", names.join(", "))))
        }
        (None, [only]) => Ok(only.name.clone()),
        (None, []) => Err(Failure::input("the scene has no body", "name a scene with a [[body]]")),
        (None, _) => {
            let help = format!("name one with --body: {}", names.join(", "));
            Err(Failure::input("the scene has several bodies", &help))
        }
    }
}

fn failure(name: &str, error: &ModesError) -> Failure {
    let help = match error {
        ModesError::NoElements | ModesError::NoneWanted => "ask for one mode at least, with --count",
        ModesError::TooMany { available: 0, .. } => "make a part of it soft, such as with --set body.NAME.rigid=false",
        ModesError::TooMany { .. } => "ask for fewer with --count",
        ModesError::BadMass { .. } | ModesError::NoStiffness => "give its material a density and a modulus",
        ModesError::Mechanism { .. } => "join its elements in more directions, or hold them with a fix",
        ModesError::Unstable { .. } => "let it settle first: it is strained where it starts",
        ModesError::NotConverged { .. } | ModesError::NotFinite => "ask for fewer modes, or cut the body coarser",
    };
    let code = if matches!(error, ModesError::NotConverged { .. }) { STEP_FAILED } else { crate::failure::BAD_INPUT };
    Failure { code, ..Failure::input(format!("`{name}` has no modes to show: {error}"), help) }
}

fn word(kind: ModeKind) -> &'static str {
    match kind {
        ModeKind::Rigid => "rigid",
        ModeKind::Elastic => "elastic",
    }
}

fn table(name: &str, part: &ModePart, found: &Modes) -> String {
    let mut page = format!(
        "{name}: {} elements, {} freedoms, {} kg\n\n{:>4} {:>12} {:>12}  {:<8}{:>9}   share of the mass along x, y, z\n",
        part.elements.len(),
        found.freedoms,
        short(part.mass()),
        "mode",
        "f [Hz]",
        "ω [rad/s]",
        "kind",
        "residual",
    );
    for (k, mode) in found.modes.iter().enumerate() {
        let share = |s: f64| format!("{:>6.1} %", 100.0 * s);
        let _ = writeln!(
            page,
            "{:>4} {:>12} {:>12}  {:<8}{:>9.1e}   {} {} {}",
            k + 1,
            long(mode.frequency()),
            long(mode.angular_frequency),
            word(mode.kind),
            mode.residual,
            share(mode.mass_shares.x),
            share(mode.mass_shares.y),
            share(mode.mass_shares.z),
        );
    }
    page
}

/// Six digits: frequencies are compared.
fn long(value: f64) -> String {
    let digits = if value > 0.0 { (5 - value.log10().floor() as i32).max(0) as usize } else { 0 };
    if digits > 9 { format!("{value:.5e}") } else { format!("{value:.digits$}") }
}

fn to_json(name: &str, part: &ModePart, found: &Modes) -> serde_json::Value {
    let mode = |(k, m): (usize, &Mode)| {
        serde_json::json!({
            "number": k + 1,
            "kind": word(m.kind),
            "frequency": m.frequency(),
            "angular_frequency": m.angular_frequency,
            "residual": m.residual,
            "mass_shares": m.mass_shares.to_array(),
        })
    };
    serde_json::json!({
        "body": name,
        "elements": part.elements.len(),
        "freedoms": found.freedoms,
        "mass": part.mass(),
        "iterations": found.iterations,
        "modes": found.modes.iter().enumerate().map(mode).collect::<Vec<_>>(),
    })
}
