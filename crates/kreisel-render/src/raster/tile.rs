//! What is seen at every sample of a tile: the nearest thing wins, of equally near ones the first.

use crate::raster::project::{Facet, Frame, NEAR, Projected, SKY, Thing, ball_frame, facet_frame};
use crate::raster::rod::{RodSight, rod_depth};
use crate::raster::{SAMPLES, Screen, TILE};
use kreisel::DVec3;

/// Samples per side of a tile.
pub(crate) const SIDE: usize = TILE * SAMPLES;

/// A tile with the nearest thing at each of its samples.
pub(crate) struct Tile {
    /// Left upper corner [pixels].
    pub(crate) corner: (usize, usize),
    /// What is seen.
    pub(crate) things: Vec<Thing>,
    /// Inverse of its depth [1/m]; 0: infinitely far.
    near: Vec<f32>,
}

impl Tile {
    /// Draws the tile in a column and row of tiles.
    pub(crate) fn draw(projected: &Projected, screen: &Screen, place: (usize, usize)) -> Self {
        let corner = (place.0 * TILE, place.1 * TILE);
        let mut tile = Self { corner, things: vec![SKY; SIDE * SIDE], near: vec![0.0; SIDE * SIDE] };
        tile.draw_grounds(projected, screen);
        let [first_ball, first_rod, first_triangle] = projected.firsts();
        let (balls, rods) = (projected.balls.len(), projected.rods.len());
        for &item in &projected.bins[place.1 * projected.across + place.0] {
            let k = item as usize;
            if k < balls {
                tile.draw_ball(screen, projected.balls[k], projected.drawing.balls[k].radius, first_ball + item);
            } else if k < balls + rods {
                let k = k - balls;
                tile.draw_rod(screen, projected.rods[k], projected.drawing.rods[k].radius, first_rod + k as u32);
            } else {
                let facet = &projected.facets[k - balls - rods];
                tile.draw_facet(facet, first_triangle + facet.source);
            }
        }
        tile
    }

    /// Middle of a sample in the picture [pixels].
    pub(crate) fn sample(&self, column: usize, row: usize) -> (f64, f64) {
        let at = |corner: usize, k: usize| corner as f64 + (k as f64 + 0.5) / SAMPLES as f64;
        (at(self.corner.0, column), at(self.corner.1, row))
    }

    /// Columns and rows of the samples in a rectangle.
    fn range(&self, frame: &Frame) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
        let span = |low: f64, high: f64, corner: usize| {
            let place = |a: f64| ((a - corner as f64) * SAMPLES as f64 - 0.5).clamp(-1.0, SIDE as f64);
            ((place(low).ceil()).max(0.0) as usize)..((place(high).floor() + 1.0).clamp(0.0, SIDE as f64) as usize)
        };
        (span(frame.low.0, frame.high.0, self.corner.0), span(frame.low.1, frame.high.1, self.corner.1))
    }

    fn put(&mut self, at: usize, inverse_depth: f64, thing: Thing) {
        let near = inverse_depth as f32;
        if near > self.near[at] {
            self.near[at] = near;
            self.things[at] = thing;
        }
    }

    fn draw_grounds(&mut self, projected: &Projected, screen: &Screen) {
        for (k, ground) in projected.drawing.grounds.iter().enumerate() {
            let height = ground.normal.dot(screen.eye) - ground.offset;
            if height <= 0.0 {
                continue;
            }
            let normal = screen.turn(ground.normal);
            for row in 0..SIDE {
                for column in 0..SIDE {
                    let (x, y) = self.sample(column, row);
                    self.put(row * SIDE + column, -normal.dot(screen.ray(x, y)) / height, k as u32);
                }
            }
        }
    }

    /// The ray `z d` meets the ball where `|z d − c| = r`: `z = (d·c − √((d·c)² − d² (c² − r²))) / d²`.
    fn draw_ball(&mut self, screen: &Screen, centre: DVec3, radius: f64, thing: Thing) {
        let Some(frame) = ball_frame(screen, centre, radius) else { return };
        let (columns, rows) = self.range(&frame);
        let rest = centre.length_squared() - radius * radius;
        // No point of the ball is nearer than this.
        let nearest = if centre.z - radius > NEAR { (1.0 / (centre.z - radius)) as f32 } else { f32::INFINITY };
        let (x, y) = self.sample(0, 0);
        let (first, step) = (screen.ray(x, y), 1.0 / (SAMPLES as f64 * screen.scale));
        for row in rows {
            let v = first.y - step * row as f64;
            let (row_along, row_square) = (v * centre.y + centre.z, v * v + 1.0);
            for column in columns.clone() {
                let at = row * SIDE + column;
                if self.near[at] >= nearest {
                    continue;
                }
                let u = first.x + step * column as f64;
                let (along, square) = (u * centre.x + row_along, u * u + row_square);
                let root = along * along - square * rest;
                if root > 0.0 {
                    let z = (along - root.sqrt()) / square;
                    if z > NEAR {
                        self.put(at, 1.0 / z, thing);
                    }
                }
            }
        }
    }

    fn draw_rod(&mut self, screen: &Screen, ends: [DVec3; 2], radius: f64, thing: Thing) {
        let Some(sight) = RodSight::new(screen, ends, radius) else { return };
        let (columns, rows) = self.range(&sight.frame);
        for row in rows {
            for column in columns.clone() {
                let (x, y) = self.sample(column, row);
                if !sight.may_cover(x, y) {
                    continue;
                }
                if let Some(z) = rod_depth(ends, radius, screen.ray(x, y)).filter(|&z| z > NEAR) {
                    self.put(row * SIDE + column, 1.0 / z, thing);
                }
            }
        }
    }

    /// Signed areas to the three edges are the barycentric coordinates; `1/z` is linear in the picture.
    fn draw_facet(&mut self, facet: &Facet, thing: Thing) {
        let [a, b, c] = facet.corners;
        let area = (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0);
        if area == 0.0 || !area.is_finite() {
            return;
        }
        let (columns, rows) = self.range(&facet_frame(facet));
        let edge = |p: (f64, f64, f64), q: (f64, f64, f64), x: f64, y: f64| {
            ((q.0 - p.0) * (y - p.1) - (q.1 - p.1) * (x - p.0)) / area
        };
        for row in rows {
            for column in columns.clone() {
                let (x, y) = self.sample(column, row);
                let (wa, wb) = (edge(b, c, x, y), edge(c, a, x, y));
                let wc = 1.0 - wa - wb;
                if wa >= 0.0 && wb >= 0.0 && wc >= 0.0 {
                    self.put(row * SIDE + column, wa * a.2 + wb * b.2 + wc * c.2, thing);
                }
            }
        }
    }
}
