//! A camera that sees everything, the whole time.

use crate::camera::{Camera, CameraChoice};
use kreisel::DVec3;
use kreisel::model::{Model, weights_on_four};
use kreisel_record::Frame;

/// From where everything is seen if nothing is said.
const SIDE: DVec3 = DVec3::new(0.62, -1.0, 0.42);
/// Free space around, as a share of the picture.
const MARGIN: f64 = 1.16;
/// Share of the places at either end that need not be seen later on: what flies off does not make the rest tiny.
const STRAY: f64 = 0.02;

/// The camera of a whole recording, and the body it follows.
#[derive(Clone, Debug)]
pub(crate) struct Framing {
    camera: Camera,
    /// Elements of the body that it follows; empty: it stands still.
    followed: Vec<u32>,
    /// Where that body was at first [m].
    start: DVec3,
}

impl Framing {
    /// Chooses a camera that fits the frames into a picture of that aspect (width over height).
    pub(crate) fn new(model: &Model, choice: &CameraChoice, frames: &[Frame], aspect: f64) -> Self {
        let name = model.view.follow.as_ref();
        let body = name.and_then(|name| model.bodies.iter().find(|b| &b.name == name));
        let followed = body.map_or(Vec::new(), |b| b.elements.clone());
        let start = frames.first().map_or(DVec3::ZERO, |f| middle(&followed, f));
        let mut framing = Self { camera: fallback(), followed, start };
        let points = framing.points(model, frames);
        framing.camera = framing.choose(model, choice, &points, aspect);
        framing
    }

    /// The camera at a frame.
    pub(crate) fn camera(&self, frame: &Frame) -> Camera {
        let shift = self.shift(frame);
        Camera { eye: self.camera.eye + shift, target: self.camera.target + shift, ..self.camera }
    }

    fn shift(&self, frame: &Frame) -> DVec3 {
        if self.followed.is_empty() { DVec3::ZERO } else { middle(&self.followed, frame) - self.start }
    }

    /// Everything of the first frame and most of the others, as the camera sees it that follows; obstacles too.
    fn points(&self, model: &Model, frames: &[Frame]) -> Vec<DVec3> {
        let outline = outline(model);
        let places = |f: &Frame| -> Vec<DVec3> {
            let shift = self.shift(f);
            let gather = |sum: DVec3, &(e, weight): &(u32, f64)| sum + weight * f.position.get(e as usize);
            let corners = outline.iter().map(|corner| corner.iter().fold(DVec3::ZERO, gather));
            (0..f.position.len()).map(|e| f.position.get(e)).chain(corners).map(|x| x - shift).collect()
        };
        let mut all: Vec<DVec3> = frames.iter().flat_map(&places).collect();
        let (low, high) = range(&all, STRAY);
        let (low, high) = (low - 1e-9, high + 1e-9);
        all.retain(|x| x.cmpge(low).all() && x.cmple(high).all());
        all.extend(frames.first().into_iter().flat_map(places));
        let radius = model.elements.radius.iter().copied().fold(0.0, f64::max);
        let extent = low.distance(high) + radius;
        for (low, high) in model.obstacles.iter().filter_map(|o| o.shape.bounds()) {
            // Large obstacles are scenery.
            if low.distance(high) < 2.0 * extent {
                all.extend([low, high]);
            }
        }
        let corner = DVec3::splat(radius);
        let (low, high) = all.iter().fold(
            (all.first().copied().unwrap_or_default(), all.first().copied().unwrap_or_default()),
            |(l, h), &x| (l.min(x), h.max(x)),
        );
        all.extend([low - corner, high + corner]);
        all
    }

    fn choose(&self, model: &Model, choice: &CameraChoice, points: &[DVec3], aspect: f64) -> Camera {
        let view = &model.view;
        let given = |wish: Option<DVec3>, scene: Option<DVec3>| wish.or(scene.filter(|_| choice.side.is_none()));
        let field_of_view = choice.field_of_view.unwrap_or(view.field_of_view).clamp(0.02, 2.6);
        let (low, high) = range(points, 0.0);
        let target = given(choice.target, view.target).unwrap_or(low.midpoint(high));
        let side = choice.side.unwrap_or(SIDE).normalize();
        let eye = given(choice.eye, view.eye);
        let camera = Camera { eye: eye.unwrap_or(target + side), target, field_of_view };
        match eye {
            Some(eye) if eye.distance(target) > 1e-9 => camera,
            _ => step_back(camera, points, aspect),
        }
    }
}

