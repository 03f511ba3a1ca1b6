//! Tests of vectors and rows, and of each implementation against the plain one.

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// Values of stored rows: all bytes occur, the ends of the range often.
fn any_bits(len: usize) -> impl Strategy<Value = Vec<u8>> {
    vec(prop_oneof![any::<u8>(), Just(0x80), Just(0x7F)], len)
}

fn any_query_and_rows() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let edge = (0usize..=16, 0usize..=2).prop_map(|(n, add)| (n * 16 + add).saturating_sub(1));
    let dimensions = prop_oneof![0usize..=1000, edge];
    (dimensions, 0usize..=10).prop_flat_map(|(dims, rows)| (any_bits(dims), any_bits(dims * rows)))
}

fn unit(x: &[f32]) -> Vec<f32> {
    let length = x.iter().map(|x| x * x).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
    x.iter().map(|x| x / length).collect()
}

/// The bytes of rows with these vectors.
fn stored(vectors: &[Vector]) -> (Vec<u8>, Vec<u8>) {
    let (mut values, mut scales) = (Vec::new(), Vec::new());
    vectors.iter().for_each(|vector| push(vector, &mut values, &mut scales));
    (values, scales)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_variant_gives_the_plain_sums((query, rows) in any_query_and_rows()) {
        let count = rows.len().checked_div(query.len()).unwrap_or(3);
        let mut expected = vec![7; count];
        plain::dots(&query, &rows, &mut expected);
        for variant in variants() {
            let mut sums = vec![9; count];
            (variant.dots)(&query, &rows, &mut sums);
            prop_assert_eq!(&sums, &expected, "{}", variant.name);
        }
    }

    #[test]
    fn whole_numbers_keep_the_cosine((a, b, mixed) in (1usize..=1000).prop_flat_map(|dims| {
        (vec(-1f32..1.0, dims), vec(-1f32..1.0, dims), 0f32..1.0)
    })) {
        let near: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a * mixed + b * (1.0 - mixed)).collect();
        let (a, near) = (unit(&a), unit(&near));
        let exact: f32 = a.iter().zip(&near).map(|(a, b)| a * b).sum();
        let (a, near) = (Vector::of(&a), Vector::of(&near));
        prop_assert!((a.cosine(&near) - exact).abs() < 0.01, "{} {exact}", a.cosine(&near));
        prop_assert!(a.values().iter().all(|value| *value > i8::MIN));
    }

    #[test]
    fn rows_give_what_their_vectors_give(
        (query, rows) in any_query_and_rows(), scale in any::<f32>(), start in 0usize..8
    ) {
        let count = rows.len().checked_div(query.len()).unwrap_or(0);
        let scales: Vec<u8> = (0..count).flat_map(|n| (scale / (n + 1) as f32).to_le_bytes()).collect();
        let lead = vec![1; start];
        let (values, scales) = ([&lead[..], &rows].concat(), [&lead[..], &scales].concat());
        let rows = Rows::new(query.len(), &values[start..], &scales[start..]).unwrap();
        let query = Vector { scale: 0.25, values: query.iter().map(|bits| bits.cast_signed()).collect() };
        let mut cosines = vec![2.0];
        rows.cosines(&query, &mut cosines);
        prop_assert_eq!(cosines.len(), 1 + rows.len());
        for n in 0..rows.len() {
            prop_assert_eq!(cosines[n + 1].to_bits(), query.cosine(&rows.get(n)).to_bits());
        }
    }
}

#[test]
fn the_most_and_greatest_products_do_not_overflow() {
    for (bits_query, bits_row) in [(0x80_u8, 0x80_u8), (0x80, 0x7F), (0x7F, 0x80), (0x7F, 0x7F)] {
        let (query, rows) = ([bits_query; DIMENSIONS_MAX], vec![bits_row; 5 * DIMENSIONS_MAX]);
        let one = i32::from(bits_query.cast_signed()) * i32::from(bits_row.cast_signed());
        for variant in variants() {
            let mut sums = [0; 5];
            (variant.dots)(&query, &rows, &mut sums);
            assert_eq!(sums, [one * DIMENSIONS_MAX as i32; 5], "{}", variant.name);
        }
    }
}

#[test]
fn more_rows_than_a_batch_keep_their_order() {
    let vectors: Vec<Vector> =
        (0..3 * BATCH + 5).map(|n| Vector::of(&unit(&[1.0, n as f32, -0.5]))).collect();
    let (values, scales) = stored(&vectors);
    let rows = Rows::new(3, &values, &scales).unwrap();
    let query = Vector::of(&[1.0, 0.0, 0.0]);
    let mut cosines = Vec::new();
    rows.cosines(&query, &mut cosines);
    let expected: Vec<f32> = vectors.iter().map(|vector| query.cosine(vector)).collect();
    assert_eq!(cosines, expected);
    assert_eq!((0..rows.len()).map(|n| rows.get(n)).collect::<Vec<_>>(), vectors);
}

#[test]
fn rows_refuse_lengths_that_do_not_fit() {
    let bytes = [0; 64];
    let rows = |dimensions, values, scales| Rows::new(dimensions, &bytes[..values], &bytes[..scales]);
    assert_eq!(rows(3, 6, 8).map(|rows| rows.len()), Some(2));
    assert!(rows(3, 0, 0).is_some_and(|rows| rows.is_empty()));
    for (dimensions, values, scales) in [(3, 5, 8), (3, 7, 8), (3, 6, 7), (3, 6, 4), (3, 6, 0), (0, 1, 4)] {
        assert!(rows(dimensions, values, scales).is_none(), "{dimensions} {values} {scales}");
    }
    assert!(rows(usize::MAX, 6, 8).is_none());
    assert!(Rows::new(DIMENSIONS_MAX + 1, &[0; DIMENSIONS_MAX + 1], &[0; 4]).is_none());
}

#[test]
fn odd_floats_are_safe() {
    assert_eq!(Vector::of(&[0.0, -0.0]), Vector { scale: 0.0, values: vec![0, 0] });
    assert_eq!(Vector::of(&[f32::NAN, 0.5, f32::NEG_INFINITY]).values(), [0, 127, -127]);
    assert_eq!(Vector::of(&[f32::INFINITY]), Vector { scale: 0.0, values: vec![0] });
    assert_eq!(Vector::of(&[f32::MIN_POSITIVE * f32::EPSILON]).scale(), 0.0);
    assert_eq!(Vector::of(&[f32::MAX, f32::MIN]).values(), [127, -127]);
}

#[test]
fn another_dimension_is_not_near() {
    let (values, scales) = stored(&[Vector::of(&[1.0, 0.0]), Vector::of(&[0.0, 1.0])]);
    let query = Vector::of(&[1.0]);
    let mut cosines = Vec::new();
    Rows::new(2, &values, &scales).unwrap().cosines(&query, &mut cosines);
    assert_eq!(cosines, [0.0, 0.0]);
    assert_eq!(query.cosine(&Vector::of(&[1.0, 0.0])), 0.0);
}

#[test]
fn the_fastest_variant_runs() {
    assert_eq!(instructions(), variants()[0].name);
}
