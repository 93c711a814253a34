//! What can be read: momenta and energies of everything, and what probes say about elements and regions.

pub mod contact;
mod crossing;
pub mod dress;
pub mod elastic;
pub mod index;
pub mod joint;
pub mod momentum;
pub mod probe;
pub mod ray;
pub mod region;
#[cfg(test)]
mod sample;
pub mod skin;
pub mod strain;
pub mod stress;

use crate::linear::Vectors;

/// Forces on the elements at the moment of reading [N]. A field without vectors counts as zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forces {
    /// All forces on each element, those of fixes left out.
    pub total: Vectors,
    /// Forces of fixes on each element.
    pub reaction: Vectors,
    /// Contact forces from other bodies and the world on each element.
    pub contact: Vectors,
}
