//! Freedoms of unit mass: three of each soft element, up to six of each rigid piece, none where something is held.
//!
//! With `u = B y`, `B = J M^−½` restricted to what supports allow, `K φ = ω² M φ` becomes `A y = ω² y`, `A = Bᵀ K B`: the
//! lengths of vectors are (twice the) kinetic energies, and rigid and soft freedoms are alike. A soft element has
//! `u = y/√m`; a rigid piece has a coefficient for each motion of unit mass that its held elements leave it.

use crate::linear::eigen::{inertia_of_point, outer};
use crate::linear::{Operator, Vectors};
use crate::model::Connections;
use crate::statics::mode_part::ModePart;
use crate::statics::tangent::{self, Tangent};
use crate::statics::twist::{Row, Twist, free_motions};
use crate::statics::{Part, RigidPiece, StaticProblem};
use glamx::{DMat3, DVec3};

/// A soft element: its number, `1/√m` where it is free and 0 where it is held.
struct Soft {
    element: u32,
    scale: DVec3,
}

/// A rigid piece: its number and its free motions.
struct Carrier {
    piece: usize,
    motions: Vec<Twist>,
}

/// The map from freedoms to elements. A field of freedoms has one vector per soft element, then two per rigid piece.
pub(super) struct Freedoms<'a> {
    cut: &'a ModePart,
    soft: Vec<Soft>,
    carriers: Vec<Carrier>,
}

impl<'a> Freedoms<'a> {
    /// Finds the freedoms of a part.
    pub fn new(cut: &'a ModePart) -> Self {
        let mut held = vec![[false; 3]; cut.elements.len()];
        cut.held.iter().for_each(|h| held[h.element as usize] = h.axes);
        let member = cut.is_member();
        let free = |e: usize| DVec3::from(held[e].map(|held| if held { 0.0 } else { 1.0 / cut.masses[e].sqrt() }));
        let soft = (0..member.len()).filter(|&e| !member[e]).map(|e| Soft { element: e as u32, scale: free(e) });
        let carrier = |(piece, r): (usize, &RigidPiece)| {
            let mut rows = Vec::new();
            for &e in &r.elements {
                add_rows(&held, &cut.part.positions, e, r.centre, &mut rows);
            }
            Carrier { piece, motions: free_motions(r.mass, r.inertia, &rows) }
        };
        let (soft, carriers) = (soft.collect(), cut.rigid.iter().enumerate().map(carrier).collect());
        Self { cut, soft, carriers }
    }

    /// Number of vectors in a field of freedoms.
    pub fn len(&self) -> usize {
        self.soft.len() + 2 * self.carriers.len()
    }

    /// 1 for each component that is a freedom, 0 for the others.
    pub fn mask(&self) -> Vectors {
        let mut mask = Vectors::default();
        (0..self.len()).for_each(|i| mask.push(self.mask_of(i)));
        mask
    }

    /// The `i`-th vector of [`Freedoms::mask`].
    fn mask_of(&self, i: usize) -> DVec3 {
        match i.checked_sub(self.soft.len()) {
            None => DVec3::from(self.soft[i].scale.to_array().map(|s| if s > 0.0 { 1.0 } else { 0.0 })),
            Some(k) => {
                let (count, half) = (self.carriers[k / 2].motions.len(), 3 * (k % 2));
                DVec3::from(std::array::from_fn::<f64, 3, _>(|a| if half + a < count { 1.0 } else { 0.0 }))
            }
        }
    }

    /// Displacements of all elements, `u = B y`.
    pub fn expand(&self, y: &Vectors) -> Vectors {
        let mut u = Vectors::zeros(self.cut.elements.len());
        for (i, s) in self.soft.iter().enumerate() {
            u.set(s.element as usize, s.scale * y.get(i));
        }
        for (k, c) in self.carriers.iter().enumerate() {
            let (t, r) = (self.twist(y, k), &self.cut.rigid[c.piece]);
            for &e in &r.elements {
                u.set(e as usize, t.at(self.cut.part.positions.get(e as usize) - r.centre));
            }
        }
        u
    }

    /// The motion of the `k`-th rigid piece.
    fn twist(&self, y: &Vectors, k: usize) -> Twist {
        let mut sum = Twist::default();
        for (j, t) in self.carriers[k].motions.iter().enumerate() {
            let c = y.get(self.soft.len() + 2 * k + j / 3)[j % 3];
            sum.velocity += c * t.velocity;
            sum.spin += c * t.spin;
        }
        sum
    }

