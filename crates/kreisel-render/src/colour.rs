//! Colours in linear light, and the map from numbers to colours.

use std::ops::{Add, Mul};
use std::sync::LazyLock;

/// A colour in linear light, 0 to 1 each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rgb(pub [f32; 3]);

impl Rgb {
    /// Black.
    pub const BLACK: Self = Self([0.0; 3]);
    /// White.
    pub const WHITE: Self = Self([1.0; 3]);

    /// A colour as it is written on web pages, such as `0xE4572E`.
    pub fn from_hex(hex: u32) -> Self {
        Self([16, 8, 0].map(|shift| to_linear(((hex >> shift) & 255) as f32 / 255.0)))
    }

    /// Bytes for the screen: encoded as sRGB. (IEC 61966-2-1.)
    pub fn to_bytes(self) -> [u8; 3] {
        let table = &*TO_BYTE;
        self.0.map(|a| table.byte(a.clamp(0.0, 1.0)))
    }

    /// Between this colour (0) and another (1).
    pub fn mix(self, other: Self, share: f32) -> Self {
        self * (1.0 - share) + other * share
    }

    /// Product of the components: a surface of this colour in light of the other.
    pub fn under(self, light: Self) -> Self {
        Self([0, 1, 2].map(|i| self.0[i] * light.0[i]))
    }
}

impl Add for Rgb {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self([0, 1, 2].map(|i| self.0[i] + other.0[i]))
    }
}

impl Mul<f32> for Rgb {
    type Output = Self;
    fn mul(self, factor: f32) -> Self {
        Self(self.0.map(|a| a * factor))
    }
}

fn to_linear(a: f32) -> f32 {
    if a <= 0.04045 { a / 12.92 } else { ((a + 0.055) / 1.055).powf(2.4) }
}

/// Steps of linear light, fewer than one byte each: the slope of the encoding is at most 12.92.
const STEPS: usize = 4096;

static TO_BYTE: LazyLock<ToByte> = LazyLock::new(ToByte::new);

/// Linear light to bytes for the screen, without a power each time.
struct ToByte {
    /// Byte of the beginning of each step.
    begin: [u8; STEPS + 1],
    /// Light from which on the next byte is nearer.
    end: [f32; 256],
}

impl ToByte {
    fn new() -> Self {
        let byte = |k: usize| (to_screen(k as f32 / STEPS as f32) * 255.0 + 0.5) as u8;
        let end = |k: usize| if k < 255 { to_linear((k as f32 + 0.5) / 255.0) } else { f32::INFINITY };
        Self { begin: std::array::from_fn(byte), end: std::array::from_fn(end) }
    }

    /// The byte of light from 0 to 1.
    fn byte(&self, light: f32) -> u8 {
        let byte = self.begin[((light * STEPS as f32) as usize).min(STEPS)];
        byte + u8::from(light >= self.end[usize::from(byte)])
    }
}

fn to_screen(a: f32) -> f32 {
    if a <= 0.003_130_8 { a * 12.92 } else { 1.055 * a.powf(1.0 / 2.4) - 0.055 }
}

/// The colour of a number from 0 to 1: from dark violet over blue and green to yellow, lighter all the way in even steps,
/// so that it reads in grey and for colour-blind people too.
pub fn colour_map(value: f64) -> Rgb {
    let s = value.clamp(0.0, 1.0) as f32;
    let s = if s.is_nan() { 0.0 } else { s };
    let hue = (310.0 - 205.0 * s).to_radians();
    let chroma = 0.115 + 0.06 * s * s;
    oklab(0.36 + 0.55 * s, chroma * hue.cos(), chroma * hue.sin())
}

/// A colour by lightness and its green–red and blue–yellow shares, even to the eye. (Ottosson, "Oklab", 2020.)
fn oklab(lightness: f32, a: f32, b: f32) -> Rgb {
    let cone = |ka: f32, kb: f32| (lightness + ka * a + kb * b).powi(3);
    let l = cone(0.396_337_8, 0.215_803_76);
    let m = cone(-0.105_561_346, -0.063_854_17);
    let s = cone(-0.089_484_18, -1.291_485_5);
    let channels = [
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_38 * s,
        -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    ];
    Rgb(channels.map(|c| c.clamp(0.0, 1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_and_half_the_light_is_lighter_than_half_the_byte() {
        for hex in [0x000000, 0xFFFFFF, 0x123456, 0xE4572E, 0x80FF01] {
            let [r, g, b] = Rgb::from_hex(hex).to_bytes().map(u32::from);
            assert_eq!(r << 16 | g << 8 | b, hex);
        }
        assert_eq!(Rgb([0.5; 3]).to_bytes(), [188; 3]);
    }

    #[test]
    fn the_map_gets_lighter_all_the_way() {
        let luminance = |Rgb([r, g, b]): Rgb| 0.2126 * r + 0.7152 * g + 0.0722 * b;
        let steps: Vec<f32> = (0..=100).map(|i| luminance(colour_map(i as f64 / 100.0))).collect();
        assert!(steps.windows(2).all(|w| w[1] > w[0]));
        assert_eq!(colour_map(-3.0), colour_map(0.0));
        assert_eq!(colour_map(f64::NAN).to_bytes(), colour_map(0.0).to_bytes());
    }
}
