//! The sums of products in portable code, the reference for the other implementations.

/// Sets one sum per row.
pub(super) fn dots(query: &[u8], rows: &[u8], sums: &mut [i32]) {
    if query.is_empty() {
        sums.fill(0);
        return;
    }
    for (row, sum) in rows.chunks_exact(query.len()).zip(sums) {
        let products = query.iter().zip(row).map(|(a, b)| value(*a) * value(*b));
        *sum = products.sum();
    }
}

fn value(bits: u8) -> i32 {
    i32::from(bits.cast_signed())
}
