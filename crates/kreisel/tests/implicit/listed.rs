//! Matrices as lists of blocks: nets of springs on any elements, some of which may ride on a rigid body.

use crate::system::Random;
use kreisel::linear::{BlockSource, Operator, SlotMap, Vectors};
use kreisel::{DMat3, DVec3};

/// A + 1e-3 of the identity, `A` the stiffness of springs between elements, those of the rigid part mapped to its body.
pub struct Listed {
    blocks: Vec<(u32, u32, DMat3)>,
    pub place: Vectors,
    pub component: Vec<u32>,
    pub used: Vec<bool>,
    points: usize,
}

impl Listed {
    /// Elements at `places`, each pair nearer than `reach` joined; the first `riding` of them are one rigid body.
    pub fn new(places: &[DVec3], reach: f64, riding: usize) -> Self {
        let bodies = usize::from(riding > 0);
        let centre = places[..riding].iter().sum::<DVec3>() / riding.max(1) as f64;
        let mut place = Vectors::default();
        places.iter().chain([centre; 2].iter().take(2 * bodies)).for_each(|p| place.push(*p));
        let used = (0..place.len()).map(|i| i >= riding).collect();
        let mut net = Self { blocks: Vec::new(), component: vec![0; place.len()], place, used, points: places.len() };
        for slot in riding as u32..net.place.len() as u32 {
            net.give(slot, slot, DMat3::IDENTITY * 1e-3);
        }
        for (j, b) in places.iter().enumerate() {
            for (i, a) in places[..j].iter().enumerate().filter(|(_, a)| a.distance(*b) < reach) {
                net.join(i, j, outer((*a - *b).normalize()), riding, centre);
            }
        }
        net
    }

    pub fn map(&self) -> SlotMap<'_> {
        let Self { place, component, used, points, .. } = self;
        SlotMap { points: *points, bodies: (place.len() - points) / 2, place, component, used }
    }

    pub fn random(&self, seed: u64) -> Vectors {
        let (mut random, mut field) = (Random(seed), Vectors::zeros(self.place.len()));
        (0..self.place.len()).filter(|i| self.used[*i]).for_each(|i| field.set(i, random.vector()));
        field
    }

    /// A spring with the matrix `b`: its ends i and j move as T u over slots.
    fn join(&mut self, i: usize, j: usize, b: DMat3, riding: usize, centre: DVec3) {
        let ends = [(i, 1.0), (j, -1.0)].map(|(e, sign)| {
            let r = self.place.get(e) - centre;
            let lever = DMat3::from_cols(DVec3::X.cross(r), DVec3::Y.cross(r), DVec3::Z.cross(r));
            let body = self.points as u32;
            let own = vec![(e as u32, DMat3::IDENTITY * sign)];
            if e < riding { vec![(body, DMat3::IDENTITY * sign), (body + 1, lever * sign)] } else { own }
        });
        let levers: Vec<_> = ends.into_iter().flatten().collect();
        for (s, left) in &levers {
            for (t, right) in levers.iter().filter(|(t, _)| s <= t) {
                self.give(*s, *t, left.transpose() * b * *right);
            }
        }
    }

    fn give(&mut self, i: u32, j: u32, block: DMat3) {
        self.blocks.push((i, j, block));
    }
}

fn outer(n: DVec3) -> DMat3 {
    DMat3::from_cols(n * n.x, n * n.y, n * n.z)
}

impl BlockSource for Listed {
    fn each_block(&self, take: &mut dyn FnMut(u32, u32, DMat3)) {
        self.blocks.iter().for_each(|(i, j, block)| take(*i, *j, *block));
    }
}

impl Operator for Listed {
    fn apply(&self, x: &Vectors, y: &mut Vectors) {
        y.reset(x.len());
        for (i, j, block) in &self.blocks {
            let (i, j) = (*i as usize, *j as usize);
            y.add(i, *block * x.get(j));
            if i != j {
                y.add(j, block.transpose() * x.get(i));
            }
        }
    }
}
