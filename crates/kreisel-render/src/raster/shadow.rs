//! Shadows: how high things reach towards a light, on a grid across it.

use crate::drawing::Drawing;
use crate::raster::shadow_fill;
use crate::raster::taps::{Four, TAPS, taps};
use kreisel::DVec3;

/// Texels per side of the squares that a wide search looks at: all of them stay in the cache.
const COARSE: usize = 4;
/// The middle of the disc.
const CENTRE: Four = Four { u: [0.0; 4], v: [0.0; 4] };
/// Width of a penumbra per distance from what throws the shadow: the apparent size of a hazy sun.
const SUN_SIZE: f64 = 0.09;

/// Heights towards a light.
pub(crate) struct ShadowMap {
    /// Across, across, and towards the light: unit vectors.
    pub(crate) axes: [DVec3; 3],
    /// Lower corner across the light [m].
    pub(crate) corner: (f64, f64),
    /// Texels per metre.
    pub(crate) scale: f64,
    /// Texels per side.
    pub(crate) side: usize,
    /// The largest height above each texel [m], row after row; −∞: none.
    pub(crate) heights: Vec<f32>,
    /// The largest height of all [m].
    top: f64,
    /// The largest heights of squares of `COARSE` texels a side, row after row.
    coarse: Vec<f32>,
    taps: [Four; TAPS / 4],
}

impl ShadowMap {
    /// Heights of everything in a drawing towards a light.
    pub(crate) fn new(drawing: &Drawing, light: DVec3, side: usize) -> Self {
        let across = if light.z.abs() < 0.9 { light.cross(DVec3::Z).normalize() } else { DVec3::X };
        let axes = [across, light.cross(across), light];
        let (low, high) = drawing.bounds().unwrap_or_default();
        let radius = (0.5 * low.distance(high)).max(1e-9);
        let middle = low.midpoint(high);
        // Two texels at the edges stay empty.
        let scale = (side as f64 - 4.0) / (2.0 * radius);
        let corner = |axis: DVec3| axis.dot(middle) - 0.5 * side as f64 / scale;
        let mut map = Self {
            axes,
            corner: (corner(axes[0]), corner(axes[1])),
            scale,
            side,
            heights: vec![f32::NEG_INFINITY; side * side],
            top: axes[2].dot(middle) + radius,
            coarse: Vec::new(),
            taps: taps(),
        };
        shadow_fill::fill(&mut map, drawing);
        map.coarse = shadow_fill::coarsen(&map.heights, side, COARSE);
        map
    }

    /// Texels across and height [m] of a place.
    pub(crate) fn locate(&self, x: DVec3) -> (f64, f64, f64) {
        let [u, v, h] = self.axes.map(|axis| axis.dot(x));
        ((u - self.corner.0) * self.scale, (v - self.corner.1) * self.scale, h)
    }

    /// Share of the light that reaches a place, 0 to 1; softer the farther away what throws the shadow is.
    /// `thrift` times fewer places are looked at.
    pub(crate) fn soft_light(&self, place: DVec3, normal: DVec3, thrift: usize) -> f32 {
        let texel = 1.0 / self.scale;
        let (u, v, h) = self.locate(place + normal * (2.0 * texel));
        let bias = (h + 1.5 * texel) as f32;
        let reach = (SUN_SIZE * (self.top - h) * self.scale).clamp(2.0, 0.08 * self.side as f64);
        if self.is_beyond(u, v, reach) {
            return 1.0;
        }
        let centre = (u as f32, v as f32);
        let some = &self.taps[..TAPS / 8 / thrift];
        let Some(blocker) = self.blockers(centre, bias, reach as f32, some) else { return 1.0 };
        let radius = (SUN_SIZE * (f64::from(blocker) - h) * self.scale).clamp(1.6, reach) as f32;
        // A narrow penumbra needs fewer places.
        let stride = thrift * if radius < 4.0 { 4 } else { 1 + usize::from(radius < 10.0) };
        let some = &self.taps[..TAPS / 4 / stride];
        let light: f32 = some.iter().map(|four| self.clearance(four, centre, radius, bias)).sum();
        light / some.len() as f32
    }

