//! A recording on a stage: camera and colours for all of its frames, and what is drawn of each.

use crate::appearance;
use crate::arrows::Arrows;
use crate::camera::{Camera, CameraChoice};
use crate::captions;
use crate::colour::Rgb;
use crate::colouring::{Colouring, nice_above};
use crate::drawing::{Ball, Drawing, Ground, Rod, Triangle};
use crate::error::RenderError;
use crate::framing::Framing;
use crate::hide::Hide;
use crate::picture::Picture;
use crate::raster;
use kreisel::DVec3;
use kreisel::model::element::NO_PERCH;
use kreisel::model::setup::{Colour, Show};
use kreisel::model::{Model, ObstacleShape};
use kreisel::readout::dress::dress;
use kreisel_record::{Frame, Recording};

/// Frames that camera and colours are chosen from.
const LOOKED_AT: usize = 9;
/// Radius of a ball where connections are shown, as a share of its own.
const SMALL_BALL: f64 = 0.32;
/// Radius of a rod, as a share of the radius of the elements it joins.
const THIN_ROD: f64 = 0.14;
/// Radius of a rod of a body that has nothing else to show.
const ROD: f64 = 0.35;

/// How a recording is to be shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Width and height [pixels].
    pub size: (usize, usize),
    /// The camera.
    pub camera: CameraChoice,
    /// What is drawn of bodies; `None`: what the scene says.
    pub show: Option<Show>,
    /// What colours mean; `None`: what the scene says.
    pub colour: Option<Colour>,
    /// Contact forces as arrows.
    pub forces: bool,
    /// Title, time and legend.
    pub captions: bool,
}

impl Default for Look {
    fn default() -> Self {
        let camera = CameraChoice::default();
        Self { size: (640, 480), camera, show: None, colour: None, forces: false, captions: true }
    }
}

/// A recording with camera and colours.
#[derive(Debug)]
pub struct Stage {
    model: Model,
    look: Look,
    show: Show,
    framing: Framing,
    colouring: Colouring,
    /// If contact forces are shown.
    arrows: Option<Arrows>,
    /// Distance of grid lines on grounds [m].
    grid: f64,
    /// For every element, whether its body has no skin.
    bare: Vec<bool>,
    /// For every element, whether it can be seen while nothing is broken: it is at most one connection from a surface.
    outer: Vec<bool>,
}

impl Stage {
    /// Chooses camera and colours over the whole recording.
    pub fn new(recording: &mut Recording, look: Look) -> Result<Self, RenderError> {
        let mut model = recording.model()?.ok_or(RenderError::NoModel)?;
        dress(&mut model);
        let count = recording.len();
        if count == 0 {
            return Err(RenderError::Empty);
        }
        let mut chosen: Vec<usize> = (0..LOOKED_AT).map(|k| k * (count - 1) / (LOOKED_AT - 1)).collect();
        chosen.dedup();
        let frames: Vec<Frame> = chosen.into_iter().map(|i| recording.frame(i)).collect::<Result<_, _>>()?;
        let aspect = look.size.0 as f64 / look.size.1.max(1) as f64;
        let framing = Framing::new(&model, &look.camera, &frames, aspect);
        let colouring = Colouring::new(look.colour.unwrap_or(model.view.colour), &model, &frames);
        let camera = frames.first().map(|f| framing.camera(f));
        let sight = camera.map_or(1.0, |c| c.eye.distance(c.target) * c.field_of_view);
        let show = look.show.unwrap_or(model.view.show);
        let grid = nice_above((sight / 8.0).max(1e-12));
        let bare = bare_elements(&model);
        let arrows = look.forces.then(|| Arrows::new(recording)).transpose()?;
        let outer = outer_elements(&model);
        Ok(Self { model, look, show, framing, colouring, arrows, grid, bare, outer })
    }

    /// The model that is shown.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The picture of a frame.
    pub fn picture(&self, frame: &Frame) -> Picture {
        let (width, height) = self.look.size;
        let (mut drawing, camera) = (self.drawing(frame), self.camera(frame));
        drawing.thicken(&camera, height);
        let mut picture = raster::render(&drawing, &camera, width, height);
        if let Some(arrows) = &self.arrows {
            arrows.draw(&mut picture, &camera, &frame.contact_forces);
        }
        if self.look.captions {
            captions::write(&mut picture, &self.model.title, frame.time, &self.colouring, self.arrows);
        }
        picture
    }

    /// The camera at a frame.
    pub fn camera(&self, frame: &Frame) -> Camera {
        self.framing.camera(frame)
    }

    /// What is drawn of a frame.
    pub fn drawing(&self, frame: &Frame) -> Drawing {
        let mut drawing = Drawing::default();
        self.add_obstacles(&mut drawing);
        let values = self.colouring.values(&self.model, frame);
        match self.show {
            Show::Skins => {
                Hide::of(&self.model, frame).iter().for_each(|h| self.add_hide(&mut drawing, h, frame, &values));
                self.add_balls(&mut drawing, frame, &values, 1.0, |e| self.bare[e]);
                self.add_rods(&mut drawing, frame, &values, ROD, |e| self.bare[e]);
            }
            Show::Elements => {
                let whole = frame.broken.is_empty();
                self.add_balls(&mut drawing, frame, &values, 1.0, |e| self.outer[e] || !whole);
            }
            Show::Connections => {
                self.add_balls(&mut drawing, frame, &values, SMALL_BALL, |_| true);
                self.add_rods(&mut drawing, frame, &values, THIN_ROD, |_| true);
            }
        }
        drawing
    }

