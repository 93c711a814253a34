//! What pushes do at a contact, and what else it may be asked for.

use crate::contact::constraint::block::{gentle, tangential};
use glamx::{DMat2, DMat3, DVec2, DVec3};

/// What pushes do at a contact. Most places that are looked at push, so that each row has room for it; what can be found again
/// from the block takes less time to find than to fetch.
#[derive(Clone, Copy, Debug, Default)]
pub struct Weight {
    /// The block `W_ii` [1/kg]: entries 11, 12, 13, 22, 23, 33; zero as long as nobody has looked at the masses.
    block: [f64; 6],
}

/// What few contacts are asked for besides.
#[derive(Clone, Copy, Debug, Default)]
pub struct Demand {
    /// Added to the slip [m/s], along the tangents: the arms turn while the step lasts.
    pub drift: DVec2,
    /// The least that it pushes [N s]: nothing, or what comes back of a blow.
    pub least: f64,
    /// The share of its impulse that comes back in a phase of its own [1].
    pub restitution: f64,
}

impl Weight {
    /// Takes over the block `W_ii` [1/kg].
    pub fn set_block(&mut self, block: &DMat3) {
        let (x, y, z) = (block.x_axis, block.y_axis, block.z_axis);
        self.block = [x.x, x.y, x.z, y.y, y.z, z.z];
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
        tangential(self.block[3], self.block[4], self.block[5])
    }

    /// Inverse of the largest mobility across the normal [kg].
    #[inline]
    pub fn gentle(&self) -> f64 {
        gentle(self.block[3], self.block[4], self.block[5])
    }
}
