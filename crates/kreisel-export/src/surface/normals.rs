//! Normals of vertices: the mean of the adjacent triangles' normals, weighted by their angles.

use kreisel::DVec3;

/// Unit normals of the vertices; a vertex of no triangle with an area looks up.
pub fn compute(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Vec<DVec3> {
    let mut normals = vec![DVec3::ZERO; vertices.len()];
    for triangle in triangles {
        let corners = triangle.map(|v| vertices[v as usize]);
        let n = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
        for k in 0..3 {
            let (ahead, behind) = (corners[(k + 1) % 3] - corners[k], corners[(k + 2) % 3] - corners[k]);
            normals[triangle[k] as usize] += n * angle(ahead, behind);
        }
    }
    normals.into_iter().map(|n| n.normalize_or(DVec3::Z)).collect()
}

fn angle(a: DVec3, b: DVec3) -> f64 {
    a.cross(b).length().atan2(a.dot(b))
}
