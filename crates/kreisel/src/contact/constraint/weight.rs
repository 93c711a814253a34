//! What a row needs to push: most places that are looked at stay open, and never ask for it.

use crate::contact::constraint::block::across;
use glamx::{DMat2, DMat3, DVec2, DVec3};

/// What pushes do at a contact, and what becomes of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Weight {
    /// The block `W_ii` [1/kg]: entries 11, 12, 13, 22, 23, 33; zero as long as nobody has looked at the masses.
    block: [f64; 6],
    /// Inverse of its tangential block [kg]: entries 11, 12, 22.
    tangential: [f64; 3],
    /// Inverse of the largest mobility across the normal [kg].
    pub gentle: f64,
    /// Added to the slip [m/s], along the tangents: the arms turn while the step lasts.
    pub drift: DVec2,
    /// The least that it pushes [N s]: nothing, or what comes back of a blow.
    pub least: f64,
    /// The share of its impulse that comes back in a phase of its own [1].
    pub restitution: f64,
    /// Earlier sweeps.
    pub trail: Trail,
}

/// What a contact remembers of earlier sweeps, in contact axes [N s].
#[derive(Clone, Copy, Debug, Default)]
pub struct Trail {
    /// Its change in the last sweep.
    pub step: DVec3,
    /// The direction in which it goes on.
    pub along: DVec3,
}

impl Weight {
    /// Takes over the block `W_ii` [1/kg].
    pub fn set_block(&mut self, block: &DMat3) {
        let (x, y, z) = (block.x_axis, block.y_axis, block.z_axis);
        self.block = [x.x, x.y, x.z, y.y, y.z, z.z];
        (self.tangential, self.gentle) = across(block);
    }

    /// The block `W_ii` [1/kg].
    #[inline]
    pub fn block(&self) -> DMat3 {
        let [xx, xy, xz, yy, yz, zz] = self.block;
        DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz))
    }

    /// What a push changes in the normal velocity [1/kg].
    #[inline]
    pub fn mobility(&self) -> f64 {
        self.block[0]
    }

    /// Sum of the mobilities along the three axes [1/kg].
    #[inline]
    pub fn trace(&self) -> f64 {
        self.block[0] + self.block[3] + self.block[5]
    }

    /// Inverse of the tangential block [kg].
    #[inline]
    pub fn tangential(&self) -> DMat2 {
        let [xx, xy, yy] = self.tangential;
        DMat2::from_cols_array(&[xx, xy, xy, yy])
    }
}
