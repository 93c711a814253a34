//! Box against box: the separating axis among the fifteen, then the face of the one clipped by the face of the other. [Eri05 ch. 4.4]

mod edges;
mod faces;

use super::{Frame, Look, Touch, keep_next};
use glamx::{DMat3, DVec3};

/// How much better an axis of lower standing must be to be taken, relative to the smallest half side: resting boxes must not change their mind.
const BIAS: f64 = 1e-4;

/// Two edges whose angle has a sine below this count as parallel: a face does as well.
const PARALLEL: f64 = 1e-3;

/// Both boxes, B in the frame of A.
struct Pair {
    ha: DVec3,
    hb: DVec3,
    /// Axes of B in the frame of A.
    c: DMat3,
    /// Centre of B in the frame of A.
    t: DVec3,
    /// Centre of B minus centre of A, in the frame of B.
    tb: DVec3,
}

/// An axis with the separation along it.
#[derive(Clone, Copy)]
struct Axis {
    separation: f64,
    i: usize,
    j: usize,
}

/// Appends the points; false if the boxes may be near but neither faces nor edges lie above each other.
pub(super) fn touch((ha, a): (DVec3, &Frame), (hb, b): (DVec3, &Frame), look: Look, out: &mut Vec<Touch>) -> bool {
    let (first, margin) = (out.len(), look.margin);
    let turn = a.r.transpose();
    let (c, t) = (turn * b.r, turn * (b.x - a.x));
    let pair = Pair { ha, hb, c, t, tb: c.transpose() * t };
    let Some((face_a, face_b)) = pair.face_axes(margin) else { return true };
    let bias = BIAS * ha.min_element().min(hb.min_element());
    // The greater face is asked first.
    let area = |h: DVec3, i: usize| h[(i + 1) % 3] * h[(i + 2) % 3];
    let favour = if area(ha, face_a.i) >= area(hb, face_b.i) { bias } else { -bias };
    let by_a = face_a.separation + favour >= face_b.separation;
    let face = face_a.separation.max(face_b.separation);
    let edge = match pair.edge_axis(face, bias, margin) {
        Ok(edge) => edge,
        Err(Apart) => return true,
    };
    let by_edges = edge.is_some_and(|edge| edges::touch(&pair, edge, a, b, margin, out));
    if by_edges && !look.soon {
        return true;
    }
    let from = out.len();
    match by_a {
        true => faces::touch(&pair, face_a.i, a, margin, out),
        false => faces::touch_swapped(&pair, face_b.i, b, margin, out),
    }
    if by_edges {
        keep_next(out, first, from);
    }
    by_edges || out.len() > first
}

/// The boxes are farther apart than the margin.
struct Apart;

impl Pair {
    /// The face normals of A and of B with the greatest separation; nothing if that is more than the margin.
    fn face_axes(&self, margin: f64) -> Option<(Axis, Axis)> {
        let (ha, hb) = (self.ha, self.hb);
        let c = DMat3::from_cols(self.c.x_axis.abs(), self.c.y_axis.abs(), self.c.z_axis.abs());
        let by_a = self.t.abs() - ha - c * hb;
        let by_b = self.tb.abs() - hb - c.transpose() * ha;
        let greatest = |s: DVec3| {
            let i = s.max_position();
            Axis { separation: s[i], i, j: i }
        };
        let (a, b) = (greatest(by_a), greatest(by_b));
        (a.separation < margin && b.separation < margin).then_some((a, b))
    }

    /// The best of the nine axes `a_i × b_j` if it beats the faces by more than the bias.
    fn edge_axis(&self, face: f64, bias: f64, margin: f64) -> Result<Option<Axis>, Apart> {
        let (ha, hb) = (self.ha.to_array(), self.hb.to_array());
        let t = self.t.to_array();
        let c = self.c.to_cols_array_2d();
        let mut best = Axis { separation: face + bias, i: 3, j: 3 };
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            for i in 0..3 {
                let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
                let along = (t[i2] * c[j][i1] - t[i1] * c[j][i2]).abs();
                let reach_a = ha[i1] * c[j][i2].abs() + ha[i2] * c[j][i1].abs();
                let reach_b = hb[j1] * c[j2][i].abs() + hb[j2] * c[j1][i].abs();
                let scaled = along - reach_a - reach_b;
                // The axis is shorter than one, so an overlap only grows when divided by its length.
                if scaled <= best.separation.min(0.0) {
                    continue;
                }
                let length = (1.0 - c[j][i] * c[j][i]).max(0.0).sqrt();
                if length > PARALLEL && scaled / length > best.separation {
                    best = Axis { separation: scaled / length, i, j };
                }
            }
        }
        match best.i {
            3 => Ok(None),
            _ if best.separation >= margin => Err(Apart),
            _ => Ok(Some(best)),
        }
    }
}