    fn add_obstacles(&self, drawing: &mut Drawing) {
        let grey = Rgb::from_hex(appearance::OBSTACLE);
        for obstacle in &self.model.obstacles {
            match &obstacle.shape {
                ObstacleShape::Plane { normal, offset } => {
                    let colour = Rgb::from_hex(appearance::GROUND);
                    drawing.grounds.push(Ground { normal: *normal, offset: *offset, colour, grid: self.grid });
                }
                ObstacleShape::Sphere { centre, radius } => {
                    drawing.balls.push(Ball { centre: *centre, radius: *radius, colour: grey });
                }
                ObstacleShape::Box { centre, half_size, rotation } => {
                    let place = |x: DVec3| *centre + *rotation * (x * *half_size);
                    box_triangles().for_each(|t| drawing.add_flat(t.map(place), grey));
                }
            }
        }
    }

    fn add_hide(&self, drawing: &mut Drawing, hide: &Hide, frame: &Frame, values: &[f64]) {
        drawing.triangles.reserve(hide.pose.triangles.len());
        for t in 0..hide.pose.triangles.len() {
            let (corners, normals) = hide.corners(t);
            let own = self.own_colour(hide, t);
            let colours = hide.pose.triangles[t].map(|v| match self.colouring.kind {
                Colour::Body => own.unwrap_or(self.colouring.of_element(&self.model, frame, values, hide.nearest(v))),
                Colour::Rigid => self.colouring.of_element(&self.model, frame, values, hide.nearest(v)),
                Colour::Speed | Colour::Stress => self.colouring.of_value(hide.gather(v, values)),
            });
            drawing.triangles.push(Triangle { corners, normals, colours, lines: hide.lines(t) });
        }
    }

    /// The colour of what fracture has laid bare, or of a part that has one.
    fn own_colour(&self, hide: &Hide, triangle: usize) -> Option<Rgb> {
        match hide.is_wound(triangle) {
            true => Some(appearance::body(hide.body()).mix(Rgb::WHITE, 0.35)),
            false => hide.part(triangle).and_then(appearance::part),
        }
    }

    fn add_balls(
        &self,
        drawing: &mut Drawing,
        frame: &Frame,
        values: &[f64],
        share: f64,
        wanted: impl Fn(usize) -> bool,
    ) {
        for e in (0..self.model.elements.len()).filter(|&e| wanted(e)) {
            let centre = if share == 1.0 { self.sphere_centre(frame, e) } else { frame.position.get(e) };
            let colour = self.colouring.of_element(&self.model, frame, values, e);
            drawing.balls.push(Ball { centre, radius: share * self.model.elements.radius[e], colour });
        }
    }

    /// The contact sphere lies inside its body, so that it touches the true surface.
    fn sphere_centre(&self, frame: &Frame, e: usize) -> DVec3 {
        let elements = &self.model.elements;
        if let Some(&perch) = elements.perch.get(e).filter(|&&p| p != NO_PERCH) {
            return self.model.perches.gather(perch as usize, &frame.position);
        }
        let x = frame.position.get(e);
        match elements.anchor[e] as usize {
            anchor if anchor < elements.len() && frame.broken.is_empty() => {
                x + (frame.position.get(anchor) - x).normalize_or_zero() * elements.inset[e]
            }
            _ => x,
        }
    }

    fn add_rods(
        &self,
        drawing: &mut Drawing,
        frame: &Frame,
        values: &[f64],
        share: f64,
        wanted: impl Fn(usize) -> bool,
    ) {
        let (model, radius) = (&self.model, &self.model.elements.radius);
        for (c, ends) in model.connections.ends.iter().enumerate() {
            let ends = ends.map(|e| e as usize);
            if !ends.iter().all(|&e| wanted(e)) || frame.broken.binary_search(&(c as u32)).is_ok() {
                continue;
            }
            drawing.rods.push(Rod {
                ends: ends.map(|e| frame.position.get(e)),
                radius: share * radius[ends[0]].min(radius[ends[1]]),
                colours: ends.map(|e| self.colouring.of_element(model, frame, values, e)),
            });
        }
    }
}

/// Elements of bodies that have no skin.
fn bare_elements(model: &Model) -> Vec<bool> {
    let mut covered = vec![false; model.bodies.len()];
    let riders = model.skins.iter().flat_map(|s| &s.bindings.elements);
    riders.for_each(|&e| covered[model.elements.body[e as usize].0 as usize] = true);
    model.elements.body.iter().map(|b| !covered[b.0 as usize]).collect()
}

/// Elements of surfaces and their neighbours: whatever lies deeper is hidden.
fn outer_elements(model: &Model) -> Vec<bool> {
    let surface = &model.elements.surface;
    let mut outer = surface.clone();
    for &[a, b] in &model.connections.ends {
        outer[a as usize] |= surface[b as usize];
        outer[b as usize] |= surface[a as usize];
    }
    outer
}

/// The twelve triangles of the cube from −1 to 1, anticlockwise seen from outside.
fn box_triangles() -> impl Iterator<Item = [DVec3; 3]> {
    (0..6).flat_map(|side| {
        let (axis, sign) = (side / 2, if side % 2 == 0 { 1.0 } else { -1.0 });
        let corner = move |s: f64, t: f64| {
            let mut x = [0.0; 3];
            (x[axis], x[(axis + 1) % 3], x[(axis + 2) % 3]) = (sign, s * sign, t);
            DVec3::from_array(x)
        };
        let [a, b, c, d] = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        [[a, b, c], [a, c, d]]
    })
}
