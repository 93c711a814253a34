//! Everything that pushes in an implicit step, three rows at a time: contacts, their couples, and joints.
//!
//! Rows are those of the beginning of the step. A joint is to be as closed at its end as it was at its beginning: what
//! stands for the velocity of a row that holds is the change of its error over the step, `(e⁺ − e)/h`.

use crate::contact::constraint::assembled::Law;
use crate::contact::constraint::carriers::Carriers;
use crate::contact::constraint::joint::JointRow;
use crate::contact::constraint::row::Jacobian;
use crate::model::State;
use crate::step::constraint::joints::{self, Pose};
use crate::step::constraint::meetings::{Meetings, Owner};
use glamx::{DQuat, DVec3};

/// Three rows of the problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// A contact, by its number.
    Contact(usize),
    /// The couples of a contact, by their number.
    Couple(usize),
    /// Rows of a joint that hold.
    Hold {
        /// Number of the block.
        block: usize,
        /// The first of them.
        first: usize,
    },
    /// The coordinate of a joint, by the number of its block.
    Drive(usize),
}

impl Tie {
    /// True if it belongs to a joint.
    pub fn is_joint(self) -> bool {
        matches!(self, Self::Hold { .. } | Self::Drive(_))
    }
}

impl Meetings {
    /// All of them: contacts, couples, joints.
    pub fn ties(&self) -> Vec<Tie> {
        let contacts = (0..self.space.rows.len()).map(Tie::Contact);
        let couples = (0..self.space.twists.len()).map(Tie::Couple);
        let joint = |block: usize| {
            let b = &self.space.joints.blocks[block];
            let driven = b.rows[b.holding..].iter().any(|row| !row.law.is_idle());
            let holds = (0..b.holding).step_by(3).map(move |first| Tie::Hold { block, first });
            holds.chain(driven.then_some(Tie::Drive(block)))
        };
        contacts.chain(couples).chain((0..self.space.joints.blocks.len()).flat_map(joint)).collect()
    }

    /// The rows of a joint that a tie stands for.
    fn joint_rows(&self, tie: Tie) -> &[JointRow] {
        match tie {
            Tie::Hold { block, first } => {
                let b = &self.space.joints.blocks[block];
                &b.rows[first..b.holding.min(first + 3)]
            }
            Tie::Drive(block) => {
                let b = &self.space.joints.blocks[block];
                &b.rows[b.holding..]
            }
            Tie::Contact(_) | Tie::Couple(_) => &[],
        }
    }

    /// The two carriers that it acts between.
    pub fn ends(&self, tie: Tie) -> [u32; 2] {
        match tie {
            Tie::Contact(k) => [self.space.rows[k].a, self.space.rows[k].b],
            Tie::Couple(k) => [self.space.twists[k].a, self.space.twists[k].b],
            Tie::Hold { block, .. } | Tie::Drive(block) => {
                [self.space.joints.blocks[block].a, self.space.joints.blocks[block].b]
            }
        }
    }

    /// What it moves with, and its rows for each, as the step begins.
    pub fn sides(&self, state: &State, tie: Tie) -> Vec<(Owner, Jacobian)> {
        let sides = match tie {
            Tie::Contact(k) => self.space.rows[k].sides(&self.before),
            Tie::Couple(k) => self.space.twists[k].sides().to_vec(),
            Tie::Hold { .. } => self.joint_sides(tie, 3),
            Tie::Drive(_) => self.joint_sides(tie, 1),
        };
        sides.into_iter().filter_map(|(carrier, j)| Some((self.owner(state, carrier)?, j))).collect()
    }

    fn joint_sides(&self, tie: Tie, most: usize) -> Vec<(u32, Jacobian)> {
        let rows = &self.joint_rows(tie)[..self.joint_rows(tie).len().min(most)];
        let side = |s: usize| std::array::from_fn(|k| rows.get(k).map_or([0.0; 6], |row| row.sides()[s]));
        let [a, b] = self.ends(tie);
        vec![(a, side(0)), (b, side(1))]
    }

    /// Velocities of all ties in a state at the end of the step, contacts with their bias [m/s].
    pub fn velocities(&self, state: &State, ties: &[Tie]) -> Vec<DVec3> {
        let carriers = self.carriers(state);
        let opened = self.opened(state);
        ties.iter().map(|&tie| self.velocity(tie, &carriers, &opened)).collect()
    }

    fn velocity(&self, tie: Tie, carriers: &Carriers, opened: &[Vec<f64>]) -> DVec3 {
        match tie {
            Tie::Contact(k) => {
                let row = &self.space.rows[k];
                row.velocity(carriers) + row.offset()
            }
            Tie::Couple(k) => self.space.twists[k].spin(carriers),
            Tie::Hold { block, first } => {
                let of = |k: usize| opened[block].get(first + k).copied().unwrap_or(0.0);
                DVec3::new(of(0), of(1), of(2)) / self.h
            }
            Tie::Drive(block) => {
                let b = &self.space.joints.blocks[block];
                DVec3::X * b.rows.get(b.holding).map_or(0.0, |row| b.velocity(row, carriers))
            }
        }
    }

