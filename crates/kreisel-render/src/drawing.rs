//! What is to be drawn: balls, rods, triangles and planes in world coordinates.

use crate::camera::Camera;
use crate::colour::Rgb;
use kreisel::DVec3;

/// The smallest radius of a rod in a picture [pixels].
const THINNEST: f64 = 0.9;

/// A ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Centre [m].
    pub centre: DVec3,
    /// Radius [m].
    pub radius: f64,
    /// Its colour.
    pub colour: Rgb,
}

/// A round rod with round ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rod {
    /// Centres of its ends [m].
    pub ends: [DVec3; 2],
    /// Radius [m].
    pub radius: f64,
    /// Colours of its ends.
    pub colours: [Rgb; 2],
}

/// A triangle; both sides are seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    /// Corners [m].
    pub corners: [DVec3; 3],
    /// Unit normals at the corners.
    pub normals: [DVec3; 3],
    /// Colours of the corners.
    pub colours: [Rgb; 3],
    /// Whether a fine line is drawn along the edge opposite to each corner.
    pub lines: [bool; 3],
}

/// A plane seen from the side that its normal points to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Unit normal.
    pub normal: DVec3,
    /// Distance from the origin along the normal [m].
    pub offset: f64,
    /// Its colour.
    pub colour: Rgb,
    /// Distance of the lines drawn on it [m].
    pub grid: f64,
}

/// All that is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// Balls.
    pub balls: Vec<Ball>,
    /// Rods.
    pub rods: Vec<Rod>,
    /// Triangles.
    pub triangles: Vec<Triangle>,
    /// Planes.
    pub grounds: Vec<Ground>,
}

impl Drawing {
    /// Adds a triangle of one colour that is flat, without lines.
    pub fn add_flat(&mut self, corners: [DVec3; 3], colour: Rgb) {
        let [a, b, c] = corners;
        let normal = (b - a).cross(c - a).normalize_or_zero();
        self.triangles.push(Triangle { corners, normals: [normal; 3], colours: [colour; 3], lines: [false; 3] });
    }

    /// Makes balls and rods at least as thick as can be seen: a chain far away is a line, not nothing.
    pub(crate) fn thicken(&mut self, camera: &Camera, height: usize) {
        let pixel = 2.0 * (0.5 * camera.field_of_view).tan() / height.max(1) as f64;
        let forward = camera.axes().forward;
        let thinnest = |x: DVec3| THINNEST * pixel * forward.dot(x - camera.eye).max(0.0);
        self.balls.iter_mut().for_each(|b| b.radius = b.radius.max(1.5 * thinnest(b.centre)));
        self.rods.iter_mut().for_each(|r| r.radius = r.radius.max(thinnest(r.ends[0].midpoint(r.ends[1]))));
    }

    /// Smallest axis-parallel box around everything bounded [m]; `None` if there is nothing.
    pub fn bounds(&self) -> Option<(DVec3, DVec3)> {
        let balls = self.balls.iter().flat_map(|b| [b.centre - b.radius, b.centre + b.radius]);
        let rods = self.rods.iter().flat_map(|r| r.ends.map(|x| [x - r.radius, x + r.radius])).flatten();
        let corners = self.triangles.iter().flat_map(|t| t.corners);
        let none = (DVec3::splat(f64::INFINITY), DVec3::splat(f64::NEG_INFINITY));
        let (low, high) = balls.chain(rods).chain(corners).fold(none, |(l, h), x| (l.min(x), h.max(x)));
        low.cmple(high).all().then_some((low, high))
    }
}
