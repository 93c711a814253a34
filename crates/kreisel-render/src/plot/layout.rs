//! Where everything of a chart goes.

use crate::plot::axis::Axis;
use crate::plot::canvas::{Anchor, Canvas, Letters, Place, Stroke};
use crate::plot::chart::{Chart, Panel, Series};

/// Height of the title [pixels].
const HEAD: f64 = 44.0;
/// Height of a panel with its title [pixels].
const PANEL: f64 = 230.0;
/// Height of the time axis [pixels].
const FOOT: f64 = 50.0;
/// Room left of the axes for numbers and unit [pixels].
const LEFT: f64 = 92.0;
/// Room right of the axes for the legend [pixels].
const RIGHT: f64 = 210.0;
/// Distance of two entries of the legend [pixels].
const ENTRY: f64 = 19.0;
/// Letters of a legend's entry that have room.
const ENTRY_LETTERS: usize = 20;

const INK: u32 = 0x22262B;
const PALE: u32 = 0x6B727A;
const GRID: u32 = 0xE3E5E8;

/// Colours that colour-blind people can tell apart. (Okabe and Ito, "Color Universal Design", 2008.)
const COLOURS: [u32; 7] = [0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x3B3B3B];
/// Dashes, one recording after the other.
const DASHES: [&[f64]; 4] = [&[], &[7.0, 4.0], &[2.0, 3.0], &[9.0, 3.0, 2.0, 3.0]];

/// Height of a chart [pixels].
pub(crate) fn height(chart: &Chart) -> f64 {
    let panels: f64 = chart.panels.iter().map(panel_height).sum();
    HEAD + panels + FOOT
}

/// A long legend makes a panel higher.
fn panel_height(panel: &Panel) -> f64 {
    PANEL.max(60.0 + ENTRY * panel.series.len() as f64)
}

/// Draws a chart.
pub(crate) fn draw(chart: &Chart, canvas: &mut dyn Canvas, width: f64) {
    canvas.text((LEFT, 22.0), &chart.title, Letters { anchor: Anchor::Start, bold: true, colour: INK });
    let time = Axis::new(chart.times(), "s", 8, false);
    let mut top = HEAD;
    for panel in &chart.panels {
        let bottom = top + panel_height(panel);
        let area = Area { left: LEFT, right: width - RIGHT, top: top + 26.0, bottom: bottom - 12.0 };
        area.draw(canvas, panel, &time);
        top = bottom;
    }
    let area = Area { left: LEFT, right: width - RIGHT, top, bottom: top - 12.0 };
    area.time_marks(canvas, &time);
}

/// The rectangle of a pair of axes [pixels].
struct Area {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Area {
    fn draw(&self, canvas: &mut dyn Canvas, panel: &Panel, time: &Axis) {
        let values = Axis::new(panel.values(), &panel.unit, 5, true);
        let title = Letters { anchor: Anchor::Start, bold: true, colour: PALE };
        canvas.text((self.left, self.top - 12.0), &panel.title, title);
        self.grid(canvas, &values, time);
        for series in &panel.series {
            let place = |&(t, a): &(f64, f64)| (self.x(time, t), self.y(&values, a));
            let places: Vec<Place> = series.points.iter().filter(|p| p.1.is_finite()).map(place).collect();
            canvas.line(&thinned(places), stroke(series));
        }
        self.legend(canvas, panel);
    }

    fn x(&self, time: &Axis, t: f64) -> f64 {
        self.left + time.share(t) * (self.right - self.left)
    }

    fn y(&self, values: &Axis, value: f64) -> f64 {
        self.bottom - values.share(value) * (self.bottom - self.top)
    }

    fn grid(&self, canvas: &mut dyn Canvas, values: &Axis, time: &Axis) {
        let thin = |colour| Stroke { colour, width: 1.0, dashes: &[] };
        for (t, _) in &time.marks {
            canvas.line(&[(self.x(time, *t), self.top), (self.x(time, *t), self.bottom)], thin(GRID));
        }
        for (value, text) in &values.marks {
            let y = self.y(values, *value);
            canvas.line(&[(self.left, y), (self.right, y)], thin(if *value == 0.0 { 0xA9AFB6 } else { GRID }));
            canvas.text((self.left - 8.0, y), text, Letters { anchor: Anchor::End, bold: false, colour: INK });
        }
        let frame = [(self.left, self.top), (self.left, self.bottom), (self.right, self.bottom)];
        canvas.line(&frame, thin(PALE));
        if !values.unit.is_empty() {
            let unit = Letters { anchor: Anchor::Upwards, bold: false, colour: PALE };
            canvas.text((18.0, 0.5 * (self.top + self.bottom)), &format!("[{}]", values.unit), unit);
        }
    }

    fn legend(&self, canvas: &mut dyn Canvas, panel: &Panel) {
        for (k, series) in panel.series.iter().enumerate() {
            let y = self.top + 8.0 + ENTRY * k as f64;
            canvas.line(&[(self.right + 14.0, y), (self.right + 40.0, y)], stroke(series));
            let entry = Letters { anchor: Anchor::Start, bold: false, colour: INK };
            canvas.text((self.right + 46.0, y), &shortened(&series.name), entry);
        }
    }

    fn time_marks(&self, canvas: &mut dyn Canvas, time: &Axis) {
        let number = Letters { anchor: Anchor::Middle, bold: false, colour: INK };
        for (t, text) in &time.marks {
            canvas.text((self.x(time, *t), self.bottom + 14.0), text, number);
        }
        let middle = 0.5 * (self.left + self.right);
        canvas.text((middle, self.bottom + 36.0), "time [s]", Letters { colour: PALE, ..number });
    }
}

fn stroke(series: &Series) -> Stroke {
    let dashes = DASHES[series.dashes % DASHES.len()];
    Stroke { colour: COLOURS[series.colour % COLOURS.len()], width: 1.7, dashes }
}

fn shortened(name: &str) -> String {
    match name.chars().count() > ENTRY_LETTERS {
        true => name.chars().take(ENTRY_LETTERS - 2).chain("..".chars()).collect(),
        false => name.into(),
    }
}

/// Leaves out what cannot be seen: of the places in one column of pixels the first, the highest, the lowest and the last
/// are kept.
fn thinned(places: Vec<Place>) -> Vec<Place> {
    if places.len() < 4000 {
        return places;
    }
    let mut kept: Vec<Place> = Vec::new();
    for column in places.chunk_by(|a, b| a.0.floor() == b.0.floor()) {
        let extreme = |sign: f64| column.iter().copied().max_by(|a, b| (sign * a.1).total_cmp(&(sign * b.1)));
        let mut some: Vec<Place> = [column.first().copied(), extreme(1.0), extreme(-1.0), column.last().copied()]
            .into_iter()
            .flatten()
            .collect();
        some.sort_by(|a, b| a.0.total_cmp(&b.0));
        kept.extend(some);
    }
    kept
}
