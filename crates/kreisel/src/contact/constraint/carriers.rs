//! What contact points ride on, as the solver sees it: a velocity, a spin, and what a push does to them.
//!
//! The contact sphere of an element may lean on an anchor or ride on a perch ([`crate::contact::touch::Touch`]): its centre
//! moves with several carriers, `ċ = Σ B_j (v_j + ω_j × r_j)`, and a push `p` on it reaches each of them as `B_jᵀ p` at its arm.
//! Such a *seat* is a side of a contact like any other: nothing but [`Carriers`] knows.

use glamx::{DMat3, DVec3};
use std::ops::{Deref, DerefMut};

/// The carrier has no seat.
pub const NO_SEAT: u32 = u32::MAX;

/// How a carrier moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Velocities {
    /// Velocity of the centre of mass [m/s].
    velocity: DVec3,
    /// Angular velocity [rad/s].
    spin: DVec3,
}

/// A rigid body, a free element, or the fixed world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Carrier {
    /// Centre of mass [m].
    pub position: DVec3,
    /// Velocity of the centre of mass [m/s].
    pub velocity: DVec3,
    /// Angular velocity [rad/s].
    pub spin: DVec3,
    /// Inverse mass [1/kg]; zero for what no push can move.
    pub inverse_mass: f64,
    /// Inverse inertia, world axes [1/(kg m²)]; zero for elements and for what no push can turn.
    pub inverse_inertia: DMat3,
    /// The seat of the element's contact sphere, or [`NO_SEAT`]: it sits on the carrier itself.
    pub seat: u32,
    /// False for elements: they have no spin, their points are all at their centre.
    pub turns: bool,
}

impl Carrier {
    /// The fixed world.
    pub const WORLD: Self = Self {
        position: DVec3::ZERO,
        velocity: DVec3::ZERO,
        spin: DVec3::ZERO,
        inverse_mass: 0.0,
        inverse_inertia: DMat3::ZERO,
        seat: NO_SEAT,
        turns: true,
    };

    /// Velocity of the point at the arm `r` [m/s].
    pub fn velocity_at(&self, r: DVec3) -> DVec3 {
        self.velocity + self.spin.cross(r)
    }

    /// Adds an impulse at the arm `r` [N s].
    pub fn push_at(&mut self, r: DVec3, p: DVec3) {
        self.velocity += p * self.inverse_mass;
        self.spin += self.inverse_inertia * r.cross(p);
    }

    /// Moves as it is told from now on.
    pub fn move_as(&mut self, Velocities { velocity, spin }: Velocities) {
        (self.velocity, self.spin) = (velocity, spin);
    }

    /// True if pushes can move it.
    pub fn is_movable(&self) -> bool {
        self.inverse_mass > 0.0
    }

    /// True if it does not move.
    pub fn is_still(&self) -> bool {
        self.velocity == DVec3::ZERO && self.spin == DVec3::ZERO
    }

    /// What a unit push at one arm does to the velocity at another, `1/m − [s]× I⁻¹ [r]×` [1/kg].
    pub fn mobility(&self, s: DVec3, r: DVec3) -> DMat3 {
        let column = |axis: DVec3| axis * self.inverse_mass + (self.inverse_inertia * r.cross(axis)).cross(s);
        DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z))
    }
}

/// A carrier that a seat rests on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    /// Its number.
    pub carrier: u32,
    /// From its centre of mass to the element that it carries [m]; zero if it is the element.
    pub arm: DVec3,
    /// Its share `B_j` of the velocity.
    pub share: DMat3,
}

/// What a contact sphere sits on, if that is not its own element.
pub type Seat = Vec<Member>;

/// All carriers of a problem, and the seats of those whose spheres sit on several.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Carriers {
    /// The carriers.
    pub list: Vec<Carrier>,
    /// Their seats.
    pub seats: Vec<Seat>,
}

impl From<Vec<Carrier>> for Carriers {
    fn from(list: Vec<Carrier>) -> Self {
        Self { list, seats: Vec::new() }
    }
}

