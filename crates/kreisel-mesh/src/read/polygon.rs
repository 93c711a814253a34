//! Polygons cut into triangles: a fan if the polygon is convex, otherwise ears [Mei75].

use kreisel::DVec3;

/// Polygons with more corners than this that are not convex are cut as a fan: the time for ears grows with the square.
const MOST_EARS: usize = 1000;

/// Cuts a polygon of `n ≥ 3` corners; calls `emit` with numbers of corners. Says whether the cut may be wrong.
pub fn triangulate(corners: &[DVec3], mut emit: impl FnMut([usize; 3])) -> bool {
    let n = corners.len();
    if n == 3 {
        emit([0, 1, 2]);
        return true;
    }
    let Some(flat) = project(corners) else {
        (1..n.saturating_sub(1)).for_each(|k| emit([0, k, k + 1]));
        return true; // a polygon without area: any cut is as good
    };
    if let Some(first) = fan_corner(&flat) {
        (1..n - 1).for_each(|k| emit([first, (first + k) % n, (first + k + 1) % n]));
        return true;
    }
    if n > MOST_EARS {
        (1..n - 1).for_each(|k| emit([0, k, k + 1]));
        return false;
    }
    ears(&flat, emit)
}

/// Corners in the plane of Newell's normal, in which the polygon is anticlockwise; nothing if it has no area.
fn project(corners: &[DVec3]) -> Option<Vec<[f64; 2]>> {
    let origin = *corners.first()?;
    let next = |k: usize| corners[(k + 1) % corners.len()] - origin;
    let normal: DVec3 = (0..corners.len()).map(|k| (corners[k] - origin).cross(next(k))).sum();
    let normal = normal.try_normalize()?;
    let (u, v) = normal.any_orthonormal_pair();
    // (u, v, normal) may be left-handed: then the polygon would be clockwise.
    let v = if u.cross(v).dot(normal) < 0.0 { -v } else { v };
    Some(corners.iter().map(|x| [(*x - origin).dot(u), (*x - origin).dot(v)]).collect())
}

/// Twice the area of a triangle, positive if anticlockwise.
fn turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// A corner from which a fan has only triangles with positive area: the one with the shorter diagonal of a
/// quadrilateral, or the first of a convex polygon; none if there is none.
fn fan_corner(p: &[[f64; 2]]) -> Option<usize> {
    let n = p.len();
    let good = |first: usize| (1..n - 1).all(|k| turn(p[first], p[(first + k) % n], p[(first + k + 1) % n]) > 0.0);
    if n == 4 {
        let long = |a: usize, b: usize| (p[a][0] - p[b][0]).powi(2) + (p[a][1] - p[b][1]).powi(2);
        let order = if long(0, 2) <= long(1, 3) * (1.0 + 1e-9) { [0, 1] } else { [1, 0] };
        return order.into_iter().find(|&k| good(k));
    }
    let convex = (0..n).all(|k| turn(p[k], p[(k + 1) % n], p[(k + 2) % n]) >= 0.0);
    if !convex { None } else { (0..n.min(8)).find(|&k| good(k)) }
}

/// Cuts ears off; where none is left (crossing edges) the rest becomes a fan and the answer is no.
fn ears(p: &[[f64; 2]], mut emit: impl FnMut([usize; 3])) -> bool {
    let mut left: Vec<usize> = (0..p.len()).collect();
    let (mut at, mut tried) = (0, 0);
    while left.len() > 3 && tried < left.len() {
        let n = left.len();
        let corner = [left[(at + n - 1) % n], left[at % n], left[(at + 1) % n]];
        if is_ear(p, &left, corner) {
            emit(corner);
            left.remove(at % n);
            tried = 0;
        } else {
            tried += 1;
            at += 1;
        }
        at %= left.len();
    }
    (1..left.len() - 1).for_each(|k| emit([left[0], left[k], left[k + 1]]));
    left.len() == 3
}

/// Convex, and no other corner inside.
fn is_ear(p: &[[f64; 2]], left: &[usize], corner: [usize; 3]) -> bool {
    let [a, b, c] = corner.map(|k| p[k]);
    if turn(a, b, c) <= 0.0 {
        return false;
    }
    let inside = |q: [f64; 2]| turn(a, b, q) >= 0.0 && turn(b, c, q) >= 0.0 && turn(c, a, q) >= 0.0;
    let same = |q: [f64; 2]| q == a || q == b || q == c;
    !left.iter().any(|k| !corner.contains(k) && inside(p[*k]) && !same(p[*k]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(corners: &[[f64; 2]]) -> (Vec<[usize; 3]>, f64) {
        let space: Vec<DVec3> = corners.iter().map(|c| DVec3::new(3.0, c[0], c[1])).collect();
        let mut triangles = Vec::new();
        assert!(triangulate(&space, |t| triangles.push(t)));
        let area = |t: &[usize; 3]| turn(corners[t[0]], corners[t[1]], corners[t[2]]) / 2.0;
        assert!(triangles.iter().all(|t| area(t) >= 0.0), "{triangles:?}");
        let sum = triangles.iter().map(area).sum();
        (triangles, sum)
    }

    #[test]
    fn a_dart_is_cut_through_its_dent() {
        let (triangles, area) = cut(&[[0.0, 0.0], [2.0, -1.0], [0.5, 0.0], [2.0, 1.0]]);
        assert!(triangles.iter().all(|t| t.contains(&0) && t.contains(&2)), "{triangles:?}");
        assert!((area - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_comb_with_many_teeth_keeps_its_area() {
        let mut comb = vec![[0.0, 0.0], [20.0, 0.0], [20.0, 5.0]];
        for k in (1..20).rev() {
            comb.push([f64::from(k), if k % 2 == 0 { 5.0 } else { 1.0 }]);
        }
        comb.push([0.0, 5.0]);
        let (triangles, area) = cut(&comb);
        assert_eq!(triangles.len(), comb.len() - 2);
        let n = comb.len();
        let shoelace: f64 = (0..n).map(|k| turn([0.0; 2], comb[k], comb[(k + 1) % n]) / 2.0).sum();
        assert!((area - shoelace).abs() < 1e-9);
    }

    #[test]
    fn a_square_with_points_on_its_sides_uses_all_of_them() {
        let (triangles, area) = cut(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 2.0], [1.0, 2.0], [0.0, 2.0]]);
        assert_eq!(triangles.len(), 4);
        assert!((area - 4.0).abs() < 1e-12);
    }
}
