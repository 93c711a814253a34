//! How much room lists get whose length changes a little from step to step.

/// The next of eight equal steps between powers of two: at most an eighth more than `len`. Lists of nearly equal length ask for
/// equal room, so that each finds what its predecessor has given back.
pub fn room(len: usize) -> usize {
    len.next_multiple_of((len.next_power_of_two() / 16).max(1))
}

/// A list that has become shorter keeps this share of its length as room for more.
const SPARE: usize = 8;

/// True if a list with room for so many has far more than it needs for `len`.
pub fn is_roomy(capacity: usize, len: usize) -> bool {
    capacity > room(len + len / SPARE)
}

/// The list without what is in it, and with room for `len`: where it is, if it has enough.
pub fn emptied<T>(mut list: Vec<T>, len: usize) -> Vec<T> {
    list.clear();
    if list.capacity() < len {
        // Nothing is to be copied: the old room is given back before new is asked for.
        drop(list);
        return Vec::with_capacity(room(len));
    }
    if is_roomy(list.capacity(), len) {
        list.shrink_to(room(len));
    }
    list
}

#[cfg(test)]
mod tests {
    use super::{emptied, room};

    #[test]
    fn an_emptied_list_has_room_enough_and_gives_back_what_is_far_too_much() {
        let long = emptied(vec![1_u64; 100], 1000);
        assert!(long.is_empty() && long.capacity() >= 1000);
        let place = long.as_ptr();
        let same = emptied(long, 900);
        assert_eq!(same.as_ptr(), place);
        let short = emptied(same, 100);
        assert!(short.capacity() >= 100 && short.capacity() < 200);
    }

    #[test]
    fn room_is_enough_and_little_more() {
        for len in (0..5000).chain([65_535, 65_536, 65_537, 1_000_003]) {
            let got = room(len);
            assert!(got >= len && got - len <= len / 8, "{len}: {got}");
            assert!(room(got) == got);
        }
    }
}