impl Deref for Carriers {
    type Target = [Carrier];
    fn deref(&self) -> &[Carrier] {
        &self.list
    }
}

impl DerefMut for Carriers {
    fn deref_mut(&mut self) -> &mut [Carrier] {
        &mut self.list
    }
}

impl Carriers {
    /// One of them, at rest.
    pub fn at_rest_one(&self, k: u32) -> Carrier {
        Carrier { velocity: DVec3::ZERO, spin: DVec3::ZERO, ..self.list[k as usize] }
    }

    /// The same carriers, at rest.
    pub fn at_rest(&self) -> Self {
        let mut still = self.clone();
        still.stop();
        still
    }

    /// None of them moves from now on.
    pub fn stop(&mut self) {
        self.list.iter_mut().for_each(|c| (c.velocity, c.spin) = (DVec3::ZERO, DVec3::ZERO));
    }

    /// How all of them move.
    pub fn velocities(&self) -> Vec<Velocities> {
        self.list.iter().map(|c| Velocities { velocity: c.velocity, spin: c.spin }).collect()
    }

    /// All of them move as they are told from now on.
    pub fn move_as(&mut self, velocities: &[Velocities]) {
        self.list.iter_mut().zip(velocities).for_each(|(c, one)| c.move_as(*one));
    }

    /// Becomes a copy of others, in the room that it has.
    pub fn copy_from(&mut self, others: &Self) {
        self.list.clone_from(&others.list);
        self.seats.clone_from(&others.seats);
    }

    /// The members of a carrier's seat; empty if its points move with itself.
    pub fn members(&self, k: u32) -> &[Member] {
        self.seats.get(self.list[k as usize].seat as usize).map_or(&[], Vec::as_slice)
    }

    /// True if its points do not move with itself.
    #[inline]
    pub fn is_seated(&self, k: u32) -> bool {
        !self.seats.is_empty() && !self.members(k).is_empty()
    }

    /// Velocity of the point of a carrier at the arm `r`, or of the sphere on its seat [m/s].
    pub fn point_velocity(&self, k: u32, r: DVec3) -> DVec3 {
        let members = self.members(k);
        if members.is_empty() {
            return self.list[k as usize].velocity_at(r);
        }
        let of = |m: &Member| m.share * self.list[m.carrier as usize].velocity_at(m.arm);
        members.iter().fold(DVec3::ZERO, |u, m| u + of(m))
    }

    /// Velocity of the first of two carriers against the second, at a point of the world [m/s].
    pub fn relative_velocity(&self, (a, b): (u32, u32), point: DVec3) -> DVec3 {
        let at = |k: u32| self.point_velocity(k, point - self.list[k as usize].position);
        at(a) - at(b)
    }

    /// Adds an impulse to a carrier at the arm `r`, or to the sphere on its seat [N s].
    pub fn push_point(&mut self, k: u32, r: DVec3, p: DVec3) {
        let Self { list, seats } = self;
        match seats.get(list[k as usize].seat as usize) {
            Some(seat) => {
                seat.iter().for_each(|m| list[m.carrier as usize].push_at(m.arm, m.share.transpose() * p));
            }
            None => list[k as usize].push_at(r, p),
        }
    }

    /// A point as the carriers that it moves with: itself, or the members of its seat.
    pub fn parts(&self, k: u32, r: DVec3) -> Vec<Member> {
        match self.members(k) {
            [] => vec![Member { carrier: k, arm: r, share: DMat3::IDENTITY }],
            members => members.to_vec(),
        }
    }
}

/// What a unit push on some parts does to the velocity of others, `Σ B_i (1/m − [r_i]× I⁻¹ [r_j]×) B_jᵀ` [1/kg].
pub fn mobility(moved: &[Member], pushed: &[Member], carriers: &[Carrier]) -> DMat3 {
    let mut w = DMat3::ZERO;
    for i in moved {
        for j in pushed.iter().filter(|j| j.carrier == i.carrier) {
            w += i.share * carriers[i.carrier as usize].mobility(i.arm, j.arm) * j.share.transpose();
        }
    }
    w
}
