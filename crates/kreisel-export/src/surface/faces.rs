//! The surface of a box body: its outer faces, quadrilaterals of elements.

use crate::surface::{Mesh, normals};
use kreisel::model::Model;
use kreisel_record::Frame;
use std::collections::BTreeSet;

/// The faces of every body.
pub fn by_body(model: &Model) -> Vec<Vec<[u32; 4]>> {
    let mut faces = vec![Vec::new(); model.bodies.len()];
    for face in &model.faces {
        faces[model.elements.body[face[0] as usize].0 as usize].push(*face);
    }
    faces
}

/// The faces at a frame, two triangles each; a face between whose corners a connection has broken is left out.
pub fn mesh(model: &Model, faces: &[[u32; 4]], frame: &Frame) -> Mesh {
    let mut number = vec![u32::MAX; model.elements.len()];
    let mut mesh = Mesh::default();
    for &e in faces.iter().flatten() {
        if number[e as usize] == u32::MAX {
            number[e as usize] = mesh.vertices.len() as u32;
            mesh.vertices.push(frame.position.get(e as usize));
        }
    }
    let torn = torn_pairs(model, frame);
    for face in faces.iter().filter(|face| !is_torn(&torn, face)) {
        let [a, b, c, d] = face.map(|e| number[e as usize]);
        mesh.triangles.extend([[a, b, c], [a, c, d]]);
    }
    mesh.normals = normals::compute(&mesh.vertices, &mesh.triangles);
    mesh.vertex_origin = (0..mesh.vertices.len() as u32).collect();
    mesh.triangle_origin = (0..mesh.triangles.len() as u32).collect();
    mesh
}

fn torn_pairs(model: &Model, frame: &Frame) -> BTreeSet<[u32; 2]> {
    let ends = &model.connections.ends;
    frame.broken.iter().filter_map(|&c| ends.get(c as usize)).map(|&[a, b]| [a.min(b), a.max(b)]).collect()
}

fn is_torn(torn: &BTreeSet<[u32; 2]>, face: &[u32; 4]) -> bool {
    let mut pairs = (0..4).flat_map(|i| (i + 1..4).map(move |j| [face[i].min(face[j]), face[i].max(face[j])]));
    !torn.is_empty() && pairs.any(|pair| torn.contains(&pair))
}
