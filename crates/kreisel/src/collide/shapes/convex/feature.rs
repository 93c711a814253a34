//! The feature of a convex solid that faces a direction: a polygon, a segment or a point.

use super::{Core, Solid, outward};
use crate::collide::shapes::sign;
use glamx::DVec3;

/// Corners of a polygon at most.
const ROOM: usize = 32;

/// Corners of a face that are used at most.
const MOST_CORNERS: usize = 16;

/// A disc that leans less than this [rad] touches with points fixed in it.
const FLAT: f64 = 1e-4;

/// A corner with the two lines that meet there.
#[derive(Clone, Copy, Default)]
pub(super) struct Corner {
    pub x: DVec3,
    pub enter: u16,
    pub leave: u16,
}

/// Corners in order around; two are a segment, one is a point.
#[derive(Clone, Copy, Default)]
pub(super) struct Outline {
    corners: [Corner; ROOM],
    count: usize,
    /// Which feature of the solid.
    pub name: u32,
    /// True for points on a circle.
    pub round: bool,
}

impl Outline {
    pub fn push(&mut self, corner: Corner) {
        if let Some(place) = self.corners.get_mut(self.count) {
            *place = corner;
            self.count += 1;
        }
    }

    pub fn corners(&self) -> &[Corner] {
        &self.corners[..self.count]
    }

    pub fn clear(&mut self) {
        self.count = 0;
    }

    fn around(points: impl Iterator<Item = DVec3>, count: usize, name: u32) -> Self {
        let mut outline = Self { name, ..Self::default() };
        for (k, x) in points.enumerate() {
            let before = (k + count - 1) % count;
            outline.push(Corner { x, enter: before as u16, leave: k as u16 });
        }
        outline
    }
}

impl Solid<'_> {
    /// A flat face by its number, in the world.
    pub(super) fn face(&self, k: u32) -> Outline {
        let place = |v: DVec3| self.frame.to_world(v);
        match self.core {
            Core::Box(h) => Outline::around(box_face(h, k).into_iter().map(place), 4, k),
            Core::Hull(p) => {
                let face = p.faces().get(k as usize).map_or(&[][..], |f| f);
                let step = face.len().div_ceil(MOST_CORNERS).max(1);
                let points = face.iter().step_by(step).map(|&v| place(p.vertices()[v as usize]));
                Outline::around(points, face.len().div_ceil(step), k)
            }
            Core::Cylinder(l, r) => {
                let (z, turn) = if k == 0 { (l, 1.0) } else { (-l, -1.0) };
                // Around the circle from outside, so that no point of the rim is cut off.
                self.circle(z, r / (std::f64::consts::PI / 16.0).cos(), DVec3::X, turn, 16, k)
            }
            Core::Cone(l, r) => self.circle(-l, r / (std::f64::consts::PI / 16.0).cos(), DVec3::X, -1.0, 16, k),
            Core::Triangle(t, _) => Outline::around(t.into_iter().map(place), 3, 0),
            Core::Segment(_) | Core::Ellipsoid(_) => Outline::default(),
        }
    }

    fn circle(&self, z: f64, r: f64, from: DVec3, turn: f64, count: usize, name: u32) -> Outline {
        let (u, v) = (from * r, DVec3::Z.cross(from) * r);
        let at = |k: usize| {
            let (sin, cos) = (turn * k as f64 * std::f64::consts::TAU / count as f64).sin_cos();
            self.frame.to_world(u * cos + v * sin + DVec3::Z * z)
        };
        Outline { round: true, ..Outline::around((0..count).map(at), count, name) }
    }

    /// What faces a direction of the world most, on the surface of the core.
    pub(super) fn facing(&self, direction: DVec3) -> Outline {
        let d = self.frame.turned_back(direction);
        let place = |v: DVec3| self.frame.to_world(v);
        match self.core {
            Core::Segment(l) if l > 0.0 && d.z.abs() < 0.5 => {
                Outline::around([DVec3::Z * l, DVec3::Z * -l].into_iter().map(place), 2, 0)
            }
            Core::Segment(_) | Core::Ellipsoid(_) => Outline::around([self.support(direction)].into_iter(), 1, 0),
            Core::Box(_) | Core::Hull(_) | Core::Triangle(..) => {
                let mut best = (f64::MIN, 0);
                self.core.faces(|k, n, _| {
                    if n.dot(d) > best.0 {
                        best = (n.dot(d), k);
                    }
                });
                self.face(best.1)
            }
            Core::Cylinder(l, r) if d.z.abs() > 0.7 => self.lid(l * sign(d.z), r, d),
            Core::Cylinder(l, r) => {
                let rim = outward(d) * r;
                Outline::around([rim + DVec3::Z * l, rim - DVec3::Z * l].into_iter().map(place), 2, 2)
            }
            Core::Cone(l, r) => {
                let slant = r.hypot(2.0 * l);
                let side = (d.x.hypot(d.y) * 2.0 * l + d.z * r) / slant;
                if -d.z > side {
                    return self.lid(-l, r, d);
                }
                Outline::around([DVec3::Z * l, outward(d) * r - DVec3::Z * l].into_iter().map(place), 2, 2)
            }
        }
    }

    /// Eight points of a rim, from the farthest one on; of a flat one, eight fixed points.
    fn lid(&self, z: f64, r: f64, d: DVec3) -> Outline {
        let from = if d.x.hypot(d.y) > FLAT { outward(d) } else { DVec3::X };
        self.circle(z, r, from, sign(z), 8, u32::from(z < 0.0))
    }
}

/// Corners of face `k` of a box: axis `k/2`, even towards plus.
fn box_face(h: DVec3, k: u32) -> [DVec3; 4] {
    let i = (k / 2) as usize;
    let s = if k.is_multiple_of(2) { 1.0 } else { -1.0 };
    let (n, e, f) = (DVec3::AXES[i % 3] * (s * h[i % 3]), axis(h, i + 1) * s, axis(h, i + 2));
    [n + e + f, n - e + f, n - e - f, n + e - f]
}

fn axis(h: DVec3, i: usize) -> DVec3 {
    DVec3::AXES[i % 3] * h[i % 3]
}
