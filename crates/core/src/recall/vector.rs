//! Quantised vectors and their similarity.
//!
//! A vector of length 1 is stored as one `i8` per dimension and one scale: `x ≈ scale·i`. The scale is
//! `max|x|/127`. This takes a quarter of the space, and the product of two is summed in integers:
//!
//! `cosine = Σ aᵢ·bᵢ · scale(a)·scale(b)`
//!
//! - [`Vector`] is one owned vector; [`Rows`] are many of the same dimension as the store holds them.
//! - [`Rows::cosines`] is the scan of a search. `x86` and `arm` hold the code for processor extensions, over
//!   one common loop in `dots`; `plain` runs anywhere. The fastest supported code is chosen once.
//!
//! **Invariant:** the sums are exact, and so the same on every machine: the sum of at most [`DIMENSIONS_MAX`]
//! products, each at most 2¹⁴, stays within 2³⁰. Only the product with the scales is rounded, everywhere in
//! the same order.
//! **Invariant:** any bytes are safe to read. A [`Vector::of`] floats has values from -127 to 127; a stored
//! one may also hold -128, and any scale.

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

/// The maximum number of dimensions.
pub const DIMENSIONS_MAX: usize = 65_536;

/// The number of rows summed before their cosines are computed, so that the sums stay in the first-level
/// cache.
const BATCH: usize = 256;
const SCALE_BYTES: usize = size_of::<f32>();

/// A vector of length 1 in integers: each value is about `scale` times its `i8`.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    scale: f32,
    values: Vec<i8>,
}

impl Vector {
    /// Quantises a vector. Each value changes by at most half the scale.
    ///
    /// Its length should be 1, since [`Vector::cosine`] only multiplies. A vector of zeros has the scale 0.
    /// NaN counts as 0, an infinite value as the greatest one.
    #[must_use]
    pub fn of(unit: &[f32]) -> Self {
        let greatest = unit.iter().map(|x| x.abs()).filter(|x| x.is_finite()).fold(0.0, f32::max);
        let scale = greatest / 127.0;
        // The cast turns NaN into 0.
        let whole = |x: &f32| (x / scale).round().clamp(-127.0, 127.0) as i8;
        let values = if scale > 0.0 { unit.iter().map(whole).collect() } else { vec![0; unit.len()] };
        Self { scale, values }
    }

    /// Returns the integers, one per dimension.
    #[must_use]
    pub fn values(&self) -> &[i8] {
        &self.values
    }

    /// Returns the value of the integer 1.
    #[must_use]
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// Returns the cosine with another vector: 1 for the same direction, 0 for a right angle or different
    /// dimensions, -1 for the opposite direction; rounding may exceed this range slightly.
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

/// Many vectors of the same dimension, borrowed from storage; their bytes need no alignment.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    dimensions: usize,
    values: &'a [u8],
    scales: &'a [[u8; SCALE_BYTES]],
}

impl<'a> Rows<'a> {
    /// Creates rows from the bytes of their values (`i8`, row after row) and their scales (`f32`,
    /// little-endian, one per row), as [`push`] writes them.
    ///
    /// `None` if the lengths do not match, or there are more than [`DIMENSIONS_MAX`] dimensions.
    #[must_use]
    pub fn new(dimensions: usize, values: &'a [u8], scales: &'a [u8]) -> Option<Self> {
        let (scales, rest) = scales.as_chunks();
        let fits = rest.is_empty() && scales.len().checked_mul(dimensions) == Some(values.len());
        (fits && dimensions <= DIMENSIONS_MAX).then_some(Self { dimensions, values, scales })
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.scales.len()
    }

    /// Returns whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scales.is_empty()
    }

    /// Returns row `n`, counted from 0.
    ///
    /// # Panics
    ///
    /// If there are at most `n` rows.
    #[must_use]
    pub fn get(&self, n: usize) -> Vector {
        let scale = f32::from_le_bytes(self.scales[n]);
        let row = &self.values[n * self.dimensions..][..self.dimensions];
        Vector { scale, values: row.iter().map(|bits| bits.cast_signed()).collect() }
    }

    /// Appends one cosine per row, in order, bit for bit what [`Vector::cosine`] returns for the query and
    /// that row.
    ///
    /// It is NaN if a stored scale is NaN.
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

/// An implementation of the products of a query with rows.
#[derive(Clone, Copy)]
struct Variant {
    name: &'static str,
    /// Takes the bytes of a query and of as many rows of its dimension as there are sums, and sets the sums.
    dots: fn(query: &[u8], rows: &[u8], sums: &mut [i32]),
}

static VARIANT: LazyLock<Variant> = LazyLock::new(|| variants()[0]);

/// Returns the implementations that this machine supports, fastest first.
fn variants() -> Vec<Variant> {
    let mut variants = Vec::new();
    #[cfg(target_arch = "x86_64")]
    variants.extend(x86::variants());
    #[cfg(target_arch = "aarch64")]
    variants.extend(arm::variants());
    variants.push(Variant { name: "plain", dots: plain::dots });
    variants
}
