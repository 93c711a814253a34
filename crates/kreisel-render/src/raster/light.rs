//! The light: a low sun over the shoulder of the viewer, and the sky.

use crate::colour::Rgb;
use crate::drawing::Drawing;
use crate::raster::Screen;
use crate::raster::shadow::ShadowMap;
use kreisel::DVec3;

/// Texels per side of the sun's shadows.
const SUN_TEXELS: usize = 896;
/// Texels per side of the shade of the sky.
const SKY_TEXELS: usize = 256;

/// Where light comes from, and what stands in its way.
pub(crate) struct Lights {
    /// Towards the sun.
    pub(crate) sun: DVec3,
    /// Shadows of the sun; `None` if there is nothing.
    pub(crate) sun_map: Option<ShadowMap>,
    /// What covers the sky straight above.
    pub(crate) sky_map: Option<ShadowMap>,
    /// Half the diagonal of all that is bounded [m].
    pub(crate) extent: f64,
    /// Middle of all that is bounded [m].
    pub(crate) middle: DVec3,
}

/// Light of the sun.
pub(crate) const SUN: Rgb = Rgb([1.02, 0.96, 0.86]);
/// Light of the sky from above.
pub(crate) const SKY_ABOVE: Rgb = Rgb([0.40, 0.45, 0.54]);
/// Light that comes back from below.
pub(crate) const SKY_BELOW: Rgb = Rgb([0.25, 0.235, 0.21]);

impl Lights {
    pub(crate) fn new(drawing: &Drawing, screen: &Screen) -> Self {
        let level = |d: DVec3| DVec3::new(d.x, d.y, 0.0).normalize_or_zero();
        let (right, ahead) = (level(screen.axes.right), level(screen.axes.right.cross(DVec3::NEG_Z)));
        // From the left, a little from behind the camera, high.
        let sun = (-0.62 * right - 0.38 * ahead + DVec3::Z).normalize();
        let bounds = drawing.bounds();
        let (low, high) = bounds.unwrap_or_default();
        let extent = bounds.map_or(1.0, |_| 0.5 * low.distance(high));
        let map = |direction, texels| bounds.map(|_| ShadowMap::new(drawing, direction, texels));
        Self {
            sun,
            sun_map: map(sun, SUN_TEXELS),
            sky_map: map(DVec3::Z, SKY_TEXELS),
            extent,
            middle: low.midpoint(high),
        }
    }

    /// Share of the sun that reaches a place, 0 to 1; `thrift` times fewer places are looked at.
    pub(crate) fn sunshine(&self, place: DVec3, normal: DVec3, thrift: usize) -> f32 {
        self.sun_map.as_ref().map_or(1.0, |map| map.soft_light(place, normal, thrift))
    }

    /// Share of the sky that a place sees, 0 to 1; `thrift` times fewer places are looked at.
    pub(crate) fn openness(&self, place: DVec3, normal: DVec3, thrift: usize) -> f32 {
        self.sky_map.as_ref().map_or(1.0, |map| map.openness(place, normal, 0.22 * self.extent, thrift))
    }
}

/// The sky in a direction.
pub(crate) fn sky(direction: DVec3) -> Rgb {
    let height = (direction.z / direction.length().max(1e-300)).clamp(-1.0, 1.0) as f32;
    let (horizon, zenith) = (horizon(), Rgb([0.34, 0.52, 0.76]));
    let share = height.max(0.0).powf(0.62);
    horizon.mix(zenith, 0.85 * share).mix(Rgb([0.70, 0.72, 0.74]), (-height).max(0.0).sqrt() * 0.6)
}

/// The sky at the horizon, which the ground fades into.
pub(crate) fn horizon() -> Rgb {
    Rgb([0.80, 0.86, 0.91])
}
