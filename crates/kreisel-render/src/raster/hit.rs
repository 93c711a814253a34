//! What a ray finds on the thing that is seen: place, normal and colour.

use crate::colour::Rgb;
use crate::drawing::Triangle;
use crate::raster::Screen;
use crate::raster::project::{Projected, Thing};
use crate::raster::rod::{ball_depth, rod_depth};
use kreisel::DVec3;

/// How dark the fine lines on surfaces are.
const LINE: f32 = 0.22;

/// A place on a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    /// Where [m].
    pub(crate) place: DVec3,
    /// Unit normal towards the eye.
    pub(crate) normal: DVec3,
    /// Colour of the surface.
    pub(crate) colour: Rgb,
    /// Number of the ground, if it is one.
    pub(crate) ground: Option<usize>,
    /// Depth [m].
    pub(crate) depth: f64,
    /// Highlights: 0 for matt.
    pub(crate) gloss: f32,
}

/// What the ray `d` (camera coordinates, forward component 1) finds on a thing that is seen near it.
pub(crate) fn find(projected: &Projected, screen: &Screen, thing: Thing, d: DVec3) -> Hit {
    let [first_ball, first_rod, first_triangle] = projected.firsts();
    if thing < first_ball {
        ground(projected, screen, thing as usize, d)
    } else if thing < first_rod {
        ball(projected, screen, (thing - first_ball) as usize, d)
    } else if thing < first_triangle {
        rod(projected, screen, (thing - first_rod) as usize, d)
    } else {
        triangle(&projected.drawing.triangles[(thing - first_triangle) as usize], screen, d)
    }
}

fn ground(projected: &Projected, screen: &Screen, k: usize, d: DVec3) -> Hit {
    let ground = &projected.drawing.grounds[k];
    let height = ground.normal.dot(screen.eye) - ground.offset;
    let steep = (-screen.turn(ground.normal).dot(d)).max(1e-9);
    let depth = height / steep;
    let place = screen.eye + screen.turn_back(d) * depth;
    Hit { place, normal: ground.normal, colour: ground.colour, ground: Some(k), depth, gloss: 0.0 }
}

fn ball(projected: &Projected, screen: &Screen, k: usize, d: DVec3) -> Hit {
    let (ball, centre) = (&projected.drawing.balls[k], projected.balls[k]);
    let found = ball_depth(centre, ball.radius, d);
    // Beside the silhouette: the point nearest to the ray.
    let depth = found.unwrap_or_else(|| d.dot(centre) / d.length_squared());
    let arm = d * depth - centre;
    let normal = screen.turn_back(if found.is_some() { arm / ball.radius } else { arm.normalize_or_zero() });
    let place = ball.centre + normal * ball.radius;
    Hit { place, normal, colour: ball.colour, ground: None, depth, gloss: 1.0 }
}

fn rod(projected: &Projected, screen: &Screen, k: usize, d: DVec3) -> Hit {
    let (rod, [a, b]) = (&projected.drawing.rods[k], projected.rods[k]);
    let middle = a.midpoint(b);
    let depth = rod_depth([a, b], rod.radius, d).unwrap_or(d.dot(middle) / d.length_squared());
    let (point, u) = (d * depth, b - a);
    let square = u.length_squared();
    let s = if square > 0.0 { ((point - a).dot(u) / square).clamp(0.0, 1.0) } else { 0.0 };
    let normal = screen.turn_back((point - a - u * s).normalize_or_zero());
    let colour = rod.colours[0].mix(rod.colours[1], s as f32);
    Hit { place: screen.eye + screen.turn_back(point), normal, colour, ground: None, depth, gloss: 1.0 }
}

/// Barycentric coordinates of the ray's foot in the triangle's plane by Cramer's rule; outside they are pulled in.
fn triangle(triangle: &Triangle, screen: &Screen, d: DVec3) -> Hit {
    let ray = screen.turn_back(d);
    let [a, b, c] = triangle.corners.map(|x| x - screen.eye);
    let volumes = DVec3::new(ray.dot(b.cross(c)), ray.dot(c.cross(a)), ray.dot(a.cross(b)));
    let whole = volumes.element_sum();
    let weights = if whole != 0.0 { (volumes / whole).max(DVec3::ZERO) } else { DVec3::splat(1.0 / 3.0) };
    let weights = weights / weights.element_sum();
    let [wa, wb, wc] = weights.to_array();
    let offset = a * wa + b * wb + c * wc;
    let [na, nb, nc] = triangle.normals;
    let normal = (na * wa + nb * wb + nc * wc).try_normalize().unwrap_or(-ray.normalize_or_zero());
    let normal = if normal.dot(ray) > 0.0 && (b - a).cross(c - a).dot(ray) > 0.0 { -normal } else { normal };
    let [ca, cb, cc] = triangle.colours;
    let colour = ca * wa as f32 + cb * wb as f32 + cc * wc as f32;
    let depth = screen.axes.forward.dot(offset);
    let ink = LINE * line_cover(triangle, weights, depth / screen.scale);
    Hit { place: screen.eye + offset, normal, colour: colour * (1.0 - ink), ground: None, depth, gloss: 1.0 }
}

/// How much of a pixel of size `pixel` [m] the lines along the edges cover; they fade where they would be crowded.
fn line_cover(triangle: &Triangle, weights: DVec3, pixel: f64) -> f32 {
    let mut cover: f64 = 0.0;
    for k in (0..3).filter(|&k| triangle.lines[k]) {
        let [apex, p, q] = [0, 1, 2].map(|i| triangle.corners[(k + i) % 3]);
        let base = p.distance(q);
        let height = if base > 0.0 { (p - apex).cross(q - apex).length() / base } else { 0.0 };
        let fade = ((height / pixel - 4.0) / 8.0).clamp(0.0, 1.0);
        cover = cover.max(fade * (1.0 - weights[k] * height / pixel).clamp(0.0, 1.0));
    }
    cover as f32
}
