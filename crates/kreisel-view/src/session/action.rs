//! What a person can do to a scene; each is an entry of the journal and replays exactly.

use crate::session::hands::Grasp;
use crate::session::palette::Wish;
use crate::session::world::World;
use crate::session::{cutting, hands, holding, parameters, rebuild};
use kreisel::DVec3;
use kreisel::model::BodyId;
use kreisel::step::adopt::adopt_shape;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Something done to the scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Action {
    /// A hand takes an element.
    Grab {
        /// Number of the hand.
        id: u32,
        /// What it takes.
        element: u32,
        /// Where the hand is [m].
        at: [f64; 3],
        /// True: it turns the body instead of pulling it.
        #[serde(default)]
        twist: bool,
        /// True: it takes a rigid body by several elements, so that the body turns with the hand.
        #[serde(default)]
        firm: bool,
    },
    /// A hand moves.
    Pull {
        /// Number of the hand.
        id: u32,
        /// Where it is now [m].
        at: [f64; 3],
        /// How far it is turned since it took hold: axis times angle [rad].
        #[serde(default)]
        turn: [f64; 3],
    },
    /// A hand lets go.
    Release {
        /// Number of the hand.
        id: u32,
    },
    /// Elements become one rigid body.
    MakeRigid {
        /// Which.
        what: Chosen,
    },
    /// Elements become soft.
    MakeSoft {
        /// Which.
        what: Chosen,
    },
    /// Elements stay where they are.
    Fix {
        /// Which.
        what: Chosen,
    },
    /// Elements are not held any more.
    Free {
        /// Which.
        what: Chosen,
    },
    /// Connections that cross the wedge seen from `eye` between the two directions break.
    Cut {
        /// Where the eye is [m].
        eye: [f64; 3],
        /// A point of the one edge [m].
        from: [f64; 3],
        /// A point of the other [m].
        to: [f64; 3],
    },
    /// A new body, no stiffer than the scene's steps bear.
    Drop {
        /// Which of the palette.
        shape: String,
        /// Of which material.
        material: String,
        /// How large [m].
        size: f64,
        /// Where [m].
        at: [f64; 3],
        /// True: it is rigid.
        #[serde(default)]
        rigid: bool,
    },
    /// A body goes away.
    Delete {
        /// Which.
        body: u32,
    },
    /// The present shape of a body becomes its rest shape.
    KeepShape {
        /// Which.
        body: u32,
    },
    /// A parameter gets a value.
    Set {
        /// Which, such as `gravity` or `material.0.young`.
        path: String,
        /// The value.
        value: parameters::Value,
    },
}

/// A body, or some elements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Chosen {
    /// All of a body.
    Body(u32),
    /// These.
    Elements(Vec<u32>),
}

impl Action {
    /// Memory that it takes [bytes].
    pub fn bytes(&self) -> usize {
        let beyond = match self {
            Self::MakeRigid { what } | Self::MakeSoft { what } | Self::Fix { what } | Self::Free { what } => match what
            {
                Chosen::Body(_) => 0,
                Chosen::Elements(list) => 4 * list.capacity(),
            },
            Self::Drop { shape, material, .. } => shape.capacity() + material.capacity(),
            Self::Set { path, value: parameters::Value::Word(word) } => path.capacity() + word.capacity(),
            Self::Set { path, .. } => path.capacity(),
            _ => 0,
        };
        size_of::<Self>() + beyond
    }
}

impl Chosen {
    /// The elements, ascending and each once.
    pub fn elements(&self, world: &World) -> Result<Vec<u32>, String> {
        let mut elements = match self {
            Self::Body(b) => {
                let body = world.model.bodies.get(*b as usize).ok_or_else(|| format!("there is no body {b}"))?;
                body.elements.clone()
            }
            Self::Elements(list) => list.clone(),
        };
        elements.sort_unstable();
        elements.dedup();
        let count = world.model.elements.len();
        match elements.last() {
            None => Err("nothing is selected".into()),
            Some(&last) if last as usize >= count => Err(format!("there is no element {last}")),
            Some(_) => Ok(elements),
        }
    }
}

/// Does it. On failure nothing has changed, and the reason is in plain words.
pub fn apply(world: &mut World, action: &Action) -> Result<(), String> {
    match action {
        Action::Grab { id, element, at, twist, firm } => {
            let grasp = match (twist, firm) {
                (true, _) => Grasp::Turn,
                (false, true) => Grasp::Firm,
                (false, false) => Grasp::Point,
            };
            hands::take(world, *id, *element, DVec3::from_array(*at), grasp)
        }
        Action::Pull { id, at, turn } => hands::pull(world, *id, DVec3::from_array(*at), DVec3::from_array(*turn)),
        Action::Release { id } => {
            hands::release(world, *id);
            Ok(())
        }
        Action::MakeRigid { what } => switch(world, what, true),
        Action::MakeSoft { what } => switch(world, what, false),
        Action::Fix { what } => holding::fix(world, &what.elements(world)?),
        Action::Free { what } => holding::free(world, &what.elements(world)?),
        Action::Cut { eye, from, to } => {
            let [eye, from, to] = [eye, from, to].map(|a| DVec3::from_array(*a));
            cutting::cut(world, eye, from, to)
        }
        Action::Drop { shape, material, size, at, rigid } => {
            let at = DVec3::from_array(*at);
            rebuild::drop_body(world, &Wish { shape, material, size: *size, at, rigid: *rigid })
        }
        Action::Delete { body } => rebuild::delete_body(world, *body),
        Action::KeepShape { body } => keep_shape(world, *body),
        Action::Set { path, value } => parameters::set(world, path, value),
    }
}

fn switch(world: &mut World, what: &Chosen, rigid: bool) -> Result<(), String> {
    let mut elements = what.elements(world)?;
    if rigid {
        // What is rigid already and reaches beyond the selection joins it as a whole.
        let owners: Vec<u32> = elements.iter().map(|&e| world.state.owner[e as usize]).collect();
        let whole = owners.iter().all(|&o| o == owners[0]) && owners[0] != kreisel::model::FREE;
        if whole && world.state.aggregates[owners[0] as usize].elements.len() == elements.len() {
            return Ok(());
        }
    } else {
        elements.retain(|&e| world.state.owner[e as usize] != kreisel::model::FREE);
        if elements.is_empty() {
            return Ok(());
        }
    }
    world.switch(&elements, rigid)
}

fn keep_shape(world: &mut World, body: u32) -> Result<(), String> {
    hands::release_all(world);
    let mut state = world.state.clone();
    let model = adopt_shape(&world.model, &mut state, &[BodyId(body)]).map_err(|e| e.to_string())?;
    world.model = Arc::new(model);
    world.state = state;
    world.setup = None;
    world.version += 1;
    world.forget();
    Ok(())
}
