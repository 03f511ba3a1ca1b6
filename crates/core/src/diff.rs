//! Compares two sequences.

use std::hash::Hash;
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Returns the ranges that differ, in the old sequence and in the new one. Between two of them, there is something that
/// both have.
#[must_use]
pub fn changed_ranges<T: Eq + Hash>(old: &[T], new: &[T]) -> Vec<(Range<usize>, Range<usize>)> {
    let ops = capture_diff_slices(Algorithm::Myers, old, new);
    let changes = ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    changes.map(|op| (op.old_range(), op.new_range())).collect()
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::proptest;

    use super::*;

    proptest! {
        #[test]
        fn what_is_between_two_ranges_is_equal_and_not_empty(old in vec(0..4_u8, 0..24), new in vec(0..4_u8, 0..24)) {
            let (mut was_end, mut is_end) = (0, 0);
            for (n, (was, is)) in changed_ranges(&old, &new).into_iter().enumerate() {
                assert!(!was.is_empty() || !is.is_empty());
                assert!(n == 0 || was.start > was_end);
                assert_eq!(old[was_end..was.start], new[is_end..is.start]);
                (was_end, is_end) = (was.end, is.end);
            }
            assert_eq!(old[was_end..], new[is_end..]);
        }
    }
}
