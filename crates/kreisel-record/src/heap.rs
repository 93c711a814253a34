//! How a program that steps for long keeps its lists in memory.
//!
//! Lists of contacts grow and shrink with what happens. The GNU library keeps large blocks apart from its heap, where they are
//! given back whole, but raises the bound of what is large whenever one is given back, up to 32 MiB: after a scene has been
//! built, all lists lie in the heap, and leave holes there when they grow. A bound that has once been set stays [mallopt(3)].
#![allow(unsafe_code)]

/// Blocks from this size on are kept apart [bytes]. Smaller ones, most of which live for a step only, would be fetched page by page
/// from the system again and again: with the 128 KiB that the library begins with, that took a fifth of the time of a domino step.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: i32 = 256 * 1024;

/// The heap keeps this much that nobody uses at its end [bytes]: else it is given back after each step and fetched again in the next.
/// More would be faster where a step's lists are larger, but what is kept counts: 1 MiB made contacts of a heap a quarter larger.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const KEPT: i32 = 384 * 1024;

/// Keeps large lists apart from the heap for as long as the program runs. A program calls it once when it begins; elsewhere
/// than with the GNU library it does nothing.
pub fn keep_large_lists_apart() {
    // Sound: it sets numbers of the allocator, under the allocator's own lock. If it is refused, the bound moves as before.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT);
    }
}

#[cfg(test)]
mod tests {
    use super::keep_large_lists_apart;

    #[test]
    fn lists_are_what_they_were_wherever_they_are_kept() {
        let before: Vec<u64> = (0..100_000).collect();
        keep_large_lists_apart();
        let mut after = before.clone();
        after.extend_from_within(..);
        assert!(after.iter().zip(before.iter().cycle()).all(|(a, b)| a == b));
    }
}
