//! The scenes that come with Kreisel, and the one to start from.

use crate::diagnostic::{Diagnostic, SceneError};
use crate::suggest::nearest;

/// A scene that comes with Kreisel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmbeddedScene {
    /// What it is called on the command line.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

const fn scene(name: &'static str, text: &'static str) -> EmbeddedScene {
    EmbeddedScene { name, text }
}

static SCENES: [EmbeddedScene; 63] = [
    scene("arch", include_str!("../../../scenes/arch.toml")),
    scene("ball-pit", include_str!("../../../scenes/ball-pit.toml")),
    scene("bar-break", include_str!("../../../scenes/bar-break.toml")),
    scene("beam-part-rigid", include_str!("../../../scenes/beam-part-rigid.toml")),
    scene("beam-soft", include_str!("../../../scenes/beam-soft.toml")),
    scene("billiard", include_str!("../../../scenes/billiard.toml")),
    scene("block-incline", include_str!("../../../scenes/block-incline.toml")),
    scene("bowl", include_str!("../../../scenes/bowl.toml")),
    scene("cantilever", include_str!("../../../scenes/cantilever.toml")),
    scene("card-house", include_str!("../../../scenes/card-house.toml")),
    scene("chain-links", include_str!("../../../scenes/chain-links.toml")),
    scene("column", include_str!("../../../scenes/column.toml")),
    scene("cradle", include_str!("../../../scenes/cradle.toml")),
    scene("crank", include_str!("../../../scenes/crank.toml")),
    scene("dominoes", include_str!("../../../scenes/dominoes.toml")),
    scene("dominoes-spiral", include_str!("../../../scenes/dominoes-spiral.toml")),
    scene("door", include_str!("../../../scenes/door.toml")),
    scene("dumbbell", include_str!("../../../scenes/dumbbell.toml")),
    scene("eccentric-sphere", include_str!("../../../scenes/eccentric-sphere.toml")),
    scene("edge-break", include_str!("../../../scenes/edge-break.toml")),
    scene("falling-block", include_str!("../../../scenes/falling-block.toml")),
    scene("gears", include_str!("../../../scenes/gears.toml")),
    scene("gel-plate", include_str!("../../../scenes/gel-plate.toml")),
    scene("hammer", include_str!("../../../scenes/hammer.toml")),
    scene("hanging-chain", include_str!("../../../scenes/hanging-chain.toml")),
    scene("head-on", include_str!("../../../scenes/head-on.toml")),
    scene("incline", include_str!("../../../scenes/incline.toml")),
    scene("lever", include_str!("../../../scenes/lever.toml")),
    scene("lever-half-rigid", include_str!("../../../scenes/lever-half-rigid.toml")),
    scene("lever-pivot", include_str!("../../../scenes/lever-pivot.toml")),
    scene("lever-rigid", include_str!("../../../scenes/lever-rigid.toml")),
    scene("lever-skins", include_str!("../../../scenes/lever-skins.toml")),
    scene("lever-soft", include_str!("../../../scenes/lever-soft.toml")),
    scene("lever-stiff", include_str!("../../../scenes/lever-stiff.toml")),
    scene("limb", include_str!("../../../scenes/limb.toml")),
    scene("mixed-chain", include_str!("../../../scenes/mixed-chain.toml")),
    scene("painleve", include_str!("../../../scenes/painleve.toml")),
    scene("peg-in-hole", include_str!("../../../scenes/peg-in-hole.toml")),
    scene("pendulum", include_str!("../../../scenes/pendulum.toml")),
    scene("plank", include_str!("../../../scenes/plank.toml")),
    scene("plate-on-feet", include_str!("../../../scenes/plate-on-feet.toml")),
    scene("pyramid", include_str!("../../../scenes/pyramid.toml")),
    scene("radio-by-hand", include_str!("../../../scenes/radio-by-hand.toml")),
    scene("radio-slot", include_str!("../../../scenes/radio-slot.toml")),
    scene("rattleback", include_str!("../../../scenes/rattleback.toml")),
    scene("rigid-flight", include_str!("../../../scenes/rigid-flight.toml")),
    scene("rod-chain", include_str!("../../../scenes/rod-chain.toml")),
    scene("rope", include_str!("../../../scenes/rope.toml")),
    scene("sculpt", include_str!("../../../scenes/sculpt.toml")),
    scene("sheet", include_str!("../../../scenes/sheet.toml")),
    scene("soft-between-plates", include_str!("../../../scenes/soft-between-plates.toml")),
    scene("spinning", include_str!("../../../scenes/spinning.toml")),
    scene("spinning-soft", include_str!("../../../scenes/spinning-soft.toml")),
    scene("spring-beam", include_str!("../../../scenes/spring-beam.toml")),
    scene("stack", include_str!("../../../scenes/stack.toml")),
    scene("stairs", include_str!("../../../scenes/stairs.toml")),
    scene("steel-and-gel", include_str!("../../../scenes/steel-and-gel.toml")),
    scene("tippe-top", include_str!("../../../scenes/tippe-top.toml")),
    scene("tippe-top-captured", include_str!("../../../scenes/tippe-top-captured.toml")),
    scene("tippe-top-hanging", include_str!("../../../scenes/tippe-top-hanging.toml")),
    scene("tippe-top-torsion", include_str!("../../../scenes/tippe-top-torsion.toml")),
    scene("tumbling-top", include_str!("../../../scenes/tumbling-top.toml")),
    scene("turntable", include_str!("../../../scenes/turntable.toml")),
];

/// The scenes that come with Kreisel, sorted by name.
pub fn scenes() -> &'static [EmbeddedScene] {
    &SCENES
}

/// The scene with this name; the error offers the nearest.
pub fn find(name: &str) -> Result<&'static EmbeddedScene, SceneError> {
    SCENES.iter().find(|s| s.name == name).ok_or_else(|| {
        let help = match nearest(name, SCENES.iter().map(|s| s.name)) {
            Some(scene) => format!("did you mean `{scene}`?"),
            None => format!("`kreisel scenes --long` lists the {} that come along", SCENES.len()),
        };
        let message = "there is neither a scene nor a file of this name".to_string();
        SceneError::one(Diagnostic::about_file(name, message, Some(help)))
    })
}

/// A commented scene to start from, for `kreisel new`.
pub fn starter_scene() -> &'static str {
    include_str!("starter.toml")
}
