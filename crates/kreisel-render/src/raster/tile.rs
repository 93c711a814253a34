//! What is seen at every sample of a tile: the nearest thing wins, of equally near ones the first.

use crate::raster::project::{Facet, Frame, NEAR, Projected, SKY, Thing, ball_frame, facet_frame};
use crate::raster::rod::{RodSight, rod_depth};
use crate::raster::{SAMPLES, Screen, TILE};
use kreisel::DVec3;
use std::ops::Range;

/// Samples per side of a tile.
pub(crate) const SIDE: usize = TILE * SAMPLES;

/// Samples per side of the squares that know how far all in them is: what is behind is passed over.
const BLOCK: usize = 8;
/// Squares per side of a tile.
const BLOCKS: usize = SIDE / BLOCK;

/// A tile with the nearest thing at each of its samples.
pub(crate) struct Tile {
    /// Left upper corner [pixels].
    pub(crate) corner: (usize, usize),
    /// What is seen.
    pub(crate) things: Vec<Thing>,
    /// Inverse of its depth [1/m]; 0: infinitely far.
    near: Vec<f32>,
    /// The smallest of these in each square, or less.
    farthest: [f32; BLOCKS * BLOCKS],
}

impl Tile {
    /// Draws the tile in a column and row of tiles.
    pub(crate) fn draw(projected: &Projected, screen: &Screen, place: (usize, usize)) -> Self {
        let corner = (place.0 * TILE, place.1 * TILE);
        let (things, near) = (vec![SKY; SIDE * SIDE], vec![0.0; SIDE * SIDE]);
        let mut tile = Self { corner, things, near, farthest: [0.0; BLOCKS * BLOCKS] };
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
    fn range(&self, frame: &Frame) -> (Range<usize>, Range<usize>) {
        let span = |low: f64, high: f64, corner: usize| {
            let place = |a: f64| ((a - corner as f64) * SAMPLES as f64 - 0.5).clamp(-1.0, SIDE as f64);
            ((place(low).ceil()).max(0.0) as usize)..((place(high).floor() + 1.0).clamp(0.0, SIDE as f64) as usize)
        };
        (span(frame.low.0, frame.high.0, self.corner.0), span(frame.low.1, frame.high.1, self.corner.1))
    }

    /// Shows a thing at the samples of a rectangle where it is the nearest. `nearest` is an inverse depth that it never
    /// exceeds, `inverse_depth(column, row)` what it has at a sample, if it is there [1/m].
    fn show<F>(&mut self, thing: Thing, frame: &Frame, nearest: f64, inverse_depth: F)
    where
        F: Fn(usize, usize) -> Option<f64>,
    {
        let (columns, rows) = self.range(frame);
        let part = |all: &Range<usize>, k: usize| all.start.max(k * BLOCK)..all.end.min((k + 1) * BLOCK);
        for i in rows.start / BLOCK..rows.end.div_ceil(BLOCK) {
            for j in columns.start / BLOCK..columns.end.div_ceil(BLOCK) {
                if self.farthest[i * BLOCKS + j] >= nearest as f32 {
                    continue;
                }
                let mut is_seen = false;
                for row in part(&rows, i) {
                    for column in part(&columns, j) {
                        let at = row * SIDE + column;
                        if self.near[at] < nearest as f32
                            && let Some(near) = inverse_depth(column, row)
                        {
                            is_seen |= self.put(at, near, thing);
                        }
                    }
                }
                if is_seen {
                    self.farthest[i * BLOCKS + j] = self.farthest_of(i, j);
                }
            }
        }
    }

    fn farthest_of(&self, i: usize, j: usize) -> f32 {
        let rows = self.near[i * BLOCK * SIDE..].chunks(SIDE).take(BLOCK);
        let least = |m: [f32; BLOCK], row: &[f32]| {
            std::array::from_fn(|k| if row[j * BLOCK + k] < m[k] { row[j * BLOCK + k] } else { m[k] })
        };
        rows.fold([f32::INFINITY; BLOCK], least).into_iter().fold(f32::INFINITY, f32::min)
    }

    /// True if the thing is the nearest so far at a sample.
    fn put(&mut self, at: usize, inverse_depth: f64, thing: Thing) -> bool {
        let near = inverse_depth as f32;
        let is_nearer = near > self.near[at];
        if is_nearer {
            self.near[at] = near;
            self.things[at] = thing;
        }
        is_nearer
    }

    fn draw_grounds(&mut self, projected: &Projected, screen: &Screen) {
        for (k, ground) in projected.drawing.grounds.iter().enumerate() {
            let height = ground.normal.dot(screen.eye) - ground.offset;
            if height <= 0.0 {
                continue;
            }
            // 1/z is linear in the picture.
            let [first, right, down] = [(0, 0), (1, 0), (0, 1)].map(|(column, row)| {
                let (x, y) = self.sample(column, row);
                -screen.turn(ground.normal).dot(screen.ray(x, y)) / height
            });
            for row in 0..SIDE {
                for column in 0..SIDE {
                    let near = first + (right - first) * column as f64 + (down - first) * row as f64;
                    self.put(row * SIDE + column, near, k as u32);
                }
            }
        }
    }

    /// The ray `z d` meets the ball where `|z d − c| = r`: `z = (d·c − √((d·c)² − d² (c² − r²))) / d²`.
    /// The product of both solutions is `(c² − r²)/d²`, so that `1/z = (d·c + √…) / (c² − r²)`.
    fn draw_ball(&mut self, screen: &Screen, centre: DVec3, radius: f64, thing: Thing) {
        let Some(frame) = ball_frame(screen, centre, radius) else { return };
        let rest = centre.length_squared() - radius * radius;
        // Not from inside.
        if rest <= 0.0 {
            return;
        }
        let nearest = if centre.z - radius > NEAR { 1.0 / (centre.z - radius) } else { f64::INFINITY };
        let (x, y) = self.sample(0, 0);
        let (first, step) = (screen.ray(x, y), 1.0 / (SAMPLES as f64 * screen.scale));
        let per_rest = 1.0 / rest;
        self.show(thing, &frame, nearest, |column, row| {
            let (u, v) = (first.x + step * column as f64, first.y - step * row as f64);
            let (along, square) = (u * centre.x + (v * centre.y + centre.z), u * u + (v * v + 1.0));
            let root = along * along - square * rest;
            let near = if root > 0.0 { (along + root.sqrt()) * per_rest } else { 0.0 };
            (near > 0.0 && near < 1.0 / NEAR).then_some(near)
        });
    }

    fn draw_rod(&mut self, screen: &Screen, ends: [DVec3; 2], radius: f64, thing: Thing) {
        let Some(sight) = RodSight::new(screen, ends, radius) else { return };
        let closest = ends[0].z.min(ends[1].z) - radius;
        let nearest = if closest > NEAR { 1.0 / closest } else { f64::INFINITY };
        let corner = self.sample(0, 0);
        let at = |first: f64, k: usize| first + k as f64 / SAMPLES as f64;
        self.show(thing, &sight.frame, nearest, |column, row| {
            let (x, y) = (at(corner.0, column), at(corner.1, row));
            let depth = if sight.may_cover(x, y) { rod_depth(ends, radius, screen.ray(x, y)) } else { None };
            depth.filter(|&z| z > NEAR).map(|z| 1.0 / z)
        });
    }

    /// Signed areas to the three edges are the barycentric coordinates; `1/z` is linear in the picture.
    fn draw_facet(&mut self, facet: &Facet, thing: Thing) {
        let [a, b, c] = facet.corners;
        let area = (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0);
        if area == 0.0 || !area.is_finite() {
            return;
        }
        let edge = |p: (f64, f64, f64), q: (f64, f64, f64), x: f64, y: f64| {
            ((q.0 - p.0) * (y - p.1) - (q.1 - p.1) * (x - p.0)) / area
        };
        let corner = self.sample(0, 0);
        let at = |first: f64, k: usize| first + k as f64 / SAMPLES as f64;
        self.show(thing, &facet_frame(facet), a.2.max(b.2).max(c.2), |column, row| {
            let (x, y) = (at(corner.0, column), at(corner.1, row));
            let (wa, wb) = (edge(b, c, x, y), edge(c, a, x, y));
            let wc = 1.0 - wa - wb;
            (wa >= 0.0 && wb >= 0.0 && wc >= 0.0).then_some(wa * a.2 + wb * b.2 + wc * c.2)
        });
    }
}
