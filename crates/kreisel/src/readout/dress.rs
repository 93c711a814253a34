//! Skins for exact bodies, for whoever draws or exports them: contact goes by their shapes, and a thousand balls that nobody
//! looks at need no triangles.

use crate::model::{BodyId, Collider, Model, Skin, Surface};

/// Round shapes of scenes with at most so many shapes are drawn with `FINE` sides, those of crowds with `COARSE`.
const FEW: usize = 200;
const FINE: usize = 40;
const COARSE: usize = 16;

/// Gives a skin to every exact body that has none.
pub fn dress(model: &mut Model) {
    let mut worn = vec![false; model.bodies.len()];
    model.skins.iter().for_each(|s| worn[s.body.0 as usize] = true);
    let naked = (0..model.bodies.len()).filter(|&b| !worn[b]);
    let skins: Vec<Skin> = naked.filter_map(|b| exact_skin(model, BodyId(b as u32))).collect();
    model.skins.extend(skins);
    model.skins.sort_by_key(|s| s.body.0);
}

/// The skin of an exact body: triangles around its shapes, riding on its four elements.
pub fn exact_skin(model: &Model, body: BodyId) -> Option<Skin> {
    // Colliders come in the order of their bodies.
    let first = model.colliders.partition_point(|c| c.body.0 < body.0);
    let shapes: Vec<&Collider> = model.colliders[first..].iter().take_while(|c| c.body == body).collect();
    let &[a, b, c, d] = model.bodies.get(body.0 as usize)?.elements.as_slice() else { return None };
    let sides = if model.colliders.len() > FEW { COARSE } else { FINE };
    let surface = Surface::of_shapes(shapes.iter().map(|c| (&c.shape, c.rest.0, c.rest.1)), sides);
    let ridden = [a, b, c, d].map(|e| (e, model.elements.rest.get(e as usize)));
    (!shapes.is_empty()).then(|| Skin::on_four(surface, body, ridden))
}
