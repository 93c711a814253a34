//! Contact forces as arrows, laid over the finished picture: what pushes is often hidden behind what it pushes.

use crate::camera::Camera;
use crate::error::RenderError;
use crate::picture::Picture;
use crate::polygon::{Polygon, hull};
use crate::raster::Screen;
use crate::raster::project::NEAR;
use kreisel::DVec3;
use kreisel_record::{ContactForce, Recording};
use std::f64::consts::TAU;

/// Frames that the largest force is looked for in.
const LOOKED_AT: usize = 200;
/// Length of the arrow of the largest force, as a share of the height of the picture at what the camera looks at.
const LONGEST: f64 = 0.125;
/// Peaks between the frames looked at may be longer than that, so many times at most.
const MOST_BEYOND: f64 = 4.0;
/// Length of a head: a share of the arrow, but no more than a share of the longest.
const HEAD: (f64, f64) = (0.4, 0.22);
/// Radius of a head as a share of its length, and of the shaft as a share of that of the head.
const SLENDER: (f64, f64) = (0.42, 0.3);
/// The shortest arrow that is drawn, and the smallest half width of a shaft [pixels].
const LEAST: (f64, f64) = (1.5, 0.7);
/// Colour: no body and no number has it.
const COLOUR: [u8; 3] = [226, 0, 122];
/// Colour of the rim that sets an arrow off from what is behind it.
const RIM: [u8; 3] = [255, 255, 255];
/// How opaque arrow and rim are.
const OPAQUE: (f64, f64) = (0.85, 0.5);
/// Corners of the base of a head.
const CORNERS: usize = 16;

/// The scale of forces over a whole recording.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrows {
    /// The largest force found [N]; zero if there is none.
    pub(crate) largest: f64,
}

impl Arrows {
    /// Finds the largest force in a recording.
    pub(crate) fn new(recording: &mut Recording) -> Result<Self, RenderError> {
        let mut largest: f64 = 0.0;
        for i in (0..recording.len()).step_by(recording.len().div_ceil(LOOKED_AT).max(1)) {
            let forces = recording.contact_forces(i)?;
            largest = forces.iter().map(|c| c.force.length()).fold(largest, f64::max);
        }
        Ok(Self { largest })
    }

    /// Draws the forces of a frame, the strongest last; an arrow begins where the force acts.
    pub(crate) fn draw(&self, picture: &mut Picture, camera: &Camera, forces: &[ContactForce]) {
        let screen = Screen::new(camera, picture.width, picture.height);
        let longest = LONGEST * picture.height as f64 / screen.scale * camera.eye.distance(camera.target);
        let mut forces: Vec<&ContactForce> = forces.iter().filter(|c| c.force != DVec3::ZERO).collect();
        forces.sort_by(|a, b| a.force.length_squared().total_cmp(&b.force.length_squared()));
        for contact in forces.into_iter().filter(|_| self.largest > 0.0) {
            let share = (contact.force.length() / self.largest).min(MOST_BEYOND);
            let arrow = contact.force.normalize_or_zero() * (share * longest);
            if let Some(shapes) = shapes(&screen, contact.point, arrow, longest) {
                paint(picture, &shapes);
            }
        }
    }
}

/// Draws the arrow of the largest force into a legend, from the middle of its left end [pixels]; returns its length.
pub(crate) fn draw_sample(picture: &mut Picture, left: (f64, f64)) -> f64 {
    let length = LONGEST * picture.height as f64;
    let (head, (x, y)) = (HEAD.1 * length, left);
    let (wide, thin) = (SLENDER.0 * head, SLENDER.0 * SLENDER.1 * head);
    let base = x + length - head;
    let shaft = Polygon::new(vec![(x, y - thin), (base, y - thin), (base, y + thin), (x, y + thin)]);
    let head = Polygon::new(vec![(x + length, y), (base, y - wide), (base, y + wide)]);
    paint(picture, &[shaft, head]);
    length
}

/// Shaft and head of an arrow in the picture: a bar and the outline of a cone. `None`: behind the camera or too small.
fn shapes(screen: &Screen, tail: DVec3, arrow: DVec3, longest: f64) -> Option<[Polygon; 2]> {
    let length = arrow.length();
    let head = (HEAD.0 * length).min(HEAD.1 * longest);
    let direction = arrow.normalize_or_zero();
    let across = direction.any_orthonormal_vector();
    let (base, other) = (tail + direction * (length - head), direction.cross(across));
    let rim = |k: usize| {
        let angle = TAU * k as f64 / CORNERS as f64;
        base + (across * angle.cos() + other * angle.sin()) * (SLENDER.0 * head)
    };
    let depth = screen.to_camera(tail).z;
    if !(depth > NEAR && length * screen.scale / depth >= LEAST.0) {
        return None;
    }
    let cone = (0..CORNERS).map(rim).chain([tail + arrow]).map(|x| seen(screen, x)).collect::<Option<Vec<_>>>()?;
    let thin = (SLENDER.0 * SLENDER.1 * head * screen.scale / depth).max(LEAST.1);
    Some([bar(seen(screen, tail)?, seen(screen, base)?, thin), hull(cone)])
}

/// Where a place is in the picture [pixels], if it is in front of the camera.
fn seen(screen: &Screen, x: DVec3) -> Option<(f64, f64)> {
    let x = screen.to_camera(x);
    (x.z > NEAR).then(|| screen.pixel((x.x / x.z, x.y / x.z)))
}

/// A line of some half width.
fn bar(a: (f64, f64), b: (f64, f64), half: f64) -> Polygon {
    let (x, y) = (b.0 - a.0, b.1 - a.1);
    let length = x.hypot(y).max(1e-9);
    let (nx, ny) = (-y / length * half, x / length * half);
    Polygon::new(vec![(a.0 + nx, a.1 + ny), (b.0 + nx, b.1 + ny), (b.0 - nx, b.1 - ny), (a.0 - nx, a.1 - ny)])
}

/// Lays shapes over a picture as one, with a rim.
fn paint(picture: &mut Picture, shapes: &[Polygon; 2]) {
    let [(left, top, right, bottom), other] = shapes.each_ref().map(Polygon::bounds);
    let (left, top, right, bottom) = (left.min(other.0), top.min(other.1), right.max(other.2), bottom.max(other.3));
    let range = |low: f64, high: f64, most: usize| {
        let last = most as f64;
        (low - 2.0).clamp(0.0, last) as i64..(high + 3.0).clamp(0.0, last) as i64
    };
    for y in range(top, bottom, picture.height) {
        for x in range(left, right, picture.width) {
            let centre = (x as f64 + 0.5, y as f64 + 0.5);
            let outside = shapes[0].distance(centre).min(shapes[1].distance(centre));
            picture.blend(x, y, RIM, OPAQUE.1 * (1.5 - outside).clamp(0.0, 1.0));
            picture.blend(x, y, COLOUR, OPAQUE.0 * (0.5 - outside).clamp(0.0, 1.0));
        }
    }
}
