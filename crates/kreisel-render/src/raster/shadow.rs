//! Shadows: how high things reach towards a light, on a grid across it.

use crate::drawing::Drawing;
use crate::raster::shadow_fill;
use kreisel::DVec3;

/// Places on a disc that fill it evenly, a golden angle from one to the next.
const TAPS: usize = 32;
/// Texels per side of the squares that a wide search looks at: all of them stay in the cache.
const COARSE: usize = 4;
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
    taps: [(f32, f32); TAPS],
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
        let (u, v) = (u as f32, v as f32);
        let some = &self.taps[..TAPS / 2 / thrift];
        let Some(blocker) = self.blockers(u, v, bias, reach as f32, some) else { return 1.0 };
        let radius = (SUN_SIZE * (f64::from(blocker) - h) * self.scale).clamp(1.6, reach) as f32;
        // A narrow penumbra needs fewer places.
        let stride = thrift * if radius < 4.0 { 4 } else { 1 + usize::from(radius < 10.0) };
        let some = &self.taps[..TAPS / stride];
        let light: f32 = some.iter().map(|t| self.clearance(u + t.0 * radius, v + t.1 * radius, bias)).sum();
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
        let (u, v, far) = (u as f32, v as f32, far as f32);
        let (base, per_reach) = ((h + texel) as f32, (1.0 / reach) as f32);
        let some = &self.taps[..TAPS / 2 / thrift];
        let mut covered = 0.0;
        for eight in some.as_chunks::<8>().0 {
            let heights = eight.map(|t| height(&self.heights, self.side, u + t.0 * far, v + t.1 * far));
            for (t, height) in eight.iter().zip(heights) {
                let above = (height - base) * per_reach - slope.0 * t.0 - slope.1 * t.1;
                covered += if above > 0.0 { 1.0 } else { 0.0 } / (1.0 + above * above);
            }
        }
        1.0 - covered / some.len() as f32
    }

    /// Mean height of what is higher than `h` around a place.
    fn blockers(&self, u: f32, v: f32, h: f32, reach: f32, some: &[(f32, f32)]) -> Option<f32> {
        let is_wide = reach > 2.0 * COARSE as f32;
        let (heights, texels) = if is_wide { (&self.coarse, COARSE) } else { (&self.heights, 1) };
        let (side, scale) = (self.side / texels, 1.0 / texels as f32);
        let (u, v, reach) = (u * scale, v * scale, reach * scale);
        let (mut sum, mut count) = (0.0, 0.0);
        for t in some.iter().chain([&(0.0, 0.0)]) {
            let height = height(heights, side, u + t.0 * reach, v + t.1 * reach);
            let is_higher = height > h;
            sum += if is_higher { height } else { 0.0 };
            count += if is_higher { 1.0 } else { 0.0 };
        }
        (count > 0.0).then(|| sum / count)
    }

    /// True if a place is farther than `reach` beside the map [texels].
    fn is_beyond(&self, u: f64, v: f64, reach: f64) -> bool {
        let end = self.side as f64 + reach;
        u < -reach || v < -reach || u > end || v > end
    }

    /// Whether the light passes: 0 to 1, mixed between the four nearest texels.
    fn clearance(&self, u: f32, v: f32, h: f32) -> f32 {
        let last = self.side as f32 - 1.0;
        let (u, v) = (between(u - 0.5, last), between(v - 0.5, last));
        let (column, row) = (whole(u), whole(v));
        let (su, sv) = (u - column as f32, v - row as f32);
        let at = (row * self.side as u32 + column) as usize;
        let pair = |at: usize| self.heights.get(at..at + 2).map_or([f32::NEG_INFINITY; 2], |p| [p[0], p[1]]);
        let free = |height: f32| if height > h { 0.0 } else { 1.0 };
        let ([a, b], [c, d]) = (pair(at).map(free), pair(at + self.side).map(free));
        let (low, high) = (a + (b - a) * su, c + (d - c) * su);
        low + (high - low) * sv
    }
}

/// Height above a place of a map; beside it that of the outermost texels, which are empty.
fn height(heights: &[f32], side: usize, u: f32, v: f32) -> f32 {
    let last = side as f32 - 0.5;
    let (column, row) = (whole(between(u, last)), whole(between(v, last)));
    heights.get((row * side as u32 + column) as usize).copied().unwrap_or(f32::NEG_INFINITY)
}

/// The nearest number from 0.5 to `last`.
fn between(x: f32, last: f32) -> f32 {
    let x = if x > 0.5 { x } else { 0.5 };
    if x < last { x } else { last }
}

/// The whole part of a number from 0.5 to 2²²: beside 2²³ it is what the last bits hold.
/// (Of a whole number this or the one before. A cast would check its range.)
fn whole(x: f32) -> u32 {
    ((x - 0.5) + 8_388_608.0).to_bits() & 0x7F_FFFF
}

/// Places that fill the disc evenly, the first half, quarter, eighth of them too.
fn taps() -> [(f32, f32); TAPS] {
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let mut order: [usize; TAPS] = std::array::from_fn(|k| k);
    order.sort_by_key(|k| std::cmp::Reverse(k.trailing_zeros()));
    order.map(|k| {
        let radius = ((k as f64 + 0.5) / TAPS as f64).sqrt();
        let (sine, cosine) = (golden * k as f64).sin_cos();
        ((radius * cosine) as f32, (radius * sine) as f32)
    })
}