    /// By how much the rows that hold have opened since the beginning of the step, block by block [m].
    pub(super) fn opened(&self, state: &State) -> Vec<Vec<f64>> {
        let joints = &self.space.joints;
        if joints.blocks.is_empty() {
            return Vec::new();
        }
        let now = joints::errors(&joints.links, &self.poses(state));
        let mut rows = now.iter().zip(&self.errors).map(|(now, start)| now - start);
        joints.blocks.iter().map(|b| rows.by_ref().take(b.holding).collect()).collect()
    }

    /// Where the carriers of joints are.
    fn poses(&self, state: &State) -> Vec<Pose> {
        let mut poses = vec![Pose::default(); self.before.len()];
        for carrier in self.space.joints.links.iter().flat_map(|link| link.carriers) {
            poses[carrier as usize] = match self.owner(state, carrier) {
                Some(Owner::Body(a)) => (state.aggregates[a].position, state.aggregates[a].orientation),
                Some(Owner::Element(e)) => (state.position.get(e), DQuat::IDENTITY),
                None => (self.before[carrier as usize].position, DQuat::IDENTITY),
            };
        }
        poses
    }

    /// What it obeys; `place` gives contacts their numbers in the problem.
    pub fn law(&self, tie: Tie, place: impl Fn(usize) -> usize) -> Law {
        match tie {
            Tie::Contact(k) => Law::Contact { friction: self.space.rows[k].friction },
            Tie::Couple(k) => {
                let twist = self.space.twists[k];
                Law::Couple { contact: place(twist.row as usize), twist }
            }
            Tie::Hold { .. } => {
                let used = |k: usize| self.joint_rows(tie).get(k).is_some_and(|row| !row.law.is_idle());
                Law::Hold { used: std::array::from_fn(used) }
            }
            Tie::Drive(_) => Law::Drive { parts: self.joint_rows(tie).iter().map(|r| (r.law, r.impulse)).collect() },
        }
    }

    /// The contact that a couple belongs to.
    pub fn contact_of(&self, tie: Tie) -> Option<usize> {
        if let Tie::Couple(k) = tie { Some(self.space.twists[k].row as usize) } else { None }
    }

    /// Its impulse, in its rows [N s].
    pub fn impulse(&self, tie: Tie) -> DVec3 {
        let rows = self.joint_rows(tie);
        match tie {
            Tie::Contact(k) => self.space.rows[k].impulse,
            Tie::Couple(k) => self.space.twists[k].impulse,
            Tie::Hold { .. } => {
                let of = |k: usize| rows.get(k).map_or(0.0, |row| row.impulse);
                DVec3::new(of(0), of(1), of(2))
            }
            Tie::Drive(_) => DVec3::X * rows.iter().fold(0.0, |sum, row| sum + row.impulse),
        }
    }

    /// Gives it the impulse of a solution.
    pub fn give(&mut self, tie: Tie, p: DVec3, law: &Law) {
        let blocks = &mut self.space.joints.blocks;
        match tie {
            Tie::Contact(k) => self.space.rows[k].impulse = p,
            Tie::Couple(k) => self.space.twists[k].impulse = p,
            Tie::Hold { block, first } => {
                let holding = blocks[block].holding;
                blocks[block].rows[..holding]
                    .iter_mut()
                    .skip(first)
                    .zip(p.to_array())
                    .for_each(|(row, p)| row.impulse = p);
            }
            Tie::Drive(block) => {
                let (Law::Drive { parts }, holding) = (law, blocks[block].holding) else { return };
                blocks[block].rows[holding..].iter_mut().zip(parts).for_each(|(row, part)| row.impulse = part.1);
            }
        }
    }

    /// Force and couple on the first side, in world axes, as impulses [N s, N m s].
    pub fn wrench(&self, tie: Tie) -> (DVec3, DVec3) {
        match tie {
            Tie::Contact(k) => (self.space.rows[k].world_impulse(), DVec3::ZERO),
            Tie::Couple(k) => (DVec3::ZERO, self.space.twists[k].world_impulse()),
            Tie::Hold { .. } | Tie::Drive(_) => {
                self.joint_rows(tie).iter().fold((DVec3::ZERO, DVec3::ZERO), |(force, couple), row| {
                    let (f, c) = row.wrench();
                    (force + f * row.impulse, couple + c * row.impulse)
                })
            }
        }
    }

    /// A length by which what it moves compares with speeds: spins have a lever [1 or m].
    pub fn lever(&self, tie: Tie) -> f64 {
        if let Tie::Couple(k) = tie { self.space.twists[k].lever() } else { 1.0 }
    }

    /// True if it is a contact whose slip shares a cone with its spin.
    pub fn shares_its_cone(&self, tie: Tie) -> bool {
        let of = |k: usize| self.space.twists.iter().any(|t| t.row as usize == k && t.is_shared());
        matches!(tie, Tie::Contact(k) if of(k))
    }
}
