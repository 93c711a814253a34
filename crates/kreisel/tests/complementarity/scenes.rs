//! Bodies and contacts from which complementarity problems are made: piles, grooves and random heaps.

use kreisel::linear::cone::FrictionProblem;
use kreisel::{DMat3, DVec3};

/// Numbers in −1 … 1 from a seed.
pub struct Noise(pub u64);

impl Noise {
    pub fn signed(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub fn unit(&mut self) -> f64 {
        0.5 + 0.5 * self.signed()
    }

    pub fn vector(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }

    pub fn below(&mut self, n: usize) -> usize {
        ((self.unit() * n as f64) as usize).min(n - 1)
    }
}

#[derive(Clone)]
pub struct Body {
    pub inverse_mass: f64,
    pub inverse_inertia: DVec3,
    pub velocity: DVec3,
    pub spin: DVec3,
}

impl Body {
    /// A solid ball or cube of this mass and size.
    pub fn solid(mass: f64, radius: f64, velocity: DVec3) -> Self {
        let inverse_inertia = DVec3::splat(1.0 / (0.4 * mass * radius * radius));
        Self { inverse_mass: 1.0 / mass, inverse_inertia, velocity, spin: DVec3::ZERO }
    }
}

/// A contact of body `a` with body `b` or the world; the normal points to `a`.
#[derive(Clone)]
pub struct Contact {
    pub a: usize,
    pub b: Option<usize>,
    pub arm_a: DVec3,
    pub arm_b: DVec3,
    pub normal: DVec3,
    pub mu: f64,
}

#[derive(Clone, Default)]
pub struct Heap {
    pub bodies: Vec<Body>,
    pub contacts: Vec<Contact>,
}

fn cross_matrix(r: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, r.z, -r.y), DVec3::new(-r.z, 0.0, r.x), DVec3::new(r.y, -r.x, 0.0))
}

/// Columns: normal, tangents.
fn axes(n: DVec3) -> DMat3 {
    let t1 = n.any_orthonormal_vector();
    DMat3::from_cols(n, t1, n.cross(t1))
}

impl Heap {
    /// Sides of a contact: body, arm, sign.
    fn sides(c: &Contact) -> impl Iterator<Item = (usize, DVec3, f64)> {
        [Some((c.a, c.arm_a, 1.0)), c.b.map(|b| (b, c.arm_b, -1.0))].into_iter().flatten()
    }

    /// `W = J M⁻¹ Jᵀ`, `q = J v`.
    pub fn problem(&self) -> FrictionProblem {
        let mut blocks = Vec::new();
        for (i, ci) in self.contacts.iter().enumerate() {
            for (j, cj) in self.contacts.iter().enumerate() {
                let mut w = DMat3::ZERO;
                for (body_i, arm_i, sign_i) in Self::sides(ci) {
                    for (body_j, arm_j, sign_j) in Self::sides(cj).filter(|s| s.0 == body_i) {
                        let body = &self.bodies[body_j];
                        let turn = cross_matrix(arm_i)
                            * DMat3::from_diagonal(body.inverse_inertia)
                            * cross_matrix(arm_j).transpose();
                        w += (DMat3::from_diagonal(DVec3::splat(body.inverse_mass)) + turn) * (sign_i * sign_j);
                    }
                }
                if w != DMat3::ZERO || i == j {
                    blocks.push((i, j, axes(ci.normal).transpose() * w * axes(cj.normal)));
                }
            }
        }
        let speed = |c: &Contact| {
            let v = |(b, r, s): (usize, DVec3, f64)| s * (self.bodies[b].velocity + self.bodies[b].spin.cross(r));
            axes(c.normal).transpose() * Self::sides(c).map(v).sum::<DVec3>()
        };
        let q = self.contacts.iter().map(speed).collect();
        FrictionProblem::from_blocks(blocks, q, self.contacts.iter().map(|c| c.mu).collect())
    }

