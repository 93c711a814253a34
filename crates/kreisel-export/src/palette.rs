//! Simple colours that tell bodies apart.

/// The colour of a body, red, green and blue in linear light, 0 to 1: hues by the golden angle, so that all differ.
pub fn colour(body: usize) -> [f32; 3] {
    let hue = (0.58 + 0.618_034 * body as f32).fract() * 6.0;
    // A hue is a triangle wave per channel; muted, so that light and shade remain visible.
    let channel = |shift: f32| (((hue + shift) % 6.0 - 3.0).abs() - 1.0).clamp(0.0, 1.0) * 0.55 + 0.2;
    [channel(0.0), channel(4.0), channel(2.0)]
}
