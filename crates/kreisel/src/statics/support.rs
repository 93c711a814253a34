//! Supports as masks: held directions are kept out of the solve.

use crate::linear::{Operator, Vectors};
use crate::statics::Held;
use glamx::DMat3;

/// Which components are free (1) and which are held (0), and where the held ones are to be.
pub(super) struct Support {
    free: Vectors,
    /// Displacements of the held components [m], zero elsewhere.
    pub displacements: Vectors,
}

impl Support {
    /// Marks the held components of `n` elements.
    pub fn new(held: &[Held], n: usize) -> Self {
        let (mut free, mut displacements) = (Vectors::zeros(n), Vectors::zeros(n));
        [&mut free.x, &mut free.y, &mut free.z].into_iter().for_each(|c| c.fill(1.0));
        for h in held {
            let e = h.element as usize;
            let kept = glamx::DVec3::from(h.axes.map(|held| if held { 0.0 } else { 1.0 }));
            free.set(e, kept);
            displacements.set(e, h.displacement * (1.0 - kept));
        }
        Self { free, displacements }
    }

    /// Sets held components to zero.
    pub fn keep_free(&self, field: &mut Vectors) {
        for (c, m) in [(&mut field.x, &self.free.x), (&mut field.y, &self.free.y), (&mut field.z, &self.free.z)] {
            c.iter_mut().zip(m).for_each(|(c, m)| *c *= m);
        }
    }

    /// Sets free components to zero.
    pub fn keep_held(&self, field: &mut Vectors) {
        for (c, m) in [(&mut field.x, &self.free.x), (&mut field.y, &self.free.y), (&mut field.z, &self.free.z)] {
            c.iter_mut().zip(m).for_each(|(c, m)| *c *= 1.0 - m);
        }
    }

    /// Replaces rows and columns of held components by those of a multiple of the identity.
    pub fn mask_blocks(&self, blocks: &mut [DMat3]) {
        for (e, block) in blocks.iter_mut().enumerate() {
            let free = DMat3::from_diagonal(self.free.get(e));
            let size = (block.x_axis.x + block.y_axis.y + block.z_axis.z) / 3.0;
            *block = free * *block * free + (DMat3::IDENTITY - free) * size;
        }
    }
}

/// `F A F` with `F` the mask of free components.
pub(super) struct Supported<'a> {
    pub inner: &'a dyn Operator,
    pub support: &'a Support,
}

impl Operator for Supported<'_> {
    fn apply(&self, x: &Vectors, y: &mut Vectors) {
        let mut free = x.clone();
        self.support.keep_free(&mut free);
        self.inner.apply(&free, y);
        self.support.keep_free(y);
    }
}
