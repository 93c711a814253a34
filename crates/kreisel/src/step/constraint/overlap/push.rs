//! One contact of bodies that are moved apart by position only.

use crate::contact::constraint::carriers::{Carrier, Carriers};
use crate::contact::constraint::halves::Bodies;
use crate::contact::constraint::row::Row;
use crate::step::constraint::second_order::meeting;
use crate::step::constraint::space::{ContactSpace, Found};
use glamx::DVec3;

/// One contact of the problem: `0 ≤ p ⊥ gap + J δ ≥ 0`.
pub struct Push {
    /// The carriers of both sides.
    pub a: u32,
    pub b: u32,
    normal: DVec3,
    /// `r × n` of both [m].
    pub turn_a: DVec3,
    pub turn_b: DVec3,
    /// Arms of both [m], if a side is a sphere on a seat.
    pub seated: Option<Box<[DVec3; 2]>>,
    /// Its mobility [1/kg].
    pub mobility: f64,
    /// How far apart they are [m].
    gap: f64,
    /// What it pushes with [kg m].
    pub push: f64,
}

impl Push {
    /// The contact of two that are `gap` apart [m], and move with these carriers.
    pub fn new(space: &ContactSpace, carriers: &Carriers, f: &Found, gap: f64) -> Self {
        let [a, b] = space.sides(f);
        let (point, normal) = (space.point(f), f.touch.normal);
        let arm = |k: u32| match &carriers[k as usize] {
            c if c.turns => point - c.position,
            _ => DVec3::ZERO,
        };
        let (arm_a, arm_b) = (arm(a), arm(b));
        let side = |k: u32, arm: DVec3| {
            let c = &carriers[k as usize];
            let turn = arm.cross(normal);
            (turn, c.inverse_mass + turn.dot(c.inverse_inertia * turn))
        };
        let ((turn_a, of_a), (turn_b, of_b)) = (side(a, arm_a), side(b, arm_b));
        let seated = !(carriers.members(a).is_empty() && carriers.members(b).is_empty());
        let mobility = match seated {
            true => Row::new(&meeting(space, f, 0.0), carriers, DVec3::ZERO).mobility(),
            false => of_a + of_b,
        };
        let seated = seated.then(|| Box::new([arm_a, arm_b]));
        Self { a, b, normal, turn_a, turn_b, seated, mobility, gap, push: 0.0 }
    }

    /// How far the bodies have come apart here [m].
    fn way(&self, moved: &Carriers) -> f64 {
        if let Some([arm_a, arm_b]) = self.seated.as_deref() {
            return self.normal.dot(moved.point_velocity(self.a, *arm_a) - moved.point_velocity(self.b, *arm_b));
        }
        self.way_between(&moved[self.a as usize], &moved[self.b as usize])
    }

    fn way_between(&self, a: &Carrier, b: &Carrier) -> f64 {
        self.normal.dot(a.velocity - b.velocity) + self.turn_a.dot(a.spin) - self.turn_b.dot(b.spin)
    }

    /// What more push it takes where the bodies have come apart by `way` [m].
    fn lacks(&self, way: f64) -> f64 {
        (self.push - (self.gap + way) / self.mobility).max(0.0) - self.push
    }

    /// As [`Push::relax`], in a part of the problem.
    pub fn relax_in(&mut self, bodies: &mut Bodies) -> f64 {
        let change = self.lacks(self.way_between(bodies.get(self.a), bodies.get(self.b)));
        self.push += change;
        for (k, turn, p) in [(self.a, self.turn_a, change), (self.b, self.turn_b, -change)] {
            if let Some(c) = bodies.mover(k).filter(|_| change != 0.0) {
                self.move_side(c, turn, p);
            }
        }
        change.abs() * self.mobility
    }

    fn move_side(&self, c: &mut Carrier, turn: DVec3, p: f64) {
        c.velocity += self.normal * (p * c.inverse_mass);
        c.spin += c.inverse_inertia * (turn * p);
    }

    /// Pushes the bodies apart as far as this contact needs, or lets them come back; how far [m].
    pub fn relax(&mut self, moved: &mut Carriers) -> f64 {
        let change = self.lacks(self.way(moved));
        if change != 0.0 {
            self.give(change, moved);
        }
        change.abs() * self.mobility
    }

    /// Pushes the bodies apart by so much more.
    pub fn give(&mut self, change: f64, moved: &mut Carriers) {
        self.push += change;
        if let Some([arm_a, arm_b]) = self.seated.as_deref() {
            moved.push_point(self.a, *arm_a, self.normal * change);
            moved.push_point(self.b, *arm_b, self.normal * -change);
            return;
        }
        for (k, turn, p) in [(self.a, self.turn_a, change), (self.b, self.turn_b, -change)] {
            if moved[k as usize].is_movable() {
                self.move_side(&mut moved[k as usize], turn, p);
            }
        }
    }
}
