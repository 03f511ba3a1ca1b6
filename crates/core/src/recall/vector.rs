//! Purpose: vectors as whole numbers, and how near they are.
//!
//! A vector of length 1 is kept as one `i8` per dimension and one scale: `x ≈ scale·i`, with
//! `scale = max|x|/127`. So it takes a quarter of the space, and the product of two is summed in whole numbers:
//!
//! `cosine = Σ aᵢ·bᵢ · scale(a)·scale(b)`
//!
//! - [`Vector`] is one of them, owned; [`Rows`] are many of one dimension as they lie in the store.
//! - [`Rows::cosines`] is the scan that a search does. `x86` and `arm` hold the code for what processors offer,
//!   written over one loop, in `dots`; `plain` runs anywhere. The best that this machine has is chosen once.
//!
//! **Invariant:** the sums are exact, and so the same on every machine: of at most [`DIMENSIONS_MAX`] products,
//! each at most 2¹⁴, none leaves 2³⁰. Only the product with the scales is rounded, everywhere in the same order.
//! **Invariant:** any bytes are safe to read. A [`Vector::of`] floats has values from -127 to 127; one that was
//! stored may hold -128 too, and any scale.

use std::sync::LazyLock;

#[cfg(target_arch = "aarch64")]
mod arm;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod dots;
mod plain;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86;

/// The most dimensions that rows have.
pub const DIMENSIONS_MAX: usize = 65_536;

/// How many rows are summed before their cosines are made: the sums stay in the nearest cache.
const BATCH: usize = 256;
const SCALE_BYTES: usize = size_of::<f32>();

/// A vector of length 1 as whole numbers: each value is about `scale` times its `i8`.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    scale: f32,
    values: Vec<i8>,
}

impl Vector {
    /// Rounds a vector to whole numbers. Each value moves by half the scale at most.
    ///
    /// Its length should be 1, for [`Vector::cosine`] multiplies only. A vector of zeros has the scale 0. A value
    /// that is no number counts as 0, an infinite one as the greatest.
    #[must_use]
    pub fn of(unit: &[f32]) -> Self {
        let greatest = unit.iter().map(|x| x.abs()).filter(|x| x.is_finite()).fold(0.0, f32::max);
        let scale = greatest / 127.0;
        // The cast makes 0 of what is no number.
        let whole = |x: &f32| (x / scale).round().clamp(-127.0, 127.0) as i8;
        let values = if scale > 0.0 { unit.iter().map(whole).collect() } else { vec![0; unit.len()] };
        Self { scale, values }
    }

    /// The whole numbers, one per dimension.
    #[must_use]
    pub fn values(&self) -> &[i8] {
        &self.values
    }

    /// What a value of 1 stands for.
    #[must_use]
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// How near the other vector is: 1 in the same direction, 0 at a right angle or where the dimensions differ,
    /// -1 opposite; rounding may lead out of that range by a little.
    #[must_use]
    pub fn cosine(&self, other: &Self) -> f32 {
        if self.values.len() != other.values.len() {
            return 0.0;
        }
        let products = self.values.iter().zip(&other.values).map(|(a, b)| i32::from(*a) * i32::from(*b));
        let dot: i64 = products.map(i64::from).sum();
        dot as f32 * self.scale * other.scale
    }
}

/// Many vectors of one dimension, borrowed from where they are stored; their bytes need no alignment.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    dimensions: usize,
    values: &'a [u8],
    scales: &'a [[u8; SCALE_BYTES]],
}

impl<'a> Rows<'a> {
    /// Reads rows from the bits of their values (`i8`, row after row) and their scales (`f32`, little-endian, one
    /// per row), as [`push`] writes them.
    ///
    /// `None` where the lengths do not fit each other, or there are more than [`DIMENSIONS_MAX`] dimensions.
    #[must_use]
    pub fn new(dimensions: usize, values: &'a [u8], scales: &'a [u8]) -> Option<Self> {
        let (scales, rest) = scales.as_chunks();
        let fits = rest.is_empty() && scales.len().checked_mul(dimensions) == Some(values.len());
        (fits && dimensions <= DIMENSIONS_MAX).then_some(Self { dimensions, values, scales })
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.scales.len()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scales.is_empty()
    }

    /// Returns row `n`, counted from 0.
    ///
    /// # Panics
    ///
    /// Where there are not that many rows.
    #[must_use]
    pub fn get(&self, n: usize) -> Vector {
        let scale = f32::from_le_bytes(self.scales[n]);
        let row = &self.values[n * self.dimensions..][..self.dimensions];
        Vector { scale, values: row.iter().map(|bits| bits.cast_signed()).collect() }
    }

    /// Appends one cosine per row, in order: what [`Vector::cosine`] gives for the query and that row, to the bit.
    ///
    /// It is not a number where a stored scale is not.
    pub fn cosines(&self, query: &Vector, out: &mut Vec<f32>) {
        let dimensions = self.dimensions;
        if query.values.len() != dimensions {
            out.resize(out.len() + self.len(), 0.0);
            return;
        }
        let bits: Vec<u8> = query.values.iter().map(|value| value.cast_unsigned()).collect();
        let mut sums = [0; BATCH];
        out.reserve(self.len());
        for (n, scales) in self.scales.chunks(BATCH).enumerate() {
            let rows = &self.values[n * BATCH * dimensions..][..scales.len() * dimensions];
            let sums = &mut sums[..scales.len()];
            (VARIANT.dots)(&bits, rows, sums);
            let cosine = |(dot, scale): (&i32, &[u8; SCALE_BYTES])| {
                *dot as f32 * query.scale * f32::from_le_bytes(*scale)
            };
            out.extend(sums.iter().zip(scales).map(cosine));
        }
    }
}

/// Appends a vector to the bytes of [`Rows`].
pub fn push(vector: &Vector, values: &mut Vec<u8>, scales: &mut Vec<u8>) {
    values.extend(vector.values.iter().map(|value| value.cast_unsigned()));
    scales.extend(vector.scale.to_le_bytes());
}

/// Names the code that runs on this machine: `avx512vnni`, `avx512bw`, `avx2`, `neon` or `plain`.
#[must_use]
pub fn instructions() -> &'static str {
    VARIANT.name
}

/// Code that multiplies a query with rows.
#[derive(Clone, Copy)]
struct Variant {
    name: &'static str,
    /// Takes the bits of a query and of as many rows of its dimension as there are sums, which it sets.
    dots: fn(query: &[u8], rows: &[u8], sums: &mut [i32]),
}

static VARIANT: LazyLock<Variant> = LazyLock::new(|| variants()[0]);

/// All that this machine can run, fastest first.
fn variants() -> Vec<Variant> {
    let mut variants = Vec::new();
    #[cfg(target_arch = "x86_64")]
    variants.extend(x86::variants());
    #[cfg(target_arch = "aarch64")]
    variants.extend(arm::variants());
    variants.push(Variant { name: "plain", dots: plain::dots });
    variants
}
