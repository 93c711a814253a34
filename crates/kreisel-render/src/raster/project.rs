//! Balls, rods and triangles in coordinates of the camera, sorted into the tiles that they may be seen in.

use crate::drawing::Drawing;
use crate::raster::{Screen, TILE};
use kreisel::DVec3;

/// Nothing nearer than this share of a metre is drawn.
pub(crate) const NEAR: f64 = 1e-3;

/// What is seen at a sample: nothing, or the number of a thing.
pub(crate) type Thing = u32;
/// The sky.
pub(crate) const SKY: Thing = u32::MAX;

/// A rectangle of the picture [pixels].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) low: (f64, f64),
    pub(crate) high: (f64, f64),
}

/// A part of a triangle in front of the camera.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facet {
    /// Corners in the picture [pixels] and the inverse of their depths [1/m].
    pub(crate) corners: [(f64, f64, f64); 3],
    /// Number of the triangle.
    pub(crate) source: u32,
}

/// A drawing as the camera sees it. Things are numbered: grounds, balls, rods, triangles.
#[derive(Debug)]
pub(crate) struct Projected<'a> {
    pub(crate) drawing: &'a Drawing,
    /// Centres of balls in coordinates of the camera [m].
    pub(crate) balls: Vec<DVec3>,
    /// Ends of rods in coordinates of the camera [m].
    pub(crate) rods: Vec<[DVec3; 2]>,
    pub(crate) facets: Vec<Facet>,
    /// What every tile has to look at, nearest first: places in the list of balls, rods, facets.
    pub(crate) bins: Vec<Vec<u32>>,
    /// Tiles across.
    pub(crate) across: usize,
}

impl<'a> Projected<'a> {
    pub(crate) fn new(drawing: &'a Drawing, screen: &Screen) -> Self {
        let balls: Vec<DVec3> = drawing.balls.iter().map(|b| screen.to_camera(b.centre)).collect();
        let rods: Vec<[DVec3; 2]> = drawing.rods.iter().map(|r| r.ends.map(|x| screen.to_camera(x))).collect();
        let facet = |(i, t): (usize, &crate::drawing::Triangle)| facets(screen, t.corners, i as u32);
        let facets: Vec<Facet> = drawing.triangles.iter().enumerate().flat_map(facet).collect();
        let across = screen.width.div_ceil(TILE);
        let bins = vec![Vec::new(); across * screen.height.div_ceil(TILE)];
        let mut projected = Self { drawing, balls, rods, facets, bins, across };
        projected.sort_into_tiles(screen);
        projected
    }

    /// Number of the first ball, rod and triangle.
    pub(crate) fn firsts(&self) -> [u32; 3] {
        let balls = self.drawing.grounds.len();
        let rods = balls + self.drawing.balls.len();
        [balls, rods, rods + self.drawing.rods.len()].map(|n| n as u32)
    }

    /// What is nearer is drawn first: most of the rest need not be looked at then.
    fn front_to_back(&self) -> Vec<usize> {
        let depths: Vec<f64> = (self.balls.iter().map(|c| c.z))
            .chain(self.rods.iter().map(|[a, b]| 0.5 * (a.z + b.z)))
            .chain(self.facets.iter().map(|f| 1.0 / f.corners[0].2))
            .collect();
        let mut order: Vec<usize> = (0..depths.len()).collect();
        order.sort_by(|&a, &b| depths[a].total_cmp(&depths[b]));
        order
    }

