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
    heights.par_chunks_mut(BAND * side).enumerate().for_each(|(k, heights)| {
        let mut band = Band { first: k * BAND, side, heights };
        drawing.balls.iter().for_each(|b| band.ball(map, b));
        drawing.rods.iter().for_each(|r| band.rod(map, r));
        drawing.triangles.iter().for_each(|t| band.triangle(map, t));
    });
    map.heights = heights;
}

impl Band<'_> {
    /// Raises the texels between two corners, `height(u, v)` where it is known, to at least that.
    /// None of the heights exceeds `most`.
    fn raise(&mut self, low: (f64, f64), high: (f64, f64), most: f64, height: impl Fn(f64, f64) -> Option<f64>) {
        let rows = self.heights.len() / self.side;
        let last = (self.first + rows) as f64;
        if high.1 < self.first as f64 || low.1 > last || high.0 < 0.0 || low.0 > self.side as f64 {
            return;
        }
        let from = low.1.max(self.first as f64) as usize - self.first;
        let to = (high.1.min(last - 1.0) as usize + 1).saturating_sub(self.first).min(rows);
        let columns = low.0.max(0.0) as usize..(high.0.max(0.0) as usize + 1).min(self.side);
        for row in from..to {
            let v = (self.first + row) as f64 + 0.5;
            for column in columns.clone() {
                let texel = &mut self.heights[row * self.side + column];
                if f64::from(*texel) >= most {
                    continue;
                }
                if let Some(h) = height(column as f64 + 0.5, v) {
                    *texel = texel.max(h as f32);
                }
            }
        }
    }

    fn ball(&mut self, map: &ShadowMap, ball: &Ball) {
        let (u, v, h) = map.locate(ball.centre);
        let r = ball.radius * map.scale;
        self.raise((u - r, v - r), (u + r, v + r), h + ball.radius, |x, y| {
            let rest = r * r - (x - u).powi(2) - (y - v).powi(2);
            (rest >= 0.0).then(|| h + rest.sqrt() / map.scale)
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
            let s = if square > 0.0 { (((x - a.0) * du + (y - a.1) * dv) / square).clamp(0.0, 1.0) } else { 0.0 };
            let rest = r * r - (x - a.0 - s * du).powi(2) - (y - a.1 - s * dv).powi(2);
            (rest >= 0.0).then(|| a.2 + s * (b.2 - a.2) + rod.radius * (rest.sqrt() / r))
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
            let wa = ((c.0 - b.0) * (y - b.1) - (c.1 - b.1) * (x - b.0)) / area;
            let wb = ((a.0 - c.0) * (y - c.1) - (a.1 - c.1) * (x - c.0)) / area;
            let wc = 1.0 - wa - wb;
            (wa >= 0.0 && wb >= 0.0 && wc >= 0.0).then_some(wa * a.2 + wb * b.2 + wc * c.2)
        });
    }
}
