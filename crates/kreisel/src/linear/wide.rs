//! Plain loops compiled for wider instructions than every x86-64 machine has, if this machine has them.
//!
//! The arithmetic is the same, operation by operation, with IEEE rounding and without fused multiply–add: the results have the
//! same bits. The only unsafe code of the solvers is here: a function compiled for an instruction set is called only after
//! the processor has said that it has it.
#![allow(unsafe_code)]

/// Runs `work`, whose loops are small enough to be compiled into the caller, with the widest instructions of this machine.
#[inline]
pub(crate) fn wide<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just said that it has the instructions.
        return unsafe { with_avx2(work) };
    }
    work()
}

/// Work of longer loops, which the compiler brings into its caller only if it must.
pub(crate) trait Work {
    /// Does it; to be marked `#[inline(always)]`, or it is compiled for every machine.
    fn run(self);
}

/// Runs such work with the widest instructions of this machine.
pub(crate) fn run_wide(work: impl Work) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just said that it has the instructions.
        return unsafe { run_with_avx2(work) };
    }
    work.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_with_avx2(work: impl Work) {
    work.run();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<T>(work: impl FnOnce() -> T) -> T {
    work()
}
