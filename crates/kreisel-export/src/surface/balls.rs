//! Elements without a surface: a ball of the contact radius each, an icosahedron, once refined if they are few.

use crate::surface::Mesh;
use kreisel::DVec3;
use kreisel::model::Model;
use kreisel_record::Frame;
use std::collections::BTreeMap;

/// Up to this many balls are drawn round; more of them as icosahedra.
const FEW: usize = 500;

/// The balls at a frame.
pub fn mesh(model: &Model, elements: &[u32], frame: &Frame) -> Mesh {
    let (points, triangles) = unit_ball(if elements.len() <= FEW { 1 } else { 0 });
    let mut mesh = Mesh::default();
    for &e in elements.iter().filter(|&&e| (e as usize) < frame.position.len()) {
        let (centre, turn) = pose_of(frame, e as usize);
        let first = mesh.vertices.len() as u32;
        mesh.normals.extend(points.iter().map(|&n| turn * n));
        mesh.vertices.extend(points.iter().map(|&n| centre + turn * n * model.elements.radius[e as usize]));
        mesh.triangles.extend(triangles.iter().map(|t| t.map(|v| v + first)));
    }
    mesh.vertex_origin = (0..mesh.vertices.len() as u32).collect();
    mesh.triangle_origin = (0..mesh.triangles.len() as u32).collect();
    mesh
}

/// Place and orientation of an element: it turns with the aggregate that carries it.
fn pose_of(frame: &Frame, e: usize) -> (DVec3, kreisel::DQuat) {
    let pose = frame.owner.get(e).and_then(|&owner| frame.poses.get(owner as usize));
    (frame.position.get(e), pose.map_or(kreisel::DQuat::IDENTITY, |p| p.orientation))
}

/// Points of the unit sphere and triangles between them: an icosahedron, each triangle split in four `levels` times.
fn unit_ball(levels: u32) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let golden = (1.0 + 5_f64.sqrt()) / 2.0;
    let signs = [(-1.0, golden), (1.0, golden), (-1.0, -golden), (1.0, -golden)];
    let turns = [|a, b| DVec3::new(a, b, 0.0), |a, b| DVec3::new(0.0, a, b), |a, b| DVec3::new(b, 0.0, a)];
    let mut points: Vec<DVec3> =
        turns.iter().flat_map(|turn| signs.map(|(a, b)| turn(a, b))).map(DVec3::normalize).collect();
    let mut triangles = hull(&points);
    for _ in 0..levels {
        triangles = split(&mut points, &triangles);
    }
    (points, triangles)
}

/// The triangles of three mutually nearest points, seen from outside.
fn hull(points: &[DVec3]) -> Vec<[u32; 3]> {
    let n = points.len();
    let is_edge = |i: usize, j: usize| points[i].distance(points[j]) < 1.1;
    let mut triangles = Vec::new();
    for i in 0..n {
        for j in (i + 1..n).filter(|&j| is_edge(i, j)) {
            for k in (j + 1..n).filter(|&k| is_edge(i, k) && is_edge(j, k)) {
                let outwards = points[i].dot(points[j].cross(points[k])) > 0.0;
                triangles.push(if outwards { [i, j, k] } else { [i, k, j] }.map(|v| v as u32));
            }
        }
    }
    triangles
}

fn split(points: &mut Vec<DVec3>, triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut middles: BTreeMap<[u32; 2], u32> = BTreeMap::new();
    let mut middle = |a: u32, b: u32| {
        *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
            points.push((points[a as usize] + points[b as usize]).normalize());
            points.len() as u32 - 1
        })
    };
    let quarters = |&[a, b, c]: &[u32; 3]| {
        let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
        [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
    };
    triangles.iter().flat_map(quarters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball_is_closed_looks_outwards_and_fills_most_of_the_sphere() {
        for (level, vertices, faces, share) in [(0, 12, 20, 0.60), (1, 42, 80, 0.87)] {
            let (points, triangles) = unit_ball(level);
            assert_eq!((points.len(), triangles.len()), (vertices, faces));
            let sixfold = |t: &[u32; 3]| {
                let [a, b, c] = t.map(|v| points[v as usize]);
                a.dot(b.cross(c))
            };
            assert!(triangles.iter().all(|t| sixfold(t) > 0.0));
            let volume: f64 = triangles.iter().map(sixfold).sum::<f64>() / 6.0;
            assert!((volume / (4.0 / 3.0 * std::f64::consts::PI) - share).abs() < 0.01, "{volume}");
        }
    }
}