    /// Share of the sky that is not covered within `reach` [m] around a place; what is far above covers little.
    /// `thrift` times fewer places are looked at.
    pub(crate) fn openness(&self, place: DVec3, normal: DVec3, reach: f64, thrift: usize) -> f32 {
        let texel = 1.0 / self.scale;
        let (u, v, h) = self.locate(place + normal * (1.5 * texel));
        let far = reach * self.scale;
        if self.is_beyond(u, v, far) {
            return 1.0;
        }
        // Heights count above the tangent plane: a slope does not cover itself.
        let [nu, nv, nh] = self.axes.map(|axis| axis.dot(normal));
        let slope = if nh > 0.2 { ((-nu / nh) as f32, (-nv / nh) as f32) } else { (0.0, 0.0) };
        let (centre, far) = ((u as f32, v as f32), far as f32);
        let (base, per_reach) = ((h + texel) as f32, (1.0 / reach) as f32);
        let some = &self.taps[..TAPS / 8 / thrift];
        let mut covered = [0.0; 4];
        for four in some {
            let heights = pick(&self.heights, four.texels(self.side as f32, centre, far));
            for k in 0..4 {
                let above = (heights[k] - base) * per_reach - slope.0 * four.u[k] - slope.1 * four.v[k];
                covered[k] += if above > 0.0 { 1.0 } else { 0.0 } / (1.0 + above * above);
            }
        }
        1.0 - covered.iter().sum::<f32>() / (4 * some.len()) as f32
    }

    /// Mean height of what is higher than `h` around a place.
    fn blockers(&self, centre: (f32, f32), h: f32, reach: f32, some: &[Four]) -> Option<f32> {
        let is_wide = reach > 2.0 * COARSE as f32;
        let (heights, texels) = if is_wide { (&self.coarse, COARSE) } else { (&self.heights, 1) };
        let (side, scale) = ((self.side / texels) as f32, 1.0 / texels as f32);
        let (centre, reach) = ((centre.0 * scale, centre.1 * scale), reach * scale);
        let (mut excess, mut count) = ([0.0; 4], [0.0; 4]);
        // The place itself counts too: thin things are found there.
        for four in some.iter().chain([&CENTRE]) {
            for (k, height) in pick(heights, four.texels(side, centre, reach)).into_iter().enumerate() {
                excess[k] += if height > h { height } else { h } - h;
                count[k] += if height > h { 1.0 } else { 0.0 };
            }
        }
        let count: f32 = count.iter().sum();
        (count > 0.0).then(|| h + excess.iter().sum::<f32>() / count)
    }

    /// True if a place is farther than `reach` beside the map [texels].
    fn is_beyond(&self, u: f64, v: f64, reach: f64) -> bool {
        let end = self.side as f64 + reach;
        u < -reach || v < -reach || u > end || v > end
    }

    /// Whether the light passes at four places: 0 to 1, mixed between the four nearest texels.
    fn clearance(&self, four: &Four, centre: (f32, f32), radius: f32, h: f32) -> f32 {
        let at = four.between(self.side as f32, centre, radius);
        let pair = |at: usize| self.heights.get(at..at + 2).map_or([f32::NEG_INFINITY; 2], |p| [p[0], p[1]]);
        let low = at.texels.map(pair);
        let high = at.texels.map(|texel| pair(texel + self.side));
        let free = |height: f32| if height > h { 0.0 } else { 1.0 };
        let mut light = [0.0; 4];
        for k in 0..4 {
            let ([a, b], [c, d]) = (low[k].map(free), high[k].map(free));
            let (low, high) = (a + (b - a) * at.u[k], c + (d - c) * at.u[k]);
            light[k] = low + (high - low) * at.v[k];
        }
        0.25 * light.iter().sum::<f32>()
    }
}

fn pick(heights: &[f32], texels: [usize; 4]) -> [f32; 4] {
    texels.map(|k| heights.get(k).copied().unwrap_or(f32::NEG_INFINITY))
}
