//! A model from a file is looked through once, so that nothing after it reaches beyond an array.

use crate::error::ExportError;
use kreisel::model::{Bindings, Model, Skin, Surface};

/// Refuses a model whose parts do not go together.
pub fn check(model: &Model) -> Result<(), ExportError> {
    elements(model).and_then(|()| joints(model)).and_then(|()| skins(model)).map_err(ExportError::Model)
}

fn elements(model: &Model) -> Result<(), String> {
    let e = &model.elements;
    let n = e.len();
    let lengths = [
        e.rest.x.len(),
        e.rest.y.len(),
        e.rest.z.len(),
        e.radius.len(),
        e.material.len(),
        e.body.len(),
        e.component.len(),
    ];
    if lengths.iter().any(|&length| length != n) {
        return Err(format!("its arrays are not all of {n} elements"));
    }
    if !e.rest.is_finite() {
        return Err("an element rests nowhere".into());
    }
    below("the material of an element", e.material.iter().map(|m| m.0.into()), model.materials.len())?;
    below("the body of an element", e.body.iter().map(|b| b.0), model.bodies.len())?;
    below("an element of a body", model.bodies.iter().flat_map(|b| b.elements.iter().copied()), n)
}

fn joints(model: &Model) -> Result<(), String> {
    let (n, c) = (model.elements.len(), &model.connections);
    if c.class.len() != c.ends.len() {
        return Err("it has not one class per connection".into());
    }
    below("the class of a connection", c.class.iter().copied(), c.classes.len())?;
    below("the end of a connection", c.ends.iter().flatten().copied(), n)?;
    below("the corner of a cell", model.cells.iter().flat_map(|c| c.corners), n)?;
    below("the corner of a face", model.faces.iter().flatten().copied(), n)
}

fn skins(model: &Model) -> Result<(), String> {
    below("the body of a skin", model.skins.iter().map(|s| s.body.0), model.bodies.len())?;
    model.skins.iter().try_for_each(|skin| {
        surface(&skin.surface)?;
        triangles(skin)?;
        bindings(&skin.bindings, skin.rest.len(), model.elements.len())
    })
}

fn triangles(skin: &Skin) -> Result<(), String> {
    if skin.rest.len() < skin.surface.vertices.len() || skin.origin.len() != skin.triangles.len() {
        return Err("a skin has fewer vertices than its surface, or not one origin per triangle".into());
    }
    if skin.rest.iter().any(|x| !x.is_finite()) {
        return Err("a vertex of a skin rests nowhere".into());
    }
    below("the corner of a skin's triangle", skin.triangles.iter().flatten().copied(), skin.rest.len())?;
    below("the origin of a skin's triangle", skin.origin.iter().copied(), skin.surface.triangles.len())
}

fn surface(surface: &Surface) -> Result<(), String> {
    let (vertices, trace) = (surface.vertices.len(), &surface.trace);
    let of_file = if trace.vertices.is_empty() { vertices } else { trace.vertices.len() };
    for list in [trace.corners.len(), trace.uv_corners.len()] {
        if list != 0 && list != surface.triangles.len() {
            return Err("the trace of a surface has not one entry per triangle".into());
        }
    }
    below("the corner of a surface's triangle", surface.triangles.iter().flatten().copied(), vertices)?;
    below("a vertex of a file", trace.vertices.iter().copied(), vertices)?;
    below("the corner of a file's triangle", trace.corners.iter().flatten().copied(), of_file)?;
    below("the texture corner of a triangle", trace.uv_corners.iter().flatten().copied(), trace.uvs.len())
}

fn bindings(bindings: &Bindings, points: usize, elements: usize) -> Result<(), String> {
    let (starts, entries) = (&bindings.starts, bindings.elements.len());
    let ordered = starts.windows(2).all(|w| w[0] <= w[1]) && starts.last().is_some_and(|&s| s as usize == entries);
    if starts.len() != points + 1 || !ordered || bindings.weights.len() != entries {
        return Err("what a skin rides on is not listed per vertex".into());
    }
    below("the element of a binding", bindings.elements.iter().copied(), elements)
}

fn below(what: &str, mut numbers: impl Iterator<Item = u32>, limit: usize) -> Result<(), String> {
    match numbers.find(|&i| i as usize >= limit) {
        Some(i) => Err(format!("{what} is {i}, but there are {limit}")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_beyond_the_arrays_are_refused_with_the_number() {
        let mut model = Model::default();
        assert!(check(&model).is_ok());
        model.faces = vec![[0, 1, 2, 7]];
        let error = check(&model).err().map(|e| e.to_string()).unwrap_or_default();
        assert!(error.contains("corner of a face is 0, but there are 0"), "{error}");
        model.faces.clear();
        model.skins = vec![Skin::default()];
        assert!(check(&model).is_err(), "a skin of no body");
    }
}
