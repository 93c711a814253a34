//! The colours of a tile: every thing seen in a pixel is lit once, where its samples are, and counts by their number.

use crate::colour::Rgb;
use crate::raster::hit::{self, Hit};
use crate::raster::light::{self, Lights, SKY_ABOVE, SKY_BELOW, SUN};
use crate::raster::project::{Projected, SKY, Thing};
use crate::raster::tile::{SIDE, Tile};
use crate::raster::{SAMPLES, Screen, TILE};
use kreisel::DVec3;

/// Samples of a pixel.
const ALL: usize = SAMPLES * SAMPLES;
/// Half the exponent of highlights.
const SHININESS: i32 = 16;
/// Strength of highlights.
const HIGHLIGHT: f32 = 0.14;
/// How dark the lines of a ground are.
const GRID: f32 = 0.13;

/// Colours of the pixels of a tile, row after row.
pub(crate) fn tile_colours(tile: &Tile, projected: &Projected, screen: &Screen, lights: &Lights) -> Vec<[u8; 3]> {
    let painter = Painter { projected, screen, lights };
    let mut colours = Vec::with_capacity(TILE * TILE);
    for row in 0..TILE {
        for column in 0..TILE {
            let inside = tile.corner.0 + column < screen.width && tile.corner.1 + row < screen.height;
            colours.push(if inside { painter.pixel(tile, column, row).to_bytes() } else { [0; 3] });
        }
    }
    colours
}

struct Painter<'a> {
    projected: &'a Projected<'a>,
    screen: &'a Screen,
    lights: &'a Lights,
}

impl Painter<'_> {
    fn pixel(&self, tile: &Tile, column: usize, row: usize) -> Rgb {
        let place = |k: usize| (column * SAMPLES + k % SAMPLES, row * SAMPLES + k / SAMPLES);
        let things: [Thing; ALL] = std::array::from_fn(|k| {
            let (x, y) = place(k);
            tile.things[y * SIDE + x]
        });
        if things.iter().all(|&t| t == things[0]) {
            let middle = |corner: usize, k: usize| (corner + k) as f64 + 0.5;
            let ray = self.screen.ray(middle(tile.corner.0, column), middle(tile.corner.1, row));
            return self.colour(things[0], ray, 1);
        }
        let mut sum = Rgb::BLACK;
        for k in (0..ALL).filter(|&k| !things[..k].contains(&things[k])) {
            let (mut x, mut y, mut count) = (0.0, 0.0, 0.0);
            for j in (k..ALL).filter(|&j| things[j] == things[k]) {
                let at = tile.sample(place(j).0, place(j).1);
                (x, y, count) = (x + at.0, y + at.1, count + 1.0);
            }
            let ray = self.screen.ray(x / count, y / count);
            sum = sum + self.colour(things[k], ray, thrift(count)) * (count as f32 / ALL as f32);
        }
        sum
    }

    fn colour(&self, thing: Thing, ray: DVec3, thrift: usize) -> Rgb {
        let direction = self.screen.turn_back(ray);
        if thing == SKY {
            return light::sky(direction);
        }
        let hit = hit::find(self.projected, self.screen, thing, ray);
        match hit.ground {
            Some(k) => self.ground(&hit, k, direction, thrift),
            None => self.light(&hit, direction, thrift),
        }
    }

    fn light(&self, hit: &Hit, direction: DVec3, thrift: usize) -> Rgb {
        let n = hit.normal;
        let facing = n.dot(self.lights.sun).max(0.0) as f32;
        let sunshine = if facing > 0.0 { self.lights.sunshine(hit.place, n, thrift) } else { 0.0 };
        let open = self.lights.openness(hit.place, n, thrift);
        let up = 0.5 + 0.5 * n.z as f32;
        let ambient = SKY_ABOVE * (up * open) + SKY_BELOW * ((1.0 - up) * (0.4 + 0.6 * open));
        // A little light from the camera keeps the shaded side readable.
        let view = -direction.normalize_or_zero();
        let front = 0.15 * n.dot(view).max(0.0) as f32;
        let shine = if hit.gloss * sunshine > 0.0 { highlight(n, view + self.lights.sun) } else { 0.0 };
        let shine = HIGHLIGHT * hit.gloss * sunshine * shine;
        hit.colour.under(SUN * (facing * sunshine) + ambient + Rgb([front; 3])) + Rgb([shine; 3])
    }

    /// The ground with its grid, fading into the horizon.
    fn ground(&self, hit: &Hit, k: usize, direction: DVec3, thrift: usize) -> Rgb {
        let ground = &self.projected.drawing.grounds[k];
        let slant = (-ground.normal.dot(direction) / direction.length()).max(1e-3);
        let pixel = hit.depth / self.screen.scale / slant;
        let ink = GRID * grid_cover(hit.place, ground.normal, ground.grid, pixel);
        let lit = self.light(&Hit { colour: hit.colour * (1.0 - ink), ..*hit }, direction, thrift);
        let away = hit.place.distance(self.lights.middle) / (14.0 * self.lights.extent.max(1e-9));
        let haze = 1.0 - (-away * away).exp() as f32;
        lit.mix(light::horizon(), haze)
    }
}

/// A power of the cosine of the angle between the normal and the middle between light and eye, times any length.
fn highlight(normal: DVec3, middle: DVec3) -> f32 {
    let (along, square) = (normal.dot(middle), middle.length_squared());
    if along > 0.0 { (along * along / square).powi(SHININESS) as f32 } else { 0.0 }
}

/// How much coarser the light on a thing may be found that `count` samples of a pixel show: its error counts so much less.
fn thrift(count: f64) -> usize {
    if 2.0 * count > ALL as f64 { 1 } else { 2 }
}

/// How much of a pixel of size `pixel` [m] grid lines cover; where they would be crowded they fade.
fn grid_cover(place: DVec3, normal: DVec3, spacing: f64, pixel: f64) -> f32 {
    let fade = ((spacing / pixel - 3.0) / 9.0).clamp(0.0, 1.0);
    if fade == 0.0 {
        return 0.0;
    }
    let across = if normal.x.abs() < 0.9 { DVec3::X } else { DVec3::Y };
    let v = normal.cross(across).normalize_or_zero();
    let u = v.cross(normal);
    let cover = |axis: DVec3| {
        let s = axis.dot(place) / spacing;
        let away = (s - s.round()).abs() * spacing;
        (1.0 - away / pixel).clamp(0.0, 1.0)
    };
    (fade * cover(u).max(cover(v))) as f32
}
