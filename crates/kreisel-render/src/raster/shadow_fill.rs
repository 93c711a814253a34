//! Filling a shadow map: the largest height above every texel, in parallel over bands of rows.

use crate::drawing::{Ball, Drawing, Rod, Triangle};
use crate::raster::shadow::ShadowMap;
use rayon::prelude::*;

/// Rows that are filled as one.
const BAND: usize = 64;

/// A band of rows.
struct Band<'a> {
    first: usize,
    side: usize,
    heights: &'a mut [f32],
}

/// Fills the map with everything in a drawing.
pub(crate) fn fill(map: &mut ShadowMap, drawing: &Drawing) {
    let mut heights = std::mem::take(&mut map.heights);
    let side = map.side;
    let balls = highest_first(map, &drawing.balls);
    heights.par_chunks_mut(BAND * side).enumerate().for_each(|(k, heights)| {
        let mut band = Band { first: k * BAND, side, heights };
        balls.iter().for_each(|b| band.ball(b));
        drawing.rods.iter().for_each(|r| band.rod(map, r));
        drawing.triangles.iter().for_each(|t| band.triangle(map, t));
    });
    map.heights = heights;
}

/// A ball above a map.
struct High {
    /// Texels across.
    place: (f64, f64),
    /// Height of the centre [m].
    height: f64,
    /// Radius [texels].
    texels: f64,
    /// Radius [m].
    radius: f64,
}

/// Balls from the highest down: most of the rest need not be looked at then.
fn highest_first(map: &ShadowMap, balls: &[Ball]) -> Vec<High> {
    let high = |b: &Ball| {
        let (u, v, height) = map.locate(b.centre);
        High { place: (u, v), height, texels: b.radius * map.scale, radius: b.radius }
    };
    let mut balls: Vec<High> = balls.iter().map(high).collect();
    balls.sort_by(|a, b| (b.height + b.radius).total_cmp(&(a.height + a.radius)));
    balls
}

/// The largest heights of squares of `step` texels a side; `step` divides `side`.
pub(crate) fn coarsen(heights: &[f32], side: usize, step: usize) -> Vec<f32> {
    let count = side / step;
    let mut coarse = vec![f32::NEG_INFINITY; count * count];
    for (row, texels) in heights.chunks(side).enumerate() {
        let row = &mut coarse[row / step * count..][..count];
        for (most, few) in row.iter_mut().zip(texels.chunks(step)) {
            *most = few.iter().fold(*most, |m, &h| if h > m { h } else { m });
        }
    }
    coarse
}

impl Band<'_> {
    /// Raises the texels between two corners, `height(u, v)` where it is known, to at least that.
    /// None of the heights exceeds `most`.
    fn raise(&mut self, low: (f64, f64), high: (f64, f64), most: f64, height: impl Fn(f32, f32) -> Option<f32>) {
        let rows = self.heights.len() / self.side;
        let last = (self.first + rows) as f64;
        if high.1 < self.first as f64 || low.1 > last || high.0 < 0.0 || low.0 > self.side as f64 {
            return;
        }
        let from = low.1.max(self.first as f64) as usize - self.first;
        let to = (high.1.min(last - 1.0) as usize + 1).saturating_sub(self.first).min(rows);
        let columns = low.0.max(0.0) as usize..(high.0.max(0.0) as usize + 1).min(self.side);
        let most = most as f32;
        for row in from..to {
            let v = (self.first + row) as f32 + 0.5;
            let texels = self.heights[row * self.side..][..self.side].get_mut(columns.clone()).unwrap_or_default();
            for (column, texel) in columns.clone().zip(texels) {
                if *texel >= most {
                    continue;
                }
                if let Some(h) = height(column as f32 + 0.5, v).filter(|h| h > texel) {
                    *texel = h;
                }
            }
        }
    }

    fn ball(&mut self, ball: &High) {
        let ((u, v), r) = (ball.place, ball.texels);
        let (x0, y0, square, height) = (u as f32, v as f32, (r * r) as f32, ball.height as f32);
        let metres = (ball.radius / r) as f32;
        self.raise((u - r, v - r), (u + r, v + r), ball.height + ball.radius, |x, y| {
            let rest = square - (x - x0) * (x - x0) - (y - y0) * (y - y0);
            (rest >= 0.0).then(|| height + rest.sqrt() * metres)
        });
    }

    fn rod(&mut self, map: &ShadowMap, rod: &Rod) {
        let [a, b] = rod.ends.map(|x| map.locate(x));
        // Thin rods throw a shadow too.
        let r = (rod.radius * map.scale).max(0.75);
        let (du, dv) = (b.0 - a.0, b.1 - a.1);
        let square = du * du + dv * dv;
        let low = (a.0.min(b.0) - r, a.1.min(b.1) - r);
        let high = (a.0.max(b.0) + r, a.1.max(b.1) + r);
        self.raise(low, high, a.2.max(b.2) + rod.radius, |x, y| {
            let (x, y) = (f64::from(x), f64::from(y));
            let s = if square > 0.0 { (((x - a.0) * du + (y - a.1) * dv) / square).clamp(0.0, 1.0) } else { 0.0 };
            let rest = r * r - (x - a.0 - s * du).powi(2) - (y - a.1 - s * dv).powi(2);
            (rest >= 0.0).then(|| (a.2 + s * (b.2 - a.2) + rod.radius * (rest.sqrt() / r)) as f32)
        });
    }

    fn triangle(&mut self, map: &ShadowMap, triangle: &Triangle) {
        let [a, b, c] = triangle.corners.map(|x| map.locate(x));
        let area = (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0);
        if area == 0.0 || !area.is_finite() {
            return;
        }
        let low = (a.0.min(b.0).min(c.0), a.1.min(b.1).min(c.1));
        let high = (a.0.max(b.0).max(c.0), a.1.max(b.1).max(c.1));
        self.raise(low, high, a.2.max(b.2).max(c.2), |x, y| {
            let (x, y) = (f64::from(x), f64::from(y));
            let wa = ((c.0 - b.0) * (y - b.1) - (c.1 - b.1) * (x - b.0)) / area;
            let wb = ((a.0 - c.0) * (y - c.1) - (a.1 - c.1) * (x - c.0)) / area;
            let wc = 1.0 - wa - wb;
            (wa >= 0.0 && wb >= 0.0 && wc >= 0.0).then_some((wa * a.2 + wb * b.2 + wc * c.2) as f32)
        });
    }
}