/// Corners of the boxes around bodies of four elements, riding on these: those of exact bodies lie deep inside of what is seen.
fn outline(model: &Model) -> Vec<[(u32, f64); 4]> {
    let mut corners = Vec::new();
    for skin in &model.skins {
        let Ok(four) = <[u32; 4]>::try_from(&model.bodies[skin.body.0 as usize].elements[..]) else { continue };
        let ridden = four.map(|e| (e, model.elements.rest.get(e as usize)));
        let ends = range(&skin.rest, 0.0);
        let end = |k: usize, axis: usize| if k >> axis & 1 == 1 { ends.1[axis] } else { ends.0[axis] };
        let corner = |k: usize| weights_on_four(ridden, DVec3::new(end(k, 0), end(k, 1), end(k, 2)));
        corners.extend((0..8).map(corner));
    }
    corners
}

/// Moves the eye away from the target until all points are in the picture: with `z` the depth beyond the target,
/// `|x| ≤ (D + z) tan`, so `D ≥ |x| / tan − z`; then shifts both so that the points are in its middle.
fn step_back(camera: Camera, points: &[DVec3], aspect: f64) -> Camera {
    let axes = camera.axes();
    let tan_up = (0.5 * camera.field_of_view).tan() / MARGIN;
    let tan_right = tan_up * aspect;
    let mut target = camera.target;
    let mut distance: f64 = 1e-6;
    for _ in 0..3 {
        let seen = |x: &DVec3| {
            let r = *x - target;
            (axes.right.dot(r), axes.up.dot(r), axes.forward.dot(r))
        };
        let need = |(x, y, z): (f64, f64, f64)| (x.abs() / tan_right).max(y.abs() / tan_up) - z;
        distance = points.iter().map(|p| need(seen(p))).fold(1e-6, f64::max);
        let edge = |f: fn((f64, f64, f64)) -> f64| {
            let tangents = points.iter().map(|p| {
                let (x, y, z) = seen(p);
                f((x, y, z)) / (distance + z).max(1e-9)
            });
            tangents.fold((f64::MAX, f64::MIN), |(l, h), t| (l.min(t), h.max(t)))
        };
        let ((left, right), (bottom, top)) = (edge(|p| p.0), edge(|p| p.1));
        if points.is_empty() || !(left + right + bottom + top).is_finite() {
            break;
        }
        target += (axes.right * (left + right) + axes.up * (bottom + top)) * (0.5 * distance);
    }
    Camera { eye: target - axes.forward * distance, target, ..camera }
}

fn fallback() -> Camera {
    Camera { eye: SIDE, target: DVec3::ZERO, field_of_view: 0.6 }
}

/// Mean place of elements [m].
fn middle(elements: &[u32], frame: &Frame) -> DVec3 {
    let sum = elements.iter().fold(DVec3::ZERO, |sum, &e| sum + frame.position.get(e as usize));
    sum / elements.len().max(1) as f64
}

/// Between which corners the points lie, a share of them at either end left out along each axis.
fn range(points: &[DVec3], left_out: f64) -> (DVec3, DVec3) {
    let along = |axis: usize| {
        let mut all: Vec<f64> = points.iter().map(|x| x[axis]).collect();
        all.sort_by(f64::total_cmp);
        let skip = (all.len() as f64 * left_out) as usize;
        let at = |i: usize| all.get(i).copied().unwrap_or(0.0);
        (at(skip), at((all.len().max(1) - 1).saturating_sub(skip)))
    };
    let [x, y, z] = [0, 1, 2].map(along);
    (DVec3::new(x.0, y.0, z.0), DVec3::new(x.1, y.1, z.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stepping_back_brings_all_points_into_the_picture_and_one_near_its_edge() {
        let points: Vec<DVec3> =
            (0..50).map(|i| DVec3::new((i % 5) as f64, (i % 7) as f64 * 0.3, (i % 3) as f64 + 10.0)).collect();
        let start = Camera { eye: SIDE, target: DVec3::ZERO, field_of_view: 0.6 };
        let camera = step_back(start, &points, 1.5);
        let axes = camera.axes();
        let reach = |p: &DVec3| {
            let r = *p - camera.eye;
            let (x, y, z) = (axes.right.dot(r), axes.up.dot(r), axes.forward.dot(r));
            (x.abs() / z / 1.5).max(y.abs() / z) / 0.3f64.tan()
        };
        let most = points.iter().map(reach).fold(0.0, f64::max);
        assert!((0.7..0.95).contains(&most), "{most}");
    }
}
