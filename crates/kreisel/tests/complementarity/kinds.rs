//! Scenes of the kinds that published collections of contact problems hold: walls, towers of planks, arches, bridges, chutes.

use super::scenes::{Body, Contact, Heap, Noise};
use kreisel::DVec3;

/// What gravity gives in a step [m/s].
const FALL: DVec3 = DVec3::new(0.0, 0.0, -0.1);

impl Heap {
    fn block(&mut self, mass: f64, size: DVec3, velocity: DVec3) -> usize {
        let squares = size * size;
        let moments = DVec3::new(squares.y + squares.z, squares.z + squares.x, squares.x + squares.y) * (mass / 12.0);
        let inverse_inertia = 1.0 / moments;
        self.bodies.push(Body {
            inverse_mass: 1.0 / mass,
            inverse_inertia,
            velocity: FALL + velocity,
            spin: DVec3::ZERO,
        });
        self.bodies.len() - 1
    }

    /// Four corners of a rectangle between two bodies; `b` none is the world.
    fn face(
        &mut self,
        (a, at_a): (usize, DVec3),
        b: Option<(usize, DVec3)>,
        centre: DVec3,
        half: [DVec3; 2],
        normal: DVec3,
        mu: f64,
    ) {
        for (s, t) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
            let point = centre + half[0] * s + half[1] * t;
            let arm_b = b.map_or(DVec3::ZERO, |(_, at)| point - at);
            self.contacts.push(Contact { a, b: b.map(|b| b.0), arm_a: point - at_a, arm_b, normal, mu });
        }
    }

    /// A pyramid of unit cubes in one plane, `base` in the lowest row; `ratio` is the top's mass over the bottom's.
    pub fn pyramid(base: usize, ratio: f64, mu: f64, push: DVec3) -> Self {
        let mut heap = Self::default();
        let mut below: Vec<(usize, DVec3)> = Vec::new();
        for row in 0..base {
            let mass = ratio.powf(row as f64 / (base.max(2) - 1) as f64);
            let mut here = Vec::new();
            for k in 0..base - row {
                let at = DVec3::new(1.1 * (k as f64 + 0.5 * row as f64), 0.0, 0.5 + row as f64);
                let id = heap.block(mass, DVec3::ONE, if row + 1 == base { push } else { DVec3::ZERO });
                let halves = |x: f64| [DVec3::X * x, DVec3::Y * 0.5];
                let foot = at - DVec3::Z * 0.5;
                if row == 0 {
                    heap.face((id, at), None, foot, halves(0.5), DVec3::Z, mu);
                } else {
                    for (side, under) in [(-1.0, below[k]), (1.0, below[k + 1])] {
                        // Overlap of widths: from the side's edge to 0.05 beyond the middle.
                        let centre = foot + DVec3::X * (side * 0.275);
                        heap.face((id, at), Some(under), centre, halves(0.225), DVec3::Z, mu);
                    }
                }
                here.push((id, at));
            }
            below = here;
        }
        heap
    }

    /// A wall of equal bricks, each course shifted by half a brick.
    pub fn bonded(courses: usize, length: usize, mu: f64) -> Self {
        let size = DVec3::new(1.0, 0.5, 0.5);
        let mut heap = Self::default();
        let mut below: Vec<(usize, DVec3)> = Vec::new();
        for course in 0..courses {
            let place = |k: usize| DVec3::new(k as f64 + 0.5 * (course % 2) as f64, 0.0, 0.25 + 0.5 * course as f64);
            let here: Vec<(usize, DVec3)> =
                (0..length).map(|k| (heap.block(1.0, size, DVec3::ZERO), place(k))).collect();
            for &(id, at) in &here {
                let foot = at - DVec3::Z * 0.25;
                if course == 0 {
                    heap.face((id, at), None, foot, [DVec3::X * 0.5, DVec3::Y * 0.25], DVec3::Z, mu);
                }
                for &under in below.iter().filter(|under| (under.1.x - at.x).abs() < 0.9) {
                    let middle = DVec3::new(0.5 * (at.x + under.1.x), 0.0, foot.z);
                    heap.face((id, at), Some(under), middle, [DVec3::X * 0.25, DVec3::Y * 0.25], DVec3::Z, mu);
                }
            }
            below = here;
        }
        heap
    }

    /// A tower of planks laid crosswise, `across` in every layer, as from wooden building sets.
    pub fn planks(layers: usize, across: usize, mu: f64, noise: &mut Noise) -> Self {
        let mut heap = Self::default();
        let mut below: Vec<(usize, DVec3)> = Vec::new();
        let long = across as f64;
        for layer in 0..layers {
            let along_x = layer % 2 == 0;
            let mut here = Vec::new();
            for k in 0..across {
                let off = k as f64 - 0.5 * (across as f64 - 1.0);
                let z = 0.1 + 0.2 * layer as f64;
                let at = if along_x { DVec3::new(0.0, off, z) } else { DVec3::new(off, 0.0, z) };
                let size = if along_x { DVec3::new(long, 0.3, 0.2) } else { DVec3::new(0.3, long, 0.2) };
                let id = heap.block(size.x * size.y * size.z, size, noise.vector() * 0.01);
                let foot = at - DVec3::Z * 0.1;
                let halves = |half: DVec3| [DVec3::X * half.x, DVec3::Y * half.y];
                if layer == 0 {
                    heap.face((id, at), None, foot, halves(0.5 * size), DVec3::Z, mu);
                }
                for &under in &below {
                    let cross =
                        if along_x { DVec3::new(under.1.x, at.y, foot.z) } else { DVec3::new(at.x, under.1.y, foot.z) };
                    heap.face((id, at), Some(under), cross, halves(DVec3::splat(0.15)), DVec3::Z, mu);
                }
                here.push((id, at));
            }
            below = here;
        }
        heap
    }

    /// An arch of stones between two fixed feet.
    pub fn arch(stones: usize, mu: f64, ratio: f64) -> Self {
        let mut heap = Self::default();
        let angle = |k: f64| std::f64::consts::PI * (1.0 - k / stones as f64);
        let at = |a: f64| DVec3::new(a.cos(), 0.0, a.sin()) * 5.0;
        let mut last: Option<(usize, DVec3)> = None;
        for k in 0..stones {
            let mass = if k == stones / 2 { ratio } else { 1.0 };
            let here = (heap.block(mass, DVec3::splat(0.8), DVec3::ZERO), at(angle(k as f64 + 0.5)));
            let a = angle(k as f64);
            let (radial, normal) = (DVec3::new(a.cos(), 0.0, a.sin()), DVec3::new(a.sin(), 0.0, -a.cos()));
            heap.face(here, last, at(a), [radial * 0.4, DVec3::Y * 0.4], normal, mu);
            last = Some(here);
        }
        if let Some((id, place)) = last {
            heap.face((id, place), None, at(0.0), [DVec3::X * 0.4, DVec3::Y * 0.4], DVec3::Z, mu);
        }
        heap
    }

    /// Balls in a box, as they lie after they were poured: jittered places, contacts where they nearly touch.
    pub fn poured(side: usize, layers: usize, mu: f64, ratio: f64, noise: &mut Noise) -> Self {
        let mut heap = Self::default();
        let mut places: Vec<DVec3> = Vec::new();
        for k in 0..layers {
            for n in 0..side * side {
                let shift = if k % 2 == 0 { 0.0 } else { 0.5 };
                let at = DVec3::new((n % side) as f64 + shift, (n / side) as f64 + shift, 0.5 + 0.72 * k as f64);
                places.push(at + noise.vector() * 0.01);
                let velocity = FALL + noise.vector() * 0.3;
                heap.bodies.push(Body::solid(ratio.powf(noise.unit()), 0.5, velocity));
            }
        }
        for (a, at) in places.iter().enumerate() {
            if at.z < 0.6 {
                heap.contacts.push(Contact {
                    a,
                    b: None,
                    arm_a: -0.5 * DVec3::Z,
                    arm_b: DVec3::ZERO,
                    normal: DVec3::Z,
                    mu,
                });
            }
            for (axis, normal) in [(at.x, DVec3::X), (at.y, DVec3::Y)] {
                let wall = side as f64 - 0.5;
                for (near, normal) in [(axis < 0.02, normal), (axis > wall - 0.02, -normal)] {
                    if near {
                        heap.contacts.push(Contact {
                            a,
                            b: None,
                            arm_a: -0.5 * normal,
                            arm_b: DVec3::ZERO,
                            normal,
                            mu,
                        });
                    }
                }
            }
            for (b, other) in places[..a].iter().enumerate() {
                let d = *at - *other;
                if d.length() < 1.03 {
                    let normal = d.normalize();
                    heap.contacts.push(Contact {
                        a,
                        b: Some(b),
                        arm_a: -0.5 * normal,
                        arm_b: 0.5 * normal,
                        normal,
                        mu,
                    });
                }
            }
        }
        heap
    }

    /// A heavy body on wheels, each wheel a body held between two contacts; and a bridge of planks under it.
    pub fn rover(wheels: usize, mu: f64, ratio: f64, speed: f64) -> Self {
        let mut heap = Self::default();
        let deck_at = DVec3::new(0.0, 0.0, 2.0);
        let deck = heap.block(ratio, DVec3::new(wheels as f64, 2.0, 0.5), DVec3::X * speed);
        for k in 0..wheels {
            for y in [-0.8, 0.8] {
                let x = k as f64 - 0.5 * (wheels as f64 - 1.0);
                let (plank_at, wheel_at) = (DVec3::new(x, y, -0.1), DVec3::new(x, y, 0.875));
                let plank = heap.block(0.5, DVec3::new(0.9, 0.9, 0.2), DVec3::ZERO);
                heap.face(
                    (plank, plank_at),
                    None,
                    DVec3::new(x, y, -0.2),
                    [DVec3::X * 0.45, DVec3::Y * 0.45],
                    DVec3::Z,
                    mu,
                );
                heap.bodies.push(Body::solid(1.0, 0.875, FALL + DVec3::X * speed));
                let wheel = heap.bodies.len() - 1;
                let mut touch = |a: usize, at_a: DVec3, b: (usize, DVec3), point: DVec3, normal: DVec3| {
                    heap.contacts.push(Contact {
                        a,
                        b: Some(b.0),
                        arm_a: point - at_a,
                        arm_b: point - b.1,
                        normal,
                        mu,
                    });
                };
                touch(wheel, wheel_at, (plank, plank_at), DVec3::new(x, y, 0.0), DVec3::Z);
                for lean in [-0.4, 0.4_f64] {
                    let normal = DVec3::new(lean.sin(), 0.0, lean.cos());
                    touch(deck, deck_at, (wheel, wheel_at), wheel_at + normal * 0.875, normal);
                }
            }
        }
        heap
    }

    /// The same scene with masses counted in larger units: impulses become smaller by `unit`.
    pub fn in_units(&mut self, unit: f64) {
        for body in &mut self.bodies {
            body.inverse_mass *= unit;
            body.inverse_inertia *= unit;
        }
    }

    /// Every contact twice.
    pub fn doubled(mut self) -> Self {
        self.contacts.extend(self.contacts.clone());
        self
    }
}