    fn sort_into_tiles(&mut self, screen: &Screen) {
        let ball = |(c, b): (&DVec3, &crate::drawing::Ball)| ball_frame(screen, *c, b.radius);
        let rod = |(ends, r): (&[DVec3; 2], &crate::drawing::Rod)| rod_frame(screen, *ends, r.radius);
        let frames: Vec<Option<Frame>> = (self.balls.iter().zip(&self.drawing.balls).map(ball))
            .chain(self.rods.iter().zip(&self.drawing.rods).map(rod))
            .chain(self.facets.iter().map(|f| Some(facet_frame(f))))
            .collect();
        let tiles = |low: f64, high: f64, count: usize| {
            let last = count as f64 * TILE as f64;
            let tile = |a: f64| (a.clamp(0.0, last) / TILE as f64) as usize;
            tile(low)..(tile(high) + 1).min(count)
        };
        let down = self.bins.len() / self.across.max(1);
        for place in self.front_to_back() {
            let Some(frame) = frames[place] else { continue };
            for row in tiles(frame.low.1, frame.high.1, down) {
                for column in tiles(frame.low.0, frame.high.0, self.across) {
                    self.bins[row * self.across + column].push(place as u32);
                }
            }
        }
    }
}

/// The rectangle around a ball, from the tangents of the rays that touch it: `(c z ± r √(c² + z² − r²)) / (z² − r²)`.
pub(crate) fn ball_frame(screen: &Screen, centre: DVec3, radius: f64) -> Option<Frame> {
    if centre.z + radius < NEAR {
        return None;
    }
    if centre.z - radius < NEAR {
        let everything = Frame { low: (0.0, 0.0), high: (screen.width as f64, screen.height as f64) };
        return Some(everything);
    }
    let span = |c: f64| {
        let (z, r) = (centre.z, radius);
        let root = r * (c * c + z * z - r * r).sqrt();
        ((c * z - root) / (z * z - r * r), (c * z + root) / (z * z - r * r))
    };
    let ((left, right), (bottom, top)) = (span(centre.x), span(centre.y));
    Some(Frame { low: screen.pixel((left, top)), high: screen.pixel((right, bottom)) })
}

fn rod_frame(screen: &Screen, ends: [DVec3; 2], radius: f64) -> Option<Frame> {
    let [a, b] = ends.map(|x| ball_frame(screen, x, radius));
    match (a, b) {
        (Some(a), Some(b)) => Some(Frame {
            low: (a.low.0.min(b.low.0), a.low.1.min(b.low.1)),
            high: (a.high.0.max(b.high.0), a.high.1.max(b.high.1)),
        }),
        // One end behind the camera: anywhere.
        (Some(_), None) | (None, Some(_)) => {
            Some(Frame { low: (0.0, 0.0), high: (screen.width as f64, screen.height as f64) })
        }
        (None, None) => None,
    }
}

pub(crate) fn facet_frame(facet: &Facet) -> Frame {
    let [a, b, c] = facet.corners;
    let least = |f: fn((f64, f64, f64)) -> f64| f(a).min(f(b)).min(f(c));
    let most = |f: fn((f64, f64, f64)) -> f64| f(a).max(f(b)).max(f(c));
    Frame { low: (least(|p| p.0), least(|p| p.1)), high: (most(|p| p.0), most(|p| p.1)) }
}

/// The part of a triangle beyond the near plane, as up to two triangles.
fn facets(screen: &Screen, corners: [DVec3; 3], source: u32) -> impl Iterator<Item = Facet> + use<> {
    let inside = corners.map(|x| screen.to_camera(x));
    let mut kept = Vec::with_capacity(4);
    for k in 0..3 {
        let (a, b) = (inside[k], inside[(k + 1) % 3]);
        if a.z >= NEAR {
            kept.push(a);
        }
        if (a.z >= NEAR) != (b.z >= NEAR) {
            let mut cut = a.lerp(b, (NEAR - a.z) / (b.z - a.z));
            cut.z = NEAR;
            kept.push(cut);
        }
    }
    let screen = *screen;
    let corner = move |x: DVec3| {
        let (px, py) = screen.pixel((x.x / x.z, x.y / x.z));
        (px, py, 1.0 / x.z)
    };
    let count = kept.len().saturating_sub(2);
    (0..count).map(move |k| Facet { corners: [kept[0], kept[k + 1], kept[k + 2]].map(corner), source })
}
