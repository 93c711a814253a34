//! A deformed shape made the new rest shape, as clay keeps the print of a thumb.
//!
//! Every connection gets its present length as rest length; its stiffness and damper stay, and the strain at which it
//! breaks does. The volume term of a cell sees only its volume, `J ∝ 1/(a b c)`, so its sides are scaled alike until
//! `J = 1` at present. Elements and skins take their present places as the reference configuration. All elastic energy of
//! the body is gone then; the ledger books it under conversion.

use crate::linear::Vectors;
use crate::model::{BodyId, Cell, ConnectionClass, Model, State};
use crate::readout::stress::volume_ratio;
use crate::step::flow::Flow;
use crate::step::ledger;
use crate::step::workspace::Workspace;
use std::fmt;

/// A shape that cannot become a rest shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AdoptError {
    /// There is no such body.
    NoSuchBody(BodyId),
    /// A connection of this body is broken: it has no one shape.
    Broken(String),
    /// This fix moves an element of the body, and moves it from the old rest shape.
    Moving(String),
    /// Matter of this body has been pressed to nothing or turned inside out.
    Collapsed(String),
}

impl fmt::Display for AdoptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchBody(body) => write!(f, "there is no body {}", body.0),
            Self::Broken(body) => write!(f, "body \"{body}\" is broken: it has no one shape to keep"),
            Self::Moving(fix) => write!(f, "fix \"{fix}\" moves the body, counted from its old rest shape"),
            Self::Collapsed(body) => write!(f, "body \"{body}\" is pressed to nothing or turned inside out somewhere"),
        }
    }
}

impl std::error::Error for AdoptError {}

/// The model in which the present shape of some bodies is their rest shape; the ledger of the state follows.
pub fn adopt_shape(model: &Model, state: &mut State, bodies: &[BodyId]) -> Result<Model, AdoptError> {
    let chosen = elements_of(model, bodies)?;
    check(model, state, &chosen)?;
    let mut adopted = model.clone();
    let x = &state.position;
    adopt_connections(&mut adopted, x, &chosen)?;
    adopt_cells(&mut adopted, x, &chosen)?;
    for e in (0..chosen.len()).filter(|&e| chosen[e]) {
        adopted.elements.rest.set(e, x.get(e));
    }
    adopt_skins(&mut adopted, &chosen);
    book(&adopted, state);
    Ok(adopted)
}

/// True for each element of the bodies.
fn elements_of(model: &Model, bodies: &[BodyId]) -> Result<Vec<bool>, AdoptError> {
    let mut chosen = vec![false; model.elements.len()];
    for &id in bodies {
        let body = model.bodies.get(id.0 as usize).ok_or(AdoptError::NoSuchBody(id))?;
        body.elements.iter().for_each(|&e| chosen[e as usize] = true);
    }
    Ok(chosen)
}

fn check(model: &Model, state: &State, chosen: &[bool]) -> Result<(), AdoptError> {
    let torn = state.broken.iter().flat_map(|&c| model.connections.ends[c as usize]);
    if let Some(e) = torn.into_iter().find(|&e| chosen[e as usize]) {
        return Err(AdoptError::Broken(model.body_name(e).into()));
    }
    let moves = |h: &&crate::model::world::Hold| h.motion.is_some() && chosen[h.element as usize];
    match model.holds.iter().find(moves) {
        Some(hold) => Err(AdoptError::Moving(model.fix_names.get(hold.fix as usize).cloned().unwrap_or_default())),
        None => Ok(()),
    }
}

/// Rest lengths of the connections inside the bodies; many of them become classes of their own.
fn adopt_connections(model: &mut Model, x: &Vectors, chosen: &[bool]) -> Result<(), AdoptError> {
    for c in 0..model.connections.len() {
        let [a, b] = model.connections.ends[c];
        let old = model.connections.constants(c);
        let length = x.get(a as usize).distance(x.get(b as usize));
        if !(chosen[a as usize] && chosen[b as usize]) || length == old.rest_length {
            continue;
        }
        if !(length > 0.0 && length.is_finite()) {
            return Err(AdoptError::Collapsed(model.body_name(a).into()));
        }
        let break_length = old.break_length * (length / old.rest_length);
        let class = ConnectionClass { rest_length: length, break_length, ..old };
        let classes = &mut model.connections.classes;
        if classes.last() != Some(&class) {
            classes.push(class);
        }
        model.connections.class[c] = classes.len() as u32 - 1;
    }
    Ok(())
}

/// Sides of the cells inside the bodies, such that their volumes are what they are now.
fn adopt_cells(model: &mut Model, x: &Vectors, chosen: &[bool]) -> Result<(), AdoptError> {
    for k in 0..model.cells.len() {
        let cell = model.cells[k];
        if !cell.corners.iter().all(|&e| chosen[e as usize]) {
            continue;
        }
        let ratio = volume_ratio(&cell, x);
        if !(ratio > 0.0 && ratio.is_finite()) {
            return Err(AdoptError::Collapsed(model.body_name(cell.corners[0]).into()));
        }
        model.cells[k] = Cell { sides: cell.sides.map(|side| side * ratio.cbrt()), ..cell };
    }
    Ok(())
}

/// Skins of the bodies, as they are now.
fn adopt_skins(model: &mut Model, chosen: &[bool]) {
    for skin in &mut model.skins {
        if skin.bindings.elements.iter().any(|&e| chosen[e as usize]) {
            skin.rest = skin.positions(&model.elements.rest);
            skin.surface.vertices.iter_mut().zip(&skin.rest).for_each(|(vertex, rest)| *vertex = *rest);
        }
    }
}

/// The elastic energy that has gone is a loss of the conversion, but for what friction springs held: contacts of the body
/// with itself may let go, as contact begins anew from the new rest shape, and the ledger books that as friction.
fn book(model: &Model, state: &mut State) {
    let mut w = Workspace::default();
    state.epoch += 1;
    w.refresh(model, state);
    let before = state.clone();
    let now = ledger::measure(model, state, &mut w);
    let let_go = before.gripped - state.gripped;
    let conversion = before.ledger.energy() - now.energy() - let_go;
    ledger::close(model, &before, state, &mut w, &Flow { conversion, ..Flow::default() });
}
