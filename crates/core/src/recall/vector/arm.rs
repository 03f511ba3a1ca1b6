//! The sums of products with NEON, which practically every 64-bit ARM processor has.
//!
//! Bytes are multiplied to 16 bits, which hold 2¹⁴, and added in pairs to 32 bits.

#![allow(unsafe_code, reason = "registers are loaded from pointers, and not every processor has these")]

use std::arch::aarch64::*;
use std::arch::is_aarch64_feature_detected;

use super::Variant;
use super::dots::define_dots;

/// Returns the implementation if this processor supports it.
pub(super) fn variants() -> Option<Variant> {
    is_aarch64_feature_detected!("neon").then_some(Variant {
        name: "neon",
        // SAFETY: the processor was just found to have the features that the function is built with.
        dots: |query, rows, sums| unsafe { dots(query, rows, sums) },
    })
}

define_dots!("neon", 16, 4, int32x4_t, start, step, sum);

#[inline]
#[target_feature(enable = "neon")]
fn start(_query: &[[u8; 16]], _rest: Option<&[u8; 16]>) -> int32x4_t {
    vdupq_n_s32(0)
}

#[inline]
#[target_feature(enable = "neon")]
fn step(sums: int32x4_t, query: &[u8; 16], row: &[u8; 16]) -> int32x4_t {
    let (query, row) = (load(query), load(row));
    let sums = vpadalq_s16(sums, vmull_s8(vget_low_s8(query), vget_low_s8(row)));
    vpadalq_s16(sums, vmull_high_s8(query, row))
}

#[inline]
#[target_feature(enable = "neon")]
fn sum(sums: int32x4_t) -> i32 {
    vaddvq_s32(sums)
}

#[inline]
#[target_feature(enable = "neon")]
fn load(bytes: &[u8; 16]) -> int8x16_t {
    // SAFETY: 16 bytes are borrowed, and this load needs no alignment.
    unsafe { vld1q_s8(bytes.as_ptr().cast()) }
}
