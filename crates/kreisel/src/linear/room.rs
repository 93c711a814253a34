//! How much room lists get whose length changes a little from step to step.

/// The next of eight equal steps between powers of two: at most an eighth more than `len`. Lists of nearly equal length ask for
/// equal room, so that each finds what its predecessor has given back.
pub fn room(len: usize) -> usize {
    len.next_multiple_of((len.next_power_of_two() / 16).max(1))
}

#[cfg(test)]
mod tests {
    use super::room;

    #[test]
    fn room_is_enough_and_little_more() {
        for len in (0..5000).chain([65_535, 65_536, 65_537, 1_000_003]) {
            let got = room(len);
            assert!(got >= len && got - len <= len / 8, "{len}: {got}");
            assert!(room(got) == got);
        }
    }
}
