//! Places around a place of a map, four at a time: what the processor does at once.

/// Places on a disc that fill it evenly, a golden angle from one to the next.
pub(crate) const TAPS: usize = 32;
/// Places looked at together.
const LANES: usize = 4;
/// Beside it the last bits of a number hold its whole part: quicker than a cast, which checks its range.
const WHOLE: f32 = 8_388_608.0;

/// Four places on the disc.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Four {
    pub(crate) u: [f32; LANES],
    pub(crate) v: [f32; LANES],
}

/// Four places between texels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Between {
    /// Numbers of the texels below.
    pub(crate) texels: [usize; LANES],
    /// Shares of the way to the next column and row.
    pub(crate) u: [f32; LANES],
    pub(crate) v: [f32; LANES],
}

/// All the places; the first half, quarter and eighth of them fill the disc evenly too: the squares of the radii are
/// numbers with the bits of `k` reversed, which halve the gaps again and again.
pub(crate) fn taps() -> [Four; TAPS / LANES] {
    let place = |k: usize| {
        let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
        let reversed = k.reverse_bits() >> (usize::BITS - TAPS.ilog2());
        let radius = ((reversed as f64 + 0.5) / TAPS as f64).sqrt();
        let (sine, cosine) = (golden * k as f64).sin_cos();
        ((radius * cosine) as f32, (radius * sine) as f32)
    };
    std::array::from_fn(|four| {
        let places: [(f32, f32); LANES] = std::array::from_fn(|k| place(four * LANES + k));
        Four { u: places.map(|p| p.0), v: places.map(|p| p.1) }
    })
}

impl Four {
    /// Numbers of the texels at these places of the disc of a radius around `(u, v)`; beside the map, of its edge.
    #[inline]
    pub(crate) fn texels(&self, side: f32, centre: (f32, f32), radius: f32) -> [usize; LANES] {
        self.below(side, side - 0.5, centre, radius).texels
    }

    /// Where these places of the disc of a radius around `(u, v)` are between the middles of texels.
    #[inline]
    pub(crate) fn between(&self, side: f32, centre: (f32, f32), radius: f32) -> Between {
        self.below(side, side - 1.0, (centre.0 - 0.5, centre.1 - 0.5), radius)
    }

    /// Between whole numbers, from 0.5 to `last`. (A whole number counts as itself or as the end of what is before.)
    #[inline]
    fn below(&self, side: f32, last: f32, centre: (f32, f32), radius: f32) -> Between {
        let mut found = Between { texels: [0; LANES], u: [0.0; LANES], v: [0.0; LANES] };
        for k in 0..LANES {
            let u = clamp(centre.0 + self.u[k] * radius, last);
            let v = clamp(centre.1 + self.v[k] * radius, last);
            let (column, row) = (u - 0.5 + WHOLE - WHOLE, v - 0.5 + WHOLE - WHOLE);
            // Exact: maps have fewer than 2²² texels.
            found.texels[k] = ((row * side + column + WHOLE).to_bits() & 0x7F_FFFF) as usize;
            (found.u[k], found.v[k]) = (u - column, v - row);
        }
        found
    }
}

fn clamp(x: f32, last: f32) -> f32 {
    let x = if x > 0.5 { x } else { 0.5 };
    if x < last { x } else { last }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_in_their_texels_and_at_the_edge_if_they_are_beside_the_map() {
        let at = Four { u: [-9.0, 0.0, 0.25, 50.0], v: [0.1, 0.4, 3.0, 90.0] };
        assert_eq!(at.texels(8.0, (1.6, 2.2), 1.0), [16, 17, 41, 63]);
        let found = at.between(8.0, (1.6, 2.2), 1.0);
        assert_eq!(found.texels, [8, 17, 33, 54]);
        for (share, wanted) in found.u.into_iter().zip([0.5, 0.1, 0.35, 1.0]) {
            assert!((share - wanted).abs() < 1e-6, "{share} {wanted}");
        }
    }

    #[test]
    fn an_eighth_of_the_places_is_spread_around_the_disc() {
        let [Four { u, v }, ..] = taps();
        let radii: Vec<f32> = (0..LANES).map(|k| u[k].hypot(v[k])).collect();
        assert!(radii.iter().any(|&r| r < 0.3) && radii.iter().any(|&r| r > 0.8), "{radii:?}");
        let both = |all: [f32; LANES]| all.iter().any(|&a| a > 0.2) && all.iter().any(|&a| a < -0.2);
        assert!(both(u) && both(v), "{u:?} {v:?}");
    }
}