    /// Forces on elements as forces on freedoms, `Bᵀ f`; whatever `y` held before is overwritten.
    fn gather(&self, f: &Vectors, y: &mut Vectors) {
        y.reset(self.len());
        for (i, s) in self.soft.iter().enumerate() {
            y.set(i, s.scale * f.get(s.element as usize));
        }
        for (k, c) in self.carriers.iter().enumerate() {
            let r = &self.cut.rigid[c.piece];
            let (mut force, mut torque) = (DVec3::ZERO, DVec3::ZERO);
            for &e in &r.elements {
                let f = f.get(e as usize);
                force += f;
                torque += (self.cut.part.positions.get(e as usize) - r.centre).cross(f);
            }
            self.add_wrench(k, force, torque, y);
        }
    }

    fn add_wrench(&self, k: usize, force: DVec3, torque: DVec3, y: &mut Vectors) {
        for (j, t) in self.carriers[k].motions.iter().enumerate() {
            let mut unit = DVec3::ZERO;
            unit[j % 3] = t.velocity.dot(force) + t.spin.dot(torque);
            y.add(self.soft.len() + 2 * k + j / 3, unit);
        }
    }

    /// Momentum of a motion along x, y, z, in which rigid pieces count with their own masses.
    pub fn momentum(&self, y: &Vectors) -> DVec3 {
        let u = |i: usize, s: &Soft| self.cut.masses[s.element as usize] * (s.scale * y.get(i));
        let soft: DVec3 = self.soft.iter().enumerate().map(|(i, s)| u(i, s)).sum();
        let rigid = self.carriers.iter().enumerate();
        soft + rigid.map(|(k, c)| self.cut.rigid[c.piece].mass * self.twist(y, k).velocity).sum::<DVec3>()
    }

    /// The motions of each connected piece that strain nothing and move no support, orthonormal.
    pub fn rigid_motions(&self) -> Vec<Vectors> {
        let count = self.cut.piece.iter().max().map_or(0, |&p| p as usize + 1);
        (0..count as u32).flat_map(|piece| self.motions_of(piece)).collect()
    }

    fn motions_of(&self, piece: u32) -> Vec<Vectors> {
        let cut = self.cut;
        let soft: Vec<usize> =
            (0..self.soft.len()).filter(|&i| cut.piece[self.soft[i].element as usize] == piece).collect();
        let is_of = |c: &Carrier| cut.rigid[c.piece].elements.first().is_some_and(|&e| cut.piece[e as usize] == piece);
        let carriers: Vec<usize> = (0..self.carriers.len()).filter(|&k| is_of(&self.carriers[k])).collect();
        let place = |i: usize| cut.part.positions.get(self.soft[i].element as usize);
        let mass_of = |i: usize| cut.masses[self.soft[i].element as usize];
        let points = soft.iter().map(|&i| (mass_of(i), place(i), DMat3::ZERO));
        let bodies = carriers.iter().map(|&k| &cut.rigid[self.carriers[k].piece]);
        let all: Vec<_> = points.chain(bodies.map(|r| (r.mass, r.centre, r.inertia))).collect();
        let mass: f64 = all.iter().map(|a| a.0).sum();
        let centre = all.iter().map(|a| a.0 * a.1).sum::<DVec3>() / mass;
        let inertia = all.iter().fold(DMat3::ZERO, |sum, (m, x, own)| sum + *own + inertia_of_point(*x - centre) * *m);
        let mut rows = Vec::new();
        for h in cut.held.iter().filter(|h| cut.piece[h.element as usize] == piece) {
            let arm = cut.part.positions.get(h.element as usize) - centre;
            rows.extend((0..3).filter(|&a| h.axes[a]).map(|a| Row { axis: DVec3::AXES[a], arm }));
        }
        let field = |t: &Twist| {
            let mut y = Vectors::zeros(self.len());
            soft.iter().for_each(|&i| y.set(i, mass_of(i).sqrt() * t.at(place(i) - centre)));
            for &k in &carriers {
                let r = &cut.rigid[self.carriers[k].piece];
                self.add_wrench(k, r.mass * t.at(r.centre - centre), r.inertia * t.spin, &mut y);
            }
            y
        };
        free_motions(mass, inertia, &rows).iter().map(field).collect()
    }

    /// Springs and cells that something can strain: not those within one rigid piece.
    pub fn strained(&self) -> Part {
        let mut owner = vec![None; self.cut.elements.len()];
        for (k, c) in self.carriers.iter().enumerate() {
            self.cut.rigid[c.piece].elements.iter().for_each(|&e| owner[e as usize] = Some(k));
        }
        let within = |elements: &[u32]| {
            let first = elements.first().and_then(|&e| owner[e as usize]);
            first.is_some() && elements.iter().all(|&e| owner[e as usize] == first)
        };
        let all = &self.cut.part;
        let mut springs = Connections { classes: all.connections.classes.clone(), ..Connections::default() };
        for (c, ends) in all.connections.ends.iter().enumerate().filter(|(_, ends)| !within(&ends[..])) {
            springs.ends.push(*ends);
            springs.class.push(all.connections.class[c]);
        }
        let cells = all.cells.iter().filter(|cell| !within(&cell.corners)).copied().collect();
        let positions = all.positions.clone();
        Part { positions, connections: springs, connection_numbers: Vec::new(), cells }
    }
}

