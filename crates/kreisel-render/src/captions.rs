//! Title, time and the meaning of colours, written over a picture.

use crate::appearance;
use crate::arrows::{self, Arrows};
use crate::colour::{Rgb, colour_map};
use crate::colouring::Colouring;
use crate::picture::Picture;
use crate::text::Font;
use kreisel::model::setup::Colour;

/// Colour of letters.
const INK: [u8; 3] = [38, 42, 48];
/// Colour of what matters less.
const PALE: [u8; 3] = [88, 94, 102];

/// Writes title, time [s] and legend.
pub(crate) fn write(picture: &mut Picture, title: &str, time: f64, colouring: &Colouring, arrows: Option<Arrows>) {
    let size = picture.height as f64 / 28.0;
    let (font, bold) = (Font::new(size, false), Font::new(size, true));
    let margin = (font.line() * 3 / 4) as i64;
    let room = (picture.width as i64 - 2 * margin).max(0) as usize;
    bold.draw(picture, (margin, margin), &shortened(bold, title, room), INK);
    let below = picture.height as i64 - margin - font.line() as i64;
    font.draw(picture, (margin, below), &format!("t = {time:.3} s"), PALE);
    if let Some(arrows) = arrows {
        write_forces(picture, font, (margin, below - font.line() as i64 * 5 / 4), arrows.largest);
    }
    match colouring.kind {
        Colour::Body => {}
        Colour::Rigid => write_rigid(picture, font, margin),
        Colour::Speed => write_bar(picture, font, margin, ("speed", "m/s"), colouring.largest),
        Colour::Stress => write_bar(picture, font, margin, ("von Mises stress", "Pa"), colouring.largest),
    }
}

/// The arrow of the largest force [N], and its number.
fn write_forces(picture: &mut Picture, font: Font, at: (i64, i64), largest: f64) {
    if largest <= 0.0 {
        return font.draw(picture, at, "no contact forces recorded", PALE);
    }
    let length = arrows::draw_sample(picture, (at.0 as f64, at.1 as f64 + 0.5 * font.line() as f64));
    let (factor, unit) = with_prefix("N", largest);
    let digits = (2.0 - (largest * factor).log10().floor()).clamp(0.0, 2.0) as usize;
    let text = format!("{:.digits$} {unit}, largest contact force", largest * factor);
    font.draw(picture, (at.0 + length as i64 + 8, at.1), &text, PALE);
}

fn shortened(font: Font, text: &str, room: usize) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let most = room / font.width("m").max(1);
    if letters.len() > most {
        letters.truncate(most.saturating_sub(3));
        letters.extend("...".chars());
    }
    letters.into_iter().collect()
}

fn write_rigid(picture: &mut Picture, font: Font, margin: i64) {
    let line = font.line() as i64;
    for (k, (word, hex)) in [("rigid", appearance::RIGID), ("soft", appearance::SOFT)].into_iter().enumerate() {
        let left = picture.width as i64 - margin - font.width("rigid") as i64;
        let top = picture.height as i64 - margin - line * (2 - k as i64) - (1 - k as i64) * 4;
        fill(picture, (left - line - 4, top + 2), (line - 4, line - 4), Rgb::from_hex(hex).to_bytes());
        font.draw(picture, (left, top), word, INK);
    }
}

/// A bar with the colours from zero to the largest number, its unit with a suitable prefix.
fn write_bar(picture: &mut Picture, font: Font, margin: i64, what: (&str, &str), largest: f64) {
    let line = font.line() as i64;
    let (factor, unit) = with_prefix(what.1, largest);
    let labels: Vec<String> = (0..=4).map(|k| number(largest * factor * f64::from(k) / 4.0)).collect();
    let widest = labels.iter().map(|l| font.width(l)).max().unwrap_or(0) as i64;
    let (right, bottom) = (picture.width as i64 - margin, picture.height as i64 - margin);
    let (width, height) = (line * 2 / 3, line * 8);
    let (left, top) = (right - widest - width - 6, bottom - height - line / 2);
    for y in 0..height {
        let colour = colour_map(1.0 - (y as f64 + 0.5) / height as f64).to_bytes();
        fill(picture, (left, top + y), (width, 1), colour);
    }
    for (k, label) in labels.iter().enumerate() {
        let y = top + height - height * k as i64 / 4;
        fill(picture, (left + width, y), (4, 1), INK);
        font.draw(picture, (right - font.width(label) as i64, y - line / 2), label, INK);
    }
    let head = format!("{} [{unit}]", what.0);
    let at = (right - font.width(&head) as i64, top - line * 3 / 2);
    font.draw(picture, at, &head, INK);
}

fn fill(picture: &mut Picture, at: (i64, i64), size: (i64, i64), colour: [u8; 3]) {
    for y in at.1..at.1 + size.1 {
        (at.0..at.0 + size.0).for_each(|x| picture.blend(x, y, colour, 1.0));
    }
}

/// Factor and unit that make numbers up to `largest` short.
pub(crate) fn with_prefix(unit: &str, largest: f64) -> (f64, String) {
    let prefixes = [(1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ")];
    let (scale, prefix) = prefixes.into_iter().find(|(scale, _)| largest >= *scale).unwrap_or((1.0, ""));
    (1.0 / scale, format!("{prefix}{unit}"))
}

/// A number with up to three digits and no zeros at the end.
pub(crate) fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_and_small_numbers_get_a_prefix() {
        assert_eq!(with_prefix("Pa", 2.0e5).1, "kPa");
        assert_eq!(with_prefix("m/s", 0.04).1, "mm/s");
        assert_eq!(with_prefix("m/s", 4.0), (1.0, "m/s".into()));
        assert_eq!([0.0, 2.5, 10.0, 0.125].map(number), ["0", "2.5", "10", "0.125"]);
    }
}
