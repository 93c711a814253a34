//! Shadows: how high things reach towards a light, on a grid across it.

use crate::drawing::Drawing;
use crate::raster::shadow_fill;
use kreisel::DVec3;

/// Places on a disc that fill it evenly, a golden angle from one to the next.
const TAPS: usize = 32;
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
    taps: [(f64, f64); TAPS],
}

impl ShadowMap {
    /// Heights of everything in a drawing towards a light.
    pub(crate) fn new(drawing: &Drawing, light: DVec3, side: usize) -> Self {
        let across = if light.z.abs() < 0.9 { light.cross(DVec3::Z).normalize() } else { DVec3::X };
        let axes = [across, light.cross(across), light];
        let (low, high) = drawing.bounds().unwrap_or_default();
        let radius = (0.5 * low.distance(high)).max(1e-9);
        let middle = low.midpoint(high);
        let scale = (side as f64 - 4.0) / (2.0 * radius);
        let corner = |axis: DVec3| axis.dot(middle) - 0.5 * side as f64 / scale;
        let mut map = Self {
            axes,
            corner: (corner(axes[0]), corner(axes[1])),
            scale,
            side,
            heights: vec![f32::NEG_INFINITY; side * side],
            top: axes[2].dot(middle) + radius,
            taps: std::array::from_fn(tap),
        };
        shadow_fill::fill(&mut map, drawing);
        map
    }

    /// Texels across and height [m] of a place.
    pub(crate) fn locate(&self, x: DVec3) -> (f64, f64, f64) {
        let [u, v, h] = self.axes.map(|axis| axis.dot(x));
        ((u - self.corner.0) * self.scale, (v - self.corner.1) * self.scale, h)
    }

    /// Share of the light that reaches a place, 0 to 1; softer the farther away what throws the shadow is.
    pub(crate) fn soft_light(&self, place: DVec3, normal: DVec3) -> f32 {
        let texel = 1.0 / self.scale;
        let (u, v, h) = self.locate(place + normal * (2.0 * texel));
        let bias = h + 1.5 * texel;
        let reach = (SUN_SIZE * (self.top - h) * self.scale).clamp(2.0, 0.08 * self.side as f64);
        let Some(blocker) = self.blockers(u, v, bias, reach) else { return 1.0 };
        let radius = (SUN_SIZE * (blocker - h) * self.scale).clamp(1.6, reach);
        // A narrow penumbra needs fewer places.
        let stride = if radius < 4.0 { 4 } else { 1 + usize::from(radius < 10.0) };
        let some = self.taps.iter().step_by(stride);
        let light: f64 = some.map(|t| self.clearance(u + t.0 * radius, v + t.1 * radius, bias)).sum();
        (light * stride as f64 / TAPS as f64) as f32
    }

    /// Share of the sky that is not covered within `reach` [m] around a place; what is far above covers little.
    pub(crate) fn openness(&self, place: DVec3, normal: DVec3, reach: f64) -> f32 {
        let texel = 1.0 / self.scale;
        let (u, v, h) = self.locate(place + normal * (1.5 * texel));
        let far = reach * self.scale;
        if self.is_beyond(u, v, far) {
            return 1.0;
        }
        // Heights count above the tangent plane: a slope does not cover itself.
        let [nu, nv, nh] = self.axes.map(|axis| axis.dot(normal));
        let slope = if nh > 0.2 { (-nu / nh, -nv / nh) } else { (0.0, 0.0) };
        let covered = |t: &(f64, f64)| {
            let plane = h + reach * (slope.0 * t.0 + slope.1 * t.1) + texel;
            let above = f64::from(self.height(u + t.0 * far, v + t.1 * far)) - plane;
            if above > 0.0 { 1.0 / (1.0 + (above / reach).powi(2)) } else { 0.0 }
        };
        let sum: f64 = self.taps.iter().step_by(2).map(covered).sum();
        (1.0 - 2.0 * sum / TAPS as f64) as f32
    }

    /// Mean height of what is higher than `h` around a place.
    fn blockers(&self, u: f64, v: f64, h: f64, reach: f64) -> Option<f64> {
        if self.is_beyond(u, v, reach) {
            return None;
        }
        let (mut sum, mut count) = (0.0, 0);
        for t in self.taps.iter().step_by(2).chain([&(0.0, 0.0)]) {
            let height = f64::from(self.height(u + t.0 * reach, v + t.1 * reach));
            if height > h {
                sum += height;
                count += 1;
            }
        }
        (count > 0).then(|| sum / f64::from(count))
    }

    /// True if a place is farther than `reach` beside the map [texels].
    fn is_beyond(&self, u: f64, v: f64, reach: f64) -> bool {
        let end = self.side as f64 + reach;
        u < -reach || v < -reach || u > end || v > end
    }

    fn height(&self, u: f64, v: f64) -> f32 {
        let side = self.side as f64;
        if u < 0.0 || v < 0.0 || u >= side || v >= side {
            return f32::NEG_INFINITY;
        }
        self.heights[v as usize * self.side + u as usize]
    }

    /// Whether the light passes: 0 to 1, mixed between the four nearest texels.
    fn clearance(&self, u: f64, v: f64, h: f64) -> f64 {
        let (u, v) = (u - 0.5, v - 0.5);
        let (iu, iv) = (u.floor(), v.floor());
        let (su, sv) = (u - iu, v - iv);
        let free = |du: f64, dv: f64| if f64::from(self.height(iu + du, iv + dv)) > h { 0.0 } else { 1.0 };
        let low = free(0.0, 0.0) * (1.0 - su) + free(1.0, 0.0) * su;
        let high = free(0.0, 1.0) * (1.0 - su) + free(1.0, 1.0) * su;
        low * (1.0 - sv) + high * sv
    }
}

fn tap(k: usize) -> (f64, f64) {
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let radius = ((k as f64 + 0.5) / TAPS as f64).sqrt();
    (radius * (golden * k as f64).cos(), radius * (golden * k as f64).sin())
}