/// The held directions of an element, seen from a centre.
fn add_rows(held: &[[bool; 3]], positions: &Vectors, e: u32, centre: DVec3, rows: &mut Vec<Row>) {
    let arm = positions.get(e as usize) - centre;
    let axes = held[e as usize];
    rows.extend((0..3).filter(|&a| axes[a]).map(|a| Row { axis: DVec3::AXES[a], arm }));
}

/// `A = Bᵀ K B`, with the stiffness that forces on rigid pieces have against turning them.
pub(super) struct ModeStiffness<'a> {
    freedoms: &'a Freedoms<'a>,
    tangent: Tangent<'a>,
    turning: Vec<DMat3>,
}

impl<'a> ModeStiffness<'a> {
    /// The stiffness at the positions of the part; `strained` is what [`Freedoms::strained`] gives.
    pub fn new(freedoms: &'a Freedoms<'a>, strained: &'a Part) -> Self {
        let tangent = Tangent::new(&strained.connections, &strained.cells, &strained.positions, false);
        let mut forces = freedoms.cut.loads.clone();
        let problem = StaticProblem {
            positions: &strained.positions,
            connections: &strained.connections,
            cells: &strained.cells,
            loads: &freedoms.cut.loads,
            held: &[],
        };
        tangent::add_force(&problem, &strained.positions, &mut forces);
        let turning = freedoms.carriers.iter().map(|c| turning(freedoms.cut, c.piece, &forces)).collect();
        Self { freedoms, tangent, turning }
    }

    /// The 3×3 diagonal blocks; a multiple of the identity stands where there is no freedom.
    pub fn blocks(&self) -> Vec<DMat3> {
        let (f, of_elements) = (self.freedoms, self.tangent.diagonal());
        let mut blocks = Vec::with_capacity(f.len());
        for s in &f.soft {
            let scale = DMat3::from_diagonal(s.scale);
            blocks.push(scale * of_elements[s.element as usize] * scale);
        }
        for (k, c) in f.carriers.iter().enumerate() {
            for half in [0, 3] {
                blocks.push(self.carrier_block(c, half, self.turning[k], &of_elements));
            }
        }
        for (block, mask) in blocks.iter_mut().zip((0..f.len()).map(|i| f.mask_of(i))) {
            let size = (block.x_axis.x + block.y_axis.y + block.z_axis.z).max(f64::MIN_POSITIVE);
            *block += DMat3::from_diagonal((DVec3::ONE - mask) * size);
        }
        blocks
    }

    fn carrier_block(&self, c: &Carrier, half: usize, turning: DMat3, of_elements: &[DMat3]) -> DMat3 {
        let r = &self.freedoms.cut.rigid[c.piece];
        let motion = |k: usize| c.motions.get(half + k).copied().unwrap_or_default();
        let t = [motion(0), motion(1), motion(2)];
        let mut block = DMat3::from_cols_array_2d(&std::array::from_fn(|l| {
            std::array::from_fn(|k| t[k].spin.dot(turning * t[l].spin))
        }));
        for &e in &r.elements {
            let arm = self.freedoms.cut.part.positions.get(e as usize) - r.centre;
            let at = DMat3::from_cols(t[0].at(arm), t[1].at(arm), t[2].at(arm));
            block += at.transpose() * of_elements[e as usize] * at;
        }
        block
    }
}

impl Operator for ModeStiffness<'_> {
    fn apply(&self, y: &Vectors, out: &mut Vectors) {
        let mut f = Vectors::default();
        self.tangent.apply(&self.freedoms.expand(y), &mut f);
        self.freedoms.gather(&f, out);
        for (k, turning) in self.turning.iter().enumerate() {
            let torque = *turning * self.freedoms.twist(y, k).spin;
            self.freedoms.add_wrench(k, DVec3::ZERO, torque, out);
        }
    }
}

/// `Σ (f·r) 1 − (r fᵀ + f rᵀ)/2`: the second derivative of `−f·x` when a rigid piece turns by `exp(θ)`.
fn turning(cut: &ModePart, piece: usize, forces: &Vectors) -> DMat3 {
    let r = &cut.rigid[piece];
    r.elements.iter().fold(DMat3::ZERO, |sum, &e| {
        let (f, arm) = (forces.get(e as usize), cut.part.positions.get(e as usize) - r.centre);
        let mixed = outer(arm, f);
        sum + DMat3::from_diagonal(DVec3::splat(f.dot(arm))) - (mixed + mixed.transpose()) * 0.5
    })
}