    /// A column of cubes, four corners each; `ratio` is the top's mass over the bottom's.
    pub fn column(cubes: usize, ratio: f64, mu: f64, push: DVec3) -> Self {
        let mut heap = Self::default();
        for k in 0..cubes {
            let mass = ratio.powf(k as f64 / (cubes.max(2) - 1) as f64);
            heap.bodies.push(Body::solid(
                mass,
                0.6,
                DVec3::new(0.0, 0.0, -0.01) + push * f64::from(u8::from(k + 1 == cubes)),
            ));
            for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
                let (b, arm_b) = (k.checked_sub(1), DVec3::new(x, y, 0.5));
                heap.contacts.push(Contact { a: k, b, arm_a: DVec3::new(x, y, -0.5), arm_b, normal: DVec3::Z, mu });
            }
        }
        heap
    }

    /// Equal balls in one plane, each on two of the row below, `base` on the floor.
    pub fn racked(base: usize, mu: f64) -> Self {
        let mut heap = Self::default();
        for row in 0..base {
            for _ in 0..base - row {
                let a = heap.bodies.len();
                heap.bodies.push(Body::solid(1.0, 0.5, DVec3::new(0.0, 0.0, -0.1)));
                let mut touch = |b: Option<usize>, normal: DVec3| {
                    let arm_b = if b.is_some() { 0.5 * normal } else { DVec3::ZERO };
                    heap.contacts.push(Contact { a, b, arm_a: -0.5 * normal, arm_b, normal, mu });
                };
                if row == 0 {
                    touch(None, DVec3::Z);
                    continue;
                }
                // The row below has one ball more.
                let left = a - (base - row) - 1;
                touch(Some(left), DVec3::new(0.5, 0.0, 0.75_f64.sqrt()));
                touch(Some(left + 1), DVec3::new(-0.5, 0.0, 0.75_f64.sqrt()));
            }
        }
        heap
    }

    /// A ball in a groove of two planes at this angle to the vertical; small angles wedge it.
    pub fn groove(angle: f64, mu: f64, velocity: DVec3, spin: DVec3) -> Self {
        let mut heap = Self { bodies: vec![Body::solid(1.0, 0.5, velocity)], contacts: Vec::new() };
        heap.bodies[0].spin = spin;
        for side in [1.0, -1.0] {
            let normal = DVec3::new(side * angle.cos(), 0.0, angle.sin());
            heap.contacts.push(Contact { a: 0, b: None, arm_a: -0.5 * normal, arm_b: DVec3::ZERO, normal, mu });
        }
        heap
    }

    /// A row of equal balls that roll and slide in one groove, each against the one before.
    pub fn row_in_groove(balls: usize, mu: f64, noise: &mut Noise) -> Self {
        let mut heap = Self::default();
        for a in 0..balls {
            let one = Self::groove(1.0, mu, noise.vector() * 0.5 - DVec3::Z * 0.5, noise.vector() * 3.0);
            heap.bodies.extend(one.bodies);
            heap.contacts.extend(one.contacts.into_iter().map(|contact| Contact { a, ..contact }));
            if let Some(before) = a.checked_sub(1) {
                let (b, normal) = (Some(before), DVec3::Y);
                heap.contacts.push(Contact { a, b, arm_a: -0.5 * normal, arm_b: 0.5 * normal, normal, mu });
            }
        }
        heap
    }

    /// Bodies of mixed masses with contacts at random, several per pair; all can fly apart upwards or sideways.
    pub fn random(bodies: usize, contacts: usize, ratio: f64, noise: &mut Noise) -> Self {
        let mut heap = Self::default();
        for _ in 0..bodies {
            let mut body = Body::solid(ratio.powf(noise.unit()), 0.5 + noise.unit(), noise.vector());
            body.spin = noise.vector();
            heap.bodies.push(body);
        }
        while heap.contacts.len() < contacts {
            let a = noise.below(bodies);
            let b = Some(noise.below(bodies)).filter(|b| *b < a);
            // Bodies with larger numbers lie above: with all of them moving up by number, every contact opens.
            let normal = (noise.vector() * 0.9 + DVec3::Z * 1.6).normalize();
            let mu = [0.0, 0.3, 0.8, 2.0][noise.below(4)];
            for _ in 0..1 + noise.below(5) {
                let (arm_a, arm_b) = (noise.vector(), noise.vector());
                heap.contacts.push(Contact { a, b, arm_a, arm_b, normal, mu });
            }
        }
        heap.contacts.truncate(contacts);
        heap
    }

    /// A ball squeezed between two walls that close in on it: nothing helps.
    pub fn squeezed(mu: f64) -> Self {
        let mut heap = Self { bodies: vec![Body::solid(1.0, 0.5, DVec3::ZERO)], contacts: Vec::new() };
        for normal in [DVec3::X, DVec3::NEG_X] {
            heap.contacts.push(Contact { a: 0, b: None, arm_a: -0.5 * normal, arm_b: DVec3::ZERO, normal, mu });
        }
        heap
    }
}
