//! The kernels compiled for wider instructions than every x86-64 machine has, chosen when the program runs.
//!
//! The arithmetic is the same, operation by operation, with IEEE rounding and without fused multiply–add: the results have the
//! same bits. The only unsafe code of the springs is here: a function compiled for an instruction set may be called only on a
//! machine that has it. `Instructions` can be had from `Instructions::best` and `Instructions::available` only, which ask the
//! processor, so the call is sound.
#![allow(unsafe_code)]

use super::SpringSums;
use super::kernel::Input;
use super::runs::{Group, Run};
use super::{forces, product, tangent};

/// An instruction set that this machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instructions(Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Instructions {
    /// What the build target guarantees (on x86-64: SSE2).
    pub const PORTABLE: Self = Self(Set::Portable);

    /// The fastest set of this machine.
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            return Self(Set::Avx2);
        }
        Self::PORTABLE
    }

    /// All sets of this machine, the portable one first.
    pub fn available() -> Vec<Self> {
        let mut sets = vec![Self::PORTABLE, Self::best()];
        sets.dedup();
        sets
    }

    /// A short name, for tables.
    pub fn name(self) -> &'static str {
        match self.0 {
            Set::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => "AVX2",
        }
    }

    /// `forces::forces` with these instructions.
    pub(super) fn forces<const DAMPED: bool, const N: usize>(
        self,
        input: &Input<'_>,
        group: &Group,
        out: &mut [&mut [f64]; N],
    ) -> SpringSums {
        match self.0 {
            Set::Portable => forces::forces::<DAMPED, N>(input, group, out),
            // SAFETY: the value exists, so the processor has the instructions (see above).
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { forces_avx2::<DAMPED, N>(input, group, out) },
        }
    }

    /// `product::differential` with these instructions.
    pub(super) fn differential<const SEMIDEFINITE: bool>(
        self,
        input: &Input<'_>,
        group: &Group,
        out: &mut [&mut [f64]; 3],
    ) {
        match self.0 {
            Set::Portable => product::differential::<SEMIDEFINITE>(input, group, out),
            // SAFETY: the value exists, so the processor has the instructions (see above).
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { differential_avx2::<SEMIDEFINITE>(input, group, out) },
        }
    }

    /// `tangent::prepare` with these instructions.
    pub(super) fn prepare(self, input: &Input<'_>, run: &Run, factors: [f64; 2], out: &mut [&mut [f64]; 4]) {
        match self.0 {
            Set::Portable => tangent::prepare(input, run, factors, out),
            // SAFETY: the value exists, so the processor has the instructions (see above).
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { prepare_avx2(input, run, factors, out) },
        }
    }

    /// `tangent::product` with these instructions.
    pub(super) fn product(self, input: &Input<'_>, group: &Group, out: &mut [&mut [f64]; 3]) {
        match self.0 {
            Set::Portable => tangent::product(input, group, out),
            // SAFETY: the value exists, so the processor has the instructions (see above).
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { product_avx2(input, group, out) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn forces_avx2<const DAMPED: bool, const N: usize>(
    input: &Input<'_>,
    group: &Group,
    out: &mut [&mut [f64]; N],
) -> SpringSums {
    forces::forces::<DAMPED, N>(input, group, out)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn differential_avx2<const SEMIDEFINITE: bool>(input: &Input<'_>, group: &Group, out: &mut [&mut [f64]; 3]) {
    product::differential::<SEMIDEFINITE>(input, group, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn prepare_avx2(input: &Input<'_>, run: &Run, factors: [f64; 2], out: &mut [&mut [f64]; 4]) {
    tangent::prepare(input, run, factors, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn product_avx2(input: &Input<'_>, group: &Group, out: &mut [&mut [f64]; 3]) {
    tangent::product(input, group, out);
}
