//! The loop over rows that the implementations for all processors share.
//!
//! Several rows are read at once: the query is loaded once for all of them, and their sums do not depend on
//! each other. If the row is not a multiple of the register size, its last register's worth of bytes is read,
//! and the bytes summed before are multiplied by zeros on the side of the query.

/// Defines `dots`, which sets one sum per row, over registers of `$bytes` bytes and `$rows` rows at once:
///
/// - `$start` takes the query, in registers, and returns the initial value of each row's sums,
/// - `$step` adds the products of a register of the query with one of a row,
/// - `$sum` adds up the lanes of a register of sums.
///
/// All three are functions with the same target features.
macro_rules! define_dots {
    ($features:literal, $bytes:literal, $rows:literal, $sums:ty, $start:ident, $step:ident, $sum:ident) => {
        #[target_feature(enable = $features)]
        pub(super) fn dots(query: &[u8], rows: &[u8], sums: &mut [i32]) {
            let dimensions = query.len();
            if dimensions == 0 {
                sums.fill(0);
                return;
            }
            let (registers, rest) = query.as_chunks();
            let rest = (!rest.is_empty()).then(|| end_of(rest));
            let start = $start(registers, rest.as_ref());
            let (groups, singles) = sums.as_chunks_mut::<$rows>();
            let (of_groups, of_singles) = rows.split_at(groups.len() * $rows * dimensions);
            for (group, sums) in of_groups.chunks_exact($rows * dimensions).zip(groups) {
                *sums = group_of(start, registers, rest.as_ref(), group);
            }
            for (row, sum) in of_singles.chunks_exact(dimensions).zip(singles) {
                [*sum] = group_of(start, registers, rest.as_ref(), row);
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn group_of<const N: usize>(
            start: $sums,
            query: &[[u8; $bytes]],
            query_rest: Option<&[u8; $bytes]>,
            group: &[u8],
        ) -> [i32; N] {
            let dimensions = group.len() / N;
            let mut rows: [(&[[u8; $bytes]], &[u8]); N] = [(&[], &[]); N];
            for (row, bytes) in rows.iter_mut().zip(group.chunks_exact(dimensions)) {
                *row = (&bytes.as_chunks().0[..query.len()], bytes);
            }
            let mut sums = [start; N];
            for (at, part) in query.iter().enumerate() {
                for n in 0..N {
                    sums[n] = $step(sums[n], part, &rows[n].0[at]);
                }
            }
            let mut dots = [0; N];
            for n in 0..N {
                if let Some(part) = query_rest {
                    sums[n] = $step(sums[n], part, &end_of(rows[n].1));
                }
                dots[n] = $sum(sums[n]);
            }
            dots
        }

        /// Returns the last bytes, after zeros if there are too few.
        #[inline]
        fn end_of(bytes: &[u8]) -> [u8; $bytes] {
            bytes.last_chunk().copied().unwrap_or_else(|| {
                let mut padded = [0; $bytes];
                padded[$bytes - bytes.len()..].copy_from_slice(bytes);
                padded
            })
        }
    };
}

pub(super) use define_dots;
