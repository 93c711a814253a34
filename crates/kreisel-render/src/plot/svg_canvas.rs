//! Plots as SVG.

use crate::plot::canvas::{Anchor, Canvas, Letters, Place, Stroke};
use std::fmt::Write;

/// An SVG document that is being written.
pub(crate) struct SvgCanvas {
    text: String,
}

impl SvgCanvas {
    pub(crate) fn new(width: f64, height: f64) -> Self {
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        Self { text }
    }

    pub(crate) fn finish(mut self) -> String {
        self.text += "</svg>\n";
        self.text
    }
}

impl Canvas for SvgCanvas {
    fn line(&mut self, places: &[Place], stroke: Stroke) {
        let places: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let dashes: Vec<String> = stroke.dashes.iter().map(f64::to_string).collect();
        let dashes =
            if dashes.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{}\"", dashes.join(" ")) };
        let _ = writeln!(
            self.text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"#{:06x}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{dashes}/>",
            places.join(" "),
            stroke.colour,
            stroke.width,
        );
    }

    fn text(&mut self, (x, y): Place, text: &str, letters: Letters) {
        let anchor = match letters.anchor {
            Anchor::Start => "start",
            Anchor::End => "end",
            Anchor::Middle | Anchor::Upwards => "middle",
        };
        let turn = match letters.anchor {
            Anchor::Upwards => format!(" transform=\"rotate(-90 {x:.1} {y:.1})\""),
            _ => String::new(),
        };
        let weight = if letters.bold { " font-weight=\"bold\"" } else { "" };
        let _ = writeln!(
            self.text,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" dy=\"0.35em\" text-anchor=\"{anchor}\" fill=\"#{:06x}\"{weight}{turn}>{}</text>",
            letters.colour,
            escaped(text),
        );
    }
}

fn escaped(text: &str) -> String {
    let plain: String = text.chars().filter(|c| !c.is_control()).collect();
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
