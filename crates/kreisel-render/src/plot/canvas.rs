//! What a plot is drawn with: lines, rectangles and text, whatever becomes of them.

/// A place [pixels] from the left and from the top.
pub(crate) type Place = (f64, f64);

/// How a text lies at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
    /// It runs upwards, its middle there.
    Upwards,
}

/// How a text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Letters {
    pub(crate) anchor: Anchor,
    pub(crate) bold: bool,
    /// Colour as on web pages.
    pub(crate) colour: u32,
}

/// How a line looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stroke {
    /// Colour as on web pages.
    pub(crate) colour: u32,
    /// Width [pixels].
    pub(crate) width: f64,
    /// Lengths of dashes and gaps in turn [pixels]; empty: none.
    pub(crate) dashes: &'static [f64],
}

/// Something to draw on.
pub(crate) trait Canvas {
    /// A line through places.
    fn line(&mut self, places: &[Place], stroke: Stroke);
    /// A text, the middle of its height at a place.
    fn text(&mut self, at: Place, text: &str, letters: Letters);
}
