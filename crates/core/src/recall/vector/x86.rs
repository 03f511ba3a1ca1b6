//! The sums of products with the wide registers of x86-64.
//!
//! AVX2 and AVX-512 BW widen both sides to 16 bits, multiply, and add pairs: `2·2¹⁴` fits 32 bits. VNNI
//! multiplies an unsigned byte with a signed one and adds fours, so rows are raised by 128 (their top bit
//! flipped), and `Σ q·(r + 128) - 128·Σ q` is the sum. Intermediate sums stay below 2³¹; wrapping would still
//! give the right result.

#![allow(unsafe_code, reason = "registers are loaded from pointers, and not every processor has these")]

use super::Variant;
use super::dots::define_dots;

/// Returns the implementations that this processor supports, fastest first.
pub(super) fn variants() -> Vec<Variant> {
    let has_avx512 = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
    let mut variants = Vec::new();
    if has_avx512 && is_x86_feature_detected!("avx512vnni") {
        variants.push(Variant {
            name: "avx512vnni",
            // SAFETY: the processor was just found to have all features that the function is built with.
            dots: |query, rows, sums| unsafe { avx512vnni::dots(query, rows, sums) },
        });
    }
    if has_avx512 {
        variants.push(Variant {
            name: "avx512bw",
            // SAFETY: as above.
            dots: |query, rows, sums| unsafe { avx512bw::dots(query, rows, sums) },
        });
    }
    if is_x86_feature_detected!("avx2") {
        variants.push(Variant {
            name: "avx2",
            // SAFETY: as above.
            dots: |query, rows, sums| unsafe { avx2::dots(query, rows, sums) },
        });
    }
    variants
}

mod avx512vnni {
    use std::arch::x86_64::*;

    super::define_dots!("avx512f,avx512bw,avx512vnni", 64, 2, __m512i, start, step, sum);

    /// Returns `-128·Σ q`, in each lane for the values multiplied there.
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    fn start(query: &[[u8; 64]], rest: Option<&[u8; 64]>) -> __m512i {
        let mut raised = _mm512_setzero_si512();
        for part in query.iter().chain(rest) {
            raised = _mm512_dpbusd_epi32(raised, _mm512_set1_epi8(-128), load(part));
        }
        _mm512_sub_epi32(_mm512_setzero_si512(), raised)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    fn step(sums: __m512i, query: &[u8; 64], row: &[u8; 64]) -> __m512i {
        let raised = _mm512_xor_si512(load(row), _mm512_set1_epi8(-128));
        _mm512_dpbusd_epi32(sums, raised, load(query))
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    fn sum(sums: __m512i) -> i32 {
        _mm512_reduce_add_epi32(sums)
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn load(bytes: &[u8; 64]) -> __m512i {
        // SAFETY: 64 bytes are borrowed, and this load needs no alignment.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }
}

mod avx512bw {
    use std::arch::x86_64::*;

    super::define_dots!("avx512f,avx512bw", 32, 2, __m512i, start, step, sum);

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn start(_query: &[[u8; 32]], _rest: Option<&[u8; 32]>) -> __m512i {
        _mm512_setzero_si512()
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn step(sums: __m512i, query: &[u8; 32], row: &[u8; 32]) -> __m512i {
        _mm512_add_epi32(sums, _mm512_madd_epi16(load(query), load(row)))
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn sum(sums: __m512i) -> i32 {
        _mm512_reduce_add_epi32(sums)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn load(bytes: &[u8; 32]) -> __m512i {
        // SAFETY: 32 bytes are borrowed, and this load needs no alignment.
        _mm512_cvtepi8_epi16(unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) })
    }
}

mod avx2 {
    use std::arch::x86_64::*;

    super::define_dots!("avx2", 16, 2, __m256i, start, step, sum);

    #[inline]
    #[target_feature(enable = "avx2")]
    fn start(_query: &[[u8; 16]], _rest: Option<&[u8; 16]>) -> __m256i {
        _mm256_setzero_si256()
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn step(sums: __m256i, query: &[u8; 16], row: &[u8; 16]) -> __m256i {
        _mm256_add_epi32(sums, _mm256_madd_epi16(load(query), load(row)))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn sum(sums: __m256i) -> i32 {
        let four = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
        let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b_11_10_11_10>(four));
        let one = _mm_add_epi32(two, _mm_shuffle_epi32::<0b_01_01_01_01>(two));
        _mm_cvtsi128_si32(one)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(bytes: &[u8; 16]) -> __m256i {
        // SAFETY: 16 bytes are borrowed, and this load needs no alignment.
        _mm256_cvtepi8_epi16(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }
}
